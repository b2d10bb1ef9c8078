// The desk's colours: one table of tokens, one column a theme, and what is derived from it. Pure values; GUI thread.
// A widget finds its theme in its palette, so nothing global holds it and two themes can stand side by side.
#pragma once

#include <cstdint>

#include <QColor>
#include <QPalette>

class QWidget;

namespace handreset::views {

enum class Theme : std::uint8_t { Dark, Light, HighContrast };

/// One column of the table.
struct Colours {
    QColor ground;
    QColor rail;
    QColor card;
    QColor raised;
    QColor line;
    QColor text;
    QColor secondary;
    QColor faint; ///< only for what may be missed
    QColor open;
    QColor degraded;
    QColor probing; ///< HALF_OPEN, focus and the primary action
    QColor operatorAct;
};

/// What a coloured mark, word, border or span says. Normal has no colour of its own: grey is good.
enum class Tone : std::uint8_t { Normal, Open, Degraded, Probing, Operator, Focus };

[[nodiscard]] const Colours &coloursOf(Theme theme);
/// The column whose ground is this palette's window; by its lightness where it is none of ours.
[[nodiscard]] const Colours &coloursOf(const QPalette &palette);
[[nodiscard]] const Colours &coloursOf(const QWidget &widget);
[[nodiscard]] Theme themeOf(const QPalette &palette);

/// The tone's colour; the secondary grey for Normal.
[[nodiscard]] QColor toneColour(const Colours &colours, Tone tone);

/// The whole palette of a theme, for QApplication or one window.
[[nodiscard]] QPalette paletteOf(Theme theme);

/// What the platform wears, read off its own palette before ours is set: Qt 6.4 does not tell. High contrast when
/// it is pure white on pure black.
[[nodiscard]] Theme systemTheme(const QPalette &platform);

/// WCAG 2.1 contrast ratio, 1 to 21. Both colours are taken as opaque.
[[nodiscard]] double contrastRatio(const QColor &one, const QColor &other);

/// `share` 0 gives `from`, 1 gives `to`; between, the mixture. Clamped.
[[nodiscard]] QColor mixed(const QColor &from, const QColor &to, double share);

} // namespace handreset::views

// Untrusted text on the screen: what agents, models and tools wrote is shown letter by letter, never interpreted.
// Pure functions of text; GUI thread where fonts are measured.
#pragma once

#include <QString>
#include <QStringList>

class QFontMetricsF;

namespace handreset::views {

/// The longest text that is shown at all, in UTF-16 units; more is cut out of the middle.
constexpr qsizetype kLongestShown = 4'000;
/// The longest line of a tooltip and the most lines, so that a tooltip never fills the screen.
constexpr qsizetype kTooltipLine = 96;
constexpr qsizetype kTooltipLines = 24;

/// `untrusted` with everything that has no ink of its own made visible: controls as their pictures (U+0007 → ␇,
/// line feed → ␊), bidirectional and other format characters, separators, every space but U+0020, unpaired
/// surrogates, unassigned code points, marks on nothing and the fifth mark on one character as ⟨U+202E⟩. At most about
/// `longest` units: of a longer text the head and the tail, with "… 1,048,576 characters …" between. Safe to give
/// twice: nothing visible changes.
[[nodiscard]] QString visibleText(const QString &untrusted, qsizetype longest = kLongestShown);

/// `text` cut in the middle until it fits `width` device-independent pixels.
[[nodiscard]] QString elidedMiddle(const QString &text, const QFontMetricsF &metrics, double width);

/// A tooltip that shows exactly these lines, each made visible: Qt takes a tooltip for rich text by its look, so it
/// is always given escaped rich text. Empty for no or only empty lines.
[[nodiscard]] QString plainTooltip(const QStringList &untrustedLines);
[[nodiscard]] QString plainTooltip(const QString &untrusted);

} // namespace handreset::views

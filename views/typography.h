// The desk's type: one text face and one face of fixed width for numbers, at four sizes. Pure values; GUI thread.
#pragma once

#include <QFont>
#include <QStringList>

namespace handreset::views {

/// In device-independent pixels; Qt scales them with the screen.
enum class TextSize : int { Title = 20, Text = 13, Secondary = 12, Caption = 11 };

/// Words. Inter, or DejaVu Sans where it is not installed.
[[nodiscard]] inline QFont textFont(TextSize size = TextSize::Text, QFont::Weight weight = QFont::Normal)
{
    QFont font;
    font.setFamilies({QStringLiteral("Inter"), QStringLiteral("DejaVu Sans")});
    font.setStyleHint(QFont::SansSerif);
    font.setPixelSize(static_cast<int>(size));
    font.setWeight(weight);
    return font;
}

/// Numbers, times, arguments: every digit has one width, so that columns stand still while values change. The
/// variant without ligatures first, since "!=" of an agent must not be drawn as another sign.
[[nodiscard]] inline QFont numberFont(TextSize size = TextSize::Text, QFont::Weight weight = QFont::Normal)
{
    QFont font;
    font.setFamilies({QStringLiteral("JetBrains Mono NL"), QStringLiteral("JetBrains Mono"),
                      QStringLiteral("DejaVu Sans Mono")});
    font.setStyleHint(QFont::Monospace);
    font.setFixedPitch(true);
    font.setPixelSize(static_cast<int>(size));
    font.setWeight(weight);
    return font;
}

/// Spacing goes in steps of four.
constexpr int kStep = 4;
constexpr int kGap = 16;     ///< between cards, and a card's padding
constexpr int kRadius = 8;   ///< a card's corners
constexpr int kSmallRadius = 6;

} // namespace handreset::views

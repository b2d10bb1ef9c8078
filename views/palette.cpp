#include "views/palette.h"

#include <algorithm>
#include <cmath>

#include <QWidget>

namespace handreset::views {

namespace {

/// The table. Order of the columns: dark, light, high contrast.
const Colours kDark{
    .ground = QColor(0x15181c),
    .rail = QColor(0x101317),
    .card = QColor(0x1c2025),
    .raised = QColor(0x242930),
    .line = QColor(0x333a43),
    .text = QColor(0xd9dee4),
    .secondary = QColor(0x8d97a3),
    .faint = QColor(0x5b6571),
    .open = QColor(0xee6c46),
    .degraded = QColor(0xe0a030),
    .probing = QColor(0x4fa3e0),
    .operatorAct = QColor(0xb48ae0),
};
const Colours kLight{
    .ground = QColor(0xf3f4f6),
    .rail = QColor(0xe9ebee),
    .card = QColor(0xffffff),
    .raised = QColor(0xf7f8f9),
    .line = QColor(0xd3d8de),
    .text = QColor(0x1b2129),
    .secondary = QColor(0x5c6672),
    .faint = QColor(0x97a1ac),
    .open = QColor(0xb83710),
    .degraded = QColor(0x8a5c00),
    .probing = QColor(0x0b66b0),
    .operatorAct = QColor(0x7b46b8),
};
const Colours kHighContrast{
    .ground = QColor(0x000000U),
    .rail = QColor(0x000000U),
    .card = QColor(0x000000U),
    .raised = QColor(0x1a1a1a),
    .line = QColor(0xb0b0b0),
    .text = QColor(0xffffff),
    .secondary = QColor(0xe2e2e2),
    .faint = QColor(0xb4b4b4),
    .open = QColor(0xff8566),
    .degraded = QColor(0xffc640),
    .probing = QColor(0x73c6ff),
    .operatorAct = QColor(0xd9b3ff),
};

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &colour)
{
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

} // namespace

const Colours &coloursOf(Theme theme)
{
    switch (theme) {
    case Theme::Dark:
        return kDark;
    case Theme::Light:
        return kLight;
    case Theme::HighContrast:
        break;
    }
    return kHighContrast;
}

Theme themeOf(const QPalette &palette)
{
    const QColor ground = palette.color(QPalette::Window);
    for (const Theme theme : {Theme::Dark, Theme::Light, Theme::HighContrast}) {
        if (coloursOf(theme).ground.rgb() == ground.rgb())
            return theme;
    }
    return ground.lightnessF() < palette.color(QPalette::WindowText).lightnessF() ? Theme::Dark : Theme::Light;
}

const Colours &coloursOf(const QPalette &palette)
{
    return coloursOf(themeOf(palette));
}

const Colours &coloursOf(const QWidget &widget)
{
    return coloursOf(widget.palette());
}

QColor toneColour(const Colours &colours, Tone tone)
{
    switch (tone) {
    case Tone::Normal:
        return colours.secondary;
    case Tone::Open:
        return colours.open;
    case Tone::Degraded:
        return colours.degraded;
    case Tone::Probing:
    case Tone::Focus:
        return colours.probing;
    case Tone::Operator:
        return colours.operatorAct;
    }
    return colours.secondary;
}

QPalette paletteOf(Theme theme)
{
    const Colours &c = coloursOf(theme);
    QPalette palette;
    palette.setColor(QPalette::Window, c.ground);
    palette.setColor(QPalette::WindowText, c.text);
    palette.setColor(QPalette::Base, c.card);
    palette.setColor(QPalette::AlternateBase, c.raised);
    palette.setColor(QPalette::Text, c.text);
    palette.setColor(QPalette::Button, c.raised);
    palette.setColor(QPalette::ButtonText, c.text);
    palette.setColor(QPalette::BrightText, c.open);
    palette.setColor(QPalette::Light, c.raised);
    palette.setColor(QPalette::Midlight, mixed(c.raised, c.line, 0.5));
    palette.setColor(QPalette::Mid, c.line);
    palette.setColor(QPalette::Dark, c.line);
    palette.setColor(QPalette::Shadow, c.rail);
    // A selection is a wash of the focus colour, so that the colours of states keep their meaning upon it.
    palette.setColor(QPalette::Highlight, mixed(c.card, c.probing, theme == Theme::HighContrast ? 0.45 : 0.22));
    palette.setColor(QPalette::HighlightedText, c.text);
    palette.setColor(QPalette::Link, c.probing);
    palette.setColor(QPalette::LinkVisited, c.operatorAct);
    palette.setColor(QPalette::ToolTipBase, c.raised);
    palette.setColor(QPalette::ToolTipText, c.text);
    palette.setColor(QPalette::PlaceholderText, mixed(c.faint, c.secondary, 0.5));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, c.faint);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, c.raised);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, c.faint);
    return palette;
}

Theme systemTheme(const QPalette &platform)
{
    const QColor window = platform.color(QPalette::Window);
    const QColor text = platform.color(QPalette::WindowText);
    if (window.rgb() == QColor(Qt::black).rgb() && text.rgb() == QColor(Qt::white).rgb())
        return Theme::HighContrast;
    return window.lightnessF() < text.lightnessF() ? Theme::Dark : Theme::Light;
}

double contrastRatio(const QColor &one, const QColor &other)
{
    const double a = luminance(one);
    const double b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor mixed(const QColor &from, const QColor &to, double share)
{
    const double s = std::clamp(share, 0.0, 1.0);
    const auto channel = [s](double a, double b) { return static_cast<float>(a + (b - a) * s); };
    return QColor::fromRgbF(channel(from.redF(), to.redF()), channel(from.greenF(), to.greenF()),
                            channel(from.blueF(), to.blueF()), channel(from.alphaF(), to.alphaF()));
}

} // namespace handreset::views

// How the standard widgets look at the desk: Fusion with our own buttons, fields, tables and bars, all from the
// palette's tokens. GUI thread; QApplication owns the style it is given.
#pragma once

#include "views/palette.h"

#include <cstdint>

#include <QProxyStyle>

class QAbstractButton;
class QApplication;

namespace handreset::views {

/// What a push button is for.
enum class ButtonRole : std::uint8_t {
    Plain,
    Primary, ///< outlined in the focus colour
    Stop,    ///< outlined in the open colour
};

/// The role is kept in the button itself, where the style finds it.
void setButtonRole(QAbstractButton &button, ButtonRole role);
[[nodiscard]] ButtonRole buttonRole(const QObject *button);

class DeskStyle : public QProxyStyle {
    Q_OBJECT

public:
    DeskStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override;
    [[nodiscard]] QRect subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const override;
    [[nodiscard]] QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                                       const QWidget *widget) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                                QStyleHintReturn *returned) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                         const QWidget *widget) const override;
    using QProxyStyle::polish;
    void polish(QWidget *widget) override;
};

/// Gives the whole program our style, the theme's palette and the text face. May be called again to change theme.
void applyTheme(QApplication &application, Theme theme);

} // namespace handreset::views

#include "views/desk_style.h"

#include "views/typography.h"

#include <algorithm>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QPainter>
#include <QPainterPath>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolTip>

namespace handreset::views {

namespace {

constexpr int kFieldPadding = 6;
constexpr const char *kRoleProperty = "handresetButtonRole";

/// A rounded box whose border of `width` lies wholly inside `rect`.
void drawBox(QPainter &painter, const QRect &rect, const QColor &fill, const QColor &border, double width = 1)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(width > 0 ? QPen(border, width) : QPen(Qt::NoPen));
    painter.setBrush(fill);
    const double in = width / 2;
    painter.drawRoundedRect(QRectF(rect).adjusted(in, in, -in, -in), kSmallRadius, kSmallRadius);
    painter.restore();
}

QColor buttonBorder(const Colours &colours, const QStyleOption &option, const QWidget *widget)
{
    if (!(option.state & QStyle::State_Enabled))
        return colours.line;
    if (option.state & (QStyle::State_HasFocus | QStyle::State_On))
        return buttonRole(widget) == ButtonRole::Stop ? colours.open : colours.probing;
    switch (buttonRole(widget)) {
    case ButtonRole::Primary:
        return colours.probing;
    case ButtonRole::Stop:
        return colours.open;
    case ButtonRole::Plain:
        break;
    }
    return colours.line;
}

void drawButtonPanel(const QStyleOption &option, QPainter &painter, const QWidget *widget)
{
    const Colours &colours = coloursOf(option.palette);
    QColor fill = colours.raised;
    if (option.state & QStyle::State_Sunken)
        fill = mixed(colours.raised, colours.line, 0.8);
    else if ((option.state & QStyle::State_On) && (option.state & QStyle::State_Enabled))
        fill = mixed(colours.raised, colours.probing, 0.3); // chosen: not to be taken for the one with the focus
    else if ((option.state & QStyle::State_MouseOver) && (option.state & QStyle::State_Enabled))
        fill = mixed(colours.raised, colours.line, 0.4);
    const bool focused = option.state & QStyle::State_HasFocus;
    drawBox(painter, option.rect, fill, buttonBorder(colours, option, widget), focused ? 2 : 1.2);
}

void drawFieldPanel(const QStyleOption &option, QPainter &painter)
{
    const Colours &colours = coloursOf(option.palette);
    const bool focused = option.state & QStyle::State_HasFocus;
    drawBox(painter, option.rect, colours.raised, focused ? colours.probing : colours.line, focused ? 2 : 1);
}

void drawTick(QPainter &painter, const QRectF &box, const QColor &ink)
{
    painter.setPen(QPen(ink, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(QPolygonF({box.topLeft() + QPointF(box.width() * 0.24, box.height() * 0.52),
                                    box.topLeft() + QPointF(box.width() * 0.43, box.height() * 0.71),
                                    box.topLeft() + QPointF(box.width() * 0.77, box.height() * 0.3)}));
}

void drawIndicator(const QStyleOption &option, QPainter &painter, bool round)
{
    const Colours &colours = coloursOf(option.palette);
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool on = option.state & (QStyle::State_On | QStyle::State_NoChange);
    const bool strong = enabled && (on || (option.state & QStyle::State_HasFocus));
    const QColor border = strong ? colours.probing : mixed(colours.line, colours.secondary, 0.6);
    const QRectF box = QRectF(option.rect).adjusted(0.75, 0.75, -0.75, -0.75);
    const QColor ink = enabled ? colours.text : colours.faint;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(border, 1.5));
    painter.setBrush(colours.card);
    round ? painter.drawEllipse(box) : painter.drawRoundedRect(box, 4, 4);
    if (option.state & QStyle::State_NoChange) {
        painter.setPen(QPen(ink, 2));
        painter.drawLine(QPointF(box.left() + 4, box.center().y()), QPointF(box.right() - 4, box.center().y()));
    } else if (on && round) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.probing);
        painter.drawEllipse(box.center(), box.width() / 4, box.width() / 4);
    } else if (on) {
        drawTick(painter, box, ink);
    }
    painter.restore();
}

void drawChevron(QPainter &painter, const QRectF &box, const QColor &ink, bool up = false)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ink, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF c = box.center();
    const double tip = up ? -2 : 2;
    painter.drawPolyline(QPolygonF({c + QPointF(-4, -tip), c + QPointF(0, tip), c + QPointF(4, -tip)}));
    painter.restore();
}

void drawHeaderSection(const QStyleOption &option, QPainter &painter)
{
    const Colours &colours = coloursOf(option.palette);
    painter.fillRect(option.rect, colours.ground); // the rows below are cards of their own
}

void drawScrollBar(const QProxyStyle &style, const QStyleOptionSlider &option, QPainter &painter, const QWidget *widget)
{
    const Colours &colours = coloursOf(option.palette);
    const QRect handle = style.subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarSlider, widget);
    const bool strong = option.state & (QStyle::State_MouseOver | QStyle::State_Sunken);
    const bool vertical = option.orientation == Qt::Vertical;
    const QRectF bar = QRectF(handle).adjusted(vertical ? 3 : 1, vertical ? 1 : 3, vertical ? -3 : -1, vertical ? -1 : -3);
    const double radius = std::min(bar.width(), bar.height()) / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(strong ? colours.secondary : mixed(colours.line, colours.faint, 0.6));
    if (option.maximum > option.minimum)
        painter.drawRoundedRect(bar, radius, radius);
    painter.restore();
}

} // namespace

void setButtonRole(QAbstractButton &button, ButtonRole role)
{
    button.setProperty(kRoleProperty, static_cast<int>(role));
    button.update();
}

ButtonRole buttonRole(const QObject *button)
{
    const int role = button == nullptr ? 0 : button->property(kRoleProperty).toInt();
    return role >= 0 && role <= static_cast<int>(ButtonRole::Stop) ? static_cast<ButtonRole>(role) : ButtonRole::Plain;
}

DeskStyle::DeskStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
    setObjectName(QStringLiteral("handreset"));
}

void DeskStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                              const QWidget *widget) const
{
    switch (element) {
    case PE_PanelButtonCommand:
    case PE_PanelButtonTool:
        if (element == PE_PanelButtonTool && (option->state & State_AutoRaise)
            && !(option->state & (State_MouseOver | State_On | State_Sunken | State_HasFocus)))
            return;
        drawButtonPanel(*option, *painter, widget);
        return;
    case PE_PanelLineEdit:
        // A field inside a spin box or a combo box stands on that one's panel.
        if (widget == nullptr
            || (qobject_cast<const QAbstractSpinBox *>(widget->parentWidget()) == nullptr
                && qobject_cast<const QComboBox *>(widget->parentWidget()) == nullptr))
            drawFieldPanel(*option, *painter);
        return;
    case PE_FrameLineEdit:
    case PE_FrameFocusRect: // panels show the focus by their border
        return;
    case PE_Frame: {
        const Colours &colours = coloursOf(option->palette);
        const bool focused = option->state & State_HasFocus;
        drawBox(*painter, option->rect, Qt::transparent, focused ? colours.probing : colours.line, focused ? 2 : 1);
        return;
    }
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawIndicator(*option, *painter, false);
        return;
    case PE_IndicatorRadioButton:
        drawIndicator(*option, *painter, true);
        return;
    case PE_PanelTipLabel: {
        const Colours &colours = coloursOf(option->palette);
        painter->fillRect(option->rect, colours.raised);
        painter->setPen(colours.line);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    }
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void DeskStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                            const QWidget *widget) const
{
    if (element == CE_HeaderSection || element == CE_HeaderEmptyArea) {
        drawHeaderSection(*option, *painter);
        return;
    }
    if (element == CE_PushButtonLabel) {
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
            QStyleOptionButton copy(*button);
            if ((option->state & State_Enabled) && buttonRole(widget) == ButtonRole::Stop)
                copy.palette.setColor(QPalette::ButtonText, coloursOf(option->palette).open);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
    }
    if (element == CE_HeaderLabel) {
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            QStyleOptionHeader copy(*header);
            copy.palette.setColor(QPalette::ButtonText, coloursOf(option->palette).secondary);
            copy.rect.adjust(kStep + 3, 0, -kStep, 0);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void DeskStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                                   const QWidget *widget) const
{
    if (control == CC_ScrollBar) {
        if (const auto *slider = qstyleoption_cast<const QStyleOptionSlider *>(option)) {
            drawScrollBar(*this, *slider, *painter, widget);
            return;
        }
    }
    if (control == CC_ComboBox) {
        drawFieldPanel(*option, *painter);
        const QRect arrow = subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
        const Colours &colours = coloursOf(option->palette);
        drawChevron(*painter, arrow, option->state & State_Enabled ? colours.secondary : colours.faint);
        return;
    }
    if (control == CC_SpinBox) {
        drawFieldPanel(*option, *painter);
        const Colours &colours = coloursOf(option->palette);
        const QColor ink = option->state & State_Enabled ? colours.secondary : colours.faint;
        drawChevron(*painter, subControlRect(CC_SpinBox, option, SC_SpinBoxUp, widget), ink, true);
        drawChevron(*painter, subControlRect(CC_SpinBox, option, SC_SpinBoxDown, widget), ink);
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect DeskStyle::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    const QRect given = QProxyStyle::subElementRect(element, option, widget);
    const bool ownPanel = widget != nullptr && qobject_cast<const QAbstractSpinBox *>(widget->parentWidget()) == nullptr
        && qobject_cast<const QComboBox *>(widget->parentWidget()) == nullptr;
    return element == SE_LineEditContents && ownPanel ? given.adjusted(kFieldPadding, 0, -kFieldPadding, 0) : given;
}

QRect DeskStyle::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                                const QWidget *widget) const
{
    const QRect given = QProxyStyle::subControlRect(control, option, part, widget);
    if (control == CC_ComboBox && part == SC_ComboBoxEditField)
        return given.adjusted(kFieldPadding, 0, 0, 0);
    if (control == CC_SpinBox && part == SC_SpinBoxEditField)
        return given.adjusted(kFieldPadding, 0, 0, 0);
    return given;
}

int DeskStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_ScrollBarExtent:
        return 12;
    case PM_ButtonMargin:
        return 2 * kStep;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 18;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return 2 * kStep;
    case PM_DefaultFrameWidth:
        return 1;
    case PM_FocusFrameHMargin: // the margin of an item view's cells
        return 2 * kStep;
    case PM_SplitterWidth:
        return kGap;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int DeskStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                         QStyleHintReturn *returned) const
{
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ComboBox_Popup:
        return 0;
    case SH_ScrollBar_LeftClickAbsolutePosition:
        return 1;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returned);
    }
}

QSize DeskStyle::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                  const QWidget *widget) const
{
    const QSize given = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_PushButton:
        return {std::max(given.width() + 2 * kStep, 64), std::max(given.height(), 32)};
    case CT_LineEdit:
    case CT_ComboBox:
    case CT_SpinBox:
        return {given.width() + 2 * kFieldPadding, std::max(given.height(), 32)};
    case CT_HeaderSection:
        return {given.width(), std::max(given.height(), 28)};
    case CT_MenuItem:
        return {given.width(), std::max(given.height(), 28)};
    default:
        return given;
    }
}

void DeskStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton *>(widget) != nullptr || qobject_cast<QComboBox *>(widget) != nullptr)
        widget->setAttribute(Qt::WA_Hover);
    if (auto *header = qobject_cast<QHeaderView *>(widget)) {
        header->setFont(textFont(TextSize::Caption, QFont::DemiBold));
        if (header->defaultAlignment() == Qt::AlignCenter) // Qt's own default; a page's choice stays
            header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    }
}

void applyTheme(QApplication &application, Theme theme)
{
    if (qobject_cast<DeskStyle *>(QApplication::style()) == nullptr)
        QApplication::setStyle(new DeskStyle);
    QApplication::setPalette(paletteOf(theme));
    // Before the event loop runs, Qt does not tell windows that already stand.
    for (QWidget *window : QApplication::topLevelWidgets())
        window->setPalette(paletteOf(theme));
    QToolTip::setPalette(paletteOf(theme));
    application.setFont(textFont());
    QToolTip::setFont(textFont(TextSize::Secondary));
}

} // namespace handreset::views

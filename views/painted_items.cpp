#include "views/painted_items.h"

#include "views/painted_items_accessible.h"
#include "views/palette.h"
#include "views/plain_text.h"

#include <algorithm>
#include <cmath>

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace handreset::views {

PaintedItems::PaintedItems(QWidget *parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    installPaintedItemsAccessibility();
}

int PaintedItems::itemAt(const QPointF &point) const
{
    for (int item = itemCount() - 1; item >= 0; --item) {
        if (itemRect(item).contains(point))
            return item;
    }
    return -1;
}

void PaintedItems::setFocusedItem(int item)
{
    const int bounded = item >= 0 && item < itemCount() ? item : -1;
    if (bounded == m_focused)
        return;
    m_focused = bounded;
    update();
    if (bounded < 0)
        return;
    if (QAccessible::isActive()) {
        QAccessibleEvent told(this, QAccessible::Focus);
        told.setChild(bounded);
        QAccessible::updateAccessibility(&told);
    }
    Q_EMIT itemFocused(bounded);
}

void PaintedItems::activate(int item)
{
    if (item >= 0 && item < itemCount() && isEnabled() && isItemActivatable(item))
        itemActivated(item);
}

void PaintedItems::itemsChanged()
{
    itemsChanged(std::min(m_focused, itemCount() - 1));
}

void PaintedItems::itemsChanged(int focused)
{
    m_hovered = -1;
    m_pressed = -1;
    setFocusedItem(focused);
    if (QAccessible::isActive()) {
        QAccessibleEvent told(this, QAccessible::ObjectReorder);
        QAccessible::updateAccessibility(&told);
    }
    update();
}

void PaintedItems::paintFocusRing(QPainter &painter, const QRectF &box, double radius, bool thin) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(coloursOf(*this).probing, thin ? 1 : 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, radius, radius);
    painter.restore();
}

bool PaintedItems::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int item = itemAt(help->pos());
    const QString tip = item < 0 ? QString() : plainTooltip(itemDetails(item));
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), tip, this, itemRect(item).toAlignedRect());
    return true;
}

bool PaintedItems::focusNextPrevChild(bool next)
{
    const int wanted = m_focused + (next ? 1 : -1);
    if (hasFocus() && m_focused >= 0 && wanted >= 0 && wanted < itemCount()) {
        setFocusedItem(wanted);
        return true;
    }
    return QWidget::focusNextPrevChild(next);
}

/// The nearest item in the arrow's direction; distance across it counts double.
int PaintedItems::neighbour(int key) const
{
    const QPointF from = itemRect(m_focused).center();
    int best = m_focused;
    double nearest = 1e9;
    for (int item = 0; item < itemCount(); ++item) {
        const QPointF way = itemRect(item).center() - from;
        const bool vertical = key == Qt::Key_Up || key == Qt::Key_Down;
        const double sign = key == Qt::Key_Up || key == Qt::Key_Left ? -1 : 1;
        const double along = sign * (vertical ? way.y() : way.x());
        const double across = std::abs(vertical ? way.x() : way.y());
        if (item == m_focused || along <= 1)
            continue;
        if (along + 2 * across < nearest) {
            nearest = along + 2 * across;
            best = item;
        }
    }
    return best;
}

void PaintedItems::keyPressEvent(QKeyEvent *event)
{
    if (itemCount() == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        setFocusedItem(m_focused < 0 ? 0 : neighbour(event->key()));
        return;
    case Qt::Key_Home:
        setFocusedItem(0);
        return;
    case Qt::Key_End:
        setFocusedItem(itemCount() - 1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_focused >= 0 && isItemActivatable(m_focused)) {
            if (!event->isAutoRepeat())
                activate(m_focused);
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void PaintedItems::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    if (event->reason() == Qt::BacktabFocusReason)
        setFocusedItem(itemCount() - 1);
    else if (event->reason() == Qt::TabFocusReason || (m_focused < 0 && event->reason() != Qt::MouseFocusReason))
        setFocusedItem(firstItem());
    update();
}

void PaintedItems::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

void PaintedItems::setHovered(int item)
{
    if (item == m_hovered)
        return;
    m_hovered = item;
    setCursor(item >= 0 && isItemActivatable(item) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void PaintedItems::mouseMoveEvent(QMouseEvent *event)
{
    setHovered(itemAt(event->position()));
}

void PaintedItems::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = itemAt(event->position());
    if (m_pressed >= 0)
        setFocusedItem(m_pressed);
}

void PaintedItems::mouseReleaseEvent(QMouseEvent *event)
{
    const int released = itemAt(event->position());
    if (event->button() == Qt::LeftButton && released >= 0 && released == m_pressed)
        activate(released);
    m_pressed = -1;
}

void PaintedItems::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    setHovered(-1);
}

} // namespace handreset::views

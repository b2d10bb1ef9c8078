#include "views/mark_label.h"

#include <QPainter>

namespace handreset::views {

MarkLabel::MarkLabel(Mark mark, int side, QWidget *parent)
    : QWidget(parent)
    , m_mark(mark)
    , m_side(side)
{
    setFixedSize(side, side);
    setAccessibleName(markWord(mark));
}

void MarkLabel::setMark(Mark mark)
{
    if (mark == m_mark)
        return;
    m_mark = mark;
    setAccessibleName(markWord(mark));
    update();
}

void MarkLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintMark(painter, rect(), m_mark, coloursOf(*this));
}

OrderLabel::OrderLabel(int order, int side, QWidget *parent)
    : QWidget(parent)
    , m_side(side)
{
    setFixedSize(side, side);
    setOrder(order);
}

void OrderLabel::setOrder(int order)
{
    m_order = order;
    setAccessibleName(order > 0 ? tr("trip number %1").arg(order) : QString());
    update();
}

void OrderLabel::setStrong(bool strong)
{
    m_strong = strong;
    update();
}

void OrderLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Colours &colours = coloursOf(*this);
    paintOrder(painter, rect(), m_order, m_strong ? colours.text : colours.secondary);
}

} // namespace handreset::views

#include "views/marks.h"

#include "views/typography.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

namespace handreset::views {

namespace {

QRectF squareIn(const QRectF &box)
{
    const double side = std::min(box.width(), box.height());
    return {box.center().x() - side / 2, box.center().y() - side / 2, side, side};
}

double strokeFor(double side)
{
    return std::max(1.4, side / 9);
}

void paintRing(QPainter &painter, const QRectF &square, const QColor &ink)
{
    const double stroke = strokeFor(square.width());
    const double in = stroke / 2 + square.width() * 0.03;
    painter.setPen(QPen(ink, stroke));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(square.adjusted(in, in, -in, -in));
}

void paintDisc(QPainter &painter, const QRectF &square, const QColor &ink)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawEllipse(square);
}

void paintDegraded(QPainter &painter, const QRectF &square, const QColor &ink)
{
    paintRing(painter, square, ink);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    const double in = square.width() * 0.03;
    painter.drawPie(square.adjusted(in, in, -in, -in), 90 * 16, 180 * 16);
}

void paintOpen(QPainter &painter, const QRectF &square, const QColor &ink, const QColor &ground)
{
    paintDisc(painter, square, ink);
    const double width = square.width() * 0.54;
    const double height = std::max(1.8, square.width() * 0.15);
    const QRectF bar(square.center().x() - width / 2, square.center().y() - height / 2, width, height);
    painter.setBrush(ground);
    painter.drawRoundedRect(bar, height / 3, height / 3);
}

void paintHalfOpen(QPainter &painter, const QRectF &square, const QColor &ink)
{
    const double stroke = strokeFor(square.width());
    const double in = stroke / 2 + square.width() * 0.03;
    QPen pen(ink, stroke);
    // Eight dashes around, whatever the size: a pattern counts in pen widths.
    const double around = 3.14159 * (square.width() - 2 * in) / stroke;
    pen.setDashPattern({around / 8 * 0.58, around / 8 * 0.42});
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(square.adjusted(in, in, -in, -in));
    const double dot = square.width() * 0.17;
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawEllipse(square.center(), dot, dot);
}

void paintIsolated(QPainter &painter, const QRectF &square, const QColor &ink, const QColor &ground)
{
    paintDisc(painter, square, ink);
    const double side = square.width() * 0.64;
    paintPadlock(painter, {square.center().x() - side / 2, square.center().y() - side * 0.54, side, side}, ground);
}

void paintNoData(QPainter &painter, const QRectF &square, const QColor &ink)
{
    const double stroke = strokeFor(square.width()) * 0.8;
    const double in = stroke / 2 + square.width() * 0.06;
    painter.setPen(QPen(ink, stroke));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(square.adjusted(in, in, -in, -in), square.width() * 0.12, square.width() * 0.12);
    QFont font = textFont(TextSize::Caption, QFont::Bold);
    font.setPixelSize(std::max(7, static_cast<int>(square.width() * 0.68)));
    painter.setFont(font);
    painter.drawText(square, Qt::AlignCenter, QStringLiteral("?"));
}

} // namespace

Mark markOf(rules::Rung rung)
{
    switch (rung) {
    case rules::Rung::Closed:
        return Mark::Closed;
    case rules::Rung::Degraded:
        return Mark::Degraded;
    case rules::Rung::Open:
        return Mark::Open;
    }
    return Mark::NoData;
}

Mark markOf(rules::BreakerState state, bool isolated)
{
    switch (state) {
    case rules::BreakerState::Closed:
        return Mark::Closed;
    case rules::BreakerState::HalfOpen:
        return Mark::HalfOpen;
    case rules::BreakerState::Open:
        return isolated ? Mark::Isolated : Mark::Open;
    }
    return Mark::NoData;
}

Tone toneOf(Mark mark)
{
    switch (mark) {
    case Mark::Degraded:
        return Tone::Degraded;
    case Mark::Open:
    case Mark::Isolated:
        return Tone::Open;
    case Mark::HalfOpen:
        return Tone::Probing;
    case Mark::Closed:
    case Mark::NoData:
        break;
    }
    return Tone::Normal;
}

QString markWord(Mark mark)
{
    switch (mark) {
    case Mark::Closed:
        return QCoreApplication::translate("Marks", "closed");
    case Mark::Degraded:
        return QCoreApplication::translate("Marks", "degraded");
    case Mark::Open:
        return QCoreApplication::translate("Marks", "open");
    case Mark::HalfOpen:
        return QCoreApplication::translate("Marks", "half open");
    case Mark::Isolated:
        return QCoreApplication::translate("Marks", "isolated");
    case Mark::NoData:
        break;
    }
    return QCoreApplication::translate("Marks", "no data");
}

void paintMark(QPainter &painter, const QRectF &box, Mark mark, const Colours &colours)
{
    paintMark(painter, box, mark, toneColour(colours, toneOf(mark)), colours.card);
}

void paintMark(QPainter &painter, const QRectF &box, Mark mark, const QColor &ink, const QColor &ground)
{
    const QRectF square = squareIn(box);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    switch (mark) {
    case Mark::Closed:
        paintRing(painter, square, ink);
        break;
    case Mark::Degraded:
        paintDegraded(painter, square, ink);
        break;
    case Mark::Open:
        paintOpen(painter, square, ink, ground);
        break;
    case Mark::HalfOpen:
        paintHalfOpen(painter, square, ink);
        break;
    case Mark::Isolated:
        paintIsolated(painter, square, ink, ground);
        break;
    case Mark::NoData:
        paintNoData(painter, square, ink);
        break;
    }
    painter.restore();
}

void paintStaleHatch(QPainter &painter, const QRectF &box, double radius, const Colours &colours)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath outline;
    outline.addRoundedRect(box, radius, radius);
    painter.setClipPath(outline, Qt::IntersectClip);
    // Where lines are strong (high contrast), a hatch as strong would be in the way of the words upon it.
    const bool strongLines = contrastRatio(colours.line, colours.card) > 3;
    painter.setPen(QPen(strongLines ? mixed(colours.card, colours.line, 0.4) : colours.line, 1));
    // Slants of 45 degrees that start on a grid of the widget, so that neighbours' hatches meet.
    const double step = 7;
    const double first = std::floor((box.left() - box.height()) / step) * step;
    for (double x = first; x < box.right(); x += step)
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    painter.restore();
}

void paintOrder(QPainter &painter, const QRectF &box, int order, const QColor &ink)
{
    if (order <= 0)
        return;
    const QRectF square = squareIn(box);
    const QString text = order > 99 ? QStringLiteral("99+") : QString::number(order);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double stroke = std::max(1.1, square.width() / 14);
    painter.setPen(QPen(ink, stroke));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(square.adjusted(stroke / 2, stroke / 2, -stroke / 2, -stroke / 2));
    QFont font = textFont(TextSize::Caption, QFont::DemiBold);
    const double shares[] = {0.66, 0.54, 0.38};
    font.setPixelSize(std::max(6, static_cast<int>(square.width() * shares[text.size() - 1])));
    painter.setFont(font);
    painter.drawText(square, Qt::AlignCenter, text);
    painter.restore();
}

void paintPadlock(QPainter &painter, const QRectF &box, const QColor &ink)
{
    const QRectF square = squareIn(box);
    const double side = square.width();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawRoundedRect(QRectF(square.left() + side * 0.14, square.top() + side * 0.46, side * 0.72, side * 0.5),
                            side * 0.08, side * 0.08);
    painter.setPen(QPen(ink, side * 0.15, Qt::SolidLine, Qt::FlatCap));
    painter.setBrush(Qt::NoBrush);
    QPainterPath shackle;
    shackle.moveTo(square.left() + side * 0.3, square.top() + side * 0.5);
    shackle.lineTo(square.left() + side * 0.3, square.top() + side * 0.3);
    shackle.arcTo(QRectF(square.left() + side * 0.3, square.top() + side * 0.1, side * 0.4, side * 0.4), 180, -180);
    shackle.lineTo(square.left() + side * 0.7, square.top() + side * 0.5);
    painter.drawPath(shackle);
    painter.restore();
}

QPixmap markPixmap(Mark mark, int side, const Colours &colours, double devicePixelRatio)
{
    QPixmap pixmap(QSize(side, side) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintMark(painter, QRectF(0, 0, side, side), mark, colours);
    return pixmap;
}

} // namespace handreset::views

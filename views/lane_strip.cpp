#include "views/lane_strip.h"

#include "views/marks.h"
#include "views/plain_text.h"
#include "views/typography.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

namespace handreset::views {

namespace {

constexpr double kBar = 12;
constexpr double kMarker = 16;
constexpr double kAxis = 18;
constexpr double kTicks = 11;
constexpr double kRight = 14;

} // namespace

std::vector<AxisMark> relativeAxis(qint64 fromMs, qint64 toMs, const QString &end)
{
    std::vector<AxisMark> marks;
    const qint64 span = toMs - fromMs;
    if (span <= 0)
        return marks;
    constexpr qint64 second = 1'000;
    constexpr qint64 minute = 60 * second;
    qint64 step = 24 * 60 * minute;
    for (const qint64 each : {10 * second, 30 * second, minute, 3 * minute, 5 * minute, 15 * minute, 30 * minute,
                              60 * minute, 180 * minute, 360 * minute}) {
        if (span / each <= 6) {
            step = each;
            break;
        }
    }
    for (qint64 back = span / step * step; back > 0; back -= step) {
        const QString text = step < minute ? QCoreApplication::translate("LaneStrip", "-%1 s").arg(back / second)
            : step < 60 * minute           ? QCoreApplication::translate("LaneStrip", "-%1 min").arg(back / minute)
                                           : QCoreApplication::translate("LaneStrip", "-%1 h").arg(back / (60 * minute));
        marks.push_back({toMs - back, text});
    }
    marks.push_back({toMs, end.isEmpty() ? QCoreApplication::translate("LaneStrip", "now") : end});
    return marks;
}

LaneStrip::LaneStrip(QWidget *parent)
    : PaintedItems(parent)
{
    setAccessibleName(tr("Timeline lanes"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LaneStrip::setState(const LaneStripState &state)
{
    if (state == m_state)
        return;
    const double before = neededHeight();
    const int countBefore = itemCount();
    m_state = state;
    arrange();
    if (itemCount() != countBefore)
        itemsChanged();
    if (neededHeight() != before)
        updateGeometry();
    update();
}

double LaneStrip::laneHeight(std::size_t lane) const
{
    const Lane &l = m_state.lanes[lane];
    const double above = l.markers.empty() ? 0 : kMarker + 1;
    const double below = l.ticks.empty() ? 0 : kTicks;
    const double words = l.kind.isEmpty() ? 15 : 28;
    return std::max(above + kBar + below, words) + 8;
}

double LaneStrip::neededHeight() const
{
    double height = kAxis;
    for (std::size_t lane = 0; lane < m_state.lanes.size(); ++lane)
        height += laneHeight(lane);
    return height;
}

QSize LaneStrip::sizeHint() const
{
    return {720, static_cast<int>(std::ceil(neededHeight()))};
}

QSize LaneStrip::minimumSizeHint() const
{
    return {320, static_cast<int>(std::ceil(neededHeight()))};
}

double LaneStrip::xOf(qint64 ms) const
{
    const double span = static_cast<double>(std::max<qint64>(m_state.toMs - m_state.fromMs, 1));
    const double share = std::clamp(static_cast<double>(ms - m_state.fromMs) / span, 0.0, 1.0);
    return m_nameWidth + share * (width() - m_nameWidth - kRight);
}

/// The lane's bar, without name, markers and ticks.
QRectF LaneStrip::laneRect(std::size_t lane) const
{
    double y = 0;
    for (std::size_t i = 0; i < lane; ++i)
        y += laneHeight(i);
    const double above = m_state.lanes[lane].markers.empty() ? 0 : kMarker + 1;
    return {m_nameWidth, y + above + 4, width() - m_nameWidth - kRight, kBar};
}

void LaneStrip::arrange()
{
    m_items.clear();
    const QFontMetricsF metrics(textFont(TextSize::Secondary));
    m_nameWidth = 60;
    for (const Lane &lane : m_state.lanes)
        m_nameWidth = std::max(m_nameWidth, metrics.horizontalAdvance(visibleText(lane.name, 60)) + 16);
    m_nameWidth = std::min(m_nameWidth, std::max(80.0, width() * 0.18));
    for (std::size_t lane = 0; lane < m_state.lanes.size(); ++lane) {
        const QRectF bar = laneRect(lane);
        const Lane &l = m_state.lanes[lane];
        for (std::size_t i = 0; i < l.spans.size(); ++i) {
            const double from = xOf(l.spans[i].fromMs);
            const double to = std::max(xOf(l.spans[i].toMs), from + 2);
            m_items.push_back({lane, false, i, {from, bar.top(), to - from, bar.height()}});
        }
        arrangeMarkers(lane, bar.top() - kMarker - 2);
    }
}

/// In the order of time. Trips of the same moment stand side by side, so that each can be read; at the right edge they
/// give way to the left.
void LaneStrip::arrangeMarkers(std::size_t lane, double top)
{
    const auto &markers = m_state.lanes[lane].markers;
    std::vector<std::size_t> byTime(markers.size());
    std::iota(byTime.begin(), byTime.end(), std::size_t{0});
    std::ranges::stable_sort(byTime, std::ranges::less{}, [&markers](std::size_t i) { return markers[i].atMs; });
    const auto first = m_items.size();
    double free = -1e9;
    for (const std::size_t i : byTime) {
        const double x = std::max(xOf(markers[i].atMs) - kMarker / 2, free);
        free = x + kMarker + 1;
        m_items.push_back({lane, true, i, {x, top, kMarker, kMarker}});
    }
    double most = width() - kMarker - 1;
    for (auto i = m_items.size(); i > first; --i) {
        QRectF &rect = m_items[i - 1].rect;
        rect.moveLeft(std::min(rect.left(), most));
        most = rect.left() - kMarker - 1;
    }
}

QRectF LaneStrip::itemRect(int item) const
{
    return item >= 0 && item < itemCount() ? m_items[static_cast<std::size_t>(item)].rect : QRectF();
}

QString LaneStrip::itemName(int item) const
{
    const Item &it = m_items[static_cast<std::size_t>(item)];
    const Lane &lane = m_state.lanes[it.lane];
    const QString words = it.isMarker ? tr("trip %1, %2").arg(lane.markers[it.index].order).arg(lane.markers[it.index].words)
                                      : lane.spans[it.index].words;
    return visibleText(lane.name + QStringLiteral(": ") + words, 300);
}

QStringList LaneStrip::itemDetails(int item) const
{
    const Item &it = m_items[static_cast<std::size_t>(item)];
    const Lane &lane = m_state.lanes[it.lane];
    return {lane.name, it.isMarker ? lane.markers[it.index].words : lane.spans[it.index].words};
}

bool LaneStrip::isItemActivatable(int item) const
{
    return item >= 0 && item < itemCount();
}

void LaneStrip::itemActivated(int item)
{
    const Item &it = m_items[static_cast<std::size_t>(item)];
    const Lane &lane = m_state.lanes[it.lane];
    Q_EMIT timeActivated(it.isMarker ? lane.markers[it.index].atMs : lane.spans[it.index].fromMs);
}

void LaneStrip::resizeEvent(QResizeEvent *event)
{
    PaintedItems::resizeEvent(event);
    arrange();
}

void LaneStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxis(painter);
    for (std::size_t lane = 0; lane < m_state.lanes.size(); ++lane)
        paintLane(painter, lane);
    const Colours &colours = coloursOf(*this);
    for (const Item &item : m_items) {
        const Lane &lane = m_state.lanes[item.lane];
        if (item.isMarker)
            paintOrder(painter, item.rect, lane.markers[item.index].order, colours.text);
        else
            paintSpan(painter, item.rect, lane.spans[item.index].tone);
    }
    paintCursor(painter);
    if (hasFocus() && focusedItem() >= 0)
        paintFocusRing(painter, itemRect(focusedItem()).adjusted(-2, -2, 2, 2), 5);
}

void LaneStrip::paintLane(QPainter &painter, std::size_t lane) const
{
    const Colours &colours = coloursOf(*this);
    const Lane &l = m_state.lanes[lane];
    const QRectF bar = laneRect(lane);
    painter.setPen(QPen(colours.line, 1));
    painter.setBrush(colours.raised);
    painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    if (l.knownFromMs > m_state.fromMs) {
        const QRectF unknown(bar.topLeft(), QPointF(xOf(l.knownFromMs), bar.bottom()));
        painter.fillRect(unknown, colours.card);
        paintStaleHatch(painter, unknown, 2, colours);
    }
    const double nameRoom = m_nameWidth - 12;
    painter.setFont(textFont(TextSize::Secondary, l.kind.isEmpty() ? QFont::Normal : QFont::DemiBold));
    painter.setPen(l.kind.isEmpty() ? colours.secondary : colours.text);
    painter.drawText(QRectF(0, bar.center().y() - 9, nameRoom, 18), Qt::AlignLeft | Qt::AlignVCenter,
                     elidedMiddle(visibleText(l.name, 60), QFontMetricsF(painter.font()), nameRoom));
    if (!l.kind.isEmpty()) {
        painter.setFont(textFont(TextSize::Caption));
        painter.setPen(colours.secondary);
        painter.drawText(QRectF(0, bar.bottom() + 1, nameRoom, 14), Qt::AlignLeft | Qt::AlignVCenter, l.kind);
    }
    for (const LaneTick &tick : l.ticks) {
        if (tick.atMs < m_state.fromMs || tick.atMs > m_state.toMs)
            continue;
        // A refused call stands out by length too.
        const double length = tick.refused ? 8 : 5;
        painter.fillRect(QRectF(xOf(tick.atMs) - 0.5, bar.bottom() + 3, 1.4, length), tick.refused ? colours.open : colours.secondary);
    }
}

/// Each tone has a height or pattern of its own: open is full, degraded half, probing striped.
void LaneStrip::paintSpan(QPainter &painter, const QRectF &box, Tone tone) const
{
    const Colours &colours = coloursOf(*this);
    const QColor ink = toneColour(colours, tone);
    painter.save();
    QPainterPath outline;
    outline.addRoundedRect(box, 2, 2);
    painter.setClipPath(outline, Qt::IntersectClip);
    if (tone == Tone::Degraded) {
        painter.fillRect(box, mixed(colours.raised, ink, 0.4));
        painter.fillRect(QRectF(box.left(), box.center().y(), box.width(), box.height() / 2), ink);
    } else if (tone == Tone::Probing || tone == Tone::Focus) {
        painter.fillRect(box, mixed(colours.raised, ink, 0.35));
        for (double x = box.left(); x < box.right(); x += 6)
            painter.fillRect(QRectF(x, box.top(), 3.5, box.height()), ink);
    } else {
        painter.fillRect(box, ink);
    }
    painter.restore();
}

void LaneStrip::paintAxis(QPainter &painter) const
{
    const Colours &colours = coloursOf(*this);
    const double bottom = neededHeight() - kAxis;
    painter.setFont(numberFont(TextSize::Caption));
    const QFontMetricsF metrics(painter.font());
    double freeFrom = m_nameWidth - 40;
    for (const AxisMark &mark : m_state.axis) {
        const double x = xOf(mark.atMs);
        painter.fillRect(QRectF(x - 0.5, 0, 1, bottom), mixed(colours.card, colours.line, 0.6));
        const double half = metrics.horizontalAdvance(mark.text) / 2;
        const double left = std::min(x - half, width() - 2 * half - 1);
        if (left < freeFrom)
            continue;
        freeFrom = left + 2 * half + 8;
        painter.setPen(colours.secondary);
        painter.drawText(QRectF(left, bottom + 2, 2 * half + 1, kAxis - 2), Qt::AlignCenter, mark.text);
    }
}

void LaneStrip::paintCursor(QPainter &painter) const
{
    if (!m_state.cursorMs)
        return;
    const Colours &colours = coloursOf(*this);
    const double x = xOf(*m_state.cursorMs);
    painter.fillRect(QRectF(x - 1, 0, 2, neededHeight() - kAxis), colours.operatorAct);
    QPainterPath head(QPointF(x - 6, 0));
    head.lineTo(x + 6, 0);
    head.lineTo(x, 8);
    head.closeSubpath();
    painter.fillPath(head, colours.operatorAct);
}

} // namespace handreset::views

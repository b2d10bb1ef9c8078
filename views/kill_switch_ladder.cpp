#include "views/kill_switch_ladder.h"

#include "views/icon.h"
#include "views/marks.h"
#include "views/plain_text.h"
#include "views/typography.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

namespace handreset::views {

namespace {

using rules::Rung;

constexpr double kRungHeight = 68;
constexpr double kRungGap = 22;
constexpr double kLatchHeight = 44;
constexpr double kLatchGap = 6;
constexpr double kColumnGap = 18;
constexpr double kNoteHeight = 17;

std::size_t indexOf(Rung rung)
{
    return static_cast<std::size_t>(rung);
}

QString rungWord(Rung rung)
{
    return markWord(markOf(rung));
}

/// Cut so that it fits two wrapped lines.
QString twoLines(const QString &text, const QFontMetricsF &metrics, double width)
{
    return metrics.elidedText(text, Qt::ElideRight, 2 * width - 24);
}

QString wholeDetail(const LadderLatch &latch)
{
    return latch.about.isEmpty() ? latch.detail : latch.about + QStringLiteral(": ") + latch.detail;
}

/// How high the latches of one rung stand together.
double stackHeight(std::size_t latches)
{
    return latches == 0 ? 0 : static_cast<double>(latches) * (kLatchHeight + kLatchGap) - kLatchGap;
}

} // namespace

QString fittingDetail(const LadderLatch &latch, const QFontMetricsF &metrics, double width)
{
    constexpr double kLeastAbout = 40;
    const QString whole = visibleText(wholeDetail(latch), 300);
    if (metrics.horizontalAdvance(whole) <= width)
        return whole;
    const QString detail = visibleText(latch.detail, 300);
    const QString tail = QStringLiteral(": ") + detail;
    const double room = width - metrics.horizontalAdvance(tail);
    if (!latch.about.isEmpty() && room >= kLeastAbout)
        return elidedMiddle(visibleText(latch.about, 200), metrics, room) + tail;
    return metrics.elidedText(detail, Qt::ElideRight, width);
}

KillSwitchLadder::KillSwitchLadder(QWidget *parent)
    : PaintedItems(parent)
{
    setAccessibleName(tr("Kill switch"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    arrange();
}

void KillSwitchLadder::setState(const LadderState &state)
{
    if (state == m_state)
        return;
    const int before = itemCount();
    const int heightBefore = neededHeight();
    const bool isAtPresent = focusedItem() == firstItem();
    m_state = state;
    arrange();
    if (isAtPresent)
        setFocusedItem(firstItem());
    if (itemCount() != before)
        itemsChanged();
    if (neededHeight() != heightBefore)
        updateGeometry();
    update();
}

int KillSwitchLadder::neededHeight() const
{
    double height = 0;
    for (const Rung rung : {Rung::Open, Rung::Degraded, Rung::Closed}) {
        const auto held = std::count_if(m_state.latches.begin(), m_state.latches.end(),
                                        [rung](const LadderLatch &latch) { return latch.rung == rung; });
        const double notes = rung == Rung::Closed ? kNoteHeight * static_cast<double>(m_state.notes.size()) : 0;
        height += std::max({kRungHeight, stackHeight(static_cast<std::size_t>(held)) + 4, notes});
    }
    return static_cast<int>(std::ceil(height + 2 * kRungGap)) + 2;
}

QSize KillSwitchLadder::sizeHint() const
{
    return {390, neededHeight()};
}

QSize KillSwitchLadder::minimumSizeHint() const
{
    return {320, neededHeight()};
}

/// Each rung and its latches share one band, centred on each other.
void KillSwitchLadder::arrange()
{
    m_order.clear();
    m_latches.clear();
    const double rungWidth = std::clamp(width() * 0.36, 120.0, 190.0);
    const double latchLeft = rungWidth + kColumnGap;
    const double latchWidth = std::max(width() - latchLeft - 1, 120.0);
    double y = 1;
    for (const Rung rung : {Rung::Open, Rung::Degraded, Rung::Closed}) {
        std::vector<std::size_t> held;
        for (std::size_t i = 0; i < m_state.latches.size(); ++i) {
            if (m_state.latches[i].rung == rung)
                held.push_back(i);
        }
        const double notes = rung == Rung::Closed ? kNoteHeight * static_cast<double>(m_state.notes.size()) : 0;
        const double band = std::max({kRungHeight, stackHeight(held.size()) + 4, notes});
        m_rungs[indexOf(rung)] = {1, y + (band - kRungHeight) / 2, rungWidth - 2, kRungHeight};
        double latchY = y + (band - stackHeight(held.size())) / 2;
        for (const std::size_t latch : held) {
            m_order.push_back(latch);
            m_latches.push_back({latchLeft, latchY, latchWidth, kLatchHeight});
            latchY += kLatchHeight + kLatchGap;
        }
        if (rung == Rung::Closed)
            m_notes = {latchLeft, y + (band - notes) / 2, latchWidth, notes};
        y += band + kRungGap;
    }
}

int KillSwitchLadder::itemCount() const
{
    return 3 + static_cast<int>(m_order.size());
}

QRectF KillSwitchLadder::itemRect(int item) const
{
    if (item < 0 || item >= itemCount())
        return {};
    return item < 3 ? m_rungs[static_cast<std::size_t>(2 - item)] : m_latches[static_cast<std::size_t>(item - 3)];
}

QString KillSwitchLadder::itemName(int item) const
{
    if (item < 3) {
        const auto rung = static_cast<Rung>(2 - item);
        const QString words = rungWord(rung) + QStringLiteral(": ") + m_state.meanings[indexOf(rung)];
        return visibleText(rung == m_state.present ? tr("%1 (present rung)").arg(words) : words, 200);
    }
    const LadderLatch &latch = m_state.latches[m_order[static_cast<std::size_t>(item - 3)]];
    return visibleText(
        tr("trip %1, %2, holds %3: %4; lifted by: %5")
            .arg(QString::number(latch.order), latch.signal, rungWord(latch.rung), wholeDetail(latch), latch.whoLifts),
        400);
}

QStringList KillSwitchLadder::itemDetails(int item) const
{
    if (item < 3) {
        const auto rung = static_cast<Rung>(2 - item);
        return {rungWord(rung), m_state.meanings[indexOf(rung)]};
    }
    const LadderLatch &latch = m_state.latches[m_order[static_cast<std::size_t>(item - 3)]];
    return {latch.signal, wholeDetail(latch), tr("holds the switch at: %1").arg(rungWord(latch.rung)),
            tr("lifted by: %1").arg(latch.whoLifts)};
}

bool KillSwitchLadder::isItemActivatable(int item) const
{
    return item >= 3 && item < itemCount();
}

void KillSwitchLadder::itemActivated(int item)
{
    Q_EMIT latchActivated(static_cast<int>(m_order[static_cast<std::size_t>(item - 3)]));
}

void KillSwitchLadder::resizeEvent(QResizeEvent *event)
{
    PaintedItems::resizeEvent(event);
    arrange();
}

void KillSwitchLadder::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours &colours = coloursOf(*this);
    if (m_state.stale)
        paintStaleHatch(painter, rect(), kSmallRadius, colours);
    painter.setPen(QPen(colours.line, 1.5));
    for (const Rung upper : {Rung::Open, Rung::Degraded}) {
        const QRectF &from = m_rungs[indexOf(upper)];
        painter.drawLine(QPointF(from.center().x(), from.bottom()),
                         QPointF(from.center().x(), m_rungs[indexOf(upper) - 1].top()));
    }
    for (std::size_t place = 0; place < m_latches.size(); ++place)
        paintHold(painter, place);
    for (const Rung rung : {Rung::Open, Rung::Degraded, Rung::Closed})
        paintRung(painter, rung);
    for (std::size_t place = 0; place < m_latches.size(); ++place)
        paintLatch(painter, place);
    paintNotes(painter);
    if (m_latches.empty()) {
        painter.setFont(textFont(TextSize::Secondary));
        painter.setPen(colours.secondary);
        const QRectF &open = m_rungs[indexOf(Rung::Open)];
        painter.drawText(QRectF(open.right() + kColumnGap, open.top(), width() - open.right() - kColumnGap, open.height()),
                         static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextWordWrap,
                         m_state.stale ? tr("no active trip when last heard") : tr("no active trip holds it up"));
    }
    if (hasFocus() && focusedItem() >= 0)
        paintFocusRing(painter, itemRect(focusedItem()).adjusted(-1, -1, 1, 1), kSmallRadius + 1);
}

void KillSwitchLadder::paintRung(QPainter &painter, Rung rung) const
{
    const Colours &colours = coloursOf(*this);
    const QRectF &box = m_rungs[indexOf(rung)];
    const bool present = rung == m_state.present && !m_state.stale;
    const Tone tone = toneOf(markOf(rung));
    const double border = present ? 2 : 1;
    painter.setPen(QPen(!present ? colours.line : tone == Tone::Normal ? colours.text : toneColour(colours, tone), border));
    painter.setBrush(present ? colours.raised : colours.card);
    painter.drawRoundedRect(box.adjusted(border / 2, border / 2, -border / 2, -border / 2), kRadius, kRadius);
    const QRectF mark(box.left() + 12, box.top() + 11, 15, 15);
    // A rung that nothing holds is quiet, whatever it would mean.
    const bool held = std::any_of(m_state.latches.begin(), m_state.latches.end(),
                                  [rung](const LadderLatch &latch) { return latch.rung == rung; });
    paintMark(painter, mark, markOf(rung), present || held ? toneColour(colours, tone) : colours.secondary,
              present ? colours.raised : colours.card);
    const QRectF words(mark.right() + 8, box.top() + 7, box.right() - mark.right() - 16, 22);
    painter.setFont(textFont(TextSize::Text, present ? QFont::DemiBold : QFont::Medium));
    painter.setPen(present ? colours.text : colours.secondary);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, rungWord(rung));
    painter.setFont(textFont(TextSize::Caption));
    painter.setPen(colours.secondary);
    const QRectF meaning(box.left() + 12, box.top() + 32, box.width() - 20, 30);
    const QString shown = visibleText(m_state.meanings[indexOf(rung)], 200);
    painter.drawText(meaning, static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap,
                     twoLines(shown, QFontMetricsF(painter.font()), meaning.width()));
}

/// The line by which a latch holds its rung up.
void KillSwitchLadder::paintHold(QPainter &painter, std::size_t place) const
{
    const Colours &colours = coloursOf(*this);
    const LadderLatch &latch = m_state.latches[m_order[place]];
    const QRectF &rung = m_rungs[indexOf(latch.rung)];
    const QRectF &box = m_latches[place];
    // A latch beside the rung holds it straight; one above or below it bends at the middle of the gap.
    const double at = std::clamp(box.center().y(), rung.top() + 12, rung.bottom() - 12);
    const double bend = (rung.right() + box.left()) / 2;
    QPainterPath path(QPointF(rung.right(), at));
    path.lineTo(bend, at);
    path.lineTo(bend, box.center().y());
    path.lineTo(box.left(), box.center().y());
    painter.setPen(QPen(toneColour(colours, toneOf(markOf(latch.rung))), 1.8));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void KillSwitchLadder::paintLatch(QPainter &painter, std::size_t place) const
{
    const Colours &colours = coloursOf(*this);
    const LadderLatch &latch = m_state.latches[m_order[place]];
    const QRectF &box = m_latches[place];
    const bool hovered = hoveredItem() == static_cast<int>(place) + 3;
    QPainterPath outline;
    outline.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.fillPath(outline, hovered ? mixed(colours.raised, colours.line, 0.4) : colours.raised);
    painter.setPen(QPen(latch.selected ? colours.text : colours.line, latch.selected ? 1.5 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(outline);
    painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), toneColour(colours, toneOf(markOf(latch.rung))));

    const QRectF inner = box.adjusted(11, 4, -8, -4);
    paintOrder(painter, {inner.left(), inner.top() + 1, 16, 16}, latch.order, colours.text);
    const QFontMetricsF small(textFont(TextSize::Caption));
    const QString signal = visibleText(latch.signal, 60);
    const double signalWidth = QFontMetricsF(textFont(TextSize::Secondary, QFont::DemiBold)).horizontalAdvance(signal);
    const double whoRoom = inner.width() - 21 - signalWidth - 23;
    const QString who = elidedMiddle(visibleText(latch.shortWho.isEmpty() ? latch.whoLifts : latch.shortWho, 80), small,
                                     std::max(whoRoom, inner.width() / 2));
    const double whoWidth = small.horizontalAdvance(who);
    painter.setFont(textFont(TextSize::Caption));
    painter.setPen(colours.secondary);
    painter.drawText(QRectF(inner.right() - whoWidth - 1, inner.top(), whoWidth + 1, 18), Qt::AlignRight | Qt::AlignVCenter, who);
    const QPixmap icon = iconPixmap(latch.byClock ? QStringLiteral("clock") : QStringLiteral("user"), colours.secondary, 13,
                                    devicePixelRatioF());
    painter.drawPixmap(QPointF(inner.right() - whoWidth - 17, inner.top() + 2.5), icon);
    painter.setFont(textFont(TextSize::Secondary, QFont::DemiBold));
    painter.setPen(colours.text);
    const QRectF nameBox(inner.left() + 21, inner.top(), inner.width() - 21 - whoWidth - 19, 18);
    painter.drawText(nameBox, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(signal, Qt::ElideRight, nameBox.width() + 1));
    painter.setFont(textFont(TextSize::Caption));
    painter.setPen(colours.secondary);
    painter.drawText(QRectF(inner.left(), inner.top() + 19, inner.width(), 17), Qt::AlignLeft | Qt::AlignVCenter,
                     fittingDetail(latch, QFontMetricsF(painter.font()), inner.width()));
}

void KillSwitchLadder::paintNotes(QPainter &painter) const
{
    painter.setFont(textFont(TextSize::Caption));
    painter.setPen(coloursOf(*this).secondary);
    const QFontMetricsF metrics(painter.font());
    for (qsizetype i = 0; i < m_state.notes.size(); ++i) {
        const QRectF line(m_notes.left(), m_notes.top() + kNoteHeight * static_cast<double>(i), m_notes.width(), kNoteHeight);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         elidedMiddle(visibleText(m_state.notes[i], 200), metrics, line.width()));
    }
}

} // namespace handreset::views

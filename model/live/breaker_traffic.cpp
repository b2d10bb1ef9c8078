#include "model/live/breaker_traffic.h"

#include <algorithm>

namespace handreset::live {

using namespace rules;

namespace {

constexpr std::size_t kChangesKept = 256;
constexpr Duration kTakenSlot = seconds(10);

[[nodiscard]] qint64 slotNumberOf(Instant at)
{
    return at.micros / kTrafficSlot.micros;
}

[[nodiscard]] std::size_t slotIndexOf(qint64 number)
{
    const auto slots = static_cast<qint64>(kTrafficSlots);
    return static_cast<std::size_t>(((number % slots) + slots) % slots);
}

[[nodiscard]] LaneSpan::Tone toneOf(BreakerState state)
{
    return state == BreakerState::HalfOpen ? LaneSpan::Tone::Probing : LaneSpan::Tone::Open;
}

} // namespace

void BreakerTraffic::take(const Event &event, bool isAsk)
{
    if (isAsk) {
        const qint64 number = slotNumberOf(event.ruleTime);
        const std::size_t slot = slotIndexOf(number);
        if (m_slotNumber[slot] != number) {
            m_slotNumber[slot] = number;
            m_slots[slot] = 0;
        }
        ++m_slots[slot];
    }
    if (event.row == 0 || event.row >= m_lastTaken.size())
        return;
    countRow(event);
    m_lastTaken[event.row] = event.ruleTime;
    if (const rules::BreakerRow *row = rowOfId(kBreakerTable, event.row); row && row->moves) {
        m_changes.push_back({event.ruleTime, row->to});
        if (m_changes.size() > kChangesKept)
            m_changes.pop_front();
    }
}

void BreakerTraffic::countRow(const Event &event)
{
    const qint64 slot = event.ruleTime.micros / kTakenSlot.micros;
    while (!m_taken.empty() && m_taken.front().slot < slot - kLanesShown.micros / kTakenSlot.micros)
        m_taken.pop_front();
    for (auto it = m_taken.rbegin(); it != m_taken.rend() && it->slot == slot; ++it) {
        if (it->row == event.row) {
            ++it->times;
            return;
        }
    }
    m_taken.push_back({slot, event.row, 1});
}

std::array<qint64, 32> BreakerTraffic::taken(Instant now) const
{
    std::array<qint64, 32> result{};
    const qint64 first = (now - kLanesShown).micros / kTakenSlot.micros;
    for (const Taken &each : m_taken) {
        if (each.slot >= first)
            result[each.row] += each.times;
    }
    return result;
}

std::array<int, kTrafficSlots> BreakerTraffic::slots(Instant now) const
{
    std::array<int, kTrafficSlots> result{};
    const qint64 last = slotNumberOf(now);
    for (std::size_t i = 0; i < kTrafficSlots; ++i) {
        const qint64 number = last - static_cast<qint64>(kTrafficSlots - 1 - i);
        const std::size_t slot = slotIndexOf(number);
        result[i] = m_slotNumber[slot] == number ? m_slots[slot] : 0;
    }
    return result;
}

std::vector<LaneSpan> BreakerTraffic::spans(Instant from, Instant to, const Breaker *present) const
{
    std::vector<LaneSpan> spans;
    for (std::size_t i = 0; i < m_changes.size(); ++i) {
        const Instant end = i + 1 < m_changes.size() ? m_changes[i + 1].at : to;
        if (m_changes[i].to != BreakerState::Closed && end > from)
            spans.push_back({std::max(m_changes[i].at, from), std::min(end, to), toneOf(m_changes[i].to)});
    }
    // A change from before this desk looked: the breaker itself says since when.
    if (m_changes.empty() && present && present->state != BreakerState::Closed)
        spans.push_back({std::max(present->changedAt, from), to, toneOf(present->state)});
    return spans;
}

std::optional<BreakerKey> breakerOf(const Event &event)
{
    if (const auto *asked = std::get_if<CallAsked>(&event.payload))
        return BreakerKey{asked->tool, asked->ownBreaker ? event.agent : AgentId{}};
    if (const auto *finished = std::get_if<CallFinished>(&event.payload))
        return BreakerKey{finished->tool, finished->ownBreaker ? event.agent : AgentId{}};
    if (const auto *moved = std::get_if<BreakerMoved>(&event.payload))
        return moved->breaker;
    return std::nullopt;
}

void TrafficBook::take(const Event &event)
{
    if (!m_since) {
        m_firstTaken = event.ruleTime;
        m_since = event.seq == Seq{1} ? Instant{} : event.ruleTime;
    }
    if (const auto key = breakerOf(event))
        m_all[*key].take(event, std::holds_alternative<CallAsked>(event.payload));
}

const BreakerTraffic &TrafficBook::of(const BreakerKey &key) const
{
    static const BreakerTraffic none;
    const auto found = m_all.find(key);
    return found == m_all.end() ? none : found->second;
}

} // namespace handreset::live

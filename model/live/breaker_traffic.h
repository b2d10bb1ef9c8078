// What the fleet does not keep of its breakers: asks per slot of the last hour, how often each row was taken, and the
// changes of state of the last quarter of an hour. Filled from events; one thread at a time.
#pragma once

#include "model/live/rows.h"
#include "model/live/subject_detail.h"
#include "model/rules/event.h"
#include "model/rules/fleet.h"

#include <array>
#include <deque>
#include <map>
#include <optional>

namespace handreset::live {

/// A change of a breaker's state.
struct StateChange {
    rules::Instant at;
    rules::BreakerState to = rules::BreakerState::Closed;
};

class BreakerTraffic {
public:
    void take(const rules::Event &event, bool isAsk);
    /// Asks of the last hour, oldest slot first.
    [[nodiscard]] std::array<int, kTrafficSlots> slots(rules::Instant now) const;
    /// How often each row was taken, and when last.
    [[nodiscard]] const std::array<qint64, 32> &taken() const { return m_taken; }
    [[nodiscard]] const std::array<rules::Instant, 32> &lastTaken() const { return m_lastTaken; }
    /// Spans in which it was not CLOSED, within [from, to); `present` is what it is now.
    [[nodiscard]] std::vector<LaneSpan> spans(rules::Instant from, rules::Instant to,
                                              const rules::Breaker *present) const;

private:
    std::array<qint64, 32> m_taken{};
    std::array<rules::Instant, 32> m_lastTaken{};
    std::array<int, kTrafficSlots> m_slots{};
    std::array<qint64, kTrafficSlots> m_slotNumber{}; ///< which slot of all time each holds
    std::deque<StateChange> m_changes;                ///< oldest first, at most 256
};

/// The traffic of all breakers.
class TrafficBook {
public:
    /// Takes any event; what is about no breaker is left.
    void take(const rules::Event &event);
    [[nodiscard]] const BreakerTraffic &of(const rules::BreakerKey &key) const;
    void clear() { m_all.clear(); }

private:
    std::map<rules::BreakerKey, BreakerTraffic> m_all;
};

/// The breaker that an event is about; none for other events.
[[nodiscard]] std::optional<rules::BreakerKey> breakerOf(const rules::Event &event);

} // namespace handreset::live

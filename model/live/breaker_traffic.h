// What the fleet does not keep of its breakers: asks per slot of the last hour, how often each row was taken and the
// changes of state in the last quarter of an hour. Filled from events; one thread at a time.
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
    /// How often each row was taken in the `kLanesShown` before `now`; exact to a slot of ten seconds.
    [[nodiscard]] std::array<qint64, 32> taken(rules::Instant now) const;
    /// When each row was taken last.
    [[nodiscard]] const std::array<rules::Instant, 32> &lastTaken() const { return m_lastTaken; }
    /// Spans in which it was not CLOSED, within [from, to); `present` is what it is now.
    [[nodiscard]] std::vector<LaneSpan> spans(rules::Instant from, rules::Instant to,
                                              const rules::Breaker *present) const;

private:
    /// How often one row was taken in one slot of ten seconds.
    struct Taken {
        qint64 slot = 0;
        std::uint8_t row = 0;
        qint64 times = 0;
    };

    void countRow(const rules::Event &event);

    std::deque<Taken> m_taken; ///< oldest first; what is too old goes with the next
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
    /// From when on nothing is missing: the time of the first event taken; the beginning of time where it was the
    /// log's.
    [[nodiscard]] rules::Instant since() const { return m_since.value_or(rules::Instant{}); }
    /// The time of the first event taken, the log's first one too: before it nothing is known.
    [[nodiscard]] rules::Instant firstTaken() const { return m_firstTaken; }
    void clear() { *this = {}; }

private:
    std::optional<rules::Instant> m_since;
    rules::Instant m_firstTaken;
    std::map<rules::BreakerKey, BreakerTraffic> m_all;
};

/// The breaker that an event is about; none for other events.
[[nodiscard]] std::optional<rules::BreakerKey> breakerOf(const rules::Event &event);

} // namespace handreset::live

// Holds the log's transitions against the two tables, apart from `apply`: each starts where the last one ended.
// Internal to model/store. Pure values; thread: the store's.
#pragma once

#include "model/rules/event.h"
#include "model/rules/fleet.h"
#include "model/store/findings.h"

#include <map>

namespace handreset::store {

class MachineCheck {
public:
    /// The next event of the log.
    void take(const rules::Event &event, Findings &findings);
    /// At the end: the fold must have come to the same states.
    void compare(const rules::Fleet &fleet, Findings &findings) const;

private:
    void takeBreaker(const rules::Event &event, rules::BreakerKey key, rules::BreakerEvent input, Findings &findings);
    void takeLatch(const rules::Event &event, rules::TripId trip, rules::SetOf<rules::LatchEvent> inputs,
                   Findings &findings);

    std::map<rules::BreakerKey, rules::BreakerState> m_breakers;
    std::map<rules::TripId, rules::LatchState> m_latches; ///< those that are not clear
};

} // namespace handreset::store

// What happened in each minute to each agent, counted from the events. Internal to model/store.
// Pure values; thread: the store's.
#pragma once

#include "model/rules/event.h"

#include <cstdint>
#include <map>
#include <span>
#include <utility>

namespace handreset::store {

struct RollupCounts {
    std::int64_t allowed = 0;
    std::int64_t refused = 0;
    std::int64_t steps = 0; ///< allowed model calls
    std::int64_t failures = 0;
    std::int64_t trips = 0;
    /// Of the results that came in this minute, in the currency of the agent's key. What was charged because a result
    /// never came stands in the agent's own sum.
    rules::Decimal cost;

    [[nodiscard]] bool empty() const noexcept { return *this == RollupCounts{}; }
    bool operator==(const RollupCounts &) const = default;
};

/// By the minute's first microsecond (of rule_time) and the agent.
using Rollups = std::map<std::pair<std::int64_t, rules::AgentId>, RollupCounts>;

/// Counts these events; minutes in which nothing is counted are left out.
[[nodiscard]] Rollups rollupsOf(std::span<const rules::Event> events);

} // namespace handreset::store

// Trips and stops that could not be written: kept in memory and in the sentinel's text, so that they outlive the
// process on a full or failing disk and stand as stops once the store is trusted again (spec 4, "When something dies").
// Pure values; any thread.
#pragma once

#include "model/rules/command.h"
#include "model/rules/event.h"
#include "model/rules/fleet.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::engine {

struct LatchedStop {
    std::string agent; ///< empty: the whole fleet
    rules::Rung rung = rules::Rung::Open;
    std::string why; ///< one line
    bool operator==(const LatchedStop &) const = default;
};

/// The trips among these events; `fleet` is the one after them. Those that the clock would end are among them, for what
/// they counted is lost with them. A trip of one task is latched for its agent, one of a key or an endpoint for each
/// agent that it reaches: wider, but never too narrow.
[[nodiscard]] std::vector<LatchedStop> stopsAmong(std::span<const rules::Event> events, const rules::Fleet &fleet);
/// An operator's stop as it stands.
[[nodiscard]] LatchedStop stopOf(const rules::StopAgent &stop);

/// The sentinel's text: what happened, for people, then one word a stop. The sentinel's file has one fixed size; where
/// the stops do not all fit, one stop of the whole fleet stands for them.
[[nodiscard]] std::string sentinelText(std::string_view trouble, std::span<const LatchedStop> stops);
/// The people's part of such a text.
[[nodiscard]] std::string troubleIn(std::string_view sentinelText);
/// The stops in such a text. A word that is damaged stops the fleet.
[[nodiscard]] std::vector<LatchedStop> stopsIn(std::string_view sentinelText);

} // namespace handreset::engine

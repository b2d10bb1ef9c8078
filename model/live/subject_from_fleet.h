// What one subject's page shows, from the state of the fleet. Pure function; any thread that may read the fleet.
#pragma once

#include "model/live/breaker_traffic.h"
#include "model/live/subject_detail.h"
#include "model/rules/fleet.h"

namespace handreset::live {

/// The whole of one subject. Traffic, counts of transitions, lanes of breakers come from `traffic`. `lastEvents` and the
/// steps trips' last calls are the follower's to fill.
[[nodiscard]] SubjectDetail subjectDetail(const rules::Fleet &fleet, const Focus &focus, const TrafficBook &traffic,
                                          rules::Now now);

/// The asks of one agent (none: of all) that were allowed and have no result yet.
[[nodiscard]] InFlightNow inFlightOf(const rules::Fleet &fleet, rules::AgentId agent);

} // namespace handreset::live

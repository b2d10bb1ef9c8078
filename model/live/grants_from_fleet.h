// What of one agent's limits a person may raise, and how far each is used (spec 3.3, 3.4). Pure; any thread.
#pragma once

#include "model/live/subject_detail.h"
#include "model/rules/fleet.h"

#include <vector>

namespace handreset::live {

/// Tripped ones first. Limits of tasks: those of its latest live tasks.
[[nodiscard]] std::vector<GrantOption> grantsOf(const rules::Fleet &fleet, rules::AgentId agent, rules::Now now);

} // namespace handreset::live

// Rows of the desk from the state of the fleet. Pure functions; any thread that may read the fleet.
#pragma once

#include "model/live/rows.h"
#include "model/rules/fleet.h"

#include <vector>

namespace handreset::live {

/// Active trips that reach this agent or one of its tasks, in the order in which they fired.
[[nodiscard]] std::vector<const rules::Trip *> tripsOf(const rules::Fleet &fleet, rules::AgentId agent);

[[nodiscard]] AgentRow agentRow(const rules::Fleet &fleet, rules::AgentId agent, rules::Now now);
/// `traffic` is not filled: the fleet does not keep it.
[[nodiscard]] BreakerRow breakerRow(const rules::Fleet &fleet, const rules::BreakerKey &key, rules::Now now);
[[nodiscard]] TripRow tripRow(const rules::Fleet &fleet, const rules::Trip &trip);
[[nodiscard]] QueueRow queueRow(const rules::Fleet &fleet, rules::TaskId root);
/// `fleet` is the state just after the event.
[[nodiscard]] EventRow eventRow(const rules::Fleet &fleet, const rules::Event &event);
[[nodiscard]] HeaderCounts headerCounts(const rules::Fleet &fleet);

/// The policy that a breaker lives under.
[[nodiscard]] const rules::BreakerPolicy &breakerPolicyOf(const rules::Fleet &fleet, const rules::BreakerKey &key);

/// UTF-8 as it came; what is no UTF-8 is replaced by U+FFFD.
[[nodiscard]] inline QString toText(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace handreset::live

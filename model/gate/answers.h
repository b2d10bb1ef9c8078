// What the agents' door answers, as JSON (spec 5). Pure; any thread.
#pragma once

#include "model/rules/command.h"
#include "model/rules/fleet.h"
#include "model/rules/instant.h"

#include <string>
#include <string_view>

namespace handreset::gate {

/// The decision. `clientId`: the id that the client gave its ask; empty: the gate's own stands in its place. `tool`: of
/// a call, which is the one whose breaker can have refused it.
[[nodiscard]] std::string decisionJson(const rules::Decision &decision, std::string_view clientId,
                                       std::string_view tool);

/// Rung, active trips, limits and what is left of each; an agent that was never seen is closed, without any.
[[nodiscard]] std::string agentJson(const rules::Fleet &fleet, std::string_view agent, rules::Now now);

/// The ask that an id of a path stands for: the gate's own ("ask-12"), else the client's.
struct AskName {
    rules::AskId ask;
    std::string clientId;
};
[[nodiscard]] AskName askNamed(std::string_view id);

} // namespace handreset::gate

// The same ask once more, by its client's id (spec 5): judged again, counted once. A repeat may turn an allow into a
// deny, never the reverse. Internal to model/rules. Pure; any thread.
#pragma once

#include "model/rules/ask_place.h"

#include <functional>
#include <optional>
#include <string>

namespace handreset::rules {

/// What would refuse the ask now, beyond its task's rung; nothing where it may go on. `pending`: as it was allowed.
using JudgeAgain = std::function<std::optional<Refusal>(const Place &place, AskId ask, const PendingAsk &pending)>;

/// Answers an ask that was made before; false where it is new. `isWrite`: whether it is a write tool's call.
[[nodiscard]] bool answeredAsRepeat(Draft &draft, const std::string &agent, const std::string &task,
                                    const std::optional<ClientStamp> &client, bool isWrite, const JudgeAgain &judge);

} // namespace handreset::rules

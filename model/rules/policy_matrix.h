// The matrix of spec 3.2 as the policy alone gives it, in words for a page. What is used of each limit, and whether
// it can refuse, stands in matrix.h. Pure values; any thread.
#pragma once

#include "model/rules/policy.h"

#include <array>
#include <string>
#include <string_view>

namespace handreset::rules {

/// One signal's line. All texts are for people; none is empty.
struct PolicyLine {
    Signal signal = Signal::Spend;
    std::string countedPer; ///< "root task"
    std::string seenAt;     ///< "the gate"
    std::string limit;      ///< "25 steps, 200 per session"; "none" where nothing limits
    std::string action;     ///< "degraded", "open"; a spend with several windows names each
    std::string reaches;    ///< "task", "agent", "the key's agents"
    std::string rearm;      ///< "human", "by itself when the window ends"
    bool operator==(const PolicyLine &) const = default;
};

/// Spend, steps, repetition, provider, envelope, as they hold for this agent.
[[nodiscard]] std::array<PolicyLine, 5> policyMatrix(const Policy &policy, std::string_view agent);

} // namespace handreset::rules

// What changes between two policies, and whether it loosens or tightens (spec 3.2). Pure values; any thread.
#pragma once

#include "model/rules/policy.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules {

/// Loosening needs a second person under the policy in force; tightening does not. What cannot be compared (another
/// pointer, another currency, another key) counts as loosening: who widens must not hide behind a rename.
enum class Direction : std::uint8_t { Neutral, Tightens, Loosens };
template <>
struct Words<Direction> {
    static constexpr std::array<std::string_view, 3> list{"neutral", "tightens", "loosens"};
};

/// One field that differs.
struct PolicyChange {
    std::string field;  ///< as in the policy's text: "defaults.steps.limit", "tools.send_pix.value.max"
    std::string before; ///< as the policy spells it; "none" where there was nothing
    std::string after;
    Direction direction = Direction::Neutral;
    std::string words; ///< what it means: "a higher limit", "a wider list", "the cap is gone"
    bool operator==(const PolicyChange &) const = default;

    /// "defaults.steps.limit: 25 → 30, a higher limit (loosens)".
    [[nodiscard]] std::string toString() const;
};

/// Every difference in what holds, ordered: the head, defaults, agents, keys, tools, agents' tools, approval, prices.
/// Compared are the merged values; an agent or key that only follows the defaults is not listed again.
[[nodiscard]] std::vector<PolicyChange> policyDiff(const Policy &inForce, const Policy &next);

/// True when any change loosens.
[[nodiscard]] bool loosens(const std::vector<PolicyChange> &changes) noexcept;

} // namespace handreset::rules

// Groups of tasks by what recorded runs say of themselves (`x`): "harmless: attack=null, user_task^=user_task".
// Pure values; any thread.
#pragma once

#include "model/rules/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::history {

/// One condition on one label. A label that a task does not have is null.
struct LabelTest {
    enum class Operator : std::uint8_t { Is, IsNot, BeginsWith };
    std::string field;
    Operator op = Operator::Is;
    std::vector<std::string> values; ///< any of these; "null", "true" and "false" stand for themselves
    bool operator==(const LabelTest &) const = default;
};

/// All conditions must hold.
struct LabelGroup {
    std::string name;
    std::vector<LabelTest> tests;
    bool operator==(const LabelGroup &) const = default;
};

/// Reads `NAME: FIELD=VALUE, FIELD!=VALUE, FIELD^=BEGINNING`; several values of one condition stand apart by `|`.
/// BadInput, with an example, for anything else.
[[nodiscard]] rules::Result<LabelGroup> parseLabelGroup(std::string_view text);

/// True when a task belongs to the group. `labels` are the task's label objects as JSON texts; a later one wins.
[[nodiscard]] bool belongsTo(const LabelGroup &group, const std::vector<std::string> &labels);

} // namespace handreset::history

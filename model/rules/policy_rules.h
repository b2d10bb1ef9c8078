// The sections of a policy with the hard rules of spec 2 and 3.2: what they refuse, they say where and why.
// Internal to the reading of policies. Pure; any thread.
#pragma once

#include "model/rules/policy_reader.h"

namespace handreset::rules::policytext {

/// Reads and merges every section. The value means something only where the report has no error afterwards.
[[nodiscard]] Policy readSections(Report &report, const toml::table &root);

// The sections one by one; `fields` are already laid over their defaults.

/// `[defaults]` or `[agents.NAME]` over it, without key, estimate and tools.
[[nodiscard]] AgentPolicy readAgentLimits(Fields &fields);
/// `spend` of `[defaults]` or `[keys.NAME]`. `currency` holds where there is no window to name one.
[[nodiscard]] KeyPolicy readSpend(Fields &fields, const std::string &currency);

/// A tool as its table has it; `probeIsDefault` where no table says who lets a probe out.
struct ToolReading {
    ToolPolicy policy;
    bool probeIsDefault = true;
};
/// `[tools.TOOL]`, or `[agents.NAME.tools.TOOL]` over it (`ofAgent`).
[[nodiscard]] ToolReading readTool(Report &report, Fields &fields, bool ofAgent);

[[nodiscard]] ApprovalPolicy readApproval(Fields &fields);
[[nodiscard]] Price readPrice(Fields &fields);

/// Sets the target where there is a value.
template <class Target, class Value>
void take(Target &target, std::optional<Value> value)
{
    if (value)
        target = std::move(*value);
}

/// A watch value only notes, so it must be lower than the limit that acts (spec 3.3).
template <class T>
void checkWatch(Fields &fields, std::string_view limitName, const std::optional<T> &watch,
                const std::optional<T> &limit)
{
    if (watch && limit && !(*watch < *limit))
        fields.error("watch", "must be lower than " + fields.path(limitName) + ", which it warns of",
                     "Write a lower value, or take it out.");
}

} // namespace handreset::rules::policytext

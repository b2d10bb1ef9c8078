#include "model/rules/policy.h"

#include <algorithm>

namespace handreset::rules {

AgentPolicy Policy::forAgent(std::string_view agent) const
{
    if (const auto it = agents.find(agent); it != agents.end())
        return it->second;
    AgentPolicy out = defaults;
    out.key = std::string(agent);
    // An estimate in another currency could not be reserved in the key's windows (policy.md: 0.05 in their currency).
    if (const KeyPolicy &own = forKey(out.key); own.currency != out.estimate.currency)
        out.estimate = {Decimal::fromBillionths(Decimal::kScale / 20), own.currency};
    return out;
}

const KeyPolicy &Policy::forKey(std::string_view key) const
{
    const auto it = keys.find(key);
    return it != keys.end() ? it->second : defaultKey;
}

const ToolPolicy &Policy::forTool(std::string_view agent, std::string_view tool) const
{
    if (!agentTools.empty()) {
        const auto own = agentTools.find(std::pair(std::string(agent), std::string(tool)));
        if (own != agentTools.end())
            return own->second;
    }
    const auto it = tools.find(tool);
    return it != tools.end() ? it->second : defaultTool;
}

bool Policy::declaresEnvelope() const
{
    const auto hasCap = [](const auto &entry) { return entry.second.hasCap(); };
    return std::any_of(tools.begin(), tools.end(), hasCap) || std::any_of(agentTools.begin(), agentTools.end(), hasCap);
}

Policy builtInPolicy()
{
    constexpr std::int64_t kSteps = 25; // spec 3.2
    Policy policy;
    policy.defaults.steps.limit = kSteps;
    policy.defaults.estimate = {Decimal::fromBillionths(Decimal::kScale / 20), policy.defaultKey.currency}; // 0.05
    return policy;
}

} // namespace handreset::rules

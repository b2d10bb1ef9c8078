// Judges recorded asks as spec 7 says of `--observe`: every recorded ask counts as allowed; rung, undeclared, models,
// breaker and active trips refuse nothing and cut no evaluation short. The rules are those of the gate (judge.h).
// Pure; one thread at a time. The names must outlive it; they may grow between asks.
#pragma once

#include "model/history/recording.h"
#include "model/history/what_if_report.h"
#include "model/rules/compiled_tool.h"
#include "model/rules/counters.h"
#include "model/rules/judge.h"
#include "model/rules/policy.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace handreset::history {

class ObservedJudge {
public:
    ObservedJudge(std::shared_ptr<const rules::Policy> policy, rules::Zone zone, const RunNames &names);

    /// Judges one ask or result, in the order in which they came.
    void judge(const RecordedAsk &ask);
    /// By task number - 1; shorter where the last tasks fired nothing.
    [[nodiscard]] const std::vector<FirstTrips> &firstTrips() const noexcept { return m_first; }

private:
    /// What the policy says of one agent, looked up once.
    struct AgentLimits {
        rules::AgentPolicy policy;
        rules::KeyId key;
        const rules::KeyPolicy *keyPolicy = nullptr;
        std::vector<const rules::CompiledTool *> tools; ///< by tool number - 1; null: not looked up yet
    };

    void judgeStep(const RecordedAsk &ask);
    void judgeStepResult(const RecordedAsk &ask);
    void judgeSpend(const RecordedAsk &ask, const AgentLimits &limits);
    void judgeCall(const RecordedAsk &ask);
    void judgeCaps(const RecordedAsk &ask, const rules::CompiledTool &tool, const rules::EnvelopePolicy &envelope);
    void note(const RecordedAsk &ask);
    [[nodiscard]] const rules::AgentPolicy &policyOfRoot(const RecordedAsk &ask);
    [[nodiscard]] AgentLimits &limitsOf(rules::AgentId agent);
    [[nodiscard]] const rules::CompiledTool &compiled(AgentLimits &limits, rules::AgentId agent, rules::ToolId tool);

    std::shared_ptr<const rules::Policy> m_policy;
    rules::Zone m_zone;
    rules::Calendar m_calendar;
    const RunNames &m_names;
    rules::NameNumbers m_keys;
    std::vector<std::unique_ptr<AgentLimits>> m_limits; ///< by agent number - 1
    std::unordered_map<const rules::ToolPolicy *, std::unique_ptr<const rules::CompiledTool>> m_tools;
    rules::Counters m_counters;
    std::vector<bool> m_spent; ///< by key number - 1: whether anything was; nothing spent fills no window
    std::vector<FirstTrips> m_first;
    rules::Judgement m_judgement; ///< reused
    rules::CallReading m_reading; ///< reused
};

} // namespace handreset::history

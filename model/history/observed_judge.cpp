#include "model/history/observed_judge.h"

#include <string>
#include <utility>

namespace handreset::history {

using rules::AgentId;
using rules::CompiledTool;
using rules::Decimal;
using rules::Money;
using rules::Steady;
using rules::ToolId;

ObservedJudge::ObservedJudge(std::shared_ptr<const rules::Policy> policy, rules::Zone zone, const RunNames &names)
    : m_policy(std::move(policy)),
      m_zone(std::move(zone)),
      m_names(names)
{
    m_calendar = {&m_zone, m_policy->weekStarts};
}

ObservedJudge::AgentLimits &ObservedJudge::limitsOf(AgentId agent)
{
    if (m_limits.size() < agent.value)
        m_limits.resize(agent.value);
    auto &limits = m_limits[agent.value - 1];
    if (!limits) {
        limits = std::make_unique<AgentLimits>();
        limits->policy = m_policy->forAgent(m_names.agents.text(agent.value));
        limits->key = {m_keys.number(limits->policy.key)};
        limits->keyPolicy = &m_policy->forKey(limits->policy.key);
    }
    return *limits;
}

const CompiledTool &ObservedJudge::compiled(AgentLimits &limits, AgentId agent, ToolId tool)
{
    if (limits.tools.size() < tool.value)
        limits.tools.resize(tool.value);
    auto &place = limits.tools[tool.value - 1];
    if (place == nullptr) {
        const auto &policy = m_policy->forTool(m_names.agents.text(agent.value), m_names.tools.text(tool.value));
        auto &known = m_tools[&policy];
        if (!known)
            known = std::make_unique<const CompiledTool>(policy);
        place = known.get();
    }
    return *place;
}

/// A task's own limits are those of the root task's agent.
const rules::AgentPolicy &ObservedJudge::policyOfRoot(const RecordedAsk &ask)
{
    return limitsOf(ask.root == ask.task ? ask.agent : m_names.ownerOf(ask.root)).policy;
}

void ObservedJudge::judge(const RecordedAsk &ask)
{
    switch (ask.kind) {
    case AskKind::Step:
        judgeStep(ask);
        return;
    case AskKind::StepResult:
        judgeStepResult(ask);
        return;
    case AskKind::Call:
        judgeCall(ask);
        return;
    case AskKind::CallResult:
    case AskKind::End:
    case AskKind::Other:
        return;
    }
}

namespace {

/// Limits of the root task are entered under it; what counts across tasks, or for one call alone, is entered under the
/// task of the line that fires (spec 7).
bool isOfRoot(const rules::Firing &firing)
{
    switch (firing.signal) {
    case rules::Signal::Steps:
        return firing.cap == rules::Cap::None;
    case rules::Signal::Repetition:
        return true;
    default:
        return (firing.cap == rules::Cap::VolumeCalls || firing.cap == rules::Cap::VolumeValue)
            && firing.windowHours == 0;
    }
}

} // namespace

void ObservedJudge::note(const RecordedAsk &ask)
{
    for (const auto &firing : m_judgement.fired) {
        const auto kind = tripKindOf(firing.signal, firing.cap);
        if (!kind)
            continue;
        const auto task = isOfRoot(firing) ? ask.root : ask.task;
        if (m_first.size() < task.value)
            m_first.resize(task.value, kNoTrips);
        auto &first = m_first[task.value - 1][static_cast<std::size_t>(*kind)];
        if (first == kNever)
            first = ask.index;
    }
    m_judgement.clear();
}

void ObservedJudge::judgeStep(const RecordedAsk &ask)
{
    auto &limits = limitsOf(ask.agent);
    const auto &ofRoot = policyOfRoot(ask).steps;
    const rules::StepSubject subject{ask.agent, ask.root, ask.session, limits.key, ask.endpoint};
    rules::judgeSteps(m_counters, ofRoot, limits.policy.steps, subject, ask.at, m_calendar, m_judgement);
    rules::countStep(m_counters, limits.policy.steps, subject, ask.at, m_calendar, rules::Past::Returns);
    note(ask);
    if (ask.hasOutcome)
        judgeStepResult(ask);
}

void ObservedJudge::judgeStepResult(const RecordedAsk &ask)
{
    const auto &limits = limitsOf(ask.agent);
    if (!limits.keyPolicy->windows.empty())
        judgeSpend(ask, limits);
    if (ask.endpoint.isSet() && ask.at) {
        const auto result = rules::classify(ask.ok, ask.status);
        auto &endpoint = m_counters.endpoints[ask.endpoint];
        const Steady at{ask.at->micros};
        rules::judgeProvider(endpoint, result, ask.status, limits.policy.provider, at, m_judgement);
        rules::countProvider(endpoint, result, at, rules::Past::Returns);
    }
    note(ask);
}

void ObservedJudge::judgeSpend(const RecordedAsk &ask, const AgentLimits &limits)
{
    const auto at = ask.askedAt ? ask.askedAt : ask.at;
    if (!at)
        return;
    std::optional<Money> reported;
    if (ask.cost)
        reported = Money{*ask.cost, std::string(ask.currency)};
    const std::string_view model = ask.model.isSet() ? m_names.models.text(ask.model.value) : std::string_view();
    const auto cost = rules::costOf(reported, ask.tokensIn, ask.tokensOut, model, *m_policy,
                                    limits.keyPolicy->currency, limits.policy.estimate.amount);
    if (m_spent.size() < limits.key.value)
        m_spent.resize(limits.key.value);
    if (!cost.amount.isZero())
        m_spent[limits.key.value - 1] = true;
    if (!m_spent[limits.key.value - 1])
        return;
    rules::settleSpend(m_counters, limits.key, *limits.keyPolicy, cost.amount, std::nullopt, *at, m_calendar);
    rules::judgeSpendSettled(m_counters, limits.key, *limits.keyPolicy, cost.amount, *at, m_calendar, m_judgement);
}

void ObservedJudge::judgeCaps(const RecordedAsk &ask, const CompiledTool &tool, const rules::EnvelopePolicy &envelope)
{
    const auto &cap = tool.policy().volume;
    rules::Volume volume;
    if (cap)
        volume = rules::volumeAt(m_counters, *cap, ask.agent, ask.root, ask.tool, ask.at, m_calendar);
    rules::judgeEnvelope(tool, m_reading, volume, envelope, m_judgement);
    if (cap) {
        const auto hours = cap->window ? cap->window->hours : 0;
        rules::countVolume(m_counters, hours, ask.agent, ask.root, ask.tool, m_reading.value, ask.at, m_calendar);
    }
}

void ObservedJudge::judgeCall(const RecordedAsk &ask)
{
    auto &limits = limitsOf(ask.agent);
    const auto &tool = compiled(limits, ask.agent, ask.tool);
    const auto &policy = tool.policy();
    const bool evaluates = policy.hasCap() && ask.isEvaluable;
    if (evaluates || !ask.identity)
        tool.read(m_names.tools.text(ask.tool.value), ask.arguments, m_reading);
    if (evaluates)
        judgeCaps(ask, tool, limits.policy.envelope);
    const auto &identity = ask.identity ? *ask.identity : m_reading.identity;
    auto &row = m_counters.root(ask.root).row;
    rules::judgeRepetition(row, identity, policyOfRoot(ask).repetition, policy, m_judgement);
    rules::countCall(row, identity);
    note(ask);
}

} // namespace handreset::history

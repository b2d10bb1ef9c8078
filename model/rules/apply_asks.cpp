// Asks and results on their way into the fleet: counters, pending asks, breakers.
#include "model/rules/fold.h"

#include <algorithm>

namespace handreset::rules::fold {

Result<void> applyNamed(Context &context, const Named &named)
{
    auto &fleet = context.fleet;
    if (named.id != fleet.names.count(named.kind) + 1 || named.owner.value > fleet.agents.size())
        return malformed(context.event, "a name with a number out of turn");
    if (named.kind == NameKind::Task && !named.owner.isSet())
        return malformed(context.event, "a task of no agent");
    fleet.names.add(named.kind, named.text, named.owner);
    fleet.indexName(named.kind, named.id);
    if (named.kind == NameKind::Agent) {
        Agent agent;
        agent.key = KeyId{fleet.names.find(NameKind::Key, fleet.agentPolicies.back()->key)};
        agent.firstSeen = agent.lastSeen = agent.rungSince = context.event.ruleTime;
        fleet.agents.push_back(std::move(agent));
        settleAgentRung(context, AgentId{named.id});
    } else if (named.kind == NameKind::Task) {
        Task task;
        task.agent = named.owner;
        task.root = TaskId{named.id};
        task.startedAt = task.lastAt = context.event.ruleTime;
        fleet.tasks.push_back(std::move(task));
        context.agent(named.owner).liveTasks.push_back(TaskId{named.id});
    }
    return {};
}

namespace {

/// What step and call have in common: who asked, when, as whose child.
struct Asker {
    Agent &agent;
    Task &task;
    TaskId root;
};

template <class Asked>
Asker admit(Context &context, const Asked &asked)
{
    const auto &event = context.event;
    auto &agent = context.agent(event.agent);
    auto &task = context.task(event.task);
    const bool isFirst = task.steps + task.calls + task.refused == 0;
    if (isFirst && asked.parent.isSet() && asked.parent.value <= context.fleet.tasks.size()) {
        task.parent = asked.parent;
        task.root = context.fleet.rootOf(asked.parent);
    }
    if (!task.session.isSet())
        task.session = asked.session;
    agent.lastSeen = task.lastAt = event.ruleTime;
    task.timeMeasured = task.timeMeasured && asked.timeMeasured;
    if (asked.answer == Answer::Allow)
        task.hadAllowedAsk = true;
    if (asked.answer == Answer::Deny) {
        ++agent.refused;
        ++task.refused;
    }
    return {agent, task, task.root};
}

Past pastOf(const Fleet &fleet)
{
    return fleet.recorded ? Past::Returns : Past::Ended;
}

/// A result's money and tokens, and the endpoint's minute. `at` is the time of the ask.
void settle(Context &context, const StepOutcome &outcome, AgentId agentId, TaskId taskId, KeyId key,
            EndpointId endpoint, std::optional<Decimal> reserved, bool alreadyCharged, std::optional<Instant> at)
{
    auto &fleet = context.fleet;
    auto &agent = context.agent(agentId);
    auto cost = outcome.cost;
    if (alreadyCharged && reserved) {
        cost = std::max(cost - *reserved, Decimal{}); // the reservation was charged when the result was overdue
        reserved.reset();
    }
    if (at) {
        settleSpend(fleet.counters, key, fleet.keyPolicy(key), cost, reserved, *at, fleet.calendar());
        context.touchSpend(key, *at);
    }
    agent.cost += cost;
    context.task(taskId).cost += cost;
    agent.tokensIn += outcome.tokensIn.value_or(0);
    agent.tokensOut += outcome.tokensOut.value_or(0);
    agent.unpriced += outcome.costSource == CostSource::Unpriced ? 1 : 0;
    agent.sawCost = agent.sawCost || outcome.costSource == CostSource::Reported
        || outcome.costSource == CostSource::Priced || outcome.tokensIn || outcome.tokensOut;
    if (endpoint.isSet())
        countProvider(fleet.counters.endpoints[endpoint], classify(outcome.ok, outcome.status), context.event.steady,
                      pastOf(fleet));
}

} // namespace

namespace {

/// The client's id of the ask is kept, so that asking again counts once.
void remember(Context &context, const std::optional<ClientStamp> &client, Answer answer, const Refusal &refusal)
{
    if (!client)
        return;
    auto &asks = context.fleet.clientAsks[context.event.agent];
    if (asks.size() >= kClientIdsOfAgent) { // of tasks that nobody ends: the older half goes
        std::vector<AskId> order;
        for (const auto &[id, ask] : asks)
            order.push_back(ask.ask);
        const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
        std::nth_element(order.begin(), middle, order.end());
        std::erase_if(asks, [oldest = *middle](const auto &entry) { return entry.second.ask < oldest; });
    }
    const auto refused = answer == Answer::Deny ? std::optional(refusal) : std::nullopt;
    asks.insert_or_assign(client->id,
                          ClientAsk{AskId{context.event.seq.value}, context.event.task, client->body, refused});
}

} // namespace

Result<void> applyAsk(Context &context, const AskRefusedAgain &refused)
{
    const auto asks = context.fleet.clientAsks.find(context.event.agent);
    if (asks == context.fleet.clientAsks.end() || !asks->second.contains(refused.id))
        return malformed(context.event, "a repeat of no ask");
    asks->second.at(refused.id).refused = refused.refusal;
    ++context.agent(context.event.agent).refused;
    return {};
}

Result<void> applyAsk(Context &context, const StepAsked &asked)
{
    const auto &event = context.event;
    auto &fleet = context.fleet;
    if (!event.agent.isSet() || !event.task.isSet())
        return malformed(event, "an ask of no agent or task");
    auto asker = admit(context, asked);
    remember(context, asked.client, asked.answer, asked.refusal);
    asker.agent.sawStep = true;
    if (asked.endpoint.isSet())
        fleet.counters.endpoints[asked.endpoint].seen[event.agent] = event.steady;
    if (asked.answer == Answer::Deny)
        return {};

    ++asker.agent.steps;
    ++asker.task.steps;
    const StepSubject subject{event.agent, asker.root, asker.task.session, asked.key, asked.endpoint};
    countStep(fleet.counters, fleet.agentPolicy(event.agent).steps, subject, context.windowTime(), fleet.calendar(),
              pastOf(fleet));
    if (asker.root != event.task)
        static_cast<void>(context.task(asker.root));
    if (asked.outcome) {
        settle(context, *asked.outcome, event.agent, event.task, asked.key, asked.endpoint, std::nullopt, false,
               context.windowTime());
        return {};
    }
    reserveSpend(fleet.counters, asked.key, fleet.keyPolicy(asked.key), asked.reserved, event.ruleTime, fleet.calendar());
    context.touchSpend(asked.key, event.ruleTime);
    PendingAsk pending;
    pending.agent = event.agent;
    pending.task = event.task;
    pending.askedAt = event.ruleTime;
    pending.askedAtSteady = event.steady;
    pending.key = asked.key;
    pending.endpoint = asked.endpoint;
    pending.reserved = asked.reserved;
    pending.degraded = asked.degraded;
    pending.model = asked.model;
    fleet.uncharged.insert(AskId{event.seq.value});
    fleet.pending.emplace_hint(fleet.pending.end(), AskId{event.seq.value}, std::move(pending));
    return {};
}

namespace {

/// The last ones only: a pass is given to what has just been refused.
void keepForPass(Fleet &fleet, AskId ask, const RefusedCall &call)
{
    const bool isRepeat = std::any_of(fleet.refusedCalls.begin(), fleet.refusedCalls.end(), [&call](const auto &entry) {
        const auto &one = entry.second;
        return one.agent == call.agent && one.task == call.task && one.tool == call.tool && one.exact == call.exact;
    });
    if (isRepeat) // its first refusal stands for it: an agent that hammers pushes nobody else's out
        return;
    const auto isOfAgent = [&call](const auto &entry) { return entry.second.agent == call.agent; };
    auto &calls = fleet.refusedCalls;
    if (std::count_if(calls.begin(), calls.end(), isOfAgent) >= static_cast<std::ptrdiff_t>(kRefusedCallsOfAgent))
        calls.erase(std::find_if(calls.begin(), calls.end(), isOfAgent));
    else if (calls.size() >= kRefusedCallsForPasses)
        calls.erase(calls.begin());
    calls.emplace(ask, call);
}

} // namespace

Result<void> applyAsk(Context &context, const CallAsked &asked)
{
    const auto &event = context.event;
    auto &fleet = context.fleet;
    if (!event.agent.isSet() || !event.task.isSet() || !asked.tool.isSet())
        return malformed(event, "an ask of no agent, task or tool");
    const auto *row = event.row != 0 ? rowOfId(kBreakerTable, event.row) : nullptr;
    if (event.row != 0 && row == nullptr)
        return malformed(event, "a row that no table has");

    auto asker = admit(context, asked);
    remember(context, asked.client, asked.answer, asked.refusal);
    asker.agent.sawCall = true;
    const AskId id{event.seq.value};
    if (asked.evaluated) {
        auto &rowOfCalls = fleet.counters.root(asker.root).row;
        countCall(rowOfCalls, asked.identity);
        const bool kept = asked.form == ArgumentsForm::Canonical || asked.form == ArgumentsForm::Raw;
        rowOfCalls.argumentsAt = kept ? event.seq : asked.sameAs;
    }
    const BreakerKey key{asked.tool, asked.ownBreaker ? event.agent : AgentId{}};
    if (row != nullptr && !isTaken(fleet, key, *row, BreakerEvent::Ask))
        return malformed(event, "an ask that its breaker did not hear so");
    if (row != nullptr) {
        auto &record = fleet.breakers[key];
        applyBreaker(record.breaker, *row, {context.now(), id, {}, {}, asked.cooldownCalls});
        if (record.breaker.probe.isSet())
            fleet.probesOut.insert(key);
        ++(asked.answer == Answer::Allow ? record.allowed : record.refused);
        record.lastAskAt = event.ruleTime;
        record.usedBy[event.agent] = event.ruleTime;
        context.touch(key);
    }
    if (asked.answer == Answer::Deny) {
        if (asked.exact && !fleet.recorded)
            keepForPass(
                fleet, id,
                {event.agent, event.task, asked.tool, *asked.exact, asked.refusal.trip, event.ruleTime, asked.shown});
        return {};
    }
    if (asked.pass.isSet() && fleet.passes.erase(asked.pass) == 0)
        return malformed(event, "a call by a pass that nobody gave");

    ++asker.agent.calls;
    ++asker.task.calls;
    if (asked.volume)
        countVolume(fleet.counters, asked.volumeHours, event.agent, asker.root, asked.tool, asked.value,
                    context.windowTime(), fleet.calendar());
    PendingAsk pending;
    pending.agent = event.agent;
    pending.task = event.task;
    pending.askedAt = event.ruleTime;
    pending.askedAtSteady = event.steady;
    pending.tool = asked.tool;
    pending.probe = asked.probe;
    pending.byPass = asked.pass.isSet();
    pending.ownBreaker = asked.ownBreaker;
    pending.generation = asked.generation;
    pending.identity = asked.identity;
    pending.summary = fleet.names(asked.tool).substr(0, 200);
    if (asked.value && !fleet.tool(event.agent, asked.tool).hidesValue())
        pending.summary += ' ' + asked.value->toString(2);
    fleet.pending.emplace_hint(fleet.pending.end(), id, std::move(pending));
    return {};
}

namespace {

BreakerEvent eventOf(CallOutcome outcome)
{
    return outcome == CallOutcome::Success ? BreakerEvent::Success
        : outcome == CallOutcome::Failure  ? BreakerEvent::Failure
                                           : BreakerEvent::Neutral;
}

/// The task has ended before its last result came: with it the client's id goes too.
void forgetSettled(Fleet &fleet, const PendingAsk &settled, AskId ask)
{
    const auto asks = fleet.clientAsks.find(settled.agent);
    if (asks == fleet.clientAsks.end() || !fleet.task(settled.task).ended)
        return;
    std::erase_if(asks->second, [ask](const auto &entry) { return entry.second.ask == ask; });
    if (asks->second.empty())
        fleet.clientAsks.erase(asks);
}

} // namespace

Result<void> applyResult(Context &context, const StepFinished &finished)
{
    if (finished.late)
        return {};
    auto &fleet = context.fleet;
    const auto place = fleet.pending.find(finished.ask);
    if (place == fleet.pending.end() || place->second.tool.isSet())
        return malformed(context.event, "a result of no ask");
    const auto pending = place->second;
    fleet.pending.erase(place);
    fleet.uncharged.erase(finished.ask);
    forgetSettled(fleet, pending, finished.ask);
    settle(context, finished.outcome, pending.agent, pending.task, pending.key, pending.endpoint, pending.reserved,
           pending.charged, pending.askedAt);
    return {};
}

Result<void> applyResult(Context &context, const CallFinished &finished)
{
    auto &fleet = context.fleet;
    const auto *row = context.event.row != 0 ? rowOfId(kBreakerTable, context.event.row) : nullptr;
    if (context.event.row != 0 && row == nullptr)
        return malformed(context.event, "a row that no table has");
    const BreakerKey key{finished.tool, finished.ownBreaker ? context.event.agent : AgentId{}};
    const bool isLate = row != nullptr && row->id == kLateRow;
    if (row != nullptr
        && (!isTaken(fleet, key, *row, eventOf(finished.outcome))
            || (!isLate && !fleet.pending.contains(finished.ask))))
        return malformed(context.event, "a result that its breaker did not hear so");
    if (row != nullptr && finished.tool.isSet()) {
        auto &record = fleet.breakers[key];
        applyBreaker(record.breaker, *row, {context.now(), finished.ask, {}, {}, 0});
        if (!record.breaker.probe.isSet())
            fleet.probesOut.erase(key);
        record.failures += finished.outcome == CallOutcome::Failure && row->id != kLateRow ? 1 : 0;
        record.late += row->id == kLateRow ? 1 : 0;
        context.touch(key);
    }
    const auto place = fleet.pending.find(finished.ask);
    if (place == fleet.pending.end())
        return {};
    const auto root = fleet.rootOf(place->second.task);
    countResult(fleet.counters.root(root).row, place->second.identity, finished.changed);
    const auto settled = place->second;
    fleet.pending.erase(place);
    forgetSettled(fleet, settled, finished.ask);
    return {};
}

Result<void> applyResult(Context &context, const ResultMissing &missing)
{
    auto &fleet = context.fleet;
    const auto place = fleet.pending.find(missing.ask);
    if (place == fleet.pending.end())
        return malformed(context.event, "a missing result of no ask");
    fleet.uncharged.erase(missing.ask);
    if (missing.forgotten) {
        const auto settled = place->second;
        fleet.pending.erase(place);
        forgetSettled(fleet, settled, missing.ask);
        return {};
    }
    auto &pending = place->second;
    settleSpend(fleet.counters, pending.key, fleet.keyPolicy(pending.key), pending.reserved, pending.reserved,
                pending.askedAt, fleet.calendar());
    context.touchSpend(pending.key, pending.askedAt);
    pending.charged = true;
    auto &agent = context.agent(pending.agent);
    agent.cost += pending.reserved;
    context.task(pending.task).cost += pending.reserved;
    ++agent.unpriced;
    return {};
}

} // namespace handreset::rules::fold

// What comes of asks: results of model calls and tool calls, and results that never came.
#include "model/rules/ask_place.h"

#include <algorithm>
#include <vector>

namespace handreset::rules {

namespace {

/// The ask that the agent's own id stands for; not set where its task has ended, or it never asked so.
AskId askOf(const Fleet &fleet, const std::string &agent, const std::string &clientId)
{
    const auto asks = fleet.clientAsks.find(AgentId{fleet.names.find(NameKind::Agent, agent)});
    if (asks == fleet.clientAsks.end())
        return {};
    const auto found = asks->second.find(clientId);
    return found != asks->second.end() ? found->second.ask : AskId{};
}

/// The pending ask of a result; an Error where no such ask was ever made or it is another agent's. None: late.
Result<std::optional<PendingAsk>> pendingOf(const Draft &draft, AskId id, const std::string &agent, bool isCall)
{
    const auto &fleet = draft.fleet();
    if (!id.isSet() || id.value > fleet.seq.value)
        return Error{ErrorCode::NotFound, "no such ask; use the id that the decision gave", "id"};
    const auto found = fleet.pending.find(id);
    if (found == fleet.pending.end())
        return std::optional<PendingAsk>();
    if (fleet.names(found->second.agent) != agent)
        return Error{ErrorCode::Refused, "the ask is another agent's", "agent"};
    if (found->second.tool.isSet() != isCall)
        return Error{ErrorCode::BadInput, "the ask was of the other kind: steps and calls have results of their own", "id"};
    return std::optional<PendingAsk>(found->second);
}

AgentId knownAgent(const Fleet &fleet, const std::string &agent)
{
    return AgentId{fleet.names.find(NameKind::Agent, agent)};
}

/// After a settled cost: full windows trip, used up overdrafts open. Only windows that have not ended.
void judgeSettled(Draft &draft, FiringContext context, Decimal cost, Instant askedAt, Judgement &judgement)
{
    const auto &fleet = draft.fleet();
    const auto now = draft.time();
    const auto &policy = fleet.keyPolicy(context.key);
    Judgement settled;
    judgeSpendSettled(fleet.counters, context.key, policy, cost, askedAt, fleet.calendar(), settled);
    for (auto &firing : settled.fired) {
        const auto span = fleet.calendar().span(WindowKind{firing.windowHours}, askedAt);
        if (now.wall >= span.end)
            continue;
        const auto *active = fleet.activeTrip(subjectOf(fleet, firing, context));
        if (active == nullptr) {
            judgement.fired.push_back(firing);
            continue;
        }
        const auto window = std::find_if(policy.windows.begin(), policy.windows.end(), [&](const SpendWindow &w) {
            return w.window.hours == firing.windowHours;
        });
        if (active->rung == Rung::Degraded && window != policy.windows.end()
            && firing.measured >= firing.limit + window->overdraft) {
            const auto measured = firing.measured.toString(2) + ' ' + policy.currency;
            draft.emit(active->agent, context.task, 23, TripOpened{active->id, measured});
        }
    }
    judgement.watched.insert(judgement.watched.end(), settled.watched.begin(), settled.watched.end());
}

} // namespace

void decide(Draft &draft, const FinishStep &command)
{
    if (command.report.cost && command.report.cost->amount.isNegative())
        return draft.answer(Error{ErrorCode::BadInput, "is negative; a cost is never below 0", "cost"});
    if (auto wrong = checkName("model", command.report.model, true))
        return draft.answer(*wrong);
    if (command.report.tokensIn.value_or(0) < 0 || command.report.tokensOut.value_or(0) < 0)
        return draft.answer(Error{ErrorCode::BadInput, "is negative; tokens are counted from 0", "tokens"});
    const auto ask = command.ask.isSet() ? command.ask : askOf(draft.fleet(), command.agent, command.clientId);
    const auto found = pendingOf(draft, ask, command.agent, false);
    if (!found)
        return draft.answer(found.error());
    const auto &fleet = draft.fleet();
    if (!found->has_value()) {
        StepFinished late{ask, {}, true};
        late.outcome.ok = command.report.ok;
        const auto seq = draft.emit(knownAgent(fleet, command.agent), {}, 0, std::move(late));
        return draft.answer(ActDone{seq, {}, {}});
    }
    const auto &pending = **found;
    StepFinished finished{ask, outcomeOf(draft, pending.agent, pending.key, command.report, fleet.names(pending.model),
                                    pending.reserved),
                          false};
    finished.outcome.model = draft.model(command.report.model);
    FiringContext context{.agent = pending.agent, .task = pending.task, .root = fleet.rootOf(pending.task),
                          .session = fleet.task(pending.task).session, .key = pending.key, .endpoint = pending.endpoint,
                          .ask = ask, .retryAfterSeconds = finished.outcome.retryAfterSeconds,
                          .at = pending.askedAt};
    Judgement judgement;
    if (pending.endpoint.isSet()) {
        const auto counted = fleet.counters.endpoints.find(pending.endpoint);
        static const EndpointCounters none;
        judgeProvider(counted != fleet.counters.endpoints.end() ? counted->second : none,
                      classify(command.report.ok, command.report.status), command.report.status,
                      fleet.agentPolicy(pending.agent).provider, draft.time().steady, judgement);
    }
    const auto &cheaper = fleet.agentPolicy(pending.agent).degradedModel;
    if (pending.degraded && !cheaper.empty() && !command.report.model.empty() && command.report.model != cheaper) {
        Firing firing;
        firing.signal = Signal::Envelope;
        firing.cap = Cap::Model;
        firing.action = Rung::Open;
        firing.reach = fleet.agentPolicy(pending.agent).envelope.reaches;
        firing.why = "asked while degraded, answered by another model";
        judgement.fired.push_back(firing);
        context.destination = command.report.model;
    }
    const auto cost = finished.outcome.cost;
    const auto seq = draft.emit(pending.agent, pending.task, 0, std::move(finished));
    judgeSettled(draft, context, cost, pending.askedAt, judgement);
    for (const auto &firing : judgement.fired)
        fire(draft, firing, context);
    noteWatched(draft, judgement.watched, context);
    draft.answer(ActDone{seq, {}, fleet.agent(pending.agent).revision});
}

void decide(Draft &draft, const FinishCall &command)
{
    const auto ask = command.ask.isSet() ? command.ask : askOf(draft.fleet(), command.agent, command.clientId);
    const auto found = pendingOf(draft, ask, command.agent, true);
    if (!found)
        return draft.answer(found.error());
    const auto &fleet = draft.fleet();
    CallFinished finished{ask, {}, command.outcome, bounded(command.error, 512), command.changed, false};
    if (!found->has_value()) {
        const auto seq = draft.emit(knownAgent(fleet, command.agent), {}, kLateRow, std::move(finished));
        return draft.answer(ActDone{seq, {}, {}});
    }
    const auto &pending = **found;
    finished.tool = pending.tool;
    finished.ownBreaker = pending.ownBreaker;
    std::uint8_t row = 0;
    if (!draft.observes()) {
        const BreakerKey key{pending.tool, pending.ownBreaker ? pending.agent : AgentId{}};
        const auto event = command.outcome == CallOutcome::Success ? BreakerEvent::Success
            : command.outcome == CallOutcome::Failure              ? BreakerEvent::Failure
                                                                   : BreakerEvent::Neutral;
        row = decideBreaker(fleet.breaker(key), {event, ask, pending.generation},
                            fleet.toolPolicy(pending.agent, pending.tool).breaker, draft.time().steady)
                  .id;
    }
    const auto seq = draft.emit(pending.agent, pending.task, row, std::move(finished));
    draft.answer(ActDone{seq, {}, fleet.agent(pending.agent).revision});
}

void decide(Draft &draft, const Tick &)
{
    const auto &fleet = draft.fleet();
    const auto now = draft.time();
    std::vector<AskId> due;
    for (const auto id : fleet.uncharged) {
        if (now.steady - fleet.pending.at(id).askedAtSteady < kResultDue)
            break; // in the order of the asks
        due.push_back(id);
    }
    std::vector<AskId> forgotten;
    for (const auto &[id, pending] : fleet.pending) {
        if (now.steady - pending.askedAtSteady < kResultForgotten)
            break;
        // A call's result counts while its generation is current, however late (spec 2).
        const BreakerKey key{pending.tool, pending.ownBreaker ? pending.agent : AgentId{}};
        const bool mayCount = pending.tool.isSet() && fleet.breaker(key).generation == pending.generation;
        if (!mayCount && (pending.tool.isSet() || pending.charged))
            forgotten.push_back(id);
    }
    if (draft.observes())
        return;
    for (const auto id : due) {
        const auto pending = fleet.pending.at(id);
        draft.emit(pending.agent, pending.task, 0, ResultMissing{id, false});
        FiringContext context{.agent = pending.agent, .task = pending.task, .root = fleet.rootOf(pending.task),
                              .key = pending.key, .endpoint = pending.endpoint, .ask = id, .at = pending.askedAt};
        Judgement judgement;
        judgeSettled(draft, context, pending.reserved, pending.askedAt, judgement);
        for (const auto &firing : judgement.fired)
            fire(draft, firing, context);
    }
    for (const auto id : forgotten)
        draft.emit(fleet.pending.at(id).agent, {}, 0, ResultMissing{id, true});
}

} // namespace handreset::rules

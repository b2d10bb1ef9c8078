// What an ask is answered (spec 3.3, Order): for a model call rung, models, steps, spend, provider; for a tool call
// rung, undeclared, envelope, repetition, breaker. The first that refuses answers; every signal that fired is recorded.
#include "model/rules/draft.h"

#include <algorithm>
#include <array>

namespace handreset::rules {

namespace {

/// The places of an ask, resolved and checked.
struct Place {
    AgentId agent;
    TaskId task;
    TaskId root;
    TaskId parent;
    SessionId session;
};

std::optional<Error> checkPlace(const std::string &agent, const std::string &task, const std::string &session,
                                const std::string &parent)
{
    if (auto wrong = checkName("agent", agent))
        return wrong;
    if (auto wrong = checkName("task", task))
        return wrong;
    if (auto wrong = checkName("session", session, true))
        return wrong;
    return checkName("parent", parent, true);
}

/// The parent task of this name: the agent's own, else of an agent that the policy lists as a possible parent.
TaskId findParent(const Fleet &fleet, AgentId agent, std::string_view agentName, std::string_view parent)
{
    if (const TaskId own{fleet.names.find(NameKind::Task, parent, agent)}; agent.isSet() && own.isSet())
        return own;
    for (const auto &other : fleet.policy->forAgent(agentName).parents) {
        const AgentId owner{fleet.names.find(NameKind::Agent, other)};
        if (const TaskId found{fleet.names.find(NameKind::Task, parent, owner)}; owner.isSet() && found.isSet())
            return found;
    }
    return {};
}

/// Resolves who asks. An Error where the ask is wrong; then nothing was named.
Result<Place> resolve(Draft &draft, const std::string &agent, const std::string &task, const std::string &session,
                      const std::string &parent)
{
    if (auto wrong = checkPlace(agent, task, session, parent))
        return *wrong;
    Place place;
    place.agent = AgentId{draft.fleet().names.find(NameKind::Agent, agent)};
    if (place.agent.isSet())
        place.task = TaskId{draft.fleet().names.find(NameKind::Task, task, place.agent)};
    const auto &known = draft.fleet().task(place.task);
    const bool isFirst = known.steps + known.calls + known.refused == 0;
    if (!parent.empty()) {
        place.parent = findParent(draft.fleet(), place.agent, agent, parent);
        if (!place.parent.isSet() || place.parent == place.task)
            return Error{ErrorCode::BadInput,
                         "names no task of this agent, nor of an agent that the policy lists in its parents", "parent"};
        if (!isFirst && known.parent != place.parent)
            return Error{ErrorCode::BadInput, "differs from the one given at the task's first ask; a parent never changes",
                         "parent"};
    }
    place.agent = draft.agent(agent);
    place.task = draft.task(place.agent, task);
    place.session = session.empty() ? draft.fleet().task(place.task).session : draft.session(place.agent, session);
    place.root = isFirst && place.parent.isSet() ? draft.fleet().rootOf(place.parent) : draft.fleet().rootOf(place.task);
    return place;
}

/// The open or worst trip that holds this task, first one first; nullptr where none does.
const Trip *holder(const Fleet &fleet, const Place &place, Rung rung)
{
    for (const auto &[id, trip] : fleet.trips) {
        const bool reaches = trip.reach == Reach::Task ? trip.root == place.root : fleet.reachesAgent(trip, place.agent);
        if (reaches && trip.rung == rung)
            return &trip;
    }
    return nullptr;
}

std::int64_t secondsUntil(const Trip &trip, Now now)
{
    const auto left = trip.endsAtSteady ? (*trip.endsAtSteady - now.steady).micros
        : trip.endsAt                   ? (*trip.endsAt - now.wall).micros
                                        : 0;
    return std::max<std::int64_t>(1, (left + 999'999) / 1'000'000);
}

void retryWhenLifted(Refusal &refusal, const Trip &trip, Now now)
{
    refusal.trip = trip.id;
    refusal.retry = trip.latch == LatchState::HeldByClock ? RetryKind::AfterSeconds : RetryKind::AfterHuman;
    refusal.retryAfter = trip.latch == LatchState::HeldByClock ? secondsUntil(trip, now) : 0;
}

/// The refusals that evaluate nothing further: ended task, open rung, waiting in the queue.
std::optional<Refusal> refusedByRung(const Draft &draft, const Place &place, bool isWrite)
{
    const auto &fleet = draft.fleet();
    Refusal refusal;
    if (fleet.task(place.task).ended) {
        refusal.source = RefusalSource::TaskEnded;
        refusal.text = "the task has ended; an ended task's id is never used again";
        return refusal;
    }
    const auto rung = std::max(fleet.agent(place.agent).rung, fleet.task(place.root).rung);
    if (rung == Rung::Open || (rung == Rung::Degraded && isWrite)) {
        refusal.source = RefusalSource::Rung;
        refusal.retry = RetryKind::AfterHuman;
        if (const auto *trip = holder(fleet, place, rung)) {
            retryWhenLifted(refusal, *trip, draft.time());
            refusal.text = "switch " + std::string(toWord(rung)) + " by " + std::string(toWord(trip->subject.signal));
        } else {
            refusal.text = "switch " + std::string(toWord(rung));
        }
        if (rung == Rung::Degraded)
            refusal.text += ": write tools are refused";
        return refusal;
    }
    const auto item = fleet.queue.find(place.root);
    if (item != fleet.queue.end() && item->second.waiting) {
        refusal.source = RefusalSource::Queue;
        refusal.trip = item->second.trip;
        refusal.retry = RetryKind::AfterHuman;
        refusal.text = "the task waits in the human queue";
        return refusal;
    }
    return std::nullopt;
}

void denyUncounted(Draft &draft, const Place &place, ToolId tool, Refusal refusal)
{
    auto decision = decisionFor(draft.fleet(), place.agent, place.task);
    decision.allow = false;
    decision.reason = refusal;
    draft.answerUncounted({place.agent, place.task, tool, std::move(refusal)});
    draft.answer(std::move(decision));
}

Refusal refusalOf(const Fleet &fleet, RefusalSource source, const Firing &firing, const FiringContext &context)
{
    Refusal refusal;
    refusal.source = source;
    refusal.retry = RetryKind::AfterHuman;
    refusal.text = wordsOf(fleet, firing, context);
    return refusal;
}

/// Keeps the first refusal.
void refuse(std::optional<Refusal> &first, Refusal next)
{
    if (!first)
        first = std::move(next);
}

// ---- Model calls -------------------------------------------------------------------------------------------

bool isListed(const std::vector<std::string> &list, std::string_view text)
{
    return std::find(list.begin(), list.end(), text) != list.end();
}

std::optional<Refusal> refusedByModel(const Fleet &fleet, const Place &place, const std::string &model, Rung rung)
{
    const auto &policy = fleet.agentPolicy(place.agent);
    Refusal refusal;
    refusal.source = RefusalSource::Models;
    if (rung == Rung::Degraded && !policy.degradedModel.empty()) {
        if (model.empty() || model == policy.degradedModel)
            return std::nullopt;
        refusal.source = RefusalSource::Rung;
        refusal.text = "switch degraded: use the model " + policy.degradedModel;
        return refusal;
    }
    if (model.empty() || policy.models.empty() || isListed(policy.models, model)
        || (rung == Rung::Degraded && model == policy.degradedModel))
        return std::nullopt;
    refusal.text = "the policy does not list this model for the agent";
    return refusal;
}

/// Judges every window of the key. Full windows fire; the first that does not fit refuses.
void judgeSpend(const Draft &draft, const FiringContext &context, Decimal estimate, Decimal policyEstimate,
                Judgement &judgement, std::vector<TripId> &overdrawn, std::optional<Refusal> &first)
{
    const auto &fleet = draft.fleet();
    const auto now = draft.time();
    for (const auto &window : fleet.keyPolicy(context.key).windows) {
        TripSubject subject;
        subject.signal = Signal::Spend;
        subject.key = context.key;
        subject.windowHours = window.window.hours;
        const auto *active = fleet.activeTrip(subject);
        const bool onOverdraft = active != nullptr && active->rung == Rung::Degraded;
        const auto verdict = judgeSpendAsk(fleet.counters, context.key, window, onOverdraft, estimate, policyEstimate,
                                           now.wall, fleet.calendar());
        if (verdict.kind == SpendVerdict::Kind::Fits)
            continue;
        const auto span = fleet.calendar().span(window.window, now.wall);
        Refusal refusal;
        refusal.source = RefusalSource::Spend;
        refusal.retry = RetryKind::AfterSeconds;
        refusal.retryAfter = std::max<std::int64_t>(1, ((span.end - now.wall).micros + 999'999) / 1'000'000);
        const auto taken = verdict.sum.settled + verdict.sum.reserved;
        refusal.text = "spend in " + window.window.toString() + ": " + taken.toString(2) + " of " + verdict.cap.toString(2)
            + ' ' + fleet.keyPolicy(context.key).currency;
        if (verdict.kind == SpendVerdict::Kind::WaitForOthers) {
            refusal.retryAfter = 1;
            refusal.text += ", part of it reserved by calls that are under way";
        } else if (verdict.kind == SpendVerdict::Kind::AskTooLarge) {
            refusal.text += "; this estimate does not fit, a smaller one would";
        } else if (onOverdraft) {
            overdrawn.push_back(active->id);
        } else {
            Firing firing;
            firing.signal = Signal::Spend;
            firing.action = window.action;
            firing.reach = Reach::Key;
            firing.measured = verdict.sum.settled;
            firing.limit = verdict.cap;
            firing.windowHours = window.window.hours;
            judgement.fired.push_back(firing);
        }
        refuse(first, std::move(refusal));
    }
}

void refuseByProvider(const Draft &draft, EndpointId endpoint, std::optional<Refusal> &first)
{
    TripSubject subject;
    subject.signal = Signal::Provider;
    subject.endpoint = endpoint;
    const auto *active = draft.fleet().activeTrip(subject);
    if (active == nullptr)
        return;
    Refusal refusal;
    refusal.source = RefusalSource::Provider;
    retryWhenLifted(refusal, *active, draft.time());
    refusal.text = "the endpoint is cooling down: " + active->evidence.measured;
    refuse(first, std::move(refusal));
}

Decimal estimateOf(const Fleet &fleet, const Place &place, KeyId key, const std::optional<Money> &own)
{
    const auto &policy = fleet.agentPolicy(place.agent).estimate.amount;
    const bool comparable = own && own->currency == fleet.keyPolicy(key).currency;
    return comparable ? std::max(policy, own->amount) : policy;
}

/// The result that a report states, priced (spec 3.3, Spend).
StepOutcome outcomeOf(Draft &draft, AgentId agent, KeyId key, const StepReport &report, const std::string &askedModel,
                      std::optional<Decimal> reserved)
{
    const auto &fleet = draft.fleet();
    const auto estimate = fleet.agentPolicy(agent).estimate.amount;
    const auto cost = costOf(report.cost, report.tokensIn, report.tokensOut,
                             report.model.empty() ? askedModel : report.model, *fleet.policy,
                             fleet.keyPolicy(key).currency, estimate);
    StepOutcome outcome;
    outcome.ok = report.ok;
    outcome.status = report.status;
    outcome.error = bounded(report.error, 512);
    outcome.tokensIn = report.tokensIn;
    outcome.tokensOut = report.tokensOut;
    outcome.retryAfterSeconds = std::clamp<std::int64_t>(report.retryAfterSeconds, 0, 86'400);
    outcome.cost = cost.amount;
    outcome.costSource = cost.unpriced ? CostSource::Unpriced
        : cost.priced                  ? CostSource::Priced
        : cost.reported                ? CostSource::Reported
                                       : CostSource::None;
    if (!cost.stated && reserved) { // no price was stated: the reservation stands for it, never nothing
        outcome.cost = *reserved;
        outcome.costSource = CostSource::Unpriced;
    }
    return outcome;
}

Decision allowed(const Draft &draft, const Place &place, AskId id)
{
    auto decision = decisionFor(draft.fleet(), place.agent, place.task);
    decision.id = id;
    decision.allow = true;
    return decision;
}

Decision denied(const Draft &draft, const Place &place, AskId id, const Refusal &refusal, TripId trip)
{
    auto decision = decisionFor(draft.fleet(), place.agent, place.task);
    decision.id = id;
    decision.reason = refusal;
    if (!decision.reason.trip.isSet())
        decision.reason.trip = trip;
    return decision;
}

/// A recorded model call: judged without refusing; its result stands in the same line.
void observeStep(Draft &draft, const Place &place, const AskStep &command, StepAsked asked, Judgement judgement,
                 FiringContext context)
{
    const auto &fleet = draft.fleet();
    const auto report = command.outcome.value_or(StepReport{});
    const auto result = classify(report.ok, report.status);
    if (asked.endpoint.isSet()) {
        const auto counted = fleet.counters.endpoints.find(asked.endpoint);
        judgeProvider(counted != fleet.counters.endpoints.end() ? counted->second : EndpointCounters{}, result,
                      report.status, fleet.agentPolicy(place.agent).provider, draft.time().steady, judgement);
    }
    asked.outcome = outcomeOf(draft, place.agent, asked.key, report, command.model, std::nullopt);
    asked.outcome->model = draft.model(report.model);
    const auto cost = asked.outcome->cost;
    context.ask = AskId{draft.emit(place.agent, place.task, 0, std::move(asked)).value};
    if (const auto at = draft.windowTime()) {
        context.at = at;
        judgeSpendSettled(fleet.counters, context.key, fleet.keyPolicy(context.key), cost, *at, fleet.calendar(), judgement);
    }
    for (const auto &firing : judgement.fired)
        fire(draft, firing, context);
    noteWatched(draft, judgement.watched, context);
    draft.answer(allowed(draft, place, context.ask));
}

} // namespace

void decide(Draft &draft, const AskStep &command)
{
    const auto &endpointText = command.endpoint.empty() ? command.model : command.endpoint;
    for (const auto &[field, text] : {std::pair{"endpoint", &endpointText}, std::pair{"model", &command.model}}) {
        if (auto wrong = checkName(field, *text, true))
            return draft.answer(*wrong);
    }
    if (command.estimate && command.estimate->amount.isNegative())
        return draft.answer(Error{ErrorCode::BadInput, "is negative; give the cost that the call may reach",
                                  "estimated_cost"});
    if (command.outcome && command.outcome->cost && command.outcome->cost->amount.isNegative())
        return draft.answer(Error{ErrorCode::BadInput, "is negative; a cost is never below 0", "cost"});
    auto resolved = resolve(draft, command.agent, command.task, command.session, command.parent);
    if (!resolved)
        return draft.answer(resolved.error());
    const auto place = *resolved;
    const auto &fleet = draft.fleet();
    const auto rung = std::max(fleet.agent(place.agent).rung, fleet.task(place.root).rung);
    if (!draft.observes()) {
        if (auto refusal = refusedByRung(draft, place, false))
            return denyUncounted(draft, place, {}, std::move(*refusal));
    }

    StepAsked asked;
    asked.parent = place.parent;
    asked.session = place.session;
    asked.model = draft.model(command.model);
    asked.endpoint = draft.endpoint(endpointText);
    asked.key = fleet.agent(place.agent).key;
    asked.degraded = rung == Rung::Degraded;
    asked.timeMeasured = draft.moment().timeMeasured;
    FiringContext context{.agent = place.agent, .task = place.task, .root = place.root, .session = place.session,
                          .key = asked.key, .endpoint = asked.endpoint};
    Judgement judgement;
    judgeSteps(fleet.counters, fleet.agentPolicy(fleet.task(place.root).agent).steps, fleet.agentPolicy(place.agent).steps,
               {place.agent, place.root, place.session, asked.key, asked.endpoint}, draft.windowTime(), fleet.calendar(),
               judgement);
    if (draft.observes())
        return observeStep(draft, place, command, std::move(asked), std::move(judgement), std::move(context));

    std::optional<Refusal> refusal = refusedByModel(fleet, place, command.model, rung);
    if (!judgement.fired.empty())
        refuse(refusal, refusalOf(fleet, RefusalSource::Steps, judgement.fired.front(), context));
    std::vector<TripId> overdrawn;
    const auto estimate = estimateOf(fleet, place, asked.key, command.estimate);
    judgeSpend(draft, context, estimate, fleet.agentPolicy(place.agent).estimate.amount, judgement, overdrawn, refusal);
    if (asked.endpoint.isSet())
        refuseByProvider(draft, asked.endpoint, refusal);

    asked.answer = refusal ? Answer::Deny : Answer::Allow;
    asked.refusal = refusal.value_or(Refusal{});
    if (!refusal && !fleet.keyPolicy(asked.key).windows.empty())
        asked.reserved = estimate;
    context.ask = AskId{draft.emit(place.agent, place.task, 0, std::move(asked)).value};
    TripId firstTrip;
    for (const auto &firing : judgement.fired) {
        const auto trip = fire(draft, firing, context);
        firstTrip = firstTrip.isSet() ? firstTrip : trip;
    }
    for (const auto id : overdrawn) {
        const auto measured = fleet.trip(id)->evidence.measured;
        draft.emit(fleet.trip(id)->agent, place.task, 23, TripOpened{id, measured});
        firstTrip = firstTrip.isSet() ? firstTrip : id;
    }
    noteWatched(draft, judgement.watched, context);
    draft.answer(refusal ? denied(draft, place, context.ask, *refusal, firstTrip) : allowed(draft, place, context.ask));
}

// ---- Tool calls --------------------------------------------------------------------------------------------

namespace {

/// A call refused for repetition or envelope stays refused while its trip is active, whatever the rung (spec 3.2).
const Trip *stillRefused(const Fleet &fleet, const Place &place, ToolId tool, const Digest &identity)
{
    for (const auto &[id, trip] : fleet.trips) {
        const auto &subject = trip.subject;
        const bool isRow = subject.signal == Signal::Repetition && subject.root == place.root;
        const bool isCap = subject.signal == Signal::Envelope && subject.tool == tool && subject.agent == place.agent
            && (!subject.root.isSet() || subject.root == place.root);
        if ((isRow || isCap)
            && std::find(trip.refusedCalls.begin(), trip.refusedCalls.end(), identity) != trip.refusedCalls.end())
            return &trip;
    }
    return nullptr;
}

RefusalSource sourceOf(Signal signal)
{
    return signal == Signal::Repetition ? RefusalSource::Repetition : RefusalSource::Envelope;
}

Refusal refusedByBreaker(const Fleet &fleet, BreakerKey key, const BreakerPolicy &policy, Steady now)
{
    const auto &breaker = fleet.breaker(key);
    Refusal refusal;
    refusal.source = RefusalSource::Breaker;
    refusal.breaker = key.tool;
    refusal.text = "breaker " + bounded(fleet.names(key.tool), 200) + ' ' + std::string(meaningOf(breaker, policy, now));
    if (const auto ends = whatEndsIt(breaker, policy, now); !ends.empty())
        refusal.text += ": " + ends;
    refusal.retry = RetryKind::AfterHuman;
    if (breaker.isolation || (policy.probe == ProbeBy::Operator && breaker.state == BreakerState::Open))
        return refusal;
    if (breaker.state == BreakerState::HalfOpen) {
        refusal.retry = RetryKind::AfterSeconds;
        refusal.retryAfter = std::max<std::int64_t>(1, (probeLeaseEnd(breaker, policy).value_or(now) - now).micros / 1'000'000);
    } else if (policy.cooldownSeconds && now - breaker.openedAt < seconds(*policy.cooldownSeconds)) {
        refusal.retry = RetryKind::AfterSeconds;
        const auto left = seconds(*policy.cooldownSeconds) - (now - breaker.openedAt);
        refusal.retryAfter = std::max<std::int64_t>(1, (left.micros + 999'999) / 1'000'000);
    } else {
        refusal.retry = RetryKind::AfterCalls;
        refusal.retryAfter = std::max<std::int64_t>(1, policy.cooldownCalls.value_or(1) - breaker.rejectedWhileOpen);
    }
    return refusal;
}

/// The arguments to keep, or where they are kept already.
std::string keepArguments(const Fleet &fleet, const CompiledTool &tool, const CallReading &reading,
                          const RowOfCalls &row, CallAsked &asked)
{
    static_cast<void>(fleet);
    const bool repeats = !row.last.empty() && row.last.front() == reading.identity && row.argumentsAt.isSet()
        && tool.policy().repetitionIgnore.empty();
    if (repeats) {
        asked.form = ArgumentsForm::SameAsEarlier;
        asked.sameAs = row.argumentsAt;
        return {};
    }
    asked.form = reading.canonical.isJson ? ArgumentsForm::Canonical : ArgumentsForm::Raw;
    return tool.keep(reading, kLongestArguments);
}

} // namespace

void decide(Draft &draft, const AskCall &command)
{
    if (auto wrong = checkName("tool", command.tool))
        return draft.answer(*wrong);
    auto resolved = resolve(draft, command.agent, command.task, command.session, command.parent);
    if (!resolved)
        return draft.answer(resolved.error());
    const auto place = *resolved;
    const auto &fleet = draft.fleet();
    const auto toolId = draft.tool(command.tool);
    const auto &tool = fleet.tool(place.agent, toolId);
    const auto &policy = tool.policy();
    if (!draft.observes()) {
        if (auto refusal = refusedByRung(draft, place, policy.access == Access::Write))
            return denyUncounted(draft, place, toolId, std::move(*refusal));
    }

    static thread_local CallReading reading; // its buffers are used again: an ask allocates little
    tool.read(command.tool, command.arguments, reading);
    const auto &row = fleet.counters.root(place.root).row;
    FiringContext context{.agent = place.agent, .task = place.task, .root = place.root, .session = place.session,
                          .key = fleet.agent(place.agent).key, .tool = toolId, .refusedCall = reading.identity,
                          .destination = reading.destination};
    CallAsked asked;
    asked.parent = place.parent;
    asked.session = place.session;
    asked.tool = toolId;
    asked.identity = reading.identity;
    asked.access = policy.access;
    asked.timeMeasured = draft.moment().timeMeasured;
    asked.evaluated = true;
    asked.value = reading.value;
    asked.volume = policy.volume.has_value();
    asked.volumeHours = policy.volume && policy.volume->window ? policy.volume->window->hours : 0;

    Judgement judgement;
    if (policy.hasCap()) {
        const auto volume = policy.volume ? volumeAt(fleet.counters, *policy.volume, place.agent, place.root, toolId,
                                                     draft.windowTime(), fleet.calendar())
                                          : Volume{};
        judgeEnvelope(tool, reading, volume, fleet.agentPolicy(place.agent).envelope, judgement);
    }
    judgeRepetition(row, reading.identity, fleet.agentPolicy(fleet.task(place.root).agent).repetition, policy, judgement);

    std::optional<Refusal> refusal;
    std::uint8_t rowId = 0;
    if (!draft.observes()) {
        if (!policy.declared && fleet.policy->undeclared == Undeclared::Refuse)
            refusal = Refusal{RefusalSource::Undeclared, {}, {}, RetryKind::Never, 0, "the policy does not declare this tool"};
        for (const auto &firing : judgement.fired)
            refuse(refusal, refusalOf(fleet, sourceOf(firing.signal), firing, context));
        if (!refusal) {
            if (const auto *trip = stillRefused(fleet, place, toolId, reading.identity)) {
                refusal = Refusal{sourceOf(trip->subject.signal), trip->id, {}, RetryKind::AfterHuman, 0,
                                  "this call stays refused while its trip is active"};
            }
        }
        const auto key = fleet.breakerKeyOf(place.agent, toolId);
        asked.ownBreaker = key.agent.isSet();
        asked.cooldownCalls = policy.breaker.cooldownCalls.value_or(0);
        if (!refusal) { // all or nothing: the breaker is asked only when everything else has said yes
            const auto now = draft.time().steady;
            const auto &decided = decideBreaker(fleet.breaker(key), {BreakerEvent::Ask, AskId{draft.next().value}, 0},
                                                policy.breaker, now);
            rowId = decided.id;
            asked.probe = decided.effect == BreakerEffect::TakeProbe;
            asked.generation = fleet.breaker(key).generation + (decided.moves && decided.to != fleet.breaker(key).state ? 1 : 0);
            if (decided.answer == "reject") {
                refusal = refusedByBreaker(fleet, key, policy.breaker, now);
                asked.evaluated = false; // neither extends nor breaks the row
            }
        }
    }
    asked.answer = refusal ? Answer::Deny : Answer::Allow;
    asked.refusal = refusal.value_or(Refusal{});
    if (!judgement.fired.empty())
        context.arguments = tool.keep(reading, kLongestEvidence);
    auto arguments = keepArguments(fleet, tool, reading, row, asked);
    context.ask = AskId{draft.emit(place.agent, place.task, rowId, std::move(asked), std::move(arguments)).value};
    TripId firstTrip;
    for (const auto &firing : judgement.fired) {
        const auto trip = fire(draft, firing, context);
        firstTrip = firstTrip.isSet() ? firstTrip : trip;
    }
    noteWatched(draft, judgement.watched, context);
    auto decision = refusal ? denied(draft, place, context.ask, *refusal, firstTrip) : allowed(draft, place, context.ask);
    decision.probe = !refusal && fleet.pending.contains(context.ask) && fleet.pending.at(context.ask).probe;
    draft.answer(std::move(decision));
}

// ---- Results -----------------------------------------------------------------------------------------------

namespace {

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
    const auto found = pendingOf(draft, command.ask, command.agent, false);
    if (!found)
        return draft.answer(found.error());
    const auto &fleet = draft.fleet();
    if (!found->has_value()) {
        StepFinished late{command.ask, {}, true};
        late.outcome.ok = command.report.ok;
        const auto seq = draft.emit(knownAgent(fleet, command.agent), {}, 0, std::move(late));
        return draft.answer(ActDone{seq, {}, {}});
    }
    const auto &pending = **found;
    StepFinished finished{command.ask, outcomeOf(draft, pending.agent, pending.key, command.report, {}, pending.reserved),
                          false};
    finished.outcome.model = draft.model(command.report.model);
    FiringContext context{.agent = pending.agent, .task = pending.task, .root = fleet.rootOf(pending.task),
                          .session = fleet.task(pending.task).session, .key = pending.key, .endpoint = pending.endpoint,
                          .ask = command.ask, .retryAfterSeconds = finished.outcome.retryAfterSeconds,
                          .at = pending.askedAt};
    Judgement judgement;
    if (pending.endpoint.isSet()) {
        const auto counted = fleet.counters.endpoints.find(pending.endpoint);
        judgeProvider(counted != fleet.counters.endpoints.end() ? counted->second : EndpointCounters{},
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
    const auto found = pendingOf(draft, command.ask, command.agent, true);
    if (!found)
        return draft.answer(found.error());
    const auto &fleet = draft.fleet();
    CallFinished finished{command.ask, {}, command.outcome, bounded(command.error, 512), command.changed, false};
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
        row = decideBreaker(fleet.breaker(key), {event, command.ask, pending.generation},
                            fleet.toolPolicy(pending.agent, pending.tool).breaker, draft.time().steady)
                  .id;
    }
    const auto seq = draft.emit(pending.agent, pending.task, row, std::move(finished));
    draft.answer(ActDone{seq, {}, fleet.agent(pending.agent).revision});
}

// ---- Due results -------------------------------------------------------------------------------------------

void decide(Draft &draft, const Tick &)
{
    const auto &fleet = draft.fleet();
    const auto now = draft.time();
    std::vector<AskId> due;
    std::vector<AskId> forgotten;
    for (const auto &[id, pending] : fleet.pending) {
        if (now.steady - pending.askedAtSteady < kResultDue)
            break; // in the order of the asks
        if (now.steady - pending.askedAtSteady >= kResultForgotten)
            forgotten.push_back(id);
        else if (!pending.tool.isSet() && !pending.charged)
            due.push_back(id);
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

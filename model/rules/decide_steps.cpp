// What an ask for a model call is answered (spec 3.3, Order): rung, models, steps, spend, provider. The first that
// refuses answers; every signal that fired is recorded.
#include "model/rules/ask_place.h"
#include "model/rules/repeat.h"

#include <algorithm>
#include <vector>

namespace handreset::rules {

namespace {

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
    if (policy.models.empty() || isListed(policy.models, model)
        || (rung == Rung::Degraded && model == policy.degradedModel))
        return std::nullopt;
    refusal.text = model.empty() ? "name the model: the policy lists those that the agent may use"
                                 : "the policy does not list this model for the agent";
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
        if (onOverdraft && active->endsAt && now.wall >= *active->endsAt) { // the clock is not trusted: no fresh overdraft
            refuse(first, Refusal{RefusalSource::Spend, active->id, {}, RetryKind::AfterHuman, 0,
                                  "the spend window's end waits until an operator confirms the time"});
            continue;
        }
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
    const bool comparable = own && (own->currency.empty() || own->currency == fleet.keyPolicy(key).currency);
    return comparable ? std::max(policy, own->amount) : policy;
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
        static const EndpointCounters none;
        judgeProvider(counted != fleet.counters.endpoints.end() ? counted->second : none, result,
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

/// What refuses a model call that was allowed before, and counted then: its model and its endpoint.
std::optional<Refusal> refusedByNow(const Draft &draft, const Place &place, const PendingAsk &pending,
                                    const std::string &model)
{
    const auto &fleet = draft.fleet();
    auto refusal = refusedByModel(fleet, place, model, std::max(fleet.agent(place.agent).rung, fleet.task(place.root).rung));
    if (!refusal && pending.endpoint.isSet())
        refuseByProvider(draft, pending.endpoint, refusal);
    return refusal;
}

} // namespace

void decide(Draft &draft, const AskStep &command)
{
    std::string endpointText = command.endpoint.empty() ? command.model : command.endpoint;
    if (auto wrong = checkName("endpoint", command.endpoint, true))
        return draft.answer(*wrong);
    if (auto wrong = checkName("model", command.model, true))
        return draft.answer(*wrong);
    if (command.estimate && command.estimate->amount.isNegative())
        return draft.answer(Error{ErrorCode::BadInput, "is negative; give the cost that the call may reach",
                                  "estimated_cost"});
    if (command.outcome && command.outcome->cost && command.outcome->cost->amount.isNegative())
        return draft.answer(Error{ErrorCode::BadInput, "is negative; a cost is never below 0", "cost"});
    if (auto wrong = checkPlace(command.agent, command.task, command.session, command.parent))
        return draft.answer(*wrong);
    if (answeredAsRepeat(draft, command.agent, command.task, command.client, false,
                         [&](const Place &place, AskId, const PendingAsk &pending) {
                             return refusedByNow(draft, place, pending, command.model);
                         }))
        return;
    if (!draft.observes() && refusedBeforeNaming(draft, command.agent, command.task))
        return;
    auto resolved = resolvePlace(draft, command.agent, command.task, command.session, command.parent);
    if (!resolved)
        return draft.answer(resolved.error());
    const auto place = *resolved;
    const auto &fleet = draft.fleet();
    const auto rung = std::max(fleet.agent(place.agent).rung, fleet.task(place.root).rung);
    if (!draft.observes()) {
        if (auto refusal = refusedByRung(draft, place, false))
            return denyUncounted(draft, place, {}, std::move(*refusal));
        if (auto refusal = refusedByModel(fleet, place, command.model, rung);
            refusal && refusal->source == RefusalSource::Rung)
            return denyUncounted(draft, place, {}, std::move(*refusal));
    }

    StepAsked asked;
    asked.parent = place.parent;
    asked.session = place.session;
    if (endpointText.empty() && rung == Rung::Degraded)
        endpointText = fleet.agentPolicy(place.agent).degradedModel; // it is told which model to use
    asked.model = draft.model(command.model);
    asked.endpoint = draft.endpoint(endpointText);
    asked.key = fleet.agent(place.agent).key;
    asked.degraded = rung == Rung::Degraded;
    asked.timeMeasured = draft.moment().timeMeasured;
    asked.client = command.client;
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
    if (!refusal)
        noteWatched(draft, judgement.watched, context);
    draft.answer(refusal ? denied(draft, place, context.ask, *refusal, firstTrip) : allowed(draft, place, context.ask));
}

} // namespace handreset::rules

#include "model/rules/ask_place.h"

#include <algorithm>
#include <set>

namespace handreset::rules {

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

namespace {

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

} // namespace

Result<Place> resolvePlace(Draft &draft, const std::string &agent, const std::string &task, const std::string &session,
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
    const auto kept = draft.fleet().task(place.task).session; // a task stays in its session, whatever it says later
    place.session = kept.isSet() || session.empty() ? kept : draft.session(place.agent, session);
    place.root = isFirst && place.parent.isSet() ? draft.fleet().rootOf(place.parent) : draft.fleet().rootOf(place.task);
    return place;
}

namespace {

/// The trip of this rung that holds the task: a human's before the clock's, then the first; nullptr where none does.
const Trip *holder(const Fleet &fleet, const Place &place, Rung rung)
{
    const Trip *found = nullptr;
    const auto look = [&](const std::set<TripId> &candidates) {
        for (const auto id : candidates) {
            const auto &trip = fleet.trips.at(id);
            const bool reaches = trip.tree() == place.root || fleet.reachesAgent(trip, place.agent);
            if (!reaches || trip.rung != rung)
                continue;
            const bool isBetter = found == nullptr
                || (found->latch == LatchState::HeldByClock && trip.latch == LatchState::HeldByHuman);
            if (isBetter)
                found = &trip;
        }
    };
    if (const auto own = fleet.tripsOfAgent.find(place.agent); own != fleet.tripsOfAgent.end())
        look(own->second);
    if (const auto tree = fleet.tripsOfTree.find(place.root); tree != fleet.tripsOfTree.end())
        look(tree->second);
    look(fleet.wideTrips);
    return found;
}

std::int64_t secondsUntil(const Trip &trip, Now now)
{
    const auto left = trip.endsAtSteady ? (*trip.endsAtSteady - now.steady).micros
        : trip.endsAt                   ? (*trip.endsAt - now.wall).micros
                                        : 0;
    return std::max<std::int64_t>(1, (left + 999'999) / 1'000'000);
}

} // namespace

void retryWhenLifted(Refusal &refusal, const Trip &trip, Now now)
{
    refusal.trip = trip.id;
    refusal.retry = trip.latch == LatchState::HeldByClock ? RetryKind::AfterSeconds : RetryKind::AfterHuman;
    refusal.retryAfter = trip.latch == LatchState::HeldByClock ? secondsUntil(trip, now) : 0;
}

std::optional<Refusal> refusedByRung(const Draft &draft, const Place &place, bool isWrite)
{
    const auto &fleet = draft.fleet();
    Refusal refusal;
    if (fleet.task(place.task).ended || fleet.task(place.root).ended) {
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
    auto item = fleet.queue.find(place.root);
    if (item == fleet.queue.end() || !item->second.waiting)
        item = fleet.queue.find(place.task);
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
    // A task without a logged ask is not counted yet: its first one must still be able to name its parent.
    const auto &task = draft.fleet().task(place.task);
    const bool isKnown = task.steps + task.calls + task.refused > 0;
    draft.answerUncounted({place.agent, isKnown ? place.task : TaskId{}, tool, std::move(refusal)});
    draft.answer(std::move(decision));
}

bool refusedBeforeNaming(Draft &draft, const std::string &agent, const std::string &task)
{
    const auto &fleet = draft.fleet();
    Place place;
    place.agent = AgentId{fleet.names.find(NameKind::Agent, agent)};
    if (!place.agent.isSet() || fleet.agent(place.agent).rung != Rung::Open
        || fleet.names.find(NameKind::Task, task, place.agent) != 0)
        return false;
    auto refusal = refusedByRung(draft, place, false);
    if (refusal)
        denyUncounted(draft, place, {}, std::move(*refusal));
    return refusal.has_value();
}

Refusal refusalOf(const Fleet &fleet, RefusalSource source, const Firing &firing, const FiringContext &context)
{
    Refusal refusal;
    refusal.source = source;
    refusal.retry = RetryKind::AfterHuman;
    refusal.text = wordsOf(fleet, firing, context);
    return refusal;
}

void refuse(std::optional<Refusal> &first, Refusal next)
{
    if (!first)
        first = std::move(next);
}

StepOutcome outcomeOf(const Draft &draft, AgentId agent, KeyId key, const StepReport &report, const std::string &askedModel,
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

} // namespace handreset::rules

// What the folding functions share: rungs, revisions and the queue follow from the trips, here and nowhere else.
// Internal to model/rules. Pure; any thread.
#pragma once

#include "model/rules/fleet.h"

#include <vector>

namespace handreset::rules::fold {

/// One event on its way into the fleet. `touched` may be null: then nobody asked what changed.
struct Context {
    Fleet &fleet;
    const Event &event;
    Touched *touched = nullptr;

    [[nodiscard]] Now now() const { return {event.ruleTime, event.steady}; }
    /// The time that windows are counted on; none where a recorded task has no dated event ("no data").
    [[nodiscard]] std::optional<Instant> windowTime() const
    {
        return fleet.recorded ? event.sourceTime : std::optional<Instant>(event.ruleTime);
    }
    [[nodiscard]] Agent &agent(AgentId id)
    {
        if (touched != nullptr)
            touched->agents.insert(id);
        return fleet.agents[id.value - 1];
    }
    [[nodiscard]] Task &task(TaskId id)
    {
        if (touched != nullptr)
            touched->tasks.insert(id);
        return fleet.tasks[id.value - 1];
    }
    void touch(const BreakerKey &key)
    {
        if (touched != nullptr)
            touched->breakers.insert(key);
    }
    void touch(TripId id)
    {
        if (touched != nullptr)
            touched->trips.insert(id);
    }
    void touchQueue(TaskId root)
    {
        if (touched != nullptr)
            touched->queue.insert(root);
    }
    /// Every window of the key at `at`.
    void touchSpend(KeyId key, Instant at)
    {
        if (touched == nullptr)
            return;
        for (const auto &window : fleet.keyPolicy(key).windows)
            touched->spend.insert({key, window.window.hours, fleet.calendar().span(window.window, at).start});
    }
};

/// The agents whose rung this trip can move, ascending; for a trip that reaches a task, the task's agent.
[[nodiscard]] std::vector<AgentId> agentsOf(const Fleet &fleet, const Trip &trip);
/// After a trip came, worsened or went: revisions rise, rungs and the queue follow.
void settleRungs(Context &context, const Trip &trip);
/// The agent's rung anew, from its active trips.
void settleAgentRung(Context &context, AgentId id);
/// The agent's queued tasks anew: waiting where the rung is open, gone where it is closed again.
void settleQueue(Context &context, AgentId id);
/// Puts the tasks that the trip reaches into the queue (spec 3.4).
void enqueueTasks(Context &context, const Trip &trip);
/// Resume, abandon, take, return, stay for one queued task; `by` may be none for an agent's own end.
void actOnQueue(Context &context, TaskId root, QueueVerb verb, OperatorId by);
void endTask(Context &context, TaskId id, const std::string &outcome);

// One function a group of events.
Result<void> applyNamed(Context &context, const Named &named);
Result<void> applyPolicy(Context &context, const PolicyApplied &applied);
Result<void> applyAsk(Context &context, const StepAsked &asked);
Result<void> applyAsk(Context &context, const CallAsked &asked);
Result<void> applyAsk(Context &context, const AskRefusedAgain &refused);
Result<void> applyResult(Context &context, const StepFinished &finished);
Result<void> applyResult(Context &context, const CallFinished &finished);
Result<void> applyResult(Context &context, const ResultMissing &missing);
Result<void> applyTrip(Context &context, const TripFired &fired);
Result<void> applyTrip(Context &context, const TripFiredAgain &again);
Result<void> applyTrip(Context &context, const TripOpened &opened);
Result<void> applyTrip(Context &context, const TripAcknowledged &acknowledged);
Result<void> applyTrip(Context &context, const TripRearmed &rearmed);
Result<void> applyTrip(Context &context, const ReasonGiven &given);
Result<void> applyAct(Context &context, const ActSigned &signedAct);
Result<void> applyAct(Context &context, const OperatorEnrolled &enrolled);
Result<void> applyAct(Context &context, const OperatorRetired &retired);
Result<void> applyAct(Context &context, const KeyRotated &rotated);
Result<void> applyAct(Context &context, const ApprovalRequested &requested);
Result<void> applyAct(Context &context, const RequestEnded &ended);
Result<void> applyAct(Context &context, const PassGiven &given);
Result<void> applyAct(Context &context, const GlassBroken &broken);
Result<void> applyAct(Context &context, const ReviewClosed &closed);
Result<void> applyAct(Context &context, const TokenAdded &added);
Result<void> applyAct(Context &context, const TokenRevoked &revoked);
/// Why a grant does not fit what it is for; empty where it fits. Both `decide` and `apply` ask.
[[nodiscard]] std::string misfitOfGrant(const Fleet &fleet, const TripSubject &subject, const Grant &grant);
Result<void> applyGrant(Context &context, const TripSubject &subject, const Grant &grant);

/// Whether the breaker can have taken this row by this event: a log that says otherwise was not written by `decide`.
[[nodiscard]] inline bool isTaken(const Fleet &fleet, BreakerKey key, const BreakerRow &row, BreakerEvent event)
{
    return row.events.has(event) && row.from.has(fleet.breaker(key).state);
}

[[nodiscard]] inline Error malformed(const Event &event, std::string_view what)
{
    return {ErrorCode::Unavailable, "the log is damaged: " + std::string(what) + "; run verify",
            "event " + std::to_string(event.seq.value)};
}

} // namespace handreset::rules::fold

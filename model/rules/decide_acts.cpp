// What operators do (spec 3.4), and what tasks say of themselves. A refused act leaves an event that says why.
#include "model/rules/draft.h"
#include "model/rules/fold.h"

#include <algorithm>

namespace handreset::rules {

namespace {

constexpr std::int64_t kMostGranted = 1'000'000'000; ///< steps, calls, or units of money

std::optional<Error> checkOperator(std::string_view by)
{
    return checkName("operator", by);
}

std::size_t characters(std::string_view text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kBlank = " \t\r\n";
    const auto first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// Empty when the reason will do.
std::string faultOfReason(std::string_view reason)
{
    if (characters(trimmed(reason)) < kShortestReason)
        return "give a reason of at least 10 characters";
    if (reason.size() > kLongestText)
        return "the reason is longer than 4096 bytes";
    return {};
}

std::string tripWords(const Trip &trip)
{
    return "trip " + std::to_string(trip.id.value) + " (" + std::string(toWord(trip.subject.signal)) + ')';
}

/// The active trip, or a refusal that says what became of it.
const Trip *activeOrRefuse(Draft &draft, std::string_view act, TripId id, std::string_view by, std::string_view reason,
                           Revision seen)
{
    const auto &fleet = draft.fleet();
    const auto *trip = fleet.trip(id);
    if (trip != nullptr && trip->active())
        return trip;
    std::string why = "there is no such trip";
    AgentId agent;
    if (trip != nullptr) {
        agent = trip->agent;
        why = tripWords(*trip) + " was already re-armed "
            + (trip->rearmedBy.isSet() ? "by " + fleet.names(trip->rearmedBy) : std::string("by the clock"));
    }
    draft.refuseAct(act, id, by, reason, seen, std::move(why), agent);
    return nullptr;
}

/// More than anybody means, and far from where sums would overflow.
std::string faultOfSize(const Grant &grant)
{
    constexpr Decimal most(kMostGranted);
    if (grant.steps > kMostGranted || grant.volumeCalls > kMostGranted || grant.spend > most || grant.volumeValue > most)
        return "one grant is at most " + std::to_string(kMostGranted);
    return {};
}

/// Money is granted to a window of the present policy: to another it would be no limit's.
std::string faultOfWindow(const Fleet &fleet, const TripSubject &subject, const Grant &grant)
{
    if (grant.spend.isZero())
        return {};
    const auto &windows = fleet.keyPolicy(subject.key).windows;
    const bool isThere = std::any_of(windows.begin(), windows.end(), [&subject](const SpendWindow &window) {
        return window.window.hours == subject.windowHours;
    });
    return isThere ? std::string()
                   : "the policy has no " + WindowKind{subject.windowHours}.toString() + " window for the key "
            + fleet.names(subject.key);
}

/// Why the grant will not do; empty when it will.
std::string faultOfGrant(const Fleet &fleet, const Trip &trip, const Grant &grant, Instant now)
{
    if (auto misfit = fold::misfitOfGrant(fleet, trip.subject, grant); !misfit.empty())
        return misfit;
    if (auto fault = faultOfSize(grant); !fault.empty())
        return fault;
    if (auto fault = faultOfWindow(fleet, trip.subject, grant); !fault.empty())
        return fault;
    if (trip.subject.signal == Signal::Steps && grant.steps == 0)
        return "say how many more steps: without a grant it would trip at once";
    if (trip.subject.signal != Signal::Spend)
        return {};
    for (const auto &window : fleet.keyPolicy(trip.subject.key).windows) {
        if (window.window.hours != trip.subject.windowHours)
            continue;
        const auto sum = spendAt(fleet.counters, trip.subject.key, window.window, now, fleet.calendar());
        if (sum.settled >= window.limit + sum.granted + grant.spend)
            return "say how much more until the " + window.window.toString() + " window ends: with "
                + sum.settled.toString(2) + " of " + (window.limit + sum.granted + grant.spend).toString(2)
                + " spent it would trip at once";
    }
    return {};
}

std::string faultOfQueue(const Fleet &fleet, const Trip &trip, const Rearm &command)
{
    for (const auto &[task, verb] : command.queue) {
        if (!fleet.queue.contains(task))
            return "task " + fleet.names(task) + " is not in the queue any more";
        if (trip.tree() != task && !fleet.reachesAgent(trip, fleet.queue.at(task).agent))
            return "task " + fleet.names(task) + " is not held by this trip; decide it on its own";
        if (verb != QueueVerb::Resume && verb != QueueVerb::Abandon && verb != QueueVerb::Stay)
            return "a queued task can resume, be abandoned or stay";
    }
    return {};
}

bool copiesLastReason(const Fleet &fleet, const Trip &trip, const std::string &reason)
{
    const auto taken = trimmed(fleet.reasonNotToCopy(trip));
    return !taken.empty() && taken == trimmed(reason);
}

/// Everything that the host checks before a re-arm; the first fault, in words.
std::string faultOfRearm(const Draft &draft, const Trip &trip, const Rearm &command)
{
    const auto &fleet = draft.fleet();
    const auto present = fleet.revisionOf(trip);
    if (command.revision && *command.revision != present)
        return "the agent has moved from revision " + std::to_string(command.revision->value) + " to "
            + std::to_string(present.value) + " since you looked; nothing was written";
    if (!trip.acknowledgedAt)
        return tripWords(trip) + " is not acknowledged; acknowledge it first";
    if (auto fault = faultOfReason(command.reason); !fault.empty())
        return fault;
    if (copiesLastReason(fleet, trip, command.reason))
        return "the reason is a copy of the last one for this agent; say what is different now";
    if (command.to == Rung::Open)
        return "a trip is re-armed to closed or to degraded; to open it is: stop";
    if (command.to == Rung::Degraded && trip.subject.signal == Signal::Probation)
        return "it is on probation already; lift the probation to closed, or leave it";
    if (auto fault = faultOfGrant(fleet, trip, command.grant, draft.time().wall); !fault.empty())
        return fault;
    return faultOfQueue(fleet, trip, command);
}

TripSubject probationOf(const Trip &trip)
{
    auto subject = trip.subject;
    subject.signal = Signal::Probation;
    subject.reach = trip.reach;
    subject.rung = Rung::Degraded;
    return subject;
}

/// The probation that takes a re-armed trip's place, in the same step (row 26).
void latchProbation(Draft &draft, const Trip &ended, OperatorId by, const std::string &reason)
{
    TripFired fired;
    fired.subject = probationOf(ended);
    fired.root = ended.root;
    fired.ask = ended.ask;
    fired.reach = ended.reach;
    fired.rung = Rung::Degraded;
    fired.reached = ended.reached;
    fired.evidence = ended.evidence;
    fired.evidence.detail = "on probation after " + tripWords(ended);
    fired.incident = ended.incident;
    fired.order = draft.fleet().agent(ended.agent).incidentTrips + 1;
    fired.linked = ended.id;
    fired.by = by;
    fired.reason = reason;
    const auto &row = decideLatch(LatchState::Clear, {LatchEvent::Fires, true, draft.fleet().clockTrusted, false});
    draft.emit(ended.agent, ended.task, row.id, std::move(fired));
}

} // namespace

void decide(Draft &draft, const Acknowledge &command)
{
    if (auto wrong = checkOperator(command.by))
        return draft.answer(*wrong);
    const auto *trip = activeOrRefuse(draft, "ack", command.trip, command.by, command.note, {});
    if (trip == nullptr)
        return;
    if (trip->acknowledgedAt)
        return draft.refuseAct("ack", command.trip, command.by, command.note, {},
                               tripWords(*trip) + " was already acknowledged by "
                                   + draft.fleet().names(trip->acknowledgedBy),
                               trip->agent);
    const auto agent = trip->agent;
    const auto task = trip->task;
    const auto by = draft.operatorNamed(command.by);
    const auto seq = draft.emit(agent, task, 0, TripAcknowledged{command.trip, by, bounded(command.note, kLongestText), {}});
    const auto &fleet = draft.fleet();
    draft.answer(ActDone{seq, command.trip, agent.isSet() ? fleet.agent(agent).revision : fleet.fleetRevision});
}

void decide(Draft &draft, const Rearm &command)
{
    if (auto wrong = checkOperator(command.by))
        return draft.answer(*wrong);
    const auto seen = command.revision.value_or(Revision{});
    const auto *trip = activeOrRefuse(draft, "rearm", command.trip, command.by, command.reason, seen);
    if (trip == nullptr)
        return;
    if (auto fault = faultOfRearm(draft, *trip, command); !fault.empty())
        return draft.refuseAct("rearm", command.trip, command.by, command.reason, seen, std::move(fault), trip->agent);
    const auto ended = *trip;
    const bool toDegraded = command.to == Rung::Degraded && draft.fleet().activeTrip(probationOf(ended)) == nullptr;
    const auto &row = decideLatch(
        ended.latch, {toDegraded ? LatchEvent::RearmToDegraded : LatchEvent::RearmToClosed,
                      ended.latch == LatchState::HeldByHuman, draft.fleet().clockTrusted, true});
    TripRearmed rearmed;
    rearmed.trip = ended.id;
    rearmed.to = command.to;
    rearmed.by = draft.operatorNamed(command.by);
    rearmed.cause = command.cause.empty() ? "not stated" : bounded(command.cause, 200);
    rearmed.reason = std::string(trimmed(command.reason));
    rearmed.revisionSeen = command.revision.value_or(draft.fleet().revisionOf(ended));
    rearmed.grant = command.grant;
    rearmed.queue = command.queue;
    if (draft.fleet().licence)
        rearmed.approvedBy = draft.fleet().licence->approvedBy;
    const auto by = rearmed.by;
    const auto seq = draft.emit(ended.agent, ended.task, row.id, std::move(rearmed));
    if (row.effect == LatchEffect::ReplaceByProbation)
        latchProbation(draft, ended, by, std::string(trimmed(command.reason)));
    for (const auto &[task, verb] : command.queue) { // what left the queue with the trip needs no act any more
        if (verb != QueueVerb::Stay && draft.fleet().queue.contains(task))
            draft.emit(draft.fleet().queue.at(task).agent, task, 0, QueueActed{verb, by, "with the re-arm"});
    }
    draft.answer(ActDone{seq, ended.id, draft.fleet().revisionOf(ended)});
}

void decide(Draft &draft, const StopAgent &command)
{
    if (auto wrong = checkOperator(command.by))
        return draft.answer(*wrong);
    if (command.to == Rung::Closed)
        return draft.answer(Error{ErrorCode::BadInput, "a stop goes to degraded or open", "to"});
    const auto &fleet = draft.fleet();
    const bool whole = command.agent.empty();
    const AgentId agent{whole ? 0 : fleet.names.find(NameKind::Agent, command.agent)};
    if (!whole && !agent.isSet())
        return draft.answer(Error{ErrorCode::NotFound, "no agent of this name has been seen; see `agents`", "agent"});
    TripFired fired;
    fired.subject.signal = Signal::Operator;
    fired.subject.agent = agent;
    fired.subject.rung = command.to;
    if (const auto *standing = fleet.activeTrip(fired.subject))
        return draft.answer(ActDone{fleet.seq, standing->id, fleet.revisionOf(*standing)});
    fired.reach = whole ? Reach::Fleet : Reach::Agent;
    fired.rung = command.to;
    fired.evidence.measured = whole ? "the whole fleet stopped by a person" : "stopped by a person";
    fired.evidence.detail = bounded(command.reason, 512);
    fired.by = draft.operatorNamed(command.by);
    fired.reason = bounded(command.reason, kLongestText);
    const auto &record = fleet.agent(agent);
    const bool active = fleet.hasTrips(agent);
    if (agent.isSet() && record.incident.isSet() && (active || draft.time().wall - record.peaceSince <= kQuietTime)) {
        fired.incident = record.incident;
        fired.order = record.incidentTrips + 1;
    }
    const auto &row = decideLatch(LatchState::Clear, {LatchEvent::Fires, true, fleet.clockTrusted, false});
    const auto seq = draft.emit(agent, {}, row.id, std::move(fired));
    draft.answer(ActDone{seq, TripId{seq.value}, whole ? fleet.fleetRevision : fleet.agent(agent).revision});
}

void decide(Draft &draft, const GiveReason &command)
{
    if (auto wrong = checkOperator(command.by))
        return draft.answer(*wrong);
    const auto *trip = activeOrRefuse(draft, "reason", command.trip, command.by, command.reason, {});
    if (trip == nullptr)
        return;
    const auto agent = trip->agent;
    const auto refuse = [&](std::string fault) {
        draft.refuseAct("reason", command.trip, command.by, command.reason, {}, std::move(fault), agent);
    };
    if (trip->subject.signal != Signal::Operator)
        return refuse("a person's stop waits for its reason; this trip has its evidence");
    if (!trip->reason.empty())
        return refuse("its reason is given already: " + trip->reason);
    if (auto fault = faultOfReason(command.reason); !fault.empty())
        return refuse(std::move(fault));
    const auto by = draft.operatorNamed(command.by);
    const auto seq = draft.emit(agent, {}, 0, ReasonGiven{command.trip, by, bounded(command.reason, kLongestText)});
    draft.answer(ActDone{seq, command.trip, draft.fleet().agent(agent).revision});
}

void decide(Draft &draft, const ActOnBreaker &command)
{
    if (auto wrong = checkOperator(command.by))
        return draft.answer(*wrong);
    const auto act = toWord(command.act);
    if (command.act < BreakerEvent::Isolate)
        return draft.answer(Error{ErrorCode::BadInput, "an operator isolates, releases, lets a probe out or resets", "act"});
    const auto &fleet = draft.fleet();
    const ToolId tool{fleet.names.find(NameKind::Tool, command.tool)};
    const AgentId agent{command.agent.empty() ? 0 : fleet.names.find(NameKind::Agent, command.agent)};
    if (!tool.isSet() || (!command.agent.empty() && !agent.isSet()))
        return draft.answer(Error{ErrorCode::NotFound, "no such breaker has been seen; see `breakers`",
                                  tool.isSet() ? "agent" : "tool"});
    const BreakerKey key{tool, agent};
    if (agent.isSet() && fleet.breakerKeyOf(agent, tool) != key && !fleet.breakers.contains(key))
        return draft.answer(Error{ErrorCode::BadInput,
                                  command.tool + " has one breaker for all agents: leave the agent out, or stop the agent",
                                  "agent"});
    if (!fleet.breakers.contains(key) && command.act != BreakerEvent::Isolate)
        return draft.answer(Error{ErrorCode::NotFound,
                                  "this breaker has had no traffic; where each agent has its own, name the agent", "tool"});
    if (trimmed(command.reason).empty())
        return draft.refuseAct(act, {}, command.by, command.reason, {}, "breaker " + command.tool + ": give a reason",
                               agent);
    const auto &policy = fleet.toolPolicy(agent, tool).breaker;
    const auto &row = decideBreaker(fleet.breaker(key), {command.act, {}, 0}, policy, draft.time().steady);
    if (row.id == kLateRow) {
        const auto meaning = meaningOf(fleet.breaker(key), policy, draft.time().steady);
        return draft.refuseAct(act, {}, command.by, command.reason, {},
                               "breaker " + command.tool + " is " + std::string(meaning) + ": nothing to "
                                   + std::string(act),
                               agent);
    }
    const auto by = draft.operatorNamed(command.by);
    const auto seq = draft.emit(agent, {}, row.id,
                                BreakerMoved{key, command.act, {}, by, bounded(command.reason, kLongestText), {}});
    draft.answer(ActDone{seq, {}, {}});
}

void decide(Draft &draft, const ActOnQueue &command)
{
    if (auto wrong = checkOperator(command.by))
        return draft.answer(*wrong);
    const auto &fleet = draft.fleet();
    const AgentId agent{fleet.names.find(NameKind::Agent, command.agent)};
    const TaskId task{fleet.names.find(NameKind::Task, command.task, agent)};
    if (!fleet.queue.contains(task) || !task.isSet())
        return draft.answer(Error{ErrorCode::NotFound, "no such task is in the queue; see `queue`", "task"});
    const auto &item = fleet.queue.at(task);
    const auto by = draft.operatorNamed(command.by);
    const auto act = "queue " + std::string(toWord(command.verb));
    if (command.verb == QueueVerb::Take && item.owner.isSet() && item.owner != by)
        return draft.refuseAct(act, item.trip, command.by, command.reason, {},
                               "it is taken by " + fleet.names(item.owner), agent);
    if (command.verb == QueueVerb::Resume && fleet.rungOf(agent, task) == Rung::Open)
        return draft.refuseAct(act, item.trip, command.by, command.reason, {},
                               "its switch is open; re-arm the trip first, then resume", agent);
    const auto seq = draft.emit(agent, task, 0, QueueActed{command.verb, by, bounded(command.reason, kLongestText)});
    draft.answer(ActDone{seq, {}, fleet.agent(agent).revision});
}

void decide(Draft &draft, const GrantMore &command)
{
    if (auto wrong = checkOperator(command.by))
        return draft.answer(*wrong);
    const auto &fleet = draft.fleet();
    const auto &subject = command.subject;
    const auto agent = subject.agent.isSet() ? subject.agent : fleet.task(subject.root).agent;
    if (agent.value > fleet.agents.size())
        return draft.refuseAct("grant", {}, command.by, command.reason, {}, "no such agent has been seen; see `agents`");
    if (trimmed(command.reason).empty())
        return draft.refuseAct("grant", {}, command.by, command.reason, {}, "give a reason", agent);
    const auto &grant = command.grant;
    if (grant.empty())
        return draft.refuseAct("grant", {}, command.by, command.reason, {}, "say how much more", agent);
    if (auto misfit = fold::misfitOfGrant(fleet, subject, grant); !misfit.empty())
        return draft.refuseAct("grant", {}, command.by, command.reason, {}, std::move(misfit), agent);
    if (auto fault = faultOfSize(grant); !fault.empty())
        return draft.refuseAct("grant", {}, command.by, command.reason, {}, std::move(fault), agent);
    if (auto fault = faultOfWindow(fleet, subject, grant); !fault.empty())
        return draft.refuseAct("grant", {}, command.by, command.reason, {}, std::move(fault), agent);
    const auto by = draft.operatorNamed(command.by);
    const auto seq = draft.emit(agent, {}, 0, Granted{subject, grant, by, bounded(command.reason, kLongestText)});
    draft.answer(ActDone{seq, {}, fleet.agent(agent).revision});
}

void decide(Draft &draft, const ApplyPolicy &command)
{
    if (auto wrong = checkOperator(command.by))
        return draft.answer(*wrong);
    if (!command.policy)
        return draft.answer(Error{ErrorCode::BadInput, "the policy was not accepted; run `policy check`", command.file});
    if (trimmed(command.reason).empty())
        return draft.refuseAct("policy apply", {}, command.by, command.reason, {}, "give a reason", {});
    if (command.over && *command.over != draft.fleet().policyVersion)
        return draft.refuseAct("policy apply", {}, command.by, command.reason, {},
                               "version " + std::to_string(draft.fleet().policyVersion)
                                   + " is in force by now, and you saw version " + std::to_string(*command.over)
                                   + "; look at what changed",
                               {});
    const auto by = draft.operatorNamed(command.by);
    const auto agents = draft.fleet().names.count(NameKind::Agent);
    for (std::uint32_t id = 1; id <= agents; ++id) // each agent's key must have its number before the policy holds
        draft.key(command.policy->forAgent(draft.fleet().names(AgentId{id})).key);
    PolicyApplied applied;
    applied.text = command.text;
    applied.file = command.file;
    applied.zoneFirstOffset = command.zone.firstOffsetSeconds;
    for (const auto &transition : command.zone.transitions)
        applied.zoneTransitions.emplace_back(transition.at.micros, transition.offsetSeconds);
    applied.version = draft.fleet().policyVersion + 1;
    applied.by = by;
    applied.reason = bounded(command.reason, kLongestText);
    if (draft.fleet().licence)
        applied.approvedBy = draft.fleet().licence->approvedBy;
    const auto seq = draft.emit({}, {}, 0, std::move(applied));
    if (!draft.failed())
        draft.answer(ActDone{seq, {}, draft.fleet().fleetRevision});
}

void decide(Draft &draft, const ConfirmTime &command)
{
    if (auto wrong = checkOperator(command.by))
        return draft.answer(*wrong);
    if (auto fault = faultOfReason(command.reason); !fault.empty())
        return draft.refuseAct("confirm-time", {}, command.by, command.reason, {}, std::move(fault));
    if (draft.fleet().clockTrusted)
        return draft.refuseAct("confirm-time", {}, command.by, command.reason, {}, "the time is trusted already");
    const auto by = draft.operatorNamed(command.by);
    draft.answer(ActDone{draft.emit({}, {}, 0, ClockConfirmed{by, bounded(command.reason, kLongestText)}), {}, {}});
}

namespace {

/// A store that is not the one its host left is a trip of its own (spec 4): accepting it says which log counts, and
/// what agents may do under it is decided after, by a re-arm with the evidence in view.
TripId latchTampering(Draft &draft)
{
    const auto &fleet = draft.fleet();
    TripFired fired;
    fired.subject.signal = Signal::Tamper;
    fired.subject.rung = Rung::Open;
    if (const auto *standing = fleet.activeTrip(fired.subject))
        return standing->id;
    fired.reach = Reach::Fleet;
    fired.rung = Rung::Open;
    fired.evidence.measured = "the store is not the one that its host left";
    fired.evidence.detail = "a refused store was accepted: check what may be missing before agents go on";
    const auto &row = decideLatch(LatchState::Clear, {LatchEvent::Fires, true, fleet.clockTrusted, false});
    return TripId{draft.emit({}, {}, row.id, std::move(fired)).value};
}

} // namespace

void decide(Draft &draft, const TrustStore &command)
{
    if (auto wrong = checkOperator(command.by))
        return draft.answer(*wrong);
    if (auto fault = faultOfReason(command.reason); !fault.empty())
        return draft.refuseAct(command.act, {}, command.by, command.reason, {}, std::move(fault));
    const auto by = draft.operatorNamed(command.by);
    const auto seq = draft.emit({}, {}, 0, StoreTrusted{command.act, by, bounded(command.reason, kLongestText)});
    const auto trip = command.act == kAcceptStore && !draft.observes() ? latchTampering(draft) : TripId{};
    draft.answer(ActDone{seq, trip, draft.fleet().fleetRevision});
}

// ---- What tasks say of themselves, and the host ------------------------------------------------------------

namespace {

std::optional<Error> checkTask(const std::string &agent, const std::string &task)
{
    if (auto wrong = checkName("agent", agent))
        return wrong;
    return checkName("task", task);
}

/// The numbers of a task that is known; an Error where it is not.
Result<std::pair<AgentId, TaskId>> knownTask(const Draft &draft, const std::string &agent, const std::string &task)
{
    const auto &names = draft.fleet().names;
    const AgentId agentId{names.find(NameKind::Agent, agent)};
    const TaskId taskId{names.find(NameKind::Task, task, agentId)};
    if (!agentId.isSet() || !taskId.isSet())
        return Error{ErrorCode::NotFound, "no such task of this agent; ask first", "task"};
    return std::pair{agentId, taskId};
}

} // namespace

void decide(Draft &draft, const NoteTask &command)
{
    if (auto wrong = checkTask(command.agent, command.task))
        return draft.answer(*wrong);
    const auto known = knownTask(draft, command.agent, command.task);
    if (!known)
        return draft.answer(known.error());
    const auto seq = draft.emit(known->first, known->second, 0, TaskNoted{bounded(command.text, kLongestText)});
    draft.answer(ActDone{seq, {}, {}});
}

void decide(Draft &draft, const LabelTask &command)
{
    if (auto wrong = checkTask(command.agent, command.task))
        return draft.answer(*wrong);
    if (auto wrong = checkName("session", command.session, true))
        return draft.answer(*wrong);
    const auto agent = draft.agent(command.agent);
    const auto task = draft.task(agent, command.task);
    const auto seq = draft.emit(agent, task, 0, TaskLabelled{bounded(command.labels, kLongestText)});
    draft.answer(ActDone{seq, {}, {}});
}

void decide(Draft &draft, const EndTask &command)
{
    if (auto wrong = checkTask(command.agent, command.task))
        return draft.answer(*wrong);
    if (draft.observes()) // a recorded run may end a task that asked for nothing
        static_cast<void>(draft.task(draft.agent(command.agent), command.task));
    const auto known = knownTask(draft, command.agent, command.task);
    if (!known)
        return draft.answer(known.error());
    if (draft.fleet().task(known->second).ended)
        return draft.answer(ActDone{draft.fleet().seq, {}, {}});
    const auto seq = draft.emit(known->first, known->second, 0, TaskEnded{bounded(command.outcome, 512), {}});
    draft.answer(ActDone{seq, {}, {}});
}

void decide(Draft &draft, const CreateStore &command)
{
    if (draft.fleet().seq.isSet())
        return draft.answer(Error{ErrorCode::BadInput, "the log has begun already", "store"});
    const auto seq = draft.emit({}, {}, 0, StoreCreated{command.storeId, command.fleet, command.recorded, command.isUnsigned});
    draft.answer(ActDone{seq, {}, {}});
}

void decide(Draft &draft, const StartHost &command)
{
    const auto seq = draft.emit(
        {}, {}, 0,
        HostStarted{command.bootId, command.bootMicros, command.version, command.operatorName, command.kind});
    if (!draft.observes())
        decideDue(draft);
    draft.answer(ActDone{seq, {}, {}});
}

void decide(Draft &draft, const CountRefusals &command)
{
    const auto seq = draft.emit(command.agent, command.task, 0, command.counted);
    draft.answer(ActDone{seq, {}, {}});
}

void decide(Draft &draft, const NoteRefused &command)
{
    const AgentId agent{draft.fleet().names.find(NameKind::Agent, command.agent)};
    const auto seq = draft.emit(agent, {}, 0,
                                ActRefused{bounded(command.act, 100), {}, {}, {}, bounded(command.why, 512), {}});
    draft.answer(ActDone{seq, {}, {}});
}

} // namespace handreset::rules

// Trips and policies on their way into the fleet: latches, rungs, re-arms, grants.
#include "model/rules/fold.h"

#include "model/rules/policy_text.h"

#include <algorithm>
#include <limits>

namespace handreset::rules::fold {

namespace {

constexpr std::size_t kRefusedCallsKept = 64;

Trip *activeTrip(Context &context, TripId id)
{
    const auto place = context.fleet.trips.find(id);
    if (place == context.fleet.trips.end())
        return nullptr;
    context.touch(id);
    return &place->second;
}

bool isBehaviour(Signal signal)
{
    return signal == Signal::Steps || signal == Signal::Repetition;
}

void noteIncident(Context &context, Trip &trip)
{
    if (!trip.agent.isSet())
        return;
    auto &agent = context.agent(trip.agent);
    if (trip.incident == trip.id) {
        agent.incident = trip.id;
        agent.incidentTrips = 0;
    }
    ++agent.incidentTrips;
    if (isBehaviour(trip.subject.signal))
        agent.behaviourTrips.push_back(trip.firedAt);
}

/// What a probation stands for: the trip whose place it takes has just ended.
std::optional<Signal> originOf(const Fleet &fleet, const Trip &probation)
{
    if (const auto *ended = fleet.trip(probation.linked))
        return ended->origin.value_or(ended->subject.signal);
    return std::nullopt;
}

} // namespace

Result<void> applyTrip(Context &context, const TripFired &fired)
{
    auto &fleet = context.fleet;
    const auto &event = context.event;
    const auto *row = rowOfId(kLatchTable, event.row);
    if (row == nullptr || row->effect != LatchEffect::Hold)
        return malformed(event, "a trip latched by no row");
    if (fleet.activeBySubject.contains(fired.subject))
        return malformed(event, "a second active trip of one signal and subject");
    Trip trip;
    trip.id = TripId{event.seq.value};
    trip.subject = fired.subject;
    trip.agent = event.agent;
    trip.task = event.task;
    trip.root = fired.root;
    trip.ask = fired.ask;
    trip.reach = fired.reach;
    trip.rung = fired.rung;
    trip.latch = row->to;
    trip.evidence = fired.evidence;
    trip.firedAt = trip.lastFiredAt = event.ruleTime;
    trip.endsAt = fired.endsAt;
    trip.endsAtSteady = fired.endsAtSteady;
    trip.reached = fired.reached;
    if (fired.refusedCall)
        trip.refusedCalls.push_back(*fired.refusedCall);
    trip.incident = fired.incident.isSet() ? fired.incident : trip.id;
    trip.order = fired.order;
    trip.flapping = fired.flapping;
    trip.linked = fired.linked;
    if (trip.subject.signal == Signal::Probation)
        trip.origin = originOf(fleet, trip);
    trip.escalated = fired.escalated;
    trip.by = fired.by;
    trip.reason = fired.reason;
    noteIncident(context, trip);
    const auto &latched = fleet.trips.emplace(trip.id, std::move(trip)).first->second;
    fleet.indexTrip(latched);
    context.touch(latched.id);
    settleRungs(context, latched);
    enqueueTasks(context, latched);
    return {};
}

Result<void> applyTrip(Context &context, const TripFiredAgain &again)
{
    auto *trip = activeTrip(context, again.trip);
    if (trip == nullptr)
        return malformed(context.event, "a further firing of no active trip");
    ++trip->firings;
    trip->lastFiredAt = context.event.ruleTime;
    if (again.endsAtSteady && trip->endsAtSteady)
        trip->endsAtSteady = std::max(*trip->endsAtSteady, *again.endsAtSteady);
    if (again.refusedCall && trip->refusedCalls.size() < kRefusedCallsKept
        && std::find(trip->refusedCalls.begin(), trip->refusedCalls.end(), *again.refusedCall)
            == trip->refusedCalls.end())
        trip->refusedCalls.push_back(*again.refusedCall);
    return {};
}

Result<void> applyTrip(Context &context, const TripOpened &opened)
{
    auto *trip = activeTrip(context, opened.trip);
    if (trip == nullptr)
        return malformed(context.event, "no active trip to open");
    trip->rung = Rung::Open;
    trip->evidence.measured = opened.measured;
    trip->acknowledgedBy = {}; // an acknowledged trip that worsens is unacknowledged again
    trip->acknowledgedAt.reset();
    settleRungs(context, *trip);
    enqueueTasks(context, *trip);
    return {};
}

Result<void> applyTrip(Context &context, const TripAcknowledged &acknowledged)
{
    auto *trip = activeTrip(context, acknowledged.trip);
    if (trip == nullptr)
        return malformed(context.event, "no active trip to acknowledge");
    trip->acknowledgedBy = acknowledged.by;
    trip->acknowledgedAt = context.event.ruleTime;
    if (trip->reach == Reach::Fleet)
        ++context.fleet.fleetRevision.value;
    for (const auto id : agentsOf(context.fleet, *trip))
        ++context.agent(id).revision.value;
    return {};
}

Result<void> applyTrip(Context &context, const ReasonGiven &given)
{
    auto *trip = activeTrip(context, given.trip);
    if (trip == nullptr)
        return malformed(context.event, "no active trip to give a reason for");
    trip->reason = given.reason;
    if (trip->agent.isSet())
        ++context.agent(trip->agent).revision.value;
    for (const auto id : agentsOf(context.fleet, *trip))
        static_cast<void>(context.agent(id)); // what holds it reads differently now
    return {};
}

namespace {

/// What a human's re-arm leaves behind at the agent: history, the watch time, a new count for escalation.
void rememberRearm(Context &context, const Trip &trip, const TripRearmed &rearmed)
{
    auto &fleet = context.fleet;
    for (const auto id : agentsOf(fleet, trip)) {
        if (id != trip.agent && trip.reach != Reach::Fleet)
            continue;
        auto &agent = context.agent(id);
        agent.rearms.push_back({trip.id, trip.subject.signal, context.event.ruleTime, rearmed.by});
        if (agent.rearms.size() > kRearmsKept)
            agent.rearms.erase(agent.rearms.begin());
        agent.lastReason = rearmed.reason;
        agent.behaviourTrips.clear();
    }
    const auto signal = trip.subject.signal;
    if (signal == Signal::Operator || signal == Signal::Probation || signal == Signal::Tamper)
        return;
    const auto until = context.event.steady + fleet.agentPolicy(trip.agent).watchAfterRearm;
    fleet.watches.push_back({signal, trip.subject.key.isSet() || trip.subject.endpoint.isSet() ? AgentId{} : trip.agent,
                             trip.subject.key, trip.subject.endpoint, until, trip.id});
}

void startAnew(Context &context, const Trip &trip)
{
    auto &counters = context.fleet.counters;
    if (trip.subject.signal == Signal::Repetition && trip.root.isSet())
        restartRow(counters.root(trip.root).row);
    if (trip.subject.signal == Signal::Provider && trip.subject.endpoint.isSet())
        counters.endpoints[trip.subject.endpoint].calls.clear();
}

void retire(Context &context, TripId id)
{
    auto &fleet = context.fleet;
    auto node = fleet.trips.extract(id);
    fleet.forgetTrip(node.mapped());
    fleet.endedTrips.push_back(std::move(node.mapped()));
    if (fleet.endedTrips.size() >= 2 * kEndedTripsKept)
        fleet.endedTrips.erase(fleet.endedTrips.begin(), fleet.endedTrips.begin() + static_cast<std::ptrdiff_t>(kEndedTripsKept));
}

/// An agent is at peace when no active trip is its own.
void notePeace(Context &context, AgentId id)
{
    if (!id.isSet())
        return;
    if (!context.fleet.hasTrips(id))
        context.agent(id).peaceSince = context.event.ruleTime;
}

} // namespace

Result<void> applyTrip(Context &context, const TripRearmed &rearmed)
{
    auto &fleet = context.fleet;
    const auto *row = rowOfId(kLatchTable, context.event.row);
    if (row == nullptr || (row->effect != LatchEffect::Lift && row->effect != LatchEffect::ReplaceByProbation))
        return malformed(context.event, "a re-arm by no row");
    auto *trip = activeTrip(context, rearmed.trip);
    if (trip == nullptr || !row->from.has(trip->latch))
        return malformed(context.event, "a re-arm of no trip that this row can lift");
    if (rearmed.by.isSet() != (row->authority == Authority::Operator))
        return malformed(context.event, "a re-arm by somebody who may not lift it");
    if (!rearmed.by.isSet() && !trip->isOver(context.now()))
        return malformed(context.event, "a re-arm by the clock before its time");
    std::erase_if(fleet.watches, [&](const RearmWatch &w) { return w.until <= context.event.steady; });
    if (auto raised = applyGrant(context, trip->subject, rearmed.grant); !raised)
        return raised;
    trip->latch = LatchState::Clear;
    trip->rearmedBy = rearmed.by;
    trip->rearmedAt = context.event.ruleTime;
    trip->rearmedTo = rearmed.to;
    trip->cause = rearmed.cause;
    trip->rearmReason = rearmed.reason;
    if (row->authority == Authority::Operator)
        rememberRearm(context, *trip, rearmed);
    startAnew(context, *trip);
    const auto ended = *trip;
    retire(context, ended.id);
    notePeace(context, ended.agent);
    if (row->effect == LatchEffect::Lift)
        settleRungs(context, ended); // a probation follows at once and settles them itself
    return {};
}

std::string misfitOfGrant(const Fleet &fleet, const TripSubject &subject, const Grant &grant)
{
    const bool rootKnown = subject.root.isSet() && subject.root.value <= fleet.tasks.size();
    const bool agentKnown = subject.agent.isSet() && subject.agent.value <= fleet.agents.size();
    const bool windowKnown = WindowKind::isValid(subject.windowHours);
    if (grant.steps < 0 || grant.spend.isNegative() || grant.volumeCalls < 0 || grant.volumeValue.isNegative())
        return "a grant is never below 0";
    if (grant.steps > 0) {
        const bool fits = subject.cap == Cap::PerSession
            ? subject.session.isSet() && subject.session.value <= fleet.names.count(NameKind::Session) && agentKnown
            : subject.cap == Cap::PerAgent ? agentKnown && windowKnown
                                           : subject.cap == Cap::None && rootKnown;
        if (subject.signal != Signal::Steps || !fits)
            return "steps are granted to a step limit only";
    }
    if (!grant.spend.isZero()
        && (subject.signal != Signal::Spend || !subject.key.isSet()
            || subject.key.value > fleet.names.count(NameKind::Key) || !windowKnown))
        return "money is granted to a spend window only";
    if (grant.volumeCalls > 0 || !grant.volumeValue.isZero()) {
        const bool isVolume = subject.cap == Cap::VolumeCalls || subject.cap == Cap::VolumeValue;
        const bool fits = subject.windowHours == 0 ? rootKnown : agentKnown && windowKnown;
        if (subject.signal != Signal::Envelope || !isVolume || !fits || !subject.tool.isSet()
            || subject.tool.value > fleet.names.count(NameKind::Tool))
            return "calls and value are granted to a volume cap only";
    }
    return {};
}

namespace {

/// "n more": beyond what is used, and beyond what is allowed already. A log may hold any number: it never wraps.
std::int64_t raised(std::int64_t used, std::int64_t limit, std::int64_t grantedUpTo, std::int64_t more)
{
    constexpr auto most = std::numeric_limits<std::int64_t>::max() / 2;
    const auto from = std::max({used, limit, grantedUpTo});
    return more > most - from ? std::max(from, most) : from + more;
}

void grantSteps(Fleet &fleet, const TripSubject &subject, std::int64_t more, Instant at)
{
    auto &counters = fleet.counters;
    const auto &ofAgent = fleet.agentPolicy(subject.agent).steps;
    if (subject.cap == Cap::PerSession) {
        auto &count = counters.sessions[subject.session];
        count.grantedUpTo = raised(count.used, ofAgent.perSession.value_or(0), count.grantedUpTo, more);
    } else if (subject.cap == Cap::PerAgent) {
        const WindowKind kind{subject.windowHours};
        auto &count = counters.agentWindows[{subject.agent, kind.hours, fleet.calendar().span(kind, at).start}];
        count.grantedUpTo = raised(count.used, ofAgent.perAgent ? ofAgent.perAgent->limit : 0, count.grantedUpTo, more);
    } else {
        auto &root = counters.root(subject.root);
        const auto limit = fleet.agentPolicy(fleet.task(subject.root).agent).steps.limit;
        root.grantedUpTo = raised(root.steps, limit, root.grantedUpTo, more);
    }
}

} // namespace

Result<void> applyGrant(Context &context, const TripSubject &subject, const Grant &grant)
{
    if (grant.empty())
        return {};
    auto &fleet = context.fleet;
    if (!misfitOfGrant(fleet, subject, grant).empty())
        return malformed(context.event, "a grant that does not fit what it is for");
    const auto calendar = fleet.calendar();
    const auto at = context.windowTime().value_or(context.event.ruleTime);
    if (grant.steps > 0)
        grantSteps(fleet, subject, grant.steps, at);
    if (!grant.spend.isZero()) {
        const WindowKind kind{subject.windowHours};
        const SpendKey place{subject.key, kind.hours, calendar.span(kind, at).start};
        fleet.counters.spend[place].granted += grant.spend;
        if (context.touched != nullptr)
            context.touched->spend.insert(place);
    }
    if (grant.volumeCalls > 0 || !grant.volumeValue.isZero()) {
        auto &volume = subject.windowHours == 0
            ? fleet.counters.root(subject.root).volumes[subject.tool]
            : fleet.counters.volumes[{subject.agent, subject.tool, subject.windowHours,
                                      calendar.span(WindowKind{subject.windowHours}, at).start}];
        volume.grantedCalls = raised(0, 0, volume.grantedCalls, grant.volumeCalls);
        volume.grantedValue += grant.volumeValue;
    }
    return {};
}

namespace {

/// The sums of every key under the new windows: settled from the slots, reserved from the asks in flight.
void recountAllSpend(Context &context)
{
    auto &fleet = context.fleet;
    for (std::uint32_t id = 1; id <= fleet.names.count(NameKind::Key); ++id) {
        recountSpend(fleet.counters, KeyId{id}, fleet.keyPolicy(KeyId{id}), context.event.ruleTime, fleet.calendar());
        context.touchSpend(KeyId{id}, context.event.ruleTime);
    }
    for (const auto ask : fleet.uncharged) {
        const auto &pending = fleet.pending.at(ask);
        reserveSpend(fleet.counters, pending.key, fleet.keyPolicy(pending.key), pending.reserved, pending.askedAt,
                     fleet.calendar());
    }
}

/// Where a tool's breaker is each agent's own from now on, what is not CLOSED stays so for those who used it.
void keepOpenBreakers(Context &context)
{
    auto &fleet = context.fleet;
    const auto before = fleet.breakers;
    for (const auto &[key, record] : before) {
        if (key.agent.isSet() || record.breaker.state == BreakerState::Closed)
            continue;
        for (const auto &[agent, when] : record.usedBy) {
            const auto own = fleet.breakerKeyOf(agent, key.tool);
            if (own == key || fleet.breakers.contains(own))
                continue;
            auto copy = record;
            copy.breaker.probe = {};
            fleet.breakers.emplace(own, std::move(copy));
            context.touch(own);
        }
    }
}

} // namespace

Result<void> applyPolicy(Context &context, const PolicyApplied &applied)
{
    auto &fleet = context.fleet;
    auto reading = readPolicy(applied.text, applied.file);
    if (!reading.accepted())
        return malformed(context.event, "a policy that does not pass its own check");
    fleet.policy = std::make_shared<const Policy>(std::move(*reading.policy));
    fleet.policyText = applied.text;
    fleet.policyFile = applied.file;
    fleet.policyVersion = applied.version;
    fleet.policyAt = context.event.ruleTime;
    fleet.zone = Zone{};
    fleet.zone.name = fleet.policy->timezone;
    fleet.zone.firstOffsetSeconds = applied.zoneFirstOffset;
    for (const auto &[at, offset] : applied.zoneTransitions)
        fleet.zone.transitions.push_back({Instant{at}, offset});
    fleet.rebuildPolicyIndex();
    recountAllSpend(context);
    keepOpenBreakers(context);
    for (std::uint32_t id = 1; id <= fleet.agents.size(); ++id) {
        auto &agent = context.agent(AgentId{id});
        agent.key = KeyId{fleet.names.find(NameKind::Key, fleet.agentPolicies[id - 1]->key)};
        ++agent.revision.value;
        settleAgentRung(context, AgentId{id});
        settleQueue(context, AgentId{id});
    }
    ++fleet.fleetRevision.value;
    if (context.touched != nullptr) {
        context.touched->policy = true;
        context.touched->everything = true;
    }
    return {};
}

} // namespace handreset::rules::fold

#include "model/live/subject_from_fleet.h"

#include "model/live/grants_from_fleet.h"
#include "model/live/rows_from_fleet.h"
#include "model/rules/act.h"
#include "model/rules/authority.h"
#include "model/rules/words_of_time.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace handreset::live {

using namespace rules;

namespace {

constexpr std::size_t kBreakersShown = 12;
constexpr int kInFlightShown = 6;

[[nodiscard]] bool asksApproval(const Fleet &fleet, const Trip &trip, int rearmsIn24h)
{
    if (!fleet.policy)
        return false;
    const ApprovalPolicy &approval = fleet.policy->approval;
    const bool bySignal = std::find(approval.signals.begin(), approval.signals.end(), trip.subject.signal)
        != approval.signals.end();
    return bySignal || (approval.rearmsIn24h > 0 && rearmsIn24h + 1 >= approval.rearmsIn24h);
}

[[nodiscard]] QString whoLifts(const Trip &trip, bool twoPersons)
{
    if (trip.latch == LatchState::HeldByClock)
        return trip.endsAt ? QStringLiteral("the clock, ") + toText(utcClock(*trip.endsAt)) : QStringLiteral("the clock");
    return twoPersons ? QStringLiteral("two persons") : QStringLiteral("a person");
}

/// A stop's or a probation's: who made it, and when.
[[nodiscard]] QString madeBy(const Fleet &fleet, const Trip &trip)
{
    return trip.by ? QStringLiteral("%1 at %2").arg(toText(fleet.names(trip.by)), toText(utcClock(trip.firedAt)))
                   : QString();
}

/// What was measured; of a stop, who made it and why.
[[nodiscard]] QString measuredWords(const Fleet &fleet, const Trip &trip)
{
    if (trip.subject.signal != Signal::Operator || !trip.by)
        return toText(tripMeasured(trip));
    const QString why = trip.reason.empty() ? QStringLiteral("no reason yet") : toText(trip.reason);
    const QString clock = toText(utcClock(trip.firedAt)).left(5); // to the minute: it stands in narrow places
    return QStringLiteral("by %1 at %2: %3").arg(toText(fleet.names(trip.by)), clock, why);
}

[[nodiscard]] std::pair<GrantKind, QString> grantOf(const Fleet &fleet, const Trip &trip)
{
    switch (trip.subject.signal) {
    case Signal::Steps:
        return {GrantKind::Steps, QStringLiteral("steps")};
    case Signal::Spend:
        return {GrantKind::Spend, toText(fleet.keyPolicy(trip.subject.key).currency)};
    case Signal::Envelope:
        if (trip.subject.cap == Cap::VolumeCalls)
            return {GrantKind::VolumeCalls, QStringLiteral("calls")};
        if (trip.subject.cap == Cap::VolumeValue) {
            const ToolPolicy &tool = fleet.toolPolicy(trip.agent, trip.subject.tool);
            return {GrantKind::VolumeValue, tool.value ? toText(tool.value->currency) : QString()};
        }
        break;
    case Signal::Repetition:
    case Signal::Provider:
    case Signal::Operator:
    case Signal::Probation:
    case Signal::Tamper:
        break;
    }
    return {GrantKind::None, {}};
}

[[nodiscard]] TripDetail tripDetail(const Fleet &fleet, const Trip &trip, AgentId seenFrom, int rearmsIn24h, Now now)
{
    TripDetail detail;
    detail.trip = trip;
    detail.title = toText(tripTitle(trip.subject, fleet.names));
    detail.measured = measuredWords(fleet, trip);
    detail.madeBy = madeBy(fleet, trip);
    rules::Rearm rearm;
    rearm.trip = trip.id;
    detail.secondPerson = toText(secondPersonFor(fleet, rearm, now.wall).value_or(std::string()));
    detail.asksApproval = fleet.isUnsigned ? asksApproval(fleet, trip, rearmsIn24h) : !detail.secondPerson.isEmpty();
    detail.whoLifts = whoLifts(trip, detail.asksApproval && !fleet.isUnsigned); // there no second person is asked
    detail.task = toText(fleet.names(trip.subject.root ? trip.subject.root : trip.task));
    if (trip.evidence.tool) {
        detail.tool = toText(fleet.names(trip.evidence.tool));
        detail.access = toText(toWord(fleet.toolPolicy(trip.agent, trip.evidence.tool).access));
    }
    detail.acknowledgedBy = toText(fleet.names(trip.acknowledgedBy));
    detail.revision = fleet.revisionOf(trip);
    detail.reasonTaken = toText(fleet.reasonNotToCopy(trip));
    std::tie(detail.grant, detail.grantUnit) = grantOf(fleet, trip);
    detail.ofTask = !fleet.reachesAgent(trip, seenFrom);
    return detail;
}

/// Says of each what still holds when it alone is lifted.
void addHeldBeside(std::vector<TripDetail> &trips)
{
    for (TripDetail &trip : trips) {
        const TripDetail *holder = nullptr;
        for (const TripDetail &other : trips) {
            if (&other != &trip && !other.ofTask && (!holder || other.trip.rung > holder->trip.rung))
                holder = &other;
        }
        if (holder)
            trip.heldBeside
                = QStringLiteral("still %1, %2 holds it").arg(toText(toWord(holder->trip.rung)), holder->title);
    }
}

/// How long the agent stayed re-armed after the last human re-arm, or that it still does.
[[nodiscard]] QString lastRearmWords(const Fleet &fleet, AgentId id, Instant now)
{
    const Agent &agent = fleet.agent(id);
    if (agent.rearms.empty())
        return {};
    const Instant at = agent.rearms.back().at;
    std::optional<Instant> next;
    for (const Trip *trip : tripsOf(fleet, id)) {
        if (trip->firedAt > at && trip->subject.signal != Signal::Probation && (!next || trip->firedAt < *next))
            next = trip->firedAt;
    }
    return next ? QStringLiteral("the last lasted ") + toText(lengthWords(*next - at))
                : QStringLiteral("the last holds since ") + toText(lengthWords(now - at));
}

/// The agent's own rung in [from, to), from the trips that reached it: what is known of the past without the log.
[[nodiscard]] Lane agentLane(const Fleet &fleet, AgentId id, Instant from, Instant to)
{
    Lane lane{toText(fleet.names(id)), {}, {}, fleet.agent(id).firstSeen};
    const auto add = [&](const Trip &trip) {
        const Instant end = trip.active() ? to : trip.rearmedAt.value_or(to);
        if (end <= from || (!fleet.reachesAgent(trip, id) && fleet.task(trip.subject.root).agent != id))
            return;
        const auto tone = trip.rung == Rung::Open ? LaneSpan::Tone::Open : LaneSpan::Tone::Degraded;
        lane.spans.push_back({std::max(trip.firedAt, from), std::min(end, to), tone});
        if (trip.firedAt >= from)
            lane.marks.push_back({trip.firedAt, trip.order});
    };
    for (const Trip &trip : fleet.endedTrips)
        add(trip);
    for (const auto &[unused, trip] : fleet.trips)
        add(trip);
    // Painted in this order, the worse lies over the better.
    std::stable_sort(lane.spans.begin(), lane.spans.end(),
                     [](const LaneSpan &a, const LaneSpan &b) { return a.tone < b.tone; });
    return lane;
}

[[nodiscard]] int urgencyOf(const BreakerRow &row)
{
    return row.state == BreakerState::Open ? 2 : row.state == BreakerState::HalfOpen ? 1 : 0;
}

void addBreakers(SubjectDetail &detail, const Fleet &fleet, AgentId agent, const TrafficBook &traffic, Now now)
{
    std::vector<std::pair<Instant, BreakerKey>> used;
    for (const auto &[key, record] : fleet.breakers) {
        if (const auto found = record.usedBy.find(agent); found != record.usedBy.end())
            used.emplace_back(found->second, key);
    }
    std::sort(used.rbegin(), used.rend());
    for (const auto &[at, key] : used) {
        detail.breakers.push_back(breakerRow(fleet, key, now));
        detail.breakers.back().traffic = traffic.of(key).slots(now.wall);
    }
    std::stable_sort(detail.breakers.begin(), detail.breakers.end(),
                     [](const BreakerRow &a, const BreakerRow &b) { return urgencyOf(a) > urgencyOf(b); });
    if (detail.breakers.size() > kBreakersShown)
        detail.breakers.resize(kBreakersShown);
}

[[nodiscard]] double cooldownShare(const Breaker &breaker, const BreakerPolicy &policy, Steady now)
{
    if (breaker.cooldownMet)
        return 1;
    double share = 1;
    if (policy.cooldownCalls && *policy.cooldownCalls > 0)
        share = std::min(share, static_cast<double>(breaker.rejectedWhileOpen) / static_cast<double>(*policy.cooldownCalls));
    if (policy.cooldownSeconds && *policy.cooldownSeconds > 0) {
        const Duration whole = seconds(*policy.cooldownSeconds);
        share = std::min(share, static_cast<double>((now - breaker.openedAt).micros) / static_cast<double>(whole.micros));
    }
    return std::clamp(share, 0.0, 1.0);
}

/// What can happen to it next, as the table decides: every event, of its own generation and of an earlier one.
[[nodiscard]] std::set<std::uint8_t> possibleRows(const Breaker &breaker, const BreakerPolicy &policy, Steady now)
{
    std::set<std::uint8_t> rows;
    for (std::size_t i = 0; i < Words<BreakerEvent>::list.size(); ++i) {
        const auto event = static_cast<BreakerEvent>(i);
        // A lease can end as soon as a probe is out, though not yet.
        const Steady at
            = event == BreakerEvent::LeaseOver ? std::max(now, probeLeaseEnd(breaker, policy).value_or(now)) : now;
        for (const std::uint64_t generation : {breaker.generation, breaker.generation - 1}) {
            const AskId call = event == BreakerEvent::Ask ? AskId{} : breaker.probe;
            rows.insert(decideBreaker(breaker, {event, call, generation}, policy, at).id);
        }
    }
    return rows;
}

[[nodiscard]] BreakerDetail breakerDetail(const Fleet &fleet, const BreakerKey &key, const TrafficBook &traffic, Now now)
{
    BreakerDetail detail;
    detail.row = breakerRow(fleet, key, now);
    detail.row.traffic = traffic.of(key).slots(now.wall);
    detail.policy = breakerPolicyOf(fleet, key);
    detail.breaker = fleet.breaker(key);
    const Instant until = fleet.recorded ? fleet.ruleTime : now.wall;
    detail.taken = traffic.of(key).taken(until);
    detail.takenSince = std::max(until - kLanesShown, traffic.since());
    detail.possible = possibleRows(detail.breaker, detail.policy, now.steady);
    detail.lastTaken = traffic.of(key).lastTaken();
    const Breaker &breaker = detail.breaker;
    if (breaker.isolation)
        detail.isolatedBy = toText(fleet.names(breaker.isolation->by));
    if (const auto found = fleet.pending.find(breaker.probe); found != fleet.pending.end())
        detail.probe = toText(fleet.names(found->second.agent) + ' ' + fleet.names(found->second.task));
    if (breaker.state == BreakerState::Open)
        detail.cooldownShare = cooldownShare(breaker, detail.policy, now.steady);
    if (breaker.lastRow != 0 && breaker.lastRow < detail.lastTaken.size())
        detail.lastTaken[breaker.lastRow] = std::max(detail.lastTaken[breaker.lastRow], breaker.changedAt);
    return detail;
}

/// The breaker that a person would look at first: one that is not closed, that of the worst trip's tool, or the latest.
[[nodiscard]] BreakerKey breakerInQuestion(const Fleet &fleet, const SubjectDetail &detail)
{
    if (detail.breakers.empty())
        return {};
    if (detail.breakers.front().state != BreakerState::Closed)
        return detail.breakers.front().id;
    const TripDetail *worst = nullptr;
    for (const TripDetail &trip : detail.trips) {
        if (trip.trip.evidence.tool && (!worst || trip.trip.rung > worst->trip.rung))
            worst = &trip;
    }
    const BreakerKey key = worst ? fleet.breakerKeyOf(detail.focus.agent, worst->trip.evidence.tool) : BreakerKey{};
    return fleet.breakers.contains(key) ? key : detail.breakers.front().id;
}

void addInFlight(SubjectDetail &detail, const Fleet &fleet, AgentId agent)
{
    InFlightNow now = inFlightOf(fleet, agent);
    detail.inFlight = std::move(now.latest);
    detail.inFlightCount = now.count;
}

/// Of one agent; none: of all.
void addQueue(SubjectDetail &detail, const Fleet &fleet, AgentId agent)
{
    for (const auto &[root, item] : fleet.queue) {
        if (agent && item.agent != agent)
            continue;
        detail.queue.push_back({.task = root,
                                .agent = agent ? QString() : toText(fleet.names(item.agent)),
                                .name = toText(fleet.names(root)),
                                .note = toText(fleet.task(root).note),
                                .owner = toText(fleet.names(item.owner)),
                                .since = item.since,
                                .waiting = item.waiting,
                                .byClock = item.byClock});
    }
}

void addAgent(SubjectDetail &detail, const Fleet &fleet, AgentId id, const TrafficBook &traffic, Now now)
{
    const Agent &agent = fleet.agent(id);
    const AgentPolicy &policy = fleet.agentPolicy(id);
    detail.agent = agentRow(fleet, id, now);
    detail.runbook = toText(policy.runbook);
    detail.contact = toText(policy.contact);
    detail.degradedModel = toText(policy.degradedModel);
    detail.matrix = matrixOf(fleet, id, now);
    detail.coverage = toText(coverageWords(detail.matrix));
    detail.rearmsIn24h = static_cast<int>(std::count_if(agent.rearms.begin(), agent.rearms.end(), [&](const RearmRecord &r) {
        return r.at > now.wall - hours(24);
    }));
    detail.lastRearmLasted = lastRearmWords(fleet, id, now.wall);
    for (const Trip *trip : tripsOf(fleet, id))
        detail.trips.push_back(tripDetail(fleet, *trip, id, detail.rearmsIn24h, now));
    addHeldBeside(detail.trips);
    detail.grants = grantsOf(fleet, id, now);
    addQueue(detail, fleet, id);
    addInFlight(detail, fleet, id);
    addBreakers(detail, fleet, id, traffic, now);
}

/// The fleet as one subject: the stops that a person made of all of it.
void addFleet(SubjectDetail &detail, const Fleet &fleet, Now now)
{
    AgentRow &row = detail.agent;
    row.name = QStringLiteral("the fleet");
    row.revision = fleet.fleetRevision;
    row.observedOnly = fleet.recorded;
    for (const auto &[id, trip] : fleet.trips) {
        if (trip.reach != Reach::Fleet)
            continue;
        detail.trips.push_back(tripDetail(fleet, trip, {}, 0, now));
        if (row.rung < trip.rung) {
            row.rung = trip.rung;
            row.rungSince = trip.firedAt;
        }
    }
    addHeldBeside(detail.trips);
    detail.agentsInAll = static_cast<int>(fleet.agents.size());
    for (std::uint32_t i = 1; i <= fleet.agents.size(); ++i) {
        const AgentId agent{i};
        const bool held = std::ranges::any_of(tripsOf(fleet, agent), [&](const Trip *trip) {
            return trip->reach != Reach::Fleet && fleet.reachesAgent(*trip, agent);
        });
        detail.agentsHeldBeside += held ? 1 : 0;
    }
    addQueue(detail, fleet, {});
    addInFlight(detail, fleet, {});
}

void addLanes(SubjectDetail &detail, const Fleet &fleet, const TrafficBook &traffic, Now now)
{
    detail.lanesUntil = fleet.recorded ? fleet.ruleTime : now.wall;
    const Instant from = detail.lanesUntil - kLanesShown;
    if (detail.focus.agent)
        detail.lanes.push_back(agentLane(fleet, detail.focus.agent, from, detail.lanesUntil));
    const auto add = [&](const BreakerKey &key) {
        const auto found = fleet.breakers.find(key);
        const Breaker *present = found == fleet.breakers.end() ? nullptr : &found->second.breaker;
        detail.lanes.push_back({toText(fleet.names(key.tool)),
                                traffic.of(key).spans(from, detail.lanesUntil, present),
                                {},
                                traffic.firstTaken()});
    };
    if (detail.breaker)
        add(detail.breaker->row.id);
}

} // namespace

InFlightNow inFlightOf(const Fleet &fleet, AgentId agent)
{
    InFlightNow now;
    for (auto it = fleet.pending.rbegin(); it != fleet.pending.rend(); ++it) {
        const PendingAsk &ask = it->second;
        const bool mine = !agent || ask.agent == agent;
        if (!mine || ask.charged || ++now.count > kInFlightShown)
            continue;
        // A model call has no summary of its own.
        const std::string what = ask.summary.empty() ? "model call " + fleet.names(ask.model) : ask.summary;
        now.latest.push_back({toText(what), ask.askedAt});
    }
    return now;
}

SubjectDetail subjectDetail(const Fleet &fleet, const Focus &focus, const TrafficBook &traffic, Now now)
{
    SubjectDetail detail;
    detail.focus = focus;
    detail.isUnsigned = fleet.isUnsigned;
    detail.recorded = fleet.recorded;
    detail.ruleTime = fleet.ruleTime;
    detail.at = now;
    if (focus.agent) {
        detail.found = focus.agent.value <= fleet.agents.size();
        addAgent(detail, fleet, focus.agent, traffic, now);
    } else if (focus.fleet) {
        detail.found = true;
        addFleet(detail, fleet, now);
    } else {
        detail.found = focus.breaker.tool.isSet();
    }
    BreakerKey chosen = focus.breaker;
    if (!chosen.tool)
        chosen = breakerInQuestion(fleet, detail);
    if (chosen.tool)
        detail.breaker = breakerDetail(fleet, chosen, traffic, now);
    addLanes(detail, fleet, traffic, now);
    if (fleet.policyVersion > 0)
        detail.changedLately = QStringLiteral("policy version %1, %2")
                                   .arg(fleet.policyVersion)
                                   .arg(toText(utcNear(fleet.policyAt, now.wall)));
    else
        detail.changedLately = QStringLiteral("the built-in policy; none was applied");
    return detail;
}

} // namespace handreset::live

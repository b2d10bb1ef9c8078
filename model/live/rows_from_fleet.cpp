#include "model/live/rows_from_fleet.h"

#include "model/live/breaker_traffic.h"
#include "model/rules/matrix.h"

#include <algorithm>
#include <set>
#include <utility>

namespace handreset::live {

using namespace rules;

namespace {

[[nodiscard]] TripMark markOf(const Fleet &fleet, const Trip &trip, AgentId agent)
{
    return {.id = trip.id,
            .order = trip.order,
            .title = toText(tripTitle(trip.subject, fleet.names)),
            .measured = toText(tripMeasured(trip)),
            .rung = trip.rung,
            .byClock = trip.latch == LatchState::HeldByClock,
            .ofTask = !fleet.reachesAgent(trip, agent),
            .acknowledged = trip.acknowledgedBy.isSet()};
}

/// "10" for 10.00, "0.42" for 0.42: whole amounts of money without their zeros, for tiles.
[[nodiscard]] std::string withoutZeros(std::string number)
{
    if (number.ends_with(".00"))
        number.erase(number.size() - 3);
    return number;
}

/// The fullest limit that something was counted against, in few words.
void readFullest(AgentRow &row, const std::vector<MatrixLine> &matrix)
{
    const MatrixLine *fullest = nullptr;
    for (const MatrixLine &line : matrix) {
        const bool counts = line.signal == Signal::Spend || line.signal == Signal::Steps;
        if (counts && line.coverage <= Coverage::Observed && line.share > 0 && (!fullest || line.share > fullest->share))
            fullest = &line;
    }
    if (!fullest)
        return;
    row.fullest = fullest->share;
    row.reading = toText(withoutZeros(fullest->used) + " of " + withoutZeros(fullest->limit) + ' ' + fullest->unit);
}

void readTrips(AgentRow &row, const Fleet &fleet, AgentId id)
{
    std::optional<Instant> lifted = Instant{};
    auto worst = Rung::Closed;
    for (const Trip *trip : tripsOf(fleet, id)) {
        row.trips.push_back(markOf(fleet, *trip, id));
        if (!row.worstSince || trip->rung > worst || (trip->rung == worst && trip->firedAt < *row.worstSince)) {
            row.worstSince = trip->firedAt;
            worst = trip->rung;
        }
        if (!trip->acknowledgedBy)
            ++row.toAcknowledge;
        else if (!row.acknowledgedAt || *row.acknowledgedAt < *trip->acknowledgedAt) {
            row.acknowledgedAt = trip->acknowledgedAt;
            row.acknowledgedBy = toText(fleet.names(trip->acknowledgedBy));
        }
        if (trip->latch != LatchState::HeldByClock)
            lifted.reset();
        else if (lifted && trip->endsAt)
            lifted = std::max(*lifted, *trip->endsAt);
    }
    if (!row.trips.empty() && lifted && lifted->micros != 0)
        row.endsAt = lifted;
}

void readTasks(AgentRow &row, const Fleet &fleet, const Agent &agent)
{
    row.liveTasks = static_cast<int>(agent.liveTasks.size());
    for (const TaskId id : agent.liveTasks) {
        const Task &task = fleet.task(id);
        row.worstTask = std::max(row.worstTask, task.rung);
        row.stoppedTasks += task.rung == Rung::Closed ? 0 : 1;
        row.queued += fleet.queue.contains(id) ? 1 : 0;
    }
}

} // namespace

std::vector<const Trip *> tripsOf(const Fleet &fleet, AgentId agent)
{
    std::vector<const Trip *> found;
    for (const auto &[id, trip] : fleet.trips) {
        const bool ofItsTask = trip.reach == Reach::Task && fleet.task(trip.subject.root).agent == agent;
        if (ofItsTask || fleet.reachesAgent(trip, agent))
            found.push_back(&trip);
    }
    return found;
}

AgentRow agentRow(const Fleet &fleet, AgentId id, Now now)
{
    const Agent &agent = fleet.agent(id);
    AgentRow row;
    row.id = id;
    row.name = toText(fleet.names(id));
    row.account = toText(fleet.names(agent.key));
    row.rung = agent.rung;
    row.rungSince = agent.rungSince;
    row.lastSeen = agent.lastSeen;
    row.revision = agent.revision;
    row.steps = agent.steps;
    row.calls = agent.calls;
    row.refused = agent.refused;
    row.observedOnly = fleet.recorded;
    readTrips(row, fleet, id);
    readTasks(row, fleet, agent);
    readFullest(row, matrixOf(fleet, id, now));
    return row;
}

const BreakerPolicy &breakerPolicyOf(const Fleet &fleet, const BreakerKey &key)
{
    return fleet.toolPolicy(key.agent, key.tool).breaker;
}

BreakerRow breakerRow(const Fleet &fleet, const BreakerKey &key, Now now)
{
    BreakerRow row;
    row.id = key;
    row.tool = toText(fleet.names(key.tool));
    row.agent = toText(fleet.names(key.agent));
    const BreakerPolicy &policy = breakerPolicyOf(fleet, key);
    row.threshold = policy.failureThreshold;
    const auto found = fleet.breakers.find(key);
    if (found == fleet.breakers.end()) {
        row.noTraffic = true;
        row.meaning = QStringLiteral("no traffic");
        return row;
    }
    const BreakerRecord &record = found->second;
    const Breaker &breaker = record.breaker;
    row.state = breaker.state;
    row.isolated = breaker.isolation.has_value();
    row.noTraffic = record.allowed + record.refused == 0;
    row.due = breaker.state == BreakerState::Open && !row.isolated && isCooledDown(breaker, policy, now.steady);
    row.meaning = row.isUnknown() ? QStringLiteral("no traffic") : toText(meaningOf(breaker, policy, now.steady));
    row.whatEndsIt = toText(whatEndsIt(breaker, policy, now.steady));
    row.failureCount = breaker.failureCount;
    row.allowed = record.allowed;
    row.refused = record.refused;
    row.changedAt = breaker.changedAt;
    row.lastAskAt = record.lastAskAt;
    std::vector<std::pair<Instant, AgentId>> users;
    for (const auto &[agent, at] : record.usedBy)
        users.emplace_back(at, agent);
    std::sort(users.rbegin(), users.rend());
    row.users = static_cast<int>(users.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(users.size(), 8); ++i)
        row.usedBy.append(toText(fleet.names(users[i].second)));
    return row;
}

TripRow tripRow(const Fleet &fleet, const Trip &trip)
{
    TripRow row;
    row.id = trip.id;
    row.agent = trip.subject.agent ? trip.subject.agent : trip.agent;
    row.agentName = trip.reach == Reach::Fleet ? QStringLiteral("the fleet") : toText(fleet.names(row.agent));
    row.task = toText(fleet.names(trip.subject.root ? trip.subject.root : trip.task));
    row.signal = trip.subject.signal;
    row.title = toText(tripTitle(trip.subject, fleet.names));
    row.measured = toText(tripMeasured(trip));
    row.order = trip.order;
    row.rung = trip.rung;
    row.byClock = trip.latch == LatchState::HeldByClock;
    row.firedAt = trip.firedAt;
    row.endsAt = trip.endsAt;
    row.firings = trip.firings;
    row.flapping = trip.flapping;
    row.escalated = trip.escalated;
    if (!trip.active()) {
        row.stage = TripStage::Rearmed;
        row.endedAt = trip.rearmedAt;
        row.owner = trip.rearmedBy ? toText(fleet.names(trip.rearmedBy)) : QStringLiteral("the clock");
    } else if (trip.acknowledgedBy) {
        row.stage = TripStage::Acknowledged;
        row.owner = toText(fleet.names(trip.acknowledgedBy));
    }
    return row;
}

QueueRow queueRow(const Fleet &fleet, TaskId root)
{
    QueueRow row;
    row.task = root;
    row.taskName = toText(fleet.names(root));
    const auto found = fleet.queue.find(root);
    if (found == fleet.queue.end())
        return row;
    const QueueItem &item = found->second;
    row.agent = item.agent;
    row.agentName = toText(fleet.names(item.agent));
    row.trip = item.trip;
    if (const Trip *trip = fleet.trip(item.trip))
        row.tripTitle = toText(tripTitle(trip->subject, fleet.names));
    row.since = item.since;
    row.waiting = item.waiting;
    row.byClock = item.byClock;
    row.owner = toText(fleet.names(item.owner));
    row.note = toText(fleet.task(root).note);
    return row;
}

EventRow eventRow(const Fleet &fleet, const Event &event)
{
    const EventWords words = wordsOf(event, fleet);
    const auto breaker = breakerOf(event);
    return {.seq = event.seq,
            .at = event.ruleTime,
            .word = toText(words.word),
            .agent = toText(fleet.names(event.agent)),
            .task = toText(fleet.names(event.task)),
            .subject = toText(words.subject),
            .sentence = toText(words.sentence),
            .weight = words.weight,
            .kind = event.kind(),
            .row = event.row,
            .breaker = breaker ? BreakerRow::keyOf(*breaker) : 0};
}

HeaderCounts headerCounts(const Fleet &fleet)
{
    HeaderCounts counts;
    counts.fleet = toText(fleet.name);
    counts.storeId = toText(fleet.storeId);
    counts.isUnsigned = fleet.isUnsigned;
    counts.recorded = fleet.recorded;
    counts.clockTrusted = fleet.clockTrusted;
    counts.agents = static_cast<int>(fleet.agents.size());
    for (const Agent &agent : fleet.agents) {
        counts.open += agent.rung == Rung::Open ? 1 : 0;
        counts.degraded += agent.rung == Rung::Degraded ? 1 : 0;
    }
    std::set<TaskId> stopped; // several trips may hold one task
    for (const auto &[id, trip] : fleet.trips) {
        counts.unacknowledged += trip.acknowledgedBy ? 0 : 1;
        if (trip.reach == Reach::Fleet)
            counts.fleetRung = std::max(counts.fleetRung, trip.rung);
        if (trip.reach == Reach::Task && fleet.agent(fleet.task(trip.subject.root).agent).rung == Rung::Closed) {
            stopped.insert(trip.subject.root);
            counts.taskRung = std::max(counts.taskRung, trip.rung);
        }
    }
    counts.stoppedTasks = static_cast<int>(stopped.size());
    counts.trips = static_cast<int>(fleet.trips.size());
    counts.breakers = static_cast<int>(fleet.breakers.size());
    for (const auto &[key, record] : fleet.breakers)
        counts.breakersOpen += record.breaker.state == BreakerState::Closed ? 0 : 1;
    counts.queue = static_cast<int>(fleet.queue.size());
    counts.policyVersion = fleet.policyVersion;
    counts.seq = fleet.seq;
    counts.lastTime = fleet.ruleTime;
    counts.requests = static_cast<int>(fleet.requests.size());
    counts.reviews = static_cast<int>(fleet.reviews.size());
    return counts;
}

} // namespace handreset::live

#include "model/store/projection.h"

#include "model/rules/codec.h"
#include "model/store/projection_tables.h"
#include "model/store/rollup.h"

#include <utility>
#include <variant>

namespace handreset::store {

using rules::AgentId;
using rules::Event;
using rules::Fleet;
using rules::Result;
using rules::TaskId;

namespace {

/// Calls `write` for each until one fails.
template <class Range, class Write>
Result<void> forEach(const Range &range, Write write)
{
    for (const auto &item : range) {
        if (auto written = write(item); !written)
            return written;
    }
    return {};
}

constexpr std::string_view kIncidentSql
    = "INSERT INTO %.incident (id, agent, opened_at, last_fired_at, trips, active, last_rearmed_at) "
      "SELECT incident, min(agent), min(fired_at), max(last_fired_at), count(*), sum(latch <> 'clear'), "
      "max(rearmed_at) "
      "FROM %.trip WHERE incident = ?1 GROUP BY incident "
      "ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, opened_at = excluded.opened_at, "
      "last_fired_at = excluded.last_fired_at, trips = excluded.trips, active = excluded.active, "
      "last_rearmed_at = excluded.last_rearmed_at";

std::string inSchema(std::string_view sql, const std::string &schema)
{
    std::string text;
    for (const char c : sql)
        c == '%' ? text.append(schema) : text.append(1, c);
    return text;
}

} // namespace

Result<void> Projection::prepare(Database &database, const std::string &schema)
{
    const auto upsert = [&schema](const ProjectionTable &table) { return upsertSql(table, schema); };
    const auto plain = [&schema](std::string_view sql) { return inSchema(sql, schema); };
    const std::pair<Statement *, std::string> wanted[] = {
        {&m_agent, upsert(kAgentTable)},
        {&m_task, upsert(kTaskTable)},
        {&m_breaker, upsert(kBreakerTable)},
        {&m_spend, upsert(kSpendTable)},
        {&m_spendGone, plain("DELETE FROM %.spend WHERE key = ?1 AND hours = ?2 AND start = ?3")},
        {&m_spendClear, plain("DELETE FROM %.spend")},
        {&m_trip, upsert(kTripTable)},
        {&m_incident, plain(kIncidentSql)},
        {&m_queue, upsert(kQueueTable)},
        {&m_queueGone, plain("DELETE FROM %.queue_item WHERE task = ?1")},
        {&m_queueClear, plain("DELETE FROM %.queue_item")},
        {&m_name, upsert(kNameTable)},
        {&m_policy, upsert(kPolicyTable)},
        {&m_operator, upsert(kOperatorTable)},
        {&m_rollup, upsert(kRollupTable)},
        {&m_rollupBefore,
         plain("SELECT allowed, refused, steps, failures, trips, cost FROM %.rollup_minute "
               "WHERE minute = ?1 AND agent = ?2")},
    };
    return forEach(wanted, [&database](const auto &one) -> Result<void> {
        auto statement = database.prepare(one.second);
        if (!statement)
            return statement.error();
        *one.first = std::move(*statement);
        return {};
    });
}

Result<void> Projection::project(const Fleet &after, const rules::Touched &touched, std::span<const Event> events,
                                 const AgentHeads &heads, const TripLookup &tripOf)
{
    auto agents = touched.agents;
    auto tasks = touched.tasks;
    for (const auto &event : events) {
        if (event.agent.isSet())
            agents.insert(event.agent);
        if (const auto *named = std::get_if<rules::Named>(&event.payload)) {
            if (named->kind == rules::NameKind::Agent)
                agents.insert(AgentId{named->id});
            if (named->kind == rules::NameKind::Task)
                tasks.insert(TaskId{named->id});
        }
    }
    for (std::uint32_t id = 1; touched.everything && id <= after.agents.size(); ++id)
        agents.insert(AgentId{id});

    auto done = projectEvents(events);
    if (done)
        done = forEach(agents, [&](AgentId id) { return writeAgent(after, id, heads); });
    if (done)
        done = forEach(tasks, [&](TaskId id) { return writeTask(after, id); });
    if (done)
        done = forEach(touched.breakers, [&](rules::BreakerKey key) { return writeBreaker(after, key); });
    if (done)
        done = touched.everything
            ? writeAllSpend(after)
            : forEach(touched.spend, [&](const rules::SpendKey &key) { return writeSpend(after, key); });
    if (done)
        done = projectTrips(touched.trips, tripOf);
    if (done)
        done = forEach(touched.queue, [&](TaskId root) { return writeQueueItem(after, root); });
    return done;
}

Result<void> Projection::projectAll(const Fleet &fleet, const AgentHeads &heads)
{
    Result<void> done;
    for (std::uint32_t id = 1; done && id <= fleet.agents.size(); ++id)
        done = writeAgent(fleet, AgentId{id}, heads);
    for (std::uint32_t id = 1; done && id <= fleet.tasks.size(); ++id)
        done = writeTask(fleet, TaskId{id});
    if (done)
        done = forEach(fleet.breakers, [&](const auto &entry) { return writeBreaker(fleet, entry.first); });
    if (done)
        done = writeAllSpend(fleet);
    if (done)
        done = m_queueClear.run();
    if (done)
        done = forEach(fleet.queue, [&](const auto &entry) { return writeQueueItem(fleet, entry.first); });
    return done;
}

Result<void> Projection::projectEvents(std::span<const Event> events)
{
    for (const auto &event : events) {
        Result<void> done;
        if (const auto *named = std::get_if<rules::Named>(&event.payload)) {
            done = m_name.run(named->kind, named->id, named->text, named->owner);
            if (done && named->kind == rules::NameKind::Operator)
                done = m_operator.run(named->id, named->text, event.ruleTime);
        } else if (const auto *applied = std::get_if<rules::PolicyApplied>(&event.payload)) {
            done = m_policy.run(event.seq, applied->version, event.ruleTime, applied->by, applied->reason,
                                applied->file, applied->text);
        }
        if (!done)
            return done;
    }
    return projectRollups(events);
}

Result<void> Projection::projectRollups(std::span<const Event> events)
{
    return forEach(rollupsOf(events), [this](const auto &entry) -> Result<void> {
        const auto &[minute, agent] = entry.first;
        RollupCounts sum = entry.second;
        m_rollupBefore.bind(minute, agent);
        const auto isThere = m_rollupBefore.step();
        if (!isThere)
            return isThere.error();
        if (*isThere) {
            sum.allowed += m_rollupBefore.integer(0);
            sum.refused += m_rollupBefore.integer(1);
            sum.steps += m_rollupBefore.integer(2);
            sum.failures += m_rollupBefore.integer(3);
            sum.trips += m_rollupBefore.integer(4);
            sum.cost += rules::Decimal::parse(m_rollupBefore.bytes(5)).value_or(rules::Decimal());
        }
        m_rollupBefore.reset();
        return m_rollup.run(minute, agent, sum.allowed, sum.refused, sum.steps, sum.failures, sum.trips, sum.cost);
    });
}

Result<void> Projection::writeAgent(const Fleet &fleet, AgentId id, const AgentHeads &heads)
{
    const auto &a = fleet.agent(id);
    const auto head = heads.of(id);
    return m_agent.run(id, a.key, a.rung, a.rungSince, a.revision, a.firstSeen, a.lastSeen, a.steps, a.calls, a.refused,
                       a.tokensIn, a.tokensOut, a.cost, a.unpriced, a.sawStep, a.sawCall, a.sawCost, a.lastReason,
                       a.incident, a.incidentTrips, a.peaceSince, head.count, head.last);
}

Result<void> Projection::writeTask(const Fleet &fleet, TaskId id)
{
    const auto &t = fleet.task(id);
    return m_task.run(id, t.agent, t.parent, t.root, t.session, t.startedAt, t.lastAt, t.timeMeasured, t.steps, t.calls,
                      t.refused, t.cost, t.hadAllowedAsk, t.ended, t.outcome, t.note, t.rung);
}

Result<void> Projection::writeBreaker(const Fleet &fleet, rules::BreakerKey key)
{
    const auto found = fleet.breakers.find(key);
    if (found == fleet.breakers.end())
        return {};
    const auto &record = found->second;
    const auto &b = record.breaker;
    std::optional<rules::OperatorId> by;
    std::optional<rules::Instant> at;
    std::optional<std::string> reason;
    if (b.isolation) {
        by = b.isolation->by;
        at = b.isolation->at;
        reason = b.isolation->reason;
    }
    return m_breaker.run(key.tool, key.agent, b.state, b.failureCount, b.rejectedWhileOpen, b.openedAtWall, b.openedAt,
                         b.cooldownMet, b.probe, b.probeSince, b.generation, by, at, reason, b.lastRow, b.changedAt,
                         record.allowed, record.refused, record.failures, record.late, record.lastAskAt);
}

Result<void> Projection::writeSpend(const Fleet &fleet, const rules::SpendKey &key)
{
    const auto found = fleet.counters.spend.find(key);
    if (found == fleet.counters.spend.end())
        return m_spendGone.run(key.key, key.hours, key.start);
    const auto &sum = found->second;
    return m_spend.run(key.key, key.hours, key.start, sum.settled, sum.reserved, sum.reservations, sum.granted);
}

Result<void> Projection::writeAllSpend(const Fleet &fleet)
{
    if (auto cleared = m_spendClear.run(); !cleared)
        return cleared;
    return forEach(fleet.counters.spend, [&](const auto &entry) { return writeSpend(fleet, entry.first); });
}

Result<void> Projection::projectTrips(const std::set<rules::TripId> &trips, const TripLookup &tripOf)
{
    std::set<rules::TripId> incidents;
    auto done = forEach(trips, [&](rules::TripId id) -> Result<void> {
        const auto *const trip = tripOf(id);
        if (trip == nullptr)
            return rules::Error{rules::ErrorCode::BadInput, "a touched trip that nobody has",
                                "trip " + std::to_string(id.value)};
        incidents.insert(trip->incident);
        return writeTrip(*trip);
    });
    return done ? projectIncidents(incidents) : done;
}

Result<void> Projection::projectIncidents(const std::set<rules::TripId> &incidents)
{
    return forEach(incidents, [this](rules::TripId incident) { return m_incident.run(incident); });
}

Result<void> Projection::writeTrip(const rules::Trip &trip)
{
    const auto &s = trip.subject;
    const std::string body = rules::encodeCbor(trip);
    return m_trip.run(trip.id, s.signal, s.cap, trip.agent, trip.task, trip.root, trip.ask, s.key, s.endpoint, s.tool,
                      s.windowHours, trip.reach, trip.rung, trip.latch, trip.evidence.measured, trip.evidence.limit,
                      trip.firedAt, trip.firings, trip.lastFiredAt, trip.incident, trip.order, trip.flapping,
                      trip.acknowledgedBy, trip.acknowledgedAt, trip.rearmedBy, trip.rearmedAt, trip.rearmedTo,
                      trip.cause, trip.rearmReason, Blob{body});
}

Result<void> Projection::writeQueueItem(const Fleet &fleet, TaskId root)
{
    const auto found = fleet.queue.find(root);
    if (found == fleet.queue.end())
        return m_queueGone.run(root);
    const auto &item = found->second;
    return m_queue.run(root, item.agent, item.trip, item.since, item.waiting, item.byClock, item.owner);
}

} // namespace handreset::store

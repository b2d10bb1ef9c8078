#include "app/ctl/fleet_lists.h"

#include "app/ctl/output.h"
#include "app/ctl/table.h"
#include "model/rules/words_of_event.h"
#include "model/rules/words_of_time.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace handreset::ctl {

using rules::Agent;
using rules::AgentId;
using rules::BreakerKey;
using rules::BreakerRecord;
using rules::BreakerState;
using rules::Fleet;
using rules::Instant;
using rules::Rung;
using rules::Trip;

namespace {

std::string number(std::int64_t value)
{
    return std::to_string(value);
}

std::string word(rules::Worded auto value)
{
    return std::string(rules::toWord(value));
}

/// An agent may be known by its token alone: nothing of it is as if it had been seen.
bool hasAsked(const rules::Agent &agent)
{
    return agent.steps + agent.calls + agent.refused > 0;
}

std::optional<Instant> orNone(Instant at)
{
    return at.micros == 0 ? std::nullopt : std::optional(at);
}

std::string ago(const Look &look, Instant at)
{
    return at.micros == 0 ? std::string() : rules::shortLength(look.now.wall - at) + " ago";
}

AgentId agentAt(std::size_t index)
{
    return AgentId{static_cast<std::uint32_t>(index + 1)};
}

/// By agent: its active trips, those that reach it from elsewhere included.
std::vector<rules::TripId> tripsOf(const Fleet &fleet, AgentId agent)
{
    std::vector<rules::TripId> trips;
    for (const auto &[id, trip] : fleet.trips) {
        if (trip.agent == agent || fleet.reachesAgent(trip, agent))
            trips.push_back(id);
    }
    return trips;
}

/// "69, 345"; where there are many only how many.
std::string numbersOf(const std::vector<rules::TripId> &trips)
{
    constexpr std::size_t kNamed = 4;
    if (trips.size() > kNamed)
        return std::to_string(trips.size()) + " active";
    std::string numbers;
    for (const auto id : trips)
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(id.value);
    return numbers;
}

std::vector<std::int64_t> tasksByAgent(const Fleet &fleet)
{
    std::vector<std::int64_t> counts(fleet.agents.size());
    for (const auto &task : fleet.tasks) {
        if (task.agent.isSet() && task.agent.value <= counts.size())
            ++counts[task.agent.value - 1];
    }
    return counts;
}

std::string currencyOf(const Fleet &fleet, const Agent &agent)
{
    return agent.key.isSet() ? fleet.keyPolicy(agent.key).currency : fleet.policy->defaultKey.currency;
}

const rules::BreakerPolicy &policyOf(const Fleet &fleet, BreakerKey key)
{
    return fleet.toolPolicy(key.agent, key.tool).breaker;
}

std::string meaning(const Look &look, BreakerKey key, const BreakerRecord &record)
{
    return std::string(rules::meaningOf(record.breaker, policyOf(look.fleet, key), look.now.steady));
}

/// Active ones and, unless left out, those that ended; newest first.
std::vector<const Trip *> tripList(const Fleet &fleet, bool onlyActive)
{
    std::vector<const Trip *> trips;
    for (const auto &[id, trip] : fleet.trips)
        trips.push_back(&trip);
    if (!onlyActive) {
        for (const auto &trip : fleet.endedTrips)
            trips.push_back(&trip);
    }
    std::ranges::sort(trips, std::ranges::greater{}, [](const Trip *trip) { return trip->id; });
    return trips;
}

/// What is left until the clock ends the trip; nothing where a human holds it.
std::optional<rules::Duration> leftOf(const Look &look, const Trip &trip)
{
    if (trip.latch != rules::LatchState::HeldByClock)
        return std::nullopt;
    if (trip.endsAtSteady)
        return *trip.endsAtSteady - look.now.steady;
    if (trip.endsAt)
        return *trip.endsAt - look.now.wall;
    return std::nullopt;
}

std::string stateOf(const Look &look, const Trip &trip)
{
    if (!trip.active())
        return "re-armed by " + (trip.rearmedBy.isSet() ? look.fleet.names(trip.rearmedBy) : std::string("the clock"));
    const auto left = leftOf(look, trip);
    if (!left)
        return word(trip.latch);
    return "held by the clock, " + (left->micros <= 0 ? std::string("due") : rules::shortLength(*left) + " left");
}

std::string acknowledgement(const Fleet &fleet, const Trip &trip)
{
    return trip.acknowledgedAt ? fleet.names(trip.acknowledgedBy) : std::string("no");
}

struct FleetCounts {
    std::int64_t agentsDegraded = 0;
    std::int64_t agentsOpen = 0;
    std::int64_t breakersOpen = 0;
    std::int64_t breakersHalfOpen = 0;
    std::int64_t unacknowledged = 0;
    std::int64_t waiting = 0;
};

FleetCounts countsOf(const Fleet &fleet)
{
    FleetCounts counts;
    for (const auto &agent : fleet.agents) {
        counts.agentsDegraded += agent.rung == Rung::Degraded ? 1 : 0;
        counts.agentsOpen += agent.rung == Rung::Open ? 1 : 0;
    }
    for (const auto &[key, record] : fleet.breakers) {
        counts.breakersOpen += record.breaker.state == BreakerState::Open ? 1 : 0;
        counts.breakersHalfOpen += record.breaker.state == BreakerState::HalfOpen ? 1 : 0;
    }
    for (const auto &[id, trip] : fleet.trips)
        counts.unacknowledged += trip.acknowledgedAt ? 0 : 1;
    for (const auto &[task, item] : fleet.queue)
        counts.waiting += item.waiting ? 1 : 0;
    return counts;
}

std::string policyWords(const Fleet &fleet)
{
    if (fleet.policyVersion == 0)
        return "built-in: 25 steps, 3 equal calls, no spend window; apply your own: handresetctl policy apply FILE "
               "--reason R";
    return "version " + number(fleet.policyVersion) + " of " + rules::utcStamp(fleet.policyAt) + ", from "
        + (fleet.policyFile.empty() ? "no file" : fleet.policyFile);
}

std::string kindWords(const Fleet &fleet)
{
    std::string words = fleet.recorded ? "recorded runs: judged, nothing is refused" : "live";
    if (fleet.isUnsigned)
        words += ", UNSIGNED: no operators' keys, no second person";
    else if (!fleet.recorded)
        words += ", signed: " + counted(fleet.operators.size(), "operator", "operators") + ", "
            + counted(fleet.approvers(), "approver", "approvers");
    return words;
}

/// The calls that this trip refused and that a pass can still be given for.
std::vector<rules::AskId> refusedCallsOf(const Fleet &fleet, const Trip &trip)
{
    std::vector<rules::AskId> asks;
    for (const auto &[ask, call] : fleet.refusedCalls) {
        if (ask == trip.ask || call.trip == trip.id)
            asks.push_back(ask);
    }
    return asks;
}

std::string refusedCallsText(const Fleet &fleet, const Trip &trip)
{
    std::string text;
    for (const auto ask : refusedCallsOf(fleet, trip))
        text += (text.empty() ? "" : ", ") + std::to_string(ask.value);
    return text.empty() ? text : text + "; to let one through, once: handresetctl pass CALL";
}

} // namespace

rules::Revision revisionFor(const Fleet &fleet, const Trip &trip)
{
    return trip.agent.isSet() ? fleet.agent(trip.agent).revision : fleet.fleetRevision;
}

// ---- Status ------------------------------------------------------------------------------------------------

void writeStatus(JsonWriter &json, const Look &look)
{
    const auto &fleet = look.fleet;
    const auto counts = countsOf(fleet);
    json.text("store_id", fleet.storeId);
    json.text("fleet", fleet.name);
    json.flag("recorded", fleet.recorded);
    json.flag("unsigned", fleet.isUnsigned);
    json.number("seq", fleet.seq.value);
    json.instant("rule_time", orNone(fleet.ruleTime));
    json.flag("clock_trusted", fleet.clockTrusted);
    json.number("policy_version", fleet.policyVersion);
    json.text("policy_file", fleet.policyFile);
    json.instant("policy_at", orNone(fleet.policyAt));
    json.number("agents", fleet.agents.size());
    json.number("agents_degraded", counts.agentsDegraded);
    json.number("agents_open", counts.agentsOpen);
    json.number("tasks", fleet.tasks.size());
    json.number("breakers", fleet.breakers.size());
    json.number("breakers_open", counts.breakersOpen);
    json.number("breakers_half_open", counts.breakersHalfOpen);
    json.number("trips", fleet.trips.size());
    json.number("trips_unacknowledged", counts.unacknowledged);
    json.number("queue", fleet.queue.size());
    json.number("queue_waiting", counts.waiting);
    json.number("operators", fleet.operators.size());
    json.number("approvers", fleet.approvers());
    json.number("requests", fleet.requests.size());
    json.number("reviews", fleet.reviews.size());
}

std::string statusText(const Look &look)
{
    const auto &fleet = look.fleet;
    const auto counts = countsOf(fleet);
    std::vector<std::pair<std::string, std::string>> rows{
        {"fleet", fleet.name},
        {"store id", fleet.storeId},
        {"kind", kindWords(fleet)},
        {"log", counted(fleet.seq.value, "event", "events") + ", the last at " + rules::utcStamp(fleet.ruleTime)},
        {"policy", policyWords(fleet)},
        {"agents",
         number(static_cast<std::int64_t>(fleet.agents.size())) + ": " + number(counts.agentsOpen) + " open, "
             + number(counts.agentsDegraded) + " degraded"},
        {"tasks", number(static_cast<std::int64_t>(fleet.tasks.size()))},
        {"trips",
         counted(fleet.trips.size(), "active", "active") + ", " + number(counts.unacknowledged) + " not acknowledged"},
        {"breakers",
         number(static_cast<std::int64_t>(fleet.breakers.size())) + ": " + number(counts.breakersOpen)
             + " OPEN (calls refused), " + number(counts.breakersHalfOpen) + " HALF_OPEN (one probe)"},
        {"queue",
         number(static_cast<std::int64_t>(fleet.queue.size())) + ": " + number(counts.waiting)
             + " waiting for a human"}};
    if (!fleet.requests.empty())
        rows.emplace_back("requests",
                          counted(fleet.requests.size(), "waits", "wait")
                              + " for a second person: handresetctl requests");
    if (!fleet.reviews.empty())
        rows.emplace_back("reviews",
                          counted(fleet.reviews.size(), "act was", "acts were")
                              + " done alone, glass broken: handresetctl reviews");
    if (!fleet.clockTrusted)
        rows.emplace_back("clock",
                          "it jumped forward: nothing re-arms by itself until somebody says "
                          "handresetctl confirm-time --reason R");
    return pairs(rows);
}

// ---- Agents ------------------------------------------------------------------------------------------------

void writeAgents(JsonWriter &json, const Look &look)
{
    const auto &fleet = look.fleet;
    const auto tasks = tasksByAgent(fleet);
    json.beginArray("agents");
    for (std::size_t i = 0; i < fleet.agents.size(); ++i) {
        const auto &agent = fleet.agents[i];
        json.beginObject();
        json.text("name", fleet.names(agentAt(i)));
        json.text("rung", rules::toWord(agent.rung));
        json.instant("rung_since", orNone(agent.rungSince));
        json.number("revision", agent.revision.value);
        json.beginArray("active_trips");
        for (const auto id : tripsOf(fleet, agentAt(i)))
            json.rawElement(std::to_string(id.value));
        json.end();
        json.number("steps", agent.steps);
        json.number("calls", agent.calls);
        json.number("refused", agent.refused);
        json.number("tokens_in", agent.tokensIn);
        json.number("tokens_out", agent.tokensOut);
        json.text("cost", agent.cost.toString());
        json.text("currency", currencyOf(fleet, agent));
        json.number("unpriced", agent.unpriced);
        json.number("tasks", tasks[i]);
        json.number("live_tasks", agent.liveTasks.size());
        json.text("key", fleet.names(agent.key));
        json.instant("first_seen", orNone(agent.firstSeen));
        json.instant("last_seen", hasAsked(agent) ? orNone(agent.lastSeen) : std::nullopt);
        json.end();
    }
    json.end();
}

std::string agentsText(const Look &look)
{
    const auto &fleet = look.fleet;
    const auto tasks = tasksByAgent(fleet);
    Table table({{"AGENT"},
                 {"RUNG"},
                 {"TRIPS"},
                 {"STEPS", Align::Right},
                 {"CALLS", Align::Right},
                 {"REFUSED", Align::Right},
                 {"TASKS", Align::Right},
                 {"COST", Align::Right},
                 {"LAST SEEN"}});
    for (std::size_t i = 0; i < fleet.agents.size(); ++i) {
        const auto &agent = fleet.agents[i];
        table.add({fleet.names(agentAt(i)), word(agent.rung), numbersOf(tripsOf(fleet, agentAt(i))),
                   number(agent.steps), number(agent.calls), number(agent.refused), number(tasks[i]),
                   agent.cost.toString(2) + ' ' + currencyOf(fleet, agent),
                   !hasAsked(agent)     ? std::string("no ask yet")
                       : fleet.recorded ? rules::utcStamp(agent.lastSeen)
                                        : ago(look, agent.lastSeen)});
    }
    return table.isEmpty() ? "No agent has asked yet.\n" : table.toString();
}

// ---- Breakers ----------------------------------------------------------------------------------------------

void writeBreakers(JsonWriter &json, const Look &look)
{
    const auto &names = look.fleet.names;
    json.beginArray("breakers");
    for (const auto &[key, record] : look.fleet.breakers) {
        const auto &breaker = record.breaker;
        json.beginObject();
        json.text("tool", names(key.tool));
        json.text("agent", names(key.agent));
        json.text("state", rules::toWord(breaker.state));
        json.text("meaning", meaning(look, key, record));
        json.number("failure_count", breaker.failureCount);
        json.number("rejected_while_open", breaker.rejectedWhileOpen);
        json.number("generation", breaker.generation);
        const bool isClosed = breaker.state == BreakerState::Closed;
        json.instant("opened_at", isClosed ? std::nullopt : orNone(breaker.openedAtWall));
        json.text("ends", rules::whatEndsIt(breaker, policyOf(look.fleet, key), look.now.steady));
        json.text("isolated_by", breaker.isolation ? names(breaker.isolation->by) : std::string());
        json.text("isolated_reason", breaker.isolation ? breaker.isolation->reason : std::string());
        json.number("allowed", record.allowed);
        json.number("refused", record.refused);
        json.number("failures", record.failures);
        json.number("late", record.late);
        json.instant("last_ask_at", orNone(record.lastAskAt));
        json.end();
    }
    json.end();
}

std::string breakersText(const Look &look)
{
    const auto &fleet = look.fleet;
    Table table({{"TOOL"},
                 {"STATE", Align::Left, 64},
                 {"FAILURES", Align::Right},
                 {"ALLOWED", Align::Right},
                 {"REFUSED", Align::Right},
                 {"LAST ASK"},
                 {"WHAT ENDS IT", Align::Left, 64}});
    for (const auto &[key, record] : fleet.breakers) {
        const auto of = key.agent.isSet() ? " of " + fleet.names(key.agent) : std::string();
        const auto &policy = policyOf(fleet, key);
        const auto count = number(record.breaker.failureCount) + " of " + number(policy.failureThreshold);
        const auto last = fleet.recorded ? rules::utcStamp(record.lastAskAt) : ago(look, record.lastAskAt);
        table.add({fleet.names(key.tool) + of, meaning(look, key, record), count, number(record.allowed),
                   number(record.refused), record.lastAskAt.micros == 0 ? "no traffic" : last,
                   rules::whatEndsIt(record.breaker, policy, look.now.steady)});
    }
    return table.isEmpty() ? "No tool has been called yet.\n" : table.toString();
}

// ---- Trips -------------------------------------------------------------------------------------------------

void writeTrip(JsonWriter &json, const Look &look, const Trip &trip)
{
    const auto &names = look.fleet.names;
    json.number("trip", trip.id.value);
    json.flag("active", trip.active());
    json.text("signal", rules::toWord(trip.subject.signal));
    json.text("cap", rules::toWord(trip.subject.cap));
    json.text("title", rules::tripTitle(trip.subject, names));
    json.text("agent", names(trip.agent));
    json.text("task", names(trip.task));
    json.text("key", names(trip.subject.key));
    json.text("endpoint", names(trip.subject.endpoint));
    json.text("tool", names(trip.subject.tool));
    json.text("reaches", rules::toWord(trip.reach));
    json.text("rung", rules::toWord(trip.rung));
    json.text("latch", rules::toWord(trip.latch));
    json.text("measured", trip.evidence.measured);
    json.text("limit", trip.evidence.limit);
    json.instant("fired_at", trip.firedAt);
    json.number("firings", trip.firings);
    json.beginArray("refused_calls");
    for (const auto ask : refusedCallsOf(look.fleet, trip))
        json.rawElement(std::to_string(ask.value));
    json.end();
    json.instant("ends_at", trip.endsAt);
    if (const auto left = leftOf(look, trip))
        json.number("ends_in_seconds", std::max<std::int64_t>(0, left->micros / 1'000'000));
    else
        json.null("ends_in_seconds");
    json.number("incident", trip.incident.value);
    json.number("order", trip.order);
    json.flag("flapping", trip.flapping);
    json.flag("escalated", trip.escalated);
    json.number("linked", trip.linked.value);
    json.text("by", names(trip.by));
    json.text("reason", trip.reason);
    json.text("acknowledged_by", names(trip.acknowledgedBy));
    json.instant("acknowledged_at", trip.acknowledgedAt);
    json.number("revision", revisionFor(look.fleet, trip).value);
    json.text("rearmed_by", names(trip.rearmedBy));
    json.instant("rearmed_at", trip.rearmedAt);
    json.text("rearmed_to", trip.rearmedAt ? rules::toWord(trip.rearmedTo) : std::string_view());
    json.text("cause", trip.cause);
    json.text("rearm_reason", trip.rearmReason);
}

void writeTrips(JsonWriter &json, const Look &look, bool onlyActive)
{
    json.beginArray("trips");
    for (const auto *trip : tripList(look.fleet, onlyActive)) {
        json.beginObject();
        writeTrip(json, look, *trip);
        json.end();
    }
    json.end();
}

std::string tripsText(const Look &look, bool onlyActive)
{
    const auto &fleet = look.fleet;
    Table table({{"TRIP", Align::Right},
                 {"FIRED"},
                 {"AGENT"},
                 {"TASK", Align::Left, 32},
                 {"SIGNAL"},
                 {"MEASURED"},
                 {"RUNG"},
                 {"STATE"},
                 {"SEEN BY"},
                 {"FIRINGS", Align::Right}});
    for (const auto *trip : tripList(fleet, onlyActive))
        table.add({std::to_string(trip->id.value), rules::utcNear(trip->firedAt, look.now.wall),
                   trip->agent.isSet() ? fleet.names(trip->agent) : "the fleet", fleet.names(trip->task),
                   rules::tripTitle(trip->subject, fleet.names), rules::tripMeasured(*trip), word(trip->rung),
                   stateOf(look, *trip) + (trip->flapping ? ", flapping" : ""), acknowledgement(fleet, *trip),
                   number(trip->firings)});
    if (!table.isEmpty())
        return table.toString();
    return onlyActive ? "No trip is active.\n" : "No trip has fired yet.\n";
}

std::string tripText(const Look &look, const Trip &trip)
{
    const auto &names = look.fleet.names;
    std::vector<std::pair<std::string, std::string>> rows{
        {"trip", std::to_string(trip.id.value)},
        {"signal", rules::tripTitle(trip.subject, names)},
        {"agent", trip.agent.isSet() ? names(trip.agent) : "the fleet"},
        {"task", names(trip.task)},
        {"reaches", word(trip.reach)},
        {"rung", word(trip.rung)},
        {"state", stateOf(look, trip)},
        {"fired",
         rules::utcStamp(trip.firedAt) + ", " + counted(static_cast<std::uint64_t>(trip.firings), "firing", "firings")},
        {"measured", rules::tripMeasured(trip)},
        {"in words", trip.evidence.detail},
        {"tool", names(trip.evidence.tool)},
        {"arguments", trip.evidence.arguments},
        {"destination", trip.evidence.destination},
        {"refused calls", refusedCallsText(look.fleet, trip)},
        {"stopped by", names(trip.by)},
        {"reason", trip.reason},
        {"acknowledged",
         trip.acknowledgedAt ? names(trip.acknowledgedBy) + ", " + rules::utcStamp(*trip.acknowledgedAt)
                             : std::string("no: handresetctl ack ") + std::to_string(trip.id.value)},
        {"revision", std::to_string(revisionFor(look.fleet, trip).value)}};
    if (trip.flapping)
        rows.emplace_back("flapping", "fired again after the re-arm of trip " + std::to_string(trip.linked.value));
    if (trip.rearmedAt) {
        rows.emplace_back("re-armed", word(trip.rearmedTo) + ", " + rules::utcStamp(*trip.rearmedAt));
        rows.emplace_back("cause", trip.cause);
        rows.emplace_back("its reason", trip.rearmReason);
    }
    std::erase_if(rows, [](const auto &row) { return row.second.empty(); });
    return pairs(rows);
}

// ---- Queue -------------------------------------------------------------------------------------------------

void writeQueue(JsonWriter &json, const Look &look)
{
    const auto &fleet = look.fleet;
    json.beginArray("queue");
    for (const auto &[id, item] : fleet.queue) {
        const auto &task = fleet.task(id);
        json.beginObject();
        json.text("task", fleet.names(id));
        json.text("agent", fleet.names(item.agent));
        json.number("trip", item.trip.value);
        json.instant("since", item.since);
        json.flag("waiting", item.waiting);
        json.flag("by_clock", item.byClock);
        json.text("owner", fleet.names(item.owner));
        json.text("rung", rules::toWord(fleet.rungOf(item.agent, id)));
        json.number("steps", task.steps);
        json.number("calls", task.calls);
        json.text("note", task.note);
        json.end();
    }
    json.end();
}

std::string queueText(const Look &look)
{
    const auto &fleet = look.fleet;
    Table table(
        {{"TASK"}, {"AGENT"}, {"TRIP", Align::Right}, {"SINCE"}, {"STATE"}, {"TAKEN BY"}, {"NOTE", Align::Left, 80}});
    for (const auto &[id, item] : fleet.queue) {
        const std::string state = !item.waiting ? "running, degraded"
            : item.byClock                      ? "waiting for the clock"
                                                : "waiting for a human";
        table.add({fleet.names(id), fleet.names(item.agent), std::to_string(item.trip.value), ago(look, item.since),
                   state, item.owner.isSet() ? fleet.names(item.owner) : "nobody", fleet.task(id).note});
    }
    return table.isEmpty() ? "The queue is empty.\n" : table.toString();
}

} // namespace handreset::ctl

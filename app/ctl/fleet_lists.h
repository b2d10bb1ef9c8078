// The lists of a fleet as people and machines read them: agents, breakers, trips, the queue, the status. The same for
// the present and for any point of the past. Pure; any thread.
#pragma once

#include "app/ctl/json_writer.h"
#include "model/rules/fleet.h"

#include <string>
#include <vector>

namespace handreset::ctl {

/// A fleet at a moment. `now` is in the fleet's steady time.
struct Look {
    const rules::Fleet &fleet;
    rules::Now now;
};

// ---- Field lists, for --help -------------------------------------------------------------------------------

inline constexpr std::string_view kAgentFields
    = "name, rung, rung_since, revision, active_trips [trip], steps, calls, refused, tokens_in, tokens_out, cost "
      "(text), currency, unpriced, tasks, live_tasks, key, first_seen, last_seen";
inline constexpr std::string_view kBreakerFields
    = "tool, agent (empty: the fleet's), state, meaning, failure_count, rejected_while_open, generation, opened_at, "
      "ends, isolated_by, isolated_reason, allowed, refused, failures, late, last_ask_at";
inline constexpr std::string_view kTripFields
    = "trip, active, signal, cap, title, agent, task, key, endpoint, tool, reaches, rung, latch, measured, limit, "
      "fired_at, firings, refused_calls [number: those that a pass can be given for], ends_at, ends_in_seconds, incident, order, flapping, escalated, linked, by, reason, "
      "acknowledged_by, "
      "acknowledged_at, revision, rearmed_by, rearmed_at, rearmed_to, cause, rearm_reason";
inline constexpr std::string_view kQueueFields
    = "task, agent, trip, since, waiting, by_clock, owner, rung, steps, calls, note";
inline constexpr std::string_view kStatusFields
    = "store_id, fleet, recorded, unsigned, seq, rule_time, clock_trusted, policy_version (0: built-in), policy_file, "
      "policy_at, agents, agents_degraded, agents_open, tasks, breakers, breakers_open, breakers_half_open, trips, "
      "trips_unacknowledged, queue, queue_waiting, operators, approvers, requests, reviews";

// ---- JSON: members of the present object -------------------------------------------------------------------

void writeStatus(JsonWriter &json, const Look &look);
void writeAgents(JsonWriter &json, const Look &look);                 ///< "agents": […]
void writeBreakers(JsonWriter &json, const Look &look);               ///< "breakers": […]
void writeTrips(JsonWriter &json, const Look &look, bool onlyActive); ///< "trips": […], newest first
void writeQueue(JsonWriter &json, const Look &look);                  ///< "queue": […]
/// The members of one trip, into the present object.
void writeTrip(JsonWriter &json, const Look &look, const rules::Trip &trip);

// ---- Text --------------------------------------------------------------------------------------------------

[[nodiscard]] std::string statusText(const Look &look);
[[nodiscard]] std::string agentsText(const Look &look);
[[nodiscard]] std::string breakersText(const Look &look);
[[nodiscard]] std::string tripsText(const Look &look, bool onlyActive);
[[nodiscard]] std::string queueText(const Look &look);
/// One trip with its evidence, as a person needs it before a re-arm.
[[nodiscard]] std::string tripText(const Look &look, const rules::Trip &trip);

/// The revision that a re-arm of this trip must have seen.
[[nodiscard]] rules::Revision revisionFor(const rules::Fleet &fleet, const rules::Trip &trip);

} // namespace handreset::ctl

// The projections' tables by name: their columns in the order in which rows are written and compared.
// Internal to model/store. Pure values.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace handreset::store {

struct ProjectionTable {
    std::string_view name;
    std::size_t keys;         ///< so many of the first columns tell rows apart
    std::string_view columns; ///< "a, b, c"
};

inline constexpr ProjectionTable kAgentTable{
    "agent", 1,
    "id, key, rung, rung_since, revision, first_seen, last_seen, steps, calls, refused, tokens_in, tokens_out, cost, "
    "unpriced, saw_step, saw_call, saw_cost, last_reason, incident, incident_trips, peace_since, events, last_seq"};
inline constexpr ProjectionTable kTaskTable{"task", 1,
                                            "id, agent, parent, root, session, started_at, last_at, time_measured, "
                                            "steps, calls, refused, cost, had_allowed_ask, "
                                            "ended, outcome, note, rung"};
inline constexpr ProjectionTable kBreakerTable{
    "breaker", 2,
    "tool, agent, state, failure_count, rejected_while_open, opened_at, opened_at_steady, cooldown_met, probe, "
    "probe_since_steady, generation, isolated_by, isolated_at, isolated_reason, last_row, changed_at, allowed, "
    "refused, "
    "failures, late, last_ask_at"};
inline constexpr ProjectionTable kSpendTable{"spend", 3, "key, hours, start, settled, reserved, reservations, granted"};
inline constexpr ProjectionTable kTripTable{
    "trip", 1,
    "id, signal, cap, agent, task, root, ask, key, endpoint, tool, window_hours, reaches, rung, latch, measured, "
    "limit_value, fired_at, firings, last_fired_at, incident, position, flapping, acknowledged_by, acknowledged_at, "
    "rearmed_by, rearmed_at, rearmed_to, cause, rearm_reason, body"};
inline constexpr ProjectionTable kIncidentTable{"incident", 1,
                                                "id, agent, opened_at, last_fired_at, trips, active, last_rearmed_at"};
inline constexpr ProjectionTable kQueueTable{"queue_item", 1, "task, agent, trip, since, waiting, by_clock, owner"};
inline constexpr ProjectionTable kNameTable{"name", 2, "kind, id, text, owner"};
inline constexpr ProjectionTable kPolicyTable{"policy", 1, "seq, version, applied_at, by, reason, file, text"};
inline constexpr ProjectionTable kOperatorTable{"operator", 1, "id, name, since"};
inline constexpr ProjectionTable kRollupTable{"rollup_minute", 2,
                                              "minute, agent, allowed, refused, steps, failures, trips, cost"};

inline constexpr std::array kProjectionTables{
    &kAgentTable, &kTaskTable, &kBreakerTable, &kSpendTable,    &kTripTable,   &kIncidentTable,
    &kQueueTable, &kNameTable, &kPolicyTable,  &kOperatorTable, &kRollupTable,
};

/// "INSERT INTO main.agent (…) VALUES (?1, …) ON CONFLICT (id) DO UPDATE SET …".
[[nodiscard]] std::string upsertSql(const ProjectionTable &table, std::string_view schema);
/// The first `keys` columns: "tool, agent".
[[nodiscard]] std::string_view keyColumns(const ProjectionTable &table) noexcept;
/// The table's own CREATE TABLE, for another schema of the same connection.
[[nodiscard]] std::string createSql(const ProjectionTable &table, std::string_view schema);

} // namespace handreset::store

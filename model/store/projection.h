// The projections: rows made from the fleet after some events and from those events (spec 4). The same code writes them
// beside the log and, for `verify`, into a second schema of the same connection. Internal to model/store.
// Thread: the store's. Writes within the caller's transaction.
#pragma once

#include "model/rules/event.h"
#include "model/rules/fleet.h"
#include "model/store/database.h"
#include "model/store/event_rows.h"

#include <functional>
#include <set>
#include <span>
#include <string>

namespace handreset::store {

/// A trip as it stands, or as it last stood; nullptr when it cannot be told any more.
using TripLookup = std::function<const rules::Trip *(rules::TripId)>;

class Projection {
public:
    /// `schema` is "main", or the name under which another database is attached.
    [[nodiscard]] rules::Result<void> prepare(Database &database, const std::string &schema);

    /// Writes each row that these events changed, once. `after` is the fleet after the last of them.
    [[nodiscard]] rules::Result<void> project(const rules::Fleet &after, const rules::Touched &touched,
                                              std::span<const rules::Event> events, const AgentHeads &heads,
                                              const TripLookup &tripOf);
    /// The row of one trip, without its incident's.
    [[nodiscard]] rules::Result<void> writeTrip(const rules::Trip &trip);
    /// The rows of these incidents, summed over the rows of their trips.
    [[nodiscard]] rules::Result<void> projectIncidents(const std::set<rules::TripId> &incidents);
    /// Every row that the fleet itself has, whatever was touched; empties what it no longer has.
    [[nodiscard]] rules::Result<void> projectAll(const rules::Fleet &fleet, const AgentHeads &heads);

    /// The rows that count or repeat events: names, operators, policies, minutes.
    [[nodiscard]] rules::Result<void> projectEvents(std::span<const rules::Event> events);

private:
    [[nodiscard]] rules::Result<void> projectRollups(std::span<const rules::Event> events);
    [[nodiscard]] rules::Result<void> writeAgent(const rules::Fleet &fleet, rules::AgentId id, const AgentHeads &heads);
    [[nodiscard]] rules::Result<void> writeTask(const rules::Fleet &fleet, rules::TaskId id);
    [[nodiscard]] rules::Result<void> writeBreaker(const rules::Fleet &fleet, rules::BreakerKey key);
    [[nodiscard]] rules::Result<void> writeSpend(const rules::Fleet &fleet, const rules::SpendKey &key);
    [[nodiscard]] rules::Result<void> writeAllSpend(const rules::Fleet &fleet);
    [[nodiscard]] rules::Result<void> projectTrips(const std::set<rules::TripId> &trips, const TripLookup &tripOf);
    [[nodiscard]] rules::Result<void> writeQueueItem(const rules::Fleet &fleet, rules::TaskId root);

    Statement m_agent, m_task, m_breaker, m_spend, m_spendGone, m_spendClear, m_trip, m_incident, m_queue, m_queueGone,
        m_queueClear, m_name, m_policy, m_operator, m_rollup, m_rollupBefore;
};

} // namespace handreset::store

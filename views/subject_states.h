// A subject's detail as the values that the kit's widgets show. Pure; GUI thread (translated).
#pragma once

#include "model/live/subject_detail.h"
#include "model/rules/permissives.h"
#include "views/graph_overlay.h"
#include "views/kill_switch_ladder.h"
#include "views/lane_strip.h"

#include <vector>

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

/// `selected`: whose evidence is on show.
[[nodiscard]] LadderState ladderState(const live::SubjectDetail &detail, rules::TripId selected, bool stale);
[[nodiscard]] GraphOverlay graphOverlay(const live::BreakerDetail &breaker, rules::Now now, rules::Steady hostSteady,
                                        bool stale);
[[nodiscard]] LaneStripState laneState(const live::SubjectDetail &detail);

/// What the permissives of these trips are judged by, as things stand now.
[[nodiscard]] rules::RearmFacts rearmFacts(const live::DeskSession &session, const live::SubjectDetail &detail,
                                           const std::vector<const live::TripDetail *> &chosen, rules::Revision seen);
/// True when this trip keeps the task in the queue: its re-arm may say what becomes of it.
[[nodiscard]] bool holdsTask(const live::TripDetail &trip, rules::TaskId task);
/// Queued tasks whose fate a re-arm of these trips must decide.
[[nodiscard]] std::vector<const live::QueuedTask *> tasksToDecide(const live::SubjectDetail &detail,
                                                                  const std::vector<const live::TripDetail *> &chosen);

/// The conditions, with what this desk knows besides: the role of who acts, and that a second person is asked once the
/// act is made. `secondPerson`: why one is asked for; empty: none is.
[[nodiscard]] std::vector<rules::Permissive>
permissivesHere(const live::DeskSession &session, const rules::RearmFacts &facts, const QString &secondPerson);

} // namespace handreset::views

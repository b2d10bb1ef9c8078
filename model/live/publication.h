// One difference between what the desk showed and what is: made by the follower, taken by the models. Immutable; any
// thread.
#pragma once

#include "model/live/operators.h"
#include "model/live/request_row.h"
#include "model/live/rows.h"
#include "model/live/subject_detail.h"

#include <QMetaType>

#include <memory>
#include <vector>

namespace handreset::live {

/// A person's stop, and what was on its way when it came into force: that may still happen.
struct StopSeen {
    rules::TripId trip;
    rules::Instant at;
    InFlightNow inFlight;
};

struct Publication {
    rules::Seq seq;   ///< everything up to this event is in
    bool fresh = false; ///< the first after a snapshot: what it does not name is gone
    HeaderCounts counts;
    std::vector<AgentRow> agents;
    std::vector<BreakerRow> breakers;
    std::vector<TripRow> trips;
    std::vector<RowKey> tripsGone; ///< too old to be kept at hand
    std::vector<StopSeen> stops;
    std::vector<QueueRow> queue;
    std::vector<RowKey> queueGone;
    std::vector<RequestRow> requests;              ///< new ones and those that ended
    std::shared_ptr<const OperatorsNow> operators; ///< null: unchanged
    std::vector<EventRow> events;  ///< in order
    std::vector<EventRow> acts;    ///< operators' acts: those among `events`, and older ones of a read of the log
    qint64 eventsLeftOut = 0;      ///< ordinary ones too many for the screen; they stand in the log
    std::shared_ptr<const SubjectDetail> subject; ///< null: unchanged
};

using PublicationPointer = std::shared_ptr<const Publication>;

} // namespace handreset::live

Q_DECLARE_METATYPE(handreset::live::PublicationPointer)

// An operator's act on its way: signed, requested, committed, confirmed (console, "Re-arm" 5). Plain values; any
// thread.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/result.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace handreset::live {

enum class ActStage : std::uint8_t {
    NeedsKey,    ///< the person's key is locked: nothing was sent yet
    Requested,   ///< on its way to the host
    Waiting,     ///< in the log as a request; nothing is in force before a second person's word
    Committed,   ///< in the log; not yet seen back
    Confirmed,   ///< the decision loop has published that commit
    Unconfirmed, ///< committed, but not seen back within 5 s
    Refused,     ///< a rule or the second person refused it: nothing was changed
    Failed,      ///< the host or the store could not, or nobody signed it: nothing was changed
};

enum class ActKind : std::uint8_t { Acknowledge, Rearm, Stop, Reason, Breaker, Queue, Grant, Word, Approval };

struct ActState {
    quint64 number = 0; ///< that `submit` gave
    ActKind kind = ActKind::Acknowledge;
    QString words = {}; ///< "re-arm of billing, envelope"
    rules::AgentId agent = {};
    rules::TripId trip = {}; ///< that it is about; after a stop or a re-arm to degraded the one it made
    ActStage stage = ActStage::Requested;
    rules::Seq seq = {}; ///< of its event
    rules::Revision revision = {}; ///< of the agent afterwards
    QString trouble = {}; ///< why not, and what to do
    rules::Seq request = {}; ///< that waits for a second person, or waited; none: nobody was asked
    std::optional<rules::Instant> requestUntil = {}; ///< when the request expires, once that is known here

    [[nodiscard]] bool isOver() const
    {
        return stage != ActStage::NeedsKey && stage != ActStage::Requested && stage != ActStage::Waiting
            && stage != ActStage::Committed;
    }
    [[nodiscard]] bool isInForce() const { return stage == ActStage::Committed || stage == ActStage::Confirmed; }
};

} // namespace handreset::live

// What waits for a second person, and what somebody did alone by breaking the glass: one row each, with what would
// change. Plain values, made on the follower's thread; any thread.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/sha256.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>

namespace handreset::live {

enum class RequestState : std::uint8_t {
    Waiting,
    Approved,
    Declined,
    Withdrawn,
    Expired,
    Void,       ///< what it is about has changed
    OpenReview, ///< done alone; stays until another person has looked at it
    Reviewed,
};

struct RequestRow {
    rules::Seq seq; ///< the request's number, or the review's
    rules::Digest what{}; ///< of the request: what an approval signs for
    RequestState state = RequestState::Waiting;
    QString act;   ///< "rearm", "policy apply": as the command line says it
    QString about; ///< "billing, envelope send_pix value"; "the fleet"
    rules::AgentId agent;
    rules::TripId trip;
    QString by;
    QString machine; ///< where it was signed; empty for a review
    QString session;
    QString why; ///< what asks for the second person
    QString reason;
    QStringList changes; ///< what would change, one line each
    rules::Instant at;
    std::optional<rules::Instant> expires;
    QString endedBy; ///< empty: time or a change ended it
    QString endReason;
    QString closeness; ///< "the same machine": where both persons' words came from one place
    bool operator==(const RequestRow &) const = default;

    [[nodiscard]] std::uint64_t key() const { return seq.value; }
    [[nodiscard]] bool isOpen() const { return state == RequestState::Waiting || state == RequestState::OpenReview; }
};

/// "approved by ben, from the same machine"; "void: the agent has moved on"; for one that waits, "waits".
[[nodiscard]] QString stateWords(const RequestRow &row);

} // namespace handreset::live

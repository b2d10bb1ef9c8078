// What the log holds of trips, from firing to re-arm. Pure values; any thread.
#pragma once

#include "model/rules/decimal.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/policy.h"
#include "model/rules/sha256.h"
#include "model/rules/trip.h"
#include "model/rules/words.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace handreset::rules {

enum class QueueVerb : std::uint8_t { Take, Return, Resume, Abandon, Stay };
template <>
struct Words<QueueVerb> {
    static constexpr std::array<std::string_view, 5> list{"take", "return", "resume", "abandon", "stay"};
};

/// A latch closed upon its agent. The event's row is the latch's (21, 22); its sequence number is the trip's id.
struct TripFired {
    TripSubject subject;
    TaskId root;
    AskId ask;
    Reach reach = Reach::Task;
    Rung rung = Rung::Open;
    Evidence evidence;
    std::optional<Instant> endsAt;
    std::optional<Steady> endsAtSteady;
    std::vector<AgentId> reached;
    std::optional<Digest> refusedCall;
    TripId incident; ///< none: it opens one
    std::int32_t order = 1;
    bool flapping = false;
    TripId linked;
    bool escalated = false;
    OperatorId by;
    std::string reason;
    bool operator==(const TripFired &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "subject", self.subject);
        v(2, "root_task", self.root);
        v(3, "ask", self.ask);
        v(4, "reaches", self.reach);
        v(5, "rung", self.rung);
        v(6, "evidence", self.evidence);
        v(7, "ends_at", self.endsAt);
        v(8, "ends_at_steady", self.endsAtSteady);
        v(9, "reached", self.reached);
        v(10, "refused_call", self.refusedCall);
        v(11, "incident", self.incident);
        v(12, "order", self.order);
        v(13, "flapping", self.flapping);
        v(14, "linked", self.linked);
        v(15, "escalated", self.escalated);
        v(16, "by", self.by);
        v(17, "reason", self.reason);
    }
};

/// An active trip's signal fired again: evidence, no new trip.
struct TripFiredAgain {
    TripId trip;
    AskId ask;
    std::string measured;
    std::optional<Digest> refusedCall;
    std::optional<Steady> endsAtSteady; ///< provider: a Retry-After that ends later than the cooldown
    bool operator==(const TripFiredAgain &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "trip", self.trip);
        v(2, "ask", self.ask);
        v(3, "measured", self.measured);
        v(4, "refused_call", self.refusedCall);
        v(5, "ends_at_steady", self.endsAtSteady);
    }
};

/// A held latch got worse: its overdraft is used up (row 23).
struct TripOpened {
    TripId trip;
    std::string measured;
    bool operator==(const TripOpened &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "trip", self.trip);
        v(2, "measured", self.measured);
    }
};

/// A limit's `watch` value was reached: "would have tripped at 15". Nothing trips.
struct WatchNoted {
    Signal signal = Signal::Steps;
    Cap cap = Cap::None;
    TaskId root;
    AskId ask;
    std::string measured;
    std::string watch;
    bool operator==(const WatchNoted &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "signal", self.signal);
        v(2, "cap", self.cap);
        v(3, "root_task", self.root);
        v(4, "ask", self.ask);
        v(5, "measured", self.measured);
        v(6, "watch", self.watch);
    }
};

struct TripAcknowledged {
    TripId trip;
    OperatorId by;
    std::string note;
    std::string signature;
    bool operator==(const TripAcknowledged &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "trip", self.trip);
        v(2, "by", self.by);
        v(3, "note", self.note);
        v(4, "signature", self.signature);
    }
};

/// What a human allows beyond the limit.
struct Grant {
    std::int64_t steps = 0; ///< more model calls of the root task (or session, or agent and window)
    Decimal spend;          ///< more of the key's currency until the window ends
    std::int64_t volumeCalls = 0;
    Decimal volumeValue;
    bool operator==(const Grant &) const = default;
    [[nodiscard]] bool empty() const { return *this == Grant{}; }
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "steps", self.steps);
        v(2, "spend", self.spend);
        v(3, "volume_calls", self.volumeCalls);
        v(4, "volume_value", self.volumeValue);
    }
};

/// A trip ended: by its clock (row 24), or by a human (rows 25, 26). After row 26 a probation follows at once.
struct TripRearmed {
    TripId trip;
    Rung to = Rung::Closed;
    OperatorId by; ///< none: the clock
    std::string cause;
    std::string reason;
    Revision revisionSeen;
    Grant grant;
    std::vector<std::pair<TaskId, QueueVerb>> queue; ///< what was decided for the queued tasks; acts of their own follow
    OperatorId approvedBy; ///< the second person, where one was asked for
    std::string approval;  ///< empty: the signatures stand in the ActSigned before it
    std::string signature; ///< empty, as above
    std::string nonce;     ///< empty, as above
    bool operator==(const TripRearmed &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "trip", self.trip);
        v(2, "to", self.to);
        v(3, "by", self.by);
        v(4, "cause", self.cause);
        v(5, "reason", self.reason);
        v(6, "revision_seen", self.revisionSeen);
        v(7, "grant", self.grant);
        v(8, "queue", self.queue);
        v(9, "approved_by", self.approvedBy);
        v(10, "approval", self.approval);
        v(11, "signature", self.signature);
        v(12, "nonce", self.nonce);
    }
};

/// A grant without a re-arm: "5 USD until the window ends", "10 more steps".
struct Granted {
    TripSubject subject; ///< whose limit is raised
    Grant grant;
    OperatorId by;
    std::string reason;
    bool operator==(const Granted &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "subject", self.subject);
        v(2, "grant", self.grant);
        v(3, "by", self.by);
        v(4, "reason", self.reason);
    }
};

/// The reason of a stop, given afterwards.
struct ReasonGiven {
    TripId trip;
    OperatorId by;
    std::string reason;
    bool operator==(const ReasonGiven &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "trip", self.trip);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

} // namespace handreset::rules

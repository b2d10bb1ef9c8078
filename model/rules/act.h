// What operators do (spec 3.4): each act as a value that can be signed, sent, and shown to a second person.
// Pure values; any thread.
#pragma once

#include "model/rules/event.h"
#include "model/rules/ids.h"
#include "model/rules/operator.h"
#include "model/rules/policy.h"
#include "model/rules/result.h"
#include "model/rules/sha256.h"
#include "model/rules/signed_act.h"
#include "model/rules/zone.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace handreset::rules {

struct Acknowledge {
    TripId trip;
    std::string by;
    std::string note;
    bool operator==(const Acknowledge &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "trip", self.trip);
        v(2, "by", self.by);
        v(3, "note", self.note);
    }
};

struct Rearm {
    TripId trip;
    std::optional<Revision> revision; ///< that the operator saw, of the trip's agent; none: the present one (unsigned only)
    std::string by;
    std::string cause;
    std::string reason;
    Rung to = Rung::Degraded; ///< Closed or Degraded
    Grant grant;
    std::vector<std::pair<TaskId, QueueVerb>> queue; ///< Resume, Abandon or Stay; tasks not named stay
    bool operator==(const Rearm &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "trip", self.trip);
        v(2, "revision", self.revision);
        v(3, "by", self.by);
        v(4, "cause", self.cause);
        v(5, "reason", self.reason);
        v(6, "to", self.to);
        v(7, "grant", self.grant);
        v(8, "queue", self.queue);
    }
};

struct StopAgent {
    std::string agent; ///< empty: the whole fleet
    Rung to = Rung::Open;
    std::string by;
    std::string reason; ///< may be empty: asked afterwards
    bool operator==(const StopAgent &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "agent", self.agent);
        v(2, "to", self.to);
        v(3, "by", self.by);
        v(4, "reason", self.reason);
    }
};

struct GiveReason {
    TripId trip;
    std::string by;
    std::string reason;
    bool operator==(const GiveReason &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "trip", self.trip);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

struct ActOnBreaker {
    std::string tool;
    std::string agent; ///< whose own breaker; empty: the fleet's
    BreakerEvent act = BreakerEvent::Isolate; ///< Isolate, Release, LetProbeOut or Reset
    std::string by;
    std::string reason;
    bool operator==(const ActOnBreaker &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "tool", self.tool);
        v(2, "agent", self.agent);
        v(3, "act", self.act);
        v(4, "by", self.by);
        v(5, "reason", self.reason);
    }
};

struct ActOnQueue {
    std::string agent;
    std::string task;
    QueueVerb verb = QueueVerb::Take;
    std::string by;
    std::string reason;
    bool operator==(const ActOnQueue &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "agent", self.agent);
        v(2, "task", self.task);
        v(3, "verb", self.verb);
        v(4, "by", self.by);
        v(5, "reason", self.reason);
    }
};

struct GrantMore {
    TripSubject subject;
    Grant grant;
    std::string by;
    std::string reason;
    bool operator==(const GrantMore &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "subject", self.subject);
        v(2, "grant", self.grant);
        v(3, "by", self.by);
        v(4, "reason", self.reason);
    }
};

/// What is read from `text` is not sent or signed: whoever takes the act reads it anew.
struct ApplyPolicy {
    std::string text;
    std::string file;
    std::shared_ptr<const Policy> policy; ///< read from `text` by the caller
    Zone zone;                            ///< of policy->timezone
    std::string by;
    std::string reason;
    std::optional<std::int64_t> over; ///< the version that the operator saw in force; none: any (unsigned only)
    bool operator==(const ApplyPolicy &other) const
    {
        return text == other.text && file == other.file && by == other.by && reason == other.reason && over == other.over;
    }
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "text", self.text);
        v(2, "file", self.file);
        v(3, "by", self.by);
        v(4, "reason", self.reason);
        v(5, "over", self.over);
    }
};

struct ConfirmTime {
    std::string by;
    std::string reason;
    bool operator==(const ConfirmTime &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "by", self.by);
        v(2, "reason", self.reason);
    }
};

inline constexpr std::string_view kClearSentinel = "clear-sentinel";
inline constexpr std::string_view kAcceptStore = "accept-store";

struct TrustStore {
    std::string act; ///< kClearSentinel or kAcceptStore
    std::string by;
    std::string reason;
    bool operator==(const TrustStore &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "act", self.act);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

// ---- Operators and second persons --------------------------------------------------------------------------

/// A new operator. The first one of a store enrols themselves, and makes an unsigned store a signed one.
struct EnrolOperator {
    std::string name;
    Role role = Role::Viewer;
    PublicKey key{};
    std::string by;
    std::string reason; ///< may be empty
    bool operator==(const EnrolOperator &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "name", self.name);
        v(2, "role", self.role);
        v(3, "key", self.key);
        v(4, "by", self.by);
        v(5, "reason", self.reason);
    }
};

struct RetireOperator {
    std::string name;
    std::string by;
    std::string reason;
    bool operator==(const RetireOperator &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "name", self.name);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

/// Another key in place of an operator's present one: by themselves, or by an approver where the old one is lost.
struct RotateKey {
    std::string name;
    PublicKey key{};
    std::string by;
    std::string reason; ///< may be empty
    bool operator==(const RotateKey &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "name", self.name);
        v(2, "key", self.key);
        v(3, "by", self.by);
        v(4, "reason", self.reason);
    }
};

/// Lets exactly one call that the envelope refused through, once, for 15 minutes (spec 3.4).
struct GivePass {
    AskId ask; ///< that was refused
    std::string by;
    std::string reason;
    bool operator==(const GivePass &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "ask", self.ask);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

/// The second person's word on a request that waits.
struct Approve {
    Seq request;
    std::string by;
    std::string note;
    Digest what{}; ///< `digestOf` the request that was looked at: a number alone could come to mean another act
    bool operator==(const Approve &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "request", self.request);
        v(2, "by", self.by);
        v(3, "note", self.note);
        v(4, "what", self.what);
    }
};

/// A request that waits is declined, or withdrawn by whoever made it.
struct EndRequest {
    Seq request;
    std::string by;
    std::string reason;
    bool operator==(const EndRequest &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "request", self.request);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

/// Another person has looked at what somebody did alone by breaking the glass.
struct CloseReview {
    Seq review;
    std::string by;
    std::string reason;
    bool operator==(const CloseReview &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "review", self.review);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

/// A bearer's secret for the agents' door, of one agent or of one feed. Whoever makes it keeps the secret; the log has
/// its hash.
struct AddToken {
    std::string agent; ///< empty: a feed's
    std::string feed;  ///< empty: an agent's
    Digest hash{};     ///< SHA-256 of the secret
    std::string by;
    std::string reason; ///< may be empty
    bool operator==(const AddToken &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "agent", self.agent);
        v(2, "feed", self.feed);
        v(3, "hash", self.hash);
        v(4, "by", self.by);
        v(5, "reason", self.reason);
    }
};

struct RevokeToken {
    Seq token; ///< the number of the event that added it
    std::string by;
    std::string reason; ///< may be empty
    bool operator==(const RevokeToken &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "token", self.token);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

/// Every act. The order is for ever: signed acts and requests stand in the log by it.
using Act = std::variant<Acknowledge, Rearm, StopAgent, GiveReason, ActOnBreaker, ActOnQueue, GrantMore, ApplyPolicy,
                         ConfirmTime, TrustStore, EnrolOperator, RetireOperator, RotateKey, GivePass, Approve, EndRequest,
                         CloseReview, AddToken, RevokeToken>;

/// The act's bytes, the same for the same act; and back. An ApplyPolicy comes back without what is read from its text.
[[nodiscard]] std::string encodeAct(const Act &act);
[[nodiscard]] Result<Act> decodeAct(std::string_view bytes);
/// "rearm", "policy apply", "breaker reset": as the command line says it.
[[nodiscard]] std::string actWord(const Act &act);
/// Who acts, as the act itself says.
[[nodiscard]] const std::string &actorOf(const Act &act);
void setActor(Act &act, const std::string &name);
[[nodiscard]] std::string_view reasonOf(const Act &act);
/// The least role that may do it.
[[nodiscard]] Role roleFor(const Act &act);

} // namespace handreset::rules

// What the log holds of operators: their signatures, second persons, passes, tokens, and what was refused them. Pure
// values; any thread.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/operator.h"
#include "model/rules/sha256.h"
#include "model/rules/signed_act.h"
#include "model/rules/words.h"
#include "model/rules/zone.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace handreset::rules {

/// An operator's act that was refused or cancelled: what, by whom, and why not.
struct ActRefused {
    std::string act; ///< "rearm", "ack", …
    TripId trip;
    OperatorId by;
    std::string reason; ///< the operator's own words
    std::string why;
    Revision revisionSeen;
    bool operator==(const ActRefused &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "act", self.act);
        v(2, "trip", self.trip);
        v(3, "by", self.by);
        v(4, "reason", self.reason);
        v(5, "why", self.why);
        v(6, "revision_seen", self.revisionSeen);
    }
};

/// A human's word on a store that had failed or was refused (`clear-sentinel`, `accept-store`).
struct StoreTrusted {
    std::string act;
    OperatorId by;
    std::string reason;
    bool operator==(const StoreTrusted &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "act", self.act);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

// ---- Operators, signatures, second persons ---------------------------------------------------------------------

/// An operator's act arrived under a signature that was checked. What it did follows in the same transaction; without
/// such an event before it no act is honoured in a signed store.
struct ActSigned {
    SignedAct act;
    ActOrigin origin;
    bool operator==(const ActSigned &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "act", self.act);
        v(2, "origin", self.origin);
    }
};

struct OperatorEnrolled {
    OperatorId who;
    Role role = Role::Viewer;
    PublicKey key{};
    OperatorId by; ///< themselves: the first of the store
    std::string reason;
    bool operator==(const OperatorEnrolled &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "who", self.who);
        v(2, "role", self.role);
        v(3, "key", self.key);
        v(4, "by", self.by);
        v(5, "reason", self.reason);
    }
};

struct OperatorRetired {
    OperatorId who;
    OperatorId by;
    std::string reason;
    bool operator==(const OperatorRetired &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "who", self.who);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

struct KeyRotated {
    OperatorId who;
    PublicKey key{};
    OperatorId by;
    std::string reason;
    bool operator==(const KeyRotated &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "who", self.who);
        v(2, "key", self.key);
        v(3, "by", self.by);
        v(4, "reason", self.reason);
    }
};

/// The act just signed asks for a second person: it waits. The event's number is the request's.
struct ApprovalRequested {
    TripId trip;
    OperatorId by;
    std::string act;  ///< "rearm", "pass", …
    std::string why;  ///< what asks for the second person
    std::string reason;
    Revision revision; ///< of the agent, or the fleet's: any other voids the request
    std::int64_t policyVersion = 0; ///< likewise
    Instant expires;
    Zone zone; ///< of the policy that it would apply
    bool operator==(const ApprovalRequested &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "trip", self.trip);
        v(2, "by", self.by);
        v(3, "act", self.act);
        v(4, "why", self.why);
        v(5, "reason", self.reason);
        v(6, "revision", self.revision);
        v(7, "policy_version", self.policyVersion);
        v(8, "expires", self.expires);
        v(9, "zone", self.zone);
    }
};

enum class RequestEnd : std::uint8_t { Approved, Declined, Withdrawn, Expired, Void };
template <>
struct Words<RequestEnd> {
    static constexpr std::array<std::string_view, 5> list{"approved", "declined", "withdrawn", "expired", "void"};
};

/// A request waits no more. After an approval what was asked for follows in the same transaction.
struct RequestEnded {
    Seq request;
    RequestEnd how = RequestEnd::Approved;
    OperatorId by; ///< none: time or a change ended it
    std::string reason;
    std::string closeness; ///< why the two persons may be one: "the same session", "the same machine", an operator whom
                           ///< the approver has just enrolled; empty: nothing speaks for it
    bool operator==(const RequestEnded &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "request", self.request);
        v(2, "how", self.how);
        v(3, "by", self.by);
        v(4, "reason", self.reason);
        v(5, "closeness", self.closeness);
    }
};

/// One call that the envelope refused may pass, once, until then. The event's number is the pass's.
struct PassGiven {
    AskId ask; ///< that was refused
    ToolId tool;
    Digest exact{};
    Instant until;
    OperatorId by;
    OperatorId approvedBy;
    std::string reason;
    bool operator==(const PassGiven &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "ask", self.ask);
        v(2, "tool", self.tool);
        v(3, "exact", self.exact);
        v(4, "until", self.until);
        v(5, "by", self.by);
        v(6, "approved_by", self.approvedBy);
        v(7, "reason", self.reason);
    }
};

/// Somebody acted alone where two persons are asked for. The event's number is the review's; it stays open until
/// another person closes it.
struct GlassBroken {
    OperatorId by;
    std::string act;
    std::string why; ///< what asks for the second person
    std::string reason;
    bool operator==(const GlassBroken &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "by", self.by);
        v(2, "act", self.act);
        v(3, "why", self.why);
        v(4, "reason", self.reason);
    }
};

struct ReviewClosed {
    Seq review;
    OperatorId by;
    std::string reason;
    bool operator==(const ReviewClosed &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "review", self.review);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

/// A bearer may come in at the agents' door. The event's number is the token's; its agent is whose it is.
struct TokenAdded {
    std::string feed; ///< empty: the agent's
    Digest hash{};    ///< SHA-256 of the secret
    OperatorId by;
    std::string reason;
    bool operator==(const TokenAdded &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "feed", self.feed);
        v(2, "hash", self.hash);
        v(3, "by", self.by);
        v(4, "reason", self.reason);
    }
};

struct TokenRevoked {
    Seq token;
    OperatorId by;
    std::string reason;
    bool operator==(const TokenRevoked &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "token", self.token);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

} // namespace handreset::rules

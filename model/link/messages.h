// What is said over the operators' link, as values, and their bytes: CBOR by the rules' codec. Each side reads
// strictly; fields that it does not know are stepped over, messages that it does not know are an Error. The order of
// the messages and the tags of their fields are for ever; what cannot be said so gets another kLinkVersion. Pure; any
// thread. Failure: bytes that are no message of that direction are an Error, whatever they are.
#pragma once

#include "model/engine/host.h"
#include "model/link/shift_pass.h"
#include "model/rules/act.h"
#include "model/rules/event.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/result.h"
#include "model/rules/signed_act.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace handreset::link {

/// Both sides must speak the same one.
inline constexpr std::uint32_t kLinkVersion = 1;

// ---- Values --------------------------------------------------------------------------------------------------------

/// rules::Error.
struct WireError {
    std::uint8_t code = 0;
    std::string message;
    std::string context;
    bool operator==(const WireError &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "code", self.code);
        v(2, "message", self.message);
        v(3, "context", self.context);
    }
};

/// rules::Event.
struct WireEvent {
    rules::Seq seq;
    rules::Instant ruleTime;
    rules::Steady steady;
    std::optional<rules::Instant> sourceTime;
    rules::AgentId agent;
    rules::TaskId task;
    std::uint8_t row = 0;
    rules::Payload payload;
    std::string arguments;
    bool operator==(const WireEvent &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "seq", self.seq);
        v(2, "rule_time", self.ruleTime);
        v(3, "steady", self.steady);
        v(4, "source_time", self.sourceTime);
        v(5, "agent", self.agent);
        v(6, "task", self.task);
        v(7, "row", self.row);
        v(8, "payload", self.payload);
        v(9, "arguments", self.arguments);
    }
};

/// The end of the log as a client has it. No two logs have an event of one number at the same microsecond of both
/// times, so these say whether the host's log goes on from there.
struct LogPlace {
    std::string storeId; ///< empty: the client has nothing yet
    rules::Seq seq;
    rules::Instant ruleTime;
    rules::Steady steady;
    bool operator==(const LogPlace &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "store_id", self.storeId);
        v(2, "seq", self.seq);
        v(3, "rule_time", self.ruleTime);
        v(4, "steady", self.steady);
    }
};

// ---- To the host ---------------------------------------------------------------------------------------------------

/// The answer to the greeting.
struct Hello {
    std::uint32_t version = 0;
    LogPlace have;
    std::optional<ShiftPass> pass; ///< where the greeting holds a challenge
    std::string proof;
    bool operator==(const Hello &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "version", self.version);
        v(2, "have", self.have);
        v(3, "pass", self.pass);
        v(4, "proof", self.proof);
    }
};

/// Nothing but a sign of life; both ways.
struct Alive {
    bool operator==(const Alive &) const = default;

    template <class V, class S>
    static void describe(V &, S &)
    {}
};

/// An operator's act as rules::encodeAct makes it. Nothing else can be asked of a fleet over the link.
struct SubmitAct {
    std::uint64_t number = 0; ///< of the question; its answer names it
    std::string act;
    bool operator==(const SubmitAct &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "number", self.number);
        v(2, "act", self.act);
    }
};

struct SubmitSigned {
    std::uint64_t number = 0;
    rules::SignedAct act;
    bool operator==(const SubmitSigned &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "number", self.number);
        v(2, "act", self.act);
    }
};

/// engine::EventQuery.
struct AskEvents {
    std::uint64_t number = 0;
    rules::Seq first{1};
    rules::Seq last{~0ULL};
    rules::AgentId agent;
    rules::TaskId task;
    std::int64_t subject = 0;
    std::vector<std::uint8_t> kinds;
    std::uint8_t row = 0;
    bool newestFirst = true;
    std::uint64_t limit = 0;
    bool operator==(const AskEvents &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "number", self.number);
        v(2, "first", self.first);
        v(3, "last", self.last);
        v(4, "agent", self.agent);
        v(5, "task", self.task);
        v(6, "subject", self.subject);
        v(7, "kinds", self.kinds);
        v(8, "row", self.row);
        v(9, "newest_first", self.newestFirst);
        v(10, "limit", self.limit);
    }
};

struct AskState {
    std::uint64_t number = 0;
    rules::Seq seq;
    bool operator==(const AskState &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "number", self.number);
        v(2, "seq", self.seq);
    }
};

struct AskSeq {
    std::uint64_t number = 0;
    rules::Instant time;
    bool operator==(const AskSeq &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "number", self.number);
        v(2, "time", self.time);
    }
};

using ToHost = std::variant<Hello, Alive, SubmitAct, SubmitSigned, AskEvents, AskState, AskSeq>;

// ---- To the client -------------------------------------------------------------------------------------------------

/// The first message of all. Over the network nothing of the fleet is told before an operator has proved to be one.
struct Greeting {
    std::uint32_t version = 0;
    std::string challenge; ///< kChallengeSize bytes; empty: none is asked, the system vouches for the peer
    rules::Instant hostTime; ///< so that who has a wrong clock can make a pass that holds
    std::string storeId;     ///< which of their keys an operator takes
    bool operator==(const Greeting &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "version", self.version);
        v(2, "challenge", self.challenge);
        v(3, "host_time", self.hostTime);
        v(4, "store_id", self.storeId);
    }
};

/// The last message before the host hangs up.
struct TurnedAway {
    WireError why;
    bool operator==(const TurnedAway &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "why", self.why);
    }
};

/// The peer may look. The state or the missing commits follow, then the tail.
struct Admitted {
    std::string storeId;
    rules::Digest certificate{}; ///< of the host, for the network; zero: it is not served there
    bool operator==(const Admitted &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "store_id", self.storeId);
        v(2, "certificate", self.certificate);
    }
};

/// The whole state; what the client had before is void.
struct WholeState {
    std::string packed;
    bool operator==(const WholeState &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "packed", self.packed);
    }
};

/// The next events of the log.
struct Tail {
    std::vector<WireEvent> events;
    rules::Now at;
    bool operator==(const Tail &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "events", self.events);
        v(2, "at", self.at);
    }
};

/// engine::HostStatus, sent when the host itself beats and never in its stead.
struct HostBeat {
    std::uint8_t health = 0;
    std::string trouble;
    rules::Seq committed;
    rules::Now lastBeat;
    std::uint64_t queued = 0;
    bool operator==(const HostBeat &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "health", self.health);
        v(2, "trouble", self.trouble);
        v(3, "committed", self.committed);
        v(4, "last_beat", self.lastBeat);
        v(5, "queued", self.queued);
    }
};

/// rules::ActDone.
struct WireActDone {
    rules::Seq seq;
    rules::TripId trip;
    rules::Revision revision;
    rules::Seq request;
    bool operator==(const WireActDone &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "seq", self.seq);
        v(2, "trip", self.trip);
        v(3, "revision", self.revision);
        v(4, "request", self.request);
    }
};

struct ActAnswer {
    std::uint64_t number = 0;
    rules::Seq committed;
    std::optional<WireActDone> done;
    std::optional<WireError> error;
    bool operator==(const ActAnswer &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "number", self.number);
        v(2, "committed", self.committed);
        v(3, "done", self.done);
        v(4, "error", self.error);
    }
};

struct EventsAnswer {
    std::uint64_t number = 0;
    std::vector<WireEvent> events;
    std::optional<WireError> error;
    bool isCut = false; ///< more match than fit into one message: ask on from the last one
    bool operator==(const EventsAnswer &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "number", self.number);
        v(2, "events", self.events);
        v(3, "error", self.error);
        v(4, "cut", self.isCut);
    }
};

struct StateAnswer {
    std::uint64_t number = 0;
    std::string packed;
    std::optional<WireError> error;
    bool operator==(const StateAnswer &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "number", self.number);
        v(2, "packed", self.packed);
        v(3, "error", self.error);
    }
};

struct SeqAnswer {
    std::uint64_t number = 0;
    rules::Seq seq;
    std::optional<WireError> error;
    bool operator==(const SeqAnswer &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "number", self.number);
        v(2, "seq", self.seq);
        v(3, "error", self.error);
    }
};

using ToClient = std::variant<Greeting, TurnedAway, Admitted, Alive, WholeState, Tail, HostBeat, ActAnswer,
                              EventsAnswer, StateAnswer, SeqAnswer>;

// ---- Bytes ---------------------------------------------------------------------------------------------------------

[[nodiscard]] std::string encode(const ToHost &message);
[[nodiscard]] std::string encode(const ToClient &message);
[[nodiscard]] rules::Result<ToHost> decodeToHost(std::string_view bytes);
[[nodiscard]] rules::Result<ToClient> decodeToClient(std::string_view bytes);

[[nodiscard]] WireError toWire(const rules::Error &error);
[[nodiscard]] WireEvent toWire(rules::Event event);
[[nodiscard]] std::vector<WireEvent> toWire(std::vector<rules::Event> events);
[[nodiscard]] HostBeat toWire(const engine::HostStatus &status);
[[nodiscard]] ActAnswer toWire(std::uint64_t number, const engine::Reply &reply);
[[nodiscard]] rules::Error fromWire(WireError error);
[[nodiscard]] std::vector<rules::Event> fromWire(std::vector<WireEvent> events);
[[nodiscard]] engine::HostStatus fromWire(HostBeat beat);
[[nodiscard]] engine::Reply fromWire(ActAnswer answer);

} // namespace handreset::link

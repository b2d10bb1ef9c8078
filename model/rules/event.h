// The events of the log: the truth that every state is a fold over (spec 4). Tags and names are for ever.
// Pure values; any thread.
#pragma once

#include "model/rules/ask_events.h"
#include "model/rules/breaker.h"
#include "model/rules/decimal.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/names.h"
#include "model/rules/operator_events.h"
#include "model/rules/refusal.h"
#include "model/rules/result.h"
#include "model/rules/trip_events.h"
#include "model/rules/words.h"
#include "model/rules/zone.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace handreset::rules {

/// A breaker is known by its tool and, where policy gives each agent its own, the agent.
struct BreakerKey {
    ToolId tool;
    AgentId agent; ///< none: the fleet's one breaker of this tool
    auto operator<=>(const BreakerKey &) const noexcept = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "tool", self.tool);
        v(2, "agent", self.agent);
    }
};

// ---- Payloads, one a kind of event -------------------------------------------------------------------------

/// The first event of every log.
struct StoreCreated {
    std::string storeId; ///< 32 hexadecimal digits
    std::string fleet;   ///< the fleet's name
    bool recorded = false;   ///< holds imported runs: judged without refusing, no queue (spec 4)
    bool isUnsigned = false; ///< made with --unsigned: needs no second person, and says so
    bool operator==(const StoreCreated &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "store_id", self.storeId);
        v(2, "fleet", self.fleet);
        v(3, "recorded", self.recorded);
        v(4, "unsigned", self.isUnsigned);
    }
};

/// What hosts a store: a desk must not take one from a gate that is only restarting (spec 4).
enum class HostKind : std::uint8_t { Passing, Desk, Gate };
template <>
struct Words<HostKind> {
    static constexpr std::array<std::string_view, 3> list{"passing", "desk", "gate"};
};

/// A host opened the store. Carries the steady time line over restarts (boot time of one boot id).
struct HostStarted {
    std::string bootId;
    std::int64_t bootMicros = 0; ///< boot time when the event's steady time was
    std::string version;
    std::string operatorName; ///< the person who started it
    HostKind kind = HostKind::Passing;
    bool operator==(const HostStarted &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "boot_id", self.bootId);
        v(2, "boot_micros", self.bootMicros);
        v(3, "version", self.version);
        v(4, "operator", self.operatorName);
        v(5, "host", self.kind);
    }
};

/// A name got its number.
struct Named {
    NameKind kind = NameKind::Agent;
    std::uint32_t id = 0;
    std::string text;
    AgentId owner; ///< of a task or a session
    bool operator==(const Named &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "kind", self.kind);
        v(2, "id", self.id);
        v(3, "text", self.text);
        v(4, "owner", self.owner);
    }
};

/// A policy came into force. The fold reads the text again with the same reader.
struct PolicyApplied {
    std::string text;
    std::string file; ///< for messages
    std::int32_t zoneFirstOffset = 0;
    std::vector<std::pair<std::int64_t, std::int32_t>> zoneTransitions; ///< (instant in µs, offset in s)
    std::int64_t version = 0;
    OperatorId by;
    std::string reason;
    OperatorId approvedBy; ///< the second person, where one was asked for
    std::string signature; ///< empty: it stands in the ActSigned before it
    bool operator==(const PolicyApplied &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "text", self.text);
        v(2, "file", self.file);
        v(3, "zone_first_offset", self.zoneFirstOffset);
        v(4, "zone_transitions", self.zoneTransitions);
        v(5, "version", self.version);
        v(6, "by", self.by);
        v(7, "reason", self.reason);
        v(8, "approved_by", self.approvedBy);
        v(9, "signature", self.signature);
    }
};

/// An operator's act on a breaker, or the end of a probe's lease; the event's row says which.
struct BreakerMoved {
    BreakerKey breaker;
    BreakerEvent event = BreakerEvent::Isolate;
    AskId probe; ///< whose lease ended
    OperatorId by;
    std::string reason;
    std::string signature;
    bool operator==(const BreakerMoved &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "breaker", self.breaker);
        v(2, "event", self.event);
        v(3, "probe", self.probe);
        v(4, "by", self.by);
        v(5, "reason", self.reason);
        v(6, "signature", self.signature);
    }
};

struct QueueActed {
    QueueVerb verb = QueueVerb::Take;
    OperatorId by;
    std::string reason;
    bool operator==(const QueueActed &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "verb", self.verb);
        v(2, "by", self.by);
        v(3, "reason", self.reason);
    }
};

struct TaskNoted {
    std::string text; ///< the diagnosis an agent hands over; bounded
    bool operator==(const TaskNoted &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "text", self.text);
    }
};

/// A recorded run's own labels (`x`), kept for what-if's groups; the rules do not look at them.
struct TaskLabelled {
    std::string labels; ///< JSON, as it came; bounded
    bool operator==(const TaskLabelled &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "labels", self.labels);
    }
};

struct TaskEnded {
    std::string outcome;
    OperatorId by; ///< who abandoned it; none: the agent's own end
    bool operator==(const TaskEnded &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "outcome", self.outcome);
        v(2, "by", self.by);
    }
};

/// The wall clock and the steady time disagree by more than a minute since the last event.
struct ClockJumped {
    Duration by; ///< wall minus steady; above zero: forward
    bool overReboot = false; ///< the machine was restarted: the time in between cannot be checked
    bool operator==(const ClockJumped &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "by", self.by);
        v(2, "over_reboot", self.overReboot);
    }
};

struct ClockConfirmed {
    OperatorId by;
    std::string reason;
    bool operator==(const ClockConfirmed &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "by", self.by);
        v(2, "reason", self.reason);
    }
};

/// The kinds, in the order of the variant. Numbers are for ever: add at the end only.
using Payload = std::variant<StoreCreated, HostStarted, Named, PolicyApplied, StepAsked, StepFinished, CallAsked,
                             CallFinished, RefusalsCounted, TripFired, TripFiredAgain, TripOpened, WatchNoted,
                             TripAcknowledged, TripRearmed, Granted, ReasonGiven, BreakerMoved, QueueActed, TaskNoted,
                             TaskLabelled, TaskEnded, ResultMissing, ClockJumped, ClockConfirmed, ActRefused,
                             StoreTrusted, ActSigned, OperatorEnrolled, OperatorRetired, KeyRotated, ApprovalRequested,
                             RequestEnded, PassGiven, GlassBroken, ReviewClosed, AskRefusedAgain, TokenAdded,
                             TokenRevoked>;

inline constexpr std::size_t kEventKinds = std::variant_size_v<Payload>;

/// The words of the kinds, for `events --json` and filters.
inline constexpr std::array<std::string_view, kEventKinds> kEventWords{
    "store_created",  "host_started",     "named",         "policy_applied", "step_asked",     "step_finished",
    "call_asked",     "call_finished",    "refusals_counted", "trip_fired",  "trip_fired_again", "trip_opened",
    "watch_noted",    "trip_acknowledged", "trip_rearmed", "granted",        "reason_given",   "breaker_moved",
    "queue_acted",    "task_noted",       "task_labelled", "task_ended",     "result_missing", "clock_jumped",
    "clock_confirmed", "act_refused",     "store_trusted", "act_signed",     "operator_enrolled",
    "operator_retired", "key_rotated",    "approval_requested", "request_ended", "pass_given", "glass_broken",
    "review_closed",  "ask_refused_again", "token_added",  "token_revoked"};

/// One event. `seq` is dense; `ruleTime` never goes back in a live store (a recorded store keeps times as given).
struct Event {
    Seq seq;
    Instant ruleTime;                   ///< the host's wall clock, held where it would go back
    Steady steady;                      ///< the host's steady time
    std::optional<Instant> sourceTime;  ///< what the source said; none: it said nothing
    AgentId agent;                      ///< whom it is about; none: the fleet
    TaskId task;
    std::uint8_t row = 0;               ///< the transition table's row that it took; 0: none
    Payload payload;
    std::string arguments;              ///< of CallAsked: redacted text, stored apart; empty with SameAsEarlier

    bool operator==(const Event &) const = default;
    [[nodiscard]] std::uint8_t kind() const noexcept { return static_cast<std::uint8_t>(payload.index()); }
    [[nodiscard]] std::string_view kindWord() const noexcept { return kEventWords[payload.index()]; }
};

/// What an event is about beside agent and task, as the log's `subject` column holds it: a trip's number, or a
/// tool's; 0 where there is none.
[[nodiscard]] std::int64_t subjectOf(const Event &event) noexcept;

/// The payload's bytes for the log, and back. An unknown kind or malformed payload is an Error.
void encodePayload(std::string &out, const Payload &payload);
[[nodiscard]] Result<Payload> decodePayload(std::uint8_t kind, std::string_view bytes);
/// One JSON object: seq, kind, times, agent, task, row, and the payload's fields, with names beside numbers.
[[nodiscard]] std::string eventToJson(const Event &event, const NameTable &names);

} // namespace handreset::rules

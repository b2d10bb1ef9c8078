// The events of the log: the truth that every state is a fold over (spec 4). Tags and names are for ever.
// Pure values; any thread.
#pragma once

#include "model/rules/breaker.h"
#include "model/rules/decimal.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/names.h"
#include "model/rules/policy.h"
#include "model/rules/operator.h"
#include "model/rules/result.h"
#include "model/rules/sha256.h"
#include "model/rules/signed_act.h"
#include "model/rules/trip.h"
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

enum class Answer : std::uint8_t { Allow, Deny };
template <>
struct Words<Answer> {
    static constexpr std::array<std::string_view, 2> list{"allow", "deny"};
};

/// Which rule refused an ask (spec 5, "reason").
enum class RefusalSource : std::uint8_t {
    None,
    Rung,
    Queue,
    Undeclared,
    Models,
    Envelope,
    Repetition,
    Steps,
    Spend,
    Provider,
    Breaker,
    TaskEnded,
};
template <>
struct Words<RefusalSource> {
    static constexpr std::array<std::string_view, 12> list{"",           "rung",  "queue", "undeclared", "models",  "envelope",
                                                           "repetition", "steps", "spend", "provider",   "breaker", "task_ended"};
};

enum class RetryKind : std::uint8_t { Never, AfterHuman, AfterSeconds, AfterCalls };
template <>
struct Words<RetryKind> {
    static constexpr std::array<std::string_view, 4> list{"never", "after_human", "after_seconds", "after_calls"};
};

/// Why an ask was refused, and what would end it.
struct Refusal {
    RefusalSource source = RefusalSource::None;
    TripId trip;   ///< the active trip behind it, if one is
    ToolId breaker; ///< the breaker behind it, if one is
    RetryKind retry = RetryKind::Never;
    std::int64_t retryAfter = 0; ///< seconds or calls, as `retry` says
    std::string text;            ///< one sentence for the agent and the person

    bool operator==(const Refusal &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "source", self.source);
        v(2, "trip", self.trip);
        v(3, "breaker", self.breaker);
        v(4, "retry", self.retry);
        v(5, "retry_after", self.retryAfter);
        v(6, "text", self.text);
    }
};

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

/// Money without naming the currency twice: the currency of the key's policy.
enum class CostSource : std::uint8_t { None, Reported, Priced, Unpriced, NoResult };
template <>
struct Words<CostSource> {
    static constexpr std::array<std::string_view, 5> list{"none", "reported", "priced", "unpriced", "no result"};
};

enum class CallOutcome : std::uint8_t { Success, Failure, Neutral };
template <>
struct Words<CallOutcome> {
    static constexpr std::array<std::string_view, 3> list{"success", "failure", "neutral"};
};

enum class QueueVerb : std::uint8_t { Take, Return, Resume, Abandon, Stay };
template <>
struct Words<QueueVerb> {
    static constexpr std::array<std::string_view, 5> list{"take", "return", "resume", "abandon", "stay"};
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

/// What came of a model call.
struct StepOutcome {
    bool ok = true;
    std::int32_t status = 0; ///< HTTP status; 0: not stated
    std::string error;       ///< redacted, bounded
    ModelId model;           ///< that answered; none: not stated
    Decimal cost;            ///< charged, in the currency of the key
    CostSource costSource = CostSource::None;
    std::optional<std::int64_t> tokensIn; ///< none is not 0
    std::optional<std::int64_t> tokensOut;
    std::int64_t retryAfterSeconds = 0;
    bool operator==(const StepOutcome &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "ok", self.ok);
        v(2, "status", self.status);
        v(3, "error", self.error);
        v(4, "model", self.model);
        v(5, "cost", self.cost);
        v(6, "cost_source", self.costSource);
        v(7, "tokens_in", self.tokensIn);
        v(8, "tokens_out", self.tokensOut);
        v(9, "retry_after_seconds", self.retryAfterSeconds);
    }
};

/// An ask for a model call, and its answer. Its sequence number is the ask's id.
struct StepAsked {
    TaskId parent; ///< set at a task's first ask
    SessionId session;
    EndpointId endpoint;
    ModelId model;
    KeyId key;
    Decimal reserved; ///< in the key's currency; 0 when refused
    Answer answer = Answer::Allow;
    Refusal refusal;
    bool degraded = false; ///< asked while the task's rung was degraded
    std::optional<StepOutcome> outcome; ///< recorded runs: the result came in the same line
    bool timeMeasured = true; ///< false: the time is that of the task's last dated event
    bool operator==(const StepAsked &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "parent", self.parent);
        v(2, "session", self.session);
        v(3, "endpoint", self.endpoint);
        v(4, "model", self.model);
        v(5, "key", self.key);
        v(6, "reserved", self.reserved);
        v(7, "answer", self.answer);
        v(8, "refusal", self.refusal);
        v(9, "degraded", self.degraded);
        v(10, "outcome", self.outcome);
        v(11, "time_measured", self.timeMeasured);
    }
};

struct StepFinished {
    AskId ask;
    StepOutcome outcome;
    bool late = false; ///< the ask had no place for a result any more; moves nothing
    bool operator==(const StepFinished &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "ask", self.ask);
        v(2, "outcome", self.outcome);
        v(3, "late", self.late);
    }
};

/// How the arguments of a call are kept beside the event.
enum class ArgumentsForm : std::uint8_t { None, Canonical, Raw, SameAsEarlier };
template <>
struct Words<ArgumentsForm> {
    static constexpr std::array<std::string_view, 4> list{"none", "canonical", "raw", "same as earlier"};
};

/// An ask for a tool call, and its answer. The event's row is the breaker's.
struct CallAsked {
    TaskId parent;
    SessionId session;
    ToolId tool;
    Digest identity{}; ///< for repetition: tool and canonical arguments less the ignored fields
    ArgumentsForm form = ArgumentsForm::None;
    Seq sameAs; ///< with SameAsEarlier: the ask whose arguments these are
    Access access = Access::Write;
    Answer answer = Answer::Allow;
    Refusal refusal;
    bool probe = false;
    std::uint64_t generation = 0; ///< of the breaker after this ask's own transition
    bool ownBreaker = false;      ///< the breaker is the agent's own
    std::int64_t cooldownCalls = 0; ///< where the breaker stops counting rejections
    bool evaluated = false; ///< the ask reached repetition: it extends or breaks the row
    std::optional<Decimal> value; ///< the amount asked for, where the tool has a value cap and it can be evaluated
    std::int32_t volumeHours = 0; ///< the volume's window; 0: per task
    bool volume = false;          ///< the tool has a volume cap: this ask counts in it (when allowed)
    bool timeMeasured = true;     ///< false: the time is that of the task's last dated event
    std::optional<Digest> exact;  ///< refused by the envelope: of tool and arguments byte by byte, for a pass
    Seq pass;                     ///< the pass that let it through the envelope; it is used up
    std::string shown;            ///< with `exact`: the arguments redacted and bounded, for whoever may give a pass
    bool operator==(const CallAsked &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "parent", self.parent);
        v(2, "session", self.session);
        v(3, "tool", self.tool);
        v(4, "identity", self.identity);
        v(5, "form", self.form);
        v(6, "same_as", self.sameAs);
        v(7, "access", self.access);
        v(8, "answer", self.answer);
        v(9, "refusal", self.refusal);
        v(10, "probe", self.probe);
        v(11, "generation", self.generation);
        v(12, "own_breaker", self.ownBreaker);
        v(13, "cooldown_calls", self.cooldownCalls);
        v(14, "evaluated", self.evaluated);
        v(15, "value", self.value);
        v(16, "volume_hours", self.volumeHours);
        v(17, "volume", self.volume);
        v(18, "time_measured", self.timeMeasured);
        v(19, "exact", self.exact);
        v(20, "pass", self.pass);
        v(21, "shown", self.shown);
    }
};

/// The event's row is the breaker's; row 20 records a late result, which moves nothing.
struct CallFinished {
    AskId ask;
    ToolId tool;
    CallOutcome outcome = CallOutcome::Success;
    std::string error; ///< redacted, bounded
    std::optional<bool> changed; ///< whether the result differs from that of the same call before
    bool ownBreaker = false;
    bool operator==(const CallFinished &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "ask", self.ask);
        v(2, "tool", self.tool);
        v(3, "outcome", self.outcome);
        v(4, "error", self.error);
        v(5, "changed", self.changed);
        v(6, "own_breaker", self.ownBreaker);
    }
};

/// Refusals by rung, counted over one second (spec 4).
struct RefusalsCounted {
    Refusal refusal;
    ToolId tool; ///< none: model calls
    std::int64_t count = 0;
    Instant second; ///< the second they came in
    bool operator==(const RefusalsCounted &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "refusal", self.refusal);
        v(2, "tool", self.tool);
        v(3, "count", self.count);
        v(4, "second", self.second);
    }
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

/// An ask whose result never came: its reservation is charged in the window of the ask.
struct ResultMissing {
    AskId ask;
    bool forgotten = false; ///< after a day the ask has no place for a result any more
    bool operator==(const ResultMissing &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "ask", self.ask);
        v(2, "forgotten", self.forgotten);
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

/// The kinds, in the order of the variant. Numbers are for ever: add at the end only.
using Payload = std::variant<StoreCreated, HostStarted, Named, PolicyApplied, StepAsked, StepFinished, CallAsked,
                             CallFinished, RefusalsCounted, TripFired, TripFiredAgain, TripOpened, WatchNoted,
                             TripAcknowledged, TripRearmed, Granted, ReasonGiven, BreakerMoved, QueueActed, TaskNoted,
                             TaskLabelled, TaskEnded, ResultMissing, ClockJumped, ClockConfirmed, ActRefused,
                             StoreTrusted, ActSigned, OperatorEnrolled, OperatorRetired, KeyRotated, ApprovalRequested,
                             RequestEnded, PassGiven, GlassBroken, ReviewClosed>;

inline constexpr std::size_t kEventKinds = std::variant_size_v<Payload>;

/// The words of the kinds, for `events --json` and filters.
inline constexpr std::array<std::string_view, kEventKinds> kEventWords{
    "store_created",  "host_started",     "named",         "policy_applied", "step_asked",     "step_finished",
    "call_asked",     "call_finished",    "refusals_counted", "trip_fired",  "trip_fired_again", "trip_opened",
    "watch_noted",    "trip_acknowledged", "trip_rearmed", "granted",        "reason_given",   "breaker_moved",
    "queue_acted",    "task_noted",       "task_labelled", "task_ended",     "result_missing", "clock_jumped",
    "clock_confirmed", "act_refused",     "store_trusted", "act_signed",     "operator_enrolled",
    "operator_retired", "key_rotated",    "approval_requested", "request_ended", "pass_given", "glass_broken",
    "review_closed"};

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

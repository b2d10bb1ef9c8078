// What the log holds of asks and their results. Pure values; any thread.
#pragma once

#include "model/rules/client_id.h"
#include "model/rules/decimal.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/policy.h"
#include "model/rules/refusal.h"
#include "model/rules/sha256.h"
#include "model/rules/words.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::rules {

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
    std::optional<ClientStamp> client; ///< the client's own id of it, where it gave one
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
        v(12, "client", self.client);
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
    std::optional<ClientStamp> client; ///< the client's own id of it, where it gave one
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
        v(22, "client", self.client);
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

/// An allowed ask came again under its client's id, and would not be allowed any more: it is denied from now on.
struct AskRefusedAgain {
    AskId ask;
    std::string id; ///< the client's
    Refusal refusal;
    bool operator==(const AskRefusedAgain &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "ask", self.ask);
        v(2, "id", self.id);
        v(3, "refusal", self.refusal);
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

} // namespace handreset::rules

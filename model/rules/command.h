// What is asked of a fleet, and what it answers. Texts come from outside and are checked by `decide`.
// Pure values; any thread.
#pragma once

#include "model/rules/act.h"
#include "model/rules/event.h"
#include "model/rules/fleet.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/policy.h"
#include "model/rules/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace handreset::rules {

// ---- What agents ask and report ----------------------------------------------------------------------------

/// What the result of a model call stated.
struct StepReport {
    bool ok = true;
    std::int32_t status = 0; ///< HTTP status; 0: not stated
    std::string error;
    std::string model; ///< that answered; empty: not stated
    std::optional<Money> cost;
    std::optional<std::int64_t> tokensIn;
    std::optional<std::int64_t> tokensOut;
    std::int64_t retryAfterSeconds = 0;
};

/// "May this task make one more model call?"
struct AskStep {
    std::string agent;
    std::string task;
    std::string session;
    std::string parent; ///< the parent task's name; empty: none
    std::string endpoint; ///< empty: the model's name stands for it
    std::string model;
    std::optional<Money> estimate;
    std::optional<StepReport> outcome; ///< recorded runs: the result in the same line
    std::optional<ClientStamp> client; ///< makes the ask idempotent until its task ends; its id was checked
};

/// "May this task call this tool with these arguments?"
struct AskCall {
    std::string agent;
    std::string task;
    std::string session;
    std::string parent;
    std::string tool;
    std::string arguments; ///< JSON text as it came; what is not JSON is compared byte by byte
    std::optional<ClientStamp> client; ///< makes the ask idempotent until its task ends; its id was checked
};

struct FinishStep {
    AskId ask;
    std::string agent; ///< must be the ask's
    StepReport report;
    std::string clientId; ///< the client's own id of the ask, where `ask` is not set
};

struct FinishCall {
    AskId ask;
    std::string agent;
    CallOutcome outcome = CallOutcome::Success;
    std::string error;
    std::optional<bool> changed;
    std::string clientId; ///< the client's own id of the ask, where `ask` is not set
};

struct NoteTask {
    std::string agent;
    std::string task;
    std::string text;
};

struct LabelTask {
    std::string agent;
    std::string task;
    std::string session;
    std::string labels; ///< JSON
};

struct EndTask {
    std::string agent;
    std::string task;
    std::string outcome;
};

// ---- What operators do: act.h ------------------------------------------------------------------------------

/// An act that stands under its operator's signature. The only acts that a signed store takes.
struct Signed {
    SignedAct act;
    ActOrigin origin; ///< as the host sees it
    Zone zone;        ///< of the policy that the act applies; the rules know no zone database
};

// ---- What the host says ------------------------------------------------------------------------------------

struct CreateStore {
    std::string storeId;
    std::string fleet;
    bool recorded = false;
    bool isUnsigned = false;
};

struct StartHost {
    std::string bootId;
    std::int64_t bootMicros = 0;
    std::string version;
    std::string operatorName;
    HostKind kind = HostKind::Passing;
};

struct CountRefusals {
    AgentId agent;
    TaskId task;
    RefusalsCounted counted;
};

/// What a door of the host turned away, for the log: whoever minds the door says it at most once a second.
struct NoteRefused {
    std::string act;   ///< "agents' door", "operators' link"
    std::string agent; ///< whom it is about; empty, or unknown: nobody
    std::string why;
};

/// Nothing but what is due: leases, cooldowns, windows, results that never came.
struct Tick {};

using Command = std::variant<Tick, AskStep, AskCall, FinishStep, FinishCall, NoteTask, LabelTask, EndTask, Acknowledge,
                             Rearm, StopAgent, GiveReason, ActOnBreaker, ActOnQueue, GrantMore, ApplyPolicy,
                             ConfirmTime, TrustStore, EnrolOperator, RetireOperator, RotateKey, GivePass, Approve,
                             EndRequest, CloseReview, AddToken, RevokeToken, Signed, CreateStore, StartHost, CountRefusals, NoteRefused>;

// ---- Answers -----------------------------------------------------------------------------------------------

/// The answer to an ask (spec 5). `allow` is false in doubt.
struct Decision {
    AskId id; ///< none for a refusal by rung: it is counted, not logged one by one
    bool allow = false;
    Rung rung = Rung::Open; ///< of the task, after this ask
    bool writes = false;    ///< whether write tools are allowed now
    std::string model;      ///< the model to use while degraded; empty: any that the policy allows
    bool probe = false;
    Refusal reason;         ///< meaningful when not allowed
};

/// The answer to an operator's act.
struct ActDone {
    Seq seq;    ///< of the event that records it
    TripId trip; ///< that it made, ended or touched
    Revision revision; ///< of the agent afterwards
    Seq request; ///< set: nothing is in force yet, the request of this number waits for a second person
};

/// What became of a command. An Error with code Refused means: refused by a rule, and the refusal is an event too.
using Outcome = std::variant<std::monostate, Decision, ActDone, Error>;

/// A refusal by rung, for the host's coalescer: one event per subject, reason and second (spec 4).
struct UncountedRefusal {
    AgentId agent;
    TaskId task;
    ToolId tool;
    Refusal refusal;
};

/// What one command does: the events that record it (not yet numbered into the store), and the answer.
struct Step {
    std::vector<Event> events;
    Outcome outcome;
    std::optional<UncountedRefusal> uncounted;
    bool mustSync = false; ///< holds a trip, re-arm, stop, pass, write's volume, transition or policy (spec 4)
};

/// When a command is judged, and by whose time.
struct Moment {
    Now now;
    std::optional<Instant> sourceTime; ///< recorded runs: the line's own time
    bool timeMeasured = true;          ///< false: the time is that of the task's last dated event
    bool windows = true;               ///< false: the task has no dated event at all, so windows have no data
};

/// Decides and applies: first what is due, then the names that the command brings, then the command itself. The
/// fleet has moved when this returns; `step.events` are what moved it, numbered from `fleet.seq + 1`. A refused act
/// leaves only its ActRefused event. Clears and refills `step`.
void run(Fleet &fleet, const Command &command, const Moment &moment, Step &step, Touched *touched = nullptr);

} // namespace handreset::rules

// The state of one fleet: a fold over the log's events (design, "One idea"). Only `apply` changes it.
// Pure values; any thread, one at a time.
#pragma once

#include "model/rules/act.h"
#include "model/rules/breaker.h"
#include "model/rules/compiled_tool.h"
#include "model/rules/counters.h"
#include "model/rules/event.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/judge.h"
#include "model/rules/names.h"
#include "model/rules/operator.h"
#include "model/rules/policy.h"
#include "model/rules/token.h"
#include "model/rules/trip.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace handreset::rules {

/// A human's re-arm, remembered for "re-armed 3 times in 24 h, the last lasted 4 min".
struct RearmRecord {
    TripId trip;
    Signal signal = Signal::Steps;
    Instant at;
    OperatorId by;
    bool operator==(const RearmRecord &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "trip", self.trip);
        v(2, "signal", self.signal);
        v(3, "at", self.at);
        v(4, "by", self.by);
    }
};

/// The watch time after a human's re-arm: the same signal of the same agent, key or endpoint goes straight to open.
struct RearmWatch {
    Signal signal = Signal::Steps;
    AgentId agent;
    KeyId key;
    EndpointId endpoint;
    Steady until;
    TripId trip; ///< the one that was re-armed
    bool operator==(const RearmWatch &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "signal", self.signal);
        v(2, "agent", self.agent);
        v(3, "key", self.key);
        v(4, "endpoint", self.endpoint);
        v(5, "until", self.until);
        v(6, "trip", self.trip);
    }
};

struct Agent {
    KeyId key;         ///< from the policy
    Rung rung = Rung::Closed;
    Instant rungSince; ///< when the rung last changed
    Revision revision;
    Instant firstSeen;
    Instant lastSeen;
    std::int64_t steps = 0;   ///< allowed model calls, ever
    std::int64_t calls = 0;   ///< allowed tool calls, ever
    std::int64_t refused = 0; ///< refused asks, ever
    std::int64_t tokensIn = 0;
    std::int64_t tokensOut = 0;
    Decimal cost;             ///< charged, ever, in the key's currency
    std::int64_t unpriced = 0; ///< results whose price was not known
    bool sawStep = false;      ///< asks for model calls reach the gate
    bool sawCall = false;      ///< asks for tool calls reach the gate
    bool sawCost = false;      ///< a result stated a cost or tokens
    std::vector<Instant> behaviourTrips; ///< steps and repetition since the last human re-arm, for escalation
    std::vector<RearmRecord> rearms;     ///< the last 20 by a human
    std::string lastReason;              ///< of the last re-arm: the next may not copy it
    TripId incident;                     ///< the present or last incident: its first trip
    std::int32_t incidentTrips = 0;      ///< how many trips it has had
    Instant peaceSince;                  ///< when its last active trip ended
    std::vector<TaskId> liveTasks;       ///< not ended, ascending
    bool operator==(const Agent &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "key", self.key);
        v(2, "rung", self.rung);
        v(3, "rung_since", self.rungSince);
        v(4, "revision", self.revision);
        v(5, "first_seen", self.firstSeen);
        v(6, "last_seen", self.lastSeen);
        v(7, "steps", self.steps);
        v(8, "calls", self.calls);
        v(9, "refused", self.refused);
        v(10, "tokens_in", self.tokensIn);
        v(11, "tokens_out", self.tokensOut);
        v(12, "cost", self.cost);
        v(13, "unpriced", self.unpriced);
        v(14, "saw_step", self.sawStep);
        v(15, "saw_call", self.sawCall);
        v(16, "saw_cost", self.sawCost);
        v(17, "behaviour_trips", self.behaviourTrips);
        v(18, "rearms", self.rearms);
        v(19, "last_reason", self.lastReason);
        v(20, "incident", self.incident);
        v(21, "incident_trips", self.incidentTrips);
        v(22, "peace_since", self.peaceSince);
        v(23, "live_tasks", self.liveTasks);
    }
};

struct Task {
    AgentId agent;
    TaskId parent;
    TaskId root; ///< itself where there is no parent
    SessionId session;
    Instant startedAt;
    Instant lastAt;
    bool timeMeasured = true; ///< false: a recorded run's event without a time of its own
    std::int64_t steps = 0;   ///< its own allowed model calls (the root's counter has the tree's)
    std::int64_t calls = 0;
    std::int64_t refused = 0;
    Decimal cost;
    bool hadAllowedAsk = false; ///< only such tasks enter the queue
    bool ended = false;
    std::string outcome;
    std::string note; ///< the diagnosis it handed over
    Rung rung = Rung::Closed; ///< of a root: the worst of the trips that reach this task alone
    bool operator==(const Task &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "agent", self.agent);
        v(2, "parent", self.parent);
        v(3, "root", self.root);
        v(4, "session", self.session);
        v(5, "started_at", self.startedAt);
        v(6, "last_at", self.lastAt);
        v(7, "time_measured", self.timeMeasured);
        v(8, "steps", self.steps);
        v(9, "calls", self.calls);
        v(10, "refused", self.refused);
        v(11, "cost", self.cost);
        v(12, "had_allowed_ask", self.hadAllowedAsk);
        v(13, "ended", self.ended);
        v(14, "outcome", self.outcome);
        v(15, "note", self.note);
        v(16, "rung", self.rung);
    }
};

/// A task that a trip took from its agent, waiting for a human or running on with its notes (spec 3.4).
struct QueueItem {
    AgentId agent;
    TripId trip; ///< the first that put it here
    Instant since;
    bool waiting = true; ///< false: it still runs, degraded
    bool byClock = false; ///< put here by spend or provider alone: resumes with their re-arm
    OperatorId owner;
    bool operator==(const QueueItem &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "agent", self.agent);
        v(2, "trip", self.trip);
        v(3, "since", self.since);
        v(4, "waiting", self.waiting);
        v(5, "by_clock", self.byClock);
        v(6, "owner", self.owner);
    }
};

/// An allowed ask whose result has not come.
struct PendingAsk {
    AgentId agent;
    TaskId task;
    Instant askedAt;
    Steady askedAtSteady;
    ToolId tool;        ///< none: a model call
    KeyId key;
    EndpointId endpoint;
    Decimal reserved;
    bool charged = false;  ///< its result did not come in time: the reservation was charged
    bool degraded = false; ///< asked while degraded
    bool probe = false;
    bool ownBreaker = false;
    std::uint64_t generation = 0;
    Digest identity{};
    std::string summary; ///< "send_pix 400.00 BRL", for "in flight"; bounded
    ModelId model;       ///< that was asked for: prices a result that names none
    bool byPass = false; ///< a pass let it through the envelope
    bool operator==(const PendingAsk &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "agent", self.agent);
        v(2, "task", self.task);
        v(3, "asked_at", self.askedAt);
        v(4, "asked_at_steady", self.askedAtSteady);
        v(5, "tool", self.tool);
        v(6, "key", self.key);
        v(7, "endpoint", self.endpoint);
        v(8, "reserved", self.reserved);
        v(9, "charged", self.charged);
        v(10, "degraded", self.degraded);
        v(11, "probe", self.probe);
        v(12, "own_breaker", self.ownBreaker);
        v(13, "generation", self.generation);
        v(14, "identity", self.identity);
        v(15, "summary", self.summary);
        v(16, "model", self.model);
        v(17, "by_pass", self.byPass);
    }
};

/// One breaker and its traffic.
struct BreakerRecord {
    Breaker breaker;
    std::int64_t allowed = 0;
    std::int64_t refused = 0;
    std::int64_t failures = 0; ///< results, ever
    std::int64_t late = 0;
    Instant lastAskAt;
    std::map<AgentId, Instant> usedBy; ///< who asked, and when last
    bool operator==(const BreakerRecord &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "breaker", self.breaker);
        v(2, "allowed", self.allowed);
        v(3, "refused", self.refused);
        v(4, "failures", self.failures);
        v(5, "late", self.late);
        v(6, "last_ask_at", self.lastAskAt);
        v(7, "used_by", self.usedBy);
    }
};

/// An act that waits for its second person.
struct ActRequest {
    SignedAct act;
    OperatorId by;
    AgentId agent; ///< none: the fleet
    TripId trip;
    std::string why; ///< what asks for the second person
    Revision revision; ///< of the agent, or the fleet's, that it is bound to
    std::int64_t policyVersion = 0;
    Instant requestedAt;
    Instant expires;
    Zone zone;
    Steady expiresSteady; ///< the same on the steady line: a wall clock that is set back keeps nothing alive
    bool operator==(const ActRequest &) const = default;
    [[nodiscard]] bool isOver(Now now) const noexcept { return now.wall >= expires || now.steady >= expiresSteady; }

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "act", self.act);
        v(2, "by", self.by);
        v(3, "agent", self.agent);
        v(4, "trip", self.trip);
        v(5, "why", self.why);
        v(6, "revision", self.revision);
        v(7, "policy_version", self.policyVersion);
        v(8, "requested_at", self.requestedAt);
        v(9, "expires", self.expires);
        v(10, "zone", self.zone);
        v(11, "expires_steady", self.expiresSteady);
    }
};

/// A call that the envelope refused, kept so that a pass can name it.
struct RefusedCall {
    AgentId agent;
    TaskId task;
    ToolId tool;
    Digest exact{}; ///< of tool and arguments byte by byte
    TripId trip; ///< that refused it; none: it was the call that made one fire
    Instant at;
    std::string arguments; ///< redacted, bounded: what the second person reads
    bool operator==(const RefusedCall &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "agent", self.agent);
        v(2, "task", self.task);
        v(3, "tool", self.tool);
        v(4, "exact", self.exact);
        v(5, "trip", self.trip);
        v(6, "at", self.at);
        v(7, "arguments", self.arguments);
    }
};

/// Lets one call through the envelope, once (spec 3.4).
struct Pass {
    AskId ask; ///< that was refused
    AgentId agent;
    TaskId task;
    ToolId tool;
    Digest exact{};
    Instant until;
    OperatorId by;
    Steady untilSteady; ///< the same on the steady line
    bool operator==(const Pass &) const = default;
    [[nodiscard]] bool isOver(Now now) const noexcept { return now.wall >= until || now.steady >= untilSteady; }

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "ask", self.ask);
        v(2, "agent", self.agent);
        v(3, "task", self.task);
        v(4, "tool", self.tool);
        v(5, "exact", self.exact);
        v(6, "until", self.until);
        v(7, "by", self.by);
        v(8, "until_steady", self.untilSteady);
    }
};

/// What somebody did alone where two persons are asked for, until another one has looked at it.
struct OpenReview {
    OperatorId by;
    AgentId agent;
    std::string act;
    std::string why;
    std::string reason;
    Instant at;
    bool operator==(const OpenReview &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "by", self.by);
        v(2, "agent", self.agent);
        v(3, "act", self.act);
        v(4, "why", self.why);
        v(5, "reason", self.reason);
        v(6, "at", self.at);
    }
};

/// What the last ActSigned allows to follow it. Lives within one transaction.
struct Licence {
    Act act; ///< that may be done: the signed one, or after an approval the requester's
    OperatorId by;
    OperatorId approvedBy; ///< the second person
    bool breakGlass = false;
    bool isUsed = false;   ///< its effect is in the log
    std::string machine;
    std::string session;
};

/// A pass lasts this long (spec 3.4).
inline constexpr Duration kPassLasts = minutes(15);
/// How many calls that the envelope refused are kept for passes: of the fleet, and of one agent, so that one that
/// hammers does not push out another's.
inline constexpr std::size_t kRefusedCallsForPasses = 1024;
inline constexpr std::size_t kRefusedCallsOfAgent = 32;
/// How many ended trips stay at hand at least; older ones stand in the log and the store's table.
inline constexpr std::size_t kEndedTripsKept = 500;
/// A reservation without a result is charged after this time; after a day the ask is forgotten.
inline constexpr Duration kResultDue = minutes(10);
inline constexpr Duration kResultForgotten = hours(24);
/// An incident is over when this long has passed since its last trip ended (spec 1).
inline constexpr Duration kQuietTime = minutes(10);
/// Agents seen at an endpoint within this time are reached by its trip (spec 3.2).
inline constexpr Duration kEndpointSeen = minutes(10);

/// What apply changed, so that projections and followers touch no more than that. Filled only when asked for.
struct Touched {
    std::set<AgentId> agents;
    std::set<TaskId> tasks;
    std::set<BreakerKey> breakers;
    std::set<TripId> trips; ///< active or just ended
    std::set<TaskId> queue; ///< items added, changed or removed
    std::set<SpendKey> spend;
    bool policy = false;
    bool everything = false; ///< a policy came into force: every agent moved
    void clear() { *this = Touched{}; }
};

/// The state of the whole fleet.
class Fleet {
public:
    // Identity and time
    std::string storeId;
    std::string branch; ///< of which accepted log it is: a copy that was accepted elsewhere has another. Empty: the first
    std::string name;
    bool recorded = false;
    bool isUnsigned = false;
    Seq seq;             ///< of the last event applied
    Instant ruleTime;    ///< of the last event applied
    Steady steady;       ///< of the last event applied
    std::string bootId;  ///< of the last host
    std::int64_t bootMicros = 0; ///< boot time at `bootSteady`
    Steady bootSteady;
    bool gateHosted = false; ///< a gate has hosted it: a desk hosts it only when told to (spec 4)
    bool clockTrusted = true; ///< false after a forward jump, until an operator confirms the time
    Duration wallOverSteady;  ///< what the wall clock was ahead of the steady time when last agreed upon

    // Policy
    std::string policyText;
    std::string policyFile;
    std::int64_t policyVersion = 0;
    Instant policyAt;
    Zone zone;
    std::shared_ptr<const Policy> policy; ///< read from policyText; derived

    // Everything else
    NameTable names;
    Counters counters;
    std::vector<Agent> agents; ///< by id - 1
    std::vector<Task> tasks;   ///< by id - 1
    std::map<BreakerKey, BreakerRecord> breakers;
    std::map<TripId, Trip> trips;  ///< active
    std::vector<Trip> endedTrips;  ///< the last ones, oldest first
    std::map<TaskId, QueueItem> queue; ///< by root task
    std::map<AskId, PendingAsk> pending;
    std::vector<RearmWatch> watches;
    Revision fleetRevision; ///< of fleet-wide acts; each also moves every agent's

    // Operators
    std::map<OperatorId, Operator> operators;   ///< enrolled ones, retired ones included
    std::optional<PublicKey> rootKey;           ///< of the first operator, when enrolled: what a host pins
    std::map<std::string, Instant> nonces;      ///< used ones, with the signing's time, while an act of that time is taken
    std::map<Seq, ActRequest> requests;         ///< that wait for a second person
    std::map<Seq, Pass> passes;                 ///< not used, not over
    std::map<AskId, RefusedCall> refusedCalls;  ///< by the envelope, the last ones
    std::map<Seq, OpenReview> reviews;

    // The agents' door
    std::map<Seq, Token> tokens; ///< that are not revoked
    std::map<AgentId, std::map<std::string, ClientAsk>> clientAsks; ///< by the client's own id, until the task ends

    // Between two events of one transaction
    std::optional<Licence> licence;

    // Derived, rebuilt by `rebuildDerived`
    std::map<TripSubject, TripId> activeBySubject;
    std::set<TripId> clockTrips;                       ///< held by the clock
    std::set<TripId> wideTrips;                        ///< that reach a key, an endpoint or the fleet
    std::map<AgentId, std::set<TripId>> tripsOfAgent;  ///< the others, by their agent
    std::map<TaskId, std::set<TripId>> tripsOfTree;    ///< by the root whose tree they hold
    std::set<AskId> uncharged;                         ///< model calls without a result, not yet charged
    std::set<BreakerKey> probesOut;
    std::vector<std::shared_ptr<const AgentPolicy>> agentPolicies; ///< by id - 1
    std::vector<std::shared_ptr<const CompiledTool>> tools;        ///< by id - 1
    std::map<std::pair<AgentId, ToolId>, std::shared_ptr<const CompiledTool>> agentTools; ///< where an agent has its own
    std::vector<const KeyPolicy *> keyPolicies;                    ///< by id - 1; they live in `policy`
    std::shared_ptr<const CompiledTool> undeclaredTool;            ///< shared by every tool that no table names

    /// An empty fleet under the built-in policy.
    Fleet();

    [[nodiscard]] const Agent &agent(AgentId id) const; ///< an empty one for an id that no event has named
    [[nodiscard]] const Task &task(TaskId id) const;
    [[nodiscard]] TaskId rootOf(TaskId id) const { return id.isSet() && task(id).root.isSet() ? task(id).root : id; }
    [[nodiscard]] const Breaker &breaker(BreakerKey key) const;
    /// Active or among the last ended ones; nullptr else.
    [[nodiscard]] const Trip *trip(TripId id) const;
    [[nodiscard]] const Trip *activeTrip(const TripSubject &subject) const;
    /// The task's rung: the worst of its agent's and its root's own (spec 1).
    [[nodiscard]] Rung rungOf(AgentId agent, TaskId task) const;
    /// True when the trip reaches this agent as a whole (task trips reach none).
    [[nodiscard]] bool reachesAgent(const Trip &trip, AgentId agent) const;
    /// The reason that a re-arm of this trip may not copy; empty where any will do. One reason may serve for all trips
    /// that stood when it was given: a person who re-arms three of them decides once.
    [[nodiscard]] std::string_view reasonNotToCopy(const Trip &trip) const;
    /// The revision that a re-arm of this trip must have seen: its agent's, or the fleet's.
    [[nodiscard]] Revision revisionOf(const Trip &trip) const;
    /// The revision that an act on this agent binds; none: the fleet's.
    [[nodiscard]] Revision revisionOf(AgentId id) const { return id.isSet() ? agent(id).revision : fleetRevision; }
    /// What operators sign their acts for: this store, and of its copies this one.
    [[nodiscard]] std::string signedAs() const { return branch.empty() ? storeId : storeId + '.' + branch; }
    /// Enrolled, not retired; nullptr else.
    [[nodiscard]] const Operator *activeOperator(OperatorId id) const;
    /// How many approvers there are that are not retired.
    [[nodiscard]] std::size_t approvers() const;
    /// The limits of an agent. Cheap: a look-up in derived tables.
    [[nodiscard]] const AgentPolicy &agentPolicy(AgentId id) const;
    [[nodiscard]] const CompiledTool &tool(AgentId agent, ToolId tool) const;
    [[nodiscard]] const ToolPolicy &toolPolicy(AgentId agent, ToolId id) const { return tool(agent, id).policy(); }
    [[nodiscard]] Calendar calendar() const { return {&zone, policy->weekStarts}; }
    [[nodiscard]] const KeyPolicy &keyPolicy(KeyId id) const;
    [[nodiscard]] BreakerKey breakerKeyOf(AgentId agent, ToolId tool) const;

    /// After decoding: the policy, indexes and everything else that is derived.
    [[nodiscard]] Result<void> rebuildDerived();
    /// Adds the trip to, or takes it from, the derived look-ups.
    void indexTrip(const Trip &trip);
    void forgetTrip(const Trip &trip);
    /// True while any active trip is this agent's own.
    [[nodiscard]] bool hasTrips(AgentId id) const;
    /// Makes the per-name policy look-ups anew, after a policy.
    void rebuildPolicyIndex();
    /// Adds the look-up of one new name.
    void indexName(NameKind kind, std::uint32_t id);

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "store_id", self.storeId);
        v(2, "name", self.name);
        v(3, "recorded", self.recorded);
        v(4, "unsigned", self.isUnsigned);
        v(5, "seq", self.seq);
        v(6, "rule_time", self.ruleTime);
        v(7, "steady", self.steady);
        v(8, "boot_id", self.bootId);
        v(9, "boot_micros", self.bootMicros);
        v(10, "boot_steady", self.bootSteady);
        v(11, "clock_trusted", self.clockTrusted);
        v(12, "policy_text", self.policyText);
        v(13, "policy_file", self.policyFile);
        v(14, "policy_version", self.policyVersion);
        v(15, "policy_at", self.policyAt);
        v(16, "zone", self.zone);
        v(17, "names", self.names);
        v(18, "counters", self.counters);
        v(19, "agents", self.agents);
        v(20, "tasks", self.tasks);
        v(21, "breakers", self.breakers);
        v(22, "trips", self.trips);
        v(23, "ended_trips", self.endedTrips);
        v(24, "queue", self.queue);
        v(25, "pending", self.pending);
        v(26, "watches", self.watches);
        v(27, "fleet_revision", self.fleetRevision);
        v(28, "wall_over_steady", self.wallOverSteady);
        v(29, "operators", self.operators);
        v(30, "root_key", self.rootKey);
        v(31, "nonces", self.nonces);
        v(32, "requests", self.requests);
        v(33, "passes", self.passes);
        v(34, "refused_calls", self.refusedCalls);
        v(35, "reviews", self.reviews);
        v(36, "gate_hosted", self.gateHosted);
        v(37, "tokens", self.tokens);
        v(38, "client_asks", self.clientAsks);
        v(39, "branch", self.branch);
    }
};

/// The state as bytes, the same for the same state (keyframes, comparison), and back.
[[nodiscard]] std::string encodeFleet(const Fleet &fleet);
[[nodiscard]] Result<Fleet> decodeFleet(std::string_view bytes);

/// The only code that changes a fleet. The event must be the next one (`fleet.seq + 1`) and be well formed, as
/// `decide` makes them; what a damaged log could hold is refused as an Error and changes nothing.
[[nodiscard]] Result<void> apply(Fleet &fleet, const Event &event, Touched *touched = nullptr);

} // namespace handreset::rules

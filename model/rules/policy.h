// The policy as a value: every limit that the rules judge by, already merged (policy.md, spec 3.2).
// Reading it from text stands in policy_text.h. Pure values; any thread.
#pragma once

#include "model/rules/decimal.h"
#include "model/rules/instant.h"
#include "model/rules/window.h"
#include "model/rules/words.h"
#include "model/rules/zone.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules {

/// closed < degraded < open; nothing else sets an agent's switch (spec 1).
enum class Rung : std::uint8_t { Closed, Degraded, Open };

/// The five signals, and the further sources of trips (spec 1).
enum class Signal : std::uint8_t { Spend, Steps, Repetition, Provider, Envelope, Operator, Probation, Tamper };
inline constexpr std::array kFiveSignals{Signal::Spend, Signal::Steps, Signal::Repetition, Signal::Provider,
                                  Signal::Envelope};

/// Whom a trip reaches.
enum class Reach : std::uint8_t { Task, Agent, Key, Endpoint, Fleet };

/// Who ends a trip: a clock by itself, or a human (spec 3.2).
enum class RearmBy : std::uint8_t { Clock, Human };

enum class Access : std::uint8_t { Read, Write };
enum class Undeclared : std::uint8_t { Write, Refuse };
enum class Offline : std::uint8_t { Refuse, Lease };
enum class BreakerScope : std::uint8_t { Fleet, Agent };
enum class ProbeBy : std::uint8_t { Auto, Operator };

template <>
struct Words<Rung> {
    static constexpr std::array<std::string_view, 3> list{"closed", "degraded", "open"};
};
template <>
struct Words<Signal> {
    static constexpr std::array<std::string_view, 8> list{"spend",    "steps",    "repetition", "provider",
                                                          "envelope", "operator", "probation",  "tamper"};
};
template <>
struct Words<Reach> {
    static constexpr std::array<std::string_view, 5> list{"task", "agent", "key", "endpoint", "fleet"};
};
template <>
struct Words<RearmBy> {
    static constexpr std::array<std::string_view, 2> list{"clock", "human"};
};
template <>
struct Words<Access> {
    static constexpr std::array<std::string_view, 2> list{"read", "write"};
};
template <>
struct Words<Undeclared> {
    static constexpr std::array<std::string_view, 2> list{"write", "refuse"};
};
template <>
struct Words<Offline> {
    static constexpr std::array<std::string_view, 2> list{"refuse", "lease"};
};
template <>
struct Words<BreakerScope> {
    static constexpr std::array<std::string_view, 2> list{"fleet", "agent"};
};
template <>
struct Words<ProbeBy> {
    static constexpr std::array<std::string_view, 2> list{"auto", "operator"};
};

struct StepsPolicy {
    std::int64_t limit = 0; ///< allowed model calls of a root task and its sub-tasks
    std::optional<std::int64_t> watch;
    Reach reaches = Reach::Task; ///< Task or Agent
    std::optional<std::int64_t> perSession;
    struct PerAgent {
        WindowKind window;
        std::int64_t limit = 0;
        bool operator==(const PerAgent &) const = default;
    };
    std::optional<PerAgent> perAgent;
    bool operator==(const StepsPolicy &) const = default;
};

struct RepetitionPolicy {
    std::int64_t limit = 3;
    std::optional<std::int64_t> watch;
    Rung action = Rung::Degraded; ///< Degraded or Open
    Reach reaches = Reach::Task;  ///< Task or Agent
    std::int32_t maxPeriod = 1;   ///< 1 to 8
    bool operator==(const RepetitionPolicy &) const = default;
};

struct EnvelopePolicy {
    Rung action = Rung::Open;     ///< Degraded or Open
    Reach reaches = Reach::Agent; ///< Task or Agent
    bool operator==(const EnvelopePolicy &) const = default;
};

struct ProviderPolicy {
    std::int64_t allowedFails = 3; ///< in a sliding 60 s; more than these trip
    std::int64_t cooldownSeconds = 30;
    Rung action = Rung::Degraded;
    RearmBy rearm = RearmBy::Clock;
    bool operator==(const ProviderPolicy &) const = default;
};

struct SpendWindow {
    WindowKind window;
    Decimal limit; ///< in the key's currency
    std::optional<Decimal> watch;
    Rung action = Rung::Open;
    Decimal overdraft; ///< zero unless action is Degraded
    RearmBy rearm = RearmBy::Clock;
    bool operator==(const SpendWindow &) const = default;
};

struct KeyPolicy {
    std::string currency = "USD"; ///< of every window, the estimate and the overdraft
    std::vector<SpendWindow> windows;
    std::string gateway; ///< "litellm" when the gateway counts and resets; empty: the gate's own sum
    bool operator==(const KeyPolicy &) const = default;
};

/// What holds for one agent: `[agents.NAME]` merged over `[defaults]`.
struct AgentPolicy {
    std::string key; ///< default: the agent's name
    std::vector<std::string> parents;
    std::vector<std::string> models; ///< empty: any model
    StepsPolicy steps;
    RepetitionPolicy repetition;
    EnvelopePolicy envelope;
    ProviderPolicy provider;
    struct Escalate {
        std::int64_t trips = 3;
        Duration window = hours(1);
        bool operator==(const Escalate &) const = default;
    } escalate;
    std::string degradedModel; ///< empty: the agent's own models stay allowed (warned)
    Money estimate;            ///< reserved for a model call without one; charged when unpriced
    Offline offline = Offline::Refuse;
    Duration lease = seconds(30);
    Duration watchAfterRearm = minutes(30);
    Duration acknowledgeWithin = minutes(10);
    std::optional<Duration> drillEvery;
    std::string runbook;
    std::string contact;
    bool operator==(const AgentPolicy &) const = default;
};

struct BreakerPolicy {
    BreakerScope scope = BreakerScope::Fleet;
    std::int64_t failureThreshold = 3;
    std::optional<std::int64_t> cooldownCalls;   ///< at least one of the two cooldowns is set
    std::optional<std::int64_t> cooldownSeconds; ///< with both, both must be met
    std::int64_t probeLeaseSeconds = 60;
    ProbeBy probe = ProbeBy::Auto; ///< default Operator for a write tool with a value cap
    bool operator==(const BreakerPolicy &) const = default;
};

struct ValueCap {
    std::string pointer; ///< RFC 6901; `*` means every element of an array
    std::string currency;
    std::string currencyPointer; ///< empty: the amount is in `currency`
    Decimal max;
    std::optional<Decimal> watch;
    bool operator==(const ValueCap &) const = default;
};

struct DestinationCap {
    std::string pointer;
    std::vector<std::string> exact;    ///< allowed as they stand
    std::vector<std::string> patterns; ///< after `re:`, matched in full (ECMAScript)
    bool operator==(const DestinationCap &) const = default;
};

struct VolumeCap {
    std::optional<WindowKind> window; ///< none: per root task. A window's volume is per agent and tool
    std::optional<std::int64_t> calls;
    std::optional<Decimal> value; ///< summed with `value`'s pointer and currency
    bool operator==(const VolumeCap &) const = default;
};

/// What holds for one tool: `[agents.NAME.tools.TOOL]` merged over `[tools.TOOL]`.
struct ToolPolicy {
    bool declared = false;
    Access access = Access::Write;
    BreakerPolicy breaker{.cooldownCalls = 2, .cooldownSeconds = 30};
    std::optional<ValueCap> value;
    std::optional<DestinationCap> destination;
    std::optional<VolumeCap> volume;
    std::vector<std::string> repetitionIgnore; ///< pointers left out of the call's identity
    std::optional<std::int64_t> repetitionLimit;
    bool repetitionExempt = false;
    std::vector<std::string> redact; ///< pointers never written
    bool operator==(const ToolPolicy &) const = default;

    [[nodiscard]] bool hasCap() const noexcept { return value || destination || volume; }
};

/// How many re-arms of an agent are kept, and so the most that `rearms_in_24h` can be.
inline constexpr std::size_t kRearmsKept = 20;

struct ApprovalPolicy {
    std::vector<Signal> signals{Signal::Envelope};
    std::int64_t rearmsIn24h = 3;
    bool passes = true;
    bool loosening = true;
    Duration expires = minutes(10);
    Duration unlock = minutes(5); ///< how long a desk may hold an operator's key unlocked; 0: each act asks anew
    bool operator==(const ApprovalPolicy &) const = default;
};

/// A model's price per million tokens.
struct Price {
    Money in;
    Money out;
    bool operator==(const Price &) const = default;
};

/// One fleet's policy. Agents, keys and tools that it does not name take the defaults.
struct Policy {
    std::int32_t schema = 1;
    std::string timezone = "UTC"; ///< IANA name; the zone itself is passed in beside the policy
    WeekDay weekStarts = WeekDay::Sunday;
    Undeclared undeclared = Undeclared::Write;
    AgentPolicy defaults;
    KeyPolicy defaultKey;
    ToolPolicy defaultTool;
    std::map<std::string, AgentPolicy, std::less<>> agents;
    std::map<std::string, KeyPolicy, std::less<>> keys;
    std::map<std::string, ToolPolicy, std::less<>> tools;
    std::map<std::pair<std::string, std::string>, ToolPolicy> agentTools; ///< (agent, tool), whole after merging
    ApprovalPolicy approval;
    std::map<std::string, Price, std::less<>> prices;
    bool operator==(const Policy &) const = default;

    /// The agent's limits; the defaults, with the agent's name as key, for one that is not named.
    [[nodiscard]] AgentPolicy forAgent(std::string_view agent) const;
    /// The key's windows; the default's for one that is not named.
    [[nodiscard]] const KeyPolicy &forKey(std::string_view key) const;
    /// The tool's caps and breaker for this agent. `declared` is false for a tool that no table names.
    [[nodiscard]] const ToolPolicy &forTool(std::string_view agent, std::string_view tool) const;
    /// True when any tool of the fleet has a cap.
    [[nodiscard]] bool declaresEnvelope() const;
};

/// The policy a store has before the first `policy apply`: 25 steps, 3 equal calls, the provider's defaults,
/// no spend window (warned), nothing declared.
[[nodiscard]] Policy builtInPolicy();

} // namespace handreset::rules

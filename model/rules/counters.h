// What the five signals count, apart from trips and switches: the same counters serve the gate's fold and what-if.
// `judge.h` reads them, `count…` changes them. Pure values; any thread.
#pragma once

#include "model/rules/decimal.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/policy.h"
#include "model/rules/sha256.h"
#include "model/rules/window.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace handreset::rules {

inline constexpr std::size_t kLongestPeriod = 8;

/// The row of tool calls of one root task (spec 3.3, Repetition).
struct RowOfCalls {
    std::vector<Digest> last; ///< the last calls' identities, newest first, at most kLongestPeriod
    std::array<std::int32_t, kLongestPeriod> run{}; ///< run[p-1]: calls in a row that equal the one p before them
    std::optional<Digest> lastResultOf; ///< whose results `changed` is about
    std::optional<bool> changed;        ///< whether results in the present row differed
    Seq argumentsAt; ///< the ask beside which the last call's arguments are kept; none: not kept
    bool operator==(const RowOfCalls &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "last", self.last);
        v(2, "run1", self.run[0]);
        v(3, "run2", self.run[1]);
        v(4, "run3", self.run[2]);
        v(5, "run4", self.run[3]);
        v(6, "run5", self.run[4]);
        v(7, "run6", self.run[5]);
        v(8, "run7", self.run[6]);
        v(9, "run8", self.run[7]);
        v(10, "last_result_of", self.lastResultOf);
        v(11, "changed", self.changed);
        v(12, "arguments_at", self.argumentsAt);
    }
};

/// Calls and summed value of one tool, per task or window.
struct Volume {
    std::int64_t calls = 0;
    Decimal value;
    std::int64_t grantedCalls = 0; ///< a human's allowance beyond the cap
    Decimal grantedValue;
    bool operator==(const Volume &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "calls", self.calls);
        v(2, "value", self.value);
        v(3, "granted_calls", self.grantedCalls);
        v(4, "granted_value", self.grantedValue);
    }
};

/// Counted per root task.
struct RootCounters {
    std::int64_t steps = 0;
    std::int64_t grantedUpTo = 0; ///< a human's "used + n"; 0: none
    RowOfCalls row;
    std::map<ToolId, Volume> volumes; ///< caps with per = "task"
    bool operator==(const RootCounters &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "steps", self.steps);
        v(2, "granted_up_to", self.grantedUpTo);
        v(3, "row", self.row);
        v(4, "volumes", self.volumes);
    }
};

/// A limit that counts plainly: model calls per session, or per agent and window.
struct PlainCount {
    std::int64_t used = 0;
    std::int64_t grantedUpTo = 0;
    bool operator==(const PlainCount &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "used", self.used);
        v(2, "granted_up_to", self.grantedUpTo);
    }
};

/// One window of one key (spec 3.3, Spend). Amounts in the key's currency.
struct SpendSum {
    Decimal settled;
    Decimal reserved; ///< of asks in this window whose result has not come
    std::int64_t reservations = 0;
    Decimal granted;  ///< beyond the limit, until this window ends
    bool operator==(const SpendSum &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "settled", self.settled);
        v(2, "reserved", self.reserved);
        v(3, "reservations", self.reservations);
        v(4, "granted", self.granted);
    }
};

/// Which window of which key: its kind and its start.
struct SpendKey {
    KeyId key;
    std::int32_t hours = 24;
    Instant start;
    auto operator<=>(const SpendKey &) const noexcept = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "key", self.key);
        v(2, "hours", self.hours);
        v(3, "start", self.start);
    }
};

/// A window's volume is per agent and tool.
struct VolumeKey {
    AgentId agent;
    ToolId tool;
    std::int32_t hours = 24;
    Instant start;
    auto operator<=>(const VolumeKey &) const noexcept = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "agent", self.agent);
        v(2, "tool", self.tool);
        v(3, "hours", self.hours);
        v(4, "start", self.start);
    }
};

struct AgentWindowKey {
    AgentId agent;
    std::int32_t hours = 1;
    Instant start;
    auto operator<=>(const AgentWindowKey &) const noexcept = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "agent", self.agent);
        v(2, "hours", self.hours);
        v(3, "start", self.start);
    }
};

/// One call to a provider, remembered for the sliding minute.
struct ProviderCall {
    Steady at;
    bool failed = false;
    bool operator==(const ProviderCall &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "at", self.at);
        v(2, "failed", self.failed);
    }
};

/// Counted per endpoint: at least the last 60 s of calls, in the order in which they were told; of recorded runs, whose
/// times go back from task to task, a number of them.
struct EndpointCounters {
    std::vector<ProviderCall> calls;
    std::map<AgentId, Steady> seen; ///< the agents that asked for it, and when last
    bool operator==(const EndpointCounters &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "calls", self.calls);
        v(2, "seen", self.seen);
    }
};

/// Settled spend of one key in slots of 15 minutes, for the last 32 days: any window of any zone is an exact sum
/// over slots, so that a changed policy finds its new window's sum without reading the log again.
using SpendSlots = std::map<Instant, Decimal>;
inline constexpr Duration kSpendSlot = minutes(15);
inline constexpr Duration kSpendSlotsKept = hours(32 * 24);

/// All counters of a fleet. Vectors are indexed by id - 1.
struct Counters {
    std::vector<RootCounters> roots; ///< by TaskId; of a task that is no root it stays empty
    std::map<SessionId, PlainCount> sessions;
    std::map<AgentWindowKey, PlainCount> agentWindows;
    std::map<SpendKey, SpendSum> spend;
    std::map<KeyId, SpendSlots> spendSlots;
    std::map<VolumeKey, Volume> volumes;
    std::map<EndpointId, EndpointCounters> endpoints;
    bool operator==(const Counters &) const = default;

    [[nodiscard]] RootCounters &root(TaskId id)
    {
        if (roots.size() < id.value)
            roots.resize(id.value);
        return roots[id.value - 1];
    }
    [[nodiscard]] const RootCounters &root(TaskId id) const
    {
        static const RootCounters none;
        return id.value != 0 && id.value <= roots.size() ? roots[id.value - 1] : none;
    }

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "roots", self.roots);
        v(2, "sessions", self.sessions);
        v(3, "agent_windows", self.agentWindows);
        v(4, "spend", self.spend);
        v(5, "spend_slots", self.spendSlots);
        v(6, "volumes", self.volumes);
        v(7, "endpoints", self.endpoints);
    }
};

} // namespace handreset::rules

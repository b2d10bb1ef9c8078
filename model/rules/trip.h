// The latched record that a signal fired, and what identifies it (spec 1, 3.4). Pure values; any thread.
#pragma once

#include "model/rules/decimal.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/latch.h"
#include "model/rules/policy.h"
#include "model/rules/sha256.h"
#include "model/rules/words.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules {

/// Which limit of a signal fired.
enum class Cap : std::uint8_t { None, PerSession, PerAgent, Value, Destination, VolumeCalls, VolumeValue, Model };
template <>
struct Words<Cap> {
    static constexpr std::array<std::string_view, 8> list{"",      "per_session",  "per_agent",    "value", "destination",
                                                          "volume_calls", "volume_value", "model"};
};

/// What a trip is about: there is one active trip per signal and subject (spec 1). Fields that do not
/// belong to the signal are zero.
struct TripSubject {
    Signal signal = Signal::Steps;
    Cap cap = Cap::None;
    AgentId agent;    ///< zero where the subject is a key, an endpoint or the fleet
    TaskId root;      ///< where the trip reaches a task
    KeyId key;        ///< spend
    EndpointId endpoint; ///< provider
    ToolId tool;      ///< envelope
    std::int32_t windowHours = 0; ///< spend: which window of the key
    Rung rung = Rung::Closed; ///< operator's stops: one to degraded and one to open may stand side by side
    SessionId session;        ///< steps per session
    Reach reach = Reach::Task; ///< of probations: those of two reaches may stand side by side

    auto operator<=>(const TripSubject &) const noexcept = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "signal", self.signal);
        v(2, "cap", self.cap);
        v(3, "agent", self.agent);
        v(4, "root_task", self.root);
        v(5, "key", self.key);
        v(6, "endpoint", self.endpoint);
        v(7, "tool", self.tool);
        v(8, "window_hours", self.windowHours);
        v(9, "rung", self.rung);
        v(10, "session", self.session);
        v(11, "reach", self.reach);
    }
};

/// Why a signal fired, for the person who decides. Texts come from agents: bounded, redacted, shown as plain text.
struct Evidence {
    std::string measured;  ///< "900.00 BRL", "26 steps", "3 equal calls"
    std::string limit;     ///< "500.00 BRL", "25 steps", "3"
    std::string detail;    ///< one sentence in words
    ToolId tool;           ///< the call's tool, where it was a call
    std::string arguments; ///< redacted, canonical, at most 2 KiB; empty for a step
    std::string destination; ///< what stood at the destination's pointer; empty where there is no such cap
    std::optional<bool> resultsChanged; ///< repetition: whether the repeated call's results differed
    std::int64_t stepsUsed = 0; ///< model calls of the root task so far

    bool operator==(const Evidence &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "measured", self.measured);
        v(2, "limit", self.limit);
        v(3, "detail", self.detail);
        v(4, "tool", self.tool);
        v(5, "arguments", self.arguments);
        v(6, "destination", self.destination);
        v(7, "results_changed", self.resultsChanged);
        v(8, "steps_used", self.stepsUsed);
    }
};

/// One trip. Only `apply` changes it.
struct Trip {
    TripId id;
    TripSubject subject;
    AgentId agent; ///< whose ask or result made it fire; of a fleet stop none
    TaskId task;   ///< the task of that ask
    TaskId root;
    AskId ask; ///< the ask that it refused, or whose result made it fire
    Reach reach = Reach::Task;
    Rung rung = Rung::Open;
    LatchState latch = LatchState::HeldByHuman;
    Evidence evidence;
    Instant firedAt;
    std::int64_t firings = 1; ///< how often it fired; the first one latched it
    Instant lastFiredAt;
    std::optional<Instant> endsAt;       ///< held by the clock: the window's end
    std::optional<Steady> endsAtSteady;  ///< held by the clock: the cooldown's end
    std::vector<AgentId> reached;        ///< provider: the agents seen there in the last 10 min; probation of such a trip too
    std::vector<Digest> refusedCalls;    ///< identities that stay refused while the trip is active (spec 3.2); at most 64
    TripId incident;                     ///< the first trip of the incident it belongs to
    std::int32_t order = 1;              ///< ①②③ within the incident
    bool flapping = false;               ///< fired within the watch time after a human's re-arm
    TripId linked;                       ///< the earlier trip: of which it is the relapse, or the probation
    std::optional<Signal> origin;        ///< of a probation: the signal of the trip whose place it took
    bool escalated = false;              ///< the third within an hour: reaches the agent (spec 3.2)
    OperatorId by;                       ///< a stop's or a probation's operator
    std::string reason;                  ///< a stop's; may be given afterwards
    OperatorId acknowledgedBy;
    std::optional<Instant> acknowledgedAt;
    // After its end:
    OperatorId rearmedBy; ///< none when the clock did it
    std::optional<Instant> rearmedAt;
    Rung rearmedTo = Rung::Closed;
    std::string cause;
    std::string rearmReason;

    bool operator==(const Trip &) const = default;
    [[nodiscard]] bool active() const noexcept { return latch != LatchState::Clear; }
    /// Held by the clock: whether its time is over.
    [[nodiscard]] bool isOver(Now now) const noexcept
    {
        if (endsAtSteady)
            return now.steady >= *endsAtSteady;
        return endsAt && now.wall >= *endsAt;
    }
    /// The root task whose whole tree it holds, sub-tasks of other agents included; none: no task of its own. A trip
    /// of a task that reaches the agent (by policy or escalation) holds the task's tree all the same.
    [[nodiscard]] TaskId tree() const noexcept
    {
        return reach == Reach::Task ? root : reach == Reach::Agent ? subject.root : TaskId{};
    }

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "trip", self.id);
        v(2, "subject", self.subject);
        v(3, "agent", self.agent);
        v(4, "task", self.task);
        v(5, "root_task", self.root);
        v(6, "ask", self.ask);
        v(7, "reaches", self.reach);
        v(8, "rung", self.rung);
        v(9, "latch", self.latch);
        v(10, "evidence", self.evidence);
        v(11, "fired_at", self.firedAt);
        v(12, "firings", self.firings);
        v(13, "last_fired_at", self.lastFiredAt);
        v(14, "ends_at", self.endsAt);
        v(15, "ends_at_steady", self.endsAtSteady);
        v(16, "reached", self.reached);
        v(17, "refused_calls", self.refusedCalls);
        v(18, "incident", self.incident);
        v(19, "order", self.order);
        v(20, "flapping", self.flapping);
        v(21, "linked", self.linked);
        v(22, "escalated", self.escalated);
        v(23, "by", self.by);
        v(24, "reason", self.reason);
        v(25, "acknowledged_by", self.acknowledgedBy);
        v(26, "acknowledged_at", self.acknowledgedAt);
        v(27, "rearmed_by", self.rearmedBy);
        v(28, "rearmed_at", self.rearmedAt);
        v(29, "rearmed_to", self.rearmedTo);
        v(30, "cause", self.cause);
        v(31, "rearm_reason", self.rearmReason);
        v(32, "origin", self.origin);
    }
};

} // namespace handreset::rules

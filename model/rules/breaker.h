// The tool breaker: its one transition table, and the only code that decides and changes its state (spec 2).
// Pure values; any thread.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/policy.h"
#include "model/rules/transition.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::rules {

enum class BreakerState : std::uint8_t { Closed, Open, HalfOpen };
template <>
struct Words<BreakerState> {
    static constexpr std::array<std::string_view, 3> list{"CLOSED", "OPEN", "HALF_OPEN"};
};

enum class BreakerEvent : std::uint8_t {
    Ask,
    Success,
    Failure,
    Neutral,
    LeaseOver,
    Isolate,
    Release,
    LetProbeOut,
    Reset,
};
template <>
struct Words<BreakerEvent> {
    static constexpr std::array<std::string_view, 9> list{"ask",     "success", "failure",       "neutral", "lease over",
                                                          "isolate", "release", "let a probe out", "reset"};
};

enum class BreakerGuard : std::uint8_t {
    Else,
    Isolated,
    NotIsolated,
    CooledDownAndAuto,
    NoProbeIsOut,
    ProbeIsOut,
    CurrentAndReachesThreshold,
    Current,
    TheProbe,
    TheProbeAndAuto,
};
template <>
struct Words<BreakerGuard> {
    static constexpr std::array<std::string_view, 10> list{
        "else",           "isolated",        "not isolated",        "cooled down, probe auto", "no probe is out",
        "a probe is out", "count + 1 ≥ threshold", "of this generation", "the probe's",            "the probe's, probe auto"};
};

enum class BreakerEffect : std::uint8_t {
    None,
    ClearFailures,
    CountFailure,
    Trip,
    CountRejection,
    TakeProbe,
    CloseAfterProbe,
    ReopenAfterProbe,
    FreeProbe,
    Isolate,
    LetProbeOut,
    Reset,
};

using BreakerRow = Row<BreakerState, BreakerEvent, BreakerGuard, BreakerEffect>;

/// Spec 2, row by row; ids are the spec's numbers.
inline constexpr std::array kBreakerTable = [] {
    using S = BreakerState;
    using E = BreakerEvent;
    using G = BreakerGuard;
    using F = BreakerEffect;
    using A = Authority;
    const SetOf<S> any = SetOf<S>::all();
    const SetOf<S> notClosed = SetOf<S>(S::Open) | S::HalfOpen;
    const SetOf<E> mayBeLate = SetOf<E>(E::Success) | E::Failure | E::Neutral | E::LeaseOver | E::Release
        | E::LetProbeOut | E::Reset;
    return std::array{
        BreakerRow{1, S::Closed, E::Ask, G::Else, false, S::Closed, F::None, A::Machine, "allow", ""},
        BreakerRow{2, S::Closed, E::Success, G::Current, false, S::Closed, F::ClearFailures, A::Machine, "",
                   "failure_count = 0"},
        BreakerRow{3, S::Closed, E::Failure, G::CurrentAndReachesThreshold, true, S::Open, F::Trip, A::Machine, "",
                   "failure_count + 1; rejected_while_open = 0; opened_at = now"},
        BreakerRow{4, S::Closed, E::Failure, G::Current, false, S::Closed, F::CountFailure, A::Machine, "",
                   "failure_count + 1"},
        BreakerRow{5, S::Closed, E::Neutral, G::Current, false, S::Closed, F::None, A::Machine, "", ""},
        BreakerRow{6, S::Open, E::Ask, G::Isolated, false, S::Open, F::None, A::Machine, "reject", "uncounted"},
        BreakerRow{7, S::Open, E::Ask, G::CooledDownAndAuto, true, S::HalfOpen, F::TakeProbe, A::Machine,
                   "allow as probe", "probe = this call"},
        BreakerRow{8, S::Open, E::Ask, G::Else, false, S::Open, F::CountRejection, A::Machine, "reject",
                   "rejected_while_open + 1 (up to cooldown_calls)"},
        BreakerRow{9, S::HalfOpen, E::Ask, G::NoProbeIsOut, false, S::HalfOpen, F::TakeProbe, A::Machine,
                   "allow as probe", "probe = this call"},
        BreakerRow{10, S::HalfOpen, E::Ask, G::Else, false, S::HalfOpen, F::None, A::Machine, "reject", "uncounted"},
        BreakerRow{11, S::HalfOpen, E::Success, G::TheProbe, true, S::Closed, F::CloseAfterProbe, A::Machine, "",
                   "failure_count = 0; probe = none"},
        BreakerRow{12, S::HalfOpen, E::Failure, G::TheProbe, true, S::Open, F::ReopenAfterProbe, A::Machine, "",
                   "rejected_while_open = 0; opened_at = now; failure_count stays"},
        BreakerRow{13, S::HalfOpen, E::Neutral, G::TheProbeAndAuto, false, S::HalfOpen, F::FreeProbe, A::Machine, "",
                   "probe = none"},
        BreakerRow{14, S::HalfOpen, E::Neutral, G::TheProbe, true, S::Open, F::FreeProbe, A::Machine, "",
                   "probe = none; the cooldown stays met"},
        BreakerRow{15, S::HalfOpen, E::LeaseOver, G::ProbeIsOut, true, S::Open, F::ReopenAfterProbe, A::Clock, "",
                   "rejected_while_open = 0; opened_at = now; failure_count stays"},
        BreakerRow{16, any, E::Isolate, G::Else, true, S::Open, F::Isolate, A::Operator, "",
                   "isolated; who, why, when; probe = none; opened_at = now"},
        BreakerRow{17, S::Open, E::Release, G::Isolated, true, S::HalfOpen, F::LetProbeOut, A::Operator, "",
                   "no probe out: the next ask is the probe"},
        BreakerRow{18, S::Open, E::LetProbeOut, G::NotIsolated, true, S::HalfOpen, F::LetProbeOut, A::Operator, "",
                   "no probe out"},
        BreakerRow{19, notClosed, E::Reset, G::NotIsolated, true, S::Closed, F::Reset, A::Operator, "",
                   "failure_count = 0; probe = none"},
        BreakerRow{20, any, mayBeLate, G::Else, false, S::Closed, F::None, A::Machine, "",
                   "a result: recorded as late; an act: refused; moves nothing"},
    };
}();

static_assert(idsAreUnique(kBreakerTable));
static_assert(everyGroupIsClosed<BreakerState, BreakerEvent>(kBreakerTable));
static_assert(noRowIsDead<BreakerState, BreakerEvent>(kBreakerTable));
static_assert(everyStateIsReachable(kBreakerTable, BreakerState::Closed));

/// The row that records what came too late, or refuses an act.
inline constexpr std::uint8_t kLateRow = 20;

/// An operator's isolation: who, why, when.
struct Isolation {
    OperatorId by;
    std::string reason;
    Instant at;
    bool operator==(const Isolation &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "by", self.by);
        v(2, "reason", self.reason);
        v(3, "at", self.at);
    }
};

/// One breaker. Only `apply` changes it.
struct Breaker {
    BreakerState state = BreakerState::Closed;
    std::int64_t failureCount = 0;
    std::int64_t rejectedWhileOpen = 0;
    Steady openedAt;         ///< meaningful while not CLOSED
    Instant openedAtWall;    ///< the same moment for people
    bool cooldownMet = false; ///< once met it stays met until the breaker opens anew (row 14)
    AskId probe;             ///< none: no probe is out
    Steady probeSince;
    std::uint64_t generation = 1; ///< rises with every change of state
    std::optional<Isolation> isolation;
    std::uint8_t lastRow = 0; ///< the last transition that changed the state
    Instant changedAt;        ///< when it did

    bool operator==(const Breaker &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "state", self.state);
        v(2, "failure_count", self.failureCount);
        v(3, "rejected_while_open", self.rejectedWhileOpen);
        v(4, "opened_at_steady", self.openedAt);
        v(5, "opened_at", self.openedAtWall);
        v(6, "cooldown_met", self.cooldownMet);
        v(7, "probe", self.probe);
        v(8, "probe_since", self.probeSince);
        v(9, "generation", self.generation);
        v(10, "isolation", self.isolation);
        v(11, "last_row", self.lastRow);
        v(12, "changed_at", self.changedAt);
    }
};

/// What happens to a breaker: an event and what its guards look at.
struct BreakerInput {
    BreakerEvent event = BreakerEvent::Ask;
    AskId call;                    ///< the asking call, or the call whose result this is
    std::uint64_t generation = 0;  ///< that the result's call was allowed under
};

/// The first row of the table whose state, event and guard match. Pure: looking never moves anything.
[[nodiscard]] const BreakerRow &decideBreaker(const Breaker &breaker, const BreakerInput &input,
                                              const BreakerPolicy &policy, Steady now);

/// What `applyBreaker` needs beside the row: all of it stands in the event, so that a fold gives the same.
struct BreakerChange {
    Now now;
    AskId call;
    OperatorId by;
    std::string reason;
    std::int64_t cooldownCalls = 0; ///< where counting rejections stops; 0: no cooldown in calls
};

/// The only code that changes a breaker's state.
void applyBreaker(Breaker &breaker, const BreakerRow &row, const BreakerChange &change);

/// True when every cooldown that the policy names is met.
[[nodiscard]] bool isCooledDown(const Breaker &breaker, const BreakerPolicy &policy, Steady now);
/// When the probe's lease ends; nothing while no probe is out.
[[nodiscard]] std::optional<Steady> probeLeaseEnd(const Breaker &breaker, const BreakerPolicy &policy);
/// "CLOSED, calls pass", "OPEN, calls refused", "OPEN, isolated", "OPEN, due, waiting for a call", "HALF_OPEN, one probe".
[[nodiscard]] std::string_view meaningOf(const Breaker &breaker, const BreakerPolicy &policy, Steady now);
/// What will end the cooldown, in words: "1 of 2 rejections, 8 s left"; empty while CLOSED.
[[nodiscard]] std::string whatEndsIt(const Breaker &breaker, const BreakerPolicy &policy, Steady now);

} // namespace handreset::rules

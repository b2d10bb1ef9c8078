// The latch that a trip holds: its one transition table (spec 3.1). Pure values; any thread.
#pragma once

#include "model/rules/policy.h"
#include "model/rules/transition.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace handreset::rules {

enum class LatchState : std::uint8_t { Clear, HeldByClock, HeldByHuman };
template <>
struct Words<LatchState> {
    static constexpr std::array<std::string_view, 3> list{"clear", "held by the clock", "held by a human"};
};

enum class LatchEvent : std::uint8_t { Fires, OverdraftUsedUp, TimeOver, RearmToClosed, RearmToDegraded };
template <>
struct Words<LatchEvent> {
    static constexpr std::array<std::string_view, 5> list{"fires", "overdraft used up", "its time is over",
                                                          "re-arm to closed", "re-arm to degraded"};
};

enum class LatchGuard : std::uint8_t { Else, HumansSignal, ClocksSignal, ClockTrusted, Permitted };
template <>
struct Words<LatchGuard> {
    static constexpr std::array<std::string_view, 5> list{"else", "a human's signal or source", "else: the clock's signal",
                                                          "the clock is trusted", "permitted"};
};

enum class LatchEffect : std::uint8_t { None, Hold, Open, Lift, ReplaceByProbation };

using LatchRow = Row<LatchState, LatchEvent, LatchGuard, LatchEffect>;

/// Spec 3.1, row by row; ids go on where the breaker's end, for they share the log's column.
inline constexpr std::array kLatchTable = [] {
    using S = LatchState;
    using E = LatchEvent;
    using G = LatchGuard;
    using F = LatchEffect;
    using A = Authority;
    const SetOf<S> held = SetOf<S>(S::HeldByClock) | S::HeldByHuman;
    return std::array{
        LatchRow{21, S::Clear, E::Fires, G::HumansSignal, true, S::HeldByHuman, F::Hold, A::Machine, "",
                 "the trip is latched"},
        LatchRow{22, S::Clear, E::Fires, G::ClocksSignal, true, S::HeldByClock, F::Hold, A::Machine, "",
                 "the trip is latched"},
        LatchRow{23, held, E::OverdraftUsedUp, G::Else, false, S::Clear, F::Open, A::Machine, "",
                 "the same latch, now open"},
        LatchRow{24, S::HeldByClock, E::TimeOver, G::ClockTrusted, true, S::Clear, F::Lift, A::Clock, "",
                 "the trip ends"},
        LatchRow{25, held, E::RearmToClosed, G::Permitted, true, S::Clear, F::Lift, A::Operator, "", "the trip ends"},
        LatchRow{26, held, E::RearmToDegraded, G::Permitted, true, S::HeldByHuman, F::ReplaceByProbation, A::Operator,
                 "", "the trip is replaced by a probation of the same reach"},
        LatchRow{27, SetOf<S>::all(), SetOf<E>::all(), G::Else, false, S::Clear, F::None, A::Machine, "",
                 "moves nothing"},
    };
}();

/// No row leads out of a behaviour trip by machine or clock: the promise of the whole project.
[[nodiscard]] consteval bool onlyHumansLiftHumansLatches()
{
    for (const auto &row : kLatchTable) {
        const bool leaves = row.from.has(LatchState::HeldByHuman)
            && ((row.moves && row.to != LatchState::HeldByHuman) || row.effect == LatchEffect::Lift
                || row.effect == LatchEffect::ReplaceByProbation);
        if (leaves && row.authority != Authority::Operator)
            return false;
    }
    return true;
}

static_assert(idsAreUnique(kLatchTable));
static_assert(everyGroupIsClosed<LatchState, LatchEvent>(kLatchTable));
static_assert(noRowIsDead<LatchState, LatchEvent>(kLatchTable));
static_assert(everyStateIsReachable(kLatchTable, LatchState::Clear));
static_assert(onlyHumansLiftHumansLatches());

/// What a latch's guards look at.
struct LatchInput {
    LatchEvent event = LatchEvent::Fires;
    bool humansSignal = true; ///< of the signal or source, after the policy's `rearm`
    bool clockTrusted = false;
    bool permitted = false; ///< the act has passed every check of its own
};

/// The first row that matches. Pure.
[[nodiscard]] const LatchRow &decideLatch(LatchState state, const LatchInput &input);

/// True for the signals and sources that only a human re-arms, whatever the policy says:
/// steps, repetition, envelope, operator, probation, tamper.
[[nodiscard]] constexpr bool isHumansSignal(Signal signal) noexcept
{
    return signal != Signal::Spend && signal != Signal::Provider;
}

} // namespace handreset::rules

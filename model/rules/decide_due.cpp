// What the clock alone brings: jumps, probes' leases, ended cooldowns and windows (spec 2 row 15, 3.1, 4).
#include "model/rules/draft.h"

#include <cstdlib>
#include <vector>

namespace handreset::rules {

namespace {

constexpr Duration kLargestDrift = minutes(1);

void noteJump(Draft &draft)
{
    const auto &fleet = draft.fleet();
    const auto &now = draft.moment().now;
    const Duration over{now.wall.micros - now.steady.micros};
    const auto jump = over - fleet.wallOverSteady;
    if (std::llabs(jump.micros) <= kLargestDrift.micros)
        return;
    const bool hostJustStarted = fleet.bootSteady == fleet.steady;
    draft.emit({}, {}, 0, ClockJumped{jump, hostJustStarted});
}

void endLeases(Draft &draft)
{
    const auto &fleet = draft.fleet();
    if (fleet.probesOut.empty())
        return;
    const std::vector<BreakerKey> out(fleet.probesOut.begin(), fleet.probesOut.end());
    for (const auto &key : out) {
        const auto breaker = fleet.breaker(key);
        const auto &row = decideBreaker(breaker, {BreakerEvent::LeaseOver, breaker.probe, breaker.generation},
                                        fleet.toolPolicy(key.agent, key.tool).breaker, draft.time().steady);
        if (row.moves)
            draft.emit(key.agent, {}, row.id, BreakerMoved{key, BreakerEvent::LeaseOver, breaker.probe, {}, {}, {}});
    }
}

bool isOver(const Trip &trip, Now now)
{
    if (trip.endsAtSteady)
        return now.steady >= *trip.endsAtSteady;
    return trip.endsAt && now.wall >= *trip.endsAt;
}

void endByClock(Draft &draft)
{
    const auto &fleet = draft.fleet();
    std::vector<TripId> over;
    for (const auto id : fleet.clockTrips) {
        if (isOver(fleet.trips.at(id), draft.time()))
            over.push_back(id);
    }
    for (const auto id : over) {
        const auto trip = fleet.trips.at(id);
        const auto &row = decideLatch(trip.latch, {LatchEvent::TimeOver, false, fleet.clockTrusted, false});
        if (row.effect == LatchEffect::Lift)
            draft.emit(trip.agent, {}, row.id, TripRearmed{.trip = id, .to = Rung::Closed, .by = {}, .cause = "clock"});
    }
}

} // namespace

void decideDue(Draft &draft)
{
    noteJump(draft);
    endLeases(draft);
    endByClock(draft);
}

} // namespace handreset::rules

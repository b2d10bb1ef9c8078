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

void endByClock(Draft &draft)
{
    const auto &fleet = draft.fleet();
    std::vector<TripId> over;
    for (const auto id : fleet.clockTrips) {
        if (fleet.trips.at(id).isOver(draft.time()))
            over.push_back(id);
    }
    for (const auto id : over) {
        const auto trip = fleet.trips.at(id);
        const auto &row = decideLatch(trip.latch, {LatchEvent::TimeOver, false, fleet.clockTrusted, false});
        if (row.effect == LatchEffect::Lift)
            draft.emit(trip.agent, {}, row.id, TripRearmed{.trip = id, .to = Rung::Closed, .by = {}, .cause = "clock"});
    }
}

/// A request dies with its time, and with any change of what it is bound to (spec 3.4).
void endRequests(Draft &draft)
{
    const auto &fleet = draft.fleet();
    if (fleet.requests.empty())
        return;
    std::vector<std::pair<Seq, RequestEnded>> over;
    for (const auto &[seq, request] : fleet.requests) {
        if (request.isOver(draft.time()))
            over.push_back({seq, {seq, RequestEnd::Expired, {}, "nobody approved it in time", {}}});
        else if (request.revision != fleet.revisionOf(request.agent) || request.policyVersion != fleet.policyVersion)
            over.push_back({seq, {seq, RequestEnd::Void, {}, "what it is about has changed since", {}}});
        else if (fleet.activeOperator(request.by) == nullptr)
            over.push_back({seq, {seq, RequestEnd::Void, {}, "whoever asked is no operator any more", {}}});
    }
    for (auto &[seq, ended] : over) {
        const auto agent = fleet.requests.at(seq).agent;
        draft.emit(agent, {}, 0, std::move(ended));
    }
}

} // namespace

void decideDue(Draft &draft)
{
    noteJump(draft);
    endLeases(draft);
    endByClock(draft);
    endRequests(draft);
}

} // namespace handreset::rules

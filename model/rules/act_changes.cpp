#include "model/rules/act_changes.h"

#include "model/rules/overloaded.h"
#include "model/rules/policy_diff.h"
#include "model/rules/policy_text.h"
#include "model/rules/words_of_event.h"

#include <algorithm>
#include <variant>

namespace handreset::rules {

namespace {

using Lines = std::vector<std::string>;

void addGrant(Lines &lines, const Grant &grant)
{
    if (grant.steps != 0)
        lines.push_back("grants " + std::to_string(grant.steps) + " more steps");
    if (!grant.spend.isZero())
        lines.push_back("grants " + grant.spend.toString(2) + " more to spend until the window ends");
    if (grant.volumeCalls != 0)
        lines.push_back("grants " + std::to_string(grant.volumeCalls) + " more calls until the window ends");
    if (!grant.volumeValue.isZero())
        lines.push_back("grants " + grant.volumeValue.toString(2) + " more value until the window ends");
}

Lines ofRearm(const Fleet &fleet, const Rearm &rearm)
{
    Lines lines;
    const auto *trip = fleet.trip(rearm.trip);
    if (trip == nullptr)
        return lines;
    lines.push_back("ends trip " + std::to_string(trip->id.value) + " (" + tripTitle(trip->subject, fleet.names)
                    + "): " + tripMeasured(*trip));
    const auto whole = trip->reach == Reach::Fleet ? std::string("the whole fleet") : fleet.names(trip->agent);
    lines.push_back(whole + ": its latch goes from " + std::string(toWord(trip->rung)) + " to "
                    + std::string(toWord(rearm.to)) + (rearm.to == Rung::Degraded ? ", on probation" : ""));
    addGrant(lines, rearm.grant);
    for (const auto &[task, verb] : rearm.queue)
        lines.push_back("queued task " + fleet.names(task) + ": " + std::string(toWord(verb)));
    if (!rearm.cause.empty())
        lines.push_back("cause: " + rearm.cause);
    return lines;
}

Lines ofPolicy(const Fleet &fleet, const ApplyPolicy &apply)
{
    auto reading = readPolicy(apply.text, apply.file);
    if (!reading.accepted())
        return {"a policy that this version does not accept"};
    auto changes = policyDiff(*fleet.policy, *reading.policy);
    std::stable_partition(changes.begin(), changes.end(),
                          [](const PolicyChange &change) { return change.direction == Direction::Loosens; });
    Lines lines;
    for (const auto &change : changes)
        lines.push_back(change.toString());
    return lines;
}

/// The trip that refused the call, or that the call made fire; nullptr where it is not at hand any more.
const Trip *tripOfCall(const Fleet &fleet, AskId ask, const RefusedCall &call)
{
    if (call.trip.isSet())
        return fleet.trip(call.trip);
    const auto isOf = [ask](const Trip &trip) { return trip.ask == ask && trip.subject.signal == Signal::Envelope; };
    for (const auto &[id, trip] : fleet.trips) {
        if (isOf(trip))
            return &trip;
    }
    const auto ended = std::find_if(fleet.endedTrips.rbegin(), fleet.endedTrips.rend(), isOf);
    return ended != fleet.endedTrips.rend() ? &*ended : nullptr;
}

Lines ofPass(const Fleet &fleet, const GivePass &pass)
{
    const auto found = fleet.refusedCalls.find(pass.ask);
    if (found == fleet.refusedCalls.end())
        return {"a call that is not at hand any more"};
    const auto &call = found->second;
    Lines lines{fleet.names(call.agent) + " may call " + fleet.names(call.tool) + " once, in task "
                + fleet.names(call.task) + ", within 15 minutes: the call refused at "
                + std::to_string(pass.ask.value)};
    if (!call.arguments.empty())
        lines.push_back("arguments: " + call.arguments);
    if (const auto *trip = tripOfCall(fleet, pass.ask, call)) {
        lines.push_back("it was refused: " + tripTitle(trip->subject, fleet.names) + ", " + tripMeasured(*trip));
        if (trip->ask == pass.ask && call.arguments.empty() && !trip->evidence.arguments.empty())
            lines.push_back("arguments: " + trip->evidence.arguments);
        if (trip->ask == pass.ask && !trip->evidence.destination.empty())
            lines.push_back("destination: " + trip->evidence.destination);
    }
    return lines;
}

/// What two persons can compare.
std::string keyLine(const PublicKey &key)
{
    return "the new key's fingerprint: " + fingerprintOf(key);
}

} // namespace

Lines changesOf(const Fleet &fleet, const Act &act)
{
    return std::visit(Overloaded{
                          [&](const Rearm &one) { return ofRearm(fleet, one); },
                          [&](const ApplyPolicy &one) { return ofPolicy(fleet, one); },
                          [&](const GivePass &one) { return ofPass(fleet, one); },
                          [&](const GrantMore &one) {
                              Lines lines{tripTitle(one.subject, fleet.names)};
                              addGrant(lines, one.grant);
                              return lines;
                          },
                          [](const EnrolOperator &one) {
                              return Lines{one.name + " becomes an operator: " + std::string(toWord(one.role)),
                                           keyLine(one.key)};
                          },
                          [](const RetireOperator &one) { return Lines{one.name + " is an operator no more"}; },
                          [](const RotateKey &one) {
                              return Lines{one.name + " gets another key", keyLine(one.key)};
                          },
                          [](const auto &) { return Lines{}; },
                      },
                      act);
}

} // namespace handreset::rules

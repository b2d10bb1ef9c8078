#include "model/rules/act_changes.h"

#include "model/rules/overloaded.h"
#include "model/rules/policy_diff.h"
#include "model/rules/policy_text.h"
#include "model/rules/words_of_event.h"

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
    lines.push_back("ends trip " + std::to_string(trip->id.value) + " (" + tripTitle(trip->subject, fleet.names) + "): "
                    + tripMeasured(*trip));
    const auto whole = trip->reach == Reach::Fleet ? std::string("the whole fleet") : fleet.names(trip->agent);
    lines.push_back(whole + ": its latch goes from " + std::string(toWord(trip->rung)) + " to " + std::string(toWord(rearm.to))
                    + (rearm.to == Rung::Degraded ? ", on probation" : ""));
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
    Lines lines;
    for (const auto &change : policyDiff(*fleet.policy, *reading.policy))
        lines.push_back(change.toString());
    return lines;
}

Lines ofPass(const Fleet &fleet, const GivePass &pass)
{
    const auto found = fleet.refusedCalls.find(pass.ask);
    if (found == fleet.refusedCalls.end())
        return {"a call that is not at hand any more"};
    const auto &call = found->second;
    Lines lines{fleet.names(call.agent) + " may call " + fleet.names(call.tool) + " once, in task " + fleet.names(call.task)
                + ", within 15 minutes"};
    if (const auto *trip = fleet.trip(call.trip)) {
        lines.push_back("it was refused: " + tripMeasured(*trip));
        if (trip->ask == pass.ask && !trip->evidence.arguments.empty())
            lines.push_back("arguments: " + trip->evidence.arguments);
    }
    return lines;
}

} // namespace

Lines changesOf(const Fleet &fleet, const Act &act)
{
    return std::visit(
        Overloaded{
            [&](const Rearm &one) { return ofRearm(fleet, one); },
            [&](const ApplyPolicy &one) { return ofPolicy(fleet, one); },
            [&](const GivePass &one) { return ofPass(fleet, one); },
            [&](const GrantMore &one) {
                Lines lines{tripTitle(one.subject, fleet.names)};
                addGrant(lines, one.grant);
                return lines;
            },
            [](const EnrolOperator &one) { return Lines{one.name + " becomes an operator: " + std::string(toWord(one.role))}; },
            [](const RetireOperator &one) { return Lines{one.name + " is an operator no more"}; },
            [](const RotateKey &one) { return Lines{one.name + " gets another key"}; },
            [](const auto &) { return Lines{}; },
        },
        act);
}

} // namespace handreset::rules

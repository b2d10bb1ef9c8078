#include "model/engine/policy_of_act.h"

#include "model/engine/time_zone.h"
#include "model/rules/policy_text.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace handreset::engine {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

struct ReadPolicy {
    std::shared_ptr<const rules::Policy> policy;
    rules::Zone zone;
};

Error refused(const rules::PolicyReading &reading, const std::string &file)
{
    std::string why = "the policy in force stays; this one is refused:";
    for (const rules::PolicyProblem &problem : reading.problems) {
        if (problem.severity == rules::Severity::Error)
            why += "\n" + problem.toString();
    }
    return {ErrorCode::BadInput, std::move(why), file};
}

Result<ReadPolicy> read(const rules::ApplyPolicy &act)
{
    auto reading = rules::readPolicy(act.text, act.file, &zoneExists);
    if (!reading.accepted())
        return refused(reading, act.file);
    auto zone = zoneNamed(reading.policy->timezone);
    if (!zone)
        return zone.error();
    return ReadPolicy{std::make_shared<const rules::Policy>(*std::move(reading.policy)), std::move(zone).value()};
}

Result<void> readIn(rules::ApplyPolicy &act)
{
    auto found = read(act);
    if (!found)
        return found.error();
    act.policy = std::move(found->policy);
    act.zone = std::move(found->zone);
    return {};
}

Result<void> readIn(rules::Signed &command)
{
    const auto act = rules::decodeAct(command.act.act);
    const auto *apply = act ? std::get_if<rules::ApplyPolicy>(&*act) : nullptr;
    if (apply == nullptr) // what is no act at all the rules refuse, and log
        return {};
    auto found = read(*apply);
    if (!found)
        return found.error();
    command.zone = std::move(found->zone);
    return {};
}

} // namespace

Result<void> readPolicyOfAct(rules::Command &command)
{
    if (auto *apply = std::get_if<rules::ApplyPolicy>(&command))
        return readIn(*apply);
    if (auto *under = std::get_if<rules::Signed>(&command))
        return readIn(*under);
    return {};
}

} // namespace handreset::engine

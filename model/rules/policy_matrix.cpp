#include "model/rules/policy_matrix.h"

#include <algorithm>
#include <set>
#include <vector>

namespace handreset::rules {
namespace {

/// Joins the parts; one alone where all are equal, so that "open, open" reads "open".
std::string joined(const std::vector<std::string> &parts)
{
    if (parts.empty())
        return "none";
    if (std::all_of(parts.begin(), parts.end(), [&](const std::string &part) { return part == parts.front(); }))
        return parts.front();
    std::string out;
    for (const std::string &part : parts)
        out.append(out.empty() ? "" : ", ").append(part);
    return out;
}

std::string noted(const std::string &limit, const std::string &watch)
{
    return limit + " (watch " + watch + ")";
}

PolicyLine spendLine(const KeyPolicy &key)
{
    std::vector<std::string> limits;
    std::vector<std::string> actions;
    std::vector<std::string> rearms;
    // Each window's action is named as soon as they are not all the same.
    const bool mixed = std::any_of(key.windows.begin(), key.windows.end(), [&](const SpendWindow &window) {
        return window.action != key.windows.front().action;
    });
    for (const SpendWindow &window : key.windows) {
        const std::string name = window.window.toString();
        const std::string limit = window.limit.toString(2) + " " + key.currency + " per " + name;
        limits.push_back(window.watch ? noted(limit, window.watch->toString(2)) : limit);
        std::string action(toWord(window.action));
        if (window.action == Rung::Degraded)
            action += " and open after " + window.overdraft.toString(2) + " " + key.currency + " more";
        actions.push_back(mixed ? name + " " + action : action);
        rearms.push_back(window.rearm == RearmBy::Human ? "human" : "by itself when the window ends");
    }
    return {Signal::Spend,  "key and window", key.gateway.empty() ? "the gate's own sum" : key.gateway,
            joined(limits), joined(actions),  "the key's agents",
            joined(rearms)};
}

PolicyLine stepsLine(const StepsPolicy &steps)
{
    std::string limit = std::to_string(steps.limit) + " steps";
    if (steps.watch)
        limit = noted(limit, std::to_string(*steps.watch));
    std::vector<std::string> limits{limit};
    if (steps.perSession)
        limits.push_back(std::to_string(*steps.perSession) + " per session");
    if (steps.perAgent)
        limits.push_back(std::to_string(steps.perAgent->limit) + " per " + steps.perAgent->window.toString());
    return {Signal::Steps, "root task", "the gate", joined(limits), "open", std::string(toWord(steps.reaches)),
            "human"};
}

PolicyLine repetitionLine(const RepetitionPolicy &repetition)
{
    std::string limit = std::to_string(repetition.limit) + " equal calls";
    if (repetition.maxPeriod > 1)
        limit += ", rows of up to " + std::to_string(repetition.maxPeriod);
    if (repetition.watch)
        limit = noted(limit, std::to_string(*repetition.watch));
    return {Signal::Repetition,
            "root task",
            "the gate",
            limit,
            std::string(toWord(repetition.action)),
            std::string(toWord(repetition.reaches)),
            "human"};
}

PolicyLine providerLine(const ProviderPolicy &provider)
{
    return {Signal::Provider,
            "endpoint",
            "results reported to the gate",
            std::to_string(provider.allowedFails) + " failures a minute",
            std::string(toWord(provider.action)),
            "that endpoint, for the agents seen there in the last 10 min",
            provider.rearm == RearmBy::Human ? "human"
                                             : "by itself after " + std::to_string(provider.cooldownSeconds) + " s"};
}

/// The tools' caps in one line: "send_pix: value 500.00 BRL, destination, volume 20 calls".
std::string capsText(const std::string &name, const ToolPolicy &tool)
{
    std::vector<std::string> caps;
    if (tool.value)
        caps.push_back("value " + tool.value->max.toString(2) + " " + tool.value->currency);
    if (tool.destination)
        caps.push_back("destination");
    if (tool.volume)
        caps.push_back("volume per " + (tool.volume->window ? tool.volume->window->toString() : std::string("task")));
    return name + ": " + joined(caps);
}

PolicyLine envelopeLine(const Policy &policy, std::string_view agent, const EnvelopePolicy &envelope)
{
    std::set<std::string> names;
    for (const auto &[name, tool] : policy.tools)
        names.insert(name);
    for (const auto &[pair, tool] : policy.agentTools) {
        if (pair.first == agent)
            names.insert(pair.second);
    }
    std::string limit;
    for (const std::string &name : names) {
        const ToolPolicy &tool = policy.forTool(agent, name);
        if (tool.hasCap())
            limit.append(limit.empty() ? "" : "; ").append(capsText(name, tool));
    }
    return {Signal::Envelope,
            "tool call",
            "the gate",
            limit.empty() ? "none" : limit,
            std::string(toWord(envelope.action)),
            std::string(toWord(envelope.reaches)),
            "human"};
}

} // namespace

std::array<PolicyLine, 5> policyMatrix(const Policy &policy, std::string_view agent)
{
    const AgentPolicy limits = policy.forAgent(agent);
    return {spendLine(policy.forKey(limits.key)), stepsLine(limits.steps), repetitionLine(limits.repetition),
            providerLine(limits.provider), envelopeLine(policy, agent, limits.envelope)};
}

} // namespace handreset::rules

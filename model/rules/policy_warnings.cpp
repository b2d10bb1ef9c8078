#include "model/rules/policy_warnings.h"

#include <algorithm>
#include <array>

namespace handreset::rules::policytext {
namespace {

class Warnings {
public:
    Warnings(Report &report, const Policy &policy) : m_report(report), m_policy(policy) {}

    void add()
    {
        limits();
        degradedModels();
        for (const auto &[name, tool] : m_policy.tools)
            toolWarnings(joinPath("tools", name), tool);
        for (const auto &[names, tool] : m_policy.agentTools)
            toolWarnings(joinPath(joinPath("agents", names.first) + ".tools", names.second), tool);
        keyWarnings("defaults", m_policy.defaultKey, m_policy.defaults.estimate);
        for (const auto &[name, key] : m_policy.keys)
            keyWarnings(joinPath("keys", name), key, dearestEstimate(name));
        prices();
    }

private:
    /// At the field, or at the nearest table around it that the text holds.
    void warn(const std::string &field, std::string message, std::string remedy)
    {
        Spot spot;
        for (std::string at = field; !at.empty();) {
            if (const auto found = m_report.find(at)) {
                spot = *found;
                break;
            }
            const std::size_t cut = at.find_last_of(".[");
            at.resize(cut == std::string::npos ? 0 : cut);
        }
        m_report.add(Severity::Warning, spot, field, std::move(message), std::move(remedy));
    }

    bool stands(const std::string &field) const { return m_report.find(field).has_value(); }

    void limits();
    void degradedModels();
    void toolWarnings(const std::string &path, const ToolPolicy &tool);
    void redactWarnings(const std::string &path, const ToolPolicy &tool);
    void keyWarnings(const std::string &path, const KeyPolicy &key, const Money &estimate);
    Money dearestEstimate(const std::string &key) const;
    void prices();

    Report &m_report;
    const Policy &m_policy;
};

void Warnings::limits()
{
    constexpr std::string_view kRemedy = "Add spend = [{ window = \"24h\", limit = \"10.00 USD\" }]";
    if (m_policy.defaultKey.windows.empty())
        warn("defaults.spend",
             "is missing: a step limit counts the turns of one run, so a long session of many short runs passes it for "
             "ever; no spend window stops it for agents whose key names none",
             std::string(kRemedy) + " to [defaults].");
    for (const auto &[name, key] : m_policy.keys) {
        if (key.windows.empty() && stands(joinPath("keys", name) + ".spend"))
            warn(joinPath("keys", name) + ".spend", "holds no window: steps alone limit the agents of this key",
                 std::string(kRemedy) + ".");
    }
    if (!m_policy.defaults.steps.perSession && !m_policy.defaults.steps.perAgent)
        warn("defaults.steps",
             "has no limit per session or per agent and window: an agent that opens a new task for each step is never "
             "stopped by it",
             "Add per_session = 200, or per_agent = { window = \"1h\", limit = 500 }.");
}

std::string degradedSignals(const AgentPolicy &agent)
{
    std::string out;
    const auto add = [&](Rung action, std::string_view signal) {
        if (action == Rung::Degraded)
            out.append(out.empty() ? "" : ", ").append(signal);
    };
    add(agent.repetition.action, "repetition");
    add(agent.envelope.action, "envelope");
    add(agent.provider.action, "provider");
    return out;
}

void Warnings::degradedModels()
{
    constexpr std::string_view kRemedy = "Add degraded_model = \"small-model\", or write action = \"open\".";
    const auto message = [](const std::string &signals) {
        return "is missing: when degraded (" + signals + ") the agent's own models stay allowed";
    };
    const std::string byDefault = degradedSignals(m_policy.defaults);
    const bool warned = m_policy.defaults.degradedModel.empty() && !byDefault.empty();
    if (warned)
        warn("defaults.degraded_model", message(byDefault), std::string(kRemedy));
    for (const auto &[name, agent] : m_policy.agents) {
        const std::string signals = degradedSignals(agent);
        if (!warned && agent.degradedModel.empty() && !signals.empty())
            warn(joinPath("agents", name) + ".degraded_model", message(signals), std::string(kRemedy));
    }
}

/// For each field that this table itself names: what it inherits is warned of where it stands.
void Warnings::toolWarnings(const std::string &path, const ToolPolicy &tool)
{
    const std::string breaker = path + ".breaker";
    if (stands(breaker + ".failure_threshold") && tool.breaker.failureThreshold > 10)
        warn(breaker + ".failure_threshold",
             "is above 10: " + std::to_string(tool.breaker.failureThreshold)
                 + " runs, each with all its retries, go to waste before the breaker opens",
             "Write a threshold of 3 to 10.");
    if (stands(breaker) && tool.breaker.cooldownCalls && !tool.breaker.cooldownSeconds)
        warn(breaker,
             "cools down in calls alone: under traffic they pass in milliseconds, so this is for tests and lessons",
             "Add cooldown_seconds = 30.");
    if (stands(breaker + ".probe") && tool.breaker.probe == ProbeBy::Auto && tool.access == Access::Write && tool.value)
        warn(breaker + ".probe", "lets a probe of a write tool with a value cap out by itself: it moves real money",
             "Write probe = \"operator\".");
    if (stands(path + ".destination.allow") && tool.destination && tool.destination->exact.empty()
        && tool.destination->patterns.empty())
        warn(path + ".destination.allow", "is empty: every call of this tool is refused", "List what is allowed.");
    redactWarnings(path, tool);
}

void Warnings::redactWarnings(const std::string &path, const ToolPolicy &tool)
{
    if (!stands(path + ".redact"))
        return;
    std::vector<std::string> judged;
    if (tool.value)
        judged.insert(judged.end(), {tool.value->pointer, tool.value->currencyPointer});
    if (tool.destination)
        judged.push_back(tool.destination->pointer);
    for (const std::string &hidden : tool.redact) {
        const bool covers = std::any_of(judged.begin(), judged.end(), [&](const std::string &pointer) {
            return pointer == hidden || pointer.starts_with(hidden + "/");
        });
        if (covers)
            warn(path + ".redact", "hides " + hidden + ", which a cap judges: it cannot be evaluated in what-if later",
                 "Take it out, unless nobody may read it.");
    }
}

/// The largest estimate among the agents that name the key; the default's where none does.
Money Warnings::dearestEstimate(const std::string &key) const
{
    std::optional<Money> most;
    for (const auto &[name, agent] : m_policy.agents) {
        if (agent.key == key && (!most || most->amount < agent.estimate.amount))
            most = agent.estimate;
    }
    return most.value_or(m_policy.defaults.estimate);
}

void Warnings::keyWarnings(const std::string &path, const KeyPolicy &key, const Money &estimate)
{
    for (std::size_t i = 0; i < key.windows.size(); ++i) {
        const SpendWindow &window = key.windows[i];
        const std::string field = path + ".spend[" + std::to_string(i) + "]";
        if (!stands(field))
            continue;
        if (window.limit < estimate.amount)
            warn(field + ".limit",
                 "is below the estimate of " + estimate.amount.toString(2)
                     + " that each ask reserves: the first ask trips it",
                 "Raise the limit, or lower the estimate.");
        if (window.action == Rung::Degraded && window.overdraft < estimate.amount)
            warn(field + ".overdraft",
                 "is below the estimate of " + estimate.amount.toString(2)
                     + " that each ask reserves: no call fits into it",
                 "Raise the overdraft, or lower the estimate.");
    }
}

void Warnings::prices()
{
    std::set<std::string> counted{m_policy.defaultKey.currency};
    for (const auto &[name, key] : m_policy.keys)
        counted.insert(key.currency);
    for (const auto &[name, price] : m_policy.prices) {
        if (!counted.contains(price.in.currency))
            warn(joinPath("prices", name),
                 "is in " + price.in.currency + ", in which no key counts: its calls stay unpriced",
                 "Write the price in the currency of the windows.");
    }
}

} // namespace

void addWarnings(Report &report, const Policy &policy)
{
    Warnings(report, policy).add();
}

} // namespace handreset::rules::policytext

// The limits of agents and the windows of keys: steps, repetition, envelope, provider, spend.
#include "model/rules/policy_rules.h"

#include <algorithm>
#include <array>

namespace handreset::rules::policytext {
namespace {

constexpr std::array<std::string_view, 2> kReaches{"task", "agent"};

/// There is no override of this rule (spec 3.2): who hammers against a limit must not outwait it.
void requireHuman(Fields &fields, std::string_view signal)
{
    const auto word = fields.text("rearm");
    if (word && *word != "human")
        fields.error("rearm",
                     "is refused for " + std::string(signal) + " unless it is \"human\": only a human ends a trip of "
                         + std::string(signal) + ", and nothing overrides that",
                     "Take the field out, or write \"human\".");
}

RearmBy readRearm(Fields &fields)
{
    constexpr std::array<std::string_view, 2> kWords{"auto", "human"};
    return fields.word("rearm", kWords) == 1U ? RearmBy::Human : RearmBy::Clock;
}

/// An action that is legal for the signal (spec 3.2); nothing, with an error, for another.
std::optional<Rung> readAction(Fields &fields, std::string_view signal, bool mayDegrade)
{
    const auto rung = fields.choice<Rung>("action");
    if (!rung || *rung == Rung::Open || (*rung == Rung::Degraded && mayDegrade))
        return rung;
    const std::string legal = mayDegrade ? "\"degraded\" or \"open\"" : "\"open\"";
    fields.error("action", "may only be " + legal + " for " + std::string(signal),
                 *rung == Rung::Closed ? "Write " + legal + "; to note a limit without acting, use watch."
                                       : "Write " + legal + ".");
    return std::nullopt;
}

void readReach(Fields &fields, Reach &reach)
{
    if (const auto index = fields.word("reaches", kReaches))
        reach = *index == 0 ? Reach::Task : Reach::Agent;
}

StepsPolicy readSteps(Fields fields)
{
    StepsPolicy steps;
    const auto limit = fields.whole("limit");
    take(steps.limit, limit);
    steps.watch = fields.whole("watch");
    checkWatch(fields, "limit", steps.watch, limit);
    (void)readAction(fields, "steps", false);
    readReach(fields, steps.reaches);
    requireHuman(fields, "steps");
    steps.perSession = fields.whole("per_session");
    Fields perAgent = fields.table("per_agent");
    if (perAgent.exists()) {
        StepsPolicy::PerAgent count;
        take(count.window, perAgent.window("window"));
        take(count.limit, perAgent.whole("limit"));
        constexpr std::array<std::string_view, 2> kBoth{"window", "limit"};
        perAgent.require(kBoth, "Write per_agent = { window = \"1h\", limit = 500 }.");
        perAgent.finish();
        steps.perAgent = count;
    }
    fields.finish();
    return steps;
}

RepetitionPolicy readRepetition(Fields fields)
{
    constexpr std::int64_t kLeast = 2; // the N-th equal call is refused: with 1 every call would be
    RepetitionPolicy repetition;
    const auto limit = fields.whole("limit", kLeast);
    take(repetition.limit, limit);
    repetition.watch = fields.whole("watch", kLeast);
    checkWatch(fields, "limit", repetition.watch, std::optional(repetition.limit));
    take(repetition.action, readAction(fields, "repetition", true));
    readReach(fields, repetition.reaches);
    requireHuman(fields, "repetition");
    if (const auto period = fields.whole("max_period", 1, 8))
        repetition.maxPeriod = static_cast<std::int32_t>(*period);
    fields.finish();
    return repetition;
}

EnvelopePolicy readEnvelope(Fields fields)
{
    EnvelopePolicy envelope;
    take(envelope.action, readAction(fields, "envelope", true));
    readReach(fields, envelope.reaches);
    requireHuman(fields, "envelope");
    fields.finish();
    return envelope;
}

ProviderPolicy readProvider(Fields fields)
{
    ProviderPolicy provider;
    take(provider.allowedFails, fields.whole("allowed_fails"));
    take(provider.cooldownSeconds, fields.whole("cooldown_seconds", 1, kMostSeconds));
    take(provider.action, readAction(fields, "provider", true));
    provider.rearm = readRearm(fields);
    fields.finish();
    return provider;
}

/// Reads one window; its money must be in `currency`, which the first window of the key sets.
SpendWindow readWindow(Fields &fields, std::optional<std::string> &currency)
{
    SpendWindow out;
    const auto amountIn = [&](std::string_view name) -> std::optional<Decimal> {
        const auto money = fields.money(name);
        if (!money)
            return std::nullopt;
        if (!currency)
            currency = money->currency;
        if (money->currency != *currency)
            fields.error(name, "is in " + money->currency + ", but this key counts in the currency " + *currency,
                         "Write every amount of one key in one currency.");
        return money->amount;
    };
    out.window = fields.window("window").value_or(WindowKind{0}); // 0: wrong or missing, and told
    const auto limit = amountIn("limit");
    take(out.limit, limit);
    out.watch = amountIn("watch");
    checkWatch(fields, "limit", out.watch, limit);
    take(out.action, readAction(fields, "spend", true));
    const auto overdraft = amountIn("overdraft");
    take(out.overdraft, overdraft);
    out.rearm = readRearm(fields);
    if (out.action == Rung::Degraded && !fields.has("overdraft"))
        fields.error("action", "is degraded without an overdraft: the cheaper model costs money too",
                     "Add overdraft = \"1.00 USD\", after which the window opens, or write action = \"open\".");
    if (out.action != Rung::Degraded && overdraft)
        fields.error("overdraft", "has no meaning without action = \"degraded\"",
                     "Write action = \"degraded\", or take the overdraft out.");
    constexpr std::array<std::string_view, 2> kBoth{"window", "limit"};
    fields.require(kBoth, "Write { window = \"24h\", limit = \"10.00 USD\" }.");
    fields.finish();
    return out;
}

} // namespace

AgentPolicy readAgentLimits(Fields &fields)
{
    AgentPolicy agent;
    agent.steps = readSteps(fields.table("steps"));
    agent.repetition = readRepetition(fields.table("repetition"));
    agent.envelope = readEnvelope(fields.table("envelope"));
    agent.provider = readProvider(fields.table("provider"));
    Fields escalate = fields.table("escalate");
    take(agent.escalate.trips, escalate.whole("trips"));
    take(agent.escalate.window, escalate.duration("window"));
    escalate.finish();
    take(agent.parents, fields.texts("parents"));
    take(agent.models, fields.texts("models"));
    if (fields.has("models") && agent.models.empty())
        fields.error("models", "names no model, so that none could be asked for",
                     "Name at least one model, or take the field out to allow any.");
    take(agent.degradedModel, fields.text("degraded_model"));
    take(agent.offline, fields.choice<Offline>("offline"));
    take(agent.lease, fields.duration("lease"));
    take(agent.watchAfterRearm, fields.duration("watch_after_rearm"));
    take(agent.acknowledgeWithin, fields.duration("acknowledge_within"));
    agent.drillEvery = fields.duration("drill_every");
    take(agent.runbook, fields.text("runbook"));
    take(agent.contact, fields.text("contact"));
    return agent;
}

KeyPolicy readSpend(Fields &fields, const std::string &currency)
{
    KeyPolicy key;
    std::optional<std::string> found;
    for (Fields &item : fields.tables("spend")) {
        const SpendWindow window = readWindow(item, found);
        const auto same = [&](const SpendWindow &other) { return other.window == window.window; };
        if (window.window.hours > 0 && std::any_of(key.windows.begin(), key.windows.end(), same))
            item.error("window", "stands twice on this key: " + window.window.toString(),
                       "Keep one window of each length.");
        else
            key.windows.push_back(window);
    }
    key.currency = found.value_or(currency);
    return key;
}

} // namespace handreset::rules::policytext

#include "model/rules/policy_diff.h"

#include "model/rules/field_path.h"
#include "model/rules/policy_differ.h"

#include <algorithm>
#include <set>
#include <utility>

namespace handreset::rules {
namespace {

using namespace policydiff;

void diffSteps(Differ &d, const StepsPolicy &a, const StepsPolicy &b)
{
    d.size("steps.limit", a.limit, b.limit, More::Loosens);
    d.value("steps.watch", a.watch, b.watch, Direction::Neutral, "only notes");
    d.value("steps.reaches", a.reaches, b.reaches, loosensIf(b.reaches < a.reaches), "another reach");
    d.limit("steps.per_session", a.perSession, b.perSession);
    if (a.perAgent == b.perAgent)
        return;
    const auto spelled = [](const std::optional<StepsPolicy::PerAgent> &count) {
        return count ? std::to_string(count->limit) + " per " + count->window.toString() : kNone;
    };
    // More steps in as long or shorter a time, or a shorter time for as many, is looser; so is what is not comparable.
    const bool tighter = b.perAgent
        && (!a.perAgent || (b.perAgent->limit <= a.perAgent->limit && b.perAgent->window >= a.perAgent->window));
    d.add("steps.per_agent", spelled(a.perAgent), spelled(b.perAgent), loosensIf(!tighter),
          !b.perAgent       ? "the limit is gone"
              : !a.perAgent ? "a limit where there was none"
                            : "another limit");
}

void diffRepetition(Differ &d, const RepetitionPolicy &a, const RepetitionPolicy &b)
{
    d.size("repetition.limit", a.limit, b.limit, More::Loosens);
    d.value("repetition.watch", a.watch, b.watch, Direction::Neutral, "only notes");
    d.value("repetition.action", a.action, b.action, loosensIf(b.action < a.action), "another action");
    d.value("repetition.reaches", a.reaches, b.reaches, loosensIf(b.reaches < a.reaches), "another reach");
    d.size("repetition.max_period", std::int64_t{a.maxPeriod}, std::int64_t{b.maxPeriod}, More::Tightens, "period");
}

void diffDegradedModel(Differ &d, const std::string &a, const std::string &b)
{
    d.value("degraded_model", a, b, loosensIf(!a.empty()),
            b.empty()       ? "when degraded, any of the agent's models"
                : a.empty() ? "when degraded, this model only"
                            : "another model when degraded");
}

void diffAgent(Differ &d, const AgentPolicy &a, const AgentPolicy &b)
{
    d.value("key", a.key, b.key, Direction::Loosens, "another key, with a sum of its own");
    d.list("parents", a.parents, b.parents, More::Loosens);
    if (a.models.empty() != b.models.empty())
        d.add("models", a.models.empty() ? "any" : spell(a.models), b.models.empty() ? "any" : spell(b.models),
              loosensIf(b.models.empty()), b.models.empty() ? "any model" : "listed models only");
    else
        d.list("models", a.models, b.models, More::Loosens);
    diffSteps(d, a.steps, b.steps);
    diffRepetition(d, a.repetition, b.repetition);
    d.value("envelope.action", a.envelope.action, b.envelope.action, loosensIf(b.envelope.action < a.envelope.action),
            "another action");
    d.value("envelope.reaches", a.envelope.reaches, b.envelope.reaches,
            loosensIf(b.envelope.reaches < a.envelope.reaches), "another reach");
    d.size("provider.allowed_fails", a.provider.allowedFails, b.provider.allowedFails, More::Loosens);
    d.size("provider.cooldown_seconds", a.provider.cooldownSeconds, b.provider.cooldownSeconds, More::Tightens,
           "cooldown");
    d.value("provider.action", a.provider.action, b.provider.action, loosensIf(b.provider.action < a.provider.action),
            "another action");
    d.value("provider.rearm", a.provider.rearm, b.provider.rearm, loosensIf(b.provider.rearm == RearmBy::Clock),
            "another re-arm");
    d.size("escalate.trips", a.escalate.trips, b.escalate.trips, More::Loosens);
    d.size("escalate.window", a.escalate.window, b.escalate.window, More::Tightens, "window");
    diffDegradedModel(d, a.degradedModel, b.degradedModel);
    if (a.estimate.currency == b.estimate.currency)
        d.value("estimate", a.estimate, b.estimate, loosensIf(b.estimate.amount < a.estimate.amount),
                "what an ask reserves");
    else
        d.value("estimate", a.estimate, b.estimate, Direction::Loosens, "another currency");
    d.value("offline", a.offline, b.offline, loosensIf(b.offline == Offline::Lease),
            "another answer when the gate is away");
    const bool leased = a.offline == Offline::Lease || b.offline == Offline::Lease;
    d.size("lease", a.lease, b.lease, leased ? More::Loosens : More::Neutral, "lease");
    d.size("watch_after_rearm", a.watchAfterRearm, b.watchAfterRearm, More::Tightens, "watch time");
    d.value("acknowledge_within", a.acknowledgeWithin, b.acknowledgeWithin, Direction::Neutral, "who is called when");
    d.value("drill_every", a.drillEvery, b.drillEvery, Direction::Neutral, "how often to drill");
    d.value("runbook", a.runbook, b.runbook, Direction::Neutral, "for people");
    d.value("contact", a.contact, b.contact, Direction::Neutral, "for people");
}

void diffWindow(Differ &d, const std::string &currency, const SpendWindow &a, const SpendWindow &b)
{
    const std::string field = "spend[" + a.window.toString() + "]";
    const auto spelled = [&](const Decimal &amount) { return amount.toString(2) + " " + currency; };
    if (a.limit != b.limit)
        d.add(field + ".limit", spelled(a.limit), spelled(b.limit), loosensIf(a.limit < b.limit),
              a.limit < b.limit ? "a higher limit" : "a lower limit");
    d.value(field + ".watch", a.watch, b.watch, Direction::Neutral, "only notes");
    d.value(field + ".action", a.action, b.action, loosensIf(b.action < a.action), "another action");
    if (a.overdraft != b.overdraft)
        d.add(field + ".overdraft", spelled(a.overdraft), spelled(b.overdraft), loosensIf(a.overdraft < b.overdraft),
              a.overdraft < b.overdraft ? "a higher overdraft" : "a lower overdraft");
    d.value(field + ".rearm", a.rearm, b.rearm, loosensIf(b.rearm == RearmBy::Clock), "another re-arm");
}

void diffKey(Differ &d, const KeyPolicy &a, const KeyPolicy &b)
{
    const auto spelled
        = [](const KeyPolicy &key, const SpendWindow &window) { return window.limit.toString(2) + " " + key.currency; };
    const auto find = [](const KeyPolicy &key, WindowKind kind) {
        return std::find_if(key.windows.begin(), key.windows.end(),
                            [&](const SpendWindow &w) { return w.window == kind; });
    };
    const bool isSameCurrency = a.currency == b.currency;
    if (!isSameCurrency && (!a.windows.empty() || !b.windows.empty()))
        d.add("spend.currency", a.currency, b.currency, Direction::Loosens, "another currency: the sums begin anew");
    for (const SpendWindow &window : a.windows) {
        const auto other = find(b, window.window);
        if (other == b.windows.end())
            d.add("spend[" + window.window.toString() + "]", spelled(a, window), kNone, Direction::Loosens,
                  "the window is gone");
        else if (isSameCurrency)
            diffWindow(d, a.currency, window, *other);
        else
            d.add("spend[" + window.window.toString() + "]", spelled(a, window), spelled(b, *other), Direction::Loosens,
                  "another currency");
    }
    for (const SpendWindow &window : b.windows) {
        if (find(a, window.window) == a.windows.end())
            d.add("spend[" + window.window.toString() + "]", kNone, spelled(b, window), Direction::Tightens,
                  "a window where there was none");
    }
    d.value("gateway", a.gateway, b.gateway, loosensIf(!b.gateway.empty()), "who counts and resets");
}

void diffBreaker(Differ &d, const BreakerPolicy &a, const BreakerPolicy &b)
{
    d.value("breaker.scope", a.scope, b.scope, loosensIf(b.scope == BreakerScope::Agent), "whose failures open it");
    d.size("breaker.failure_threshold", a.failureThreshold, b.failureThreshold, More::Loosens, "threshold");
    const auto cooldown = [&](const std::string &field, const std::optional<std::int64_t> &from,
                              const std::optional<std::int64_t> &to) {
        // With both, both must be met: one that is gone lets the probe out earlier.
        d.value(field, from, to, loosensIf(to.value_or(0) < from.value_or(0)),
                to.value_or(0) < from.value_or(0) ? "a shorter cooldown" : "a longer cooldown");
    };
    cooldown("breaker.cooldown_calls", a.cooldownCalls, b.cooldownCalls);
    cooldown("breaker.cooldown_seconds", a.cooldownSeconds, b.cooldownSeconds);
    d.value("breaker.probe_lease_seconds", a.probeLeaseSeconds, b.probeLeaseSeconds, Direction::Neutral,
            "how long a probe may take");
    d.value("breaker.probe", a.probe, b.probe, loosensIf(b.probe == ProbeBy::Auto), "who lets a probe out");
}

/// True where both stand, so that they are worth comparing; else the difference is told here.
template <class Cap>
bool bothCaps(Differ &d, const std::string &field, const std::optional<Cap> &a, const std::optional<Cap> &b)
{
    if (a.has_value() != b.has_value())
        d.add(field, a ? "a cap" : kNone, b ? "a cap" : kNone, loosensIf(a.has_value()),
              a ? "the cap is gone" : "a cap where there was none");
    return a && b;
}

void diffCaps(Differ &d, const ToolPolicy &a, const ToolPolicy &b)
{
    if (bothCaps(d, "value", a.value, b.value)) {
        d.value("value.pointer", a.value->pointer, b.value->pointer, Direction::Loosens, "another field is judged");
        d.value("value.currency", a.value->currency, b.value->currency, Direction::Loosens, "another currency");
        d.value("value.currency_pointer", a.value->currencyPointer, b.value->currencyPointer,
                loosensIf(!a.value->currencyPointer.empty()), "another field names the currency");
        d.size("value.max", a.value->max, b.value->max, More::Loosens, "maximum");
        d.value("value.watch", a.value->watch, b.value->watch, Direction::Neutral, "only notes");
    }
    if (bothCaps(d, "destination", a.destination, b.destination)) {
        const auto all = [](const DestinationCap &cap) {
            std::vector<std::string> out = cap.exact;
            for (const std::string &pattern : cap.patterns)
                out.push_back("re:" + pattern);
            return out;
        };
        d.value("destination.pointer", a.destination->pointer, b.destination->pointer, Direction::Loosens,
                "another field is judged");
        d.list("destination.allow", all(*a.destination), all(*b.destination), More::Loosens);
    }
    if (bothCaps(d, "volume", a.volume, b.volume)) {
        const auto per = [](const VolumeCap &cap) { return cap.window ? cap.window->toString() : std::string("task"); };
        const bool isLonger = a.volume->window && b.volume->window && *a.volume->window < *b.volume->window;
        d.value("volume.per", per(*a.volume), per(*b.volume), loosensIf(!isLonger), "another span");
        d.limit("volume.calls", a.volume->calls, b.volume->calls);
        d.limit("volume.value", a.volume->value, b.volume->value);
    }
}

struct Side {
    const Policy &policy;
    const ToolPolicy &tool;
    std::int64_t repetition; ///< of the agent, for a tool without a limit of its own
};

void diffTool(Differ &d, const Side &before, const Side &after)
{
    const ToolPolicy &a = before.tool;
    const ToolPolicy &b = after.tool;
    if (a.declared != b.declared) {
        const Undeclared rule = b.declared ? before.policy.undeclared : after.policy.undeclared;
        const bool refused = rule == Undeclared::Refuse;
        d.add("declared", spell(a.declared), spell(b.declared), refused ? loosensIf(b.declared) : Direction::Neutral,
              b.declared ? "a tool that no table named" : "no table names the tool any more");
        if (refused)
            return; // on one side every call is refused, so no cap or limit there is worth comparing
    }
    d.value("access", a.access, b.access, loosensIf(b.access == Access::Read),
            spell(a.access) + " to " + spell(b.access));
    diffBreaker(d, a.breaker, b.breaker);
    diffCaps(d, a, b);
    d.list("repetition.ignore", a.repetitionIgnore, b.repetitionIgnore, More::Tightens);
    if (a.repetitionLimit != b.repetitionLimit)
        d.value(
            "repetition.limit", a.repetitionLimit, b.repetitionLimit,
            loosensIf(a.repetitionLimit.value_or(before.repetition) <= b.repetitionLimit.value_or(after.repetition)),
            "another limit of equal calls");
    d.value("repetition.exempt", a.repetitionExempt, b.repetitionExempt, loosensIf(b.repetitionExempt),
            "whether equal calls count");
    d.list("redact", a.redact, b.redact, More::Neutral);
}

void diffApproval(Differ &d, const ApprovalPolicy &a, const ApprovalPolicy &b)
{
    const auto words = [](bool fewer) { return fewer ? "fewer approvals" : "more approvals"; };
    const std::set<Signal> from(a.signals.begin(), a.signals.end());
    const std::set<Signal> to(b.signals.begin(), b.signals.end());
    if (from != to) {
        const bool isWider = std::includes(to.begin(), to.end(), from.begin(), from.end());
        d.add("signals", spell(a.signals), spell(b.signals), loosensIf(!isWider), words(!isWider));
    }
    d.value("rearms_in_24h", a.rearmsIn24h, b.rearmsIn24h, loosensIf(a.rearmsIn24h < b.rearmsIn24h),
            words(a.rearmsIn24h < b.rearmsIn24h));
    d.value("passes", a.passes, b.passes, loosensIf(!b.passes), words(!b.passes));
    d.value("loosening", a.loosening, b.loosening, loosensIf(!b.loosening), words(!b.loosening));
    d.size("expires", a.expires, b.expires, More::Loosens, "time to approve");
    d.size("unlock", a.unlock, b.unlock, More::Loosens, "time that a key stays unlocked");
}

void diffPrice(Differ &d, const Price *a, const Price *b)
{
    const auto spelled = [](const Price *price) {
        return price == nullptr ? kNone : spell(price->in) + " in, " + spell(price->out) + " out";
    };
    if (a != nullptr && b != nullptr && *a == *b)
        return;
    // Without a price the estimate is charged; with one, no less than what the tokens cost.
    Direction direction = a == nullptr ? Direction::Neutral : Direction::Loosens;
    if (a != nullptr && b != nullptr && a->in.currency == b->in.currency && a->in.amount <= b->in.amount
        && a->out.amount <= b->out.amount)
        direction = Direction::Tightens;
    d.add("price", spelled(a), spelled(b), direction,
          a == nullptr                           ? "a price where there was none"
              : b == nullptr                     ? "the price is gone"
              : direction == Direction::Tightens ? "a higher price"
                                                 : "a lower or other price");
}

/// The names of both, in order.
template <class A, class B>
auto namesOf(const A &a, const B &b)
{
    std::set<std::remove_cvref_t<decltype(a.begin()->first)>> names;
    for (const auto &[name, value] : a)
        names.insert(name);
    for (const auto &[name, value] : b)
        names.insert(name);
    return names;
}

/// Takes out of `own` what the defaults' changes already say.
std::vector<PolicyChange> beyond(std::vector<PolicyChange> own, const std::string &path,
                                 const std::vector<PolicyChange> &shared, const std::string &sharedPath)
{
    std::erase_if(own, [&](const PolicyChange &change) {
        return std::any_of(shared.begin(), shared.end(), [&](const PolicyChange &other) {
            return change.field.substr(path.size()) == other.field.substr(sharedPath.size())
                && change.before == other.before && change.after == other.after;
        });
    });
    return own;
}

class PolicyDiffer {
public:
    PolicyDiffer(const Policy &a, const Policy &b) : m_a(a), m_b(b) {}

    std::vector<PolicyChange> run()
    {
        head();
        agents();
        keys();
        tools();
        Differ approval("approval");
        diffApproval(approval, m_a.approval, m_b.approval);
        append(approval.take());
        for (const std::string &name : namesOf(m_a.prices, m_b.prices)) {
            const auto from = m_a.prices.find(name);
            const auto to = m_b.prices.find(name);
            Differ d(joinPath("prices", name));
            diffPrice(d, from == m_a.prices.end() ? nullptr : &from->second,
                      to == m_b.prices.end() ? nullptr : &to->second);
            append(d.take());
        }
        return std::move(m_changes);
    }

private:
    void append(std::vector<PolicyChange> changes)
    {
        m_changes.insert(m_changes.end(), std::make_move_iterator(changes.begin()),
                         std::make_move_iterator(changes.end()));
    }

    void head()
    {
        Differ d("");
        d.value("schema", std::int64_t{m_a.schema}, std::int64_t{m_b.schema}, Direction::Neutral, "another form");
        d.value("timezone", m_a.timezone, m_b.timezone, Direction::Neutral, "windows begin at other times");
        d.value("week_starts", m_a.weekStarts, m_b.weekStarts, Direction::Neutral, "7d begins on another day");
        d.value("undeclared", m_a.undeclared, m_b.undeclared, loosensIf(m_b.undeclared == Undeclared::Write),
                "tools that no table names");
        append(d.take());
    }

    void agents()
    {
        Differ defaults("defaults");
        diffAgent(defaults, m_a.defaults, m_b.defaults);
        const std::vector<PolicyChange> shared = defaults.take();
        append(shared);
        for (const std::string &name : namesOf(m_a.agents, m_b.agents)) {
            Differ d(joinPath("agents", name));
            diffAgent(d, m_a.forAgent(name), m_b.forAgent(name));
            append(beyond(d.take(), d.path(), shared, "defaults"));
        }
    }

    void keys()
    {
        Differ defaults("defaults");
        diffKey(defaults, m_a.defaultKey, m_b.defaultKey);
        const std::vector<PolicyChange> shared = defaults.take();
        append(shared);
        for (const std::string &name : namesOf(m_a.keys, m_b.keys)) {
            Differ d(joinPath("keys", name));
            diffKey(d, m_a.forKey(name), m_b.forKey(name));
            append(beyond(d.take(), d.path(), shared, "defaults"));
        }
    }

    void tools()
    {
        std::map<std::string, std::vector<PolicyChange>> shared;
        for (const std::string &name : namesOf(m_a.tools, m_b.tools)) {
            Differ d(joinPath("tools", name));
            diffTool(d, side(m_a, "", name), side(m_b, "", name));
            shared[name] = d.take();
            append(shared[name]);
        }
        for (const auto &[agent, tool] : namesOf(m_a.agentTools, m_b.agentTools)) {
            Differ d(joinPath(joinPath("agents", agent) + ".tools", tool));
            diffTool(d, side(m_a, agent, tool), side(m_b, agent, tool));
            append(beyond(d.take(), d.path(), shared[tool], joinPath("tools", tool)));
        }
    }

    static Side side(const Policy &policy, const std::string &agent, const std::string &tool)
    {
        const auto it = policy.agents.find(agent);
        const AgentPolicy &limits = it == policy.agents.end() ? policy.defaults : it->second;
        const auto fleets = policy.tools.find(tool);
        const ToolPolicy &own = !agent.empty() ? policy.forTool(agent, tool)
            : fleets != policy.tools.end()     ? fleets->second
                                               : policy.defaultTool;
        return {policy, own, limits.repetition.limit};
    }

    const Policy &m_a;
    const Policy &m_b;
    std::vector<PolicyChange> m_changes;
};

} // namespace

std::string PolicyChange::toString() const
{
    std::string out = field + ": " + before + " → " + after + ", " + words;
    return direction == Direction::Neutral ? out : out.append(" (").append(toWord(direction)).append(")");
}

std::vector<PolicyChange> policyDiff(const Policy &inForce, const Policy &next)
{
    return PolicyDiffer(inForce, next).run();
}

bool loosens(const std::vector<PolicyChange> &changes) noexcept
{
    return std::any_of(changes.begin(), changes.end(),
                       [](const PolicyChange &change) { return change.direction == Direction::Loosens; });
}

} // namespace handreset::rules

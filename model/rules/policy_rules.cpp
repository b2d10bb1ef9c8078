#include "model/rules/policy_rules.h"

#include "model/rules/policy_wording.h"

#include <algorithm>
#include <array>

namespace handreset::rules::policytext {
namespace {

constexpr std::string_view kDefaultEstimate = "0.05"; // policy.md: in the window's currency

/// One reading of all sections: what later sections need of the earlier ones.
class Sections {
public:
    Sections(Report &report, const toml::table &root) : m_report(report), m_top(report, {{&root, {}}}) {}

    Policy read()
    {
        readHead();
        readDefaults();
        readKeys();
        readAgents();
        readTools();
        readRest();
        m_top.finish();
        for (const auto &[name, agent] : m_policy.agents)
            m_users[agent.key].push_back(name);
        checkDegradedSpend();
        checkEstimates();
        return std::move(m_policy);
    }

private:
    void readHead();
    void readDefaults();
    void readKeys();
    void readAgents();
    void readAgent(const std::string &name, Fields &fields);
    void readTools();
    void readAgentTools(const std::string &agent, Fields &tools);
    void shareProbes();
    void readRest();
    void checkDegradedSpend();
    void checkEstimates();
    void checkName(Fields &fields, const std::string &name);
    /// The table of that name, laid over `[defaults]` or over nothing.
    Fields over(Fields &table, const std::string &name, const Fields::Layer *below) const;

    Report &m_report;
    Fields m_top;
    Policy m_policy;
    std::optional<Fields::Layer> m_defaults;
    std::optional<Money> m_estimate; ///< as [defaults] spells it
    std::map<std::string, Fields::Layer> m_toolLayers;
    std::set<std::string> m_ownSpend;                                 ///< keys with windows of their own
    std::map<std::string, std::vector<std::string>> m_users;          ///< key to the agents that name it
    std::map<std::string, std::vector<ToolPolicy *>> m_defaultProbes; ///< tool to its policies without a probe word
};

void Sections::checkName(Fields &fields, const std::string &name)
{
    constexpr std::size_t kMost = 200;
    const bool control
        = std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (name.empty() || name.size() > kMost || control)
        fields.error(name, "is no usable name: it is empty, longer than 200 bytes, or holds control characters",
                     "Give it a short name.");
}

void Sections::readHead()
{
    if (!m_top.has("schema"))
        m_report.add(Severity::Warning, {}, "schema", "is missing, and 1 is taken",
                     "Write schema = 1 as the first line.");
    else if (const auto schema = m_top.whole("schema"); schema && *schema != 1)
        m_top.error("schema", "is not known: " + std::to_string(*schema) + "; this program reads 1",
                    "Write schema = 1, or use the version of the program that wrote this policy.");
    if (const auto zone = m_top.text("timezone")) {
        if (m_report.zoneExists(*zone))
            m_policy.timezone = *zone;
        else
            m_top.error("timezone", "is no time zone that is known here: " + shortened(*zone),
                        "Write \"UTC\" or an IANA name like \"America/Sao_Paulo\".");
    }
    constexpr std::array<std::string_view, 7> kDays{"sunday",   "monday", "tuesday", "wednesday",
                                                    "thursday", "friday", "saturday"};
    if (const auto day = m_top.word("week_starts", kDays))
        m_policy.weekStarts = static_cast<WeekDay>(*day);
}

void Sections::readDefaults()
{
    Fields fields = m_top.table("defaults");
    if (fields.exists())
        m_defaults = Fields::Layer{fields.top(), "defaults"};
    m_policy.defaults = readAgentLimits(fields);
    Fields steps = fields.table("steps");
    if (!steps.has("limit") && (!fields.has("steps") || steps.exists()))
        m_report.error(steps.exists() ? steps.spot() : fields.spot(), "defaults.steps.limit",
                       "is missing: a policy without a step limit is refused",
                       "Write steps = { limit = 25 } under [defaults].");
    m_estimate = fields.money("estimate");
    m_policy.defaultKey = readSpend(fields, m_estimate ? m_estimate->currency : "USD");
    m_policy.defaults.estimate
        = m_estimate.value_or(Money{*Decimal::parse(kDefaultEstimate), m_policy.defaultKey.currency});
    fields.refuse("key", "cannot stand in [defaults]: each agent's key is its own name unless [agents.NAME] says more",
                  "Move it to [agents.NAME].");
    fields.refuse("gateway", "cannot stand in [defaults]", "Move it to [keys.NAME].");
    fields.finish();
}

void Sections::readKeys()
{
    Fields keys = m_top.table("keys");
    for (const std::string &name : keys.names()) {
        checkName(keys, name);
        Fields fields = keys.table(name);
        KeyPolicy key = readSpend(fields, m_policy.defaultKey.currency);
        if (fields.has("spend")) {
            m_ownSpend.insert(name);
        } else {
            key = m_policy.defaultKey;
        }
        constexpr std::array<std::string_view, 1> kGateways{"litellm"};
        if (fields.word("gateway", kGateways))
            key.gateway = kGateways[0];
        fields.finish();
        m_policy.keys.emplace(name, std::move(key));
    }
}

Fields Sections::over(Fields &table, const std::string &name, const Fields::Layer *below) const
{
    Fields own = table.table(name);
    return below != nullptr ? own.over(*below) : own;
}

void Sections::readAgents()
{
    Fields agents = m_top.table("agents");
    for (const std::string &name : agents.names()) {
        checkName(agents, name);
        Fields fields = over(agents, name, m_defaults ? &*m_defaults : nullptr);
        if (agents.table(name).exists())
            readAgent(name, fields);
    }
}

void Sections::readAgent(const std::string &name, Fields &fields)
{
    AgentPolicy agent = readAgentLimits(fields);
    fields.refuse("spend", "cannot stand under an agent: windows belong to keys", "Move it to [keys.NAME].");
    fields.refuse("gateway", "cannot stand under an agent", "Move it to [keys.NAME].");
    fields.expect("tools");
    agent.key = fields.text("key").value_or(name);
    if (fields.hasOwn("parents")) {
        for (const Fields::Entry &entry : fields.entries("parents").value_or(std::vector<Fields::Entry>())) {
            if (entry.text == name)
                m_report.error(entry.spot, entry.field, "names the agent itself: its own tasks may always be parents",
                               "Take it out.");
        }
    }
    const KeyPolicy &key = m_policy.forKey(agent.key);
    const auto estimate = fields.money("estimate");
    agent.estimate = estimate.value_or(Money{*Decimal::parse(kDefaultEstimate), key.currency});
    if (estimate && !key.windows.empty() && estimate->currency != key.currency)
        fields.error("estimate",
                     "is in " + estimate->currency + ", but the windows of key " + agent.key + " (agent " + name
                         + ") count in the currency " + key.currency,
                     "Give [" + joinPath("agents", name) + "] an estimate in " + key.currency + ".");
    fields.finish();
    m_policy.agents.emplace(name, std::move(agent));
}

void Sections::readTools()
{
    Fields tools = m_top.table("tools");
    for (const std::string &name : tools.names()) {
        checkName(tools, name);
        Fields fields = tools.table(name);
        if (!fields.exists())
            continue;
        m_toolLayers.emplace(name, Fields::Layer{fields.top(), joinPath("tools", name)});
        ToolReading reading = readTool(m_report, fields, false);
        ToolPolicy &tool = m_policy.tools.emplace(name, std::move(reading.policy)).first->second;
        if (reading.probeIsDefault)
            m_defaultProbes[name].push_back(&tool);
    }
    Fields agents = m_top.table("agents");
    for (const std::string &name : agents.names()) {
        Fields agent = agents.table(name);
        Fields own = agent.table("tools");
        if (own.exists())
            readAgentTools(name, own);
    }
    shareProbes();
    m_policy.undeclared = m_policy.declaresEnvelope() ? Undeclared::Refuse : Undeclared::Write;
    take(m_policy.undeclared, m_top.choice<Undeclared>("undeclared"));
}

void Sections::readAgentTools(const std::string &agent, Fields &tools)
{
    for (const std::string &name : tools.names()) {
        checkName(tools, name);
        const auto layer = m_toolLayers.find(name);
        Fields fields = over(tools, name, layer == m_toolLayers.end() ? nullptr : &layer->second);
        if (!tools.table(name).exists())
            continue;
        ToolReading reading = readTool(m_report, fields, true);
        ToolPolicy &tool = m_policy.agentTools.emplace(std::pair(agent, name), std::move(reading.policy)).first->second;
        if (reading.probeIsDefault)
            m_defaultProbes[name].push_back(&tool);
    }
}

/// The fleet's breaker of a tool is one for all agents, so its probe needs an operator for all of them as soon as one
/// agent's probe would move money.
void Sections::shareProbes()
{
    for (auto &[name, tools] : m_defaultProbes) {
        std::erase_if(tools, [](const ToolPolicy *tool) { return tool->breaker.scope != BreakerScope::Fleet; });
        const bool any = std::any_of(tools.begin(), tools.end(),
                                     [](const ToolPolicy *tool) { return tool->breaker.probe == ProbeBy::Operator; });
        for (ToolPolicy *tool : tools)
            tool->breaker.probe = any ? ProbeBy::Operator : ProbeBy::Auto;
    }
}

void Sections::readRest()
{
    Fields approval = m_top.table("approval");
    m_policy.approval = readApproval(approval);
    Fields prices = m_top.table("prices");
    for (const std::string &name : prices.names()) {
        checkName(prices, name);
        Fields fields = prices.table(name);
        if (fields.exists())
            m_policy.prices.emplace(name, readPrice(fields));
    }
}

/// Spend may be degraded only with a cheaper model to go on with (spec 3.2), for every agent whose key it is.
void Sections::checkDegradedSpend()
{
    const auto check
        = [&](const std::string &path, const KeyPolicy &key, const std::string &who, const std::string &model) {
              for (std::size_t i = 0; i < key.windows.size(); ++i) {
                  const std::string field = path + ".spend[" + std::to_string(i) + "].action";
                  if (key.windows[i].action == Rung::Degraded && model.empty())
                      m_report.error(m_report.find(field).value_or(Spot()), field,
                                     "is degraded, but " + who + " has no degraded_model",
                                     "Add degraded_model = \"small-model\" to [defaults], or write action = \"open\".");
              }
          };
    check("defaults", m_policy.defaultKey, "[defaults]", m_policy.defaults.degradedModel);
    for (const std::string &name : m_ownSpend) {
        const KeyPolicy &key = m_policy.keys.at(name);
        const auto users = m_users.find(name);
        if (users == m_users.end()) {
            check(joinPath("keys", name), key, "[defaults]", m_policy.defaults.degradedModel);
            continue;
        }
        for (const std::string &agent : users->second)
            check(joinPath("keys", name), key, "agent " + agent, m_policy.agents.at(agent).degradedModel);
    }
}

/// The default's estimate holds for every agent that is not named, whatever its key.
void Sections::checkEstimates()
{
    if (!m_estimate)
        return;
    const auto check = [&](const std::string &key, const KeyPolicy &policy) {
        if (!policy.windows.empty() && policy.currency != m_estimate->currency)
            m_report.error(
                m_report.find("defaults.estimate").value_or(Spot()), "defaults.estimate",
                "is in " + m_estimate->currency + ", but " + key + " counts in the currency " + policy.currency,
                "Write estimate and windows in one currency, or name an agent with this key and an estimate.");
    };
    check("defaults.spend", m_policy.defaultKey);
    for (const std::string &name : m_ownSpend) {
        if (!m_users.contains(name))
            check(joinPath("keys", name), m_policy.keys.at(name));
    }
}

} // namespace

Policy readSections(Report &report, const toml::table &root)
{
    return Sections(report, root).read();
}

ApprovalPolicy readApproval(Fields &fields)
{
    ApprovalPolicy approval;
    if (const auto list = fields.entries("signals")) {
        approval.signals.clear();
        for (const Fields::Entry &entry : *list) {
            const auto signal = fromWord<Signal>(entry.text);
            if (!signal)
                fields.error("signals", "does not know the signal " + shortened(entry.text),
                             "Write some of " + listWords(Words<Signal>::list, "\"") + ".");
            else if (std::find(approval.signals.begin(), approval.signals.end(), *signal) == approval.signals.end())
                approval.signals.push_back(*signal);
        }
    }
    take(approval.rearmsIn24h, fields.whole("rearms_in_24h", 1, kRearmsKept));
    take(approval.passes, fields.flag("passes"));
    take(approval.loosening, fields.flag("loosening"));
    take(approval.expires, fields.duration("expires"));
    take(approval.unlock, fields.duration("unlock", true));
    if (approval.unlock > hours(1))
        fields.error("unlock", "must not be longer than an hour",
                     "A key that stays unlocked is anybody's who sits down there: write some minutes, or \"0s\".");
    fields.finish();
    return approval;
}

Price readPrice(Fields &fields)
{
    Price price;
    const auto in = fields.money("in", true);
    const auto out = fields.money("out", true);
    take(price.in, in);
    take(price.out, out);
    if (in && out && in->currency != out->currency)
        fields.error("out", "is in " + out->currency + ", but in is in the currency " + in->currency,
                     "Write both prices of one model in one currency.");
    constexpr std::array<std::string_view, 2> kBoth{"in", "out"};
    fields.require(kBoth, "Write in = \"0.15 USD\" and out = \"0.60 USD\", for a million tokens.");
    fields.finish();
    return price;
}

} // namespace handreset::rules::policytext

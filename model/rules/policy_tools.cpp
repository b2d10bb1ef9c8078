// The tools of a policy: access, breaker, caps, repetition, redaction.
#include "model/rules/destination.h"
#include "model/rules/policy_rules.h"
#include "model/rules/policy_wording.h"

#include <array>

namespace handreset::rules::policytext {
namespace {

std::optional<ValueCap> readValue(Fields fields)
{
    if (!fields.exists())
        return std::nullopt;
    ValueCap cap;
    take(cap.pointer, fields.pointer("pointer"));
    take(cap.currency, fields.currency("currency"));
    take(cap.currencyPointer, fields.pointer("currency_pointer"));
    const auto most = fields.amount("max");
    take(cap.max, most);
    cap.watch = fields.amount("watch");
    checkWatch(fields, "max", cap.watch, most);
    constexpr std::array<std::string_view, 3> kNeeded{"pointer", "currency", "max"};
    fields.require(kNeeded, "Write value = { pointer = \"/amount\", currency = \"BRL\", max = \"500.00\" }.");
    fields.finish();
    return cap;
}

void readAllowed(Report &report, Fields &fields, DestinationCap &cap)
{
    constexpr std::size_t kMostPatterns = 100; // each of them is tried at every call
    constexpr std::string_view kPrefix = "re:";
    const auto list = fields.entries("allow");
    for (const Fields::Entry &entry : list.value_or(std::vector<Fields::Entry>())) {
        if (!entry.text.starts_with(kPrefix)) {
            cap.exact.push_back(entry.text);
            continue;
        }
        const std::string pattern = entry.text.substr(kPrefix.size());
        if (const auto fault = patternFault(pattern))
            report.error(
                entry.spot, entry.field, "the pattern " + shortened(pattern) + " " + *fault,
                "Write a simpler pattern of plain characters, classes, groups and counts, or list exact values.");
        else
            cap.patterns.push_back(pattern);
    }
    if (cap.patterns.size() > kMostPatterns)
        fields.error("allow", "holds more than " + std::to_string(kMostPatterns) + " patterns",
                     "Join patterns with |, or list exact values.");
}

std::optional<DestinationCap> readDestination(Report &report, Fields fields)
{
    if (!fields.exists())
        return std::nullopt;
    DestinationCap cap;
    take(cap.pointer, fields.pointer("pointer"));
    readAllowed(report, fields, cap);
    constexpr std::array<std::string_view, 2> kNeeded{"pointer", "allow"};
    fields.require(kNeeded, "Write destination = { pointer = \"/to\", allow = [\"acme@example.com\"] }.");
    fields.finish();
    return cap;
}

std::optional<VolumeCap> readVolume(Fields fields, const std::optional<ValueCap> &value)
{
    if (!fields.exists())
        return std::nullopt;
    VolumeCap cap;
    constexpr std::array<std::string_view, 1> kTask{"task"};
    const auto per = fields.text("per");
    if (per && *per != kTask[0])
        cap.window = fields.window("per");
    cap.calls = fields.whole("calls");
    cap.value = fields.amount("value");
    constexpr std::array<std::string_view, 1> kNeeded{"per"};
    fields.require(kNeeded, "Write per = \"task\" or a window like per = \"24h\".");
    if (!fields.has("calls") && !fields.has("value"))
        fields.error("calls", "is missing, and so is value: this volume limits nothing",
                     "Add calls = 20, or value = \"2000.00\", or both.");
    if (fields.has("value") && !value)
        fields.error("value", "cannot be summed: the tool has no value cap, whose pointer and currency it uses",
                     "Add value = { pointer = \"/amount\", currency = \"BRL\", max = \"500.00\" } to this tool.");
    fields.finish();
    return cap;
}

void checkScope(Report &report, Fields &fields, const BreakerPolicy &breaker)
{
    if (breaker.scope == BreakerScope::Agent)
        return;
    const bool own = fields.hasOwn("scope");
    report.error(own ? fields.spot("scope") : fields.spot(), joinPath(fields.path(), "scope"),
                 "must be \"agent\" for a breaker that stands under an agent: the fleet's breaker is shared by all",
                 "Write scope = \"agent\" to give this agent its own breaker, or move the table to [tools].");
}

BreakerPolicy readBreaker(Fields &fields)
{
    BreakerPolicy breaker;
    take(breaker.scope, fields.choice<BreakerScope>("scope"));
    take(breaker.failureThreshold, fields.whole("failure_threshold"));
    breaker.cooldownCalls = fields.whole("cooldown_calls");
    breaker.cooldownSeconds = fields.whole("cooldown_seconds", 1, kMostSeconds);
    take(breaker.probeLeaseSeconds, fields.whole("probe_lease_seconds", 1, kMostSeconds));
    take(breaker.probe, fields.choice<ProbeBy>("probe"));
    if (!fields.has("cooldown_calls") && !fields.has("cooldown_seconds"))
        fields.error("cooldown_seconds", "is missing, and so is cooldown_calls: this breaker would never be due",
                     "Add cooldown_seconds = 30, or cooldown_calls = 2, or both.");
    fields.finish();
    return breaker;
}

void readRepetition(Fields fields, ToolPolicy &tool)
{
    take(tool.repetitionIgnore, fields.pointers("ignore"));
    tool.repetitionLimit = fields.whole("limit", 2);
    take(tool.repetitionExempt, fields.flag("exempt"));
    fields.finish();
}

} // namespace

ToolReading readTool(Report &report, Fields &fields, bool ofAgent)
{
    ToolReading out;
    ToolPolicy &tool = out.policy;
    tool.declared = true;
    take(tool.access, fields.choice<Access>("access"));
    tool.value = readValue(fields.table("value"));
    tool.destination = readDestination(report, fields.table("destination"));
    tool.volume = readVolume(fields.table("volume"), tool.value);
    readRepetition(fields.table("repetition"), tool);
    take(tool.redact, fields.pointers("redact"));
    Fields breaker = fields.table("breaker");
    if (breaker.exists()) {
        tool.breaker = readBreaker(breaker);
        out.probeIsDefault = !breaker.has("probe");
        if (ofAgent && fields.hasOwn("breaker"))
            checkScope(report, breaker, tool.breaker);
    }
    if (out.probeIsDefault && tool.access == Access::Write && tool.value)
        tool.breaker.probe = ProbeBy::Operator; // a probe there moves real money (spec 2)
    fields.finish();
    return out;
}

} // namespace handreset::rules::policytext

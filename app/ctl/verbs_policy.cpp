// The verbs of the policy: check a file, show what is in force, bring a file into force.
#include "app/ctl/policy_file.h"
#include "app/ctl/store_access.h"
#include "app/ctl/table.h"
#include "app/ctl/verbs.h"
#include "model/engine/host_wait.h"
#include "model/engine/time_zone.h"
#include "model/rules/policy_diff.h"
#include "model/rules/policy_matrix.h"
#include "model/rules/words_of_time.h"

#include <array>
#include <memory>
#include <utility>

namespace handreset::ctl {

using rules::ErrorCode;

namespace {

ExitCode tellReading(const Arguments &arguments, Context &context, const PolicyFile &file)
{
    JsonWriter json;
    json.text("file", file.file);
    json.flag("accepted", file.reading.accepted());
    json.number("errors", file.reading.errorCount());
    json.number("warnings", file.reading.warningCount());
    writeProblems(json, file);
    answer(context, arguments, json, problemsText(file) + verdictText(file));
    return file.reading.accepted() ? ExitCode::Done : ExitCode::BadUse;
}

ExitCode checkPolicy(const Arguments &arguments, Context &context)
{
    const auto file = readPolicyFile(arguments.positional().front());
    if (!file)
        return fail(context, arguments, file.error());
    return tellReading(arguments, context, *file);
}

// ---- show --------------------------------------------------------------------------------------------------

/// Whose limits are shown: the one that was named, else those for every agent that the policy does not name.
std::string matrixText(const rules::Policy &policy, const std::string &agent)
{
    Table table({{"SIGNAL"},
                 {"COUNTED PER"},
                 {"SEEN AT"},
                 {"LIMIT", Align::Left, 80},
                 {"ACTION", Align::Left, 80},
                 {"REACHES", Align::Left, 80},
                 {"RE-ARM", Align::Left, 80}});
    for (const auto &line : rules::policyMatrix(policy, agent))
        table.add({std::string(rules::toWord(line.signal)), line.countedPer, line.seenAt, line.limit, line.action,
                   line.reaches, line.rearm});
    const auto whose = agent.empty() ? std::string("Every agent that the policy does not name") : visible(agent);
    return whose + ":\n\n" + table.toString();
}

void writeMatrix(JsonWriter &json, const rules::Policy &policy, const std::string &agent)
{
    json.beginArray("matrix");
    for (const auto &line : rules::policyMatrix(policy, agent)) {
        json.beginObject();
        json.text("signal", rules::toWord(line.signal));
        json.text("counted_per", line.countedPer);
        json.text("seen_at", line.seenAt);
        json.text("limit", line.limit);
        json.text("action", line.action);
        json.text("reaches", line.reaches);
        json.text("rearm", line.rearm);
        json.end();
    }
    json.end();
}

std::string policyText(const rules::Fleet &fleet)
{
    if (fleet.policyVersion == 0)
        return "# The built-in policy: no policy was applied yet. Its limits: handresetctl policy show --matrix\n";
    auto text = "# version " + std::to_string(fleet.policyVersion) + ", in force since "
        + rules::utcStamp(fleet.policyAt) + ", from " + visible(fleet.policyFile) + '\n'
        + visibleLines(fleet.policyText);
    if (!text.ends_with('\n'))
        text += '\n';
    return text;
}

bool knowsAgent(const rules::Fleet &fleet, const std::string &agent)
{
    return fleet.names.find(rules::NameKind::Agent, agent) != 0 || fleet.policy->agents.contains(agent);
}

ExitCode showPolicy(const Arguments &arguments, Context &context)
{
    const auto loaded = loadStore(context, arguments);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    const auto &fleet = loaded->fleet;
    const auto agent = arguments.valueOr("agent", "");
    if (arguments.has("agent") && !knowsAgent(fleet, agent))
        return fail(context, arguments,
                    {ErrorCode::NotFound,
                     "no agent \"" + agent + "\" has been seen, and the policy names none; see: handresetctl agents",
                     {}});
    JsonWriter json;
    json.number("version", fleet.policyVersion);
    json.text("file", fleet.policyFile);
    json.instant("applied_at", fleet.policyVersion == 0 ? std::nullopt : std::optional(fleet.policyAt));
    json.text("timezone", fleet.policy->timezone);
    json.text("text", fleet.policyText);
    json.text("agent", agent);
    writeMatrix(json, *fleet.policy, agent);
    const bool wantsMatrix = arguments.has("matrix") || arguments.has("agent");
    answer(context, arguments, json, wantsMatrix ? matrixText(*fleet.policy, agent) : policyText(fleet));
    return ExitCode::Done;
}

// ---- apply -------------------------------------------------------------------------------------------------

void writeChanges(JsonWriter &json, const std::vector<rules::PolicyChange> &changes)
{
    json.beginArray("changes");
    for (const auto &change : changes) {
        json.beginObject();
        json.text("field", change.field);
        json.text("before", change.before);
        json.text("after", change.after);
        json.text("direction", rules::toWord(change.direction));
        json.text("words", change.words);
        json.end();
    }
    json.end();
}

ExitCode applyPolicy(const Arguments &arguments, Context &context)
{
    const auto reason = arguments.required("reason", "the log keeps why a limit was changed: --reason \"…\"");
    if (!reason)
        return fail(context, arguments, reason.error());
    auto file = readPolicyFile(arguments.positional().front());
    if (!file)
        return fail(context, arguments, file.error());
    if (!file->reading.accepted()) { // before the store is opened, so that it stays as it was to the byte
        if (!arguments.wantsJson())
            context.err << "handresetctl: the policy in force stays; this one is refused:\n";
        return tellReading(arguments, context, *file);
    }
    const auto zone = engine::zoneNamed(file->reading.policy->timezone);
    if (!zone)
        return fail(context, arguments, zone.error());
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    const auto before = engine::snapshotAndWait(**host);
    const auto next = std::make_shared<const rules::Policy>(*file->reading.policy);
    const auto changes = rules::policyDiff(*before->policy, *next);
    const auto done = act(arguments, context, **host,
                          rules::ApplyPolicy{file->text, file->file, next, *zone, context.operatorName, *reason});
    if (!done)
        return fail(context, arguments, done.error());
    if (const auto waits = tellWaiting(arguments, context, **host, *done))
        return *waits;
    JsonWriter json;
    json.number("seq", done->seq.value);
    json.number("version", before->policyVersion + 1);
    json.text("file", file->file);
    json.flag("loosens", rules::loosens(changes));
    writeChanges(json, changes);
    writeProblems(json, *file);
    json.text("operator", context.operatorName);
    std::string text = problemsText(*file);
    for (const auto &change : changes)
        text += "  " + visible(change.toString(), 400) + '\n';
    text += "Version " + std::to_string(before->policyVersion + 1) + " is in force: " + visible(file->file, 400) + ", "
        + (changes.empty() ? "nothing changes" : counted(changes.size(), "change", "changes")) + ".\n";
    answer(context, arguments, json, text);
    return ExitCode::Done;
}

constexpr std::array kShowOptions{Option{"matrix", "", "the limits as one decision a line"},
                                  Option{"agent", "A", "the matrix of this agent"}};
constexpr std::array kApplyOptions{Option{"reason", "R", "why; the log keeps it"}};

constexpr std::array kVerbs{
    Verb{{"policy check", "FILE", 1, 1, {}},
         "every fault and warning of a policy file, with line and remedy",
         "file, accepted, errors, warnings, problems [{file, line, column, field, severity, message, remedy}]",
         &checkPolicy,
         "Ends with 2 where there is an error; warnings alone are 0. No store is looked at."},
    Verb{
        {"policy show", "", 0, 0, kShowOptions},
        "the policy in force",
        "version (0: built-in), file, applied_at, timezone, text, agent, matrix [{signal, counted_per, seen_at, limit, "
        "action, reaches, rearm}]",
        &showPolicy},
    Verb{{"policy apply", "FILE", 1, 1, kApplyOptions},
         "brings a policy into force; a refused one changes nothing",
         "seq, version, file, loosens, changes [{field, before, after, direction, words}], problems, operator; when "
         "refused as policy check",
         &applyPolicy},
};

} // namespace

std::span<const Verb> policyVerbs() noexcept
{
    return kVerbs;
}

} // namespace handreset::ctl

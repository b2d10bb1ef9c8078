// The verbs of recorded runs: import them into a store, and ask what another policy would have done with them.
#include "app/ctl/policy_file.h"
#include "app/ctl/progress.h"
#include "app/ctl/store_access.h"
#include "app/ctl/table.h"
#include "app/ctl/verbs.h"
#include "model/engine/time_zone.h"
#include "model/feeds/import_runs.h"
#include "model/feeds/recorded_runs.h"
#include "model/history/what_if.h"
#include "model/history/what_if_log.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

// ---- import ------------------------------------------------------------------------------------------------

void writeSummary(JsonWriter &json, const feeds::ImportSummary &summary)
{
    json.number("lines", summary.lines);
    json.number("agents", summary.agents);
    json.number("tasks", summary.tasks);
    json.number("events", summary.events);
    json.number("trips", summary.trips);
    json.number("results_without_call", summary.resultsWithoutCall);
    json.number("unmeasured_times", summary.unmeasuredTimes);
    json.number("lines_without_time", summary.linesWithoutTime);
    json.beginObject("unknown_fields");
    for (const auto &[field, lines] : summary.unknownFields.named())
        json.number(field, lines);
    json.end();
    json.number("further_unknown_fields", summary.unknownFields.further());
}

std::string summaryText(const feeds::ImportSummary &summary)
{
    auto text = "Imported " + counted(summary.lines, "line", "lines") + ": "
        + counted(summary.agents, "agent", "agents") + ", " + counted(summary.tasks, "task", "tasks") + "; "
        + counted(summary.events, "event", "events") + " in the log, " + counted(summary.trips, "trip", "trips")
        + ".\n";
    if (summary.resultsWithoutCall != 0)
        text += "  left out: " + counted(summary.resultsWithoutCall, "result", "results") + " without a call\n";
    if (summary.unmeasuredTimes != 0)
        text += "  not measured: " + counted(summary.unmeasuredTimes, "line has", "lines have")
            + " the time of the task's last dated event\n";
    if (summary.linesWithoutTime != 0)
        text += "  no data for windows: " + counted(summary.linesWithoutTime, "line has", "lines have")
            + " no time at all\n";
    for (const auto &[field, lines] : summary.unknownFields.named())
        text += "  unknown field left out: " + visible(field) + ", on " + counted(lines, "line", "lines") + '\n';
    if (const auto further = summary.unknownFields.further(); further != 0)
        text += "  and more unknown fields of other names, " + counted(further, "time", "times") + '\n';
    return text;
}

ExitCode importFiles(const Arguments &arguments, Context &context)
{
    auto loaded = loadFile(context, arguments, store::Sentinel::Refuses);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    if (!loaded->fleet.recorded)
        return fail(context, arguments,
                    {ErrorCode::Refused,
                     "this store is a live one; recorded runs go into a store of their own kind: handresetctl init "
                     "--recorded --store S",
                     loaded->store->path().toStdString()});
    LongWork work(context, "importing");
    feeds::ImportOptions options;
    options.progress = [&work](double share) { return work.report(share); };
    const auto summary = feeds::importRuns(*loaded->store, loaded->fleet, arguments.positional(), options);
    if (!summary)
        return fail(context, arguments, summary.error());
    JsonWriter json;
    writeSummary(json, *summary);
    answer(context, arguments, json, summaryText(*summary));
    return ExitCode::Done;
}

// ---- what-if -----------------------------------------------------------------------------------------------

Result<history::TriedPolicy> triedPolicy(const PolicyFile &file)
{
    const auto zone = engine::zoneNamed(file.reading.policy->timezone);
    if (!zone)
        return zone.error();
    return history::TriedPolicy{std::make_shared<const rules::Policy>(*file.reading.policy), file.text, file.file,
                                *zone};
}

Result<std::vector<history::LabelGroup>> groupsFrom(const Arguments &arguments)
{
    std::vector<history::LabelGroup> groups;
    for (const auto &text : arguments.values("group")) {
        auto group = history::parseLabelGroup(text);
        if (!group)
            return group.error();
        const auto sameName = [&](const history::LabelGroup &other) { return other.name == group->name; };
        if (std::ranges::any_of(groups, sameName))
            return Error{ErrorCode::BadInput, "two groups have the same name; give each its own",
                         "group \"" + group->name + '"'};
        groups.push_back(std::move(*group));
    }
    return groups;
}

/// "2,3,4": the limits of a sweep.
Result<std::vector<std::int64_t>> limitsFrom(const std::string &text)
{
    std::vector<std::int64_t> limits;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        const auto limit = wholeNumber(std::string_view(text).substr(at, end - at));
        if (!limit || *limit < 2 || *limit > 1'000'000 || limits.size() == 64)
            return Error{ErrorCode::BadInput, "--sweep takes limits of 2 and more, as in --sweep 2,3,4,5,10", {}};
        limits.push_back(*limit);
        at = end + 1;
    }
    return limits;
}

/// Waiting for a pipe is told, for without a writer it lasts for ever.
void tellPipe(const Context &context, const std::string &path)
{
    std::error_code none;
    if (std::filesystem::is_fifo(path, none))
        context.err << "handresetctl: " << visible(path, 400) << " is a pipe: waiting for what is written to it\n"
                    << std::flush;
}

/// Hands every line of the files to `take`, indexes running on; `unknown` takes the fields that were left out.
Result<void> readFiles(const std::vector<std::string> &files, const Context &context, LongWork &work,
                       const std::function<void(const rules::RecordedLine &)> &take, feeds::UnknownFields &unknown)
{
    constexpr std::uint64_t kLinesBetweenLooks = 4096;
    const auto goesOn = [] { return !LongWork::isCancelled(); };
    std::uint64_t lines = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        tellPipe(context, files[i]);
        auto runs = feeds::RecordedRuns::open(files[i], lines, feeds::Source::FileOrPipe, goesOn);
        if (!runs)
            return runs.error();
        rules::RecordedLine line;
        for (;;) {
            const auto isThere = (*runs)->next(line);
            if (!isThere)
                return isThere.error();
            if (!*isThere)
                break;
            take(line);
            const auto share = (static_cast<double>(i) + (*runs)->share()) / static_cast<double>(files.size());
            if (++lines % kLinesBetweenLooks == 0 && !work.report(share))
                return Error{ErrorCode::Cancelled, "stopped; nothing was written", {}};
        }
        unknown.add((*runs)->unknownFields());
    }
    return {};
}

ExitCode tellReport(const Arguments &arguments, Context &context, const Result<history::WhatIfReport> &report)
{
    if (!report)
        return fail(context, arguments, report.error());
    if (arguments.wantsJson())
        context.out << safeJson(history::whatIfJson(*report)) << '\n';
    else
        context.out << visibleLines(history::whatIfText(*report));
    return ExitCode::Done;
}

ExitCode sweep(const Arguments &arguments, Context &context, const history::TriedPolicy &tried,
               const std::vector<history::LabelGroup> &groups)
{
    const auto limits = limitsFrom(arguments.valueOr("sweep", ""));
    if (!limits)
        return fail(context, arguments, limits.error());
    if (arguments.positional().empty())
        return fail(context, arguments, {ErrorCode::BadInput, "--sweep reads files of recorded runs: name one", {}});
    LongWork work(context, "judging");
    history::RepetitionSweep judged(tried, *limits, groups);
    feeds::UnknownFields unknown;
    const auto take = [&](const auto &line) { judged.take(line); };
    if (auto read = readFiles(arguments.positional(), context, work, take, unknown); !read)
        return fail(context, arguments, read.error());
    const auto rows = judged.finish();
    if (arguments.wantsJson())
        context.out << safeJson(history::sweepJson(rows, groups)) << '\n';
    else
        context.out << visibleLines(history::sweepText(rows, groups));
    return ExitCode::Done;
}

ExitCode whatIfOfFiles(const Arguments &arguments, Context &context, const history::TriedPolicy &tried,
                       const history::WhatIfOptions &options)
{
    LongWork work(context, "judging");
    history::WhatIf judged(tried, options);
    feeds::UnknownFields unknown;
    const auto take = [&](const auto &line) { judged.take(line); };
    if (auto read = readFiles(arguments.positional(), context, work, take, unknown); !read)
        return fail(context, arguments, read.error());
    auto report = judged.finish();
    if (report) {
        report->unknownFields = {unknown.named().begin(), unknown.named().end()};
        report->furtherUnknownFields = unknown.further();
    }
    return tellReport(arguments, context, report);
}

ExitCode whatIfOfStore(const Arguments &arguments, Context &context, const history::TriedPolicy &tried,
                       history::WhatIfOptions options)
{
    const auto first = arguments.number("first", 1, INT64_MAX);
    const auto last = arguments.number("last", 1, INT64_MAX);
    if (!first || !last)
        return fail(context, arguments, first ? last.error() : first.error());
    if (*first && *last && **first > **last)
        return fail(context, arguments,
                    {ErrorCode::BadInput,
                     "--first " + std::to_string(**first) + " is behind --last " + std::to_string(**last)
                         + ": no event lies between them",
                     {}});
    const auto loaded = loadFile(context, arguments);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    options.observe = options.observe || loaded->fleet.recorded; // spec 7: in recorded stores every ask was allowed
    history::LogPeriod period;
    if (*first)
        period.first = rules::Seq{static_cast<std::uint64_t>(**first)};
    if (*last)
        period.last = rules::Seq{static_cast<std::uint64_t>(**last)};
    LongWork work(context, "judging");
    return tellReport(arguments, context,
                      history::whatIfOfLog(*loaded->store, period, tried, options,
                                           [&work](double share) { return work.report(share); }));
}

ExitCode whatIf(const Arguments &arguments, Context &context)
{
    const auto path = arguments.required("policy", "what-if tries a policy on what was recorded: --policy FILE");
    if (!path)
        return fail(context, arguments, path.error());
    const auto file = readPolicyFile(*path);
    if (!file)
        return fail(context, arguments, file.error());
    if (!file->reading.accepted())
        return fail(context, arguments,
                    {ErrorCode::BadInput,
                     "the policy is refused:\n" + problemsText(*file) + "See: handresetctl policy check",
                     {}});
    const auto tried = triedPolicy(*file);
    const auto groups = groupsFrom(arguments);
    if (!tried || !groups)
        return fail(context, arguments, tried ? groups.error() : tried.error());
    if (!arguments.positional().empty() && (arguments.has("first") || arguments.has("last")))
        return fail(context, arguments,
                    {ErrorCode::BadInput,
                     "--first and --last choose events of the store's own log; leave them out, or the files",
                     {}});
    if (arguments.has("sweep"))
        return sweep(arguments, context, *tried, *groups);
    const history::WhatIfOptions options{arguments.has("observe"), *groups};
    return arguments.positional().empty() ? whatIfOfStore(arguments, context, *tried, options)
                                          : whatIfOfFiles(arguments, context, *tried, options);
}

constexpr std::array kWhatIfOptions{
    Option{"policy", "FILE", "the policy to try"},
    Option{"observe", "", "every recorded ask counts as allowed; the first event of each signal is kept"},
    Option{"group", "G", "count apart by labels: \"harmless: attack=null, user_task^=user_task\"", true},
    Option{"sweep", "N,N…", "tasks that repetition would trip under each of these limits"},
    Option{"first", "SEQ", "of the store's own log: from this event"},
    Option{"last", "SEQ", "of the store's own log: to this event"},
};

constexpr std::size_t kMostFiles = 10'000;

constexpr std::array kVerbs{
    Verb{{"import", "FILE…", 1, kMostFiles, {}},
         "recorded runs (.ndjson, .ndjson.gz) into a --recorded store",
         "lines, agents, tasks, events, trips, results_without_call, unmeasured_times, lines_without_time, "
         "unknown_fields {field: lines}, further_unknown_fields (of other names, how often)",
         &importFiles,
         "A wrong line is told with file, line and field, and leaves the store as it was. What would count twice is "
         "refused: a file named twice, and a task that the store holds already, unless its first line here is dated "
         "later than its last one there."},
    Verb{{"what-if", "[FILE…]", 0, kMostFiles, kWhatIfOptions},
         "what another policy would have done, on recorded runs or on the store's own log",
         "events, tasks, counts {signal or envelope/cap: tasks}, trips {task: {signal: event index}}, and where there "
         "is "
         "something to say groups, not_replayed, recorded, refused, prevented, unknown_fields, further_unknown_fields; "
         "with --sweep: sweep [{limit, tasks, "
         "groups}]",
         &whatIf,
         "Nothing is written, and the policy comes into force nowhere."},
};

} // namespace

std::span<const Verb> runsVerbs() noexcept
{
    return kVerbs;
}

} // namespace handreset::ctl

// The verbs that teach: the lesson, the transition tables as diagrams, the living demo fleet.
#include "app/ctl/progress.h"
#include "app/ctl/store_access.h"
#include "app/ctl/table.h"
#include "app/ctl/verbs.h"
#include "app/demo/demo_fleet.h"
#include "model/engine/host_wait.h"
#include "model/history/lesson.h"
#include "model/rules/diagram.h"
#include "model/rules/words_of_event.h"
#include "model/rules/words_of_time.h"

#include <QTemporaryDir>

#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

ExitCode showLesson(const Arguments &arguments, Context &context)
{
    const auto taught = history::teachLesson();
    if (arguments.wantsJson())
        context.out << history::lessonJson(taught) << '\n';
    else
        context.out << history::lessonText(taught);
    return ExitCode::Done;
}

// ---- diagram -----------------------------------------------------------------------------------------------

using Drawer = std::string (*)(const rules::Graph &);

std::optional<Drawer> drawerNamed(std::string_view format)
{
    if (format == "markdown")
        return &rules::diagramMarkdown;
    if (format == "graphviz")
        return &rules::diagramGraphviz;
    if (format == "mermaid")
        return &rules::diagramMermaid;
    return std::nullopt;
}

ExitCode drawDiagram(const Arguments &arguments, Context &context)
{
    const auto format = arguments.valueOr("format", "markdown");
    const auto machine = arguments.value("machine");
    const auto draw = drawerNamed(format);
    if (!draw)
        return fail(context, arguments,
                    {ErrorCode::BadInput, "--format is markdown, graphviz or mermaid, not \"" + format + '"', {}});
    if (machine && *machine != "breaker" && *machine != "latch")
        return fail(context, arguments,
                    {ErrorCode::BadInput, "--machine is breaker or latch, not \"" + *machine + '"', {}});
    JsonWriter json;
    json.text("format", format);
    std::string text;
    for (const std::string_view name : {"breaker", "latch"}) {
        if (machine && *machine != name)
            continue;
        const auto graph = name == "breaker" ? rules::breakerGraph() : rules::latchGraph();
        const auto drawn = (*draw)(graph);
        json.text(name, drawn);
        if (!machine && format == "markdown")
            text += (text.empty() ? "" : "\n") + std::string("### ") + graph.title + "\n\n";
        text += drawn;
    }
    answer(context, arguments, json, text);
    return ExitCode::Done;
}

// ---- demo --------------------------------------------------------------------------------------------------

/// Prints what is worth a person's eye as the log grows. Called on the host's thread; the main thread writes meanwhile
/// nothing to the same stream.
class Narrator final : public engine::Follower {
public:
    Narrator(std::ostream &out, bool speaks) : m_out(out), m_speaks(speaks) {}

    void snapshot(std::shared_ptr<const rules::Fleet> fleet) override { m_fleet = *fleet; }
    void committed(std::shared_ptr<const engine::Commit> commit) override
    {
        for (const auto &event : commit->events) {
            if (!rules::apply(m_fleet, event).ok() || !m_speaks)
                continue;
            const auto words = rules::wordsOf(event, m_fleet);
            if (words.weight == rules::Weight::Ordinary)
                continue;
            auto agent = visible(m_fleet.names(event.agent), kAgentColumns);
            agent += std::string(kAgentColumns - columnsOf(agent), ' ');
            m_out << rules::utcClock(event.ruleTime) << "  " << agent << "  " << visible(words.word) << ": "
                  << visible(words.sentence) << '\n';
        }
        m_out.flush();
    }
    void beat(const engine::HostStatus &) override {}

private:
    static constexpr std::size_t kAgentColumns = 12;
    std::ostream &m_out;
    bool m_speaks;
    rules::Fleet m_fleet;
};

constexpr std::size_t kToldColumns = 400;

Result<demo::DemoOptions> demoOptions(const Arguments &arguments, Context &context)
{
    demo::DemoOptions options;
    options.operatorName = context.operatorName;
    options.tell = [&context](const std::string &text) { context.err << visible(text, kToldColumns) << std::endl; };
    const auto text = arguments.valueOr("demo-speed", "1");
    char *end = nullptr;
    options.speed = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0' || !std::isfinite(options.speed) || options.speed < 1
        || options.speed > 1000)
        return Error{ErrorCode::BadInput, "--demo-speed is a number from 1 to 1000, not \"" + text + '"', {}};
    const auto seed = arguments.number("seed", 0, INT64_MAX);
    if (!seed)
        return seed.error();
    options.seed = static_cast<std::uint64_t>(seed->value_or(1));
    const auto until = arguments.number("until", 1, 86'400);
    if (!until)
        return until.error();
    if (*until)
        options.until = rules::seconds(**until);
    return options;
}

/// Without --store the demo has a store of its own, which goes with it: nobody's real fleet gets simulated agents.
Result<QString> demoStore(const Arguments &arguments, const Context &context, const QTemporaryDir &folder)
{
    if (arguments.has("store"))
        return storePath(arguments);
    const auto path = folder.filePath(QStringLiteral("demo/fleet.db"));
    store::InitOptions options;
    options.fleet = "demo";
    if (auto made = store::Store::init(path, options, context.clock->now()); !made)
        return made.error();
    return path;
}

/// Waits for the play's end, for Ctrl-C, or for the store to fail: then an Error.
Result<void> play(engine::Host &host, const demo::DemoOptions &options)
{
    std::mutex mutex;
    std::condition_variable ended;
    bool isOver = false;
    demo::DemoFleet fleet(host, options);
    auto started = fleet.start([&] {
        const std::lock_guard lock(mutex);
        isOver = true;
        ended.notify_all();
    });
    if (!started)
        return started;
    std::unique_lock lock(mutex);
    const auto isWritten = [&host] { return host.status().health == engine::StoreHealth::Writable; };
    while (!isOver && !LongWork::isCancelled() && isWritten())
        ended.wait_for(lock, std::chrono::milliseconds(100));
    lock.unlock();
    fleet.stop();
    return {};
}

std::string demoSummary(const rules::Fleet &fleet)
{
    std::string text = "\nThe demo is over: " + counted(fleet.seq.value, "event", "events") + ", "
        + counted(fleet.trips.size(), "active trip", "active trips") + ".\n";
    for (const auto &[id, trip] : fleet.trips)
        text += "  trip " + std::to_string(id.value) + "  " + visible(fleet.names(trip.agent)) + ": "
            + visible(rules::tripTitle(trip.subject, fleet.names)) + ", " + visible(rules::tripMeasured(trip)) + '\n';
    return text;
}

ExitCode runDemo(const Arguments &arguments, Context &context)
{
    const auto options = demoOptions(arguments, context);
    if (!options)
        return fail(context, arguments, options.error());
    const QTemporaryDir folder;
    const auto path = demoStore(arguments, context, folder);
    if (!path)
        return fail(context, arguments, path.error());
    engine::EmbeddedHostOptions hosting;
    hosting.storePath = *path;
    hosting.version = HANDRESET_VERSION;
    hosting.operatorName = context.operatorName;
    hosting.clock = context.clock;
    auto host = engine::EmbeddedHost::start(std::move(hosting));
    if (!host)
        return fail(context, arguments, host.error());
    if (auto refusal = refusalOf(**host, arguments))
        return fail(context, arguments, *refusal);
    if (auto whyNot = demo::whyNotHere(*engine::snapshotAndWait(**host)))
        return fail(context, arguments, *whyNot);
    if (!arguments.wantsJson())
        context.out << (arguments.has("store") ? ""
                                               : "A store of the demo's own, which goes with it. Ctrl-C ends it.\n")
                    << std::flush;
    Narrator narrator(context.out, !arguments.wantsJson());
    const LongWork work(context, "demo"); // Ctrl-C ends the play
    (*host)->follow(&narrator);
    const auto played = play(**host, *options);
    (*host)->unfollow(&narrator);
    if (!played)
        return fail(context, arguments, played.error());
    if (auto failed = refusalOf(**host, arguments)) {
        failed->message = "the demo ended early: " + failed->message;
        return fail(context, arguments, *failed);
    }
    const auto fleet = engine::snapshotAndWait(**host);
    JsonWriter json;
    json.text("store", arguments.has("store") ? path->toStdString() : "");
    json.flag("cancelled", LongWork::isCancelled());
    json.number("events", fleet->seq.value);
    json.number("agents", fleet->agents.size());
    json.number("active_trips", fleet->trips.size());
    answer(context, arguments, json, demoSummary(*fleet));
    return ExitCode::Done;
}

constexpr std::array kDiagramOptions{Option{"format", "F", "markdown (the default), graphviz or mermaid"},
                                     Option{"machine", "M", "breaker or latch; without it both"}};
constexpr std::array kDemoOptions{Option{"demo-speed", "X", "how much faster than life, 1 to 1000; 1 is the default"},
                                  Option{"seed", "N", "the same seed, the same pauses of each agent; 1 is the default"},
                                  Option{"until", "SECONDS", "ends after so much of the play's time"}};

constexpr std::array kVerbs{
    Verb{{"demo", "", 0, 0, kDemoOptions},
         "simulated agents that ask a host as any agent would; on a store of its own, or on --store",
         "store (empty: its own), cancelled, events, agents, active_trips",
         &runDemo},
    Verb{{"lesson", "", 0, 0, {}},
         "the two runs that explain a breaker",
         "reference, strict: each real_calls, runs [{run, before, after, failure_count, outcome, real_calls, …}]",
         &showLesson},
    Verb{{"diagram", "", 0, 0, kDiagramOptions},
         "the transition tables, as the engine has them",
         "format, breaker, latch: each the diagram's text",
         &drawDiagram},
};

} // namespace

std::span<const Verb> learnVerbs() noexcept
{
    return kVerbs;
}

} // namespace handreset::ctl

#include "model/feeds/import_runs.h"

#include "model/feeds/handover.h"
#include "model/feeds/recorded_commands.h"
#include "model/feeds/recorded_runs.h"
#include "model/rules/command.h"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <thread>
#include <unordered_map>
#include <utility>

namespace handreset::feeds {

using rules::Error;
using rules::ErrorCode;
using rules::Fleet;
using rules::RecordedLine;
using rules::Result;

namespace {

constexpr double kShareOfChecking = 0.25; ///< of the whole work, about as measured

Error cancelled(std::string what)
{
    return {ErrorCode::Cancelled, std::move(what), "import"};
}

/// An Error where the store holds this task already and its first line here does not follow: it would count twice.
std::optional<Error> heldAlready(const Fleet &fleet, const RecordedLine &line, const std::string &file)
{
    const rules::AgentId agent{fleet.names.find(rules::NameKind::Agent, line.agent)};
    if (!agent.isSet())
        return std::nullopt;
    const rules::TaskId task{fleet.names.find(rules::NameKind::Task, line.task, agent)};
    if (!task.isSet())
        return std::nullopt;
    const auto &held = fleet.task(task);
    if (!held.ended && line.time && *line.time > std::max(held.startedAt, held.lastAt))
        return std::nullopt;
    const auto name = "the store holds the task \"" + std::string(line.task) + "\" already";
    if (held.ended)
        return Error{ErrorCode::BadInput, name + ", to its end; import each file once, or into a store of its own",
                     file};
    return Error{ErrorCode::BadInput,
                 name
                     + " and these lines are not dated later than those: they would count twice; import each file "
                       "once, all files of a task in one import, or into a store of its own",
                 file};
}

/// An Error where two names are the same file.
Result<void> checkNamedOnce(const std::vector<std::string> &files)
{
    std::map<std::pair<dev_t, ino_t>, std::string> seen;
    for (const auto &file : files) {
        struct stat about {};
        if (::stat(file.c_str(), &about) != 0)
            continue; // reading it says why
        const auto [place, isNew] = seen.try_emplace({about.st_dev, about.st_ino}, file);
        if (!isNew)
            return Error{ErrorCode::BadInput, "is named twice, its lines would count twice: name each file once", file};
    }
    return {};
}

/// Reads every file to its end: what is wrong is found before anything is written.
class Check {
public:
    Check(const Fleet &fleet, const ImportOptions &options) : m_fleet(fleet), m_options(options) {}

    Result<void> file(const std::string &path, double before, double share)
    {
        auto runs = RecordedRuns::open(path);
        if (!runs)
            return runs.error();
        RecordedLine line;
        for (std::uint64_t count = 0;; ++count) {
            const auto more = (*runs)->next(line);
            if (!more)
                return more.error();
            if (!more.value())
                break;
            if (const auto tasks = m_tasks.count(); m_tasks.number(line.task, m_agents.number(line.agent)) > tasks) {
                if (auto held = heldAlready(m_fleet, line, path))
                    return *held;
            }
            const bool tells = m_options.progress && count % 4096 == 0;
            if (tells && !m_options.progress((before + share * (*runs)->share()) * kShareOfChecking))
                return cancelled("cancelled while the files were checked; nothing was written");
        }
        m_unknown.add((*runs)->unknownFields());
        return {};
    }
    [[nodiscard]] const UnknownFields &unknownFields() const noexcept { return m_unknown; }

private:
    const Fleet &m_fleet;
    const ImportOptions &m_options;
    rules::NameNumbers m_agents;
    rules::NameNumbers m_tasks;
    UnknownFields m_unknown;
};

/// What the reading thread hands over: some lines' commands, or why it had to stop.
struct Batch {
    std::vector<RecordedCommand> commands;
    std::uint64_t lines = 0;
    double share = 0;
    std::optional<Error> error;
};

/// The reading thread's work: lines to commands, batch by batch.
class Reading {
public:
    Reading(const std::vector<std::string> &files, Handover<Batch> &out) : m_files(files), m_out(out) {}

    void run()
    {
        try {
            readAll();
        } catch (const std::exception &fault) { // the thread's entry catches all and reports
            Batch last;
            last.error = Error{ErrorCode::Unavailable, std::string("reading failed: ") + fault.what(), "import"};
            static_cast<void>(m_out.put(std::move(last)));
        }
        m_out.close();
    }
    [[nodiscard]] const RecordedCommands &translator() const noexcept { return m_translator; } ///< after `run`
    [[nodiscard]] std::uint64_t lines() const noexcept { return m_lines; }

private:
    static constexpr std::size_t kCommandsPerBatch = 2048;

    void readAll()
    {
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            auto runs = RecordedRuns::open(m_files[i], m_lines);
            if (!runs)
                return stop(runs.error());
            if (!readFile(**runs, static_cast<double>(i)))
                return;
        }
        static_cast<void>(flush(1.0));
    }
    bool readFile(RecordedRuns &runs, double before)
    {
        RecordedLine line;
        for (;;) {
            const auto more = runs.next(line);
            if (!more) {
                stop(more.error());
                return false;
            }
            if (!more.value())
                return true;
            ++m_lines;
            ++m_batch.lines;
            m_translator.translate(line, m_batch.commands);
            if (m_batch.commands.size() < kCommandsPerBatch)
                continue;
            if (!flush((before + runs.share()) / static_cast<double>(m_files.size())))
                return false;
        }
    }
    bool flush(double share)
    {
        m_batch.share = share;
        const bool isWanted = m_out.put(std::move(m_batch));
        m_batch = {};
        m_batch.commands.reserve(kCommandsPerBatch + 2);
        return isWanted;
    }
    void stop(const Error &error)
    {
        m_batch.error = error;
        static_cast<void>(flush(0));
    }

    const std::vector<std::string> &m_files;
    Handover<Batch> &m_out;
    RecordedCommands m_translator;
    Batch m_batch;
    std::uint64_t m_lines = 0;
};

/// Runs commands through the rules and appends their events in transactions of some thousands.
class Judging {
public:
    Judging(store::Store &store, Fleet &fleet, std::size_t eventsPerBatch)
        : m_store(store), m_fleet(fleet), m_most(std::max<std::size_t>(eventsPerBatch, 1))
    {
        m_events.reserve(kEventsAhead + 16);
    }

    Result<void> take(RecordedCommand &recorded)
    {
        if (recorded.ofCall && !prepareResult(recorded))
            return {};
        rules::run(m_fleet, recorded.command, recorded.moment, m_step, &m_touched);
        if (const auto *error = std::get_if<Error>(&m_step.outcome)) {
            return Error{error->code, error->message,
                         "line " + std::to_string(recorded.line + 1)
                             + (error->context.empty() ? "" : ": " + error->context)};
        }
        for (auto &event : m_step.events) {
            m_trips += std::holds_alternative<rules::TripFired>(event.payload) ? 1 : 0;
            if (const auto *asked = std::get_if<rules::CallAsked>(&event.payload))
                m_open[recorded.line] = {rules::AskId{event.seq.value}, asked->identity};
            m_events.push_back(std::move(event));
        }
        if (m_events.size() >= kEventsAhead)
            writeAhead();
        if (std::holds_alternative<rules::EndTask>(recorded.command) && recorded.task <= m_results.size())
            m_results[recorded.task - 1] = {};
        return m_ahead + m_events.size() >= m_most ? append(store::Durability::Ordered) : Result<void>();
    }
    Result<void> append(store::Durability durability)
    {
        if (m_ahead + m_events.size() == 0)
            return {};
        if (auto done = m_store.append(m_events, m_fleet, m_touched, durability); !done)
            return done;
        m_count += m_ahead + m_events.size();
        m_ahead = 0;
        m_events.clear();
        m_touched.clear();
        return {};
    }
    [[nodiscard]] std::uint64_t events() const noexcept { return m_count; }
    [[nodiscard]] std::uint64_t trips() const noexcept { return m_trips; }

private:
    static constexpr std::size_t kEventsAhead = 256; ///< handed to the store while the judging goes on

    void writeAhead()
    {
        m_ahead += m_events.size();
        m_store.writeAhead(std::exchange(m_events, {}));
        m_events.reserve(kEventsAhead + 16);
    }

    struct Asked {
        rules::AskId ask;
        rules::Digest identity{};
    };
    using Results = std::vector<std::pair<rules::Digest, std::size_t>>; ///< of one task: what each call gave last

    /// Fills in whose result it is, and whether it differs from that of the same call before.
    bool prepareResult(RecordedCommand &recorded)
    {
        const auto asked = m_open.find(*recorded.ofCall);
        if (asked == m_open.end())
            return false;
        auto &finish = std::get<rules::FinishCall>(recorded.command);
        finish.ask = asked->second.ask;
        if (m_results.size() < recorded.task)
            m_results.resize(recorded.task);
        auto &results = m_results[recorded.task - 1];
        const auto same = std::find_if(results.begin(), results.end(),
                                       [&](const auto &one) { return one.first == asked->second.identity; });
        if (same == results.end()) {
            results.emplace_back(asked->second.identity, recorded.resultHash);
        } else {
            finish.changed = same->second != recorded.resultHash;
            same->second = recorded.resultHash;
        }
        m_open.erase(asked);
        return true;
    }

    store::Store &m_store;
    Fleet &m_fleet;
    const std::size_t m_most;
    rules::Step m_step;
    rules::Touched m_touched;
    std::vector<rules::Event> m_events;              ///< neither appended nor written ahead
    std::size_t m_ahead = 0;                         ///< how many are written ahead and not appended
    std::unordered_map<std::uint64_t, Asked> m_open; ///< calls without a result yet, by line
    std::vector<Results> m_results;
    std::uint64_t m_count = 0;
    std::uint64_t m_trips = 0;
};

/// Takes batches until the reading ends or something fails.
Result<void> judgeAll(Judging &judging, Handover<Batch> &handover, const ImportOptions &options)
{
    while (auto batch = handover.take()) {
        if (batch->error)
            return *batch->error;
        for (auto &command : batch->commands) {
            if (auto done = judging.take(command); !done)
                return done;
        }
        const auto share = kShareOfChecking + (1 - kShareOfChecking) * batch->share;
        if (options.progress && !options.progress(share)) {
            if (auto kept = judging.append(store::Durability::Synced); !kept)
                return kept;
            return cancelled("cancelled; " + std::to_string(judging.events())
                             + " events are in the store and stay: begin again with a new store");
        }
    }
    return judging.append(store::Durability::Synced);
}

Result<void> checkStore(const store::Store &store, const Fleet &fleet)
{
    if (store.isReadOnly())
        return Error{ErrorCode::Refused, "the store is opened read-only; open it for writing", "import"};
    if (fleet.recorded)
        return {};
    return Error{
        ErrorCode::Refused,
        "recorded runs go into a store of their own kind; make one with: handresetctl init --recorded --store PATH",
        "import"};
}

} // namespace

Result<ImportSummary> importRuns(store::Store &store, Fleet &fleet, const std::vector<std::string> &files,
                                 const ImportOptions &options)
{
    if (auto fit = checkStore(store, fleet); !fit)
        return fit.error();
    if (files.empty())
        return Error{ErrorCode::BadInput, "names no file; give the files of recorded runs", "import"};
    if (auto once = checkNamedOnce(files); !once)
        return once.error();
    Check check(fleet, options);
    const auto share = 1.0 / static_cast<double>(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (auto fine = check.file(files[i], static_cast<double>(i) * share, share); !fine)
            return fine.error();
    }

    Handover<Batch> handover(8);
    Reading reading(files, handover);
    Judging judging(store, fleet, options.eventsPerBatch);
    store.beginBulk();
    std::thread reader([&reading] { reading.run(); });
    auto judged = judgeAll(judging, handover, options);
    handover.abandon();
    reader.join();
    const auto ended = store.endBulk(fleet);
    if (!judged)
        return judged.error();
    if (!ended)
        return ended.error();

    const auto &translator = reading.translator();
    return ImportSummary{.lines = reading.lines(),
                         .agents = translator.agents(),
                         .tasks = translator.tasks(),
                         .events = judging.events(),
                         .trips = judging.trips(),
                         .resultsWithoutCall = translator.resultsWithoutCall(),
                         .unmeasuredTimes = translator.unmeasuredTimes(),
                         .linesWithoutTime = translator.linesWithoutTime(),
                         .unknownFields = check.unknownFields()};
}

} // namespace handreset::feeds

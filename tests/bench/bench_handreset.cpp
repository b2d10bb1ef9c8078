// Prints what Handreset does in a second, each figure beside a peer measured in the same run (the target `bench`).
// `--smoke` works on a few made-up tasks, once: it shows that the benchmark runs, not how fast anything is.
#include "model/feeds/import_runs.h"
#include "model/feeds/recorded_runs.h"
#include "model/feeds/text_lines.h"
#include "model/history/what_if.h"
#include "model/history/what_if_log.h"
#include "model/rules/breaker.h"
#include "model/rules/call_identity.h"
#include "model/rules/command.h"
#include "tests/bench/bare_table.h"
#include "tests/bench/corpus.h"
#include "tests/bench/measure.h"
#include "tests/support/temporary_store.h"

#include <QCoreApplication>
#include <QJsonDocument>

#include <cstring>
#include <map>
#include <memory>

using namespace handreset;
using bench::Corpus;
using bench::rateOf;
using bench::tell;

namespace {

constexpr std::size_t kEventsPerBatch = 5000;

struct Rounds {
    int quick = 5;
    int slow = 3;
};

/// Gunzip and find the line ends: the least that reading the file can be.
std::uint64_t scanLines(const std::string &file)
{
    auto lines = feeds::TextLines::open(file);
    std::string_view line;
    std::uint64_t count = 0;
    while (lines && (*lines)->next(line).value())
        ++count;
    return count;
}

template <class Taker>
std::uint64_t readRuns(const std::string &file, Taker take)
{
    auto runs = feeds::RecordedRuns::open(file);
    rules::RecordedLine line;
    std::uint64_t count = 0;
    for (; runs && (*runs)->next(line).value(); ++count)
        take(line);
    return count;
}

void benchReading(const Corpus &corpus, Rounds rounds)
{
    const auto peer = rateOf(rounds.quick, [&] { return scanLines(corpus.file); });
    const auto parsed = rateOf(rounds.quick, [&] { return readRuns(corpus.file, [](const auto &) {}); });
    tell("read recorded runs", "lines/s", parsed, "gunzip and find line ends", peer);
    const auto judged = rateOf(rounds.quick, [&] {
        history::WhatIf whatIf(corpus.policy, {});
        const auto lines = readRuns(corpus.file, [&](const auto &line) { whatIf.take(line); });
        return whatIf.finish().ok() ? lines : 0;
    });
    tell("what-if from the file", "lines/s", judged, "gunzip and find line ends", peer);
    const auto enforced = rateOf(rounds.slow, [&] {
        history::WhatIf whatIf(corpus.policy, {false, {}});
        const auto lines = readRuns(corpus.file, [&](const auto &line) { whatIf.take(line); });
        return whatIf.finish().ok() ? lines : 0;
    });
    tell("what-if, refusing", "lines/s", enforced, "gunzip and find line ends", peer);
}

/// The lines' bytes into a bare table, some thousands a transaction, on the disk at the end.
std::uint64_t insertLines(const Corpus &corpus, const QString &path)
{
    bench::BareTable table(path.toStdString());
    auto lines = feeds::TextLines::open(corpus.file);
    std::string_view line;
    std::uint64_t count = 0;
    table.begin();
    while (lines && (*lines)->next(line).value()) {
        table.insert(line);
        if (++count % kEventsPerBatch == 0) {
            table.commit(false);
            table.begin();
        }
    }
    table.commit(true);
    return count;
}

/// A recorded store under the corpus's policy.
struct Recorded {
    tests::TemporaryStore place{store::InitOptions{.fleet = "bench", .recorded = true}};
    store::Store &store = place.open();
    rules::Fleet fleet;

    explicit Recorded(const history::TriedPolicy &policy)
    {
        fleet = std::move(store.load()).value();
        rules::ApplyPolicy apply;
        apply.text = policy.text;
        apply.file = policy.file;
        apply.policy = policy.policy;
        apply.by = "bench";
        apply.reason = "the benchmark's policy";
        rules::Step step;
        rules::Touched touched;
        rules::run(fleet, apply, {.now = tests::kStart}, step, &touched);
        if (!store.append(step.events, fleet, touched, store::Durability::Synced))
            qFatal("the policy was not kept");
    }
};

void benchImport(const Corpus &corpus, Rounds rounds)
{
    const auto peer = rateOf(rounds.slow, [&] {
        const QTemporaryDir folder;
        return insertLines(corpus, folder.filePath(QStringLiteral("bare.db")));
    });
    std::unique_ptr<Recorded> last;
    bench::Rate best;
    for (int round = 0; round < rounds.slow; ++round) {
        last.reset();
        last = std::make_unique<Recorded>(corpus.policy);
        const auto rate = rateOf(1, [&] {
            const auto done = feeds::importRuns(last->store, last->fleet, {corpus.file});
            return done ? done->lines : 0;
        });
        best = {std::max(best.wall, rate.wall), std::max(best.core, rate.core)};
    }
    tell("import, durable", "lines/s", best, "gunzip, bare insert of each line", peer);

    const QTemporaryDir folder;
    bench::BareTable table(folder.filePath(QStringLiteral("log.db")).toStdString());
    std::string payload;
    table.begin();
    const auto copied = last->store.read(rules::Seq{1}, last->store.lastSeq(), false, [&](const rules::Event &event) {
        payload.clear();
        rules::encodePayload(payload, event.payload);
        table.insert(payload);
        return true;
    });
    table.commit(false);
    const auto bare = rateOf(rounds.quick, [&] { return copied ? table.readAll() : 0; });
    const auto judged = rateOf(rounds.quick, [&] {
        const auto report = history::whatIfOfLog(last->store, {}, corpus.policy, {});
        return report ? report->events : 0;
    });
    tell("what-if from the store", "events/s", judged, "step over as many bare rows", bare);
}

void benchCanonical(const Corpus &corpus, Rounds rounds)
{
    const auto peer = rateOf(rounds.slow, [&] {
        std::uint64_t bytes = 0;
        for (const auto &text : corpus.arguments)
            bytes += static_cast<std::uint64_t>(
                QJsonDocument::fromJson(QByteArray::fromStdString(text)).toJson(QJsonDocument::Compact).size());
        return bytes != 0 ? corpus.arguments.size() : 0;
    });
    const auto ours = rateOf(rounds.slow, [&] {
        std::uint64_t bytes = 0;
        for (const auto &text : corpus.arguments)
            bytes += rules::canonicalArguments(text).text.size();
        return bytes != 0 ? corpus.arguments.size() : 0;
    });
    tell("canonical form", "calls/s", ours, "QJsonDocument there and back", peer);
    const auto identity = rateOf(rounds.slow, [&] {
        std::uint64_t sum = 0;
        for (const auto &text : corpus.arguments)
            sum += rules::identify("tool", text).digest[0];
        return sum != 0 ? corpus.arguments.size() : 0;
    });
    tell("identity of a call", "calls/s", identity, "QJsonDocument there and back", peer);
}

void benchDeciding(Rounds rounds, int calls)
{
    const auto peer = rateOf(rounds.quick, [&] {
        std::map<std::string, std::int64_t> counts;
        for (int i = 0; i < calls; ++i)
            ++counts["tool-" + std::to_string(i % 100)];
        return counts.size() == 100 ? static_cast<std::uint64_t>(calls) : 0;
    });
    const auto table = rateOf(rounds.quick, [&] {
        rules::Breaker breaker;
        rules::BreakerPolicy policy;
        policy.cooldownCalls = 2;
        for (int i = 0; i < calls; ++i) {
            const rules::AskId call{static_cast<std::uint64_t>(i) + 1};
            const auto event = i % 2 == 0 ? rules::BreakerEvent::Ask : rules::BreakerEvent::Success;
            const auto &row = rules::decideBreaker(breaker, {event, call, breaker.generation}, policy, {i});
            rules::applyBreaker(breaker, row, {.now = {}, .call = call, .by = {}, .reason = {}, .cooldownCalls = 2});
        }
        return breaker.state == rules::BreakerState::Closed ? static_cast<std::uint64_t>(calls) : 0;
    });
    tell("decide one breaker", "events/s", table, "count in a std::map of 100 names", peer);
    const auto whole = rateOf(rounds.slow, [&] {
        rules::Fleet fleet;
        rules::Step step;
        rules::Moment moment{.now = tests::kStart};
        rules::run(fleet, rules::CreateStore{std::string(32, '0'), "bench", false, true}, moment, step);
        rules::AskCall ask;
        ask.agent = "agent";
        for (int i = 0; i < calls; ++i) {
            ask.task = "task-" + std::to_string(i / 20);
            ask.tool = "tool-" + std::to_string(i % 100);
            ask.arguments = "{\"row\":" + std::to_string(i) + "}";
            moment.now = {moment.now.wall + rules::milliseconds(1), moment.now.steady + rules::milliseconds(1)};
            rules::run(fleet, ask, moment, step);
            const auto *decision = std::get_if<rules::Decision>(&step.outcome);
            if (decision == nullptr || !decision->allow)
                return std::uint64_t{0};
            rules::run(fleet, rules::FinishCall{decision->id, "agent", {}, {}, {}}, moment, step);
        }
        return static_cast<std::uint64_t>(calls);
    });
    tell("ask, judge, apply, finish", "calls/s", whole, "count in a std::map of 100 names", peer);
}

void benchAppending(Rounds rounds, int batches)
{
    tests::TemporaryStore place;
    tests::Life life(place.open());
    std::string bytes;
    std::uint64_t events = 0;
    const auto ours = rateOf(rounds.slow, [&] {
        const auto before = life.fleet().seq.value;
        for (int batch = 0; batch < batches; ++batch) {
            while (life.waiting() < kEventsPerBatch) {
                rules::AskStep ask;
                ask.agent = "agent-" + std::to_string(life.waiting() % 50);
                ask.task = "task-" + std::to_string(life.fleet().seq.value / 20);
                ask.model = "model";
                life.pass(rules::milliseconds(5));
                life.decide(ask);
            }
            if (!life.write())
                return std::uint64_t{0};
        }
        events = life.fleet().seq.value - before;
        return events;
    });
    std::vector<std::string> payloads;
    for (std::size_t i = 0; i < life.written().size() && payloads.size() < kEventsPerBatch; ++i) {
        bytes.clear();
        rules::encodePayload(bytes, life.written()[i].payload);
        payloads.push_back(bytes);
    }
    const auto peer = rateOf(rounds.slow, [&] {
        const QTemporaryDir folder;
        bench::BareTable table(folder.filePath(QStringLiteral("bare.db")).toStdString());
        for (int batch = 0; batch < batches; ++batch) {
            table.begin();
            for (const auto &payload : payloads)
                table.insert(payload);
            table.commit(false);
        }
        return static_cast<std::uint64_t>(batches) * payloads.size();
    });
    tell("decide and append", "events/s", ours, "bare insert of the same payloads", peer);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv); // the SQL drivers are found through it
    const bool isSmoke = argc > 1 && std::strcmp(argv[1], "--smoke") == 0;
    if (argc > 1 && !isSmoke) {
        std::fprintf(stderr, "bench_handreset [--smoke]\n");
        return 2;
    }
    const Rounds rounds = isSmoke ? Rounds{1, 1} : Rounds{};
    const QTemporaryDir folder;
    const auto corpus = bench::makeCorpus(folder, isSmoke ? 60 : 0);
    std::printf("on %s: %llu lines; the best of %d or %d rounds\n", corpus.origin.c_str(),
                static_cast<unsigned long long>(corpus.lines), rounds.quick, rounds.slow);
    bench::tellHeading();
    benchReading(corpus, rounds);
    benchImport(corpus, rounds);
    benchCanonical(corpus, rounds);
    benchDeciding(rounds, isSmoke ? 2000 : 200'000);
    benchAppending(rounds, isSmoke ? 1 : 20);
    return 0;
}

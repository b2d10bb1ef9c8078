// Recorded runs go into a recorded store whole or not at all, and the log then says what the files said.
#include "model/feeds/import_runs.h"
#include "model/feeds/recorded_runs.h"
#include "model/history/what_if.h"
#include "model/history/what_if_log.h"
#include "tests/support/policy_files.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_store.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <random>
#include <string>
#include <sys/stat.h>
#include <vector>
#include <zlib.h>

using namespace handreset;
using feeds::ImportOptions;
using feeds::importRuns;
using rules::Decimal;
using rules::Fleet;

namespace {

const store::InitOptions kRecorded{.fleet = "recorded", .recorded = true};

/// A store, its fleet, and what is put into them.
struct Bench {
    tests::TemporaryStore place;
    store::Store *store;
    Fleet fleet;

    explicit Bench(store::InitOptions options = kRecorded) : place(options), store(&place.open())
    {
        auto loaded = store->load();
        if (!loaded)
            qFatal("%s", loaded.error().message.c_str());
        fleet = std::move(*loaded);
    }
    void apply(const std::string &policy)
    {
        rules::ApplyPolicy command;
        command.text = policy;
        command.file = "test.toml";
        command.policy = tests::policyFrom(policy);
        command.by = "tester";
        command.reason = "for this test alone";
        rules::Moment moment;
        moment.now = tests::kStart;
        rules::Step step;
        rules::Touched touched;
        rules::run(fleet, command, moment, step, &touched);
        if (!store->append(step.events, fleet, touched, store::Durability::Synced))
            qFatal("the policy was not kept");
    }
    /// The fold of the log from its first event.
    Fleet folded(rules::Seq last = rules::Seq{~0ULL}) const
    {
        Fleet fleetOfLog;
        const auto done = store->read(rules::Seq{1}, last, false, [&](const rules::Event &event) {
            return rules::apply(fleetOfLog, event).ok();
        });
        if (!done)
            qFatal("%s", done.error().message.c_str());
        return fleetOfLog;
    }
};

std::string call(const std::string &task, const std::string &args, const std::string &id = {})
{
    return R"({"ts":null,"agent":"a","task":")" + task + R"(","kind":"tool_call","tool":"get","args":)" + args
        + (id.empty() ? "" : R"(,"call":")" + id + "\"") + "}\n";
}

std::string result(const std::string &task, const std::string &text, bool ok = true, const std::string &id = {})
{
    return R"({"ts":null,"agent":"a","task":")" + task + R"(","kind":"tool_result","tool":"get","ok":)"
        + (ok ? "true" : "false") + R"(,"result":")" + text + "\"" + (id.empty() ? "" : R"(,"call":")" + id + "\"") + "}\n";
}

std::string step(const std::string &task, const std::string &ts = "null", const std::string &more = {})
{
    return R"({"ts":)" + ts + R"(,"agent":"a","task":")" + task + R"(","kind":"model_call","model":"m")" + more + "}\n";
}

std::string end(const std::string &task)
{
    return R"({"ts":null,"agent":"a","task":")" + task + R"(","kind":"task_end","ok":true,"x":{"score":1}})" "\n";
}

} // namespace

class TestImport : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    std::string write(const std::string &text)
    {
        QFile file(m_folder.filePath(QStringLiteral("runs%1.ndjson").arg(++m_files)));
        if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) != qint64(text.size()))
            qFatal("cannot write");
        return file.fileName().toStdString();
    }

private Q_SLOTS:
    void whatTheLinesSayStandsInTheFleet();
    void resultsFindTheirCalls();
    void undatedLinesSayThatTheyAreNotMeasured();
    void nothingIsRefusedInARecordedStore();
    void aBadLineLeavesTheStoreAsItWas();
    void aLiveStoreIsRefused();
    void aFileComesInOnce();
    void aTaskGoesOnOnlyWithLaterLines();
    void damageBehindAGoodMemberLeavesTheStoreAsItWas();
    void aPipeIsRefused();
    void cancelledWhileCheckingLeavesNothing();
    void cancelledLaterKeepsWhatItSays();
    void manyFilesAreOneImport();
    void windowsAreRightWhateverTheOrderOfLines();
    void theLogJudgesAsTheFileDoes_data();
    void theLogJudgesAsTheFileDoes();
    void theSharedCostsAreTheFilesOwn();
    void theSharedRunsComeInWhole();
};

void TestImport::whatTheLinesSayStandsInTheFleet()
{
    Bench bench;
    const auto file = write(step("t", "1000000", R"(,"cost_usd":0.25,"tokens_in":10,"tokens_out":0)") + call("t", "{}")
                            + result("t", "x") + end("t"));
    const auto summary = importRuns(*bench.store, bench.fleet, {file});
    QVERIFY2(summary.ok(), summary.ok() ? "" : summary.error().message.c_str());
    QCOMPARE(summary->lines, 4U);
    QCOMPARE(summary->agents, 1U);
    QCOMPARE(summary->tasks, 1U);
    QCOMPARE(summary->unmeasuredTimes, 3U);
    QCOMPARE(summary->linesWithoutTime, 0U);
    QCOMPARE(bench.store->lastSeq().value, bench.fleet.seq.value);
    const auto &agent = bench.fleet.agent(rules::AgentId{1});
    QCOMPARE(agent.steps, 1);
    QCOMPARE(agent.calls, 1);
    QCOMPARE(agent.cost, *Decimal::parse("0.25"));
    QCOMPARE(agent.tokensIn, 10);
    const auto &task = bench.fleet.task(rules::TaskId{1});
    QVERIFY(task.ended);
    QCOMPARE(task.outcome, std::string("ok"));
    QVERIFY(encodeFleet(bench.folded()) == encodeFleet(bench.fleet));
    const auto verified = bench.store->verify({});
    QVERIFY(verified.ok() && verified->clean());
}

void TestImport::resultsFindTheirCalls()
{
    Bench bench;
    const auto file = write(call("t", "[1]") + call("t", "[2]") + call("u", "[1]") // without ids: by order in the task
                            + result("u", "u1") + result("t", "one", false) + result("t", "two")
                            + call("t", "[1]", "c9") + call("t", "[3]", "c7") + result("t", "three", true, "c7")
                            + result("t", "one", true, "c9") + call("t", "[1]") + result("t", "other")
                            + result("t", "nobody's"));
    const auto summary = importRuns(*bench.store, bench.fleet, {file});
    QVERIFY2(summary.ok(), summary.ok() ? "" : summary.error().message.c_str());
    QCOMPARE(summary->resultsWithoutCall, 1U);
    std::map<std::uint64_t, std::string> arguments; // by ask
    std::vector<std::pair<std::string, rules::CallFinished>> results;
    const auto done = bench.store->read(rules::Seq{1}, rules::Seq{~0ULL}, true, [&](const rules::Event &event) {
        if (std::holds_alternative<rules::CallAsked>(event.payload))
            arguments[event.seq.value] = event.arguments;
        if (const auto *finished = std::get_if<rules::CallFinished>(&event.payload))
            results.emplace_back(arguments.at(finished->ask.value), *finished);
        return true;
    });
    QVERIFY(done.ok());
    const std::vector<std::string> expected{"[1]", "[1]", "[2]", "[3]", "[1]", "[1]"};
    QCOMPARE(results.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(results[i].first, expected[i]);
    QVERIFY(results[1].second.outcome == rules::CallOutcome::Failure);
    QVERIFY(!results[1].second.changed.has_value());
    QVERIFY(results[4].second.changed == false);
    QVERIFY(results[5].second.changed == true);
}

void TestImport::undatedLinesSayThatTheyAreNotMeasured()
{
    Bench bench;
    const auto file = write(step("t", "1000000") + step("t") + step("u"));
    QVERIFY(importRuns(*bench.store, bench.fleet, {file}).ok());
    std::vector<std::pair<std::optional<rules::Instant>, bool>> times;
    const auto done = bench.store->read(rules::Seq{1}, rules::Seq{~0ULL}, false, [&](const rules::Event &event) {
        if (const auto *asked = std::get_if<rules::StepAsked>(&event.payload))
            times.emplace_back(event.sourceTime, asked->timeMeasured);
        return true;
    });
    QVERIFY(done.ok());
    QCOMPARE(times.size(), 3U);
    QVERIFY(times[0].first == rules::Instant{1'000'000} && times[0].second);
    QVERIFY(times[1].first == rules::Instant{1'000'000} && !times[1].second);
    QVERIFY(!times[2].first && !times[2].second);
}

void TestImport::nothingIsRefusedInARecordedStore()
{
    Bench bench;
    std::string text;
    for (int i = 0; i < 40; ++i)
        text += step("t");
    for (int i = 0; i < 5; ++i)
        text += call("t", "{}");
    const auto summary = importRuns(*bench.store, bench.fleet, {write(text)});
    QVERIFY(summary.ok());
    QCOMPARE(summary->trips, 2U); // steps at the 26th, repetition at the third equal call
    QCOMPARE(bench.fleet.agent(rules::AgentId{1}).refused, 0);
    QCOMPARE(bench.fleet.agent(rules::AgentId{1}).steps, 40);
    QVERIFY(bench.fleet.queue.empty());
}

void TestImport::aBadLineLeavesTheStoreAsItWas()
{
    Bench bench;
    std::string text;
    for (int i = 0; i < 20'000; ++i) // far more than one transaction
        text += step("t");
    const auto before = bench.store->lastSeq();
    const auto file = write(text + R"({"ts":null,"agent":"a","task":"t","kind":"model_call","cost_usd":-1})" "\n");
    const auto summary = importRuns(*bench.store, bench.fleet, {write(text), file});
    QVERIFY(!summary.ok());
    QVERIFY(summary.error().code == rules::ErrorCode::BadInput);
    QCOMPARE(summary.error().context, file + ":20001: cost_usd");
    QVERIFY(bench.store->lastSeq() == before);
    QCOMPARE(bench.fleet.agents.size(), 0U);
}

void TestImport::aLiveStoreIsRefused()
{
    Bench bench(store::InitOptions{});
    const auto summary = importRuns(*bench.store, bench.fleet, {write(step("t"))});
    QVERIFY(!summary.ok());
    QVERIFY(summary.error().code == rules::ErrorCode::Refused);
    QVERIFY(summary.error().message.find("--recorded") != std::string::npos);
    QVERIFY(!importRuns(*bench.store, bench.fleet, {}).ok());
}

void TestImport::aFileComesInOnce()
{
    Bench bench;
    const auto file = write(step("t") + end("t"));
    QVERIFY(importRuns(*bench.store, bench.fleet, {file}).ok());
    const auto before = bench.store->lastSeq();
    const auto again = importRuns(*bench.store, bench.fleet, {file});
    QVERIFY(!again.ok());
    QVERIFY(again.error().code == rules::ErrorCode::BadInput);
    QVERIFY(bench.store->lastSeq() == before);
    const auto twice = write(step("v"));
    const auto linked = m_folder.filePath(QStringLiteral("linked.ndjson"));
    QVERIFY(QFile::link(QString::fromStdString(twice), linked));
    for (const auto &other : {twice, linked.toStdString()}) {
        const auto both = importRuns(*bench.store, bench.fleet, {twice, other});
        QVERIFY(!both.ok());
        QVERIFY(both.error().message.find("named twice") != std::string::npos);
    }
    QVERIFY(bench.store->lastSeq() == before);
}

void TestImport::aTaskGoesOnOnlyWithLaterLines()
{
    Bench bench;
    const auto file = write(step("t", "1000") + step("t", "2000") + step("t", "1500"));
    const auto undated = write(step("u"));
    QVERIFY(importRuns(*bench.store, bench.fleet, {file, undated}).ok());
    const auto before = bench.store->lastSeq();
    for (const auto &again : {file, undated, write(step("t")), write(step("t", "1500"))}) {
        const auto told = importRuns(*bench.store, bench.fleet, {again});
        QVERIFY(!told.ok());
        QVERIFY(told.error().code == rules::ErrorCode::BadInput);
        QVERIFY2(told.error().message.find("count twice") != std::string::npos, told.error().message.c_str());
        QVERIFY(bench.store->lastSeq() == before);
    }
    QVERIFY(importRuns(*bench.store, bench.fleet, {write(step("t", "3000"))}).ok()); // goes on in a second file
    QVERIFY(importRuns(*bench.store, bench.fleet, {write(step("w")), write(step("w"))}).ok()); // and in one import
    QCOMPARE(bench.fleet.agent(rules::AgentId{1}).steps, 7);
}

void TestImport::damageBehindAGoodMemberLeavesTheStoreAsItWas()
{
    Bench bench;
    const auto path = m_folder.filePath(QStringLiteral("damaged.gz"));
    gzFile packed = gzopen(QFile::encodeName(path).constData(), "wb");
    const auto text = step("t") + step("t");
    gzwrite(packed, text.data(), unsigned(text.size()));
    gzclose(packed);
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append));
    file.write(QByteArray::fromStdString(step("t")));
    file.close();
    const auto before = bench.store->lastSeq();
    const auto told = importRuns(*bench.store, bench.fleet, {path.toStdString()});
    QVERIFY(!told.ok());
    QVERIFY(told.error().code == rules::ErrorCode::BadInput);
    QVERIFY(told.error().message.find("damaged or cut off behind line 2") != std::string::npos);
    QVERIFY(bench.store->lastSeq() == before);
}

void TestImport::aPipeIsRefused()
{
    Bench bench;
    const auto path = m_folder.filePath(QStringLiteral("pipe"));
    QCOMPARE(mkfifo(QFile::encodeName(path).constData(), 0600), 0);
    const auto told = importRuns(*bench.store, bench.fleet, {path.toStdString()});
    QVERIFY(!told.ok());
    QVERIFY(told.error().code == rules::ErrorCode::BadInput);
    QVERIFY(told.error().message.find("no plain file") != std::string::npos);
}

void TestImport::cancelledWhileCheckingLeavesNothing()
{
    Bench bench;
    const auto before = bench.store->lastSeq();
    ImportOptions options;
    options.progress = [](double) { return false; };
    const auto summary = importRuns(*bench.store, bench.fleet, {write(step("t"))}, options);
    QVERIFY(!summary.ok());
    QVERIFY(summary.error().code == rules::ErrorCode::Cancelled);
    QVERIFY(bench.store->lastSeq() == before);
}

void TestImport::cancelledLaterKeepsWhatItSays()
{
    Bench bench;
    std::string text;
    for (int i = 0; i < 30'000; ++i)
        text += step("t");
    double last = 0;
    bool rises = true;
    ImportOptions options;
    options.progress = [&](double share) {
        rises = rises && share >= last && share <= 1.0;
        last = share;
        return share < 0.5;
    };
    const auto summary = importRuns(*bench.store, bench.fleet, {write(text)}, options);
    QVERIFY(!summary.ok());
    QVERIFY(summary.error().code == rules::ErrorCode::Cancelled);
    QVERIFY(rises);
    QVERIFY(bench.store->lastSeq() == bench.fleet.seq);
    QVERIFY(bench.fleet.agent(rules::AgentId{1}).steps > 0);
    QVERIFY(bench.fleet.agent(rules::AgentId{1}).steps < 30'000);
    QVERIFY(encodeFleet(bench.folded()) == encodeFleet(bench.fleet));
}

void TestImport::manyFilesAreOneImport()
{
    Bench bench;
    const auto summary = importRuns(*bench.store, bench.fleet, {write(step("t")), write(""), write(step("u") + step("u"))});
    QVERIFY(summary.ok());
    QCOMPARE(summary->lines, 3U);
    QCOMPARE(summary->tasks, 2U);
}

void TestImport::windowsAreRightWhateverTheOrderOfLines()
{
    const auto at
        = [](int hour, int second) { return std::to_string((std::int64_t{hour} * 3600 + second) * 1'000'000); };
    const auto failed = R"(,"ok":false,"error":"timeout")";
    std::string steps;
    for (int i = 0; i < 4; ++i)
        steps += step("t1", at(10, i));
    steps += step("t2", at(11, 0)) + step("t3", at(12, 0));
    for (int i = 0; i < 4; ++i)
        steps += step("t4", at(10, 100 + i));
    std::string calls;
    for (int i = 0; i < 3; ++i)
        calls += step("p1", at(100, i), failed);
    calls += step("p2", at(101, 0)) + step("p3", at(103, 0)) + step("p4", at(100, 3), failed);

    Bench bench;
    bench.apply("schema = 1\n[defaults]\nsteps = { limit = 25, per_agent = { window = \"1h\", limit = 5 } }\n"
                "provider = { allowed_fails = 3 }\n");
    QVERIFY(importRuns(*bench.store, bench.fleet, {write(steps), write(calls)}).ok());
    std::vector<std::string> tasks;
    for (const auto &[id, trip] : bench.fleet.trips)
        tasks.push_back(bench.fleet.names(trip.task) + ' ' + std::string(rules::toWord(trip.subject.signal)));
    QCOMPARE(tasks, (std::vector<std::string>{"t4 steps", "p4 provider"}));
    QVERIFY(rules::encodeFleet(bench.folded()) == rules::encodeFleet(bench.fleet));
    const auto verified = bench.store->verify({});
    QVERIFY(verified.ok());
    QVERIFY2(verified->clean(), verified->clean() ? "" : verified->findings.front().c_str());
}

void TestImport::theLogJudgesAsTheFileDoes_data()
{
    QTest::addColumn<QString>("runs");
    QTest::addColumn<QString>("policy");
    QTest::newRow("agentdyn") << QStringLiteral("agentdyn_undefended") << QStringLiteral("agentdyn");
    QTest::newRow("airline") << QStringLiteral("taubench_airline") << QStringLiteral("airline");
}

/// The asks that an import kept give the same firsts under a policy as the lines themselves: another policy was in
/// force when they came in.
void TestImport::theLogJudgesAsTheFileDoes()
{
    QFETCH(QString, runs);
    QFETCH(QString, policy);
    const auto file = tests::sharedFile(QStringLiteral("data/runs/%1.ndjson.gz").arg(runs));
    const auto policyFile = tests::sharedFile(QStringLiteral("data/policy/%1.toml").arg(policy));
    if (file.isEmpty() || policyFile.isEmpty())
        QSKIP("the shared runs are not beside this project");
    Bench bench;
    QVERIFY(importRuns(*bench.store, bench.fleet, {file.toStdString()}).ok());
    const auto text = tests::textOf(policyFile);
    const history::TriedPolicy tried{tests::policyFrom(text), text, "test.toml", {}};
    const auto ofLog = history::whatIfOfLog(*bench.store, {}, tried, {});
    QVERIFY2(ofLog.ok(), ofLog.ok() ? "" : ofLog.error().message.c_str());
    history::WhatIf whatIf(tried, {});
    auto lines = feeds::RecordedRuns::open(file.toStdString());
    rules::RecordedLine line;
    while ((*lines)->next(line).value())
        whatIf.take(line);
    const auto ofFile = whatIf.finish();
    QCOMPARE(ofLog->tasks.size(), ofFile->tasks.size());
    QVERIFY(ofLog->counts() == ofFile->counts());
    for (std::size_t i = 0; i < ofFile->tasks.size(); ++i) {
        QCOMPARE(ofLog->tasks[i].name, ofFile->tasks[i].name);
        for (std::size_t kind = 0; kind < history::kTripKinds; ++kind)
            QCOMPARE(ofLog->tasks[i].first[kind] == history::kNever, ofFile->tasks[i].first[kind] == history::kNever);
    }
}

void TestImport::theSharedCostsAreTheFilesOwn()
{
    const auto file = tests::sharedFile(QStringLiteral("data/runs/anyagent_cost.ndjson.gz"));
    if (file.isEmpty())
        QSKIP("the shared runs are not beside this project");
    std::map<std::string, Decimal> costs;
    auto runs = feeds::RecordedRuns::open(file.toStdString());
    rules::RecordedLine line;
    while ((*runs)->next(line).value())
        costs[std::string(line.agent)] += line.costUsd.value_or(Decimal{});
    Bench bench;
    QVERIFY(importRuns(*bench.store, bench.fleet, {file.toStdString()}).ok());
    QCOMPARE(costs.size(), 7U);
    QCOMPARE(costs.at("any-agent/google"), *Decimal::parse("0.0002509"));
    QCOMPARE(bench.fleet.agents.size(), 7U);
    for (const auto &[agent, cost] : costs) {
        const rules::AgentId id{bench.fleet.names.find(rules::NameKind::Agent, agent)};
        QCOMPARE(bench.fleet.agent(id).cost, cost);
    }
}

/// Under the runs' own policy: verify clean, and the state at random places equal to a fold from the start.
void TestImport::theSharedRunsComeInWhole()
{
    const auto file = tests::sharedFile(QStringLiteral("data/runs/agentdyn_undefended.ndjson.gz"));
    const auto policyFile = tests::sharedFile(QStringLiteral("data/policy/agentdyn.toml"));
    if (file.isEmpty() || policyFile.isEmpty())
        QSKIP("the shared runs are not beside this project");
    Bench bench;
    bench.apply(tests::textOf(policyFile));
    QElapsedTimer timer;
    timer.start();
    const auto summary = importRuns(*bench.store, bench.fleet, {file.toStdString()});
    QVERIFY2(summary.ok(), summary.ok() ? "" : summary.error().message.c_str());
    qInfo("%llu lines in %lld ms", static_cast<unsigned long long>(summary->lines), timer.elapsed());
    QCOMPARE(summary->lines, 146222U);
    QCOMPARE(summary->tasks, 6771U);
    QCOMPARE(summary->agents, 10U);
    const auto verified = bench.store->verify({});
    QVERIFY(verified.ok());
    QVERIFY2(verified->clean(), verified->findings.empty() ? "" : verified->findings.front().c_str());

    constexpr int places = 100;
    std::mt19937_64 random(20261130);
    std::vector<std::uint64_t> wanted;
    for (int i = 0; i < places; ++i)
        wanted.push_back(random() % bench.store->lastSeq().value + 1);
    std::sort(wanted.begin(), wanted.end());
    Fleet folded;
    std::size_t next = 0;
    std::vector<std::string> expected;
    const auto done = bench.store->read(rules::Seq{1}, rules::Seq{~0ULL}, false, [&](const rules::Event &event) {
        if (!rules::apply(folded, event))
            return false;
        for (; next < wanted.size() && wanted[next] == event.seq.value; ++next)
            expected.push_back(rules::toHex(rules::sha256(encodeFleet(folded))));
        return next < wanted.size();
    });
    QVERIFY(done.ok());
    QCOMPARE(expected.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto asOf = bench.store->asOf(rules::Seq{wanted[i]});
        QVERIFY2(asOf.ok(), asOf.ok() ? "" : asOf.error().message.c_str());
        QCOMPARE(rules::toHex(rules::sha256(encodeFleet(*asOf))), expected[i]);
    }
}

QTEST_GUILESS_MAIN(TestImport)
#include "tst_import.moc"

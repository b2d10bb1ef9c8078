// What-if judges recorded runs by the rules alone, index by index; and lets an operator compare policies and groups.
#include "model/feeds/recorded_runs.h"
#include "model/history/what_if.h"
#include "tests/support/policy_files.h"
#include "tests/support/shared_data.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <string>
#include <vector>

using namespace handreset;
using history::LabelGroup;
using history::TriedPolicy;
using history::TripKind;
using history::WhatIf;
using history::WhatIfReport;

namespace {

TriedPolicy tried(const std::string &text)
{
    return {tests::policyFrom(text), text, "test.toml", {}};
}

template <class Taker>
void feed(Taker &taker, const QString &path)
{
    auto runs = feeds::RecordedRuns::open(path.toStdString());
    if (!runs)
        qFatal("%s", runs.error().message.c_str());
    rules::RecordedLine line;
    for (;;) {
        const auto more = (*runs)->next(line);
        if (!more)
            qFatal("%s: %s", more.error().context.c_str(), more.error().message.c_str());
        if (!more.value())
            return;
        taker.take(line);
    }
}

LabelGroup group(const char *text)
{
    auto parsed = history::parseLabelGroup(text);
    if (!parsed)
        qFatal("%s", parsed.error().message.c_str());
    return *parsed;
}

QJsonObject objectOf(const std::string &json)
{
    QJsonParseError error;
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(json), &error);
    if (!document.isObject())
        qFatal("no JSON object: %s", qPrintable(error.errorString()));
    return document.object();
}

/// Lines of a made-up run, and what a policy says of them.
class Story {
public:
    Story &line(const std::string &rest)
    {
        m_text += R"({"agent":"a",)" + rest + "}\n";
        return *this;
    }
    Story &start(const std::string &task, const std::string &ts = "null", const std::string &x = {})
    {
        return line(head(task, ts) + R"("kind":"task_start")" + (x.empty() ? "" : ",\"x\":" + x));
    }
    Story &step(const std::string &task, const std::string &more = {}, const std::string &ts = "null")
    {
        return line(head(task, ts) + R"("kind":"model_call","model":"m")" + (more.empty() ? "" : "," + more));
    }
    Story &call(const std::string &task, const std::string &tool, const std::string &args, const std::string &ts = "null")
    {
        return line(head(task, ts) + R"("kind":"tool_call","tool":")" + tool + R"(","args":)" + args);
    }
    Story &result(const std::string &task, const std::string &tool, bool ok, const std::string &ts = "null")
    {
        return line(head(task, ts) + R"("kind":"tool_result","tool":")" + tool + R"(","ok":)" + (ok ? "true" : "false"));
    }

    WhatIfReport judge(const std::string &policy, bool observe = true, std::vector<LabelGroup> groups = {}) const
    {
        WhatIf whatIf(tried(policy), {observe, std::move(groups)});
        feedTo(whatIf);
        auto report = whatIf.finish();
        if (!report)
            qFatal("%s", report.error().message.c_str());
        return *report;
    }
    template <class Taker>
    void feedTo(Taker &taker) const
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("story.ndjson")));
        if (!file.open(QIODevice::WriteOnly) || file.write(m_text.data(), qint64(m_text.size())) < 0)
            qFatal("cannot write");
        file.close();
        feed(taker, file.fileName());
    }

private:
    static std::string head(const std::string &task, const std::string &ts)
    {
        return R"("task":")" + task + R"(","ts":)" + ts + ",";
    }
    std::string m_text;
};

std::uint64_t first(const WhatIfReport &report, const std::string &task, TripKind kind)
{
    for (const auto &one : report.tasks) {
        if (one.name == task)
            return one.first[static_cast<std::size_t>(kind)];
    }
    qFatal("no task %s", task.c_str());
}

const std::string kBase = "schema = 1\nundeclared = \"write\"\n[defaults]\nsteps = { limit = 3 }\n";
const std::string kMoney = kBase + R"(
envelope = { reaches = "task" }
[tools.pay]
access = "write"
value = { pointer = "/amount", currency = "USD", max = "500" }
destination = { pointer = "/to", allow = ["me"] }
volume = { per = "task", calls = 2, value = "1000" }
)";

} // namespace

class TestWhatIf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void windowsAreRightWhateverTheOrderOfLines();
    void theTextNamesTasksAndEvents();
    void stepsFireOnTheAskAfterTheLimit();
    void repetitionFiresOnTheNthEqualCall();
    void everyCapIsToldApart();
    void amountsThatCannotBeEvaluatedAreOutside_data();
    void amountsThatCannotBeEvaluatedAreOutside();
    void spendFiresOnTheLineThatFillsTheWindow();
    void undatedTasksHaveNoWindows();
    void undatedLinesTakeTheTimeOfTheirTask();
    void providerCountsOverTasksWithinAMinute();
    void tasksOfOneNameAreToldApart();
    void countsOmitWhatNeverFired();
    void enforcedRunsPreventWhatComesAfter();
    void enforcedDegradedTasksMayRead();
    void groupsCountByLabels();
    void groupsThatAreNoGroupsAreRefused_data();
    void groupsThatAreNoGroupsAreRefused();
    void aSweepTriesSeveralLimits();
    void sharedRunsAgreeIndexByIndex_data();
    void sharedRunsAgreeIndexByIndex();
    void theSharedGroupsSayWhatTheNumbersSay();
    void theSharedSweepAgrees();
};

void TestWhatIf::windowsAreRightWhateverTheOrderOfLines()
{
    const auto at
        = [](int hour, int second) { return std::to_string((std::int64_t{hour} * 3600 + second) * 1'000'000); };
    Story steps;
    for (int i = 0; i < 4; ++i)
        steps.step("t1", {}, at(10, i));
    steps.step("t2", {}, at(11, 0)).step("t3", {}, at(12, 0));
    for (int i = 0; i < 4; ++i)
        steps.step("t4", {}, at(10, 100 + i));
    const auto ofSteps
        = steps.judge("schema = 1\n[defaults]\nsteps = { limit = 25, per_agent = { window = \"1h\", limit = 5 } }\n");
    QCOMPARE(ofSteps.tasks.at(3).first[std::size_t(history::TripKind::Steps)], 7U);
    QCOMPARE(ofSteps.counts()[std::size_t(history::TripKind::Steps)], 1U);

    const auto failed = R"("ok":false,"error":"timeout")";
    Story calls;
    for (int i = 0; i < 3; ++i)
        calls.step("p1", failed, at(100, i));
    calls.step("p2", {}, at(101, 0)).step("p3", {}, at(103, 0)).step("p4", failed, at(100, 3));
    const auto ofCalls
        = calls.judge("schema = 1\n[defaults]\nsteps = { limit = 25 }\nprovider = { allowed_fails = 3 }\n");
    QCOMPARE(ofCalls.tasks.at(3).first[std::size_t(history::TripKind::Provider)], 5U);
}

void TestWhatIf::theTextNamesTasksAndEvents()
{
    Story story;
    for (int i = 0; i < 25; ++i) {
        const auto task = "task\\n" + std::to_string(i);
        story.step(task).step(task).step(task);
    }
    const auto text = history::whatIfText(story.judge("schema = 1\n[defaults]\nsteps = { limit = 2 }\n"));
    QVERIFY2(text.find("task␊0: steps at 2\n") != std::string::npos, text.c_str());
    QVERIFY2(text.find("task␊19: steps at 59\n") != std::string::npos, text.c_str());
    QVERIFY2(text.find("task␊20") == std::string::npos, text.c_str());
    QVERIFY2(text.find("and 5 more") != std::string::npos, text.c_str());
}

void TestWhatIf::stepsFireOnTheAskAfterTheLimit()
{
    Story story;
    story.start("t").step("t").step("t").start("u").step("t").step("u").step("t").step("t");
    const auto report = story.judge(kBase);
    QCOMPARE(first(report, "t", TripKind::Steps), 6U);
    QCOMPARE(first(report, "u", TripKind::Steps), history::kNever);
    QCOMPARE(report.events, 8U);
    QCOMPARE(report.tasks.size(), 2U);
}

void TestWhatIf::repetitionFiresOnTheNthEqualCall()
{
    Story story;
    story.call("t", "get", R"({"a":1,"b":2})").step("t").call("t", "get", R"({"b":2.0, "a":1e0})").result("t", "get", true);
    story.call("t", "get", R"({ "a":1,"b":2})"); // index 4: the third
    story.call("u", "get", "[1]").call("u", "put", "[1]").call("u", "get", "[1]").call("u", "get", "[2]");
    const auto report = story.judge(kBase);
    QCOMPARE(first(report, "t", TripKind::Repetition), 4U);
    QCOMPARE(first(report, "u", TripKind::Repetition), history::kNever);
}

void TestWhatIf::everyCapIsToldApart()
{
    Story story;
    story.call("t", "pay", R"({"amount":500.00,"to":"me"})");   // 0: fine
    story.call("t", "pay", R"({"amount":500.01,"to":"me"})");   // 1: value; sum 1000.01: volume_value
    story.call("t", "pay", R"({"amount":1,"to":"you"})");       // 2: destination; third call: volume_calls
    story.call("u", "pay", R"({"amount":1,"to":"me"})");
    const auto report = story.judge(kMoney);
    QCOMPARE(first(report, "t", TripKind::EnvelopeValue), 1U);
    QCOMPARE(first(report, "t", TripKind::EnvelopeVolumeValue), 1U);
    QCOMPARE(first(report, "t", TripKind::EnvelopeDestination), 2U);
    QCOMPARE(first(report, "t", TripKind::EnvelopeVolumeCalls), 2U);
    QCOMPARE(first(report, "u", TripKind::EnvelopeValue), history::kNever);
}

void TestWhatIf::amountsThatCannotBeEvaluatedAreOutside_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::newRow("text") << QStringLiteral(R"({"amount":"1000000","to":"me"})");
    QTest::newRow("words") << QStringLiteral(R"({"amount":"all of it","to":"me"})");
    QTest::newRow("object") << QStringLiteral(R"({"amount":{"f":[]},"to":"me"})");
    QTest::newRow("null") << QStringLiteral(R"({"amount":null,"to":"me"})");
    QTest::newRow("missing") << QStringLiteral(R"({"to":"me"})");
    QTest::newRow("negative") << QStringLiteral(R"({"amount":-1,"to":"me"})");
    QTest::newRow("names twice") << QStringLiteral(R"({"amount":1,"amount":2,"to":"me"})");
}

void TestWhatIf::amountsThatCannotBeEvaluatedAreOutside()
{
    QFETCH(QString, arguments);
    Story story;
    story.call("t", "pay", arguments.toStdString());
    story.call("t", "pay", R"({"amount":500,"to":"me"})").call("t", "pay", R"({"amount":500,"to":"me"})");
    const auto report = story.judge(kMoney);
    QCOMPARE(first(report, "t", TripKind::EnvelopeValue), 0U);
    QCOMPARE(first(report, "t", TripKind::EnvelopeVolumeCalls), 2U);              // it counts as a call,
    QCOMPARE(first(report, "t", TripKind::EnvelopeVolumeValue), history::kNever); // but adds 0
}

void TestWhatIf::spendFiresOnTheLineThatFillsTheWindow()
{
    const auto policy = kBase + "spend = [{ window = \"1h\", limit = \"1.00 USD\" }]\n";
    const std::string cost = R"("cost_usd":0.5)";
    Story story;
    story.step("t", cost, "0").step("u", cost, "60000000");           // 1: full
    story.step("t", R"("cost_usd":0)", "120000000");                  // 2: holds for t too
    story.step("v", cost, "3600000000").step("v", cost, "3599000000"); // 4: back in the first hour, which is full
    const auto report = story.judge(policy);
    QCOMPARE(first(report, "u", TripKind::Spend), 1U);
    QCOMPARE(first(report, "t", TripKind::Spend), 2U);
    QCOMPARE(first(report, "v", TripKind::Spend), 4U);
}

void TestWhatIf::undatedTasksHaveNoWindows()
{
    const auto policy = kBase + "spend = [{ window = \"1h\", limit = \"1.00 USD\" }]\n";
    Story story;
    story.start("t").step("t", R"("cost_usd":5)").step("t", R"("ok":false)").step("t", R"("ok":false)");
    story.step("t", R"("ok":false)").step("t", R"("ok":false)");
    const auto report = story.judge(policy);
    QCOMPARE(first(report, "t", TripKind::Spend), history::kNever);
    QCOMPARE(first(report, "t", TripKind::Provider), history::kNever);
    QCOMPARE(first(report, "t", TripKind::Steps), 4U);
}

void TestWhatIf::undatedLinesTakeTheTimeOfTheirTask()
{
    const auto policy = kBase + "spend = [{ window = \"1h\", limit = \"1.00 USD\" }]\n";
    Story story;
    story.start("t", "0").start("u", "7200000000").step("t", R"("cost_usd":0.9)").step("u", R"("cost_usd":0.9)");
    story.step("t", R"("cost_usd":0.1)");
    const auto report = story.judge(policy);
    QCOMPARE(first(report, "t", TripKind::Spend), 4U);
    QCOMPARE(first(report, "u", TripKind::Spend), history::kNever);
}

void TestWhatIf::providerCountsOverTasksWithinAMinute()
{
    const std::string failed = R"("ok":false)";
    Story story;
    story.step("t", failed, "0").step("u", failed, "30000000").step("v", failed, "59000000");
    story.step("w", failed, "61000000"); // the first is out of the minute
    story.step("x", failed, "62000000"); // 4: four within it
    const auto report = story.judge(kBase);
    for (const auto *task : {"t", "u", "v", "w"})
        QCOMPARE(first(report, task, TripKind::Provider), history::kNever);
    QCOMPARE(first(report, "x", TripKind::Provider), 4U);
}

void TestWhatIf::tasksOfOneNameAreToldApart()
{
    Story story;
    story.step("t").step("t").step("t").line(R"("agent2":1,"task":"u","ts":null,"kind":"model_call")");
    WhatIf whatIf(tried(kBase), {});
    rules::RecordedLine line;
    line.kind = rules::LineKind::ModelCall;
    line.task = "t";
    for (std::uint64_t i = 0; i < 8; ++i) {
        line.index = i;
        line.agent = i % 2 == 0 ? "a" : "b";
        whatIf.take(line);
    }
    const auto report = whatIf.finish();
    QCOMPARE(report->tasks.size(), 2U);
    QCOMPARE(first(*report, "a t", TripKind::Steps), 6U);
    QCOMPARE(first(*report, "b t", TripKind::Steps), 7U);
}

void TestWhatIf::countsOmitWhatNeverFired()
{
    Story story;
    story.start("t").step("t").step("t").step("t").step("t").start("u\\\"");
    const auto json = objectOf(history::whatIfJson(story.judge(kBase)));
    const QJsonObject expected{{QStringLiteral("counts"), QJsonObject{{QStringLiteral("steps"), 1}}},
                               {QStringLiteral("events"), 6},
                               {QStringLiteral("tasks"), 2},
                               {QStringLiteral("trips"),
                                QJsonObject{{QStringLiteral("t"), QJsonObject{{QStringLiteral("steps"), 4}}}}}};
    QCOMPARE(json, expected);
}

void TestWhatIf::enforcedRunsPreventWhatComesAfter()
{
    Story story;
    for (int i = 0; i < 6; ++i)
        story.step("t", {}, std::to_string(i));
    story.call("t", "pay", "{}", "7").step("u", {}, "8");
    const auto report = story.judge(kBase, false);
    QVERIFY(!report.observed);
    QCOMPARE(first(report, "t", TripKind::Steps), 3U);
    QCOMPARE(report.tasks[0].refused, 4U);   // the fourth step, two more, and the call
    QCOMPARE(report.tasks[0].prevented, 3U); // the fourth tripped; the rest never came
    QCOMPARE(report.tasks[1].refused, 0U);
    const auto json = objectOf(history::whatIfJson(report));
    QCOMPARE(json[QStringLiteral("refused")].toInt(), 4);
    QCOMPARE(json[QStringLiteral("prevented")].toInt(), 3);
    QVERIFY(history::whatIfText(report).find("4 asks refused, 3 of them") != std::string::npos);
}

void TestWhatIf::enforcedDegradedTasksMayRead()
{
    Story story;
    for (int i = 0; i < 3; ++i)
        story.call("t", "get", "{}", std::to_string(i)).result("t", "get", true, std::to_string(i));
    story.call("t", "get", "[]", "3").call("t", "put", "[]", "4");
    const auto report = story.judge(kBase + "[tools.get]\naccess = \"read\"\n", false);
    QCOMPARE(first(report, "t", TripKind::Repetition), 4U);
    QCOMPARE(report.refused(), 2U);   // the third equal call, and the write
    QCOMPARE(report.prevented(), 1U); // the write alone
}

void TestWhatIf::groupsCountByLabels()
{
    Story story;
    story.start("t", "null", R"({"attack":null,"user_task":"user_task_1"})").step("t").step("t").step("t").step("t");
    story.start("u", "null", R"({"attack":"x","user_task":"injection_1"})").step("u");
    story.line(R"("task":"u","ts":null,"kind":"task_end","x":{"security":true})");
    const auto report = story.judge(kBase, true,
                                    {group("harmless: attack=null, user_task^=user_task"),
                                     group("succeeded: attack!=null, security=true"), group("none: attack=y|z")});
    QCOMPARE(report.groups.size(), 3U);
    QCOMPARE(report.groups[0].name, std::string("harmless"));
    QCOMPARE(report.groups[0].tasks, 1U);
    QCOMPARE(report.groups[0].counts[static_cast<std::size_t>(TripKind::Steps)], 1U);
    QCOMPARE(report.groups[1].tasks, 1U);
    QCOMPARE(report.groups[1].counts[static_cast<std::size_t>(TripKind::Steps)], 0U);
    QCOMPARE(report.groups[2].tasks, 0U);
    const auto json = objectOf(history::whatIfJson(report))[QStringLiteral("groups")].toObject();
    QCOMPARE(json[QStringLiteral("harmless")][QStringLiteral("counts")][QStringLiteral("steps")].toInt(), 1);
}

void TestWhatIf::groupsThatAreNoGroupsAreRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("no name") << QStringLiteral("attack=null");
    QTest::newRow("empty name") << QStringLiteral(" : attack=null");
    QTest::newRow("no condition") << QStringLiteral("a:");
    QTest::newRow("no operator") << QStringLiteral("a: attack");
    QTest::newRow("no field") << QStringLiteral("a: =null");
}

void TestWhatIf::groupsThatAreNoGroupsAreRefused()
{
    QFETCH(QString, text);
    const auto parsed = history::parseLabelGroup(text.toStdString());
    QVERIFY(!parsed.ok());
    QVERIFY(parsed.error().message.find("for example") != std::string::npos);
}

void TestWhatIf::aSweepTriesSeveralLimits()
{
    Story story;
    story.start("t", "null", R"({"good":true})").start("u");
    for (int i = 0; i < 4; ++i)
        story.call("t", "get", "{}");
    story.call("u", "get", "{}").call("u", "get", "{}");
    history::RepetitionSweep sweep(tried(kBase), {2, 3, 4, 5}, {group("good: good=true")});
    story.feedTo(sweep);
    const auto rows = sweep.finish();
    QCOMPARE(rows.size(), 4U);
    const std::vector<std::uint64_t> all{2, 1, 1, 0};
    const std::vector<std::uint64_t> good{1, 1, 1, 0};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        QCOMPARE(rows[i].tasks, all[i]);
        QCOMPARE(rows[i].groups.at(0), good[i]);
    }
    const auto json = objectOf(history::sweepJson(rows, {group("good: good=true")}));
    QCOMPARE(json[QStringLiteral("sweep")][1][QStringLiteral("groups")][QStringLiteral("good")].toInt(), 1);
}

void TestWhatIf::sharedRunsAgreeIndexByIndex_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("policy");
    QTest::newRow("agentdyn") << QStringLiteral("agentdyn_undefended") << QStringLiteral("agentdyn");
    QTest::newRow("airline") << QStringLiteral("taubench_airline") << QStringLiteral("airline");
}

void TestWhatIf::sharedRunsAgreeIndexByIndex()
{
    QFETCH(QString, name);
    QFETCH(QString, policy);
    const auto runs = tests::sharedFile(QStringLiteral("data/runs/%1.ndjson.gz").arg(name));
    const auto policyFile = tests::sharedFile(QStringLiteral("data/policy/%1.toml").arg(policy));
    const auto answers = tests::sharedFile(QStringLiteral("data/expected/%1.json").arg(name));
    if (runs.isEmpty() || policyFile.isEmpty() || answers.isEmpty())
        QSKIP("the shared runs are not beside this project");
    WhatIf whatIf(tried(tests::textOf(policyFile)), {});
    feed(whatIf, runs);
    const auto found = objectOf(history::whatIfJson(*whatIf.finish()));
    const auto expected = objectOf(tests::textOf(answers));
    const auto foundTrips = found[QStringLiteral("trips")].toObject();
    const auto expectedTrips = expected[QStringLiteral("trips")].toObject();
    for (const auto &task : expectedTrips.keys())
        QVERIFY2(foundTrips[task] == expectedTrips[task], qPrintable(task));
    for (const auto &task : foundTrips.keys())
        QVERIFY2(expectedTrips.contains(task), qPrintable(task));
    QCOMPARE(found, expected);
}

void TestWhatIf::theSharedGroupsSayWhatTheNumbersSay()
{
    const auto runs = tests::sharedFile(QStringLiteral("data/runs/agentdyn_undefended.ndjson.gz"));
    const auto policy = tests::sharedFile(QStringLiteral("data/policy/agentdyn.toml"));
    if (runs.isEmpty() || policy.isEmpty())
        QSKIP("the shared runs are not beside this project");
    // Money is asked for the attacker by these injections.
    WhatIf whatIf(tried(tests::textOf(policy)),
                  {true,
                   {group("robbed: attack!=null, security=true, suite=dailylife, "
                          "injection=injection_task_0|injection_task_1|injection_task_2"),
                    group("robbed shopping: attack!=null, security=true, suite=shopping, injection=injection_task_4"),
                    group("harmless: attack=null, user_task^=user_task")}});
    feed(whatIf, runs);
    const auto report = whatIf.finish();
    const auto &groups = report->groups;
    const auto robbed = [&](TripKind kind) {
        return groups[0].counts[static_cast<std::size_t>(kind)] + groups[1].counts[static_cast<std::size_t>(kind)];
    };
    QCOMPARE(groups[0].tasks + groups[1].tasks, 190U);
    QCOMPARE(robbed(TripKind::EnvelopeDestination), 190U);
    QCOMPARE(robbed(TripKind::EnvelopeValue), 91U);
    QCOMPARE(groups[2].tasks, 600U);
    QCOMPARE(groups[2].counts[static_cast<std::size_t>(TripKind::EnvelopeDestination)], 2U);
    QCOMPARE(groups[2].counts[static_cast<std::size_t>(TripKind::EnvelopeValue)], 18U);
    QCOMPARE(groups[2].counts[static_cast<std::size_t>(TripKind::Repetition)], 9U);
}

void TestWhatIf::theSharedSweepAgrees()
{
    const auto runs = tests::sharedFile(QStringLiteral("data/runs/agentdyn_undefended.ndjson.gz"));
    const auto policy = tests::sharedFile(QStringLiteral("data/policy/agentdyn.toml"));
    if (runs.isEmpty() || policy.isEmpty())
        QSKIP("the shared runs are not beside this project");
    history::RepetitionSweep sweep(tried(tests::textOf(policy)), {2, 3, 4, 5, 10}, {group("no attack: attack=null")});
    feed(sweep, runs);
    const auto rows = sweep.finish();
    const std::vector<std::uint64_t> all{285, 103, 66, 38, 19};
    const std::vector<std::uint64_t> harmless{40, 13, 8, 5, 3};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        QCOMPARE(rows[i].tasks, all[i]);
        QCOMPARE(rows[i].groups.at(0), harmless[i]);
    }
}

QTEST_APPLESS_MAIN(TestWhatIf)
#include "tst_what_if.moc"

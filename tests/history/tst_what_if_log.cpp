// What-if over a live store's log: results that came later, sub-tasks, rows kept once, and what cannot be replayed.
#include "model/history/what_if_log.h"
#include "tests/support/policy_files.h"
#include "tests/support/temporary_store.h"

#include <QTest>

#include <string>
#include <vector>

using namespace handreset;
using history::TriedPolicy;
using history::TripKind;
using history::WhatIfReport;

namespace {

const std::string kLoose = "schema = 1\nundeclared = \"write\"\n[defaults]\nsteps = { limit = 1000 }\n"
                           "repetition = { limit = 100 }\n";
const std::string kTight = "schema = 1\nundeclared = \"write\"\n[defaults]\nsteps = { limit = 3 }\n";

TriedPolicy tried(const std::string &text)
{
    return {tests::policyFrom(text), text, "tried.toml", {}};
}

/// A live fleet that asks, and its log judged by another policy.
class Fleet {
public:
    Fleet() : m_life(m_place.open()) {}

    void apply(const std::string &policy)
    {
        rules::ApplyPolicy command;
        command.text = policy;
        command.file = "in_force.toml";
        command.policy = tests::policyFrom(policy);
        command.by = "tester";
        command.reason = "for this test alone";
        m_life.act(command);
    }
    rules::AskId step(const std::string &task, const std::string &parent = {})
    {
        rules::AskStep ask;
        ask.agent = "a";
        ask.task = task;
        ask.parent = parent;
        ask.model = "m";
        m_life.pass(rules::seconds(1));
        return tests::allowed(m_life.act(ask));
    }
    void finish(rules::AskId ask, const std::string &cost)
    {
        rules::StepReport report;
        report.cost = rules::Money{*rules::Decimal::parse(cost), "USD"};
        m_life.act(rules::FinishStep{ask, "a", report});
    }
    rules::AskId call(const std::string &task, const std::string &tool, const std::string &arguments)
    {
        m_life.pass(rules::seconds(1));
        return tests::allowed(m_life.act(rules::AskCall{"a", task, {}, {}, tool, arguments}));
    }
    void finishCall(rules::AskId ask, rules::CallOutcome outcome)
    {
        m_life.act(rules::FinishCall{ask, "a", outcome, {}, {}});
    }
    tests::Life &life() { return m_life; }
    WhatIfReport judge(const std::string &policy, bool observe = true, history::LogPeriod period = {})
    {
        auto report = history::whatIfOfLog(m_place.store(), period, tried(policy), {observe, {}});
        if (!report)
            qFatal("%s", report.error().message.c_str());
        return *report;
    }

private:
    tests::TemporaryStore m_place;
    tests::Life m_life;
};

bool fires(const WhatIfReport &report, const std::string &task, TripKind kind)
{
    for (const auto &one : report.tasks) {
        if (one.name == task)
            return one.first[static_cast<std::size_t>(kind)] != history::kNever;
    }
    qFatal("no task %s", task.c_str());
}

std::uint64_t notReplayed(const WhatIfReport &report, const std::string &beginning)
{
    for (const auto &[what, count] : report.notReplayed) {
        if (what.starts_with(beginning))
            return count;
    }
    return 0;
}

} // namespace

class TestWhatIfLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsCountOverSubTasks();
    void costsCountWhereTheyWereAsked();
    void rowsKeptOnceAreWholeAgain();
    void ignoredFieldsAreComparedAnew();
    void redactedAmountsAreNotEvaluable();
    void countedRefusalsAreTold();
    void aPeriodIsJudgedAlone();
    void enforcedOverTheLog();
    void neutralResultsOpenNoBreaker();
};

void TestWhatIfLog::stepsCountOverSubTasks()
{
    Fleet fleet;
    fleet.apply(kLoose);
    fleet.step("root");
    fleet.step("root");
    fleet.step("sub", "root");
    fleet.step("sub", "root"); // the fourth of the tree
    fleet.step("other");
    const auto report = fleet.judge(kTight);
    QVERIFY(fires(report, "root", TripKind::Steps));
    QVERIFY(!fires(report, "sub", TripKind::Steps)); // entered under the root
    QVERIFY(!fires(report, "other", TripKind::Steps));
    QVERIFY(report.recorded.empty());
}

void TestWhatIfLog::costsCountWhereTheyWereAsked()
{
    Fleet fleet;
    fleet.apply(kLoose);
    const auto asked = fleet.step("t");
    fleet.life().pass(rules::minutes(61)); // the next hour
    fleet.finish(asked, "0.60");
    fleet.finish(fleet.step("u"), "0.60");
    const auto tight = kTight + "spend = [{ window = \"1h\", limit = \"1.00 USD\" }]\nestimate = \"0.01 USD\"\n";
    QVERIFY(!fires(fleet.judge(tight), "u", TripKind::Spend));
    fleet.finish(fleet.step("v"), "0.40");
    const auto report = fleet.judge(tight);
    QVERIFY(fires(report, "v", TripKind::Spend));
    QVERIFY(!fires(report, "t", TripKind::Spend));
}

void TestWhatIfLog::rowsKeptOnceAreWholeAgain()
{
    Fleet fleet;
    fleet.apply(kLoose);
    for (int i = 0; i < 3; ++i)
        fleet.call("t", "pay", R"({"amount":300})");
    const auto report = fleet.judge(kTight + "envelope = { reaches = \"task\" }\n[tools.pay]\nvalue = { pointer = "
                                             "\"/amount\", currency = \"USD\", max = \"500\" }\n"
                                             "volume = { per = \"task\", value = \"800\" }\n");
    QVERIFY(!fires(report, "t", TripKind::EnvelopeValue)); // each is an amount of 300, though kept once
    QVERIFY(fires(report, "t", TripKind::EnvelopeVolumeValue));
    QVERIFY(fires(report, "t", TripKind::Repetition));
}

void TestWhatIfLog::ignoredFieldsAreComparedAnew()
{
    Fleet fleet;
    fleet.apply(kLoose);
    for (int i = 0; i < 3; ++i)
        fleet.call("t", "get", R"({"q":1,"id":)" + std::to_string(i) + "}");
    QVERIFY(!fires(fleet.judge(kTight), "t", TripKind::Repetition));
    QVERIFY(fires(fleet.judge(kTight + "[tools.get]\nrepetition = { ignore = [\"/id\"] }\n"), "t", TripKind::Repetition));
}

void TestWhatIfLog::redactedAmountsAreNotEvaluable()
{
    Fleet fleet;
    fleet.apply(kLoose + "[tools.pay]\nredact = [\"/amount\"]\n");
    fleet.call("t", "pay", R"({"amount":300})");
    const auto capped = kTight + "[tools.pay]\nvalue = { pointer = \"/amount\", currency = \"USD\", max = \"5\" }\n";
    for (const bool observe : {true, false}) {
        const auto report = fleet.judge(capped, observe);
        QVERIFY(!fires(report, "t", TripKind::EnvelopeValue));
        QCOMPARE(notReplayed(report, "calls whose amount or destination was redacted"), 1U);
    }
}

void TestWhatIfLog::countedRefusalsAreTold()
{
    Fleet fleet;
    fleet.apply(kLoose);
    fleet.step("t");
    rules::RefusalsCounted counted;
    counted.count = 7;
    fleet.life().act(rules::CountRefusals{rules::AgentId{1}, rules::TaskId{1}, counted});
    QCOMPARE(notReplayed(fleet.judge(kTight), "asks that a switch refused"), 7U);
}

void TestWhatIfLog::aPeriodIsJudgedAlone()
{
    Fleet fleet;
    fleet.apply("schema = 1\nundeclared = \"write\"\n[defaults]\nsteps = { limit = 3 }\n");
    for (int i = 0; i < 4; ++i)
        fleet.step("early"); // and trips
    fleet.apply(kLoose);
    for (int i = 0; i < 3; ++i)
        fleet.step("t");
    const auto middle = fleet.life().fleet().seq;
    QCOMPARE(fleet.judge(kTight).recorded.size(), std::size_t{1});
    for (int i = 0; i < 3; ++i)
        fleet.step("t");
    QVERIFY(fires(fleet.judge(kTight), "t", TripKind::Steps));
    const auto later = fleet.judge(kTight, true, {middle.next(), rules::Seq{~0ULL}});
    QVERIFY(!fires(later, "t", TripKind::Steps));
    QCOMPARE(later.events, 3U);
    QVERIFY(later.recorded.empty()); // of the period, as the events are
    QCOMPARE(later.tasks.size(), std::size_t{1});
    QCOMPARE(later.tasks.front().name, std::string("t"));
}

void TestWhatIfLog::enforcedOverTheLog()
{
    Fleet fleet;
    fleet.apply(kLoose);
    for (int i = 0; i < 6; ++i)
        fleet.finish(fleet.step("t"), "0.01");
    const auto report = fleet.judge(kTight, false);
    QVERIFY(fires(report, "t", TripKind::Steps));
    QCOMPARE(report.refused(), 3U);
    QCOMPARE(report.prevented(), 2U);
}

void TestWhatIfLog::neutralResultsOpenNoBreaker()
{
    Fleet fleet;
    fleet.apply(kLoose);
    for (int i = 0; i < 5; ++i)
        fleet.finishCall(fleet.call("t", "pay", "{\"n\":" + std::to_string(i) + "}"), rules::CallOutcome::Neutral);
    QCOMPARE(fleet.judge(kTight, false).refused(), 0U);
    for (int i = 5; i < 10; ++i)
        fleet.finishCall(fleet.call("t", "pay", "{\"n\":" + std::to_string(i) + "}"), rules::CallOutcome::Failure);
    QVERIFY(fleet.judge(kTight, false).refused() > 0U);
}

QTEST_GUILESS_MAIN(TestWhatIfLog)
#include "tst_what_if_log.moc"

// What the desk's session tells: every change arrives, the newest last; stale is told; acts go in three steps.
#include "model/live/desk_session.h"
#include "model/rules/policy_text.h"
#include "tests/live/fake_host.h"
#include "tests/support/policy_files.h"

#include <QSignalSpy>
#include <QTest>

#include <set>
#include <string>

using namespace handreset;
using namespace handreset::live;
using test::FakeHost;

namespace {

constexpr std::int64_t kNoon = 1'796'040'000'000'000; // 2026-11-30 12:00 UTC

struct Desk {
    engine::FakeClock clock{rules::Instant{kNoon}};
    FakeHost host{clock};
    DeskSession session{host, clock, QStringLiteral("ana")};

    Desk()
    {
        session.start();
        host.beat();
    }
    void step(const char *agent, const char *task, int times = 1)
    {
        for (int i = 0; i < times; ++i)
            host.decide(rules::AskStep{.agent = agent, .task = task, .session = {}, .parent = {}, .endpoint = {},
                                       .model = "large", .estimate = {}, .outcome = {}});
    }
    void call(const char *agent, const char *tool)
    {
        host.decide(rules::AskCall{.agent = agent,
                                   .task = "t-1",
                                   .session = {},
                                   .parent = {},
                                   .tool = tool,
                                   .arguments = std::to_string(++calls)});
    }
    int calls = 0; ///< each with arguments of its own: not a repetition
    /// 25 steps are allowed by the built-in policy; the 26th trips.
    rules::TripId tripSteps()
    {
        step("billing", "t-1", 26);
        return host.fleet().trips.begin()->first;
    }
};

QList<ActStage> stages(const QSignalSpy &spy, quint64 number)
{
    QList<ActStage> list;
    for (const auto &call : spy) {
        const auto act = call.first().value<ActState>();
        if (act.number == number)
            list.append(act.stage);
    }
    return list;
}

} // namespace

class TestFollower : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSnapshotFillsTheModels();
    void theNewestValueAlwaysArrives();
    void aTripIsAnnouncedOnce();
    void aTripThatGetsWorseIsAnnouncedAgain();
    void anActGoesInThreeSteps();
    void aRefusedActSaysWhy();
    void withoutAnEchoItIsUnconfirmed();
    void aStopIsTriedUntilItIsInForce();
    void silenceIsStale();
    void aFailingStoreIsNotFresh();
    void aLostCommitBringsANewSnapshot();
    void theSubjectFollowsTheFocus();
    void whatABreakerCanDoNextComesFromItsTable();
    void edgesAreCountedInTheShownSpanOnly();
    void theBreakerOnShowStays();
    void anIsolatedBreakerWithoutTrafficIsNoMystery();
};

void TestFollower::aSnapshotFillsTheModels()
{
    Desk desk;
    desk.step("billing", "t-1");
    desk.host.decide(rules::AskCall{.agent = "billing", .task = "t-1", .session = {}, .parent = {}, .tool = "lookup",
                                    .arguments = "{}"});
    QTRY_COMPARE(desk.session.agents().rowCount(), 1);
    QTRY_COMPARE(desk.session.breakers().rowCount(), 1);
    QCOMPARE(desk.session.agents().rowAt(0).name, QStringLiteral("billing"));
    QTRY_VERIFY(desk.session.events().rowCount() >= 4);
    QCOMPARE(desk.session.counts().agents, 1);
}

void TestFollower::theNewestValueAlwaysArrives()
{
    Desk desk;
    QTRY_COMPARE(desk.session.publishedSeq(), desk.host.fleet().seq);
    const QSignalSpy updates(&desk.session, &DeskSession::updated);
    for (int i = 0; i < 400; ++i)
        desk.step("support", qPrintable(QStringLiteral("t-%1").arg(i / 20)));
    QTRY_COMPARE(desk.session.publishedSeq(), desk.host.fleet().seq);
    QTRY_COMPARE(desk.session.agents().rowAt(0).steps, 400);
    QVERIFY2(updates.count() < 40, qPrintable(QString::number(updates.count())));
}

void TestFollower::aTripIsAnnouncedOnce()
{
    Desk desk;
    QTRY_VERIFY(desk.session.publishedSeq().isSet());
    const QSignalSpy appeared(&desk.session, &DeskSession::tripsAppeared);
    desk.tripSteps();
    desk.step("billing", "t-1", 3);
    QTRY_COMPARE(desk.session.trips().rowCount(), 1);
    QTRY_COMPARE(desk.session.publishedSeq(), desk.host.fleet().seq);
    QCOMPARE(appeared.count(), 1);
    const TripRow &row = desk.session.trips().rowAt(0);
    QCOMPARE(row.signal, rules::Signal::Steps);
    QCOMPARE(row.stage, TripStage::Unacknowledged);
    QCOMPARE(desk.session.agents().rowAt(0).worst(), rules::Rung::Open);
    QCOMPARE(desk.session.queue().rowCount(), 1);
}

void TestFollower::aTripThatGetsWorseIsAnnouncedAgain()
{
    Desk desk;
    const std::string text = R"(schema = 1
[defaults]
steps = { limit = 1000 }
repetition = { limit = 3 }
degraded_model = "small"
estimate = "0.05 USD"
spend = [{ window = "24h", limit = "1.00 USD", action = "degraded", overdraft = "0.20 USD" }]
)";
    auto reading = rules::readPolicy(text, "test.toml");
    QVERIFY(reading.accepted());
    desk.host.decide(rules::ApplyPolicy{text, "test.toml",
                                        std::make_shared<const rules::Policy>(std::move(*reading.policy)),
                                        rules::Zone{}, "ana", "for the test"});
    const auto spend = [&](const char *model, const char *cost) {
        const auto outcome = desk.host.decide(rules::AskStep{.agent = "billing",
                                                             .task = "t-1",
                                                             .session = {},
                                                             .parent = {},
                                                             .endpoint = {},
                                                             .model = model,
                                                             .estimate = {},
                                                             .outcome = {}});
        rules::StepReport report;
        report.cost = rules::Money{*rules::Decimal::parse(cost), "USD"};
        desk.host.decide(rules::FinishStep{std::get<rules::Decision>(outcome).id, "billing", report});
    };
    QTRY_VERIFY(desk.session.publishedSeq().isSet());
    const QSignalSpy appeared(&desk.session, &DeskSession::tripsAppeared);
    const QSignalSpy worsened(&desk.session, &DeskSession::tripsWorsened);
    spend("large", "1.00");
    QTRY_COMPARE(appeared.count(), 1);
    desk.session.acknowledge(desk.session.trips().rowAt(0).id);
    QTRY_COMPARE(desk.session.trips().rowAt(0).stage, TripStage::Acknowledged);
    QCOMPARE(worsened.count(), 0);
    spend("small", "0.20"); // the overdraft is used up: it opens
    QTRY_COMPARE(worsened.count(), 1);
    QCOMPARE(desk.session.trips().rowAt(0).stage, TripStage::Unacknowledged);
    QCOMPARE(desk.session.trips().rowAt(0).rung, rules::Rung::Open);
    QCOMPARE(appeared.count(), 1);
}

void TestFollower::anActGoesInThreeSteps()
{
    Desk desk;
    const rules::TripId trip = desk.tripSteps();
    QTRY_COMPARE(desk.session.trips().rowCount(), 1);
    const QSignalSpy acts(&desk.session, &DeskSession::actMoved);
    const quint64 number = desk.session.acknowledge(trip);
    QTRY_COMPARE(stages(acts, number), QList({ActStage::Requested, ActStage::Committed, ActStage::Confirmed}));
    QCOMPARE(desk.session.trips().rowAt(0).stage, TripStage::Acknowledged);
    QCOMPARE(desk.session.trips().rowAt(0).owner, QStringLiteral("ana"));
}

void TestFollower::aRefusedActSaysWhy()
{
    Desk desk;
    const rules::TripId trip = desk.tripSteps();
    QTRY_COMPARE(desk.session.trips().rowCount(), 1);
    const QSignalSpy acts(&desk.session, &DeskSession::actMoved);
    // Not acknowledged, no reason: a rule refuses it.
    const quint64 number = desk.session.rearm({.trip = trip, .revision = {}, .by = {}, .cause = {}, .reason = {}},
                                              QStringLiteral("re-arm"), rules::AgentId{1});
    QTRY_COMPARE(stages(acts, number), QList({ActStage::Requested, ActStage::Refused}));
    QVERIFY(!desk.session.act(number)->trouble.isEmpty());
    QCOMPARE(desk.session.trips().rowAt(0).stage, TripStage::Unacknowledged);
}

void TestFollower::withoutAnEchoItIsUnconfirmed()
{
    Desk desk;
    const rules::TripId trip = desk.tripSteps();
    QTRY_COMPARE(desk.session.trips().rowCount(), 1);
    const QSignalSpy acts(&desk.session, &DeskSession::actMoved);
    desk.host.holdCommits = true;
    const quint64 number = desk.session.acknowledge(trip);
    QTRY_COMPARE(stages(acts, number), QList({ActStage::Requested, ActStage::Committed}));
    desk.clock.advance(rules::seconds(6));
    QTRY_COMPARE(stages(acts, number).last(), ActStage::Unconfirmed);
    QCOMPARE(desk.session.trips().rowAt(0).stage, TripStage::Unacknowledged); // never painted on the commit alone
    desk.host.release();
    QTRY_COMPARE(stages(acts, number).last(), ActStage::Confirmed);
}

void TestFollower::aStopIsTriedUntilItIsInForce()
{
    Desk desk;
    desk.step("billing", "t-1");
    QTRY_COMPARE(desk.session.agents().rowCount(), 1);
    desk.host.unreachable = true;
    const quint64 number = desk.session.stop(desk.session.agents().rowAt(0), rules::Rung::Open);
    QTRY_VERIFY(desk.session.act(number)->trouble.startsWith(QStringLiteral("NOT in force")));
    QCOMPARE(desk.session.act(number)->stage, ActStage::Requested);
    desk.host.unreachable = false;
    QTRY_COMPARE(desk.session.act(number)->stage, ActStage::Confirmed);
    QTRY_COMPARE(desk.session.agents().rowAt(0).rung, rules::Rung::Open);
}

void TestFollower::silenceIsStale()
{
    Desk desk;
    QTRY_VERIFY(!desk.session.freshness().stale);
    desk.clock.advance(rules::seconds(6));
    QTRY_VERIFY(desk.session.freshness().stale);
    QVERIFY(desk.session.freshness().age >= rules::seconds(6));
    desk.host.beat();
    QTRY_VERIFY(!desk.session.freshness().stale);
}

void TestFollower::aFailingStoreIsNotFresh()
{
    Desk desk;
    QTRY_VERIFY(!desk.session.freshness().stale);
    desk.host.health = engine::StoreHealth::Failing;
    desk.host.trouble = "disk full";
    desk.clock.advance(rules::seconds(6));
    desk.host.beat();
    QTRY_VERIFY(!desk.session.freshness().writable());
    QTRY_VERIFY(desk.session.freshness().stale);
}

void TestFollower::aLostCommitBringsANewSnapshot()
{
    Desk desk;
    desk.step("billing", "t-1");
    QTRY_COMPARE(desk.session.agents().rowCount(), 1);
    desk.host.loseNext = true;
    desk.step("support", "t-2");
    desk.step("support", "t-2");
    QTRY_COMPARE(desk.session.agents().rowCount(), 2);
    QTRY_COMPARE(desk.session.publishedSeq(), desk.host.fleet().seq);
    QCOMPARE(desk.host.followed, 2);
}

void TestFollower::theSubjectFollowsTheFocus()
{
    Desk desk;
    desk.step("support", "t-9");
    desk.tripSteps();
    QTRY_COMPARE(desk.session.agents().rowCount(), 2);
    const AgentRow billing = desk.session.agents().rowAt(0);
    QCOMPARE(billing.name, QStringLiteral("billing"));
    desk.session.setFocus({.agent = billing.id, .breaker = {}});
    QVERIFY(!desk.session.subject());
    QTRY_VERIFY(desk.session.subject());
    const SubjectDetail &detail = *desk.session.subject();
    QCOMPARE(detail.agent.name, QStringLiteral("billing"));
    QCOMPARE(detail.trips.size(), std::size_t{1});
    QCOMPARE(detail.trips.front().grant, GrantKind::Steps);
    QVERIFY(!detail.trips.front().lastCalls.empty());
    QVERIFY(detail.matrix.size() >= 5);
    QCOMPARE(detail.queue.size(), std::size_t{1});
}

void TestFollower::whatABreakerCanDoNextComesFromItsTable()
{
    using Rows = std::set<std::uint8_t>;
    Desk desk;
    desk.call("billing", "lookup");
    QTRY_COMPARE(desk.session.breakers().rowCount(), 1);
    desk.session.setFocus({.agent = {}, .breaker = desk.session.breakers().rowAt(0).id});
    QTRY_VERIFY(desk.session.subject());
    // CLOSED, no failure yet: one more does not reach the threshold, so row 3 is not next.
    QCOMPARE(desk.session.subject()->breaker->possible, Rows({1, 2, 4, 5, 16, 20}));
    desk.host.decide(rules::ActOnBreaker{"lookup", {}, rules::BreakerEvent::Isolate, "ana", "it answers nonsense"});
    QTRY_VERIFY(desk.session.subject()->breaker->row.isolated);
    // Isolated: no call gets in, cooled down or not; only a release leads out.
    QCOMPARE(desk.session.subject()->breaker->possible, Rows({6, 16, 17, 20}));
    desk.host.decide(rules::ActOnBreaker{"lookup", {}, rules::BreakerEvent::Release, "ana", "it was mended"});
    QTRY_COMPARE(desk.session.subject()->breaker->row.state, rules::BreakerState::HalfOpen);
    QCOMPARE(desk.session.subject()->breaker->possible, Rows({9, 16, 19, 20}));
    desk.call("billing", "lookup");
    QTRY_VERIFY(desk.session.subject()->breaker->breaker.probe.isSet());
    QCOMPARE(desk.session.subject()->breaker->possible, Rows({10, 11, 12, 13, 15, 16, 19, 20}));
}

void TestFollower::edgesAreCountedInTheShownSpanOnly()
{
    Desk desk;
    desk.call("billing", "lookup");
    desk.call("billing", "lookup");
    QTRY_COMPARE(desk.session.breakers().rowCount(), 1);
    desk.session.setFocus({.agent = {}, .breaker = desk.session.breakers().rowAt(0).id});
    QTRY_VERIFY(desk.session.subject());
    QTRY_COMPARE(desk.session.subject()->breaker->taken[1], 2);
    desk.clock.advance(rules::minutes(10));
    desk.call("support", "lookup");
    QTRY_COMPARE(desk.session.subject()->breaker->taken[1], 3);
    desk.clock.advance(rules::minutes(8));
    desk.call("support", "lookup");
    QTRY_COMPARE(desk.session.subject()->breaker->taken[1], 2); // the first two are older than the lanes show
    QCOMPARE(desk.session.subject()->breaker->takenSince, desk.session.subject()->lanesUntil - kLanesShown);
}

void TestFollower::theBreakerOnShowStays()
{
    Desk desk;
    desk.call("billing", "lookup");
    QTRY_COMPARE(desk.session.agents().rowCount(), 1);
    desk.session.setFocus({.agent = desk.session.agents().rowAt(0).id, .breaker = {}});
    QTRY_VERIFY(desk.session.subject() && desk.session.subject()->breaker);
    QCOMPARE(desk.session.subject()->breaker->row.tool, QStringLiteral("lookup"));
    desk.call("billing", "send"); // later, and then the more urgent
    desk.host.decide(rules::ActOnBreaker{"send", {}, rules::BreakerEvent::Isolate, "ana", "it answers nonsense"});
    QTRY_COMPARE(desk.session.subject()->breakers.size(), std::size_t{2});
    QTRY_COMPARE(desk.session.subject()->breakers.front().tool, QStringLiteral("send"));
    QCOMPARE(desk.session.subject()->breaker->row.tool, QStringLiteral("lookup"));
    // Before the agent and the store were there, there is nothing to show.
    QCOMPARE(desk.session.subject()->lanes.front().knownFrom, rules::Instant{kNoon});
}

void TestFollower::anIsolatedBreakerWithoutTrafficIsNoMystery()
{
    Desk desk;
    const std::string policy = "schema = 1\n[defaults]\nsteps = { limit = 25 }\n[tools.lookup]\naccess = \"read\"\n"
                               "breaker = { scope = \"agent\", cooldown_seconds = 30 }\n";
    desk.host.decide(rules::ApplyPolicy{policy, "test.toml", tests::policyFrom(policy), rules::Zone{}, "ana", "for the test"});
    desk.call("billing", "lookup");
    // Every agent has a breaker of its own here: the one that holds them all has never an ask.
    desk.host.decide(rules::ActOnBreaker{"lookup", {}, rules::BreakerEvent::Isolate, "ana", "not for anybody"});
    QTRY_COMPARE(desk.session.breakers().rowCount(), 2);
    const BreakerModel &model = desk.session.breakers();
    const auto mark
        = [&](int row) { return model.index(row, BreakerModel::ToolColumn).data(KeyedTableModel::MarkRole).toInt(); };
    QVERIFY(model.rowAt(0).noTraffic && model.rowAt(0).isolated && !model.rowAt(0).isUnknown());
    QCOMPARE(model.rowAt(0).meaning, QStringLiteral("OPEN, isolated"));
    QCOMPARE(mark(0), static_cast<int>(KeyedTableModel::MarkIsolated));
    QCOMPARE(mark(1), static_cast<int>(KeyedTableModel::MarkClosed));
    desk.host.decide(rules::ActOnBreaker{"lookup", {}, rules::BreakerEvent::Release, "ana", "it may again"});
    desk.host.decide(rules::ActOnBreaker{"lookup", {}, rules::BreakerEvent::Reset, "ana", "it may again"});
    QTRY_VERIFY(model.rowAt(0).isUnknown() || model.rowAt(1).isUnknown());
    const int quiet = model.rowAt(0).isUnknown() ? 0 : 1;
    QCOMPARE(model.rowAt(quiet).meaning, QStringLiteral("no traffic"));
    QCOMPARE(mark(quiet), static_cast<int>(KeyedTableModel::MarkNoData));
}

QTEST_GUILESS_MAIN(TestFollower)
#include "tst_follower.moc"

#include "tests/engine/host_fixture.h"

#include "model/engine/time_zone.h"

#include <tuple>

using namespace handreset;
using engine::FakeClock;
using engine::SteadyLine;
using test::HostFixture;

namespace {

const std::string kDownTool = "[tools.book]\naccess = \"write\"\n"
                              "breaker = { failure_threshold = 1, cooldown_seconds = 30 }\n";

/// A breaker that opened just now.
void openBreaker(HostFixture &fleet)
{
    fleet.usePolicy(
        test::policyText("steps = { limit = 25 }\nspend = [{ window = \"24h\", limit = \"1.00 USD\" }]", kDownTool));
    const auto decision = fleet.call("book", R"({"n":1})");
    QVERIFY(decision.allow);
    fleet.finishCall(decision.id, rules::CallOutcome::Failure);
    QVERIFY(!fleet.call("book", R"({"n":2})").allow);
}

/// A trip of spend: held by the clock until midnight.
rules::TripId fillTheDay(HostFixture &fleet)
{
    const auto decision = fleet.step("spends");
    rules::StepReport report;
    report.cost = rules::Money{rules::Decimal(2), "USD"};
    fleet.send(rules::FinishStep{decision.id, "a1", report});
    const auto fleetNow = fleet.fleet();
    return fleetNow->trips.empty() ? rules::TripId{} : fleetNow->trips.begin()->first;
}

bool isActive(HostFixture &fleet, rules::TripId trip)
{
    const auto state = fleet.fleet();
    return state->trip(trip) != nullptr && state->trip(trip)->active();
}

} // namespace

class TestHostClock : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void steadyTimeRunsOnWithinOneBoot();
    void steadyTimeLeavesOutWhatAnotherBootCannotTell();
    void steadyTimeNeverGoesBack();
    void theSystemsClockRuns();
    void aCooldownDoesNotCountTheTimeOff();
    void aWallClockThatJumpsMovesNoCooldown_data();
    void aWallClockThatJumpsMovesNoCooldown();
    void aForwardJumpSuspendsTheClocksRearms();
    void aBackwardJumpEndsNothingAndTimesNeverGoBack();
    void aSmallDriftIsNoJump();
    void zonesAreFilledFromTheSystem();
};

void TestHostClock::steadyTimeRunsOnWithinOneBoot()
{
    FakeClock clock(test::kNoon, {5'000'000});
    rules::Fleet fleet;
    fleet.bootId = "boot-1";
    fleet.bootMicros = 3'000'000;
    fleet.bootSteady = {100'000'000};
    fleet.steady = {101'000'000};
    SteadyLine line(fleet, clock);
    QCOMPARE(line.now(clock).steady, rules::Steady{102'000'000}); // 2 s since the host that started at 100 s
    clock.advance(rules::seconds(7));
    QCOMPARE(line.now(clock).steady, rules::Steady{109'000'000});
}

void TestHostClock::steadyTimeLeavesOutWhatAnotherBootCannotTell()
{
    FakeClock clock(test::kNoon, {5'000'000});
    rules::Fleet fleet;
    fleet.bootId = "boot-1";
    fleet.bootMicros = 3'000'000;
    fleet.bootSteady = {100'000'000};
    fleet.steady = {101'000'000};
    clock.reboot("boot-2", rules::hours(9), {40'000'000});
    SteadyLine line(fleet, clock);
    QCOMPARE(line.now(clock).steady, rules::Steady{101'000'000});
    clock.advance(rules::seconds(1));
    QCOMPARE(line.now(clock).steady, rules::Steady{102'000'000});
}

void TestHostClock::steadyTimeNeverGoesBack()
{
    // The same boot id with an earlier boot time: a restored machine.
    FakeClock clock(test::kNoon, {1'000'000});
    rules::Fleet fleet;
    fleet.bootId = "boot-1";
    fleet.bootMicros = 3'000'000;
    fleet.bootSteady = {100'000'000};
    fleet.steady = {101'000'000};
    SteadyLine line(fleet, clock);
    QCOMPARE(line.now(clock).steady, rules::Steady{101'000'000});
    clock.jumpWall(rules::hours(-1));
    QCOMPARE(line.now(clock).steady, rules::Steady{101'000'000});
}

void TestHostClock::theSystemsClockRuns()
{
    const engine::SystemClock clock;
    const engine::SystemClock other;
    QVERIFY(!clock.bootId().empty());
    QCOMPARE(clock.bootId(), other.bootId());
    const auto first = clock.now();
    QVERIFY(first.wall > rules::Instant{1'700'000'000'000'000});
    QTRY_VERIFY(clock.now().steady > first.steady);
}

void TestHostClock::aCooldownDoesNotCountTheTimeOff()
{
    HostFixture fleet;
    fleet.start();
    openBreaker(fleet);
    fleet.pass(rules::seconds(20));
    QVERIFY(!fleet.call("book", R"({"n":2})").allow); // the log's last word before the machine goes off
    fleet.pass(rules::seconds(5));                    // what the log does not tell is not counted: later, never earlier
    fleet.stop();
    fleet.clock.reboot("boot-2", rules::hours(9));
    fleet.start();
    QVERIFY(!fleet.call("book", R"({"n":3})").allow);
    fleet.pass(rules::seconds(9));
    QVERIFY(!fleet.call("book", R"({"n":4})").allow);
    fleet.pass(rules::seconds(1));
    QVERIFY(fleet.call("book", R"({"n":5})").probe); // 20 s before and 10 s after; not nine hours, not 30 s again
}

void TestHostClock::aWallClockThatJumpsMovesNoCooldown_data()
{
    QTest::addColumn<int>("hours");
    QTest::newRow("a year forward") << 365 * 24;
    QTest::newRow("a year back") << -365 * 24;
    QTest::newRow("an hour forward") << 1;
    QTest::newRow("an hour back") << -1;
}

void TestHostClock::aWallClockThatJumpsMovesNoCooldown()
{
    QFETCH(int, hours);
    HostFixture fleet;
    fleet.start();
    openBreaker(fleet);
    fleet.pass(rules::seconds(10));
    fleet.clock.jumpWall(rules::hours(hours));
    QVERIFY(!fleet.call("book", R"({"n":3})").allow);
    QCOMPARE(fleet.count<rules::ClockJumped>(), 1UL);
    fleet.pass(rules::seconds(19));
    QVERIFY(!fleet.call("book", R"({"n":4})").allow);
    fleet.pass(rules::seconds(1));
    QVERIFY(fleet.call("book", R"({"n":5})").probe);
    QCOMPARE(fleet.count<rules::ClockJumped>(), 1UL);
    QCOMPARE(fleet.verifyStopped(), std::string());
}

void TestHostClock::aForwardJumpSuspendsTheClocksRearms()
{
    HostFixture fleet;
    fleet.start();
    openBreaker(fleet);
    const auto trip = fillTheDay(fleet);
    QVERIFY(trip.isSet());
    fleet.clock.jumpWall(rules::hours(365 * 24));
    fleet.pass(rules::minutes(2));
    QVERIFY(isActive(fleet, trip));
    QVERIFY(!fleet.fleet()->clockTrusted);
    fleet.restart(); // nor does a restart
    fleet.pass(rules::minutes(2));
    QVERIFY(isActive(fleet, trip));
    const auto confirmed = fleet.send(rules::ConfirmTime{"ana", "the clock was set right by hand"});
    QVERIFY(std::holds_alternative<rules::ActDone>(confirmed.outcome));
    fleet.tick();
    QVERIFY(!isActive(fleet, trip));
    QCOMPARE(fleet.verifyStopped(), std::string());
}

void TestHostClock::aBackwardJumpEndsNothingAndTimesNeverGoBack()
{
    HostFixture fleet;
    fleet.start();
    openBreaker(fleet);
    const auto trip = fillTheDay(fleet);
    fleet.clock.jumpWall(rules::hours(-365 * 24));
    fleet.pass(rules::minutes(2));
    fleet.step("after", "another");
    QVERIFY(isActive(fleet, trip));
    rules::Instant last;
    rules::Steady lastSteady;
    for (const auto &event : fleet.log()) {
        QVERIFY(event.ruleTime >= last);
        QVERIFY(event.steady >= lastSteady);
        last = event.ruleTime;
        lastSteady = event.steady;
    }
    QCOMPARE(fleet.verifyStopped(), std::string());
}

void TestHostClock::aSmallDriftIsNoJump()
{
    HostFixture fleet;
    fleet.start();
    openBreaker(fleet);
    const auto trip = fillTheDay(fleet);
    fleet.clock.jumpWall(rules::seconds(50));
    fleet.pass(rules::seconds(2));
    QCOMPARE(fleet.count<rules::ClockJumped>(), 0UL);
    QVERIFY(fleet.fleet()->clockTrusted);
    QVERIFY(isActive(fleet, trip));
    fleet.clock.advance(rules::hours(12)); // midnight comes as it should
    fleet.tick();
    QVERIFY(!isActive(fleet, trip));
}

void TestHostClock::zonesAreFilledFromTheSystem()
{
    QVERIFY(engine::zoneExists("UTC"));
    QVERIFY(!engine::zoneExists("Mars/Olympus"));
    QVERIFY(!engine::zoneNamed("Mars/Olympus").ok());
    const auto utc = engine::zoneNamed("UTC");
    QVERIFY(utc.ok());
    QVERIFY(utc->transitions.empty());
    if (!engine::zoneExists("Europe/Berlin"))
        QSKIP("no time zone database on this machine");
    const auto berlin = engine::zoneNamed("Europe/Berlin");
    QVERIFY(berlin.ok());
    for (const auto &[year, month, offset] : {std::tuple{2026, 1, 3'600}, std::tuple{2026, 7, 7'200}}) {
        const QDateTime at(QDate(year, month, 15), QTime(12, 0), Qt::UTC);
        QCOMPARE(berlin->offsetAt({at.toMSecsSinceEpoch() * 1'000}), offset);
    }
}

QTEST_GUILESS_MAIN(TestHostClock)
#include "tst_host_clock.moc"

// The breaker: a test per row of spec 2, and the faults that others met (cases 1 to 14).
#include "tests/support/fleet_driver.h"

#include <QTest>

using namespace handreset::rules;
using handreset::test::FleetDriver;

namespace {

constexpr std::string_view kPolicy = R"(
schema = 1
[defaults]
steps = { limit = 1000 }
repetition = { limit = 1000 }
spend = [{ window = "24h", limit = "1000.00 USD" }]
[tools.t]
access = "read"
breaker = { failure_threshold = 3, cooldown_calls = 2, cooldown_seconds = 30, probe_lease_seconds = 60 }
[tools.handmade]
access = "read"
breaker = { failure_threshold = 1, cooldown_seconds = 5, probe = "operator" }
)";

class Driver : public FleetDriver {
public:
    explicit Driver(std::string toolName = "t") : FleetDriver(kPolicy), tool(std::move(toolName)) {}
    std::string tool;

    Decision call() { return askCall("a", "task", tool, "{\"n\":" + std::to_string(++count) + "}"); }
    void fail() { finishCall("a", call().id, CallOutcome::Failure); }
    void open()
    {
        while (state() == BreakerState::Closed)
            fail();
    }
    void coolDown()
    {
        call();
        call();
        wait(seconds(31));
    }
    [[nodiscard]] const Breaker &breaker() const { return fleet.breaker(breakerKey(tool)); }
    [[nodiscard]] BreakerState state() const { return breaker().state; }
    bool operate(BreakerEvent event) { return done(ActOnBreaker{tool, {}, event, "ana", "the vendor says so"}); }
    int count = 0;
};

} // namespace

class TestBreaker : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRowDoesWhatItSays_data();
    void everyRowDoesWhatItSays();
    void closedAllowsAndSuccessClears();
    void thresholdOpensAndRejectsWithoutCounting();
    void bothCooldownsMustBeMet();
    void exactlyOneProbe();
    void probeSuccessCloses();
    void probeFailureReopensWithFreshCooldown();
    void everyWayToEndFreesTheProbe();
    void leaseEndsASilentProbe();
    void onlyTheProbeDecides();
    void lateSuccessMovesNothing();
    void failuresWhileOpenExtendNothing();
    void lookingIsPure();
    void operatorsProbeWaitsForOperator();
    void neutralProbeOfOperatorGoesBackCooledDown();
    void isolationAndRelease();
    void resetClears();
    void resetEndsTheProbesLease();
    void refusedActsMoveNothing();
    void refusedCallTakesNoProbe();
    void policyEditKeepsState();
    void restartKeepsState();
    void breakersAreApart();
};

namespace {


Breaker made(BreakerState state, std::int64_t failures, bool cooled, std::uint64_t probe)
{
    Breaker breaker;
    breaker.state = state;
    breaker.failureCount = failures;
    breaker.cooldownMet = cooled;
    breaker.probe = AskId{probe};
    breaker.generation = 7;
    return breaker;
}

} // namespace

Q_DECLARE_METATYPE(handreset::rules::Breaker)
Q_DECLARE_METATYPE(handreset::rules::BreakerInput)

void TestBreaker::everyRowDoesWhatItSays_data()
{
    using S = BreakerState;
    using E = BreakerEvent;
    QTest::addColumn<Breaker>("before");
    QTest::addColumn<BreakerInput>("input");
    QTest::addColumn<int>("probeBy");
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("to");
    QTest::addColumn<qlonglong>("failures");
    QTest::addColumn<qulonglong>("generation");
    const auto add = [](const char *name, const Breaker &before, const BreakerInput &input, int probeBy, int row, S to,
                        qlonglong failures, qulonglong generation) {
        QTest::newRow(name) << before << input << probeBy << row << static_cast<int>(to) << failures << generation;
    };
    auto isolated = made(S::Open, 3, false, 0);
    isolated.isolation = Isolation{OperatorId{1}, "r", {}};
    const AskId mine{5};
    add("1", made(S::Closed, 1, false, 0), {E::Ask, mine, 0}, 0, 1, S::Closed, 1, 7);
    add("2", made(S::Closed, 2, false, 0), {E::Success, mine, 7}, 0, 2, S::Closed, 0, 7);
    add("3", made(S::Closed, 2, false, 0), {E::Failure, mine, 7}, 0, 3, S::Open, 3, 8);
    add("4", made(S::Closed, 1, false, 0), {E::Failure, mine, 7}, 0, 4, S::Closed, 2, 7);
    add("5", made(S::Closed, 1, false, 0), {E::Neutral, mine, 7}, 0, 5, S::Closed, 1, 7);
    add("6", isolated, {E::Ask, mine, 0}, 0, 6, S::Open, 3, 7);
    add("7", made(S::Open, 3, true, 0), {E::Ask, mine, 0}, 0, 7, S::HalfOpen, 3, 8);
    add("8", made(S::Open, 3, false, 0), {E::Ask, mine, 0}, 0, 8, S::Open, 3, 7);
    add("8 operator's probe", made(S::Open, 3, true, 0), {E::Ask, mine, 0}, 1, 8, S::Open, 3, 7);
    add("9", made(S::HalfOpen, 3, true, 0), {E::Ask, mine, 0}, 0, 9, S::HalfOpen, 3, 7);
    add("10", made(S::HalfOpen, 3, true, 4), {E::Ask, mine, 0}, 0, 10, S::HalfOpen, 3, 7);
    add("11", made(S::HalfOpen, 3, true, 5), {E::Success, mine, 7}, 0, 11, S::Closed, 0, 8);
    add("12", made(S::HalfOpen, 3, true, 5), {E::Failure, mine, 7}, 0, 12, S::Open, 3, 8);
    add("13", made(S::HalfOpen, 3, true, 5), {E::Neutral, mine, 7}, 0, 13, S::HalfOpen, 3, 7);
    add("14", made(S::HalfOpen, 3, true, 5), {E::Neutral, mine, 7}, 1, 14, S::Open, 3, 8);
    add("15", made(S::HalfOpen, 3, true, 5), {E::LeaseOver, mine, 7}, 0, 15, S::Open, 3, 8);
    add("16 from CLOSED", made(S::Closed, 2, false, 0), {E::Isolate, {}, 0}, 0, 16, S::Open, 2, 8);
    add("16 from OPEN", made(S::Open, 3, false, 0), {E::Isolate, {}, 0}, 0, 16, S::Open, 3, 7);
    add("16 from HALF_OPEN", made(S::HalfOpen, 3, true, 5), {E::Isolate, {}, 0}, 0, 16, S::Open, 3, 8);
    add("17", isolated, {E::Release, {}, 0}, 0, 17, S::HalfOpen, 3, 8);
    add("18", made(S::Open, 3, false, 0), {E::LetProbeOut, {}, 0}, 0, 18, S::HalfOpen, 3, 8);
    add("19 from OPEN", made(S::Open, 3, false, 0), {E::Reset, {}, 0}, 0, 19, S::Closed, 0, 8);
    add("19 from HALF_OPEN", made(S::HalfOpen, 3, true, 5), {E::Reset, {}, 0}, 0, 19, S::Closed, 0, 8);
    add("20 late success", made(S::Closed, 2, false, 0), {E::Success, mine, 6}, 0, 20, S::Closed, 2, 7);
    add("20 late failure", made(S::Open, 3, false, 0), {E::Failure, mine, 7}, 0, 20, S::Open, 3, 7);
    add("20 another's success", made(S::HalfOpen, 3, true, 4), {E::Success, mine, 7}, 0, 20, S::HalfOpen, 3, 7);
    add("20 release of what is not isolated", made(S::Open, 3, false, 0), {E::Release, {}, 0}, 0, 20, S::Open, 3, 7);
    add("20 reset while isolated", isolated, {E::Reset, {}, 0}, 0, 20, S::Open, 3, 7);
    add("20 let out while isolated", isolated, {E::LetProbeOut, {}, 0}, 0, 20, S::Open, 3, 7);
}

void TestBreaker::everyRowDoesWhatItSays()
{
    QFETCH(Breaker, before);
    QFETCH(BreakerInput, input);
    QFETCH(int, probeBy);
    QFETCH(int, row);
    QFETCH(int, to);
    QFETCH(qlonglong, failures);
    QFETCH(qulonglong, generation);
    BreakerPolicy policy{.cooldownCalls = 2, .cooldownSeconds = 30};
    policy.probe = static_cast<ProbeBy>(probeBy);
    const Steady now{seconds(100).micros};
    if (before.probe.isSet() && input.event == BreakerEvent::LeaseOver)
        before.probeSince = now - seconds(60);
    before.openedAt = now - seconds(1);
    const auto &decided = decideBreaker(before, input, policy, now);
    QCOMPARE(static_cast<int>(decided.id), row);
    auto after = before;
    applyBreaker(after, decided, {{Instant{5}, now}, input.call, OperatorId{1}, "why", 2});
    QCOMPARE(static_cast<int>(after.state), to);
    QCOMPARE(static_cast<qlonglong>(after.failureCount), failures);
    QCOMPARE(static_cast<qulonglong>(after.generation), generation);
}

void TestBreaker::closedAllowsAndSuccessClears()
{
    Driver d;
    d.fail();
    d.fail();
    QCOMPARE(d.breaker().failureCount, 2);
    d.finishCall("a", d.call().id, CallOutcome::Success);
    QCOMPARE(d.breaker().failureCount, 0);
    d.finishCall("a", d.call().id, CallOutcome::Neutral);
    QCOMPARE(d.breaker().failureCount, 0);
}

void TestBreaker::thresholdOpensAndRejectsWithoutCounting()
{
    Driver d;
    d.open();
    QCOMPARE(d.breaker().failureCount, 3);
    for (int i = 0; i < 10; ++i) {
        const auto answer = d.call();
        QVERIFY(!answer.allow);
        QCOMPARE(answer.reason.source, RefusalSource::Breaker);
        QVERIFY2(answer.reason.text.find("OPEN, calls refused") != std::string::npos, answer.reason.text.c_str());
        d.finishCall("a", answer.id, CallOutcome::Failure); // whatever the caller does with the rejection
    }
    QCOMPARE(d.breaker().failureCount, 3);
    QCOMPARE(d.breaker().rejectedWhileOpen, 2); // up to cooldown_calls
}

void TestBreaker::bothCooldownsMustBeMet()
{
    Driver calls;
    calls.open();
    calls.call();
    calls.call();
    QVERIFY(!calls.call().allow); // two rejections, but not yet 30 s
    calls.wait(seconds(30));
    QVERIFY(calls.call().probe);
    Driver time;
    time.open();
    time.wait(hours(1));
    QVERIFY(!time.call().allow); // an hour, but no rejections
    QVERIFY(!time.call().allow);
    QVERIFY(time.call().probe);
}

void TestBreaker::exactlyOneProbe()
{
    Driver d;
    d.open();
    d.coolDown();
    int probes = 0;
    for (int i = 0; i < 16; ++i)
        probes += d.call().probe ? 1 : 0;
    QCOMPARE(probes, 1);
    QCOMPARE(d.state(), BreakerState::HalfOpen);
}

void TestBreaker::probeSuccessCloses()
{
    Driver d;
    d.open();
    d.coolDown();
    d.finishCall("a", d.call().id, CallOutcome::Success);
    QCOMPARE(d.state(), BreakerState::Closed);
    QCOMPARE(d.breaker().failureCount, 0);
    QVERIFY(d.call().allow);
}

void TestBreaker::probeFailureReopensWithFreshCooldown()
{
    Driver d;
    d.open();
    d.coolDown();
    d.finishCall("a", d.call().id, CallOutcome::Failure);
    QCOMPARE(d.state(), BreakerState::Open);
    QCOMPARE(d.breaker().failureCount, 3);
    QCOMPARE(d.breaker().rejectedWhileOpen, 0);
    QVERIFY(!d.call().allow);
    d.call();
    QVERIFY(!d.call().allow);
    d.wait(seconds(30));
    QVERIFY(d.call().probe);
}

void TestBreaker::everyWayToEndFreesTheProbe()
{
    for (const auto outcome : {CallOutcome::Success, CallOutcome::Failure, CallOutcome::Neutral}) {
        Driver d;
        d.open();
        d.coolDown();
        d.finishCall("a", d.call().id, outcome);
        QVERIFY(!d.breaker().probe.isSet());
        QVERIFY(d.fleet.probesOut.empty());
    }
    Driver d;
    d.open();
    d.coolDown();
    d.finishCall("a", d.call().id, CallOutcome::Neutral);
    QCOMPARE(d.state(), BreakerState::HalfOpen);
    QVERIFY(d.call().probe); // the next ask is the probe
}

void TestBreaker::leaseEndsASilentProbe()
{
    Driver d;
    d.open();
    d.coolDown();
    const auto probe = d.call();
    d.wait(seconds(59));
    d.act(Tick{});
    QCOMPARE(d.state(), BreakerState::HalfOpen);
    d.wait(seconds(1));
    d.act(Tick{});
    QCOMPARE(d.state(), BreakerState::Open);
    QCOMPARE(d.log.back().row, std::uint8_t{15});
    d.finishCall("a", probe.id, CallOutcome::Success); // the late verdict is recorded and moves nothing
    QCOMPARE(d.log.back().row, std::uint8_t{20});
    QCOMPARE(d.state(), BreakerState::Open);
}

void TestBreaker::onlyTheProbeDecides()
{
    Driver d;
    const auto early = d.call();
    d.open();
    d.coolDown();
    const auto probe = d.call();
    d.finishCall("a", early.id, CallOutcome::Failure);
    QCOMPARE(d.state(), BreakerState::HalfOpen);
    QCOMPARE(d.breaker().probe, probe.id);
    d.finishCall("a", probe.id, CallOutcome::Success);
    QCOMPARE(d.state(), BreakerState::Closed);
}

void TestBreaker::lateSuccessMovesNothing()
{
    Driver d;
    const auto early = d.call();
    d.open();
    d.finishCall("a", early.id, CallOutcome::Success);
    QCOMPARE(d.state(), BreakerState::Open);
    QCOMPARE(d.log.back().row, std::uint8_t{20});
}

void TestBreaker::failuresWhileOpenExtendNothing()
{
    Driver d;
    const auto early = d.call();
    d.open();
    const auto openedAt = d.breaker().openedAt;
    d.wait(seconds(20));
    d.finishCall("a", early.id, CallOutcome::Failure);
    QCOMPARE(d.breaker().openedAt.micros, openedAt.micros);
    d.call();
    d.call();
    d.wait(seconds(10));
    QVERIFY(d.call().probe);
}

void TestBreaker::lookingIsPure()
{
    Driver d;
    d.open();
    const auto before = encodeFleet(d.fleet);
    for (int i = 0; i < 5; ++i) {
        d.wait(seconds(60));
        static_cast<void>(meaningOf(d.breaker(), d.fleet.toolPolicy({}, d.breakerKey("t").tool).breaker, d.moment.now.steady));
        d.act(Tick{});
        QVERIFY(d.step.events.empty());
    }
    QCOMPARE(encodeFleet(d.fleet), before);
}

void TestBreaker::operatorsProbeWaitsForOperator()
{
    Driver d("handmade");
    d.open();
    d.wait(hours(1));
    QVERIFY(!d.call().allow);
    QVERIFY(d.operate(BreakerEvent::LetProbeOut));
    QVERIFY(d.call().probe);
}

void TestBreaker::neutralProbeOfOperatorGoesBackCooledDown()
{
    Driver d("handmade");
    d.open();
    d.wait(hours(1));
    QVERIFY(d.operate(BreakerEvent::LetProbeOut));
    d.finishCall("a", d.call().id, CallOutcome::Neutral);
    QCOMPARE(d.state(), BreakerState::Open);
    QCOMPARE(d.log.back().row, std::uint8_t{14});
    QVERIFY(isCooledDown(d.breaker(), d.fleet.toolPolicy({}, d.breakerKey("handmade").tool).breaker, d.moment.now.steady));
}

void TestBreaker::isolationAndRelease()
{
    Driver d;
    d.call();
    QVERIFY(d.operate(BreakerEvent::Isolate));
    QCOMPARE(d.breaker().isolation->reason, std::string("the vendor says so"));
    d.wait(hours(2));
    QVERIFY(!d.call().allow);
    QVERIFY(!d.call().allow);
    QCOMPARE(d.breaker().rejectedWhileOpen, 0); // uncounted
    QVERIFY(d.operate(BreakerEvent::Release));
    QVERIFY(d.call().probe);
}

void TestBreaker::resetClears()
{
    Driver d;
    d.open();
    QVERIFY(d.operate(BreakerEvent::Reset));
    QCOMPARE(d.state(), BreakerState::Closed);
    QCOMPARE(d.breaker().failureCount, 0);
    d.fail();
    d.fail();
    QCOMPARE(d.state(), BreakerState::Closed); // the old count is gone
    d.wait(hours(1));
    d.act(Tick{});
    QCOMPARE(d.state(), BreakerState::Closed); // no old timer runs on
}

void TestBreaker::resetEndsTheProbesLease()
{
    Driver d;
    d.open();
    d.wait(hours(1));
    d.call();
    d.call();
    const auto probe = d.call();
    QVERIFY(probe.probe);
    QVERIFY(d.operate(BreakerEvent::Reset));
    QCOMPARE(d.state(), BreakerState::Closed);
    d.wait(hours(1)); // the lease would be over
    d.act(Tick{});
    QCOMPARE(d.state(), BreakerState::Closed);
    d.finishCall("a", probe.id, CallOutcome::Failure); // of the generation before
    QCOMPARE(d.breaker().failureCount, 0);
    QCOMPARE(d.state(), BreakerState::Closed);
}

void TestBreaker::refusedActsMoveNothing()
{
    Driver d;
    d.call();
    for (const auto event : {BreakerEvent::Release, BreakerEvent::LetProbeOut, BreakerEvent::Reset}) {
        const auto before = d.breaker();
        QVERIFY(!d.operate(event));
        QVERIFY(d.breaker() == before);
        QVERIFY(std::holds_alternative<ActRefused>(d.log.back().payload));
    }
    QVERIFY(!d.done(ActOnBreaker{"t", {}, BreakerEvent::Isolate, "ana", "  "}));
}

void TestBreaker::refusedCallTakesNoProbe()
{
    FleetDriver d(R"(
schema = 1
[defaults]
steps = { limit = 10 }
repetition = { limit = 100 }
spend = [{ window = "24h", limit = "10.00 USD" }]
envelope = { reaches = "task" }
[tools.pay]
access = "write"
breaker = { failure_threshold = 1, cooldown_seconds = 5, probe = "auto" }
value = { pointer = "/amount", currency = "USD", max = "5" }
)");
    d.finishCall("a", d.askCall("a", "one", "pay", R"({"amount":1})").id, CallOutcome::Failure);
    d.wait(seconds(6));
    const auto refused = d.askCall("a", "two", "pay", R"({"amount":9})"); // the envelope refuses it
    QVERIFY(!refused.allow);
    QCOMPARE(refused.reason.source, RefusalSource::Envelope);
    QCOMPARE(d.fleet.breaker(d.breakerKey("pay")).state, BreakerState::Open);
    QVERIFY(d.askCall("a", "three", "pay", R"({"amount":1})").probe);
}

void TestBreaker::policyEditKeepsState()
{
    Driver d;
    d.open();
    const auto before = d.breaker();
    d.applyPolicy(kPolicy);
    QVERIFY(d.breaker() == before);
}

void TestBreaker::restartKeepsState()
{
    Driver d;
    d.open();
    d.call();
    auto restored = decodeFleet(encodeFleet(d.fleet));
    QVERIFY(restored.ok());
    d.fleet = std::move(*restored);
    d.wait(seconds(29));
    QVERIFY(!d.call().allow);
    d.wait(seconds(1));
    QVERIFY(d.call().probe); // the remaining time continued: neither anew nor none
}

void TestBreaker::breakersAreApart()
{
    Driver d;
    d.open();
    QVERIFY(d.askCall("a", "task", "other").allow);
    QVERIFY(!d.askCall("b", "task", "t").allow); // one breaker of the tool, shared by all agents
}

QTEST_APPLESS_MAIN(TestBreaker)
#include "tst_breaker.moc"

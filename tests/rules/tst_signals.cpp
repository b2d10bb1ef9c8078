// The five signals as spec 3.3 has them, on a live fleet, and the faults that others met (cases 18 to 46).
#include "tests/support/fleet_driver.h"

#include <QTest>

using namespace handreset::rules;
using handreset::test::FleetDriver;

class TestSignals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // steps
    void limitAreAllowedTheNextTrips();
    void stepsOfSubTasksCountAtTheRoot();
    void restartContinuesTheCount();
    void newTaskForEachStepMeetsTheAgentsLimit();
    void sessionLimitReachesTheAgent();
    void shortRunsTripTheWindowAtTheCallThatFillsIt();
    void watchOnlyNotes();
    // repetition
    void nthEqualCallTripsAndStaysRefused();
    void keyOrderAndBlanksAreTheSameCall();
    void modelCallsBetweenDoNotBreakTheRow();
    void otherToolBreaksTheRow();
    void refusalByBreakerNeitherExtendsNorBreaks();
    void exemptAndIgnoredAndOwnLimit();
    void periodsUpToEight();
    void harmlessRowsDoNotTrip();
    void malformedArgumentsAreComparedByteByByte();
    // spend
    void sixteenAsksNeverPassTheCap();
    void overdraftThenOpen();
    void windowEndRearmsByItself();
    void missingResultIsCharged();
    void resultsCountOnce();
    void unpricedModelCostsTheEstimate();
    void zeroIsNotMissing();
    void negativeCostIsRefused();
    void changedWindowIsRecounted();
    void eachFullWindowIsNamed();
    // provider
    void tooManyFailuresTrip();
    void oneFailureOfOneCallDoesNot();
    void statusThatTripsAtOnce();
    void clientErrorsDoNotCount();
    void failuresThatStraddleTheMinute();
    void laterOfCooldownAndRetryAfter();
    void ourOwnRefusalsNeitherCountNorExtend();
    void reachesThoseSeenAtTheEndpoint();
    // envelope
    void amountsAtTheCap_data();
    void amountsAtTheCap();
    void everyElementMustPass();
    void destinations();
    void splitPaymentNeverPassesTheVolume();
    void undeclaredToolsAreRefused();
    void otherModelWhileDegradedTrips();
};

namespace {

std::string policy(std::string_view defaults, std::string_view rest = {})
{
    return "schema = 1\n[defaults]\n" + std::string(defaults) + "\n" + std::string(rest);
}

const std::string kPlain = policy(R"(steps = { limit = 25 }
repetition = { limit = 3 }
degraded_model = "small"
spend = [{ window = "24h", limit = "10.00 USD" }])");

std::string pay(std::string_view amount)
{
    return R"({"amount":)" + std::string(amount) + R"(,"currency":"BRL","to":"acme"})";
}

const std::string kEnvelope = policy(R"(steps = { limit = 100 }
repetition = { limit = 1000 }
spend = [{ window = "24h", limit = "10.00 USD" }])",
                                     R"([tools.pay]
access = "write"
breaker = { failure_threshold = 3, cooldown_seconds = 30, probe = "auto" }
value = { pointer = "/amount", currency = "BRL", currency_pointer = "/currency", max = "500.00" }
destination = { pointer = "/to", allow = ["acme", "re:[0-9]{3}"] }
[tools.each]
access = "write"
value = { pointer = "/parts/*/amount", currency = "USD", max = "500" }
[tools.volume]
access = "write"
value = { pointer = "/amount", currency = "USD", max = "500" }
volume = { per = "24h", calls = 20, value = "10.00" }
)");

} // namespace

void TestSignals::limitAreAllowedTheNextTrips()
{
    FleetDriver d(kPlain);
    for (int i = 0; i < 25; ++i) {
        const auto answer = d.askStep("a", "t", "large");
        QVERIFY2(answer.allow, answer.reason.text.c_str());
        d.finishStep("a", answer.id);
    }
    const auto answer = d.askStep("a", "t", "large");
    QVERIFY(!answer.allow);
    QCOMPARE(answer.reason.source, RefusalSource::Steps);
    QCOMPARE(answer.reason.retry, RetryKind::AfterHuman);
    const auto *trip = d.trip(Signal::Steps);
    QVERIFY(trip != nullptr);
    QCOMPARE(trip->evidence.measured, std::string("step 26"));
    QCOMPARE(answer.reason.trip, trip->id);
    QCOMPARE(answer.rung, Rung::Open);
    QCOMPARE(d.fleet.agent(d.agent("a")).rung, Rung::Closed); // reaches the task only
    QVERIFY(d.askStep("a", "other", "large").allow);
}

void TestSignals::stepsOfSubTasksCountAtTheRoot()
{
    FleetDriver d(policy(R"(steps = { limit = 10 }
repetition = { limit = 3 }
spend = [{ window = "24h", limit = "10.00 USD" }])",
                         "[agents.child]\nparents = [\"parent\"]\n"));
    for (int i = 0; i < 4; ++i)
        QVERIFY(d.askStep("parent", "root").allow);
    for (int i = 0; i < 6; ++i)
        QVERIFY(d.ask(AskStep{.agent = "child", .task = "sub", .parent = "root", .model = "m"}).allow);
    QVERIFY(!d.ask(AskStep{.agent = "child", .task = "sub", .parent = "root", .model = "m"}).allow);
    const auto *trip = d.trip(Signal::Steps);
    QVERIFY(trip != nullptr);
    QCOMPARE(trip->subject.root, d.task("parent", "root"));
    QVERIFY(!d.askStep("parent", "root").allow); // the whole tree
    d.act(AskStep{.agent = "stranger", .task = "sub", .parent = "root", .model = "m"});
    QVERIFY2(d.problem().find("parents") != std::string::npos, d.problem().c_str());
}

void TestSignals::restartContinuesTheCount()
{
    FleetDriver d(kPlain);
    for (int i = 0; i < 20; ++i)
        d.finishStep("a", d.askStep("a", "t").id);
    auto restored = decodeFleet(encodeFleet(d.fleet));
    QVERIFY(restored.ok());
    d.fleet = std::move(*restored);
    int allowed = 0;
    for (int i = 0; i < 20; ++i)
        allowed += d.askStep("a", "t").allow ? 1 : 0;
    QCOMPARE(allowed, 5);
}

void TestSignals::newTaskForEachStepMeetsTheAgentsLimit()
{
    FleetDriver d(policy(R"(steps = { limit = 25, per_agent = { window = "1h", limit = 40 } }
repetition = { limit = 3 }
spend = [{ window = "24h", limit = "100.00 USD" }])"));
    int allowed = 0;
    for (int i = 0; i < 60; ++i)
        allowed += d.askStep("a", "t" + std::to_string(i)).allow ? 1 : 0;
    QCOMPARE(allowed, 40);
    QCOMPARE(d.fleet.agent(d.agent("a")).rung, Rung::Open); // its trips reach the agent
}

void TestSignals::sessionLimitReachesTheAgent()
{
    FleetDriver d(policy(R"(steps = { limit = 25, per_session = 30 }
repetition = { limit = 3 }
spend = [{ window = "24h", limit = "100.00 USD" }])"));
    int allowed = 0;
    for (int i = 0; i < 50; ++i)
        allowed += d.ask(AskStep{.agent = "a", .task = "t" + std::to_string(i / 5), .session = "s", .model = "m"}).allow ? 1 : 0;
    QCOMPARE(allowed, 30);
    QCOMPARE(d.trip(Signal::Steps)->subject.cap, Cap::PerSession);
    QCOMPARE(d.fleet.agent(d.agent("a")).rung, Rung::Open);
}

void TestSignals::shortRunsTripTheWindowAtTheCallThatFillsIt()
{
    FleetDriver d(kPlain); // 10.00 a day; each call costs 0.01: the 1000th result fills it
    int done = 0;
    for (int run = 0; run < 50 && d.trip(Signal::Spend) == nullptr; ++run) {
        for (int step = 0; step < 24; ++step) {
            const auto answer = d.askStep("a", "run" + std::to_string(run));
            if (!answer.allow)
                break;
            d.finishStep("a", answer.id, "0.01");
            ++done;
            if (d.trip(Signal::Spend) != nullptr)
                break;
        }
    }
    QCOMPARE(d.trip(Signal::Steps), nullptr);
    QVERIFY(d.trip(Signal::Spend) != nullptr);
    // 9.95 settled leaves room for one estimate of 0.05; the ask after 995 results still fits, the next does not.
    QCOMPARE(done, 996);
    QVERIFY(!d.askStep("a", "next").allow);
}

void TestSignals::watchOnlyNotes()
{
    FleetDriver d(policy(R"(steps = { limit = 25, watch = 15 }
repetition = { limit = 5, watch = 3 }
spend = [{ window = "24h", limit = "10.00 USD", watch = "1.00 USD" }])"));
    int notes = 0;
    for (int i = 0; i < 20; ++i) {
        d.finishStep("a", d.askStep("a", "t").id, "0.20");
        d.askCall("a", "t", "poll", "{}");
    }
    for (const auto &event : d.log) {
        if (const auto *note = std::get_if<WatchNoted>(&event.payload)) {
            ++notes;
            QVERIFY(!note->measured.empty());
        }
    }
    QVERIFY(notes >= 3);
    QCOMPARE(d.trip(Signal::Steps), nullptr);
    QCOMPARE(d.trip(Signal::Spend), nullptr);
}

void TestSignals::nthEqualCallTripsAndStaysRefused()
{
    FleetDriver d(kPlain);
    QVERIFY(d.askCall("a", "t", "look", R"({"id":1})").allow);
    QVERIFY(d.askCall("a", "t", "look", R"({"id":1})").allow);
    const auto third = d.askCall("a", "t", "look", R"({"id":1})");
    QVERIFY(!third.allow);
    QCOMPARE(third.reason.source, RefusalSource::Repetition);
    QCOMPARE(third.rung, Rung::Degraded);
    FleetDriver reads(policy(R"(steps = { limit = 25 }
repetition = { limit = 3 }
spend = [{ window = "24h", limit = "10.00 USD" }])",
                             "[tools.look]\naccess = \"read\"\n"));
    for (int i = 0; i < 3; ++i)
        reads.askCall("a", "t", "look", R"({"id":1})");
    QVERIFY(reads.askCall("a", "t", "look", R"({"id":2})").allow); // degraded: other reads go on
    const auto again = reads.askCall("a", "t", "look", R"({"id":1})");
    QVERIFY(!again.allow); // the call stays refused while its trip is active, whatever the rung
    QCOMPARE(again.reason.trip, reads.trip(Signal::Repetition)->id);
    QVERIFY(reads.askCall("a", "other", "look", R"({"id":1})").allow);
}

void TestSignals::keyOrderAndBlanksAreTheSameCall()
{
    FleetDriver d(kPlain);
    QVERIFY(d.askCall("a", "t", "x", R"({"a":1,"b":2})").allow);
    QVERIFY(d.askCall("a", "t", "x", R"({ "b" : 2.0, "a" : 1e0 })").allow);
    QVERIFY(!d.askCall("a", "t", "x", "{\"b\":2,\n\"a\":1}").allow);
}

void TestSignals::modelCallsBetweenDoNotBreakTheRow()
{
    FleetDriver d(kPlain);
    for (int i = 0; i < 2; ++i) {
        QVERIFY(d.askCall("a", "t", "x").allow);
        d.finishStep("a", d.askStep("a", "t").id);
    }
    QVERIFY(!d.askCall("a", "t", "x").allow);
}

void TestSignals::otherToolBreaksTheRow()
{
    FleetDriver d(kPlain);
    for (int i = 0; i < 10; ++i) {
        QVERIFY(d.askCall("a", "t", "x").allow);
        QVERIFY(d.askCall("a", "t", "x").allow);
        QVERIFY(d.askCall("a", "t", "y").allow);
    }
}

void TestSignals::refusalByBreakerNeitherExtendsNorBreaks()
{
    FleetDriver d(policy(R"(steps = { limit = 25 }
repetition = { limit = 3 }
spend = [{ window = "24h", limit = "10.00 USD" }])",
                         "[tools.down]\naccess = \"read\"\nbreaker = { failure_threshold = 1, cooldown_seconds = 60 }\n"));
    d.finishCall("a", d.askCall("a", "t", "down", R"({"n":1})").id, CallOutcome::Failure);
    QVERIFY(d.askCall("a", "t", "x").allow);
    QVERIFY(d.askCall("a", "t", "x").allow);
    for (int i = 0; i < 5; ++i)
        QCOMPARE(d.askCall("a", "t", "down", R"({"n":2})").reason.source, RefusalSource::Breaker); // not extended
    QCOMPARE(d.askCall("a", "t", "x").reason.source, RefusalSource::Repetition); // not broken
}

void TestSignals::exemptAndIgnoredAndOwnLimit()
{
    FleetDriver d(policy(R"(steps = { limit = 25 }
repetition = { limit = 3 }
spend = [{ window = "24h", limit = "10.00 USD" }])",
                         R"([tools.poll]
access = "read"
repetition = { exempt = true }
[tools.five]
access = "read"
repetition = { limit = 5, ignore = ["/request_id"] }
)"));
    for (int i = 0; i < 50; ++i)
        QVERIFY(d.askCall("a", "t", "poll").allow);
    for (int i = 0; i < 4; ++i)
        QVERIFY(d.askCall("a", "u", "five", R"({"request_id":)" + std::to_string(i) + "}").allow);
    QVERIFY(!d.askCall("a", "u", "five", R"({"request_id":99})").allow);
}

void TestSignals::periodsUpToEight()
{
    const auto tripsAfter = [](int maxPeriod, int period, int most) {
        FleetDriver d(policy("steps = { limit = 25 }\nrepetition = { limit = 3, max_period = " + std::to_string(maxPeriod)
                             + " }\nspend = [{ window = \"24h\", limit = \"10.00 USD\" }]"));
        for (int i = 0; i < most; ++i) {
            if (!d.askCall("a", "t", "x", "{\"n\":" + std::to_string(i % period) + "}").allow)
                return i + 1;
        }
        return 0;
    };
    QCOMPARE(tripsAfter(1, 2, 100), 0);
    QCOMPARE(tripsAfter(2, 2, 100), 6);  // A,B,A,B,A,B
    QCOMPARE(tripsAfter(3, 3, 100), 9);
    QCOMPARE(tripsAfter(8, 8, 100), 24);
    QCOMPARE(tripsAfter(8, 1, 100), 3);
}

void TestSignals::harmlessRowsDoNotTrip()
{
    FleetDriver d(policy(R"(steps = { limit = 25 }
repetition = { limit = 3, max_period = 8 }
spend = [{ window = "24h", limit = "10.00 USD" }])"));
    for (int i = 0; i < 500; ++i)
        QVERIFY(d.askCall("a", "t", "x", "{\"n\":" + std::to_string(i) + "}").allow);
}

void TestSignals::malformedArgumentsAreComparedByteByByte()
{
    FleetDriver d(kPlain);
    QVERIFY(d.askCall("a", "t", "x", "{\"a\":").allow);
    QVERIFY(d.askCall("a", "t", "x", "{\"a\": ").allow); // other bytes
    QVERIFY(d.askCall("a", "t", "x", "{\"a\":").allow);
    QVERIFY(d.askCall("a", "t", "x", "{\"a\":").allow);
    QVERIFY(!d.askCall("a", "t", "x", "{\"a\":").allow);
    QVERIFY(d.askCall("a", "t2", "x", std::string("\xff\0\x01", 3)).allow);
}

void TestSignals::sixteenAsksNeverPassTheCap()
{
    FleetDriver d(policy(R"(steps = { limit = 1000 }
repetition = { limit = 3 }
estimate = "0.50 USD"
spend = [{ window = "24h", limit = "2.00 USD" }])"));
    std::vector<AskId> out;
    for (int i = 0; i < 16; ++i) {
        const auto answer = d.askStep("a", "t" + std::to_string(i));
        if (answer.allow)
            out.push_back(answer.id);
        else
            QCOMPARE(answer.reason.retry, RetryKind::AfterSeconds);
        const auto sum = spendAt(d.fleet.counters, d.fleet.agent(d.agent("a")).key, WindowKind{24}, d.fleet.ruleTime, d.fleet.calendar());
        QVERIFY(sum.settled + sum.reserved <= *Decimal::parse("2"));
    }
    QCOMPARE(out.size(), std::size_t{4});
    QCOMPARE(d.trip(Signal::Spend), nullptr); // reservations are out: no trip
    for (const auto id : out)
        d.finishStep("a", id, "0.10");
    QVERIFY(d.askStep("a", "later").allow); // what was reserved too much came back
}

void TestSignals::overdraftThenOpen()
{
    FleetDriver d(policy(R"(steps = { limit = 1000 }
repetition = { limit = 3 }
degraded_model = "small"
estimate = "0.05 USD"
spend = [{ window = "24h", limit = "1.00 USD", action = "degraded", overdraft = "0.20 USD" }])"));
    d.finishStep("a", d.askStep("a", "t", "large").id, "1.00");
    const auto *trip = d.trip(Signal::Spend);
    QVERIFY(trip != nullptr);
    QCOMPARE(trip->rung, Rung::Degraded);
    const auto refused = d.askStep("a", "t", "large");
    QVERIFY(!refused.allow);
    QCOMPARE(refused.model, std::string("small"));
    d.finishStep("a", d.askStep("a", "t", "small").id, "0.20");
    QCOMPARE(d.trip(Signal::Spend)->rung, Rung::Open);
    QCOMPARE(d.log.back().row, std::uint8_t{23});
    QVERIFY(!d.askStep("a", "t", "small").allow);
}

void TestSignals::windowEndRearmsByItself()
{
    FleetDriver d(kPlain);
    d.finishStep("a", d.askStep("a", "t").id, "10.00");
    QVERIFY(d.trip(Signal::Spend) != nullptr);
    d.wait(hours(13)); // from 10:00 to 23:00
    QVERIFY(!d.askStep("a", "t").allow);
    d.wait(hours(1));
    QVERIFY(d.askStep("a", "t").allow);
    const auto &ended = d.fleet.endedTrips.back();
    QCOMPARE(ended.cause, std::string("clock"));
    QVERIFY(!ended.rearmedBy.isSet());
}

void TestSignals::missingResultIsCharged()
{
    FleetDriver d(policy(R"(steps = { limit = 1000 }
repetition = { limit = 3 }
estimate = "0.50 USD"
spend = [{ window = "24h", limit = "1.00 USD" }])"));
    const auto first = d.askStep("a", "t");
    d.askStep("a", "t");
    d.wait(minutes(11));
    d.act(Tick{});
    QVERIFY(d.trip(Signal::Spend) != nullptr); // both were charged: the window is full
    d.finishStep("a", first.id, "0.70");       // the late result adds what the charge did not cover
    QCOMPARE(d.fleet.agent(d.agent("a")).cost, *Decimal::parse("1.20"));
}

void TestSignals::resultsCountOnce()
{
    FleetDriver d(kPlain);
    const auto answer = d.askStep("a", "t");
    d.finishStep("a", answer.id, "2.00");
    d.finishStep("a", answer.id, "2.00");
    QCOMPARE(d.fleet.agent(d.agent("a")).cost, *Decimal::parse("2"));
    d.act(FinishStep{answer.id, "somebody", {}});
    d.act(FinishStep{AskId{999'999}, "a", {}});
    QVERIFY(!d.problem().empty());
    const auto mine = d.askStep("a", "t");
    d.act(FinishStep{mine.id, "thief", {}});
    QVERIFY(!d.problem().empty());
}

void TestSignals::unpricedModelCostsTheEstimate()
{
    FleetDriver d(policy(R"(steps = { limit = 1000 }
repetition = { limit = 3 }
estimate = "0.05 USD"
spend = [{ window = "24h", limit = "10.00 USD" }])",
                         "[prices.known]\nin = \"1.00 USD\"\nout = \"2.00 USD\"\n"));
    const auto cost = [&](const char *model, std::int64_t in, std::int64_t out) {
        const auto before = d.fleet.agents.empty() ? Decimal{} : d.fleet.agent(d.agent("a")).cost;
        const auto answer = d.askStep("a", "t", model);
        StepReport report;
        report.model = model;
        report.tokensIn = in;
        report.tokensOut = out;
        d.act(FinishStep{answer.id, "a", report});
        return (d.fleet.agent(d.agent("a")).cost - before).toString();
    };
    QCOMPARE(cost("unknown", 1000, 1000), std::string("0.05"));
    QCOMPARE(d.fleet.agent(d.agent("a")).unpriced, 1);
    QCOMPARE(cost("known", 500'000, 1'000'000), std::string("2.5"));
}

void TestSignals::zeroIsNotMissing()
{
    FleetDriver d(kPlain);
    const auto stated = d.askStep("a", "t");
    StepReport zero;
    zero.cost = Money{Decimal{}, "USD"};
    d.act(FinishStep{stated.id, "a", zero});
    QVERIFY(d.fleet.agent(d.agent("a")).cost.isZero());
    d.act(FinishStep{d.askStep("a", "t").id, "a", StepReport{}}); // nothing stated: the reservation stands for it
    QCOMPARE(d.fleet.agent(d.agent("a")).cost, *Decimal::parse("0.05"));
}

void TestSignals::negativeCostIsRefused()
{
    FleetDriver d(kPlain);
    const auto answer = d.askStep("a", "t");
    const auto before = encodeFleet(d.fleet);
    d.finishStep("a", answer.id, "-5");
    QVERIFY(!d.problem().empty());
    QCOMPARE(encodeFleet(d.fleet), before);
}

void TestSignals::changedWindowIsRecounted()
{
    FleetDriver d(kPlain);
    d.finishStep("a", d.askStep("a", "t").id, "4.00");
    d.wait(hours(2));
    d.finishStep("a", d.askStep("a", "t").id, "3.00");
    d.applyPolicy(policy(R"(steps = { limit = 25 }
repetition = { limit = 3 }
spend = [{ window = "1h", limit = "3.50 USD" }, { window = "30d", limit = "7.00 USD" }])"));
    const auto key = d.fleet.agent(d.agent("a")).key;
    const auto at = d.fleet.ruleTime;
    QCOMPARE(spendAt(d.fleet.counters, key, WindowKind{1}, at, d.fleet.calendar()).settled, *Decimal::parse("3"));
    QCOMPARE(spendAt(d.fleet.counters, key, WindowKind{720}, at, d.fleet.calendar()).settled, *Decimal::parse("7"));
    QVERIFY(!d.askStep("a", "t").allow);
    QCOMPARE(d.trip(Signal::Spend)->subject.windowHours, 720);
}

void TestSignals::eachFullWindowIsNamed()
{
    FleetDriver d(policy(R"(steps = { limit = 25 }
repetition = { limit = 3 }
spend = [{ window = "1h", limit = "1.00 USD" }, { window = "24h", limit = "1.00 USD" }])"));
    d.finishStep("a", d.askStep("a", "t").id, "1.00");
    QCOMPARE(d.fleet.trips.size(), std::size_t{2}); // two windows, two trips
    const auto hour = d.fleet.trips.begin()->first;
    QVERIFY(d.done(Acknowledge{hour, "ana", {}}));
    QVERIFY(d.done(Rearm{.trip = hour, .by = "ana", .cause = "budget", .reason = "one more hour is fine",
                         .to = Rung::Closed, .grant = {.spend = *Decimal::parse("5")}}));
    QVERIFY(!d.askStep("a", "t").allow); // the other window still holds
    QCOMPARE(d.trip(Signal::Spend)->subject.windowHours, 24);
}

void TestSignals::tooManyFailuresTrip()
{
    FleetDriver d(kPlain);
    const auto fail = [&](const std::string &agent, std::int32_t status) {
        const auto answer = d.ask(AskStep{.agent = agent, .task = "t", .endpoint = "eu", .model = "m"});
        d.act(FinishStep{answer.id, agent, {.ok = false, .status = status}});
    };
    for (int i = 0; i < 3; ++i)
        fail("a", 503);
    QCOMPARE(d.trip(Signal::Provider), nullptr);
    fail("a", 0); // a connection that failed
    const auto *trip = d.trip(Signal::Provider);
    QVERIFY(trip != nullptr);
    QCOMPARE(trip->latch, LatchState::HeldByClock);
    QCOMPARE(d.ask(AskStep{.agent = "a", .task = "t", .endpoint = "eu", .model = "small"}).reason.source, RefusalSource::Provider);
    QVERIFY(d.ask(AskStep{.agent = "a", .task = "t", .endpoint = "us", .model = "small"}).allow);
    d.wait(seconds(30));
    QVERIFY(d.ask(AskStep{.agent = "a", .task = "t", .endpoint = "eu", .model = "m"}).allow);
    fail("a", 503);
    QCOMPARE(d.trip(Signal::Provider), nullptr); // a new baseline
}

void TestSignals::oneFailureOfOneCallDoesNot()
{
    FleetDriver d(kPlain);
    d.act(FinishStep{d.askStep("a", "t").id, "a", {.ok = false, .status = 500}});
    QCOMPARE(d.trip(Signal::Provider), nullptr);
    FleetDriver most(policy(R"(steps = { limit = 25 }
repetition = { limit = 3 }
provider = { allowed_fails = 10 }
spend = [{ window = "24h", limit = "10.00 USD" }])"));
    for (int i = 0; i < 5; ++i)
        most.act(FinishStep{most.askStep("a", "t").id, "a", {.ok = i < 2, .status = i < 2 ? 200 : 500}});
    QVERIFY(most.trip(Signal::Provider) != nullptr); // 3 of 5 failed: more than half
}

void TestSignals::statusThatTripsAtOnce()
{
    for (const auto status : {429, 401, 404, 408}) {
        FleetDriver d(kPlain);
        d.act(FinishStep{d.askStep("a", "t").id, "a", {.ok = false, .status = status}});
        QVERIFY(d.trip(Signal::Provider) != nullptr);
    }
}

void TestSignals::clientErrorsDoNotCount()
{
    FleetDriver d(kPlain);
    for (int i = 0; i < 10; ++i)
        d.act(FinishStep{d.askStep("a", "t").id, "a", {.ok = false, .status = 422}});
    QCOMPARE(d.trip(Signal::Provider), nullptr);
}

void TestSignals::failuresThatStraddleTheMinute()
{
    FleetDriver d(kPlain);
    d.wait(seconds(50)); // 10:00:50, so a minute's border lies between the failures
    for (int i = 0; i < 4; ++i) {
        d.act(FinishStep{d.askStep("a", "t").id, "a", {.ok = false, .status = 500}});
        d.wait(seconds(5));
    }
    QVERIFY(d.trip(Signal::Provider) != nullptr);
    FleetDriver slow(kPlain);
    for (int i = 0; i < 10; ++i) {
        slow.act(FinishStep{slow.askStep("a", "t").id, "a", {.ok = false, .status = 500}});
        slow.wait(seconds(25));
    }
    QCOMPARE(slow.trip(Signal::Provider), nullptr);
}

void TestSignals::laterOfCooldownAndRetryAfter()
{
    for (const auto &[retryAfter, held] : {std::pair{1, 30}, std::pair{90, 90}, std::pair{86'400, 900}}) {
        FleetDriver d(kPlain);
        d.act(FinishStep{d.askStep("a", "t").id, "a", {.ok = false, .status = 429, .retryAfterSeconds = retryAfter}});
        d.wait(seconds(held) - seconds(1));
        d.act(Tick{});
        QVERIFY(d.trip(Signal::Provider) != nullptr);
        d.wait(seconds(1));
        d.act(Tick{});
        QCOMPARE(d.trip(Signal::Provider), nullptr);
    }
}

void TestSignals::ourOwnRefusalsNeitherCountNorExtend()
{
    FleetDriver d(kPlain);
    const auto ask = [&] { return d.ask(AskStep{.agent = "a", .task = "t", .endpoint = "eu", .model = "m"}); };
    d.act(FinishStep{ask().id, "a", {.ok = false, .status = 429}});
    QVERIFY(d.trip(Signal::Provider) != nullptr);
    for (int i = 0; i < 29; ++i) { // an agent that tries again every second
        d.wait(seconds(1));
        const auto refused = ask();
        QVERIFY(!refused.allow);
        d.act(FinishStep{refused.id, "a", {.ok = false, .status = 503}}); // and calls the refusal a failure
    }
    d.wait(seconds(1));
    d.act(Tick{});
    QCOMPARE(d.trip(Signal::Provider), nullptr); // thirty seconds after the failure, whatever came between
    for (int i = 0; i < 2; ++i) {
        const auto allowed = ask();
        QVERIFY(allowed.allow);
        d.act(FinishStep{allowed.id, "a", {.ok = false, .status = 503}});
    }
    QCOMPARE(d.trip(Signal::Provider), nullptr); // three in the minute are allowed: 429 and these two
}

void TestSignals::reachesThoseSeenAtTheEndpoint()
{
    FleetDriver d(kPlain);
    d.ask(AskStep{.agent = "old", .task = "t", .endpoint = "eu", .model = "m"});
    d.wait(minutes(11));
    d.ask(AskStep{.agent = "b", .task = "t", .endpoint = "eu", .model = "m"});
    d.ask(AskStep{.agent = "elsewhere", .task = "t", .endpoint = "us", .model = "m"});
    d.act(FinishStep{d.ask(AskStep{.agent = "a", .task = "t", .endpoint = "eu", .model = "m"}).id, "a", {.ok = false, .status = 429}});
    QCOMPARE(d.fleet.agent(d.agent("a")).rung, Rung::Degraded);
    QCOMPARE(d.fleet.agent(d.agent("b")).rung, Rung::Degraded);
    QCOMPARE(d.fleet.agent(d.agent("old")).rung, Rung::Closed);
    QCOMPARE(d.fleet.agent(d.agent("elsewhere")).rung, Rung::Closed);
}

void TestSignals::amountsAtTheCap_data()
{
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<bool>("inside");
    const auto add = [](const char *name, std::string_view arguments, bool inside) {
        QTest::newRow(name) << QByteArray(arguments.data(), static_cast<qsizetype>(arguments.size())) << inside;
    };
    add("500.00", pay("500.00"), true);
    add("500", pay("500"), true);
    add("5e2", pay("5e2"), true);
    add("0", pay("0"), true);
    add("500.01", pay("500.01"), false);
    add("500.000000001", pay("500.000000001"), false);
    add("900", pay("900.00"), false);
    add("negative", pay("-1"), false);
    add("1e400", pay("1e400"), false);
    add("2^63", pay("9223372036854775808"), false);
    add("text", pay("\"500\""), false);
    add("words", pay("\"all the account balance\""), false);
    add("null", pay("null"), false);
    add("object", pay("{}"), false);
    add("NaN", pay("NaN"), false);
    add("missing", R"({"currency":"BRL","to":"acme"})", false);
    add("another currency", R"({"amount":1,"currency":"USD","to":"acme"})", false);
    add("no currency", R"({"amount":1,"to":"acme"})", false);
    add("duplicate keys", R"({"amount":1,"amount":900,"currency":"BRL","to":"acme"})", false);
    add("not JSON", "amount=1", false);
    add("an array", "[1]", false);
}

void TestSignals::amountsAtTheCap()
{
    QFETCH(QByteArray, arguments);
    QFETCH(bool, inside);
    FleetDriver d(kEnvelope);
    const auto answer = d.askCall("a", "t", "pay", arguments.toStdString());
    QCOMPARE(answer.allow, inside);
    if (!inside) {
        QCOMPARE(answer.reason.source, RefusalSource::Envelope);
        QCOMPARE(d.fleet.agent(d.agent("a")).rung, Rung::Open);
    }
}

void TestSignals::everyElementMustPass()
{
    FleetDriver d(kEnvelope);
    QVERIFY(d.askCall("a", "t", "each", R"({"parts":[{"amount":1},{"amount":500}]})").allow);
    QVERIFY(d.askCall("a", "t", "each", R"({"parts":[]})").allow);
    QVERIFY(!d.askCall("b", "t", "each", R"({"parts":[{"amount":1},{"amount":501}]})").allow);
    QVERIFY(!d.askCall("c", "t", "each", R"({"parts":[{"amount":1},{}]})").allow);
    QVERIFY(!d.askCall("e", "t", "each", R"({"parts":{"amount":1}})").allow);
}

void TestSignals::destinations()
{
    FleetDriver d(kEnvelope);
    int n = 0;
    const auto to = [&](std::string_view text) {
        return d.askCall("agent" + std::to_string(++n), "t", "pay", R"({"amount":1,"currency":"BRL","to":)" + std::string(text) + "}").allow;
    };
    QVERIFY(to("\"acme\""));
    QVERIFY(to("\"123\""));
    QVERIFY(!to("\"1234\"")); // a full match
    QVERIFY(!to("\"acme \""));
    QVERIFY(!to("123"));
    QVERIFY(!to("null"));
    QVERIFY(!to("[\"acme\"]"));
}

void TestSignals::splitPaymentNeverPassesTheVolume()
{
    FleetDriver d(kEnvelope);
    Decimal sum;
    int allowed = 0;
    for (int i = 0; i < 30; ++i) {
        if (d.askCall("a", "t" + std::to_string(i), "volume", "{\"amount\":0.99,\"n\":" + std::to_string(i) + "}").allow) {
            ++allowed;
            sum += *Decimal::parse("0.99");
        }
    }
    QCOMPARE(allowed, 10);
    QVERIFY(sum <= *Decimal::parse("10"));
    FleetDriver calls(kEnvelope);
    int count = 0;
    for (int i = 0; i < 30; ++i)
        count += calls.askCall("a", "t", "volume", "{\"amount\":0.01,\"n\":" + std::to_string(i) + "}").allow ? 1 : 0;
    QCOMPARE(count, 20);
}

void TestSignals::undeclaredToolsAreRefused()
{
    FleetDriver d(kEnvelope);
    QCOMPARE(d.askCall("a", "t", "unknown").reason.source, RefusalSource::Undeclared);
    QCOMPARE(d.fleet.trips.size(), std::size_t{0});
    FleetDriver open(kPlain);
    QVERIFY(open.askCall("a", "t", "unknown").allow);
}

void TestSignals::otherModelWhileDegradedTrips()
{
    FleetDriver d(kPlain);
    for (int i = 0; i < 3; ++i)
        d.askCall("a", "t", "x");
    const auto answer = d.askStep("a", "t", "small");
    QVERIFY(answer.allow);
    StepReport report;
    report.model = "large";
    d.act(FinishStep{answer.id, "a", report});
    const auto *trip = d.trip(Signal::Envelope);
    QVERIFY(trip != nullptr);
    QCOMPARE(trip->subject.cap, Cap::Model);
    QCOMPARE(trip->rung, Rung::Open);
}

QTEST_APPLESS_MAIN(TestSignals)
#include "tst_signals.moc"

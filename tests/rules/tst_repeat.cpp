// An ask that comes again under its client's own id (spec 5): judged again, counted once; a repeat may turn an allow
// into a deny, never the reverse.
#include "tests/support/fleet_driver.h"

#include "model/rules/client_id.h"

#include <QTest>

using namespace handreset::rules;
using handreset::test::FleetDriver;

class TestRepeat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRepeatCountsOnce();
    void aRepeatedStepReservesOnce();
    void anotherBodyIsAConflict();
    void aResultThatIsInIsAConflict();
    void aStopTurnsARepeatIntoADeny();
    void aDenyStaysADeny();
    void anOpenedBreakerRefusesTheRepeat();
    void aProbesRepeatIsStillTheProbe();
    void aCallByAPassMayBeRepeated();
    void anEndedTaskForgetsItsIds();
    void otherAgentsIdsAreTheirOwn();
    void aTightenedCapRefusesTheRepeat();
    void aRefusedProbesRepeatFreesTheBreaker();
    void aResultAfterTheTasksEndStillCounts();
    void anAbandonedTaskForgetsItsIds();
    void idsAreBounded();
    void idsAreChecked();
};

namespace {

const char *const kPolicy = R"(
schema = 1
[defaults]
steps = { limit = 25, action = "open", reaches = "task" }
repetition = { limit = 3, action = "degraded", reaches = "task" }
spend = [{ window = "24h", limit = "10.00 USD" }]
[tools.search]
access = "read"
breaker = { failure_threshold = 1, cooldown_seconds = 30 }
[tools.send_pix]
access = "write"
value = { pointer = "/amount", currency = "BRL", max = "500.00" }
volume = { per = "24h", calls = 20, value = "2000.00" }
)";

std::optional<ClientStamp> stamp(const std::string &id, const std::string &body = "body")
{
    return ClientStamp{id, bodyDigestOf(body)};
}

AskCall call(const std::string &id, const std::string &tool = "search", const std::string &arguments = R"({"q":1})",
             const std::string &task = "t1")
{
    return {.agent = "a", .task = task, .tool = tool, .arguments = arguments, .client = stamp(id, tool + arguments)};
}

bool isConflict(const FleetDriver &driver)
{
    const auto *error = std::get_if<Error>(&driver.step.outcome);
    return error != nullptr && error->code == ErrorCode::Conflict;
}

} // namespace

void TestRepeat::aRepeatCountsOnce()
{
    FleetDriver driver(kPolicy);
    const auto first = driver.ask(call("one", "send_pix", R"({"amount":100,"currency":"BRL"})"));
    QVERIFY(first.allow);
    const auto before = driver.fleet;
    for (int n = 0; n < 5; ++n) {
        const auto again = driver.ask(call("one", "send_pix", R"({"amount":100,"currency":"BRL"})"));
        QVERIFY(again.allow);
        QCOMPARE(again.id, first.id);
        QVERIFY(driver.step.events.empty());
    }
    QCOMPARE(encodeFleet(driver.fleet), encodeFleet(before));
}

void TestRepeat::aRepeatedStepReservesOnce()
{
    FleetDriver driver(kPolicy);
    const AskStep ask{.agent = "a",
                      .task = "t1",
                      .model = "m",
                      .estimate = Money{*Decimal::parse("6.00"), "USD"},
                      .client = stamp("s1")};
    QVERIFY(driver.ask(ask).allow);
    QVERIFY(driver.ask(ask).allow); // a second one would not fit the window
    QCOMPARE(driver.fleet.task(driver.task("a", "t1")).steps, 1);
}

void TestRepeat::anotherBodyIsAConflict()
{
    FleetDriver driver(kPolicy);
    QVERIFY(driver.ask(call("one")).allow);
    driver.act(call("one", "search", R"({"q":2})"));
    QVERIFY(isConflict(driver));
    auto elsewhere = call("one");
    elsewhere.task = "t2";
    driver.act(elsewhere);
    QVERIFY(isConflict(driver));
    QVERIFY(driver.step.events.empty());
}

void TestRepeat::aResultThatIsInIsAConflict()
{
    FleetDriver driver(kPolicy);
    const auto first = driver.ask(call("one"));
    driver.finishCall("a", first.id, CallOutcome::Success);
    driver.act(call("one"));
    QVERIFY(isConflict(driver));
}

void TestRepeat::aStopTurnsARepeatIntoADeny()
{
    FleetDriver driver(kPolicy);
    const auto first = driver.ask(call("one"));
    QVERIFY(first.allow);
    QVERIFY(driver.done(StopAgent{"a", Rung::Open, "ana", "for the test, ten words"}));
    const auto again = driver.ask(call("one"));
    QVERIFY(!again.allow);
    QCOMPARE(again.id, first.id);
    QCOMPARE(again.reason.source, RefusalSource::Rung);
    const auto trip = driver.trip(Signal::Operator)->id;
    QVERIFY(driver.done(Acknowledge{trip, "ana", {}}));
    QVERIFY(driver.done(Rearm{.trip = trip, .by = "ana", .reason = "it was a test of the switch", .to = Rung::Closed,
                              .queue = {{driver.task("a", "t1"), QueueVerb::Resume}}}));
    QVERIFY(driver.ask(call("two")).allow);
    QVERIFY(!driver.ask(call("one")).allow); // never the reverse
    QCOMPARE(encodeFleet(driver.folded()), encodeFleet(driver.fleet));
}

void TestRepeat::aDenyStaysADeny()
{
    FleetDriver driver(kPolicy);
    const auto refused = driver.ask(call("big", "send_pix", R"({"amount":900})"));
    QVERIFY(!refused.allow);
    const auto trip = driver.trip(Signal::Envelope)->id;
    const auto again = driver.ask(call("big", "send_pix", R"({"amount":900})"));
    QVERIFY(!again.allow);
    QCOMPARE(again.reason.source, refused.reason.source);
    QCOMPARE(again.reason.trip, trip);
    QCOMPARE(driver.fleet.trip(trip)->firings, 1);
}

void TestRepeat::anOpenedBreakerRefusesTheRepeat()
{
    FleetDriver driver(kPolicy);
    QVERIFY(driver.ask(call("one")).allow);
    const auto other = driver.ask(call("two", "search", R"({"q":2})"));
    driver.finishCall("a", other.id, CallOutcome::Failure);
    const auto rejected = driver.fleet.breaker(driver.breakerKey("search")).rejectedWhileOpen;
    const auto again = driver.ask(call("one"));
    QVERIFY(!again.allow);
    QCOMPARE(again.reason.source, RefusalSource::Breaker);
    QCOMPARE(driver.fleet.breaker(driver.breakerKey("search")).rejectedWhileOpen, rejected);
}

void TestRepeat::aProbesRepeatIsStillTheProbe()
{
    FleetDriver driver(kPolicy);
    driver.finishCall("a", driver.ask(call("one")).id, CallOutcome::Failure);
    driver.wait(seconds(30));
    const auto probe = driver.ask(call("two", "search", R"({"q":2})"));
    QVERIFY(probe.allow && probe.probe);
    const auto again = driver.ask(call("two", "search", R"({"q":2})"));
    QVERIFY(again.allow && again.probe);
    QCOMPARE(again.id, probe.id);
}

void TestRepeat::aCallByAPassMayBeRepeated()
{
    FleetDriver driver(kPolicy);
    const auto refused = driver.ask(call("big", "send_pix", R"({"amount":900})"));
    const auto trip = driver.trip(Signal::Envelope)->id;
    QVERIFY(driver.done(GivePass{refused.id, "ana", "the invoice was checked"}));
    QVERIFY(driver.done(Acknowledge{trip, "ana", {}}));
    QVERIFY(driver.done(Rearm{.trip = trip, .by = "ana", .reason = "the invoice was checked by hand", .to = Rung::Closed}));
    const auto passed = driver.ask(call("big2", "send_pix", R"({"amount":900})"));
    QVERIFY2(passed.allow, passed.reason.text.c_str());
    QVERIFY(driver.ask(call("big2", "send_pix", R"({"amount":900})")).allow);
}

void TestRepeat::anEndedTaskForgetsItsIds()
{
    FleetDriver driver(kPolicy);
    QVERIFY(driver.ask(call("one")).allow);
    driver.finishCall("a", driver.fleet.pending.begin()->first, CallOutcome::Success);
    QVERIFY(driver.done(EndTask{"a", "t1", "done"}));
    QVERIFY(driver.fleet.clientAsks.empty());
    auto next = call("one");
    next.task = "t2";
    QVERIFY(driver.ask(next).allow);
    QVERIFY(!driver.ask(call("one")).allow || isConflict(driver)); // of the ended task: refused either way
}

void TestRepeat::otherAgentsIdsAreTheirOwn()
{
    FleetDriver driver(kPolicy);
    const auto first = driver.ask(call("one"));
    auto other = call("one");
    other.agent = "b";
    const auto second = driver.ask(other);
    QVERIFY(second.allow);
    QVERIFY(second.id != first.id);
}

void TestRepeat::aTightenedCapRefusesTheRepeat()
{
    FleetDriver driver(kPolicy);
    QVERIFY(driver.ask(call("p1", "send_pix", R"({"amount":400})")).allow);
    driver.applyPolicy(std::string(kPolicy).replace(std::string(kPolicy).find("500.00"), 6, "100.00"));
    const auto again = driver.ask(call("p1", "send_pix", R"({"amount":400})"));
    QVERIFY(!again.allow);
    QCOMPARE(again.reason.source, RefusalSource::Envelope);
    QVERIFY(driver.fleet.trips.empty()); // a repeat is looked at, it does not trip
    QCOMPARE(encodeFleet(driver.folded()), encodeFleet(driver.fleet));
}

void TestRepeat::aRefusedProbesRepeatFreesTheBreaker()
{
    FleetDriver driver(kPolicy);
    driver.finishCall("a", driver.ask(call("one")).id, CallOutcome::Failure);
    driver.wait(seconds(30));
    const auto probe = driver.ask(call("two", "search", R"({"q":2})"));
    QVERIFY(probe.probe);
    QVERIFY(driver.done(StopAgent{"a", Rung::Open, "ana", "for the test, ten words"}));
    QVERIFY(!driver.ask(call("two", "search", R"({"q":2})")).allow);
    const auto &breaker = driver.fleet.breaker(driver.breakerKey("search"));
    QCOMPARE(breaker.state, BreakerState::HalfOpen);
    QVERIFY(!breaker.probe.isSet());                        // the next ask of another agent is the probe
    driver.finishCall("a", probe.id, CallOutcome::Failure); // a rejected call never counts
    QCOMPARE(driver.fleet.breaker(driver.breakerKey("search")).state, BreakerState::HalfOpen);
    QVERIFY(driver.ask(AskCall{.agent = "b", .task = "t", .tool = "search", .arguments = "{}"}).probe);
    QCOMPARE(encodeFleet(driver.folded()), encodeFleet(driver.fleet));
}

void TestRepeat::aResultAfterTheTasksEndStillCounts()
{
    FleetDriver driver(kPolicy);
    QVERIFY(driver.ask(call("slow")).allow);
    QVERIFY(driver.done(EndTask{"a", "t1", "done"}));
    QVERIFY(driver.done(FinishCall{.ask = {}, .agent = "a", .outcome = CallOutcome::Failure, .clientId = "slow"}));
    QCOMPARE(driver.fleet.breaker(driver.breakerKey("search")).state, BreakerState::Open);
    QVERIFY(driver.fleet.clientAsks.empty());
}

void TestRepeat::anAbandonedTaskForgetsItsIds()
{
    FleetDriver driver(kPolicy);
    const auto first = driver.ask(call("one"));
    driver.finishCall("a", first.id, CallOutcome::Success);
    QVERIFY(driver.done(StopAgent{"a", Rung::Open, "ana", "for the test, ten words"}));
    QVERIFY(driver.done(ActOnQueue{"a", "t1", QueueVerb::Abandon, "ana", "not worth it"}));
    QVERIFY(driver.fleet.clientAsks.empty());
}

void TestRepeat::idsAreBounded()
{
    FleetDriver driver(kPolicy);
    for (std::size_t n = 0; n < kClientIdsOfAgent + 10; ++n)
        driver.act(call("id" + std::to_string(n), "search", R"({"q":)" + std::to_string(n) + '}',
                        "t" + std::to_string(n / 100)));
    QVERIFY(driver.fleet.clientAsks.at(driver.agent("a")).size() <= kClientIdsOfAgent);
    const auto last = "id" + std::to_string(kClientIdsOfAgent + 9);
    QVERIFY(driver.fleet.clientAsks.at(driver.agent("a")).contains(last));
    QCOMPARE(encodeFleet(driver.folded()), encodeFleet(driver.fleet));
}

void TestRepeat::idsAreChecked()
{
    QVERIFY(!checkClientId("0a.B_c:d-9"));
    QVERIFY(checkClientId("ask-12"));
    QVERIFY(checkClientId("a b"));
    QVERIFY(checkClientId("\xc3\xa9"));
    QVERIFY(checkClientId(std::string(129, 'a')));
}

QTEST_APPLESS_MAIN(TestRepeat)
#include "tst_repeat.moc"

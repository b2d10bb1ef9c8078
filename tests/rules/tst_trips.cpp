// Trips, rungs, re-arms, probation, flapping, stops, the queue and the clock (spec 3.4, 4; cases 12, 17, 22, 36, 47, 48).
#include "tests/support/fleet_driver.h"

#include <QTest>

#include <limits>

#include <algorithm>

using namespace handreset::rules;
using handreset::test::FleetDriver;

class TestTrips : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tripStandsInTheTransactionOfItsRefusal();
    void noClockAndNoAgentLiftsABehaviourTrip();
    void furtherFiringsAddEvidenceNotTrips();
    void rearmNeedsAcknowledgementReasonRevision();
    void oneReasonServesTheTripsThatStood();
    void staleRevisionWritesNothing();
    void refusedAsksDoNotMoveTheRevision();
    void rearmToDegradedIsProbationInOneStep();
    void stepsNeedAGrant();
    void newBaselineAfterRearm();
    void flappingGoesStraightToOpen();
    void watchTimeEnds();
    void thirdBehaviourTripReachesTheAgent();
    void endingATaskEndsNoTrip();
    void endedTaskIsNeverUsedAgain();
    void stopNeedsNoPrecondition();
    void stopBindsTheNextAsk();
    void fleetStopReachesEveryAgentAndNewOnes();
    void ackNamesItsTrip();
    void incidentsNumberTheirTrips();
    void queueTakesWhatHadAnAllowedAsk();
    void queuedTaskWaitsUntilResumed();
    void abandonedTaskIsOver();
    void refusalsByRungAreCounted();
    void forwardJumpSuspendsTheClock();
    void backwardJumpRearmsNothingEarly();
    void rebootDoesNotCountTheTimeInBetween();
    void grantsRaiseLimits();
    void policyEditEndsNoTrip();
    void recordedStoreJudgesWithoutRefusing();
    void damagedLogsAreRefused();
    // what a reviewer found
    void sessionOfATaskIsItsFirst();
    void widerReachHoldsTheTree();
    void endedRootHoldsItsSubTasks();
    void stoppedSubAgentsTaskWaits();
    void grantsThatFitNothingAreRefused();
    void isolationHoldsForEveryAgentsOwnBreaker();
    void firstLoggedAskMayNameItsParent();
    void redactedValuesStandInNoEvent();
    void untrustedClockGivesNoFreshOverdraft();
    void probationOfATaskDoesNotStandForTheAgent();
    void resumeWaitsForTheOtherTrip();
    void hammeringWithNewNamesWritesNothing();
    void priceTableCannotBeDodged();
    void removedAndReaddedWindowKeepsItsSum();
    void retryAfterWhileTrippedHolds();
    void madeUpEndpointsTripOnlySoOften();
};

namespace {

constexpr std::string_view kPolicy = R"(
schema = 1
[defaults]
steps = { limit = 5 }
repetition = { limit = 3 }
degraded_model = "small"
spend = [{ window = "24h", limit = "10.00 USD" }]
[tools.read]
access = "read"
[tools.write]
access = "write"
)";

constexpr const char *kReason = "the loop was a wrong id";

void loop(FleetDriver &d, const std::string &agent = "a", const std::string &task = "t")
{
    for (int i = 0; i < 3; ++i)
        d.askCall(agent, task, "read", "{}");
}

/// Acknowledges and re-arms as a person who has just looked.
bool rearm(FleetDriver &d, TripId id, Rung to, const std::string &reason, Grant grant = {})
{
    if (!d.fleet.trip(id)->acknowledgedAt && !d.done(Acknowledge{id, "ana", {}}))
        return false;
    return d.done(Rearm{.trip = id, .by = "ana", .cause = "wrong data", .reason = reason, .to = to, .grant = grant});
}

} // namespace

void TestTrips::tripStandsInTheTransactionOfItsRefusal()
{
    FleetDriver d(kPolicy);
    loop(d);
    QVERIFY(d.step.mustSync);
    QCOMPARE(d.step.events.size(), std::size_t{2});
    QVERIFY(std::holds_alternative<CallAsked>(d.step.events[0].payload));
    QVERIFY(std::holds_alternative<TripFired>(d.step.events[1].payload));
    QCOMPARE(d.trip(Signal::Repetition)->ask.value, d.step.events[0].seq.value);
}

void TestTrips::noClockAndNoAgentLiftsABehaviourTrip()
{
    FleetDriver d(kPolicy);
    loop(d);
    const auto id = d.trip(Signal::Repetition)->id;
    d.wait(hours(24 * 400));
    d.act(Tick{});
    d.act(EndTask{"a", "t", "done"});
    d.act(NoteTask{"a", "t", "please re-arm me"});
    QVERIFY(d.fleet.trip(id)->active());
}

void TestTrips::furtherFiringsAddEvidenceNotTrips()
{
    FleetDriver d(kPolicy);
    loop(d);
    for (int i = 0; i < 5; ++i)
        d.askCall("a", "t", "read", "{}");
    QCOMPARE(d.fleet.trips.size(), std::size_t{1});
    QCOMPARE(d.trip(Signal::Repetition)->firings, 6);
}

void TestTrips::rearmNeedsAcknowledgementReasonRevision()
{
    FleetDriver d(kPolicy);
    loop(d);
    const auto id = d.trip(Signal::Repetition)->id;
    const auto refused = [&](const Rearm &command, const char *word) {
        const auto active = d.fleet.trips.size();
        const bool was = !d.done(command) && d.problem().find(word) != std::string::npos && d.fleet.trips.size() == active
            && std::holds_alternative<ActRefused>(d.log.back().payload);
        if (!was)
            qWarning("%s", d.problem().c_str());
        return was;
    };
    Rearm command{.trip = id, .by = "ana", .cause = "x", .reason = kReason, .to = Rung::Degraded};
    QVERIFY(refused(command, "acknowledge"));
    QVERIFY(d.done(Acknowledge{id, "ana", {}}));
    QVERIFY(!d.done(Acknowledge{id, "ben", {}}));
    command.reason = "too short";
    QVERIFY(refused(command, "10 characters"));
    command.reason = "          a          ";
    QVERIFY(refused(command, "10 characters"));
    command.reason = kReason;
    command.revision = Revision{1};
    QVERIFY(refused(command, "revision"));
    command.revision.reset();
    command.to = Rung::Open;
    QVERIFY(refused(command, "stop"));
    command.to = Rung::Closed;
    command.trip = TripId{4};
    QVERIFY(refused(command, "no such trip"));
    command.trip = id;
    QVERIFY(d.done(command));
    QVERIFY(refused(command, "already re-armed by ana"));
    loop(d);
    const auto next = d.trip(Signal::Repetition)->id;
    QVERIFY(d.done(Acknowledge{next, "ana", {}}));
    command.trip = next;
    QVERIFY(refused(command, "copy of the last"));
}

void TestTrips::oneReasonServesTheTripsThatStood()
{
    FleetDriver d(kPolicy);
    loop(d, "a", "one");
    const auto first = d.trip(Signal::Repetition)->id;
    d.wait(seconds(1));
    loop(d, "a", "two");
    TripId second;
    for (const auto &[id, trip] : d.fleet.trips)
        second = id;
    QVERIFY(second != first);
    for (const auto id : {first, second})
        QVERIFY(d.done(Acknowledge{id, "ana", {}}));
    d.wait(seconds(1));
    QVERIFY(d.done(Rearm{.trip = first, .by = "ana", .reason = kReason, .to = Rung::Closed}));
    QVERIFY2(d.done(Rearm{.trip = second, .by = "ana", .reason = kReason, .to = Rung::Degraded}), d.problem().c_str());
    // The probation began with that act: to lift it needs words of its own.
    TripId probation;
    for (const auto &[id, trip] : d.fleet.trips)
        probation = trip.subject.signal == Signal::Probation ? id : probation;
    QVERIFY(d.done(Acknowledge{probation, "ana", {}}) || d.fleet.trip(probation)->acknowledgedAt);
    QVERIFY(!d.done(Rearm{.trip = probation, .by = "ana", .reason = kReason, .to = Rung::Closed}));
    QVERIFY(d.problem().find("copy of the last") != std::string::npos);
}

void TestTrips::staleRevisionWritesNothing()
{
    FleetDriver d(kPolicy);
    loop(d);
    const auto id = d.trip(Signal::Repetition)->id;
    QVERIFY(d.done(Acknowledge{id, "ana", {}}));
    const auto seen = d.fleet.agent(d.agent("a")).revision;
    loop(d, "a", "another"); // a new trip of the same agent
    QVERIFY(!d.done(Rearm{.trip = id, .revision = seen, .by = "ana", .reason = kReason, .to = Rung::Closed}));
    QVERIFY(d.fleet.trip(id)->active());
    QVERIFY(d.done(Rearm{.trip = id, .revision = d.fleet.agent(d.agent("a")).revision, .by = "ana", .reason = kReason, .to = Rung::Closed}));
    QVERIFY(!d.fleet.trip(id)->active());
}

void TestTrips::refusedAsksDoNotMoveTheRevision()
{
    FleetDriver d(kPolicy);
    loop(d);
    const auto before = d.fleet.agent(d.agent("a")).revision;
    for (int i = 0; i < 50; ++i) {
        d.askCall("a", "t", "write", std::to_string(i));
        d.askCall("a", "t", "read", "{}");
        d.finishStep("a", d.askStep("a", "t", "small").id);
        d.act(NoteTask{"a", "t", "still here"});
    }
    // the step limit trips once within this: one trip, one rise
    QCOMPARE(d.fleet.agent(d.agent("a")).revision.value, before.value + (d.trip(Signal::Steps) != nullptr ? 1 : 0));
}

void TestTrips::rearmToDegradedIsProbationInOneStep()
{
    FleetDriver d(kPolicy);
    loop(d);
    const auto id = d.trip(Signal::Repetition)->id;
    QVERIFY(rearm(d, id, Rung::Degraded, kReason));
    QCOMPARE(d.step.events.size(), std::size_t{2});
    const auto *probation = d.trip(Signal::Probation);
    QVERIFY(probation != nullptr);
    QCOMPARE(probation->linked, id);
    QCOMPARE(probation->latch, LatchState::HeldByHuman);
    QCOMPARE(d.fleet.rungOf(d.agent("a"), d.task("a", "t")), Rung::Degraded);
    d.wait(hours(1000));
    d.act(Tick{});
    QVERIFY(d.trip(Signal::Probation) != nullptr);
    QVERIFY(rearm(d, probation->id, Rung::Closed, "it has behaved since"));
    QCOMPARE(d.fleet.rungOf(d.agent("a"), d.task("a", "t")), Rung::Closed);
    QVERIFY(d.fleet.trips.empty());
}

void TestTrips::stepsNeedAGrant()
{
    FleetDriver d(kPolicy);
    for (int i = 0; i < 6; ++i)
        d.askStep("a", "t");
    const auto id = d.trip(Signal::Steps)->id;
    QVERIFY(!rearm(d, id, Rung::Closed, kReason));
    QVERIFY(d.problem().find("how many more") != std::string::npos);
    QVERIFY(d.done(Rearm{.trip = id, .by = "ana", .reason = kReason, .to = Rung::Closed, .grant = {.steps = 2},
                         .queue = {{d.task("a", "t"), QueueVerb::Resume}}}));
    QVERIFY(d.askStep("a", "t").allow);
    QVERIFY(d.askStep("a", "t").allow);
    QVERIFY(!d.askStep("a", "t").allow); // used + n, then it trips again
    QVERIFY(d.trip(Signal::Steps)->flapping);
}

void TestTrips::newBaselineAfterRearm()
{
    FleetDriver d(kPolicy);
    loop(d);
    QVERIFY(rearm(d, d.trip(Signal::Repetition)->id, Rung::Closed, kReason));
    QVERIFY(d.askCall("a", "t", "read", "{}").allow);
    QVERIFY(d.askCall("a", "t", "read", "{}").allow);
    QVERIFY(!d.askCall("a", "t", "read", "{}").allow);
}

void TestTrips::flappingGoesStraightToOpen()
{
    FleetDriver d(kPolicy);
    loop(d);
    const auto first = d.trip(Signal::Repetition)->id;
    QVERIFY(rearm(d, first, Rung::Closed, kReason));
    d.wait(minutes(10));
    loop(d);
    const auto *trip = d.trip(Signal::Repetition);
    QCOMPARE(trip->rung, Rung::Open);
    QVERIFY(trip->flapping);
    QCOMPARE(trip->linked, first);
}

void TestTrips::watchTimeEnds()
{
    FleetDriver d(kPolicy);
    loop(d);
    QVERIFY(rearm(d, d.trip(Signal::Repetition)->id, Rung::Closed, kReason));
    d.wait(minutes(31));
    loop(d);
    QCOMPARE(d.trip(Signal::Repetition)->rung, Rung::Degraded);
    QVERIFY(!d.trip(Signal::Repetition)->flapping);
}

void TestTrips::thirdBehaviourTripReachesTheAgent()
{
    FleetDriver d(kPolicy);
    loop(d, "a", "t1");
    loop(d, "a", "t2");
    QCOMPARE(d.fleet.agent(d.agent("a")).rung, Rung::Closed);
    loop(d, "a", "t3");
    QCOMPARE(d.fleet.agent(d.agent("a")).rung, Rung::Degraded);
    QVERIFY(std::any_of(d.fleet.trips.begin(), d.fleet.trips.end(),
                        [](const auto &entry) { return entry.second.escalated && entry.second.reach == Reach::Agent; }));
    FleetDriver slow(kPolicy);
    for (int i = 0; i < 5; ++i) {
        loop(slow, "a", "t" + std::to_string(i));
        slow.wait(minutes(40));
    }
    QCOMPARE(slow.fleet.agent(slow.agent("a")).rung, Rung::Closed); // never three within an hour
}

void TestTrips::endingATaskEndsNoTrip()
{
    FleetDriver d(kPolicy);
    loop(d);
    d.act(EndTask{"a", "t", "gave up"});
    QVERIFY(d.trip(Signal::Repetition) != nullptr);
    QVERIFY(d.fleet.queue.empty());
}

void TestTrips::endedTaskIsNeverUsedAgain()
{
    FleetDriver d(kPolicy);
    d.askStep("a", "t");
    d.act(EndTask{"a", "t", "done"});
    const auto answer = d.askStep("a", "t");
    QVERIFY(!answer.allow);
    QCOMPARE(answer.reason.source, RefusalSource::TaskEnded);
    QVERIFY(d.askStep("b", "t").allow); // the same text of another agent is another task
}

void TestTrips::stopNeedsNoPrecondition()
{
    FleetDriver d(kPolicy);
    d.askStep("a", "t");
    QVERIFY(d.done(StopAgent{"a", Rung::Open, "ana", {}}));
    const auto *trip = d.trip(Signal::Operator);
    QVERIFY(trip->reason.empty());
    QVERIFY(!d.done(GiveReason{trip->id, "ana", "short"}));
    QVERIFY(d.done(GiveReason{trip->id, "ana", "it pays invoices twice"}));
    QVERIFY(!d.done(GiveReason{trip->id, "ben", "another story, later on"})); // the first word stands
    QCOMPARE(d.trip(Signal::Operator)->reason, std::string("it pays invoices twice"));
    QVERIFY(!d.done(StopAgent{"nobody", Rung::Open, "ana", {}}));
    QVERIFY(!d.done(StopAgent{"a", Rung::Closed, "ana", {}}));
    QVERIFY(rearm(d, trip->id, Rung::Closed, kReason));
}

void TestTrips::stopBindsTheNextAsk()
{
    FleetDriver d(kPolicy);
    QVERIFY(d.askStep("a", "t").allow);
    QVERIFY(d.done(StopAgent{"a", Rung::Open, "ana", {}}));
    QVERIFY(!d.askStep("a", "t").allow);
    QVERIFY(!d.askCall("a", "new", "read").allow);
    QVERIFY(d.askStep("b", "t").allow);
}

void TestTrips::fleetStopReachesEveryAgentAndNewOnes()
{
    FleetDriver d(kPolicy);
    d.askStep("a", "t");
    QVERIFY(d.done(StopAgent{{}, Rung::Open, "ana", "all of it"}));
    QVERIFY(!d.askStep("a", "t").allow);
    QVERIFY(!d.askStep("never seen", "t").allow);
    QVERIFY(rearm(d, d.trip(Signal::Operator)->id, Rung::Closed, kReason));
    QVERIFY(d.askStep("never seen", "u").allow);
}

void TestTrips::ackNamesItsTrip()
{
    FleetDriver d(kPolicy);
    loop(d, "a", "one");
    loop(d, "a", "two");
    const auto first = d.fleet.trips.begin()->first;
    QVERIFY(d.done(Acknowledge{first, "ana", "seen"}));
    QVERIFY(d.fleet.trip(first)->acknowledgedAt.has_value());
    QVERIFY(!d.fleet.trips.rbegin()->second.acknowledgedAt.has_value());
    auto restored = decodeFleet(encodeFleet(d.fleet));
    QCOMPARE(restored->trip(first)->acknowledgedBy, d.fleet.trip(first)->acknowledgedBy); // not gone after a restart
}

void TestTrips::incidentsNumberTheirTrips()
{
    FleetDriver d(kPolicy);
    loop(d, "a", "one");
    const auto first = d.trip(Signal::Repetition)->id;
    loop(d, "a", "two");
    const auto second = d.fleet.trips.rbegin()->second;
    QCOMPARE(second.incident, first);
    QCOMPARE(second.order, 2);
    QVERIFY(rearm(d, first, Rung::Closed, "reason number one"));
    QVERIFY(rearm(d, second.id, Rung::Closed, "reason number two"));
    d.wait(minutes(9));
    loop(d, "a", "three");
    QCOMPARE(d.trip(Signal::Repetition)->incident, first); // the quiet time has not passed
    QVERIFY(rearm(d, d.trip(Signal::Repetition)->id, Rung::Closed, "reason number three"));
    d.wait(minutes(11));
    loop(d, "a", "four");
    QCOMPARE(d.trip(Signal::Repetition)->incident, d.trip(Signal::Repetition)->id);
    QCOMPARE(d.trip(Signal::Repetition)->order, 1);
}

void TestTrips::queueTakesWhatHadAnAllowedAsk()
{
    FleetDriver d(kPolicy);
    d.askStep("a", "working");
    d.askStep("a", "over");
    d.act(EndTask{"a", "over", "done"});
    QVERIFY(d.done(StopAgent{"a", Rung::Open, "ana", {}}));
    d.askStep("a", "came later");
    QCOMPARE(d.fleet.queue.size(), std::size_t{1});
    QVERIFY(d.fleet.queue.at(d.task("a", "working")).waiting);
    FleetDriver degraded(kPolicy);
    loop(degraded);
    QVERIFY(!degraded.fleet.queue.at(degraded.task("a", "t")).waiting); // it runs on, and hands over its diagnosis
    degraded.act(NoteTask{"a", "t", "the invoice does not exist"});
    QCOMPARE(degraded.fleet.task(degraded.task("a", "t")).note, std::string("the invoice does not exist"));
}

void TestTrips::queuedTaskWaitsUntilResumed()
{
    FleetDriver d(kPolicy);
    d.askStep("a", "t");
    QVERIFY(d.done(StopAgent{"a", Rung::Open, "ana", {}}));
    QVERIFY(!d.done(ActOnQueue{"a", "t", QueueVerb::Resume, "ana", {}})); // the switch is open
    QVERIFY(d.done(ActOnQueue{"a", "t", QueueVerb::Take, "ana", {}}));
    QVERIFY(!d.done(ActOnQueue{"a", "t", QueueVerb::Take, "ben", {}}));
    QVERIFY(d.done(ActOnQueue{"a", "t", QueueVerb::Return, "ana", {}}));
    QVERIFY(rearm(d, d.trip(Signal::Operator)->id, Rung::Closed, kReason));
    const auto waiting = d.askStep("a", "t");
    QVERIFY(!waiting.allow);
    QCOMPARE(waiting.reason.source, RefusalSource::Queue);
    QVERIFY(d.done(ActOnQueue{"a", "t", QueueVerb::Resume, "ana", {}}));
    QVERIFY(d.askStep("a", "t").allow);
    FleetDriver clock(kPolicy);
    clock.finishStep("a", clock.askStep("a", "t").id, "10.00");
    QCOMPARE(clock.fleet.queue.size(), std::size_t{1});
    clock.wait(hours(24));
    QVERIFY(clock.askStep("a", "t").allow); // spend's items resume with their re-arm
    QVERIFY(clock.fleet.queue.empty());
}

void TestTrips::abandonedTaskIsOver()
{
    FleetDriver d(kPolicy);
    d.askStep("a", "t");
    QVERIFY(d.done(StopAgent{"a", Rung::Open, "ana", {}}));
    QVERIFY(d.done(ActOnQueue{"a", "t", QueueVerb::Abandon, "ana", "no longer needed"}));
    QVERIFY(d.fleet.task(d.task("a", "t")).ended);
    QVERIFY(d.fleet.queue.empty());
}

void TestTrips::refusalsByRungAreCounted()
{
    FleetDriver d(kPolicy);
    d.askStep("a", "t");
    QVERIFY(d.done(StopAgent{"a", Rung::Open, "ana", {}}));
    const auto before = d.log.size();
    d.askStep("a", "t");
    QCOMPARE(d.log.size(), before);
    QVERIFY(d.step.uncounted.has_value());
    QCOMPARE(d.step.uncounted->refusal.source, RefusalSource::Rung);
    d.act(CountRefusals{d.agent("a"), d.task("a", "t"), {d.step.uncounted->refusal, {}, 7, d.fleet.ruleTime}});
    QCOMPARE(d.fleet.agent(d.agent("a")).refused, 7);
}

void TestTrips::forwardJumpSuspendsTheClock()
{
    FleetDriver d(kPolicy);
    d.finishStep("a", d.askStep("a", "t").id, "10.00");
    d.act(FinishStep{d.ask(AskStep{.agent = "b", .task = "t", .endpoint = "eu", .model = "m"}).id, "b", {.ok = false, .status = 429}});
    d.moment.now.wall = d.moment.now.wall + hours(24 * 365); // a year, in no time at all
    d.act(Tick{});
    QVERIFY(!d.fleet.clockTrusted);
    QVERIFY(d.trip(Signal::Spend) != nullptr);
    d.wait(hours(2));
    d.act(Tick{});
    QVERIFY(d.trip(Signal::Spend) != nullptr);
    QVERIFY(d.trip(Signal::Provider) != nullptr);
    QVERIFY(!d.done(ConfirmTime{"ana", "short"}));
    QVERIFY(d.done(ConfirmTime{"ana", "the clock was set right"}));
    d.act(Tick{});
    QCOMPARE(d.trip(Signal::Spend), nullptr);
    QCOMPARE(d.trip(Signal::Provider), nullptr);
}

void TestTrips::backwardJumpRearmsNothingEarly()
{
    FleetDriver d(kPolicy);
    d.finishStep("a", d.askStep("a", "t").id, "10.00");
    const auto at = d.fleet.ruleTime;
    d.moment.now.wall = d.moment.now.wall - hours(24 * 365);
    d.act(Tick{});
    QVERIFY(std::holds_alternative<ClockJumped>(d.log.back().payload));
    QVERIFY(d.fleet.ruleTime >= at); // rule time never goes back
    const auto events = d.log.size();
    d.act(Tick{});
    QCOMPARE(d.log.size(), events); // told once
    QVERIFY(d.trip(Signal::Spend) != nullptr);
}

void TestTrips::rebootDoesNotCountTheTimeInBetween()
{
    FleetDriver d(kPolicy);
    d.act(FinishStep{d.askStep("a", "t").id, "a", {.ok = false, .status = 429}});
    d.moment.now.wall = d.moment.now.wall + hours(5); // the machine was off; steady time did not run
    d.act(StartHost{"boot-2", 0, "test", "ana"});
    QVERIFY(!d.fleet.clockTrusted); // nobody can say how long it was
    QVERIFY(d.trip(Signal::Provider) != nullptr);
}

void TestTrips::grantsRaiseLimits()
{
    FleetDriver d(kPolicy);
    for (int i = 0; i < 5; ++i)
        d.askStep("a", "t");
    TripSubject subject;
    subject.signal = Signal::Steps;
    subject.root = d.task("a", "t");
    subject.agent = d.agent("a");
    QVERIFY(!d.done(GrantMore{subject, {.steps = 3}, "ana", " "}));
    QVERIFY(!d.done(GrantMore{subject, {.steps = -3}, "ana", "fewer"}));
    QVERIFY(d.done(GrantMore{subject, {.steps = 3}, "ana", "nearly done"}));
    int allowed = 0;
    for (int i = 0; i < 10; ++i)
        allowed += d.askStep("a", "t").allow ? 1 : 0;
    QCOMPARE(allowed, 3);
}

void TestTrips::policyEditEndsNoTrip()
{
    FleetDriver d(kPolicy);
    loop(d);
    const auto id = d.trip(Signal::Repetition)->id;
    const auto revision = d.fleet.agent(d.agent("a")).revision;
    d.applyPolicy(R"(
schema = 1
[defaults]
steps = { limit = 5000 }
repetition = { limit = 3000 }
spend = [{ window = "24h", limit = "10.00 USD" }]
)");
    QVERIFY(d.fleet.trip(id)->active());
    QVERIFY(d.fleet.agent(d.agent("a")).revision > revision);
}

void TestTrips::recordedStoreJudgesWithoutRefusing()
{
    FleetDriver d(kPolicy, true);
    d.moment.sourceTime = Instant{FleetDriver::kStart - 1'000'000};
    for (int i = 0; i < 8; ++i) {
        QVERIFY(d.ask(AskStep{.agent = "a", .task = "t", .model = "m", .outcome = StepReport{}}).allow);
        QVERIFY(d.askCall("a", "t", "read", "{}").allow);
    }
    QVERIFY(d.trip(Signal::Steps) != nullptr);
    QVERIFY(d.trip(Signal::Repetition) != nullptr);
    QVERIFY(d.fleet.queue.empty());
    QCOMPARE(d.trip(Signal::Steps)->firedAt.micros, d.moment.sourceTime->micros);
}

void TestTrips::damagedLogsAreRefused()
{
    FleetDriver d(kPolicy);
    loop(d);
    for (std::size_t i = 0; i < d.log.size(); ++i) { // each event left out once
        Fleet fleet;
        bool refused = false;
        for (std::size_t j = 0; j < d.log.size() && !refused; ++j) {
            if (j == i)
                continue;
            const auto before = encodeFleet(fleet);
            refused = !apply(fleet, d.log[j]).ok();
            if (refused)
                QCOMPARE(encodeFleet(fleet), before);
        }
        QVERIFY(refused || i + 1 == d.log.size());
    }
    auto twice = d.log.back();
    QVERIFY(!apply(d.fleet, twice).ok());
    twice.seq = d.fleet.seq.next();
    QVERIFY(!apply(d.fleet, twice).ok()); // a second trip of one subject
}

void TestTrips::sessionOfATaskIsItsFirst()
{
    FleetDriver d(R"(
schema = 1
[defaults]
steps = { limit = 100, per_session = 5 }
repetition = { limit = 3 }
spend = [{ window = "24h", limit = "10.00 USD" }]
)");
    int allowed = 0;
    for (int i = 0; i < 50; ++i)
        allowed += d.ask(AskStep{.agent = "a", .task = "t", .session = i == 0 ? "s1" : "s2", .model = "m"}).allow ? 1 : 0;
    QCOMPARE(allowed, 5);
}

void TestTrips::widerReachHoldsTheTree()
{
    FleetDriver d(R"(
schema = 1
[defaults]
steps = { limit = 100 }
repetition = { limit = 3, reaches = "agent" }
spend = [{ window = "24h", limit = "10.00 USD" }]
[agents.child]
parents = ["parent"]
)");
    d.askStep("parent", "root");
    for (int i = 0; i < 3; ++i)
        d.ask(AskCall{.agent = "child", .task = "sub", .parent = "root", .tool = "x", .arguments = "{}"});
    QCOMPARE(d.fleet.rungOf(d.agent("child"), d.task("child", "sub")), Rung::Degraded);
    QVERIFY(!d.askCall("child", "sub", "write", "{}").allow);
    QVERIFY(d.askCall("child", "other", "write", "{}").allow);
}

void TestTrips::endedRootHoldsItsSubTasks()
{
    FleetDriver d(std::string(kPolicy) + "[agents.child]\nparents = [\"parent\"]\n");
    d.askStep("parent", "root");
    d.ask(AskStep{.agent = "child", .task = "sub", .parent = "root", .model = "m"});
    QVERIFY(d.done(StopAgent{"parent", Rung::Open, "ana", {}}));
    d.act(EndTask{"parent", "root", "slipping away"});
    const auto answer = d.askStep("child", "sub");
    QVERIFY(!answer.allow);
    QCOMPARE(answer.reason.source, RefusalSource::TaskEnded);
}

void TestTrips::stoppedSubAgentsTaskWaits()
{
    FleetDriver d(std::string(kPolicy) + "[agents.child]\nparents = [\"parent\"]\n");
    d.askStep("parent", "root");
    d.ask(AskStep{.agent = "child", .task = "sub", .parent = "root", .model = "m"});
    QVERIFY(d.done(StopAgent{"child", Rung::Open, "ana", {}}));
    QVERIFY(d.fleet.queue.contains(d.task("child", "sub")));
    QVERIFY(rearm(d, d.trip(Signal::Operator)->id, Rung::Closed, kReason));
    QVERIFY(!d.askStep("child", "sub").allow); // it waits until a human says so
    QVERIFY(d.askStep("parent", "root").allow);
    QVERIFY(d.done(ActOnQueue{"child", "sub", QueueVerb::Resume, "ana", {}}));
    QVERIFY(d.askStep("child", "sub").allow);
}

void TestTrips::grantsThatFitNothingAreRefused()
{
    FleetDriver d(kPolicy);
    loop(d);
    QVERIFY(d.done(StopAgent{"a", Rung::Open, "ana", {}}));
    const auto stop = d.trip(Signal::Operator)->id;
    QVERIFY(!rearm(d, stop, Rung::Closed, kReason, {.volumeCalls = 3}));
    QVERIFY(!rearm(d, stop, Rung::Closed, kReason, {.steps = 3}));
    TripSubject steps;
    steps.signal = Signal::Steps;
    steps.root = TaskId{1};
    QVERIFY(!d.done(GrantMore{steps, {.steps = std::numeric_limits<std::int64_t>::max()}, "ana", "far too many"}));
    QVERIFY(d.done(GrantMore{steps, {.steps = 1'000'000'000}, "ana", "as many as can be meant"}));
    TripSubject nonsense;
    nonsense.signal = Signal::Spend;
    nonsense.key = d.fleet.agent(d.agent("a")).key;
    QVERIFY(!d.done(GrantMore{nonsense, {.spend = *Decimal::parse("5")}, "ana", "no window"}));
    nonsense.key = KeyId{999};
    nonsense.windowHours = 24;
    QVERIFY(!d.done(GrantMore{nonsense, {.spend = *Decimal::parse("5")}, "ana", "no such key"}));
    nonsense.key = d.fleet.agent(d.agent("a")).key;
    nonsense.windowHours = 168;
    QVERIFY(!d.done(GrantMore{nonsense, {.spend = *Decimal::parse("5")}, "ana", "no such window in the policy"}));
    QVERIFY(d.problem().find("no 7d window") != std::string::npos);
    nonsense.windowHours = 24;
    QVERIFY(d.done(GrantMore{nonsense, {.spend = *Decimal::parse("5")}, "ana", "a window of the policy"}));
}

void TestTrips::isolationHoldsForEveryAgentsOwnBreaker()
{
    FleetDriver d(std::string(kPolicy) + "[tools.own]\naccess = \"read\"\nbreaker = { scope = \"agent\", cooldown_seconds = 5 }\n");
    QVERIFY(d.askCall("a", "t", "own").allow);
    QVERIFY(d.done(ActOnBreaker{"own", {}, BreakerEvent::Isolate, "ana", "the vendor is down"}));
    QCOMPARE(d.askCall("a", "t", "own", "1").reason.source, RefusalSource::Breaker);
    QCOMPARE(d.askCall("b", "t", "own", "2").reason.source, RefusalSource::Breaker);
    QVERIFY(d.done(ActOnBreaker{"own", {}, BreakerEvent::Release, "ana", "it is back"}));
    QVERIFY(d.askCall("a", "t", "own", "3").allow);
    // The other way about: a breaker that stops nothing is never said to be open.
    QVERIFY(d.askCall("a", "t", "read", "4").allow);
    QVERIFY(!d.done(ActOnBreaker{"read", "a", BreakerEvent::Isolate, "ana", "for this agent alone"}));
    QVERIFY(d.problem().find("one breaker for all agents") != std::string::npos);
    QVERIFY(d.done(ActOnBreaker{"own", "a", BreakerEvent::Isolate, "ana", "for this agent alone"}));
}

void TestTrips::firstLoggedAskMayNameItsParent()
{
    FleetDriver d(std::string(kPolicy) + "[agents.child]\nparents = [\"parent\"]\n");
    d.askStep("parent", "root");
    d.askStep("child", "warm up");
    QVERIFY(d.done(StopAgent{"child", Rung::Degraded, "ana", {}}));
    d.ask(AskCall{.agent = "child", .task = "sub", .parent = "root", .tool = "write", .arguments = "{}"});
    QVERIFY(d.step.uncounted.has_value());
    d.act(CountRefusals{d.step.uncounted->agent, d.step.uncounted->task, {d.step.uncounted->refusal, {}, 1, d.fleet.ruleTime}});
    d.ask(AskStep{.agent = "child", .task = "sub", .parent = "root", .model = "small"});
    QCOMPARE(d.problem(), std::string());
    QCOMPARE(d.fleet.rootOf(d.task("child", "sub")), d.task("parent", "root"));
}

void TestTrips::redactedValuesStandInNoEvent()
{
    FleetDriver d(R"(
schema = 1
[defaults]
steps = { limit = 100 }
repetition = { limit = 3 }
spend = [{ window = "24h", limit = "10.00 USD" }]
[tools.pay]
access = "write"
value = { pointer = "/amount", currency = "BRL", max = "5" }
destination = { pointer = "/to", allow = ["acme"] }
redact = ["/to", "/amount"]
)");
    d.askCall("a", "t", "pay", R"({"amount":77123,"to":"canary-destination"})");
    QCOMPARE(d.fleet.trips.size(), std::size_t{2});
    for (const auto &event : d.log) {
        const auto json = eventToJson(event, d.fleet.names);
        QVERIFY2(json.find("canary") == std::string::npos, json.c_str());
        QVERIFY2(json.find("77123") == std::string::npos, json.c_str());
    }
    QVERIFY(encodeFleet(d.fleet).find("canary") == std::string::npos);
}

void TestTrips::untrustedClockGivesNoFreshOverdraft()
{
    FleetDriver d(R"(
schema = 1
[defaults]
steps = { limit = 1000 }
repetition = { limit = 3 }
degraded_model = "small"
estimate = "0.05 USD"
spend = [{ window = "24h", limit = "1.00 USD", action = "degraded", overdraft = "0.20 USD" }]
)");
    d.finishStep("a", d.askStep("a", "t", "large").id, "1.00");
    d.moment.now.wall = d.moment.now.wall + hours(48);
    int allowed = 0;
    for (int i = 0; i < 30; ++i)
        allowed += d.askStep("a", "t", "small").allow ? 1 : 0;
    QCOMPARE(allowed, 0);
    QVERIFY(d.trip(Signal::Spend) != nullptr);
}

void TestTrips::probationOfATaskDoesNotStandForTheAgent()
{
    FleetDriver d(kPolicy);
    loop(d, "a", "t1");
    QVERIFY(rearm(d, d.trip(Signal::Repetition)->id, Rung::Degraded, "first probation"));
    loop(d, "a", "t2");
    loop(d, "a", "t3");
    d.act(Tick{});
    for (int i = 0; i < 3; ++i)
        d.askCall("a", "t1", "read", "{\"again\":1}");
    std::vector<TripId> standing;
    for (const auto &[id, trip] : d.fleet.trips) {
        if (trip.reach == Reach::Agent)
            standing.push_back(id);
    }
    QVERIFY(!standing.empty()); // escalated
    QVERIFY(rearm(d, standing.front(), Rung::Degraded, "second probation"));
    QVERIFY(d.fleet.agent(d.agent("a")).rung >= Rung::Degraded);
}

void TestTrips::resumeWaitsForTheOtherTrip()
{
    FleetDriver d(kPolicy);
    d.askStep("a", "t");
    QVERIFY(d.done(StopAgent{"a", Rung::Open, "ana", {}}));
    QVERIFY(d.done(StopAgent{{}, Rung::Open, "ana", {}}));
    const auto own = d.fleet.tripsOfAgent.at(d.agent("a"));
    const auto id = *own.begin();
    QVERIFY(d.done(Acknowledge{id, "ana", {}}));
    QVERIFY(d.done(Rearm{.trip = id, .by = "ana", .reason = kReason, .to = Rung::Closed,
                         .queue = {{d.task("a", "t"), QueueVerb::Resume}}}));
    QVERIFY(d.fleet.queue.at(d.task("a", "t")).waiting); // the fleet's stop holds it still
}

void TestTrips::hammeringWithNewNamesWritesNothing()
{
    FleetDriver d(kPolicy);
    d.askStep("a", "t");
    QVERIFY(d.done(StopAgent{"a", Rung::Open, "ana", {}}));
    const auto before = d.log.size();
    for (int i = 0; i < 100; ++i) {
        QVERIFY(!d.askCall("a", "new " + std::to_string(i), "tool " + std::to_string(i)).allow);
        QVERIFY(d.step.uncounted.has_value());
    }
    QCOMPARE(d.log.size(), before);
}

void TestTrips::priceTableCannotBeDodged()
{
    FleetDriver d(std::string(kPolicy) + "[prices.m]\nin = \"10.00 USD\"\nout = \"10.00 USD\"\n");
    const auto answer = d.askStep("a", "t", "m");
    StepReport report; // names no model, and reports next to nothing
    report.cost = Money{*Decimal::parse("0.000001"), "USD"};
    report.tokensIn = 100'000;
    d.act(FinishStep{answer.id, "a", report});
    QCOMPARE(d.fleet.agent(d.agent("a")).cost, *Decimal::parse("1"));
    const auto other = d.askStep("a", "t", "unknown");
    report.cost = Money{Decimal{}, "USD"};
    d.act(FinishStep{other.id, "a", report});
    QCOMPARE(d.fleet.agent(d.agent("a")).cost, *Decimal::parse("1.05")); // 0 claimed for tokens without a price
}

void TestTrips::removedAndReaddedWindowKeepsItsSum()
{
    constexpr std::string_view kOther = R"(
schema = 1
[defaults]
steps = { limit = 100 }
repetition = { limit = 3 }
spend = [{ window = "1h", limit = "100.00 USD" }]
)";
    FleetDriver d(kPolicy);
    d.finishStep("a", d.askStep("a", "t").id, "4.00");
    const auto inFlight = d.askStep("a", "t");
    d.applyPolicy(kOther);
    d.finishStep("a", d.askStep("a", "t").id, "5.00");
    d.finishStep("a", inFlight.id, "0.50");
    const auto still = d.askStep("a", "t");
    d.applyPolicy(kPolicy);
    const auto sum = spendAt(d.fleet.counters, d.fleet.agent(d.agent("a")).key, WindowKind{24}, d.fleet.ruleTime, d.fleet.calendar());
    QCOMPARE(sum.settled, *Decimal::parse("9.5"));
    QCOMPARE(sum.reservations, 1);
    d.finishStep("a", still.id, "0.10");
    QVERIFY(spendAt(d.fleet.counters, d.fleet.agent(d.agent("a")).key, WindowKind{24}, d.fleet.ruleTime, d.fleet.calendar()).reserved.isZero());
}

void TestTrips::madeUpEndpointsTripOnlySoOften()
{
    FleetDriver d;
    for (int n = 0; n < 200; ++n) {
        const auto ask
            = d.ask(AskStep{.agent = "a", .task = "t" + std::to_string(n), .endpoint = "e" + std::to_string(n)});
        d.act(FinishStep{ask.id, "a", {.ok = false, .status = 401, .retryAfterSeconds = 600}});
    }
    QVERIFY2(d.fleet.trips.size() <= 50, std::to_string(d.fleet.trips.size()).c_str());
    QVERIFY(d.fleet.trips.size() >= 40);
    const auto other = d.ask(AskStep{.agent = "b", .task = "t", .endpoint = "theirs"}); // nobody else's is left out
    d.act(FinishStep{other.id, "b", {.ok = false, .status = 401}});
    QVERIFY(d.fleet.agent(d.agent("b")).rung == Rung::Degraded);
}

void TestTrips::retryAfterWhileTrippedHolds()
{
    FleetDriver d(kPolicy);
    const auto first = d.askStep("a", "t");
    const auto second = d.askStep("a", "t");
    d.act(FinishStep{first.id, "a", {.ok = false, .status = 429}});
    d.act(FinishStep{second.id, "a", {.ok = false, .status = 429, .retryAfterSeconds = 600}});
    d.wait(seconds(599));
    d.act(Tick{});
    QVERIFY(d.trip(Signal::Provider) != nullptr);
    d.wait(seconds(1));
    d.act(Tick{});
    QCOMPARE(d.trip(Signal::Provider), nullptr);
}

QTEST_APPLESS_MAIN(TestTrips)
#include "tst_trips.moc"

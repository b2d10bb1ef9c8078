#include "tests/engine/host_fixture.h"

#include "model/engine/latched_stops.h"

#include <QFile>

#include <future>

using namespace handreset;
using engine::LatchedStop;
using engine::StoreHealth;
using test::HostFixture;
using test::Listener;

namespace {

const rules::TrustStore kTrust{"clear-sentinel", "ana", "the disk has room again, and verify is clean"};

void failFromNextWrite(HostFixture &fleet)
{
    fleet.script->failFrom = fleet.script->appends + 1;
}

} // namespace

class TestHostFailures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFailedWriteDeniesEverything();
    void nothingIsToldThatIsNotInTheLog();
    void theWholeBatchIsRefusedTogether();
    void aTripThatCouldNotBeWrittenStandsAfterwards();
    void aStopIsKeptWhileTheStoreFails();
    void aRestartIsRefusedUntilCleared();
    void clearingNeedsACleanStoreAndAReason_data();
    void clearingNeedsACleanStoreAndAReason();
    void aStoreThatFailsAgainStaysRefused();
    void aFleetThatCannotBeReadAgainIsNotShown();
    void aFileThatIsGoneIsNoticed();
    void followersHearAtOnce();
    void stopsSurviveTheSentinel_data();
    void stopsSurviveTheSentinel();
    void stopsThatDoNotFitStopTheFleet();
    void aWholeStoreNeedsNoWord();
    void everyWriteOfAPlayMayFail();
};

void TestHostFailures::aFailedWriteDeniesEverything()
{
    HostFixture fleet;
    fleet.start();
    QVERIFY(fleet.step().allow);
    const auto before = fleet.host().status().committed;
    failFromNextWrite(fleet);
    const auto decision = fleet.step();
    QVERIFY(!decision.allow);
    QCOMPARE(decision.rung, rules::Rung::Open);
    QVERIFY(!decision.writes);
    QVERIFY(!decision.reason.text.empty());
    QCOMPARE(decision.reason.retry, rules::RetryKind::AfterHuman);
    QVERIFY(!fleet.call("any", "{}").allow);
    fleet.script->failFrom = 0; // the disk is well again: that alone changes nothing
    QVERIFY(!fleet.step().allow);
    QVERIFY(!HostFixture::errorOf(fleet.send(rules::EndTask{"a1", "t1", "done"})).empty());
    QVERIFY(!HostFixture::errorOf(fleet.send(rules::ConfirmTime{"ana", "a reason that is long"})).empty());
    const auto status = fleet.host().status();
    QVERIFY(status.health == StoreHealth::Failing);
    QVERIFY(status.trouble.find("the test filled the disk") != std::string::npos);
    QVERIFY(status.trouble.find("clear-sentinel") != std::string::npos); // what to do
    QCOMPARE(status.committed, before);
    QVERIFY(store::sentinelIsSet(fleet.path()));
}

void TestHostFailures::nothingIsToldThatIsNotInTheLog()
{
    Listener listener; // outlives the host
    HostFixture fleet;
    fleet.start();
    fleet.step();
    fleet.host().follow(&listener);
    const auto before = fleet.fleet();
    failFromNextWrite(fleet);
    const auto reply = fleet.send(HostFixture::askStep("new-task", "new-agent"));
    QCOMPARE(reply.committed, before->seq);
    QVERIFY(!HostFixture::decisionOf(reply).id.isSet());
    const auto after = fleet.fleet();
    fleet.host().unfollow(&listener);
    QCOMPARE(after->seq, before->seq);
    QCOMPARE(after->agents.size(), 1UL); // the fleet in memory had moved; it was loaded anew
    QVERIFY(listener.events().empty());
    QCOMPARE(fleet.log().size(), before->seq.value);
}

void TestHostFailures::theWholeBatchIsRefusedTogether()
{
    HostFixture fleet;
    fleet.start();
    std::promise<void> holds;
    std::promise<void> release;
    fleet.host().onStore([&](const auto &) {
        holds.set_value();
        release.get_future().wait();
    });
    holds.get_future().wait();
    failFromNextWrite(fleet);
    std::atomic<int> allowed = 0;
    std::atomic<int> denied = 0;
    for (int i = 0; i < 300; ++i) {
        fleet.host().submit(HostFixture::askStep("task-" + std::to_string(i)), [&](const engine::Reply &reply) {
            ++(std::get<rules::Decision>(reply.outcome).allow ? allowed : denied);
        });
    }
    release.set_value();
    fleet.tick();
    QCOMPARE(allowed, 0);
    QCOMPARE(denied, 300);
}

void TestHostFailures::aTripThatCouldNotBeWrittenStandsAfterwards()
{
    HostFixture fleet;
    fleet.start();
    fleet.usePolicy(test::policyText("steps = { limit = 2 }"));
    fleet.step("t1", "agent with spaces, and 100 %");
    fleet.step("t1", "agent with spaces, and 100 %");
    failFromNextWrite(fleet);
    QVERIFY(!fleet.step("t1", "agent with spaces, and 100 %").allow); // would have tripped
    fleet.stop(); // the process dies; what it knew stands beside the store
    fleet.script->failFrom = 0;
    fleet.start();
    QVERIFY(fleet.host().status().health == StoreHealth::Refused);
    const auto trusted = fleet.send(kTrust);
    QCOMPARE(HostFixture::errorOf(trusted), std::string());
    const auto state = fleet.fleet();
    QCOMPARE(state->trips.size(), 1UL);
    const auto &trip = state->trips.begin()->second;
    QCOMPARE(trip.subject.signal, rules::Signal::Operator);
    QCOMPARE(state->names(trip.subject.agent), std::string("agent with spaces, and 100 %"));
    QCOMPARE(trip.rung, rules::Rung::Open);
    QVERIFY(trip.reason.find("steps") != std::string::npos);
    QVERIFY(!fleet.step("t2", "agent with spaces, and 100 %").allow);
    QVERIFY(fleet.step("t2", "another").allow);
    QCOMPARE(fleet.verifyStopped(), std::string());
}

void TestHostFailures::aStopIsKeptWhileTheStoreFails()
{
    HostFixture fleet;
    fleet.start();
    fleet.step();
    failFromNextWrite(fleet);
    fleet.step();
    for (int i = 0; i < 3; ++i) {
        const auto reply = fleet.send(rules::StopAgent{"a1", rules::Rung::Open, "ana", "it runs wild"});
        QVERIFY(HostFixture::errorOf(reply).find("not in the log") != std::string::npos); // never "done"
    }
    fleet.script->failFrom = 0;
    QCOMPARE(HostFixture::errorOf(fleet.send(kTrust)), std::string());
    QVERIFY(!fleet.step().allow);
    QCOMPARE(fleet.count<rules::TripFired>(), 1UL);
    QVERIFY(fleet.step("t1", "another").allow);
}

void TestHostFailures::aRestartIsRefusedUntilCleared()
{
    Listener listener; // outlives the host
    HostFixture fleet;
    fleet.start();
    fleet.step();
    failFromNextWrite(fleet);
    fleet.step();
    fleet.stop();
    fleet.script->failFrom = 0;
    for (int i = 0; i < 2; ++i) {
        fleet.start();
        QVERIFY(fleet.host().status().health == StoreHealth::Refused);
        QVERIFY(fleet.host().status().trouble.find("the test filled the disk") != std::string::npos);
        QVERIFY(!fleet.step().allow);
        QVERIFY(engine::stateAtAndWait(fleet.host(), rules::Seq{1}).ok()); // it can be looked at
        QCOMPARE(fleet.fleet()->agents.size(), 1UL);
        fleet.stop();
    }
    fleet.start();
    fleet.host().follow(&listener);
    QCOMPARE(HostFixture::errorOf(fleet.send(kTrust)), std::string());
    QVERIFY(fleet.host().status().health == StoreHealth::Writable);
    QVERIFY(fleet.step().allow);
    QCOMPARE(listener.snapshots(), 2); // the empty one of the refused store, then the fleet
    QVERIFY(listener.faults().empty());
    fleet.host().unfollow(&listener);
    QCOMPARE(fleet.count<rules::StoreTrusted>(), 1UL);
    QVERIFY(!store::sentinelIsSet(fleet.path()));
    fleet.restart();
    QVERIFY(fleet.step().allow);
    QCOMPARE(fleet.verifyStopped(), std::string());
}

void TestHostFailures::clearingNeedsACleanStoreAndAReason_data()
{
    QTest::addColumn<bool>("restarted");
    QTest::newRow("in the process that failed") << false;
    QTest::newRow("after a restart") << true;
}

void TestHostFailures::clearingNeedsACleanStoreAndAReason()
{
    QFETCH(bool, restarted);
    HostFixture fleet;
    fleet.start();
    fleet.step();
    failFromNextWrite(fleet);
    fleet.step();
    fleet.script->failFrom = 0;
    if (restarted)
        fleet.restart();
    fleet.script->isUnclean = true;
    QVERIFY(HostFixture::errorOf(fleet.send(kTrust)).find("the test found something") != std::string::npos);
    QVERIFY(store::sentinelIsSet(fleet.path()));
    QVERIFY(!fleet.step().allow);
    fleet.script->isUnclean = false;
    QVERIFY(!HostFixture::errorOf(fleet.send(rules::TrustStore{"clear-sentinel", "ana", "short"})).empty());
    QVERIFY(store::sentinelIsSet(fleet.path()));
    QVERIFY(!fleet.step().allow);
    QVERIFY(
        !HostFixture::errorOf(fleet.send(rules::TrustStore{"accept-store", "ana", "another act's reason"})).empty());
    QVERIFY(!fleet.step().allow);
    QCOMPARE(HostFixture::errorOf(fleet.send(kTrust)), std::string());
    QVERIFY(fleet.step().allow);
}

void TestHostFailures::aStoreThatFailsAgainStaysRefused()
{
    HostFixture fleet;
    fleet.start();
    fleet.step();
    failFromNextWrite(fleet);
    fleet.step();
    QVERIFY(!HostFixture::errorOf(fleet.send(kTrust)).empty()); // the word itself cannot be written
    QVERIFY(fleet.host().status().health == StoreHealth::Failing);
    QVERIFY(store::sentinelIsSet(fleet.path()));
    fleet.script->failFrom = 0;
    QCOMPARE(fleet.count<rules::StoreTrusted>(), 0UL);
    QCOMPARE(HostFixture::errorOf(fleet.send(kTrust)), std::string());
    QVERIFY(fleet.step().allow);
}

void TestHostFailures::aFleetThatCannotBeReadAgainIsNotShown()
{
    HostFixture fleet;
    fleet.start();
    fleet.step();
    fleet.script->failLoad = true;
    failFromNextWrite(fleet);
    QVERIFY(!fleet.step("t2", "a2").allow);
    QVERIFY(fleet.fleet()->agents.empty()); // nothing at all rather than what never was
    fleet.script->failFrom = 0;
    QVERIFY(!HostFixture::errorOf(fleet.send(kTrust)).empty());
    fleet.script->failLoad = false;
    QCOMPARE(HostFixture::errorOf(fleet.send(kTrust)), std::string());
    QCOMPARE(fleet.fleet()->agents.size(), 1UL);
    QVERIFY(fleet.step("t2", "a2").allow);
}

void TestHostFailures::aFileThatIsGoneIsNoticed()
{
    HostFixture fleet;
    fleet.start();
    fleet.step();
    QVERIFY(QFile::rename(fleet.path(), fleet.path() + QStringLiteral(".moved")));
    QTRY_VERIFY(fleet.host().status().health == StoreHealth::Failing);
    QVERIFY(!fleet.step().allow);
    QVERIFY(fleet.host().status().trouble.find("gone") != std::string::npos);
}

void TestHostFailures::followersHearAtOnce()
{
    Listener listener; // outlives the host
    HostFixture fleet;
    fleet.start();
    fleet.host().follow(&listener);
    fleet.step();
    failFromNextWrite(fleet);
    fleet.step();
    QVERIFY(listener.beats().back().health == StoreHealth::Failing); // before the answer
    const auto beat = listener.beats().back().lastBeat;
    fleet.clock.advance(rules::seconds(3));
    const auto beats = listener.beats().size();
    QTRY_VERIFY(listener.beats().size() > beats);
    QCOMPARE(listener.beats().back().lastBeat, beat); // the heartbeat stands still: nothing can be written
    fleet.host().unfollow(&listener);
}

void TestHostFailures::stopsSurviveTheSentinel_data()
{
    QTest::addColumn<QByteArray>("agent");
    for (const char *name :
         {"billing", "", "with space", "a,b", "!stop=open,x,y", "100 %", "new\nline", "\xc3\xa9t\xc3\xa9"})
        QTest::newRow(*name == '\0' ? "the fleet" : name) << QByteArray(name);
}

void TestHostFailures::stopsSurviveTheSentinel()
{
    QFETCH(QByteArray, agent);
    HostFixture fleet;
    const std::vector<LatchedStop> stops{{agent.toStdString(), rules::Rung::Open, "why, in words"},
                                         {"other", rules::Rung::Degraded, {}}};
    QVERIFY(store::setSentinel(fleet.path(), engine::sentinelText("The disk is full.", stops)).ok());
    std::string text;
    QVERIFY(store::sentinelIsSet(fleet.path(), &text));
    QCOMPARE(engine::stopsIn(text), stops);
    QCOMPARE(engine::troubleIn(text), std::string("The disk is full."));
}

void TestHostFailures::stopsThatDoNotFitStopTheFleet()
{
    HostFixture fleet;
    const std::vector<LatchedStop> many(500, {"an agent with a name", rules::Rung::Degraded, "why"});
    QVERIFY(store::setSentinel(fleet.path(), engine::sentinelText("The disk is full.", many)).ok());
    std::string text;
    QVERIFY(store::sentinelIsSet(fleet.path(), &text));
    QCOMPARE(engine::stopsIn(text).size(), 1UL);
    QVERIFY(engine::stopsIn(text).front().agent.empty());
    QCOMPARE(engine::stopsIn(text).front().rung, rules::Rung::Open);
    for (const char *damaged : {"x !stop=open", "x !stop=closed,a,b", "x !stop=?,a,b", "x !stop="})
        QCOMPARE(engine::stopsIn(damaged).front().rung, rules::Rung::Open);
}

void TestHostFailures::aWholeStoreNeedsNoWord()
{
    HostFixture fleet;
    fleet.start();
    QVERIFY(!HostFixture::errorOf(fleet.send(kTrust)).empty());
    QVERIFY(fleet.step().allow);
    QCOMPARE(fleet.count<rules::StoreTrusted>(), 0UL);
}

/// The same short play again and again, with a failure at its first, second, third … write: whatever fails, what was
/// told is in the log, and the log is whole.
void TestHostFailures::everyWriteOfAPlayMayFail()
{
    constexpr int writes = 12;
    for (int failing = 1; failing <= writes; ++failing) {
        HostFixture fleet;
        fleet.start();
        fleet.usePolicy(test::policyText("steps = { limit = 3 }"));
        fleet.script->failFrom = fleet.script->appends + failing;
        std::vector<rules::AskId> told;
        for (int i = 0; i < writes; ++i) {
            const auto decision = fleet.step("task-" + std::to_string(i / 5));
            if (decision.id.isSet())
                told.push_back(decision.id);
            fleet.clock.advance(rules::seconds(1));
        }
        fleet.script->failFrom = 0;
        const auto log = fleet.log();
        for (const auto id : told)
            QVERIFY(id.value <= log.size() && std::holds_alternative<rules::StepAsked>(log[id.value - 1].payload));
        if (fleet.host().status().health != StoreHealth::Writable)
            QCOMPARE(HostFixture::errorOf(fleet.send(kTrust)), std::string());
        QCOMPARE(fleet.verifyStopped(), std::string());
    }
}

QTEST_GUILESS_MAIN(TestHostFailures)
#include "tst_host_failures.moc"

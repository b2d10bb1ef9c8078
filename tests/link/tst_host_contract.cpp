// One contract for every host (model/engine/host.h): the same suite over the one in this process and over a linked one.
#include "model/engine/policy_of_act.h"
#include "tests/link/link_fixture.h"

#include <algorithm>
#include <future>

using namespace handreset;
using test::LinkFixture;
using test::Listener;

class TestHostContract : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anActIsAnsweredAfterItsCommit_data() { hosts(); }
    void anActIsAnsweredAfterItsCommit();
    void aFollowerHasTheStateAndThenEveryCommit_data() { hosts(); }
    void aFollowerHasTheStateAndThenEveryCommit();
    void whoFollowsLaterBeginsWithThePresentState_data() { hosts(); }
    void whoFollowsLaterBeginsWithThePresentState();
    void aSecondFollowBringsTheStateAnew_data() { hosts(); }
    void aSecondFollowBringsTheStateAnew();
    void unfollowWaitsForTheRunningCall_data() { hosts(); }
    void unfollowWaitsForTheRunningCall();
    void aFollowerMayLeaveWithinItsCall_data() { hosts(); }
    void aFollowerMayLeaveWithinItsCall();
    void eventsAreReadAlike_data() { hosts(); }
    void eventsAreReadAlike();
    void statesOfThePastAreReadAlike_data() { hosts(); }
    void statesOfThePastAreReadAlike();
    void placesInTheLogAreFoundAlike_data() { hosts(); }
    void placesInTheLogAreFoundAlike();
    void refusalsAreAlike_data() { hosts(); }
    void refusalsAreAlike();
    void signedActsAreTaken_data() { hosts(); }
    void signedActsAreTaken();
    void aPolicyTravelsAsItsText_data() { hosts(); }
    void aPolicyTravelsAsItsText();
    void beatsComeWithoutTraffic_data() { hosts(); }
    void beatsComeWithoutTraffic();
    void aFailingStoreIsTold_data() { hosts(); }
    void aFailingStoreIsTold();
    void everyQuestionIsAnsweredOnceWhenTheHostGoes_data() { hosts(); }
    void everyQuestionIsAnsweredOnceWhenTheHostGoes();

private:
    static void hosts();
};

namespace {

/// The host that is looked at, and the fleet behind it.
class Side {
public:
    Side()
    {
        fleet.start();
        if (!isLinked())
            return;
        fleet.serve();
        m_linked = fleet.connectedClient();
    }
    static bool isLinked()
    {
        QFETCH(bool, linked);
        return linked;
    }
    [[nodiscard]] engine::Host &host() { return m_linked ? static_cast<engine::Host &>(*m_linked) : fleet.host(); }
    void endHost()
    {
        if (m_linked)
            m_linked.reset();
        else
            fleet.stop();
    }

    LinkFixture fleet;

private:
    std::unique_ptr<link::LinkedHost> m_linked;
};

rules::StopAgent stop(const std::string &agent = "a1")
{
    return {agent, rules::Rung::Open, "ana", "the test stops it"};
}

rules::Fleet stateOf(engine::Host &host)
{
    return *engine::snapshotAndWait(host);
}

/// Some life: asks, refusals, trips, acts.
void live(LinkFixture &fleet)
{
    fleet.usePolicy(test::policyText("steps = { limit = 3 }"));
    for (int i = 0; i < 5; ++i) {
        fleet.clock.advance(rules::seconds(1));
        fleet.step("t1", "a1");
        fleet.call("book", R"({"n":)" + std::to_string(i) + "}", "t2", "a2");
    }
    fleet.send(stop("a2"));
}

} // namespace

void TestHostContract::hosts()
{
    QTest::addColumn<bool>("linked");
    QTest::newRow("embedded") << false;
    QTest::newRow("linked") << true;
}

void TestHostContract::anActIsAnsweredAfterItsCommit()
{
    Side side;
    side.fleet.step();
    std::promise<std::pair<engine::Reply, std::uint64_t>> answered;
    side.host().submit(stop(), [&](const engine::Reply &reply) {
        answered.set_value({reply, side.fleet.script->committed});
    });
    const auto [reply, durable] = answered.get_future().get();
    const auto *done = std::get_if<rules::ActDone>(&reply.outcome);
    QVERIFY2(done, LinkFixture::errorOf(reply).c_str());
    QVERIFY(done->seq.isSet());
    QVERIFY(done->trip.isSet());
    QVERIFY(reply.committed >= done->seq);
    QVERIFY(durable >= done->seq.value);
    QVERIFY(!side.fleet.step().allow); // it binds the next decision
}

void TestHostContract::aFollowerHasTheStateAndThenEveryCommit()
{
    Listener listener;
    Side side;
    side.fleet.step("before");
    side.host().follow(&listener);
    QTRY_COMPARE(listener.snapshots(), 1);
    live(side.fleet);
    QVERIFY(!test::errorIn(engine::submitAndWait(side.host(), stop("a1"))));
    const rules::Fleet end = *side.fleet.fleet();
    QTRY_COMPARE(listener.fleet().seq.value, end.seq.value);
    side.host().unfollow(&listener);
    QCOMPARE(listener.faults(), std::vector<std::string>());
    QVERIFY(rules::encodeFleet(listener.fleet()) == rules::encodeFleet(end));
    QCOMPARE(listener.snapshots(), 1);
    const auto events = listener.events();
    QVERIFY(std::ranges::is_sorted(events, {}, &rules::Event::seq));
    // What comes live has the arguments of calls with it.
    QVERIFY(std::ranges::any_of(events, [](const rules::Event &event) { return event.arguments == R"({"n":0})"; }));
}

void TestHostContract::whoFollowsLaterBeginsWithThePresentState()
{
    Listener first;
    Listener later;
    Side side;
    side.host().follow(&first);
    live(side.fleet);
    side.host().follow(&later);
    QTRY_COMPARE(later.snapshots(), 1);
    side.fleet.step("t9", "a9");
    const auto end = side.fleet.fleet()->seq.value;
    QTRY_COMPARE(first.fleet().seq.value, end);
    QTRY_COMPARE(later.fleet().seq.value, end);
    QTRY_VERIFY(!later.beats().empty());
    side.host().unfollow(&first);
    side.host().unfollow(&later);
    QCOMPARE(later.faults(), std::vector<std::string>());
    QVERIFY(rules::encodeFleet(first.fleet()) == rules::encodeFleet(later.fleet()));
}

void TestHostContract::aSecondFollowBringsTheStateAnew()
{
    Listener listener;
    Side side;
    side.host().follow(&listener);
    QTRY_COMPARE(listener.snapshots(), 1);
    side.host().follow(&listener);
    QTRY_COMPARE(listener.snapshots(), 2);
    side.fleet.step();
    QTRY_VERIFY(listener.commits() > 0);
    side.host().unfollow(&listener);
    QCOMPARE(listener.faults(), std::vector<std::string>()); // once for each commit, not twice
}

void TestHostContract::unfollowWaitsForTheRunningCall()
{
    class Slow final : public engine::Follower {
    public:
        void snapshot(std::shared_ptr<const rules::Fleet>) override {}
        void committed(std::shared_ptr<const engine::Commit>) override
        {
            isInside.set_value();
            mayGo.get_future().wait();
            isOut = true;
        }
        void beat(const engine::HostStatus &) override {}
        std::promise<void> isInside;
        std::promise<void> mayGo;
        std::atomic<bool> isOut = false;
    };
    Slow slow;
    Side side;
    side.host().follow(&slow);
    static_cast<void>(stateOf(side.host())); // then this one has had its own
    side.fleet.host().submit(LinkFixture::askStep(), {});
    slow.isInside.get_future().wait();
    std::thread helper([&] { slow.mayGo.set_value(); });
    side.host().unfollow(&slow);
    QVERIFY(slow.isOut);
    helper.join();
    side.fleet.step("t2");
    static_cast<void>(stateOf(side.host())); // a second call would throw: the promise is kept already
}

void TestHostContract::aFollowerMayLeaveWithinItsCall()
{
    class Leaver final : public engine::Follower {
    public:
        explicit Leaver(engine::Host &host) : m_host(host) {}
        void snapshot(std::shared_ptr<const rules::Fleet>) override
        {
            ++calls;
            m_host.unfollow(this);
            left.set_value();
        }
        void committed(std::shared_ptr<const engine::Commit>) override { ++calls; }
        void beat(const engine::HostStatus &) override {}
        std::promise<void> left;
        std::atomic<int> calls = 0;

    private:
        engine::Host &m_host;
    };
    Side side;
    Leaver leaver(side.host());
    side.host().follow(&leaver);
    leaver.left.get_future().wait();
    side.fleet.step();
    static_cast<void>(stateOf(side.host()));
    QCOMPARE(leaver.calls, 1);
}

void TestHostContract::eventsAreReadAlike()
{
    Side side;
    live(side.fleet);
    std::vector<engine::EventQuery> queries(7);
    queries[1].newestFirst = false;
    queries[2].agent = {1};
    queries[3].kinds = {9}; // trips
    queries[4].limit = 0;
    queries[5].first = {5};
    queries[5].last = {9};
    queries[6].limit = 3;
    for (const engine::EventQuery &query : queries) {
        const auto here = engine::readEventsAndWait(side.host(), query);
        const auto there = engine::readEventsAndWait(side.fleet.host(), query);
        QVERIFY(here && there);
        QVERIFY(*here == *there);
        QCOMPARE(here->empty(), query.limit == 0);
    }
}

void TestHostContract::statesOfThePastAreReadAlike()
{
    Side side;
    live(side.fleet);
    const std::uint64_t end = side.fleet.fleet()->seq.value;
    for (const std::uint64_t seq : {std::uint64_t{1}, end / 2, end}) {
        const auto here = engine::stateAtAndWait(side.host(), {seq});
        const auto there = engine::stateAtAndWait(side.fleet.host(), {seq});
        QVERIFY(here && there);
        QVERIFY(rules::encodeFleet(**here) == rules::encodeFleet(**there));
    }
    const auto here = engine::stateAtAndWait(side.host(), {end + 1});
    const auto there = engine::stateAtAndWait(side.fleet.host(), {end + 1});
    QVERIFY(!here && !there);
    QVERIFY(here.error() == there.error());
}

void TestHostContract::placesInTheLogAreFoundAlike()
{
    Side side;
    live(side.fleet);
    for (const rules::Duration back : {rules::hours(1), rules::seconds(3), rules::seconds(0)}) {
        const rules::Instant time = side.fleet.clock.now().wall - back;
        const auto here = engine::seqAtAndWait(side.host(), time);
        const auto there = engine::seqAtAndWait(side.fleet.host(), time);
        QVERIFY(here && there);
        QVERIFY(*here == *there);
    }
}

void TestHostContract::refusalsAreAlike()
{
    Side side;
    live(side.fleet);
    rules::Rearm none;
    none.trip = {9'999};
    none.by = "ana";
    none.cause = "test";
    none.reason = "there is no such trip";
    const std::vector<rules::Command> wrong{none, stop("nobody"), rules::Acknowledge{{9'999}, "ana", ""},
                                            rules::TrustStore{"clear-sentinel", "ana", "nothing to clear"}};
    for (const rules::Command &command : wrong) {
        const auto here = engine::submitAndWait(side.host(), command);
        const auto there = engine::submitAndWait(side.fleet.host(), command);
        QVERIFY(test::errorIn(here) && test::errorIn(there));
        QCOMPARE(test::errorIn(here)->message, test::errorIn(there)->message);
        QVERIFY(test::errorIn(here)->code == test::errorIn(there)->code);
    }
}

void TestHostContract::signedActsAreTaken()
{
    Side side;
    side.fleet.step();
    const test::Person ana("ana");
    const std::string storeId = side.fleet.fleet()->storeId;
    rules::EnrolOperator enrol;
    enrol.name = "ana";
    enrol.role = rules::Role::Approver;
    enrol.key = ana.key.publicKey();
    const auto enrolled = engine::submitAndWait(side.host(), ana.sign(enrol, storeId, side.fleet.clock.now().wall));
    QCOMPARE(LinkFixture::errorOf(enrolled), std::string());
    const auto stopped = engine::submitAndWait(side.host(), ana.sign(stop(), storeId, side.fleet.clock.now().wall));
    QCOMPARE(LinkFixture::errorOf(stopped), std::string());
    QCOMPARE(stateOf(side.host()).operators.size(), std::size_t{1});
    // From now on a bare act is refused, by whatever way it comes.
    QVERIFY(test::errorIn(engine::submitAndWait(side.host(), stop())));
}

void TestHostContract::aPolicyTravelsAsItsText()
{
    Side side;
    rules::ApplyPolicy apply;
    apply.text = "timezone = \"America/Sao_Paulo\"\n" + test::policyText("steps = { limit = 2 }");
    apply.file = "two.toml";
    apply.by = "ana";
    apply.reason = "two steps are enough";
    rules::Command command = apply;
    QVERIFY(engine::readPolicyOfAct(command)); // the embedded host's caller reads it; over the link its host does
    const auto reply = engine::submitAndWait(side.host(), Side::isLinked() ? rules::Command(apply) : command);
    QCOMPARE(LinkFixture::errorOf(reply), std::string());
    const rules::Fleet fleet = stateOf(side.host());
    QCOMPARE(fleet.policyVersion, 1);
    QCOMPARE(fleet.zone.name, std::string("America/Sao_Paulo"));
    QVERIFY(!fleet.zone.transitions.empty());

    apply.text = "schema = 1\n[defaults]\nsteps = { limit = 0 }\n";
    rules::Command faulty = apply;
    const auto refused = engine::readPolicyOfAct(faulty);
    QVERIFY(!refused);
    QVERIFY(QString::fromStdString(refused.error().message).contains(QStringLiteral("two.toml:3")));
    if (Side::isLinked())
        QCOMPARE(LinkFixture::errorOf(engine::submitAndWait(side.host(), apply)), refused.error().message);
}

void TestHostContract::beatsComeWithoutTraffic()
{
    Listener listener;
    Side side;
    side.host().follow(&listener);
    QTRY_VERIFY(listener.beats().size() >= 3);
    side.host().unfollow(&listener);
    const auto beats = listener.beats();
    for (const engine::HostStatus &beat : beats) {
        QVERIFY(beat.health == engine::StoreHealth::Writable);
        QCOMPARE(beat.trouble, std::string());
        QVERIFY(beat.lastBeat == beats.front().lastBeat); // the fleet's clock, which stands still here
    }
    QVERIFY(side.host().status().health == engine::StoreHealth::Writable);
    QCOMPARE(side.host().status().committed.value, side.fleet.host().status().committed.value);
}

void TestHostContract::aFailingStoreIsTold()
{
    Listener listener;
    Side side;
    side.fleet.step();
    side.host().follow(&listener);
    QTRY_COMPARE(listener.snapshots(), 1);
    side.fleet.script->failFrom = 1;
    const auto reply = engine::submitAndWait(side.host(), stop());
    QVERIFY(test::errorIn(reply));
    QVERIFY(test::errorIn(reply)->code == rules::ErrorCode::Unavailable);
    const auto isTold = [](const engine::HostStatus &beat) { return beat.health == engine::StoreHealth::Failing; };
    QTRY_VERIFY(std::ranges::any_of(listener.beats(), isTold));
    QTRY_VERIFY(isTold(side.host().status()));
    QVERIFY(!side.host().status().trouble.empty());
    // A human's word: what comes then replaces what was before.
    side.fleet.script->failFrom = 0;
    const auto trusted
        = engine::submitAndWait(side.host(), rules::TrustStore{"clear-sentinel", "ana", "room was made"});
    QCOMPARE(LinkFixture::errorOf(trusted), std::string());
    QTRY_COMPARE(listener.snapshots(), 2);
    const auto end = side.fleet.fleet()->seq.value;
    QTRY_COMPARE(listener.fleet().seq.value, end);
    side.host().unfollow(&listener);
    QCOMPARE(listener.faults(), std::vector<std::string>());
}

void TestHostContract::everyQuestionIsAnsweredOnceWhenTheHostGoes()
{
    std::atomic<int> answered = 0;
    std::atomic<int> again = 0;
    {
        Side side;
        side.fleet.step();
        engine::Host &host = side.host();
        for (int i = 0; i < 100; ++i) {
            host.submit(stop(), [&](const engine::Reply &) { ++answered; });
            host.readEvents({}, [&](const auto &) { ++answered; });
            host.stateAt({1}, [&](const auto &) { ++answered; });
            host.seqAt({}, [&](const auto &) { ++answered; });
        }
        // Whoever is answered may ask again at once, even now.
        host.readEvents({}, [&](const auto &) { host.seqAt({}, [&](const auto &) { ++again; }); });
        side.endHost();
        QCOMPARE(answered, 400);
    }
    QCOMPARE(answered, 400);
    if (QTest::currentDataTag() == QByteArray("linked"))
        QCOMPARE(again, 1);
}

QTEST_GUILESS_MAIN(TestHostContract)
#include "tst_host_contract.moc"

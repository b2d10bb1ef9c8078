// Operators on one host over the link: raced re-arms, re-arms against new trips, commands that were tampered with,
// before and after a restart (issue: points 1, 2, 3; cases 49, 51, 60).
#include "tests/link/link_fixture.h"

#include "model/rules/authority.h"

#include <QTest>

#include <atomic>
#include <future>

using namespace handreset;
using namespace handreset::test;

class TestLinkOperators : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void racedRearmsHaveOneWinner();
    void noRearmOfWhatWasNotSeen();
    void tamperedCommandsAreRefusedBeforeAndAfterARestart();
    void actsAreTakenAfterTheClockWasSetBack();
    void nobodyActsOnTheSignatureOfAnother();
    void secondPersonOverTheLink();
    void keyframesOfASignedStoreAreBelievedUpToTheWitness();
};

namespace {

constexpr int kRaces = 500;
const char *const kWhy = "the loop was found and stopped";

/// A signed store served over the link; `ana` and `bo` are approvers.
struct SignedLink : LinkFixture {
    Person ana{"ana"};
    Person bo{"bo"};

    SignedLink()
    {
        startAndServe();
        storeId = fleet()->storeId;
        must(enrol(ana, ana));
        must(enrol(bo, ana));
    }
    static void must(const engine::Reply &reply)
    {
        if (const auto error = errorOf(reply); !error.empty())
            qFatal("%s", error.c_str());
    }
    [[nodiscard]] rules::Signed sign(const Person &who, rules::Act act)
    {
        if (auto *approve = std::get_if<rules::Approve>(&act))
            approve->what = digestOf(approve->request);
        return who.sign(std::move(act), storeId, clock.now().wall);
    }
    /// What an approval of the request signs for; nothing where none waits.
    [[nodiscard]] rules::Digest digestOf(rules::Seq request)
    {
        const auto state = fleet();
        const auto found = state->requests.find(request);
        return found != state->requests.end() ? rules::digestOf(found->second) : rules::Digest{};
    }
    /// A steps trip of an agent of this name, acknowledged.
    rules::TripId tripOf(const std::string &agent)
    {
        for (int n = 0; n < 26; ++n)
            step("t", agent);
        const auto state = fleet();
        const rules::AgentId id{state->names.find(rules::NameKind::Agent, agent)};
        for (const auto &[trip, record] : state->trips) {
            if (record.agent == id && record.subject.signal == rules::Signal::Steps) {
                must(send(sign(ana, rules::Acknowledge{trip, {}, {}})));
                return trip;
            }
        }
        qFatal("no trip of %s", agent.c_str());
    }
    [[nodiscard]] rules::Rearm rearm(rules::TripId trip)
    {
        const auto state = fleet();
        rules::Rearm one{.trip = trip, .revision = state->revisionOf(*state->trip(trip)), .reason = kWhy};
        one.to = rules::Rung::Closed;
        one.grant.steps = 5;
        return one;
    }
    std::string storeId;
};

std::future<engine::Reply> submitted(engine::Host &host, rules::Command command)
{
    auto promise = std::make_shared<std::promise<engine::Reply>>();
    auto future = promise->get_future();
    host.submit(std::move(command), [promise](const engine::Reply &reply) { promise->set_value(reply); });
    return future;
}

bool isDone(const engine::Reply &reply)
{
    return std::holds_alternative<rules::ActDone>(reply.outcome);
}

} // namespace

void TestLinkOperators::racedRearmsHaveOneWinner()
{
    SignedLink link;
    const auto first = link.connectedClient();
    const auto second = link.connectedClient();
    for (int n = 0; n < kRaces; ++n) {
        const auto trip = link.tripOf("agent" + std::to_string(n));
        const auto act = link.rearm(trip);
        auto a = submitted(n % 2 == 0 ? *first : *second, link.sign(link.ana, act));
        auto b = submitted(n % 2 == 0 ? *second : *first, link.sign(link.bo, act));
        const auto ofAna = a.get();
        const auto ofBo = b.get();
        QVERIFY(isDone(ofAna) != isDone(ofBo));
        const auto lost = LinkFixture::errorOf(isDone(ofAna) ? ofBo : ofAna);
        const std::string winner = isDone(ofAna) ? "ana" : "bo";
        QVERIFY2(lost.find("already re-armed by " + winner) != std::string::npos, lost.c_str());
    }
    QCOMPARE(link.count<rules::TripRearmed>(), std::size_t(kRaces));
    QCOMPARE(link.count<rules::ActRefused>(), std::size_t(kRaces));
}

void TestLinkOperators::noRearmOfWhatWasNotSeen()
{
    SignedLink link;
    const auto client = link.connectedClient();
    int rearmed = 0;
    for (int n = 0; n < kRaces; ++n) {
        const auto agent = "agent" + std::to_string(n);
        const auto trip = link.tripOf(agent);
        const auto act = link.rearm(trip);
        const auto stopping = link.sign(link.bo, rules::StopAgent{agent, rules::Rung::Open, {}, kWhy});
        auto back = submitted(*client, link.sign(link.ana, act));
        for (int pause = 0; pause < n % 8; ++pause) // the re-arm has the longer way: now this one is first, now that
            std::this_thread::sleep_for(std::chrono::microseconds(40));
        auto stop = submitted(link.host(), stopping);
        QVERIFY(isDone(stop.get()));
        const auto answer = back.get();
        rearmed += isDone(answer) ? 1 : 0;
        if (!isDone(answer)) {
            const auto why = LinkFixture::errorOf(answer);
            QVERIFY2(why.find("has moved from revision") != std::string::npos, why.c_str());
        }
        const auto state = link.fleet();
        QCOMPARE(state->agent(rules::AgentId{state->names.find(rules::NameKind::Agent, agent)}).rung,
                 rules::Rung::Open);
    }
    // What the log says: no re-arm names another revision than the one that its agent had just then.
    rules::Fleet fold;
    for (const auto &event : link.log()) {
        if (const auto *one = std::get_if<rules::TripRearmed>(&event.payload))
            QCOMPARE(one->revisionSeen, fold.revisionOf(*fold.trip(one->trip)));
        QVERIFY(rules::apply(fold, event).ok());
    }
    qInfo("%d of %d re-arms came before the new trip", rearmed, kRaces);
}

void TestLinkOperators::tamperedCommandsAreRefusedBeforeAndAfterARestart()
{
    SignedLink link;
    const Person retired("retired");
    const Person viewer("viewer");
    const auto approved = [&](const engine::Reply &asked) { // two approvers change the operators together
        SignedLink::must(asked);
        const auto request = std::get<rules::ActDone>(asked.outcome).request;
        SignedLink::must(link.send(link.sign(link.bo, rules::Approve{request, {}, {}})));
    };
    approved(link.enrol(retired, link.ana, rules::Role::Responder));
    approved(link.enrol(viewer, link.ana, rules::Role::Viewer));
    approved(link.send(link.sign(link.ana, rules::RetireOperator{"retired", {}, kWhy})));
    link.step("t", "agent");
    const rules::Act stop = rules::StopAgent{"agent", rules::Rung::Degraded, {}, kWhy};
    const auto used = link.sign(link.ana, stop);
    const auto trip = link.tripOf("worker");
    const auto stale = link.rearm(trip);
    SignedLink::must(link.send(link.sign(link.ana, rules::StopAgent{"worker", rules::Rung::Degraded, {}, kWhy})));
    SignedLink::must(link.send(used));

    const auto old = link.ana.sign(stop, link.storeId, link.clock.now().wall - rules::minutes(6));
    auto altered = link.sign(link.ana, stop);
    altered.act.act = rules::encodeAct(rules::StopAgent{"worker", rules::Rung::Open, "ana", kWhy});
    auto elsewhere = link.ana.sign(stop, "ffffffffffffffffffffffffffffffff", link.clock.now().wall);
    auto wrongKey = link.sign(link.bo, stop);
    wrongKey.act.by = "ana";
    const std::vector<std::pair<rules::Command, std::string>> commands{
        {used, "nonce"},
        {altered, "signature"},
        {wrongKey, "signature"},
        {elsewhere, "another fleet"},
        {old, "sign it anew"},
        {link.sign(link.ana, stale), "revision"},
        {link.sign(retired, stop), "retired"},
        {link.sign(viewer, stop), "role viewer"},
        {rules::StopAgent{"agent", rules::Rung::Open, "ana", kWhy}, "signed acts only"},
    };
    for (int round = 0; round < 2; ++round) {
        const auto client = link.connectedClient();
        for (const auto &[command, words] : commands) {
            const auto before = link.count<rules::ActRefused>();
            const auto reply = engine::submitAndWait(*client, command);
            const auto error = LinkFixture::errorOf(reply);
            QVERIFY2(error.find(words) != std::string::npos || (round == 1 && error.find("nonce") != std::string::npos),
                     (words + ": " + error).c_str());
            QCOMPARE(link.count<rules::ActRefused>(), before + 1);
        }
        QVERIFY(link.fleet()->trip(trip)->active());
        link.restartServed();
    }
    link.unserve();
    QCOMPARE(link.verifyStopped(), std::string());
}

/// The host's time does not go back where its clock does; who signs hears it from the host.
void TestLinkOperators::actsAreTakenAfterTheClockWasSetBack()
{
    SignedLink link;
    const auto client = link.connectedClient();
    link.step("t", "agent");
    link.clock.jumpWall(rules::hours(24 * 365));
    link.step("t", "agent");
    link.clock.jumpWall({-rules::hours(24 * 365).micros});
    link.step("t", "agent"); // its commit tells the host's time
    QTRY_VERIFY_WITH_TIMEOUT(client->status().lastBeat.wall == link.fleet()->ruleTime, 10'000);
    const rules::Act stop = rules::StopAgent{"agent", rules::Rung::Open, {}, kWhy};
    SignedLink::must(engine::submitAndWait(*client, link.ana.sign(stop, link.storeId, client->status().lastBeat.wall)));
}

/// What a signature lets follow it ends with its transaction: a store that was trusted takes no bare stop after that.
void TestLinkOperators::nobodyActsOnTheSignatureOfAnother()
{
    SignedLink link;
    link.step("t", "agent");
    link.unserve();
    link.stop();
    QVERIFY(store::setSentinel(link.path(), "the disk was full").ok());
    link.start();
    link.serve();
    const auto client = link.connectedClient();
    SignedLink::must(
        engine::submitAndWait(*client, link.sign(link.ana, rules::TrustStore{"clear-sentinel", {}, kWhy})));
    const auto bare = engine::submitAndWait(*client, rules::StopAgent{"agent", rules::Rung::Open, "ana", kWhy});
    QVERIFY(LinkFixture::errorOf(bare).find("signed acts only") != std::string::npos);
    link.unserve();
    QCOMPARE(link.verifyStopped(), std::string());
}

void TestLinkOperators::secondPersonOverTheLink()
{
    SignedLink link;
    const auto desk = link.connectedClient();
    const auto other = link.connectedClient();
    SignedLink::must(
        engine::submitAndWait(*desk, link.sign(link.ana, rules::StopAgent{{}, rules::Rung::Open, {}, kWhy})));
    const auto trip = link.fleet()->trips.begin()->first;
    SignedLink::must(engine::submitAndWait(*desk, link.sign(link.ana, rules::Acknowledge{trip, {}, {}})));
    auto act = link.rearm(trip);
    act.grant = {};
    const auto asked = engine::submitAndWait(*desk, link.sign(link.ana, act));
    SignedLink::must(asked);
    const auto request = std::get<rules::ActDone>(asked.outcome).request;
    QVERIFY(request.isSet());
    const auto own = engine::submitAndWait(*other, link.sign(link.ana, rules::Approve{request, {}, {}}));
    QVERIFY(LinkFixture::errorOf(own).find("cannot be the second person") != std::string::npos);
    link.restartServed(); // the request outlives its host
    QTRY_VERIFY_WITH_TIMEOUT(other->state().isUp, 10'000);
    SignedLink::must(engine::submitAndWait(*other, link.sign(link.bo, rules::Approve{request, {}, {}})));
    QVERIFY(!link.fleet()->trip(trip)->active());
    link.unserve();
    QCOMPARE(link.verifyStopped(), std::string());
}

void TestLinkOperators::keyframesOfASignedStoreAreBelievedUpToTheWitness()
{
    SignedLink link;
    link.unserve();
    for (int n = 0; n < 12'000; ++n) // beyond the first keyframe
        link.step("t" + std::to_string(n / 20), "agent" + std::to_string(n % 7));
    const auto before = rules::encodeFleet(*link.fleet());
    link.stop();
    auto opened = store::Store::open(link.path());
    QVERIFY(opened.ok());
    const auto fromTheStart = (*opened)->load(); // nobody vouches for a keyframe here
    QVERIFY(fromTheStart.ok());
    QCOMPARE(rules::encodeFleet(*fromTheStart), before);
}

QTEST_GUILESS_MAIN(TestLinkOperators)
#include "tst_link_operators.moc"

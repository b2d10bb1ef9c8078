#include "tests/engine/host_fixture.h"

#include <algorithm>
#include <condition_variable>
#include <future>
#include <set>
#include <thread>

using namespace handreset;
using test::HostFixture;
using test::Listener;

namespace {

const std::string kDownTool = "[tools.book]\naccess = \"write\"\n"
                              "breaker = { failure_threshold = 2, cooldown_seconds = 30 }\n";

/// Holds the host's thread until `release`, so that what is submitted meanwhile is ready at once.
class Hold {
public:
    explicit Hold(engine::EmbeddedHost &host)
    {
        host.onStore([holds = m_holds, released = m_release.get_future().share()](const auto &) {
            holds->set_value();
            released.wait();
        });
        m_holds->get_future().wait();
    }
    void release() { m_release.set_value(); }

private:
    std::shared_ptr<std::promise<void>> m_holds = std::make_shared<std::promise<void>>();
    std::promise<void> m_release;
};

/// Opens the breaker of `book` by two failures.
void openBreaker(HostFixture &fleet)
{
    for (int i = 0; i < 2; ++i) {
        const auto decision = fleet.call("book", R"({"n":)" + std::to_string(i) + "}");
        QVERIFY(decision.allow);
        fleet.finishCall(decision.id, rules::CallOutcome::Failure);
    }
    QVERIFY(!fleet.call("book", R"({"n":9})").allow);
}

} // namespace

class TestEmbeddedHost : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answersComeInTheOrderOfTheQuestions();
    void asksThatAreReadyShareOneTransaction();
    void anAnswerLeavesOnlyAfterItsCommit();
    void aFollowerSeesTheLogWithoutAGap();
    void unfollowWaitsForTheRunningCall();
    void beatsComeWithoutTraffic();
    void aRestartGoesOnWhereItWas();
    void aRestartKeepsWhatIsLeftOfACooldown();
    void acknowledgementsOutliveARestart();
    void oneTripHoweverOftenItIsRefused();
    void refusalsByRungAreCountedByTheSecond();
    void aCleanStopWritesTheLastCounts();
    void aStopOvertakesAFloodOfAsks();
    void signedActsOvertakeAsWell();
    void aLookSeesWhatWasCommitted();
    void noCallIsAllowedAfterTheCommitOfAStop();
    void ofManyRearmsWithOneRevisionOneWins();
    void eventsAreFoundWhateverTheFilter();
    void statesOfThePastEqualAFold();
    void readsHoldUpNoDecision();
    void aCopyForReplayDecidesNothing();
    void aMissingStoreIsNotHosted();
};

void TestEmbeddedHost::answersComeInTheOrderOfTheQuestions()
{
    HostFixture fleet;
    fleet.start();
    std::vector<int> order;
    std::vector<std::uint64_t> ids;
    std::promise<void> all;
    constexpr int count = 1'500; // more than one batch
    for (int i = 0; i < count; ++i) {
        fleet.host().submit(HostFixture::askStep("task-" + std::to_string(i / 20)), [&, i](const engine::Reply &reply) {
            order.push_back(i);
            ids.push_back(std::get<rules::Decision>(reply.outcome).id.value);
            if (i == count - 1)
                all.set_value();
        });
    }
    all.get_future().wait();
    QVERIFY(std::ranges::is_sorted(order));
    QCOMPARE(order.size(), static_cast<std::size_t>(count));
    QVERIFY(std::ranges::is_sorted(ids));
    QCOMPARE(std::set(ids.begin(), ids.end()).size(), ids.size());
    QCOMPARE(fleet.verifyStopped(), std::string());
}

void TestEmbeddedHost::asksThatAreReadyShareOneTransaction()
{
    HostFixture fleet;
    fleet.start();
    Hold hold(fleet.host());
    std::promise<void> all;
    std::atomic<int> left = 400;
    for (int i = 0; i < 400; ++i) {
        fleet.host().submit(HostFixture::askStep("task-" + std::to_string(i)), [&](const engine::Reply &) {
            if (--left == 0)
                all.set_value();
        });
    }
    QCOMPARE(fleet.host().status().queued, 400UL);
    const int before = fleet.script->appends;
    hold.release();
    all.get_future().wait();
    QCOMPARE(fleet.script->appends - before, 1);
}

void TestEmbeddedHost::anAnswerLeavesOnlyAfterItsCommit()
{
    HostFixture fleet;
    fleet.start();
    std::atomic<int> tooEarly = 0;
    std::vector<std::thread> agents;
    for (int agent = 0; agent < 4; ++agent) {
        agents.emplace_back([&, agent] {
            for (int i = 0; i < 100; ++i) {
                std::promise<void> answered;
                fleet.host().submit(
                    HostFixture::askStep("task-" + std::to_string(i / 20), "agent-" + std::to_string(agent)),
                    [&](const engine::Reply &reply) {
                        const auto id = std::get<rules::Decision>(reply.outcome).id.value;
                        if (fleet.script->committed < id || reply.committed.value < id)
                            ++tooEarly;
                        answered.set_value();
                    });
                answered.get_future().wait();
            }
        });
    }
    for (auto &agent : agents)
        agent.join();
    QCOMPARE(tooEarly, 0);
}

void TestEmbeddedHost::aFollowerSeesTheLogWithoutAGap()
{
    Listener listener; // outlives the host
    HostFixture fleet;
    fleet.start();
    fleet.step("before");
    std::vector<std::thread> agents;
    for (int agent = 0; agent < 4; ++agent) {
        agents.emplace_back([&, agent] {
            for (int i = 0; i < 150; ++i) {
                if (agent == 0 && i == 40)
                    fleet.host().follow(&listener);
                static_cast<void>(engine::submitAndWait(
                    fleet.host(),
                    HostFixture::askStep("task-" + std::to_string(i / 20), "agent-" + std::to_string(agent))));
            }
        });
    }
    for (auto &agent : agents)
        agent.join();
    const auto end = fleet.fleet();
    fleet.host().unfollow(&listener);
    QVERIFY(listener.faults().empty());
    QCOMPARE(listener.snapshots(), 1);
    QVERIFY(listener.commits() > 0);
    QCOMPARE(listener.fleet().seq, end->seq);
    QVERIFY(rules::encodeFleet(listener.fleet()) == rules::encodeFleet(*end));
}

void TestEmbeddedHost::unfollowWaitsForTheRunningCall()
{
    class Slow final : public engine::Follower {
    public:
        void snapshot(std::shared_ptr<const rules::Fleet> /*fleet*/) override {}
        void committed(std::shared_ptr<const engine::Commit> /*commit*/) override
        {
            inside.set_value();
            release.get_future().wait();
            isDone = true;
        }
        void beat(const engine::HostStatus & /*status*/) override {}
        std::promise<void> inside;
        std::promise<void> release;
        std::atomic<bool> isDone = false;
    };
    Slow slow;
    HostFixture fleet;
    fleet.start();
    fleet.host().follow(&slow);
    fleet.host().submit(HostFixture::askStep(), {});
    slow.inside.get_future().wait();
    auto unfollowed = std::async(std::launch::async, [&] {
        fleet.host().unfollow(&slow);
        return slow.isDone.load();
    });
    QCOMPARE(unfollowed.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
    slow.release.set_value();
    QVERIFY(unfollowed.get());
    fleet.step("after"); // a second call would throw: its promise is used
    QVERIFY(fleet.host().status().health == engine::StoreHealth::Writable);
}

void TestEmbeddedHost::beatsComeWithoutTraffic()
{
    Listener listener; // outlives the host
    HostFixture fleet;
    fleet.start();
    fleet.host().follow(&listener);
    QTRY_VERIFY(listener.beats().size() >= 3);
    fleet.host().unfollow(&listener);
    for (const auto &beat : listener.beats()) {
        QVERIFY(beat.health == engine::StoreHealth::Writable);
        QCOMPARE(beat.committed, fleet.host().status().committed);
    }
    QCOMPARE(listener.beats().back().lastBeat.wall, test::kNoon);
    QCOMPARE(listener.commits(), 0); // nothing happened, so nothing is in the log
}

void TestEmbeddedHost::aRestartGoesOnWhereItWas()
{
    HostFixture fleet;
    fleet.start();
    fleet.usePolicy(test::policyText());
    rules::AskId last;
    for (int i = 0; i < 20; ++i) {
        last = fleet.step().id;
        fleet.clock.advance(rules::seconds(1));
    }
    const auto before = fleet.fleet();
    fleet.restart();
    const auto after = fleet.fleet();
    QCOMPARE(after->tasks, before->tasks);
    QCOMPARE(after->counters, before->counters);
    QCOMPARE(after->seq.value, before->seq.value + 1); // HostStarted
    for (int i = 0; i < 5; ++i) {
        const auto decision = fleet.step();
        QVERIFY(decision.allow);
        QVERIFY(decision.id > last); // no number is given twice
        last = decision.id;
    }
    QVERIFY(!fleet.step().allow); // the 26th, whatever process counts
    QCOMPARE(fleet.fleet()->trips.size(), 1UL);
    QCOMPARE(fleet.verifyStopped(), std::string());
}

void TestEmbeddedHost::aRestartKeepsWhatIsLeftOfACooldown()
{
    HostFixture fleet;
    fleet.start();
    fleet.usePolicy(test::policyText({}, kDownTool));
    openBreaker(fleet);
    fleet.pass(rules::seconds(20));
    fleet.stop();
    fleet.clock.advance(rules::seconds(5)); // the machine was on: these count
    fleet.start();
    QVERIFY(!fleet.call("book", R"({"n":10})").allow);
    fleet.pass(rules::seconds(4));
    QVERIFY(!fleet.call("book", R"({"n":11})").allow); // 29 s
    fleet.pass(rules::seconds(1));
    const auto probe = fleet.call("book", R"({"n":12})");
    QVERIFY(probe.allow && probe.probe);
}

void TestEmbeddedHost::acknowledgementsOutliveARestart()
{
    HostFixture fleet;
    fleet.start();
    fleet.usePolicy(test::policyText());
    for (int i = 0; i < 26; ++i)
        fleet.step();
    const auto trip = fleet.fleet()->trips.begin()->first;
    const auto reply = fleet.send(rules::Acknowledge{trip, "ana", "I look at it"});
    QVERIFY(std::holds_alternative<rules::ActDone>(reply.outcome));
    fleet.restart();
    const auto after = fleet.fleet();
    QVERIFY(after->trip(trip) != nullptr);
    QCOMPARE(after->names(after->trip(trip)->acknowledgedBy), std::string("ana"));
    QVERIFY(after->trip(trip)->active());
}

void TestEmbeddedHost::oneTripHoweverOftenItIsRefused()
{
    HostFixture fleet;
    fleet.start();
    fleet.usePolicy(test::policyText());
    for (int i = 0; i < 200; ++i)
        fleet.step();
    QCOMPARE(fleet.count<rules::TripFired>(), 1UL);
}

void TestEmbeddedHost::refusalsByRungAreCountedByTheSecond()
{
    HostFixture fleet;
    fleet.start();
    fleet.usePolicy(test::policyText());
    for (int i = 0; i < 26; ++i)
        fleet.step();
    const auto before = fleet.host().status().committed;
    for (int second = 0; second < 3; ++second) {
        for (int i = 0; i < 100; ++i) {
            const auto decision = fleet.step();
            QVERIFY(!decision.allow && !decision.id.isSet());
        }
        fleet.clock.advance(rules::seconds(1));
    }
    const auto counted = [&] {
        std::int64_t sum = 0;
        for (const auto &event : fleet.log()) {
            if (const auto *counts = std::get_if<rules::RefusalsCounted>(&event.payload))
                sum += counts->count;
        }
        return sum;
    };
    QTRY_COMPARE(counted(), 300);
    QVERIFY(fleet.count<rules::RefusalsCounted>() <= 4); // one a second, for one subject and reason
    QVERIFY(fleet.host().status().committed.value - before.value <= 4);
}

void TestEmbeddedHost::aCleanStopWritesTheLastCounts()
{
    HostFixture fleet;
    fleet.start();
    fleet.usePolicy(test::policyText());
    for (int i = 0; i < 26 + 40; ++i)
        fleet.step(); // all in one second of the clock, which is not over
    QCOMPARE(fleet.count<rules::RefusalsCounted>(), 0UL);
    fleet.restart();
    QCOMPARE(fleet.count<rules::RefusalsCounted>(), 1UL);
    QCOMPARE(fleet.fleet()->agents.front().refused, 41);
}

void TestEmbeddedHost::aStopOvertakesAFloodOfAsks()
{
    HostFixture fleet;
    fleet.start();
    fleet.step(); // a stop names an agent that is known
    Hold hold(fleet.host());
    std::atomic<int> allowed = 0;
    for (int i = 0; i < 3'000; ++i) {
        fleet.host().submit(HostFixture::askStep("task-" + std::to_string(i / 20)), [&](const engine::Reply &reply) {
            allowed += std::get<rules::Decision>(reply.outcome).allow ? 1 : 0;
        });
    }
    std::promise<void> stopped;
    fleet.host().submit(rules::StopAgent{"a1", rules::Rung::Open, "ana", {}},
                        [&](const engine::Reply &) { stopped.set_value(); });
    hold.release();
    stopped.get_future().wait();
    fleet.tick(); // behind them all
    QCOMPARE(allowed, 0);
}

void TestEmbeddedHost::signedActsOvertakeAsWell()
{
    HostFixture fleet;
    fleet.start();
    Hold hold(fleet.host());
    std::vector<char> order;
    std::promise<void> all;
    for (int i = 0; i < 600; ++i) { // more than one batch
        fleet.host().submit(HostFixture::askStep("task-" + std::to_string(i / 20)), [&, i](const engine::Reply &) {
            order.push_back('a');
            if (i == 599)
                all.set_value();
        });
    }
    fleet.host().submit(rules::Signed{}, [&](const engine::Reply &) { order.push_back('s'); });
    hold.release();
    all.get_future().wait();
    QCOMPARE(order.front(), 's');
}

void TestEmbeddedHost::aLookSeesWhatWasCommitted()
{
    HostFixture fleet;
    fleet.start();
    fleet.step("t");
    std::promise<std::pair<rules::Seq, std::size_t>> seen;
    fleet.host().look([&](const rules::Fleet &state, rules::Now) { seen.set_value({state.seq, state.tasks.size()}); });
    const auto [seq, tasks] = seen.get_future().get();
    QCOMPARE(seq.value, fleet.script->committed.load());
    QCOMPARE(tasks, std::size_t{1});
}

void TestEmbeddedHost::noCallIsAllowedAfterTheCommitOfAStop()
{
    Listener listener; // outlives the host
    HostFixture fleet;
    fleet.start();
    fleet.host().follow(&listener);
    std::atomic<bool> isOver = false;
    std::atomic<std::uint64_t> stopSeq = 0;
    std::atomic<int> allowedBefore = 0;
    std::atomic<int> deniedAfter = 0;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> agents;
    for (int agent = 0; agent < 8; ++agent) {
        agents.emplace_back([&, agent] {
            for (int i = 0; !isOver; ++i) {
                const bool isAfter = stopSeq != 0; // the stop was answered before this ask left
                const auto decision = HostFixture::decisionOf(engine::submitAndWait(
                    fleet.host(),
                    HostFixture::askStep("task-" + std::to_string(i / 20), "agent-" + std::to_string(agent))));
                if (decision.allow)
                    ++(isAfter ? wrong : allowedBefore);
                else if (isAfter)
                    ++deniedAfter;
            }
        });
    }
    QTRY_VERIFY(allowedBefore > 500);
    const auto reply = fleet.send(rules::StopAgent{{}, rules::Rung::Open, "ana", {}});
    stopSeq = std::get<rules::ActDone>(reply.outcome).seq.value;
    QTRY_VERIFY(deniedAfter > 500);
    isOver = true;
    for (auto &agent : agents)
        agent.join();
    // Confirmed, not assumed: the loop itself has published the stop, and beats beyond it.
    QTRY_VERIFY(listener.beats().back().committed.value >= stopSeq);
    fleet.host().unfollow(&listener);
    QCOMPARE(wrong, 0);
    for (const auto &event : listener.events()) {
        if (const auto *ask = std::get_if<rules::StepAsked>(&event.payload))
            QVERIFY(event.seq.value < stopSeq || ask->answer == rules::Answer::Deny);
    }
    QCOMPARE(fleet.verifyStopped(), std::string());
}

void TestEmbeddedHost::ofManyRearmsWithOneRevisionOneWins()
{
    HostFixture fleet;
    fleet.start();
    fleet.usePolicy(test::policyText("steps = { limit = 1 }"));
    fleet.step();
    fleet.step();
    const auto trip = fleet.fleet()->trips.begin()->first;
    fleet.send(rules::Acknowledge{trip, "ana", {}});
    const auto before = fleet.fleet();
    rules::Rearm rearm;
    rearm.trip = trip;
    rearm.revision = before->agents.front().revision;
    rearm.by = "ana";
    rearm.cause = "other";
    rearm.to = rules::Rung::Closed;
    rearm.grant.steps = 5;
    std::atomic<int> won = 0;
    std::atomic<int> refused = 0;
    std::vector<std::thread> operators;
    for (int who = 0; who < 10; ++who) {
        operators.emplace_back([&, who] {
            for (int i = 0; i < 50; ++i) {
                auto mine = rearm;
                mine.reason = "looked at it, attempt " + std::to_string(who * 50 + i);
                const auto reply = engine::submitAndWait(fleet.host(), mine);
                ++(std::holds_alternative<rules::ActDone>(reply.outcome) ? won : refused);
            }
        });
    }
    for (auto &one : operators)
        one.join();
    QCOMPARE(won, 1);
    QCOMPARE(refused, 499);
    QCOMPARE(fleet.count<rules::TripRearmed>(), 1UL);
    QCOMPARE(fleet.count<rules::ActRefused>(), 499UL);
    QVERIFY(fleet.fleet()->trips.empty());
}

void TestEmbeddedHost::eventsAreFoundWhateverTheFilter()
{
    HostFixture fleet;
    fleet.start();
    fleet.usePolicy(test::policyText({}, kDownTool));
    for (int i = 0; i < 1'500; ++i)
        fleet.host().submit(HostFixture::askStep("task-" + std::to_string(i / 20), "agent-" + std::to_string(i % 7)),
                            {});
    fleet.call("book", "{}", "task-0", "agent-3");
    const auto all = fleet.log();
    QCOMPARE(all.size(), fleet.host().status().committed.value);
    const auto snapshot = fleet.fleet();
    const rules::AgentId agent{snapshot->names.find(rules::NameKind::Agent, "agent-3")};
    const auto asked = static_cast<std::uint8_t>(rules::Payload(rules::StepAsked{}).index());
    for (const bool newestFirst : {true, false}) {
        for (const std::size_t limit : {1UL, 200UL, 700UL, 100'000UL}) {
            engine::EventQuery query;
            query.agent = agent;
            query.kinds = {asked};
            query.first = rules::Seq{100};
            query.last = rules::Seq{all.size() - 50};
            query.newestFirst = newestFirst;
            query.limit = limit;
            std::vector<rules::Seq> expected;
            for (const auto &event : all) {
                if (event.agent == agent && event.kind() == asked && event.seq >= query.first
                    && event.seq <= query.last)
                    expected.push_back(event.seq);
            }
            if (newestFirst)
                std::ranges::reverse(expected);
            expected.resize(std::min(expected.size(), limit));
            const auto found = engine::readEventsAndWait(fleet.host(), query);
            QVERIFY(found.ok());
            std::vector<rules::Seq> seqs;
            for (const auto &event : *found)
                seqs.push_back(event.seq);
            QCOMPARE(seqs, expected);
        }
    }
}

void TestEmbeddedHost::statesOfThePastEqualAFold()
{
    HostFixture fleet;
    fleet.start();
    fleet.usePolicy(test::policyText({}, kDownTool));
    for (int i = 0; i < 600; ++i) {
        fleet.host().submit(HostFixture::askStep("task-" + std::to_string(i / 30), "agent-" + std::to_string(i % 3)),
                            {});
        if (i % 50 == 0)
            fleet.pass(rules::seconds(3));
    }
    fleet.tick();
    const auto all = fleet.log();
    rules::Fleet fold;
    std::size_t next = 0;
    for (std::uint64_t seq = 1; seq <= all.size(); seq += 37) {
        while (fold.seq.value < seq)
            QVERIFY(rules::apply(fold, all[next++]).ok());
        for (const std::uint64_t asked : {seq, all.size() + 1 - seq, seq}) { // to and fro, as a slider goes
            const auto state = engine::stateAtAndWait(fleet.host(), rules::Seq{asked});
            QVERIFY(state.ok());
            QCOMPARE((*state)->seq.value, asked);
            if (asked == seq)
                QVERIFY(rules::encodeFleet(**state) == rules::encodeFleet(fold));
        }
        const auto at = engine::seqAtAndWait(fleet.host(), fold.ruleTime);
        QVERIFY(at.ok());
        QVERIFY(*at >= fold.seq && all[at->value - 1].ruleTime == fold.ruleTime);
    }
    QVERIFY(!engine::stateAtAndWait(fleet.host(), rules::Seq{all.size() + 1'000}).ok());
    const auto before = engine::seqAtAndWait(fleet.host(), test::kNoon - rules::hours(1));
    QVERIFY(before.ok());
    QCOMPARE(*before, rules::Seq{0});
}

void TestEmbeddedHost::readsHoldUpNoDecision()
{
    HostFixture fleet;
    fleet.start();
    fleet.usePolicy(test::policyText());
    constexpr int asks = 30'000;
    for (int i = 0; i < asks; ++i)
        fleet.host().submit(HostFixture::askStep("task-" + std::to_string(i / 20), "agent-" + std::to_string(i % 97)),
                            {});
    fleet.tick();
    std::promise<std::size_t> read;
    engine::EventQuery query;
    query.limit = 1'000'000;
    fleet.host().readEvents(query, [&](const auto &events) { read.set_value(events ? events->size() : 0); });
    auto result = read.get_future();
    std::vector<std::chrono::steady_clock::duration> waits;
    while (result.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
        const auto begin = std::chrono::steady_clock::now();
        fleet.tick();
        waits.push_back(std::chrono::steady_clock::now() - begin);
    }
    QVERIFY(result.get() >= static_cast<std::size_t>(asks));
    QVERIFY(waits.size() > 10); // decisions went on while it was read
    std::ranges::sort(waits);
    const auto micros = [&](double share) {
        const auto place = static_cast<std::size_t>(share * static_cast<double>(waits.size() - 1));
        return std::chrono::duration_cast<std::chrono::microseconds>(waits[place]).count();
    };
    qInfo("a decision beside a long read: median %lld us, 99 %% %lld us, longest %lld us",
          static_cast<long long>(micros(0.5)), static_cast<long long>(micros(0.99)),
          static_cast<long long>(micros(1.0)));
    const auto begin = std::chrono::steady_clock::now();
    QVERIFY(engine::stateAtAndWait(fleet.host(), rules::Seq{fleet.host().status().committed.value / 2}).ok());
    const auto took = std::chrono::steady_clock::now() - begin;
    qInfo("a state of the past, farthest from its keyframe: %lld us in one piece",
          static_cast<long long>(std::chrono::duration_cast<std::chrono::microseconds>(took).count()));
}

void TestEmbeddedHost::aCopyForReplayDecidesNothing()
{
    HostFixture fleet;
    fleet.start();
    fleet.step();
    fleet.stop();
    engine::EmbeddedHostOptions options;
    options.storePath = fleet.path();
    options.readOnly = true;
    auto replay = engine::EmbeddedHost::start(options);
    QVERIFY(replay.ok());
    QVERIFY((*replay)->status().health == engine::StoreHealth::ReadOnly);
    QVERIFY(!HostFixture::decisionOf(engine::submitAndWait(**replay, HostFixture::askStep())).allow);
    QVERIFY(!HostFixture::errorOf(engine::submitAndWait(**replay, rules::StopAgent{{}, rules::Rung::Open, "ana", {}}))
                 .empty());
    QCOMPARE(engine::snapshotAndWait(**replay)->seq, (*replay)->status().committed);
    replay = rules::Error{};
    fleet.start(); // the original is as it was, and no sentinel stands
    QVERIFY(fleet.step().allow);
}

void TestEmbeddedHost::aMissingStoreIsNotHosted()
{
    engine::EmbeddedHostOptions options;
    QTemporaryDir folder;
    options.storePath = folder.filePath(QStringLiteral("nothing.db"));
    const auto started = engine::EmbeddedHost::start(options);
    QVERIFY(!started.ok());
    QVERIFY(!started.error().message.empty());
    QVERIFY(!QFile::exists(options.storePath));
}

QTEST_GUILESS_MAIN(TestEmbeddedHost)
#include "tst_embedded_host.moc"

// Random sequences of commands against invariants that are written apart from the tables (spec 8 of the threats page,
// "Invariants, everywhere"). Seeds are printed, so that a failure can be run again.
#include "tests/support/fleet_driver.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace handreset::rules;
using handreset::test::FleetDriver;

class TestProperties : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomCommandsKeepTheInvariants_data();
    void randomCommandsKeepTheInvariants();
    void sixteenInterleavedAsksNeverPassTheCap();
};

namespace {

constexpr std::string_view kPolicy = R"(
schema = 1
undeclared = "write"
[defaults]
steps = { limit = 12, per_session = 30, per_agent = { window = "1h", limit = 60 } }
repetition = { limit = 3, max_period = 3 }
degraded_model = "small"
estimate = "0.10 USD"
spend = [{ window = "1h", limit = "3.00 USD", action = "degraded", overdraft = "0.50 USD" }, { window = "24h", limit = "9.00 USD" }]
[agents.child]
parents = ["a", "b"]
key = "shared"
[agents.b]
key = "shared"
[tools.look]
access = "read"
breaker = { failure_threshold = 2, cooldown_calls = 2, cooldown_seconds = 5, probe_lease_seconds = 20 }
[tools.pay]
access = "write"
breaker = { scope = "agent", failure_threshold = 1, cooldown_seconds = 3, probe = "operator" }
value = { pointer = "/amount", currency = "USD", max = "50" }
volume = { per = "task", calls = 3, value = "100" }
)";

/// Makes commands that a lively fleet and a nervous operator would send.
class Random {
public:
    explicit Random(unsigned seed) : m_engine(seed) {}
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(m_engine() % n); }
    bool once(std::uint32_t in) { return below(in) == 0; }
    template <class T>
    const T &of(const std::vector<T> &list)
    {
        return list[below(static_cast<std::uint32_t>(list.size()))];
    }
    std::string agent() { return of<std::string>({"a", "b", "c", "child"}); }
    std::string task() { return "t" + std::to_string(below(40)); }

private:
    std::mt19937 m_engine;
};

struct Known {
    std::map<AskId, std::string> steps; ///< open asks and their agents
    std::map<AskId, std::string> calls;
};

Command randomAsk(Random &random)
{
    if (random.once(2))
        return AskStep{.agent = random.agent(), .task = random.task(), .session = random.once(3) ? "s" : "",
                       .endpoint = random.of<std::string>({"eu", "us"}), .model = random.of<std::string>({"large", "small", ""})};
    const auto tool = random.of<std::string>({"look", "pay", "other"});
    const auto amount = random.of<std::string>({"1", "49.99", "50", "51", "-1", "null"});
    return AskCall{.agent = random.agent(), .task = random.task(), .tool = tool,
                   .arguments = "{\"amount\":" + amount + ",\"n\":" + std::to_string(random.below(3)) + "}"};
}

template <class Map>
AskId takeOne(Random &random, Map &map, std::string &agent)
{
    if (map.empty())
        return AskId{1 + random.below(50)}; // one that was never given out, or is over
    auto place = map.begin();
    std::advance(place, random.below(static_cast<std::uint32_t>(map.size())));
    const auto id = place->first;
    agent = random.once(20) ? "thief" : place->second;
    if (!random.once(10))
        map.erase(place);
    return id;
}

Command randomResult(Random &random, Known &known)
{
    std::string agent = "a";
    if (random.once(2)) {
        const auto id = takeOne(random, known.steps, agent);
        StepReport report;
        report.ok = !random.once(4);
        report.status = report.ok ? 200 : random.of<std::int32_t>({429, 500, 400, 0});
        report.model = random.of<std::string>({"large", "small", ""});
        report.cost = Money{*Decimal::parse(random.of<std::string>({"0", "0.05", "0.30", "1.5"})), "USD"};
        return FinishStep{id, agent, report};
    }
    const auto id = takeOne(random, known.calls, agent);
    return FinishCall{.ask = id, .agent = agent,
                      .outcome = random.of<CallOutcome>({CallOutcome::Success, CallOutcome::Failure, CallOutcome::Neutral})};
}

TripId randomTrip(Random &random, const Fleet &fleet)
{
    if (fleet.trips.empty() || random.once(10))
        return TripId{1 + random.below(200)};
    auto place = fleet.trips.begin();
    std::advance(place, random.below(static_cast<std::uint32_t>(fleet.trips.size())));
    return place->first;
}

/// What a sensible person grants with this trip.
Grant grantFor(const Fleet &fleet, TripId id, std::int64_t steps, std::string_view money)
{
    const auto *trip = fleet.trip(id);
    if (trip != nullptr && trip->subject.signal == Signal::Steps)
        return {.steps = steps};
    if (trip != nullptr && trip->subject.signal == Signal::Spend)
        return {.spend = *Decimal::parse(money)};
    return {};
}

Command randomAct(Random &random, const Fleet &fleet)
{
    const auto by = random.of<std::string>({"ana", "ben"});
    switch (random.below(8)) {
    case 0:
    case 1:
        return Acknowledge{randomTrip(random, fleet), by, {}};
    case 2:
    case 3: {
        Rearm rearm{.trip = randomTrip(random, fleet), .by = by, .cause = "c",
                    .reason = "reason number " + std::to_string(random.below(1000)),
                    .to = random.of<Rung>({Rung::Closed, Rung::Degraded, Rung::Degraded, Rung::Open})};
        if (!random.once(3))
            rearm.grant = random.once(8) ? Grant{.steps = 2, .spend = *Decimal::parse("0.5"), .volumeCalls = 1}
                                         : grantFor(fleet, rearm.trip, 2, "0.5");
        if (!fleet.queue.empty() && random.once(2))
            rearm.queue.emplace_back(fleet.queue.begin()->first, random.of<QueueVerb>({QueueVerb::Resume, QueueVerb::Abandon, QueueVerb::Stay}));
        return rearm;
    }
    case 4:
        if (!random.once(6))
            return Tick{};
        return StopAgent{random.once(8) ? "" : random.agent(), random.of<Rung>({Rung::Degraded, Rung::Open}), by, {}};
    case 5:
        return ActOnBreaker{random.of<std::string>({"look", "pay"}), random.once(2) ? "" : random.agent(),
                            random.of<BreakerEvent>({BreakerEvent::Isolate, BreakerEvent::Release, BreakerEvent::LetProbeOut, BreakerEvent::Reset}),
                            by, "because"};
    case 6:
        return ActOnQueue{random.agent(), random.task(), random.of<QueueVerb>({QueueVerb::Take, QueueVerb::Return, QueueVerb::Resume, QueueVerb::Abandon}), by, {}};
    default:
        return random.once(2) ? Command(NoteTask{random.agent(), random.task(), "a note"})
                              : Command(EndTask{random.agent(), random.task(), "done"});
    }
}

// ---- Invariants, written apart from tables and fold --------------------------------------------------------

Rung worstReaching(const Fleet &fleet, AgentId agent, std::optional<TaskId> root)
{
    Rung worst = Rung::Closed;
    for (const auto &[id, trip] : fleet.trips) {
        bool reaches = false;
        if (trip.reach == Reach::Task)
            reaches = root && trip.root == *root;
        else if (trip.reach == Reach::Agent) // the whole tree of the task that it came from, and the agent
            reaches = root ? trip.subject.root == *root : trip.agent == agent;
        else if (trip.reach == Reach::Key)
            reaches = !root && trip.subject.key == fleet.agent(agent).key;
        else if (trip.reach == Reach::Endpoint)
            reaches = !root && std::count(trip.reached.begin(), trip.reached.end(), agent) > 0;
        else
            reaches = !root;
        if (reaches)
            worst = std::max(worst, trip.rung);
    }
    return worst;
}

/// Empty when all hold.
std::string brokenInvariant(const Fleet &before, const Fleet &after, const Step &step, Now now)
{
    for (std::uint32_t id = 1; id <= after.agents.size(); ++id) {
        if (after.agents[id - 1].rung != worstReaching(after, AgentId{id}, std::nullopt))
            return "an agent's rung is not that of its worst trip";
        if (id <= before.agents.size() && after.agents[id - 1].revision < before.agents[id - 1].revision)
            return "a revision fell";
        if (id <= before.agents.size() && before.agents[id - 1].rung != after.agents[id - 1].rung
            && after.agents[id - 1].revision == before.agents[id - 1].revision)
            return "a rung changed without a new revision";
    }
    for (std::uint32_t id = 1; id <= after.tasks.size(); ++id) {
        const auto &task = after.tasks[id - 1];
        if (task.root == TaskId{id} && task.rung != worstReaching(after, {}, TaskId{id}))
            return "a task's rung is not that of its worst trip";
        if (id <= before.tasks.size() && before.tasks[id - 1].ended && !task.ended)
            return "an ended task came back";
    }
    for (const auto &[key, record] : before.breakers) {
        const auto &later = after.breakers.at(key).breaker;
        if (later.generation < record.breaker.generation)
            return "a generation fell";
        if (later.state != record.breaker.state && later.generation == record.breaker.generation)
            return "a state changed without a new generation";
        if (later.probe.isSet() && later.state != BreakerState::HalfOpen)
            return "a probe is out while not HALF_OPEN";
    }
    for (const auto &[id, trip] : before.trips) {
        const bool behaviour = trip.subject.signal != Signal::Spend && trip.subject.signal != Signal::Provider;
        if (after.trips.contains(id) || !behaviour)
            continue;
        const bool byHuman = std::any_of(step.events.begin(), step.events.end(), [id = id](const Event &event) {
            const auto *rearmed = std::get_if<TripRearmed>(&event.payload);
            return rearmed != nullptr && rearmed->trip == id && rearmed->by.isSet() && rearmed->reason.size() >= 10;
        });
        if (!byHuman)
            return "a behaviour trip ended without a human";
    }
    for (const auto &event : step.events) {
        const auto *asked = std::get_if<CallAsked>(&event.payload);
        if (asked == nullptr || asked->answer == Answer::Allow)
            continue;
        const BreakerKey key{asked->tool, asked->ownBreaker ? event.agent : AgentId{}};
        if (before.breakers.contains(key)
            && after.breakers.at(key).breaker.failureCount != before.breakers.at(key).breaker.failureCount)
            return "a rejected call changed a failure count";
    }
    static_cast<void>(now);
    return {};
}

/// After an allowed ask no window holds more than its cap.
std::string passedCap(const Fleet &fleet, AgentId agent)
{
    const auto key = fleet.agent(agent).key;
    for (const auto &window : fleet.keyPolicy(key).windows) {
        const auto sum = spendAt(fleet.counters, key, window.window, fleet.ruleTime, fleet.calendar());
        const auto cap = window.limit + sum.granted + window.overdraft;
        if (sum.settled + sum.reserved > cap)
            return "settled " + sum.settled.toString() + " + reserved " + sum.reserved.toString() + " passes " + cap.toString();
    }
    return {};
}

} // namespace

void TestProperties::randomCommandsKeepTheInvariants_data()
{
    QTest::addColumn<unsigned>("seed");
    const unsigned seeds = qEnvironmentVariableIsSet("HANDRESET_LONG") ? 200 : 12;
    for (unsigned seed = 1; seed <= seeds; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

namespace {

/// A person who clears the desk, so that the sequence goes on.
void clearDesk(FleetDriver &d, Random &random)
{
    const auto standing = d.fleet.trips;
    for (const auto &[id, trip] : standing) {
        d.act(Acknowledge{id, "ana", {}});
        d.act(Rearm{.trip = id, .by = "ana", .reason = "cleared in round " + std::to_string(random.below(100'000)), .to = Rung::Closed,
                    .grant = grantFor(d.fleet, id, 5, "3")});
    }
    const auto queue = d.fleet.queue;
    for (const auto &[root, item] : queue)
        d.act(ActOnQueue{d.fleet.names(item.agent), d.fleet.names(root), QueueVerb::Resume, "ana", {}});
}

} // namespace

void TestProperties::randomCommandsKeepTheInvariants()
{
    QFETCH(unsigned, seed);
    Random random(seed);
    FleetDriver d(kPolicy);
    Known known;
    int allowed = 0;
    int ended = 0;
    for (int i = 0; i < 1500; ++i) {
        if (random.once(4))
            d.wait(seconds(random.below(random.once(30) ? 3000 : 8)));
        if (i % 60 == 59)
            clearDesk(d, random);
        const auto kind = random.below(20);
        const Command command = kind < 10 ? randomAsk(random)
            : kind < 15                   ? randomResult(random, known)
            : kind < 19                   ? randomAct(random, d.fleet)
                                          : Command(Tick{});
        const auto before = d.fleet;
        const auto &outcome = d.act(command);
        if (const auto wrong = brokenInvariant(before, d.fleet, d.step, d.moment.now); !wrong.empty())
            QFAIL(("step " + std::to_string(i) + ": " + wrong).c_str());
        for (std::size_t e = 0; e < d.step.events.size(); ++e)
            QCOMPARE(d.step.events[e].seq.value, before.seq.value + e + 1);
        if (const auto *decision = std::get_if<Decision>(&outcome); decision != nullptr && decision->allow) {
            ++allowed;
            const auto *step = std::get_if<AskStep>(&command);
            (step != nullptr ? known.steps : known.calls)[decision->id] = step != nullptr ? step->agent : std::get<AskCall>(command).agent;
            if (step != nullptr) {
                const auto wrong = passedCap(d.fleet, d.agent(step->agent));
                QVERIFY2(wrong.empty(), wrong.c_str());
            }
        }
        for (const auto &event : d.step.events)
            ended += std::holds_alternative<TripRearmed>(event.payload) ? 1 : 0;
        if (i % 300 == 299) {
            QCOMPARE(encodeFleet(d.folded()), encodeFleet(d.fleet)); // the fold of the log is the state
            const auto restored = decodeFleet(encodeFleet(d.fleet));
            QVERIFY2(restored.ok(), restored.ok() ? "" : restored.error().message.c_str());
            QVERIFY(restored->activeBySubject == d.fleet.activeBySubject);
            QVERIFY(restored->probesOut == d.fleet.probesOut);
        }
    }
    QVERIFY2(allowed > 100, "the sequence hardly did anything"); // a test that cannot fail is a defect
    QVERIFY(ended > 0);
}

void TestProperties::sixteenInterleavedAsksNeverPassTheCap()
{
    for (unsigned seed = 1; seed <= 50; ++seed) {
        Random random(seed);
        FleetDriver d(kPolicy);
        std::vector<std::pair<std::string, AskId>> out;
        for (int i = 0; i < 200; ++i) {
            const auto agent = "w" + std::to_string(random.below(16));
            if (out.size() < 16 && !random.once(3)) {
                const auto answer = d.ask(AskStep{.agent = random.once(2) ? "b" : "child", .task = agent + std::to_string(i), .model = "small",
                                                  .estimate = Money{*Decimal::parse("0.35"), "USD"}});
                if (answer.allow)
                    out.emplace_back(d.fleet.names(d.step.events.back().agent), answer.id);
                const auto wrong = passedCap(d.fleet, d.agent("b"));
                QVERIFY2(wrong.empty(), wrong.c_str());
            } else if (!out.empty()) {
                const auto which = random.below(static_cast<std::uint32_t>(out.size()));
                d.finishStep(out[which].first, out[which].second, random.once(2) ? "0.35" : "0.01"); // never above its estimate
                out.erase(out.begin() + which);
            }
        }
    }
}

QTEST_APPLESS_MAIN(TestProperties)
#include "tst_properties.moc"

// What is written is what is read: events, arguments, searches, states of any time, copies.
#include "model/store/store.h"
#include "tests/store/raw_sql.h"
#include "tests/support/busy_fleet.h"
#include "tests/support/policy_files.h"
#include "tests/support/temporary_store.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

using namespace handreset;
using namespace handreset::tests;
using rules::Event;
using rules::Seq;
using store::Store;

namespace {

std::vector<Event> readAll(Store &from, bool withArguments = true)
{
    std::vector<Event> events;
    const auto done = from.read(Seq{1}, from.lastSeq(), withArguments, [&events](const Event &event) {
        events.push_back(event);
        return true;
    });
    if (!done)
        qFatal("read: %s", done.error().message.c_str());
    return events;
}

std::string firstFinding(Store &of)
{
    const auto found = of.verify({});
    if (!found)
        return found.error().message + " (" + found.error().context + ")";
    return found->findings.empty() ? std::string() : found->findings.front();
}

rules::AskCall call(const std::string &arguments)
{
    rules::AskCall ask;
    ask.agent = "billing";
    ask.task = "one";
    ask.tool = "lookup";
    ask.arguments = arguments;
    return ask;
}

bool matches(const Store::Filter &filter, const Event &event)
{
    return event.seq >= filter.first && event.seq <= filter.last
        && (!filter.agent.isSet() || event.agent == filter.agent) && (!filter.task.isSet() || event.task == filter.task)
        && (filter.subject == 0 || rules::subjectOf(event) == filter.subject)
        && (filter.row == 0 || event.row == filter.row)
        && (filter.kinds.empty()
            || std::find(filter.kinds.begin(), filter.kinds.end(), event.kind()) != filter.kinds.end());
}

} // namespace

class TestStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNewStoreHoldsItsCreationAndNothingElse();
    void whatIsAppendedIsReadAgain();
    void argumentsComeBackWhateverTheirLength();
    void eventsOutOfTurnAreRefused();
    void aReopenedStoreGoesOn();
    void searchesFindWhatAWalkFinds();
    void timesFindTheirEvents();
    void anyStateIsTheFoldFromTheStart();
    void tripsThatTheFleetForgotAreInTheTable();
    void aBackupOfALiveStoreIsAStore();
    void aBackupReplacesNothing();
    void aStoppedBackupLeavesNothing();
    void aCopyForReplayIsOnlyRead();
    void aBulkImportEndsWithAKeyframe();
    void whatIsWrittenAheadIsOneTransactionWithTheRest();
    void whatIsWrittenAheadAndNotAppendedIsUndone();
    void rowsComeInOrderByKind();
    void rowsEndWhereTheReaderEnds();
    void redactedValuesStandInNoFile();
    void acceptingAStoreSetsItsMarkAnew();
    void thePathComesFromTheEnvironment();
};

void TestStore::aNewStoreHoldsItsCreationAndNothingElse()
{
    store::InitOptions options;
    options.fleet = "night shift";
    options.isUnsigned = false;
    TemporaryStore temporary(options);
    auto &open = temporary.open();
    QCOMPARE(open.lastSeq().value, 1ULL);
    const auto fleet = open.load();
    QVERIFY(fleet.ok());
    QCOMPARE(fleet->name, std::string("night shift"));
    QCOMPARE(fleet->storeId.size(), std::size_t{32});
    QVERIFY(!fleet->isUnsigned);
    QVERIFY(!fleet->recorded);
    QCOMPARE(firstFinding(open), std::string());
    for (const auto &name : {"", ".mark", ".sentinel"}) {
        const QFileInfo file(temporary.path() + QLatin1String(name));
        QVERIFY2(file.exists(), name);
        QCOMPARE(
            int(file.permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)), 0);
    }
    const auto again = Store::init(temporary.path(), {}, kStart);
    QVERIFY(!again.ok());
    QCOMPARE(open.lastSeq().value, 1ULL);
}

void TestStore::whatIsAppendedIsReadAgain()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet(7).live(life, 3'000, 40);
    auto events = readAll(temporary.store());
    events.erase(events.begin()); // the creation
    QCOMPARE(events.size(), life.written().size());
    QVERIFY(events == life.written());
    const auto loaded = temporary.store().load();
    QVERIFY(loaded.ok());
    QCOMPARE(rules::encodeFleet(*loaded), rules::encodeFleet(life.fleet()));
    QCOMPARE(firstFinding(temporary.store()), std::string());

    int seen = 0;
    QVERIFY(temporary.store()
                .read(Seq{10}, Seq{500}, false,
                      [&seen](const Event &event) {
                          ++seen;
                          return event.seq < Seq{19};
                      })
                .ok());
    QCOMPARE(seen, 10);
}

void TestStore::argumentsComeBackWhateverTheirLength()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    std::map<std::uint64_t, std::string> wanted;
    for (const std::size_t length : {1U, 100U, 256U, 257U, 5'000U, 30'000U}) {
        const auto arguments = "{\"a\":\"" + std::string(length, 'y') + "\"}";
        const auto id = allowed(life.act(call(arguments)));
        QVERIFY(id.isSet());
        wanted[id.value] = arguments;
    }
    const auto repeated = allowed(life.act(call("{\"a\": \"" + std::string(30'000, 'y') + "\"}")));
    QVERIFY(repeated.isSet());
    wanted[repeated.value] = wanted.rbegin()->second;
    for (const auto &[id, text] : wanted) {
        const auto found = temporary.store().argumentsOf(Seq{id});
        QVERIFY(found.ok());
        QCOMPARE(*found, text);
    }
    QCOMPARE(temporary.store().argumentsOf(Seq{1}).error().code, rules::ErrorCode::NotFound);
    QCOMPARE(temporary.store().argumentsOf(Seq{999}).error().code, rules::ErrorCode::NotFound);
    QCOMPARE(firstFinding(temporary.store()), std::string());
    temporary.close();
    RawSql raw(temporary.path());
    QCOMPARE(raw.number("SELECT count(*) FROM argument WHERE form = 1 AND length(body) < 200"), 4);
}

void TestStore::eventsOutOfTurnAreRefused()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    life.act(call("{}"));
    const auto last = temporary.store().lastSeq();
    rules::Fleet after = life.fleet();
    Event event;
    event.payload = rules::TaskNoted{"late"};
    for (const std::uint64_t seq : {last.value, last.value + 2}) {
        event.seq = after.seq = Seq{seq};
        QCOMPARE(temporary.store().append(std::span(&event, 1), after, {}, store::Durability::Ordered).error().code,
                 rules::ErrorCode::BadInput);
    }
    event.seq = last.next();
    after.seq = last; // a fleet of another moment
    QVERIFY(!temporary.store().append(std::span(&event, 1), after, {}, store::Durability::Ordered).ok());
    QCOMPARE(temporary.store().lastSeq(), last);
    QVERIFY(temporary.store().append({}, life.fleet(), {}, store::Durability::Synced).ok());
    QCOMPARE(firstFinding(temporary.store()), std::string());
}

void TestStore::aReopenedStoreGoesOn()
{
    TemporaryStore temporary;
    BusyFleet busy(11);
    std::string before;
    for (int turn = 0; turn < 4; ++turn) {
        Life life(temporary.open());
        if (turn > 0)
            QCOMPARE(rules::encodeFleet(life.fleet()), before);
        busy.live(life, 500, 7);
        before = rules::encodeFleet(life.fleet());
    }
    QCOMPARE(firstFinding(temporary.store()), std::string());
}

void TestStore::searchesFindWhatAWalkFinds()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet(23).live(life, 4'000, 25);
    const auto events = readAll(temporary.store(), false);
    std::mt19937 random(5);
    const auto pick = [&random](std::uint32_t below) { return random() % below; };
    std::size_t foundInAll = 0;
    for (int round = 0; round < 400; ++round) {
        Store::Filter filter;
        if (pick(2) == 0) {
            filter.first = Seq{1 + pick(4'000)};
            filter.last = Seq{filter.first.value + pick(2'000)};
        }
        const auto &like = events[pick(static_cast<std::uint32_t>(events.size()))];
        if (pick(2) == 0)
            filter.agent = like.agent;
        if (pick(4) == 0)
            filter.task = like.task;
        if (pick(4) == 0)
            filter.subject = rules::subjectOf(like);
        if (pick(3) == 0)
            filter.row = like.row;
        if (pick(3) == 0)
            filter.kinds = {like.kind(), static_cast<std::uint8_t>(pick(27))};
        if (pick(5) == 0)
            filter.kinds = {9, 14};
        filter.newestFirst = pick(2) == 0;
        filter.limit = 1 + pick(60);
        std::vector<Event> wanted;
        std::copy_if(events.begin(), events.end(), std::back_inserter(wanted),
                     [&filter](const Event &event) { return matches(filter, event); });
        if (filter.newestFirst)
            std::reverse(wanted.begin(), wanted.end());
        wanted.resize(std::min(wanted.size(), filter.limit));
        const auto found = temporary.store().find(filter);
        QVERIFY2(found.ok(), found.ok() ? "" : found.error().message.c_str());
        QVERIFY2(*found == wanted, qPrintable(QStringLiteral("round %1").arg(round)));
        foundInAll += found->size();
    }
    QVERIFY(foundInAll > 1'000);
}

void TestStore::timesFindTheirEvents()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet(3).live(life, 300, 10);
    const auto events = readAll(temporary.store());
    const auto lastAt = [&events](rules::Instant time) {
        Seq found;
        for (const auto &event : events)
            found = event.ruleTime <= time ? event.seq : found;
        return found;
    };
    for (std::size_t i = 0; i < events.size(); i += 17) {
        for (const std::int64_t off : {-1LL, 0LL, 1LL}) {
            const rules::Instant time{events[i].ruleTime.micros + off};
            const auto seq = temporary.store().seqAt(time);
            QVERIFY(seq.ok());
            QCOMPARE(seq->value, lastAt(time).value);
        }
    }
    QCOMPARE(temporary.store().seqAt(rules::Instant{0})->value, 0ULL);
}

void TestStore::anyStateIsTheFoldFromTheStart()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet(42).live(life, 24'000, 200);
    const auto events = readAll(temporary.store(), false);
    std::mt19937 random(1);
    std::set<std::uint64_t> places{1, 9'999, 10'000, 10'001, events.size()};
    while (places.size() < 25)
        places.insert(1 + random() % events.size());
    rules::Fleet fold;
    for (const auto &event : events) {
        const auto applied = rules::apply(fold, event);
        QVERIFY2(applied.ok(), applied.ok() ? "" : applied.error().message.c_str());
        if (!places.contains(event.seq.value))
            continue;
        const auto state = temporary.store().asOf(event.seq);
        QVERIFY2(state.ok(), state.ok() ? "" : state.error().message.c_str());
        QVERIFY(rules::encodeFleet(*state) == rules::encodeFleet(fold));
    }
    QVERIFY(!temporary.store().asOf(Seq{events.size() + 1}).ok());
    const auto verified = temporary.store().verify({});
    QVERIFY(verified.ok());
    QVERIFY2(verified->clean(), verified->clean() ? "" : verified->findings.front().c_str());
    QCOMPARE(verified->keyframes, 2ULL);
    QCOMPARE(verified->events, static_cast<std::uint64_t>(events.size()));
}

void TestStore::tripsThatTheFleetForgotAreInTheTable()
{
    constexpr int kAgents = 1'200; // more than the fleet remembers ended
    TemporaryStore temporary;
    Life life(temporary.open());
    for (int i = 0; i < kAgents; ++i) {
        auto ask = call("{}");
        ask.agent = "agent " + std::to_string(i);
        life.decide(ask);
        life.decide(rules::StopAgent{ask.agent, rules::Rung::Open, "ann", "the reason of this stop"});
    }
    QVERIFY(life.write().ok());
    const auto trips = life.fleet().trips;
    QCOMPARE(trips.size(), static_cast<std::size_t>(kAgents));
    int number = 0;
    for (const auto &[id, trip] : trips) {
        life.decide(rules::Acknowledge{id, "ann", "seen"});
        rules::Rearm rearm;
        rearm.trip = id;
        rearm.by = "ann";
        rearm.cause = "test";
        rearm.reason = "looked at it, number " + std::to_string(++number);
        rearm.to = rules::Rung::Closed;
        life.decide(rearm);
    }
    QVERIFY(life.fleet().trips.empty());
    QVERIFY(life.write(store::Durability::Synced).ok()); // all of them in one transaction
    QCOMPARE(firstFinding(temporary.store()), std::string());
    temporary.close();
    RawSql raw(temporary.path());
    QCOMPARE(raw.number("SELECT count(*) FROM trip WHERE latch = 'clear' AND rearmed_at IS NOT NULL"), kAgents);
}

void TestStore::aBackupOfALiveStoreIsAStore()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet busy(9);
    busy.live(life, 2'000, 20);
    const QString target = temporary.file(QStringLiteral("copy.db"));
    double share = 0;
    const auto made = temporary.store().backup(target, [&share](double at) {
        share = at;
        return true;
    });
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
    QCOMPARE(share, 1.0);
    const auto then = rules::encodeFleet(life.fleet());
    busy.live(life, 100, 20); // the original lives on
    auto copy = Store::open(target);
    QVERIFY2(copy.ok(), copy.ok() ? "" : copy.error().message.c_str());
    QCOMPARE(rules::encodeFleet(*(*copy)->load()), then);
    QCOMPARE(firstFinding(**copy), std::string());
    QCOMPARE(firstFinding(temporary.store()), std::string());
}

void TestStore::aBackupReplacesNothing()
{
    TemporaryStore temporary;
    temporary.open();
    const QString target = temporary.file(QStringLiteral("precious"));
    QFile precious(target);
    QVERIFY(precious.open(QFile::WriteOnly) && precious.write("words") == 5);
    precious.close();
    QVERIFY(!temporary.store().backup(target, {}).ok());
    QVERIFY(!temporary.store().backup(temporary.path(), {}).ok());
    QCOMPARE(QFileInfo(target).size(), 5);
    QCOMPARE(firstFinding(temporary.store()), std::string());
}

void TestStore::aStoppedBackupLeavesNothing()
{
    TemporaryStore temporary;
    temporary.open();
    const auto before = QDir(temporary.folder()).entryList(QDir::Files);
    const auto stopped
        = temporary.store().backup(temporary.file(QStringLiteral("copy.db")), [](double) { return false; });
    QCOMPARE(stopped.error().code, rules::ErrorCode::Cancelled);
    QCOMPARE(QDir(temporary.folder()).entryList(QDir::Files), before);
}

void TestStore::aCopyForReplayIsOnlyRead()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet(31).live(life, 600, 20);
    QVERIFY(!Store::openReadOnly(temporary.path()).ok()); // somebody writes to it
    temporary.close();
    auto copy = Store::openReadOnly(temporary.path());
    QVERIFY2(copy.ok(), copy.ok() ? "" : copy.error().message.c_str());
    QVERIFY((*copy)->isReadOnly());
    QCOMPARE(rules::encodeFleet(*(*copy)->load()), rules::encodeFleet(life.fleet()));
    QCOMPARE(firstFinding(**copy), std::string());
    life.decide(call("{}"));
    Event event;
    event.seq = (*copy)->lastSeq().next();
    event.payload = rules::TaskNoted{"x"};
    rules::Fleet after = life.fleet();
    after.seq = event.seq;
    QCOMPARE((*copy)->append(std::span(&event, 1), after, {}, store::Durability::Ordered).error().code,
             rules::ErrorCode::Refused);
    temporary.open(); // the original was never touched or locked
    QCOMPARE(firstFinding(temporary.store()), std::string());
}

void TestStore::aBulkImportEndsWithAKeyframe()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    temporary.store().beginBulk();
    BusyFleet(77).live(life, 12'000, 1'000);
    QVERIFY(temporary.store().endBulk(life.fleet()).ok());
    const auto verified = temporary.store().verify({});
    QVERIFY(verified.ok());
    QVERIFY2(verified->clean(), verified->clean() ? "" : verified->findings.front().c_str());
    QCOMPARE(verified->keyframes, 1ULL);
}

void TestStore::whatIsWrittenAheadIsOneTransactionWithTheRest()
{
    // The same life twice: appended at once, and with most of it written ahead.
    TemporaryStore plain;
    TemporaryStore ahead;
    std::vector<Event> events;
    rules::Touched touched;
    {
        Life life(plain.open());
        BusyFleet busy(5);
        while (life.waiting() < 900)
            busy.step(life);
        QVERIFY(life.write(store::Durability::Synced).ok());
        events = life.written();
    }
    auto &store = ahead.open();
    auto created = store.load();
    QVERIFY(created.ok());
    for (const auto &event : events)
        QVERIFY(rules::apply(*created, event, &touched).ok());
    const auto part = [&events](std::size_t first, std::size_t last) {
        return std::vector<Event>(events.begin() + static_cast<std::ptrdiff_t>(first),
                                  events.begin() + static_cast<std::ptrdiff_t>(last));
    };
    store.beginBulk();
    store.writeAhead(part(0, 400));
    store.writeAhead(part(400, 800));
    const auto rest = part(800, events.size());
    const auto appended = store.append(rest, *created, touched, store::Durability::Synced);
    QVERIFY2(appended.ok(), appended.ok() ? "" : appended.error().message.c_str());
    QVERIFY(store.endBulk(*created).ok());
    QCOMPARE(store.lastSeq(), events.back().seq);
    auto read = readAll(store);
    read.erase(read.begin());
    QVERIFY(read == events);
    QCOMPARE(firstFinding(store), std::string());
    QCOMPARE(rules::encodeFleet(*store.load()), rules::encodeFleet(*created));
    ahead.close();
    QCOMPARE(firstFinding(ahead.open()), std::string()); // the mark agrees, too
}

void TestStore::whatIsWrittenAheadAndNotAppendedIsUndone()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    life.act(call("{}"));
    const auto last = temporary.store().lastSeq();
    const auto before = life.fleet();
    life.decide(call("{\"a\":1}"));
    life.decide(call("{\"a\":2}"));
    std::vector<Event> events;
    {
        rules::Fleet fleet = before;
        rules::Step step;
        rules::run(fleet, call("{\"b\":1}"), {.now = kStart}, step);
        events = step.events;
    }
    temporary.store().beginBulk();
    temporary.store().writeAhead(events);
    QVERIFY(temporary.store().endBulk(before).ok());
    QCOMPARE(temporary.store().lastSeq(), last);
    // Out of turn: the fault is told by the append, and nothing of it stays.
    temporary.store().beginBulk();
    temporary.store().writeAhead(events);
    temporary.store().writeAhead(events);
    const auto refused = temporary.store().append({}, before, {}, store::Durability::Ordered);
    QVERIFY(!refused.ok());
    QVERIFY(temporary.store().endBulk(before).ok());
    QVERIFY(life.write().ok()); // the store goes on
    QCOMPARE(firstFinding(temporary.store()), std::string());
}

void TestStore::rowsComeInOrderByKind()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet(9).live(life, 2'000, 40);
    auto &store = temporary.store();
    const std::set<std::uint8_t> wanted{2, 4, 7};
    store::KindSet kinds = 0;
    for (const auto kind : wanted)
        kinds |= store::KindSet{1} << kind;
    std::vector<Event> expected;
    for (const auto &event : readAll(store)) {
        if (event.seq >= Seq{50} && event.seq <= Seq{1'500} && wanted.contains(event.kind()))
            expected.push_back(event);
    }
    QVERIFY(expected.size() > 50);
    std::size_t at = 0;
    const auto done
        = store.eachRow(Seq{50}, Seq{1'500}, kinds,
                        [&](const store::LogRow &row, store::LogArguments &arguments) -> rules::Result<bool> {
                            const auto &event = expected.at(at++);
                            const auto payload = rules::decodePayload(row.kind, row.payload);
                            const auto text = arguments.argumentsAt(row.seq);
                            const bool isSame = row.seq == event.seq && row.agent == event.agent
                                && row.task == event.task && row.at == event.ruleTime && payload
                                && *payload == event.payload && text && *text == event.arguments;
                            if (!isSame)
                                return rules::Error{rules::ErrorCode::BadInput, "another row",
                                                    "event " + std::to_string(event.seq.value)};
                            return true;
                        });
    QVERIFY2(done.ok(), done.ok() ? "" : (done.error().message + done.error().context).c_str());
    QCOMPARE(at, expected.size());
}

void TestStore::rowsEndWhereTheReaderEnds()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet(9).live(life, 200, 40);
    auto &store = temporary.store();
    int seen = 0;
    QVERIFY(store
                .eachRow(Seq{1}, Seq{100}, store::kAllKinds,
                         [&](const auto &, auto &) { return rules::Result<bool>(++seen < 7); })
                .ok());
    QCOMPARE(seen, 7);
    const auto failed
        = store.eachRow(Seq{1}, Seq{100}, store::kAllKinds, [&](const auto &, auto &) -> rules::Result<bool> {
              ++seen;
              return rules::Error{rules::ErrorCode::Cancelled, "enough", "test"};
          });
    QCOMPARE(seen, 8);
    QVERIFY(!failed.ok());
    QCOMPARE(failed.error().message, std::string("enough"));
    const auto thrown
        = store.eachRow(Seq{1}, Seq{100}, store::kAllKinds,
                        [](const auto &, auto &) -> rules::Result<bool> { throw std::runtime_error("out of hand"); });
    QVERIFY(!thrown.ok());
    life.act(call("{}")); // nothing is left open
}

void TestStore::redactedValuesStandInNoFile()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    const std::string text = "schema = 1\nundeclared = \"write\"\n[defaults]\nsteps = { limit = 9 }\n[tools.lookup]\naccess "
                             "= \"read\"\nredact = [\"/secret\"]\n";
    rules::ApplyPolicy apply;
    apply.text = text;
    apply.file = "redact.toml";
    apply.policy = policyFrom(text);
    apply.by = "ana";
    apply.reason = "names are kept out of the log";
    life.act(apply, store::Durability::Synced);
    for (int i = 0; i < 3; ++i) // the third trips, with the call as evidence
        life.act(call(R"({"secret":"CANARY-4711","open":"SEEN-4711"})"), store::Durability::Synced);
    const QString copy = temporary.file(QStringLiteral("copy.db"));
    QVERIFY(temporary.store().backup(copy, {}).ok());
    const auto countIn = [&temporary](const QByteArray &word) {
        int found = 0;
        for (const auto &name : QDir(temporary.folder()).entryList(QDir::Files | QDir::Hidden)) {
            QFile file(temporary.file(name));
            if (file.open(QIODevice::ReadOnly))
                found += static_cast<int>(file.readAll().count(word));
        }
        return found;
    };
    QCOMPARE(countIn("CANARY-4711"), 0);
    QVERIFY(countIn("SEEN-4711") > 0); // the search would have found it
}

void TestStore::acceptingAStoreSetsItsMarkAnew()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    life.act(call("{}"));
    temporary.close();
    QVERIFY(QFile::remove(temporary.path() + QStringLiteral(".mark")));
    QVERIFY(!Store::open(temporary.path()).ok());
    const auto accepted = store::acceptStore(temporary.path(), [](Store &) { return rules::Result<void>(); });
    QVERIFY2(accepted.ok(), accepted.ok() ? "" : accepted.error().message.c_str());
    QCOMPARE(firstFinding(temporary.open()), std::string());
}

void TestStore::thePathComesFromTheEnvironment()
{
    qputenv("HANDRESET_STORE", "/somewhere/else.db");
    QCOMPARE(store::defaultStorePath(), QStringLiteral("/somewhere/else.db"));
    qunsetenv("HANDRESET_STORE");
    QVERIFY(store::defaultStorePath().endsWith(QStringLiteral("/handreset/fleet.db")));
}

QTEST_GUILESS_MAIN(TestStore)
#include "tst_store.moc"

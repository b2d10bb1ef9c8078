// Each way to tamper with a store is found, and told by table, row and what differs.
#include "model/store/store.h"
#include "tests/store/raw_sql.h"
#include "tests/support/busy_fleet.h"
#include "tests/support/temporary_store.h"

#include <QTest>

#include <algorithm>

using namespace handreset;
using namespace handreset::tests;
using store::Store;

class TestStoreVerify : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void finds_data();
    void finds();
    void anEventUnderANewHashIsFoundByTheFold();
    void rowsOutsideTheirWordsCannotBeWritten_data();
    void rowsOutsideTheirWordsCannotBeWritten();
    void aCleanStoreHasNoFindings();
    void canBeStopped();
    void changesNothing();

private:
    /// The filled store's file, copied aside.
    [[nodiscard]] QString copyOf(const TemporaryStore &into) const;
    TemporaryStore m_store;
};

void TestStoreVerify::initTestCase()
{
    Life life(m_store.open());
    BusyFleet(17).live(life, 12'000, 60); // with one keyframe
    m_store.close();
}

QString TestStoreVerify::copyOf(const TemporaryStore &into) const
{
    const QString copy = into.file(QStringLiteral("tampered.db"));
    QFile::remove(copy);
    if (!QFile::copy(m_store.path(), copy))
        qFatal("cannot copy");
    return copy;
}

void TestStoreVerify::finds_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const char *sql, const char *says) {
        QTest::newRow(name) << QString::fromUtf8(sql) << QString::fromUtf8(says);
    };
    row("an event's time", "UPDATE event SET rule_time = rule_time + 1 WHERE seq = 500",
        "its hash is not that of the events");
    row("an event's agent",
        "UPDATE event SET agent = agent + 1, anchor = NULL WHERE seq = (SELECT min(seq) FROM event WHERE seq >= 700 "
        "AND agent > 0)",
        "agent_prev");
    row("an event's payload", "UPDATE event SET payload = substr(payload, 1, length(payload) - 1) WHERE seq = 900",
        "event 900: the log is damaged");
    row("an event's kind", "UPDATE event SET kind = 200 WHERE seq = 901", "event 901: the log is damaged");
    row("an event's row", "UPDATE event SET row = 99 WHERE seq = (SELECT min(seq) FROM event WHERE row = 3)",
        "no such row");
    row("a transition from another state",
        "UPDATE event SET row = 12 WHERE seq = (SELECT min(seq) FROM event WHERE row = 3)",
        "this one does not start there");
    row("a trip lifted by the clock",
        "UPDATE event SET row = 24 WHERE seq = (SELECT min(seq) FROM event WHERE row IN (25, 26))",
        "this row does not start there");
    row("an event's subject", "UPDATE event SET subject = subject + 1 WHERE seq = 902",
        "its subject is not the payload's");
    row("a middle event", "DELETE FROM argument WHERE seq = 3000; DELETE FROM event WHERE seq = 3000",
        "has no events 3000 to 3000");
    row("an agent's history",
        "UPDATE event SET agent_prev = 1 WHERE seq = (SELECT max(seq) FROM event WHERE agent_prev > 5 AND seq < 8000)",
        "agent_prev is 1");
    row("an anchor",
        "UPDATE event SET anchor = NULL WHERE seq = (SELECT min(seq) FROM event WHERE anchor > 0 AND seq > 1000)",
        "an anchor");
    row("arguments",
        "UPDATE argument SET form = 0, body = CAST('forged' AS BLOB) WHERE seq = (SELECT min(seq) + 0 FROM argument)",
        "its hash is not that");
    row("arguments gone", "DELETE FROM argument WHERE seq = (SELECT max(seq) FROM argument WHERE seq < 9000)",
        "its hash is not that");
    row("arguments of no call", "INSERT INTO argument VALUES (1, 0, CAST('x' AS BLOB))", "argument: row 1");
    row("a link",
        "UPDATE batch SET hash = zeroblob(32) WHERE last_seq = (SELECT min(last_seq) FROM batch WHERE last_seq > 100)",
        "batch ");
    row("a link gone", "DELETE FROM batch WHERE last_seq = (SELECT min(last_seq) FROM batch WHERE last_seq > 100)",
        "its hash is not that");
    row("a keyframe's bytes", "UPDATE keyframe SET blob = zeroblob(100)", "keyframe ");
    row("a keyframe's place",
        "UPDATE keyframe SET seq = (SELECT max(last_seq) FROM batch WHERE last_seq < keyframe.seq)",
        "not the fold of the log");
    row("an agent's rung", "UPDATE agent SET rung = CASE rung WHEN 'open' THEN 'closed' ELSE 'open' END WHERE id = 3",
        "agent, row 3: rung is");
    row("an agent's count", "UPDATE agent SET steps = steps + 1 WHERE id = 2", "agent, row 2: steps is");
    row("a task gone", "DELETE FROM task WHERE id = 5", "task, row 5: it is missing");
    row("a task more",
        "INSERT INTO task SELECT 999999, agent, parent, root, session, started_at, last_at, time_measured, steps, "
        "calls, "
        "refused, cost, had_allowed_ask, ended, outcome, note, rung FROM task WHERE id = 1",
        "task, row 999999: it does not follow from the log");
    row("a breaker closed",
        "UPDATE breaker SET state = CASE state WHEN 'OPEN' THEN 'CLOSED' ELSE 'OPEN' END WHERE tool = 1",
        "breaker, row 1 0: state is");
    row("a trip's latch", "UPDATE trip SET latch = 'held by the clock' WHERE id = (SELECT min(id) FROM trip)",
        "latch is");
    row("a trip's body", "UPDATE trip SET body = zeroblob(5) WHERE id = (SELECT max(id) FROM trip)", "body is 5 bytes");
    row("an incident", "UPDATE incident SET trips = trips + 1", "incident, row");
    row("a name", "UPDATE name SET text = 'another' WHERE kind = 'tool' AND id = 1", "text is \"another\"");
    row("an operator", "DELETE FROM operator", "operator, row 1: it is missing");
    row("a minute", "UPDATE rollup_minute SET cost = '1000' WHERE minute = (SELECT min(minute) FROM rollup_minute)",
        "cost is \"1000\"");
    row("an index",
        "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, 'anchor IS NOT NULL', 'anchor IS "
        "NULL') WHERE name = 'event_anchor'",
        "");
}

void TestStoreVerify::finds()
{
    QFETCH(const QString, sql);
    QFETCH(const QString, says);
    TemporaryStore folder;
    const QString path = copyOf(folder);
    {
        RawSql raw(path);
        raw.run(sql.toStdString());
        QVERIFY2(raw.changes() > 0, "the tampering met no row: the busy fleet lacks what this row is about");
    }
    auto copy = Store::openReadOnly(path);
    if (!copy.ok()) { // found even before
        QVERIFY2(says.isEmpty(), copy.error().message.c_str());
        return;
    }
    const auto found = (*copy)->verify({});
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().message.c_str());
    QVERIFY(!found->clean());
    const bool isNamed
        = std::any_of(found->findings.begin(), found->findings.end(),
                      [&says](const std::string &finding) { return QString::fromStdString(finding).contains(says); });
    for (std::size_t i = 0; !isNamed && i < std::min<std::size_t>(found->findings.size(), 5); ++i)
        qWarning("found: %s", found->findings[i].c_str());
    QVERIFY(isNamed);
}

/// Whoever can make hashes can make a chain; the tables still follow from the log as it was.
void TestStoreVerify::anEventUnderANewHashIsFoundByTheFold()
{
    TemporaryStore folder;
    Life life(folder.open());
    BusyFleet(17).live(life, 200, 20);
    rules::AskStep ask;
    ask.agent = "careful";
    ask.task = "one";
    life.act(ask);
    rules::Moment moment;
    moment.now = life.now();
    rules::Fleet after = life.fleet();
    rules::Step step;
    rules::run(after, ask, moment, step, nullptr);
    // A host that appends events and forgets the rows: the chain is right, the tables are not.
    QVERIFY(folder.store().append(step.events, after, {}, store::Durability::Synced).ok());
    const auto found = folder.store().verify({});
    QVERIFY(found.ok());
    QVERIFY(!found->clean());
    for (const auto &finding : found->findings)
        QVERIFY2(!QString::fromStdString(finding).contains(QStringLiteral("batch")), finding.c_str());
}

void TestStoreVerify::rowsOutsideTheirWordsCannotBeWritten_data()
{
    QTest::addColumn<QString>("sql");
    const auto row = [](const char *name, const char *sql) { QTest::newRow(name) << QString::fromUtf8(sql); };
    row("open for OPEN", "UPDATE breaker SET state = 'open'");
    row("OPEN for open", "UPDATE agent SET rung = 'OPEN'");
    row("a latch of another word", "UPDATE trip SET latch = 'held'");
    row("a text for a number", "UPDATE agent SET steps = 'many'");
    row("a fraction", "UPDATE agent SET steps = 1.5");
    row("nothing", "UPDATE task SET cost = NULL");
    row("a short hash", "UPDATE batch SET hash = zeroblob(31)");
    row("an event before itself", "UPDATE event SET agent_prev = seq");
}

/// An enumeration restored by another spelling once meant "closed".
void TestStoreVerify::rowsOutsideTheirWordsCannotBeWritten()
{
    QFETCH(const QString, sql);
    TemporaryStore folder;
    RawSql raw(copyOf(folder));
    QVERIFY(!raw.tries(sql.toStdString()));
}

void TestStoreVerify::aCleanStoreHasNoFindings()
{
    const auto found = m_store.open().verify({});
    QVERIFY(found.ok());
    for (const auto &finding : found->findings)
        qWarning("found: %s", finding.c_str());
    QVERIFY(found->clean());
    QCOMPARE(found->events, m_store.store().lastSeq().value);
    QVERIFY(found->rows > 100);
    QVERIFY(found->batches > 100);
    QCOMPARE(found->keyframes, 1ULL);
    QCOMPARE(found->headHash.size(), std::size_t{64});
    m_store.close();
}

void TestStoreVerify::canBeStopped()
{
    auto &open = m_store.open();
    double last = 0;
    const auto stopped = open.verify([&last](double share) {
        last = share;
        return share < 0.3;
    });
    QVERIFY(!stopped.ok());
    QCOMPARE(stopped.error().code, rules::ErrorCode::Cancelled);
    QVERIFY(last >= 0.3 && last < 1.0);
    QVERIFY(open.verify({})->clean()); // and again from the start
    m_store.close();
}

void TestStoreVerify::changesNothing()
{
    auto &open = m_store.open();
    const auto before = rules::encodeFleet(*open.load());
    QVERIFY(open.verify({})->clean());
    Life life(open);
    QCOMPARE(rules::encodeFleet(life.fleet()), before);
    rules::AskStep ask;
    ask.agent = "agent $1";
    ask.task = "afterwards";
    life.act(ask);
    QVERIFY(open.verify({})->clean());
    m_store.close();
}

QTEST_GUILESS_MAIN(TestStoreVerify)
#include "tst_store_verify.moc"

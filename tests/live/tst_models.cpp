// The live tables: rows follow their identity, order can be held, and no model is ever reset.
#include "model/live/agent_model.h"
#include "model/live/event_model.h"
#include "model/live/queue_model.h"
#include "model/live/text_filter.h"
#include "model/live/trip_model.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <map>

using namespace handreset;
using namespace handreset::live;

namespace {

constexpr auto kTester = QAbstractItemModelTester::FailureReportingMode::QtTest;

WallClock fixedClock()
{
    return [] { return rules::Instant{1'800'000'000'000'000}; };
}

AgentRow agent(std::uint32_t id, const QString &name, rules::Rung rung = rules::Rung::Closed, qint64 refused = 0)
{
    AgentRow row;
    row.id = rules::AgentId{id};
    row.name = name;
    row.rung = rung;
    row.refused = refused;
    return row;
}

QStringList names(const AgentModel &model)
{
    QStringList list;
    for (int row = 0; row < model.rowCount(); ++row)
        list.append(model.rowAt(row).name);
    return list;
}

TripRow trip(std::uint64_t id, TripStage stage)
{
    TripRow row;
    row.id = rules::TripId{id};
    row.stage = stage;
    row.firedAt = rules::Instant{static_cast<std::int64_t>(id)};
    row.title = QStringLiteral("steps");
    return row;
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void abnormalStandsFirst();
    void selectionFollowsTheSubject();
    void frozenOrderHoldsChangesAndCountsThem();
    void aRowThatGoesWhileFrozenStaysUntilThaw();
    void chosenSortWinsAndIsStable();
    void filterHidesAndShows();
    void aChoiceIsExactWhereTheFilterIsNot();
    void aWrongPatternTellsItsPosition();
    void acknowledgedTripsSink();
    void eventsAreBounded();
    void namingIsFoundOnlyByName();
    void numbersInNamesSortAsNumbers();
    void randomChangesAgreeWithAPlainSort();
    void aThousandChangesOfManyAreFast();
};

void TestModels::abnormalStandsFirst()
{
    AgentModel model(fixedClock());
    const QAbstractItemModelTester tester(&model, kTester);
    model.update({agent(1, QStringLiteral("a")), agent(2, QStringLiteral("b"), rules::Rung::Open),
                  agent(3, QStringLiteral("c"), rules::Rung::Degraded)},
                 {});
    QCOMPARE(names(model), QStringList({QStringLiteral("b"), QStringLiteral("c"), QStringLiteral("a")}));
    AgentRow stoppedTask = agent(1, QStringLiteral("a"));
    stoppedTask.worstTask = rules::Rung::Open;
    stoppedTask.stoppedTasks = 1;
    model.update({stoppedTask, agent(2, QStringLiteral("b"))}, {});
    QCOMPARE(names(model), QStringList({QStringLiteral("c"), QStringLiteral("a"), QStringLiteral("b")}));
    QCOMPARE(model.index(1, AgentModel::RungColumn).data().toString(), QStringLiteral("closed, 1 task stopped"));
    stoppedTask.worstTask = rules::Rung::Degraded; // it goes on, with reads: that is not "stopped"
    model.update({stoppedTask}, {});
    QCOMPARE(model.index(1, AgentModel::RungColumn).data().toString(), QStringLiteral("closed, 1 task degraded"));
}

void TestModels::selectionFollowsTheSubject()
{
    AgentModel model(fixedClock());
    const QAbstractItemModelTester tester(&model, kTester);
    const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.update({agent(1, QStringLiteral("a")), agent(2, QStringLiteral("b")), agent(3, QStringLiteral("c"))}, {});
    const QPersistentModelIndex selected = model.indexOf(3);
    QCOMPARE(selected.row(), 2);
    model.update({agent(3, QStringLiteral("c"), rules::Rung::Open), agent(4, QStringLiteral("aa"))}, {});
    QVERIFY(selected.isValid());
    QCOMPARE(selected.row(), 0);
    QCOMPARE(selected.data(KeyedTableModel::KeyRole).toULongLong(), 3ULL);
    model.update({}, {3});
    QVERIFY(!selected.isValid());
    QCOMPARE(resets.count(), 0);
}

void TestModels::frozenOrderHoldsChangesAndCountsThem()
{
    AgentModel model(fixedClock());
    const QAbstractItemModelTester tester(&model, kTester);
    model.update({agent(1, QStringLiteral("a")), agent(2, QStringLiteral("b"))}, {});
    QSignalSpy held(&model, &KeyedTableModel::heldChangesChanged);
    model.setFrozen(true);
    model.update({agent(2, QStringLiteral("b"), rules::Rung::Open), agent(3, QStringLiteral("c"))}, {});
    QCOMPARE(names(model), QStringList({QStringLiteral("a"), QStringLiteral("b")}));
    QCOMPARE(model.index(1, AgentModel::RungColumn).data().toString(), QStringLiteral("open")); // values still move
    QCOMPARE(model.heldChanges(), 2);
    model.update({agent(2, QStringLiteral("b"), rules::Rung::Degraded)}, {});
    QCOMPARE(model.heldChanges(), 2); // the same row waits once
    model.setFrozen(false);
    QCOMPARE(names(model), QStringList({QStringLiteral("b"), QStringLiteral("a"), QStringLiteral("c")}));
    QCOMPARE(model.heldChanges(), 0);
    QCOMPARE(held.last().first().toInt(), 0);
}

void TestModels::aRowThatGoesWhileFrozenStaysUntilThaw()
{
    TripModel model(fixedClock());
    const QAbstractItemModelTester tester(&model, kTester);
    model.update({trip(1, TripStage::Unacknowledged), trip(2, TripStage::Unacknowledged)}, {});
    model.setFrozen(true);
    model.update({trip(3, TripStage::Unacknowledged)}, {2});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.keyAt(0), 2ULL);
    QCOMPARE(model.heldChanges(), 2);
    model.setFrozen(false);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.keyAt(0), 3ULL);
    model.update({trip(4, TripStage::Unacknowledged)}, {}); // takes the freed slot
    QCOMPARE(model.rowCount(), 3);
    QVERIFY(model.rowOf(4) && !model.rowOf(2));
}

void TestModels::chosenSortWinsAndIsStable()
{
    AgentModel model(fixedClock());
    const QAbstractItemModelTester tester(&model, kTester);
    model.update({agent(1, QStringLiteral("a"), rules::Rung::Closed, 5), agent(2, QStringLiteral("b"), rules::Rung::Open, 1),
                  agent(3, QStringLiteral("c"), rules::Rung::Closed, 9)},
                 {});
    model.sort(AgentModel::RefusedColumn, Qt::DescendingOrder);
    QCOMPARE(names(model), QStringList({QStringLiteral("c"), QStringLiteral("a"), QStringLiteral("b")}));
    model.update({agent(2, QStringLiteral("b"), rules::Rung::Open, 7)}, {});
    QCOMPARE(names(model), QStringList({QStringLiteral("c"), QStringLiteral("b"), QStringLiteral("a")}));
    model.sort(-1, Qt::AscendingOrder);
    QCOMPARE(names(model), QStringList({QStringLiteral("b"), QStringLiteral("a"), QStringLiteral("c")}));
}

void TestModels::filterHidesAndShows()
{
    AgentModel model(fixedClock());
    const QAbstractItemModelTester tester(&model, kTester);
    model.setFilter(*TextFilter::parse(QStringLiteral("OPEN bill")));
    model.update({agent(1, QStringLiteral("billing")), agent(2, QStringLiteral("support"), rules::Rung::Open)}, {});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.allRows(), 2);
    model.update({agent(1, QStringLiteral("billing"), rules::Rung::Open)}, {});
    QCOMPARE(names(model), QStringList{QStringLiteral("billing")});
    model.setFilter({});
    QCOMPARE(model.rowCount(), 2);
    model.setFilter(*TextFilter::parse(QStringLiteral("re:^sup")));
    QCOMPARE(names(model), QStringList{QStringLiteral("support")});
}

void TestModels::aChoiceIsExactWhereTheFilterIsNot()
{
    QueueModel model(fixedClock());
    const QAbstractItemModelTester tester(&model, kTester);
    const auto task = [](std::uint32_t id, const char *agent, const char *owner) {
        QueueRow row;
        row.task = rules::TaskId{id};
        row.agentName = QString::fromLatin1(agent);
        row.owner = QString::fromLatin1(owner);
        return row;
    };
    model.update({task(1, "banana", ""), task(2, "support", "ana"), task(3, "nobody", "ana-maria")}, {});
    model.narrow([](const QueueRow &row) { return row.owner == QStringLiteral("ana"); });
    QVERIFY(model.isNarrowed());
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.rowAt(0).agentName, QStringLiteral("support"));
    model.update({task(2, "support", ""), task(1, "banana", "ana")}, {}); // returned, and another taken
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.rowAt(0).agentName, QStringLiteral("banana"));
    model.setFilter(*TextFilter::parse(QStringLiteral("support"))); // both must let it pass
    QCOMPARE(model.rowCount(), 0);
    model.setFilter({});
    model.showAll();
    QVERIFY(!model.isNarrowed());
    QCOMPARE(model.rowCount(), 3);
}

void TestModels::aWrongPatternTellsItsPosition()
{
    const auto wrong = TextFilter::parse(QStringLiteral("re:a(b"));
    QVERIFY(!wrong.ok());
    QCOMPARE(QString::fromStdString(wrong.error().context), QStringLiteral("6"));
    QVERIFY(!wrong.error().message.empty());
}

void TestModels::acknowledgedTripsSink()
{
    TripModel model(fixedClock());
    const QAbstractItemModelTester tester(&model, kTester);
    model.update({trip(1, TripStage::Unacknowledged), trip(2, TripStage::Unacknowledged), trip(3, TripStage::Rearmed)}, {});
    model.update({trip(2, TripStage::Acknowledged)}, {});
    QCOMPARE(model.keyAt(0), 1ULL);
    QCOMPARE(model.keyAt(1), 2ULL);
    QCOMPARE(model.keyAt(2), 3ULL);
}

void TestModels::eventsAreBounded()
{
    EventModel model(fixedClock());
    const QAbstractItemModelTester tester(&model, kTester);
    std::vector<EventRow> rows;
    const auto kept = static_cast<std::uint64_t>(EventModel::kKept);
    for (std::uint64_t seq = 1; seq <= kept + 10; ++seq)
        rows.push_back({.seq = rules::Seq{seq}, .at = {}, .word = {}, .agent = {}, .task = {}, .subject = {}, .sentence = {}});
    model.add({rows.begin(), rows.begin() + 100});
    model.add({rows.begin() + 100, rows.end()});
    QCOMPARE(model.rowCount(), static_cast<int>(kept));
    QCOMPARE(model.keyAt(0), kept + 10);
    QCOMPARE(model.keyAt(model.rowCount() - 1), 11ULL);
}

void TestModels::namingIsFoundOnlyByName()
{
    EventModel model(fixedClock());
    rules::Event naming;
    naming.payload = rules::Named{};
    const auto row = [](std::uint64_t seq, const QString &word, std::uint8_t kind) {
        EventRow made;
        made.seq = rules::Seq{seq};
        made.word = word;
        made.kind = kind;
        return made;
    };
    model.add({row(1, QStringLiteral("named"), naming.kind()), row(2, QStringLiteral("allowed"), 0)});
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.keyAt(0), 2ULL);
    model.setFilter(*TextFilter::parse(QStringLiteral("named")));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.keyAt(0), 1ULL);
}

void TestModels::numbersInNamesSortAsNumbers()
{
    AgentModel model(fixedClock());
    model.update({agent(1, QStringLiteral("agent-10")), agent(2, QStringLiteral("agent-9")), agent(3, QStringLiteral("Agent-9")),
                  agent(4, QStringLiteral("agent-009b"))},
                 {});
    QCOMPARE(names(model), QStringList({QStringLiteral("Agent-9"), QStringLiteral("agent-9"), QStringLiteral("agent-009b"),
                                        QStringLiteral("agent-10")}));
}

void TestModels::randomChangesAgreeWithAPlainSort()
{
    AgentModel model(fixedClock());
    const QAbstractItemModelTester tester(&model, kTester);
    QRandomGenerator random(20261130);
    std::map<std::uint32_t, AgentRow> truth;
    for (int round = 0; round < 300; ++round) {
        std::vector<AgentRow> changed;
        std::vector<RowKey> gone;
        for (int i = 0; i < 5; ++i) {
            const std::uint32_t id = 1 + random.bounded(40U);
            if (random.bounded(4) == 0 && truth.erase(id) != 0) {
                gone.push_back(id);
            } else if (std::ranges::find(gone, id) == gone.end()) {
                const auto rung = static_cast<rules::Rung>(random.bounded(3));
                truth[id] = agent(id, QStringLiteral("n%1").arg(random.bounded(20)), rung, random.bounded(9));
                changed.push_back(truth[id]);
            }
        }
        std::erase_if(changed, [&](const AgentRow &row) { return !truth.contains(row.id.value); });
        model.setFrozen(random.bounded(3) == 0);
        if (random.bounded(10) == 0)
            model.sort(random.bounded(-1, AgentModel::ColumnCount), random.bounded(2) ? Qt::AscendingOrder : Qt::DescendingOrder);
        if (random.bounded(10) == 0)
            model.setFilter(random.bounded(2) ? TextFilter() : *TextFilter::parse(QStringLiteral("n1")));
        model.update(changed, gone);
    }
    model.setFrozen(false);
    model.setFilter({});
    model.sort(-1, Qt::AscendingOrder);
    std::vector<AgentRow> expected;
    for (const auto &[id, row] : truth)
        expected.push_back(row);
    AgentModel plain(fixedClock());
    plain.update(expected, {});
    QCOMPARE(model.rowCount(), plain.rowCount());
    for (int row = 0; row < plain.rowCount(); ++row) {
        QVERIFY(model.rowAt(row) == plain.rowAt(row));
        QCOMPARE(model.indexOf(plain.keyAt(row)).row(), row);
    }
}

void TestModels::aThousandChangesOfManyAreFast()
{
    AgentModel model(fixedClock());
    std::vector<AgentRow> rows;
    for (std::uint32_t id = 1; id <= 10'000; ++id)
        rows.push_back(agent(id, QStringLiteral("agent-%1").arg(id)));
    model.update(rows, {});
    std::vector<AgentRow> changed;
    for (std::uint32_t id = 1; id <= 10'000; id += 10)
        changed.push_back(agent(id, QStringLiteral("agent-%1").arg(id), rules::Rung::Open));
    QBENCHMARK_ONCE {
        model.update(changed, {});
    }
    QCOMPARE(model.rowAt(999).rung, rules::Rung::Open);
    QCOMPARE(model.rowAt(1'000).rung, rules::Rung::Closed);
}

QTEST_APPLESS_MAIN(TestModels)
#include "tst_models.moc"

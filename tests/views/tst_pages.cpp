// The pages in states that a demo never shows: a store that is refused, a row that leaves under the hand, names that
// look like placeholders.
#include "tests/live/fake_host.h"

#include "views/desk_style.h"
#include "views/desk_table.h"
#include "views/evidence_view.h"
#include "views/header_strip.h"
#include "views/main_window.h"
#include "views/pill.h"
#include "views/plain_label.h"
#include "views/state_graph.h"
#include "views/subject_states.h"

#include "model/live/desk_session.h"

#include <QApplication>
#include <QDir>
#include <QEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

#include <algorithm>

using namespace handreset;
using test::FakeHost;

namespace {

struct Desk {
    engine::FakeClock clock{rules::Instant{1'796'040'000'000'000}};
    FakeHost host{clock};
    live::DeskSession session{host, clock, QStringLiteral("ana")};
    views::MainWindow window{session, QStringLiteral("fleet")};

    void begin(int page)
    {
        window.resize(1440, 900);
        window.show();
        window.activateWindow();
        session.start();
        host.beat();
        window.goTo(page);
    }
    void call(const char *agent, const char *task, const char *tool, int times = 1)
    {
        for (int i = 0; i < times; ++i)
            host.decide(rules::AskCall{
                .agent = agent, .task = task, .session = {}, .parent = {}, .tool = tool, .arguments = "{}"});
    }
    /// 26 steps: its task waits in the queue.
    void tripSteps(const char *agent, const char *task)
    {
        for (int i = 0; i < 26; ++i)
            host.decide(rules::AskStep{.agent = agent,
                                       .task = task,
                                       .session = {},
                                       .parent = {},
                                       .endpoint = {},
                                       .model = "large",
                                       .estimate = {},
                                       .outcome = {}});
    }
    void press(int key)
    {
        QWidget *focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : &window, static_cast<Qt::Key>(key));
    }
    template <class Widget>
    [[nodiscard]] Widget *find(const char *name) const
    {
        return window.findChild<Widget *>(QString::fromLatin1(name));
    }
    /// Kept to be looked at, with HANDRESET_PICTURES set to a folder.
    void keep(const char *name)
    {
        const QString folder = qEnvironmentVariable("HANDRESET_PICTURES");
        if (!folder.isEmpty())
            QVERIFY(window.grab().save(QDir(folder).filePath(QString::fromLatin1(name) + QStringLiteral(".png"))));
    }
    [[nodiscard]] views::DeskTable &table(const char *name) const { return *find<views::DeskTable>(name); }
    /// All that can be read on the window now.
    [[nodiscard]] QString readable() const
    {
        QStringList words;
        for (const QLabel *label : window.findChildren<QLabel *>()) {
            if (label->isVisible())
                words.append(label->text());
        }
        return words.join(QLatin1Char('\n'));
    }
    /// Of the only task in the queue.
    [[nodiscard]] bool isOwned() const { return host.fleet().queue.begin()->second.owner.isSet(); }
};

/// Those that have nothing to show: the host writes two events as it starts.
constexpr int kEmptyPages[]
    = {views::MainWindow::Board, views::MainWindow::Trips, views::MainWindow::Subject, views::MainWindow::Queue};

} // namespace

class TestPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { views::applyTheme(*qApp, views::Theme::Dark); }
    void aRefusedStoreIsNotAnEmptyFleet();
    void aSilentHostIsNotAnEmptyFleet();
    void aRowThatLeavesTakesTheSelectionWithIt();
    void mineIsExactlyMine();
    void anEdgeListsItsOwnEvents();
    void anIsolatedBreakerIsDrawnWithoutTraffic();
    void aStoppedFleetIsNeverAllClosed();
    void aStoppedTaskIsNeverAllClosed();
    void anotherSubjectBeginsAtItsTop();
    void aSubjectIsWholeAfterAResizeElsewhere();
    void onesOwnActIsNotHeld();
    void aWrongPatternSaysWhy();
    void nothingStandsBetweenTilesAndTools();
    void theUnsignedStoreIsToldBesideTrouble();
    void heldTilesAreCounted();
    void tablesAreSortedByKey();
    void narrowTablesAreFilled();
    void theLastCallsFillTheRoomThereIs();
    void namesThatLookLikePlaceholders_data();
    void namesThatLookLikePlaceholders();
};

void TestPages::aRefusedStoreIsNotAnEmptyFleet()
{
    Desk desk;
    desk.host.health = engine::StoreHealth::Refused;
    desk.host.trouble = "The sentinel stands: say handresetctl clear-sentinel --reason WHY.";
    desk.begin(views::MainWindow::Board);
    QTRY_VERIFY(desk.session.publishedSeq().isSet());
    for (const int page : kEmptyPages) {
        desk.window.goTo(page);
        const QString words = desk.readable();
        QVERIFY2(words.contains(QStringLiteral("the store is refused")), qPrintable(words));
        QVERIFY(words.contains(QStringLiteral("clear-sentinel")));
        for (const QLabel *label : desk.window.findChildren<QLabel *>()) {
            if (label->isVisible() && label->text().contains(QStringLiteral("clear-sentinel")))
                QVERIFY(label->height() >= label->heightForWidth(label->width())); // no line of it is cut off
        }
        desk.keep(qPrintable(QStringLiteral("refused_%1").arg(page)));
        for (const char *claim :
             {"No agent has asked yet", "Nothing has tripped", "No task waits", "none active", "log is empty"})
            QVERIFY2(!words.contains(QLatin1String(claim)), claim);
    }
}

void TestPages::aSilentHostIsNotAnEmptyFleet()
{
    Desk desk;
    desk.begin(views::MainWindow::Trips);
    QTRY_VERIFY(desk.readable().contains(QStringLiteral("Nothing has tripped")));
    desk.clock.advance(rules::seconds(7));
    QTRY_VERIFY(desk.readable().contains(QStringLiteral("the host is silent")));
    QVERIFY(!desk.readable().contains(QStringLiteral("Nothing has tripped")));
    desk.host.beat();
    QTRY_VERIFY(desk.readable().contains(QStringLiteral("Nothing has tripped")));
}

void TestPages::aRowThatLeavesTakesTheSelectionWithIt()
{
    Desk desk;
    desk.tripSteps("billing", "t-1");
    desk.tripSteps("support", "t-2");
    desk.begin(views::MainWindow::Queue);
    QVERIFY(QTest::qWaitForWindowActive(&desk.window));
    QTRY_COMPARE(desk.session.queue().rowCount(), 2);
    views::DeskTable &table = desk.table("queueTable");
    table.setFocus();
    table.selectKey(desk.session.queue().rowAt(0).key());
    QVERIFY(desk.find<QPushButton>("takeButton")->isEnabled());
    desk.host.decide(rules::ActOnQueue{"billing", "t-1", rules::QueueVerb::Abandon, "bob", "he has seen to it"});
    QTRY_COMPARE(desk.session.queue().rowCount(), 1);
    QCOMPARE(table.currentKey(), 0ULL);
    QVERIFY(table.selectionModel()->selectedRows().isEmpty());
    QVERIFY(!desk.find<QPushButton>("takeButton")->isEnabled());
    desk.press(Qt::Key_T);
    QTest::qWait(50);
    QVERIFY(!desk.isOwned());
    desk.press(Qt::Key_Down); // a choice of one's own
    QCOMPARE(table.currentKey(), desk.session.queue().rowAt(0).key());
    desk.press(Qt::Key_T);
    QTRY_VERIFY(desk.isOwned());
}

void TestPages::mineIsExactlyMine()
{
    Desk desk;
    desk.tripSteps("banana", "t-1");
    desk.tripSteps("nobody", "t-2");
    desk.host.decide(rules::ActOnQueue{"nobody", "t-2", rules::QueueVerb::Take, "ana", {}});
    desk.begin(views::MainWindow::Queue);
    QVERIFY(QTest::qWaitForWindowActive(&desk.window));
    QTRY_COMPARE(desk.session.queue().rowCount(), 2);
    desk.table("queueTable").setFocus();
    desk.press(Qt::Key_M);
    QCOMPARE(desk.session.queue().rowCount(), 1);
    QCOMPARE(desk.session.queue().rowAt(0).agentName, QStringLiteral("nobody"));
    desk.press(Qt::Key_N);
    QCOMPARE(desk.session.queue().rowCount(), 1);
    QCOMPARE(desk.session.queue().rowAt(0).agentName, QStringLiteral("banana"));
    desk.keep("queue_nobodys");
    QCOMPARE(desk.table("queueTable").currentKey(), desk.session.queue().rowAt(0).key());
    const auto chips = desk.window.findChildren<QPushButton *>(QStringLiteral("narrowedChip"));
    QVERIFY(std::ranges::any_of(chips, [](const QPushButton *chip) { return chip->isVisible(); }));
    desk.press(Qt::Key_Escape);
    QCOMPARE(desk.session.queue().rowCount(), 2);
    QVERIFY(std::ranges::none_of(chips, [](const QPushButton *chip) { return chip->isVisible(); }));
}

void TestPages::anEdgeListsItsOwnEvents()
{
    Desk desk;
    desk.call("billing", "t-1", "lookup", 2);
    desk.call("support", "t-2", "mail");
    desk.host.decide(rules::ActOnBreaker{"lookup", {}, rules::BreakerEvent::Isolate, "ana", "it answers nonsense"});
    desk.begin(views::MainWindow::Subject);
    QTRY_COMPARE(desk.session.breakers().rowCount(), 2);
    desk.window.openSubject({.agent = {}, .breaker = desk.session.breakers().rowAt(0).id});
    QTRY_VERIFY(desk.session.subject());
    QTRY_VERIFY(desk.session.events().rowCount() > 4);
    auto *graph = desk.find<views::StateGraph>("breakerGraph");
    const auto activate = [&](std::uint8_t row, int from) {
        const auto &lines = graph->placed().lines;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const rules::GraphEdge &edge = graph->graph().edges[lines[i].edge];
            if (edge.row == row && edge.from == from)
                graph->activate(static_cast<int>(graph->placed().nodes.size() + i));
        }
    };
    activate(1, 0);
    QVERIFY(desk.table("eventsTable").isVisible());
    QCOMPARE(desk.session.events().rowCount(), 2); // the asks of this tool, not of the other
    for (int row = 0; row < 2; ++row)
        QCOMPARE(desk.session.events().rowAt(row).agent, QStringLiteral("billing"));
    desk.keep("events_of_an_edge");
    activate(16, 0);
    QCOMPARE(desk.session.events().rowCount(), 1);
    QCOMPARE(desk.session.events().rowAt(0).row, std::uint8_t{16});
    desk.press(Qt::Key_Escape);
    QVERIFY(desk.session.events().rowCount() > 4);
}

void TestPages::anIsolatedBreakerIsDrawnWithoutTraffic()
{
    live::BreakerDetail detail;
    detail.row.noTraffic = true;
    QCOMPARE(views::graphOverlay(detail, {}, {}, false).currentNode, -1);
    detail.row.isolated = true;
    detail.row.state = rules::BreakerState::Open;
    detail.breaker.state = rules::BreakerState::Open;
    QCOMPARE(views::graphOverlay(detail, {}, {}, false).currentNode, static_cast<int>(rules::BreakerState::Open));
    detail.row.isolated = false;
    detail.row.state = rules::BreakerState::HalfOpen;
    detail.breaker.state = rules::BreakerState::HalfOpen;
    QCOMPARE(views::graphOverlay(detail, {}, {}, false).currentNode, static_cast<int>(rules::BreakerState::HalfOpen));
}

void TestPages::aStoppedFleetIsNeverAllClosed()
{
    Desk desk;
    desk.host.decide(rules::StopAgent{.agent = {}, .to = rules::Rung::Open, .by = "ana", .reason = {}});
    desk.begin(views::MainWindow::Board);
    const auto *strip = desk.window.findChild<views::HeaderStrip *>();
    QTRY_COMPARE(strip->state().fleetRung, rules::Rung::Open);
    QTRY_VERIFY(desk.readable().contains(QStringLiteral("The fleet is stopped")));
    desk.keep("board_stopped_fleet");
    QStringList shown;
    for (const QAbstractButton *button : strip->findChildren<QAbstractButton *>()) {
        if (button->isVisible())
            shown.append(button->text());
    }
    QVERIFY(shown.contains(QStringLiteral("FLEET STOPPED")));
    QVERIFY(!shown.contains(QStringLiteral("all closed")) && !shown.contains(QStringLiteral("no agent yet")));
}

void TestPages::aStoppedTaskIsNeverAllClosed()
{
    Desk desk;
    desk.call("billing", "t-1", "lookup");
    desk.clock.advance(rules::minutes(10));
    for (int i = 0; i < 20 && desk.host.fleet().trips.empty(); ++i)
        desk.call("billing", "t-1", "lookup"); // the same call again and again stops its task
    QVERIFY(!desk.host.fleet().trips.empty());
    desk.begin(views::MainWindow::Board);
    QTRY_COMPARE(desk.session.agents().rowCount(), 1);
    const live::AgentRow &row = desk.session.agents().rowAt(0);
    QCOMPARE(row.rung, rules::Rung::Closed);
    QVERIFY(row.worstSince.has_value());
    QCOMPARE(*row.worstSince, desk.host.fleet().trips.begin()->second.firedAt); // not since the agent began
    QCOMPARE(desk.window.findChild<views::HeaderStrip *>()->state().stoppedTasks, 1);
    desk.keep("board_stopped_task");
}

void TestPages::anotherSubjectBeginsAtItsTop()
{
    Desk desk;
    desk.tripSteps("billing", "t-1");
    desk.tripSteps("support", "t-2");
    desk.begin(views::MainWindow::Board);
    desk.window.resize(1024, 640);
    QTRY_COMPARE(desk.session.agents().rowCount(), 2);
    desk.window.openSubject({.agent = desk.session.agents().rowAt(0).id, .breaker = {}});
    QTRY_VERIFY(desk.session.subject());
    QScrollArea *area = nullptr;
    for (auto *each : desk.window.findChildren<QScrollArea *>()) {
        if (each->isVisible() && each->verticalScrollBar()->maximum() > 100)
            area = each;
    }
    QVERIFY(area);
    area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
    desk.window.openSubject({.agent = desk.session.agents().rowAt(1).id, .breaker = {}});
    QCOMPARE(area->verticalScrollBar()->value(), 0);
}

void TestPages::aSubjectIsWholeAfterAResizeElsewhere()
{
    Desk desk;
    desk.tripSteps("billing", "t-1");
    desk.begin(views::MainWindow::Board);
    QTRY_COMPARE(desk.session.agents().rowCount(), 1);
    desk.window.openSubject({.agent = desk.session.agents().rowAt(0).id, .breaker = {}});
    QTRY_VERIFY(desk.session.subject());
    QTest::qWait(100);
    desk.window.goTo(views::MainWindow::Board);
    desk.window.resize(1024, 640);
    QTest::qWait(100);
    desk.window.goTo(views::MainWindow::Subject);
    auto *ladder = desk.find<QWidget>("ladder");
    auto *matrix = desk.find<QWidget>("matrix");
    for (QWidget *widget : {ladder, matrix}) {
        QTRY_VERIFY(widget->height() >= widget->minimumSizeHint().height());
        QTRY_VERIFY(widget->mapTo(&desk.window, QPoint(widget->width(), 0)).x() <= desk.window.width());
    }
    QTRY_VERIFY(ladder->mapTo(&desk.window, QPoint()).y() < matrix->mapTo(&desk.window, QPoint()).y()); // stacked
    desk.keep("subject_after_resize");
}

void TestPages::onesOwnActIsNotHeld()
{
    Desk desk;
    desk.tripSteps("billing", "t-1");
    desk.tripSteps("support", "t-2");
    desk.begin(views::MainWindow::Queue);
    live::QueueModel &queue = desk.session.queue();
    QTRY_COMPARE(queue.rowCount(), 2);
    queue.setFrozen(true); // as while the pointer is over the table
    desk.session.actOnQueue(queue.rowAt(0), rules::QueueVerb::Abandon, QStringLiteral("it is of no use any more"));
    QTRY_COMPARE(queue.rowCount(), 1);
    QCOMPARE(queue.heldChanges(), 0);
    const live::QueueRow left = queue.rowAt(0);
    desk.host.decide(rules::ActOnQueue{left.agentName.toStdString(), left.taskName.toStdString(),
                                       rules::QueueVerb::Abandon, "bob", "somebody else has done it"});
    QTRY_COMPARE(queue.heldChanges(), 1);
    QCOMPARE(queue.rowCount(), 1);
    QCOMPARE(queue.passingRows(), 0);
}

void TestPages::aWrongPatternSaysWhy()
{
    Desk desk;
    desk.call("billing", "t-1", "lookup");
    desk.begin(views::MainWindow::Board);
    QTRY_COMPARE(desk.session.agents().rowCount(), 1);
    QLineEdit *filter = nullptr;
    for (auto *each : desk.window.findChildren<QLineEdit *>(QStringLiteral("filterEdit")))
        filter = each->isVisible() ? each : filter;
    QVERIFY(filter);
    filter->setText(QStringLiteral("re:["));
    QVERIFY(desk.readable().contains(QStringLiteral("not a regular expression")));
    desk.keep("board_wrong_filter");
    filter->setText(QStringLiteral("nowhere"));
    QVERIFY(!desk.readable().contains(QStringLiteral("not a regular expression")));
    QCOMPARE(views::nothingMatches(desk.session.agents()),
             QStringLiteral("Nothing matches nowhere; Esc clears the filter."));
    desk.keep("board_nothing_matches");
    filter->clear();
    QVERIFY(views::nothingMatches(desk.session.agents()).isEmpty());
}

void TestPages::nothingStandsBetweenTilesAndTools()
{
    Desk desk;
    desk.call("billing", "t-1", "lookup");
    desk.call("support", "t-2", "mail");
    desk.begin(views::MainWindow::Board);
    QTRY_COMPARE(desk.session.breakers().rowCount(), 2);
    QTest::qWait(50);
    desk.keep("board_few");
    const auto *tiles = desk.find<QWidget>("agentTiles");
    const int end = tiles->mapTo(&desk.window, QPoint(0, tiles->height())).y();
    const int begin = desk.table("toolsTable").mapTo(&desk.window, QPoint()).y();
    QVERIFY2(begin - end < 60, qPrintable(QString::number(begin - end)));
}

void TestPages::theUnsignedStoreIsToldBesideTrouble()
{
    Desk desk;
    desk.begin(views::MainWindow::Board);
    const auto pills = desk.window.findChild<views::HeaderStrip *>()->findChildren<views::Pill *>();
    const auto shown = [&](const QString &head) {
        const auto found = std::ranges::find_if(
            pills, [&](const views::Pill *pill) { return pill->isVisible() && pill->text().startsWith(head); });
        return found == pills.end() ? nullptr : *found;
    };
    QTRY_VERIFY(shown(QStringLiteral("unsigned store")));
    desk.host.health = engine::StoreHealth::Failing;
    desk.host.trouble = "The store could not be written: no space left on the device. Everything is refused until an "
                        "operator has looked at it and says: handresetctl clear-sentinel --reason WHY.";
    desk.host.beat();
    QTRY_VERIFY(shown(QStringLiteral("The store could not")));
    QVERIFY(shown(QStringLiteral("unsigned")));
    QVERIFY(shown(QStringLiteral("The store could not"))
                ->toolTip()
                .contains(QStringLiteral("clear-sentinel --reason WHY")));
    desk.window.resize(1024, 640);
    QTRY_COMPARE(desk.window.width(), 1024);
    QVERIFY(shown(QStringLiteral("unsigned")));
    const views::Pill *trouble = shown(QStringLiteral("The store could"));
    QVERIFY(trouble);
    QVERIFY(trouble->width() >= trouble->sizeHint().width());
    desk.keep("trouble_narrow");
}

void TestPages::heldTilesAreCounted()
{
    Desk desk;
    desk.call("billing", "t-1", "lookup");
    desk.begin(views::MainWindow::Board);
    QTRY_COMPARE(desk.session.agents().rowCount(), 1);
    auto *tiles = desk.find<QWidget>("agentTiles");
    auto *held = desk.find<views::Pill>("heldTiles");
    QEnterEvent enter({5, 5}, {5, 5}, {5, 5});
    QApplication::sendEvent(tiles, &enter);
    desk.call("crawler", "t-2", "lookup");
    desk.call("support", "t-3", "lookup");
    QTRY_COMPARE(desk.session.agents().heldChanges(), 2);
    QVERIFY(held->isVisible());
    QCOMPARE(held->text(), QStringLiteral("2 changes held"));
    desk.keep("held_tiles");
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(tiles, &leave);
    QVERIFY(!held->isVisible());
    QCOMPARE(desk.session.agents().rowCount(), 3);
}

void TestPages::tablesAreSortedByKey()
{
    Desk desk;
    desk.tripSteps("billing", "t-2");
    desk.tripSteps("support", "t-1");
    desk.begin(views::MainWindow::Queue);
    QVERIFY(QTest::qWaitForWindowActive(&desk.window));
    QTRY_COMPARE(desk.session.queue().rowCount(), 2);
    const live::QueueModel &queue = desk.session.queue();
    desk.table("queueTable").setFocus();
    QCOMPARE(queue.rowAt(0).taskName, QStringLiteral("t-2"));
    desk.press(Qt::Key_S);
    QCOMPARE(queue.rowAt(0).taskName, QStringLiteral("t-1"));
    QTest::keyClick(&desk.table("queueTable"), Qt::Key_S, Qt::ShiftModifier);
    QCOMPARE(queue.rowAt(0).taskName, QStringLiteral("t-2"));
    QCOMPARE(queue.sortOrder(), Qt::DescendingOrder);
    for (int i = 0; i < live::QueueModel::ColumnCount; ++i)
        desk.press(Qt::Key_S);
    QCOMPARE(queue.sortColumn(), -1);
}

void TestPages::narrowTablesAreFilled()
{
    Desk desk;
    desk.tripSteps("billing", "t-1");
    desk.begin(views::MainWindow::Queue);
    QTRY_COMPARE(desk.session.queue().rowCount(), 1);
    for (const QSize size : {QSize(1024, 640), QSize(1180, 700), QSize(1440, 900), QSize(2560, 1440)}) {
        desk.window.resize(size);
        QTRY_COMPARE(desk.window.size(), size);
        const views::DeskTable &table = desk.table("queueTable");
        int filled = 0;
        for (int column = 0; column < live::QueueModel::ColumnCount; ++column)
            filled += table.isColumnHidden(column) ? 0 : table.columnWidth(column);
        QVERIFY2(std::abs(filled - table.viewport()->width()) <= 1, qPrintable(QString::number(filled)));
    }
}

void TestPages::theLastCallsFillTheRoomThereIs()
{
    live::TripDetail trip;
    trip.measured = QStringLiteral("step 26 against 25 steps a task");
    for (int i = 1; i <= 5; ++i)
        trip.lastCalls.push_back(QStringLiteral("call %1").arg(i));
    views::EvidenceView view;
    const auto calls = [&](std::size_t room) {
        view.setRoom(room);
        view.setTrip(trip);
        const auto labels = view.findChildren<views::PlainLabel *>();
        return std::ranges::count_if(labels, [](const views::PlainLabel *label) {
            return !label->isHidden() && label->plain().startsWith(QStringLiteral("call "));
        });
    };
    QCOMPARE(calls(0), 1);
    QCOMPARE(calls(5), 3); // what was measured and what a re-arm does take two
    QCOMPARE(calls(40), 5);
}

void TestPages::namesThatLookLikePlaceholders_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"a%2", "%1", "%3%2%1", "$x", "{}", "${IFS}", "http://example.org/%20?a=%2", "<b>x</b>"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestPages::namesThatLookLikePlaceholders()
{
    QFETCH(const QString, name);
    live::TripDetail trip;
    trip.task = name;
    trip.tool = name;
    trip.access = QStringLiteral("write");
    trip.trip.evidence.stepsUsed = 11;
    trip.trip.firings = 3;
    views::EvidenceView view;
    view.setTrip(trip);
    QStringList texts;
    for (const auto *label : view.findChildren<views::PlainLabel *>())
        texts.append(label->plain());
    QVERIFY2(texts.contains(name + QStringLiteral(" (write)")), qPrintable(texts.join(QLatin1Char('\n'))));
    QVERIFY2(std::ranges::any_of(
                 texts, [&](const QString &text) { return text.startsWith(name + QStringLiteral(", step 11, ")); }),
             qPrintable(texts.join(QLatin1Char('\n'))));

    live::SubjectDetail detail;
    detail.trips.push_back(trip);
    detail.trips.back().title = name;
    detail.trips.back().ofTask = true;
    const views::LadderState ladder = views::ladderState(detail, {}, false);
    QVERIFY2(ladder.latches.front().about.contains(name), qPrintable(ladder.latches.front().detail));
    QVERIFY2(ladder.notes.front().contains(name), qPrintable(ladder.notes.front()));
}

QTEST_MAIN(TestPages)
#include "tst_pages.moc"

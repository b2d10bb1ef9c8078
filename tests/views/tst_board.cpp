// The board's keys act on what is marked on it, and on nothing else.
#include "tests/live/fake_host.h"

#include "views/agent_tiles.h"
#include "views/desk_style.h"
#include "views/main_window.h"
#include "views/painted_items.h"

#include "model/live/desk_session.h"

#include <QApplication>
#include <QLineEdit>
#include <QTest>

#include <algorithm>

using namespace handreset;
using test::FakeHost;

namespace {

struct Board {
    engine::FakeClock clock{rules::Instant{1'796'040'000'000'000}};
    FakeHost host{clock};
    live::DeskSession session{host, clock, QStringLiteral("ana")};
    views::MainWindow window{session, QStringLiteral("fleet")};
    views::AgentTiles *tiles = window.findChild<views::AgentTiles *>(QStringLiteral("agentTiles"));

    Board()
    {
        for (const char *agent : {"billing", "crawler", "support"})
            host.decide(rules::AskCall{
                .agent = agent, .task = "t-1", .session = {}, .parent = {}, .tool = "lookup", .arguments = "{}"});
        window.resize(1440, 900);
        window.show();
        window.activateWindow();
        session.start();
        host.beat();
    }
    void press(int key, Qt::KeyboardModifiers modifiers = {})
    {
        QWidget *focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : &window, static_cast<Qt::Key>(key), modifiers);
    }
    /// The board's own; every page has one.
    [[nodiscard]] QLineEdit *filterEdit() const
    {
        const auto edits = window.findChildren<QLineEdit *>(QStringLiteral("filterEdit"));
        return *std::ranges::find_if(edits, [](const QLineEdit *edit) { return edit->isVisible(); });
    }
    void filter(const QString &typed) const { filterEdit()->setText(typed); }
    [[nodiscard]] QString ringed() const
    {
        const live::AgentRow *row = session.agents().rowOf(tiles->current().value);
        return row ? row->name : QString();
    }
    [[nodiscard]] int stopped() const
    {
        return static_cast<int>(std::ranges::count_if(
            host.fleet().agents, [](const rules::Agent &agent) { return agent.rung != rules::Rung::Closed; }));
    }
    /// True when the tile of this name is not painted like the others of its size.
    [[nodiscard]] bool isMarked(const QString &name) const
    {
        const QImage whole = tiles->grab().toImage();
        const QColor ink = views::coloursOf(*tiles).probing;
        for (int item = 0; item < tiles->itemCount(); ++item) {
            if (session.agents().rowAt(item).name != name)
                continue;
            const QRectF tile = tiles->itemRect(item);
            return whole.pixelColor(static_cast<int>(tile.center().x()), static_cast<int>(tile.top()) + 1).hue()
                == ink.hue();
        }
        return false;
    }
};

} // namespace

class TestBoard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { views::applyTheme(*qApp, views::Theme::Dark); }
    void keysNeverActOnAHiddenAgent();
    void theRingStaysWithItsAgent();
    void theChoiceIsMarkedWhereverTheKeyboardIs();
};

void TestBoard::keysNeverActOnAHiddenAgent()
{
    Board board;
    QVERIFY(QTest::qWaitForWindowActive(&board.window));
    QTRY_COMPARE(board.session.agents().rowCount(), 3);
    QTRY_VERIFY(board.tiles->hasFocus()); // the board was empty at first
    board.press(Qt::Key_Home);
    QCOMPARE(board.ringed(), QStringLiteral("billing"));
    board.filter(QStringLiteral("support"));
    QCOMPARE(board.session.agents().rowCount(), 1);
    QCOMPARE(board.ringed(), QString());
    QCOMPARE(board.tiles->focusedItem(), -1);
    board.press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::qWait(50);
    QCOMPARE(board.stopped(), 0);

    // Enter in the filter goes on to the tiles, and the ring with it.
    board.filterEdit()->setFocus();
    board.press(Qt::Key_Return);
    QCOMPARE(board.ringed(), QStringLiteral("support"));
    QCOMPARE(board.tiles->focusedItem(), 0);
    board.press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(board.stopped(), 1);
    QVERIFY(board.host.fleet().agent(board.tiles->current()).rung == rules::Rung::Open);
}

void TestBoard::theRingStaysWithItsAgent()
{
    Board board;
    QVERIFY(QTest::qWaitForWindowActive(&board.window));
    QTRY_COMPARE(board.session.agents().rowCount(), 3);
    QTRY_VERIFY(board.tiles->hasFocus());
    board.press(Qt::Key_End);
    QCOMPARE(board.ringed(), QStringLiteral("support"));
    board.filter(QStringLiteral("re:crawler|support")); // a row in front of it goes
    QCOMPARE(board.ringed(), QStringLiteral("support"));
    QCOMPARE(board.tiles->focusedItem(), 1);
    board.filter(QStringLiteral("billing"));
    QCOMPARE(board.ringed(), QString());
    board.filter({});
    QCOMPARE(board.ringed(), QStringLiteral("support"));
    QCOMPARE(board.tiles->focusedItem(), 2);
}

void TestBoard::theChoiceIsMarkedWhereverTheKeyboardIs()
{
    Board board;
    QVERIFY(QTest::qWaitForWindowActive(&board.window));
    QTRY_COMPARE(board.session.agents().rowCount(), 3);
    QTRY_VERIFY(board.tiles->hasFocus());
    board.press(Qt::Key_End);
    board.window.findChild<QWidget *>(QStringLiteral("toolsTable"))->setFocus();
    QVERIFY(!board.tiles->hasFocus());
    QCOMPARE(board.ringed(), QStringLiteral("support"));
    QTRY_VERIFY(board.isMarked(QStringLiteral("support")));
    QVERIFY(!board.isMarked(QStringLiteral("billing")));
}

QTEST_MAIN(TestBoard)
#include "tst_board.moc"

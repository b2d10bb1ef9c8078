// Ten thousand agents on the board: shown, painted and changed without making a person wait; and how long a commit takes
// to the screen. With HANDRESET_PICTURES set to a folder, the pictures are kept there to be looked at.
#include "tests/live/fake_host.h"
#include "tests/views/desk_fixture.h"

#include "views/agent_tiles.h"

#include <QDir>
#include <QElapsedTimer>

#include <algorithm>

using namespace handreset;
using test::FakeHost;

namespace {

constexpr int kAgents = 10'000;

void keep(QWidget &window, const QString &name)
{
    const QString folder = qEnvironmentVariable("HANDRESET_PICTURES");
    const QPixmap picture = window.grab();
    QVERIFY(!picture.isNull());
    if (!folder.isEmpty())
        QVERIFY(picture.save(QDir(folder).filePath(name + QStringLiteral(".png"))));
}

} // namespace

class TestLargeFleet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { views::applyTheme(*qApp, views::Theme::Dark); }
    void tenThousandAgents();
    void anEmptyFleetTeaches();
    void aCommitReachesTheScreenSoon();
};

void TestLargeFleet::tenThousandAgents()
{
    engine::FakeClock clock{rules::Instant{1'796'040'000'000'000}};
    FakeHost host(clock);
    for (int i = 0; i < kAgents; ++i) {
        const std::string name = "agent-" + std::to_string(i);
        host.decide(rules::AskCall{.agent = name, .task = "t-" + std::to_string(i), .session = {}, .parent = {},
                                   .tool = "tool-" + std::to_string(i % 40), .arguments = "{}"});
    }
    live::DeskSession session(host, clock, QStringLiteral("ana"));
    views::MainWindow window(session, QStringLiteral("large"));
    window.resize(1440, 900);
    window.show();
    QElapsedTimer timer;
    timer.start();
    session.start();
    host.beat();
    QTRY_COMPARE_WITH_TIMEOUT(session.agents().rowCount(), kAgents, 30'000);
    qInfo("from the snapshot to 10,000 rows: %lld ms", timer.restart());
    keep(window, QStringLiteral("large_quiet"));
    qInfo("one whole picture of the window: %lld ms", timer.restart());

    // Sixty of them loop: they must stand first, whatever the order of their coming.
    for (int i = 0; i < 60; ++i) {
        const int which = (i * 167) % kAgents;
        for (int call = 0; call < 3; ++call)
            host.decide(rules::AskCall{.agent = "agent-" + std::to_string(which), .task = "t-" + std::to_string(which),
                                       .session = {}, .parent = {}, .tool = "lookup", .arguments = "{}"});
    }
    QTRY_COMPARE_WITH_TIMEOUT(session.trips().rowCount(), 60, 30'000);
    QTRY_COMPARE(session.publishedSeq(), host.fleet().seq);
    for (int row = 0; row < 60; ++row)
        QCOMPARE(session.agents().rowAt(row).worst(), rules::Rung::Degraded);
    QCOMPARE(session.agents().rowAt(60).worst(), rules::Rung::Closed);
    auto *tiles = window.findChild<views::AgentTiles *>(QStringLiteral("agentTiles"));
    QCOMPARE(tiles->itemCount(), kAgents);
    // The last tile is where the arithmetic says, and is found there again.
    const QRectF last = tiles->itemRect(kAgents - 1);
    QCOMPARE(tiles->itemAt(last.center()), kAgents - 1);
    QVERIFY(last.bottom() <= tiles->wholeHeight(tiles->width()));
    keep(window, QStringLiteral("large_tripped"));
}

void TestLargeFleet::anEmptyFleetTeaches()
{
    engine::FakeClock clock{rules::Instant{1'796'040'000'000'000}};
    FakeHost host(clock);
    live::DeskSession session(host, clock, QStringLiteral("ana"));
    views::MainWindow window(session, QStringLiteral("empty"));
    window.resize(1024, 640);
    window.show();
    session.start();
    host.beat();
    QTRY_VERIFY(session.publishedSeq().isSet());
    for (const int page : {views::MainWindow::Board, views::MainWindow::Trips, views::MainWindow::Subject,
                           views::MainWindow::Queue}) {
        window.goTo(page);
        const auto states = window.findChildren<QWidget *>(QStringLiteral("emptyState"));
        QVERIFY2(std::ranges::any_of(states, [](const QWidget *state) { return state->isVisible(); }),
                 qPrintable(QString::number(page)));
        keep(window, QStringLiteral("empty_%1").arg(page));
    }
}

void TestLargeFleet::aCommitReachesTheScreenSoon()
{
    test::DeskFixture desk;
    desk.call("billing", "t-0", "lookup", "{}");
    QTRY_COMPARE(desk.session->agents().rowCount(), 1);
    std::vector<qint64> took;
    for (int i = 1; i <= 21; ++i) {
        QTest::qWait(60); // so that the pause between publications is over, as on a quiet desk
        QElapsedTimer timer;
        timer.start();
        desk.call("billing", qPrintable(QStringLiteral("t-%1").arg(i)), "lookup", "{}");
        QTRY_COMPARE(desk.session->agents().rowAt(0).calls, i + 1);
        took.push_back(timer.elapsed());
    }
    std::ranges::sort(took);
    qInfo("from an ask to the model that the screen shows: median %lld ms, worst %lld ms", took[10], took.back());
    QVERIFY2(took[10] <= 100, qPrintable(QString::number(took[10])));
}

QTEST_MAIN(TestLargeFleet)
#include "tst_large_fleet.moc"

// The smaller parts of the kit: ladder, lanes, header, rail, tiles, icons, and the words for time and counts.
#include "views/age_words.h"
#include "views/card.h"
#include "views/desk_style.h"
#include "views/flow_grid_layout.h"
#include "views/header_strip.h"
#include "views/icon.h"
#include "views/kill_switch_ladder.h"
#include "views/lane_strip.h"
#include "views/rail.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QFontMetricsF>
#include <QPushButton>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QtTest>

#include <algorithm>

using namespace handreset::views;
using handreset::rules::Rung;

class TestKit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agesInWords_data();
    void agesInWords();
    void countsInWords();
    void ladderNamesWhoLifts();
    void ladderCutsNamesBeforeNumbers();
    void ladderLatchesAnswerTheirOwnIndex();
    void laddersFocusBeginsAtThePresentRung();
    void ladderGrowsWithItsLatches();
    void lanesPlaceSpansByTime();
    void lanesOfOneMomentStandApart();
    void axisCountsBackFromNow();
    void headerCountsOpenTheirPage();
    void headerNeverCallsStaleClosed();
    void headerFitsNarrowWindows();
    void railSwitchesByKey();
    void tilesReflow();
    void iconsTakeTheInk();
    void buttonRolesAreKept();
};

namespace {

LadderState ladder()
{
    LadderState state;
    state.present = Rung::Open;
    state.meanings = {QStringLiteral("all tools"), QStringLiteral("reads only"), QStringLiteral("no call goes out")};
    state.latches = {{1, QStringLiteral("repetition"), QStringLiteral("a person"), false, QStringLiteral("three times"),
                      Rung::Degraded, false},
                     {2, QStringLiteral("envelope"), QStringLiteral("two persons"), false,
                      QStringLiteral("900 over 500"), Rung::Open, false}};
    return state;
}

HeaderState header()
{
    HeaderState state;
    state.fleet = QStringLiteral("acme-production");
    state.openAgents = 1;
    state.degradedAgents = 2;
    state.trippedBreakers = 1;
    state.unacknowledged = 3;
    state.queued = 4;
    state.liveness = HeaderState::Liveness::Live;
    state.dataAgeMs = 300;
    state.clock = QStringLiteral("02:14:07 UTC");
    state.operatorName = QStringLiteral("ana");
    state.role = QStringLiteral("responder");
    state.sound = QStringLiteral("sound on");
    state.notice = QStringLiteral("unsigned store");
    return state;
}

QStringList shownButtons(const HeaderStrip &strip)
{
    QStringList words;
    for (const auto *button : strip.findChildren<QAbstractButton *>()) {
        if (!button->isHidden())
            words += button->text();
    }
    return words;
}

} // namespace

void TestKit::agesInWords_data()
{
    QTest::addColumn<qint64>("ms");
    QTest::addColumn<QString>("words");
    QTest::newRow("fresh") << qint64(340) << QStringLiteral("0.3 s");
    QTest::newRow("just below ten") << qint64(9'999) << QStringLiteral("9.9 s");
    QTest::newRow("seconds") << qint64(41'700) << QStringLiteral("41 s");
    QTest::newRow("minutes and seconds") << qint64(135'000) << QStringLiteral("2 min 15 s");
    QTest::newRow("minutes") << qint64(14 * 60'000) << QStringLiteral("14 min");
    QTest::newRow("hours") << qint64((21 * 60 + 46) * 60'000) << QStringLiteral("21 h 46 min");
    QTest::newRow("days") << qint64(6) * 24 * 3'600'000 << QStringLiteral("6 days");
    QTest::newRow("a clock ran back") << qint64(-5'000) << QStringLiteral("0.0 s");
}

void TestKit::agesInWords()
{
    QFETCH(qint64, ms);
    QFETCH(QString, words);
    QCOMPARE(ageWords(ms), words);
    const QStringList parts = words.split(u' ');
    QCOMPARE(briefAgeWords(ms), parts.mid(0, 2).join(u' ')); // the first number with its unit
}

void TestKit::countsInWords()
{
    QLocale::setDefault(QLocale(QStringLiteral("en_US")));
    QCOMPARE(countWords(9'999), QStringLiteral("9,999"));
    QCOMPARE(countWords(14'622), QStringLiteral("14.6k"));
    QCOMPARE(countWords(999'999), QStringLiteral("999.9k"));
    QCOMPARE(countWords(3'210'000), QStringLiteral("3.2M"));
}

void TestKit::ladderNamesWhoLifts()
{
    KillSwitchLadder widget;
    widget.setState(ladder());
    QAccessibleInterface *face = QAccessible::queryAccessibleInterface(&widget);
    QCOMPARE(face->childCount(), 5);
    QVERIFY(face->child(0)->text(QAccessible::Name).contains(QStringLiteral("present rung")));
    QVERIFY(!face->child(2)->text(QAccessible::Name).contains(QStringLiteral("present rung")));
    QVERIFY(face->child(3)->text(QAccessible::Name).contains(QStringLiteral("lifted by: two persons")));
}

void TestKit::ladderCutsNamesBeforeNumbers()
{
    const QString numbers = QStringLiteral("900.00 BRL against 500.00 BRL");
    LadderLatch latch;
    latch.detail = numbers;
    latch.about = QStringLiteral("pix_to_a_supplier_with_a_very_long_name, value");
    const QFontMetricsF metrics{QFont()};
    const double alone = metrics.horizontalAdvance(numbers);
    QCOMPARE(fittingDetail(latch, metrics, 10'000), latch.about + QStringLiteral(": ") + numbers);
    const QString cut = fittingDetail(latch, metrics, alone + 100);
    QVERIFY2(cut.endsWith(QStringLiteral(": ") + numbers) && cut.contains(u'…'), qPrintable(cut));
    QVERIFY(metrics.horizontalAdvance(cut) <= alone + 100);
    QCOMPARE(fittingDetail(latch, metrics, alone + 10), numbers);
}

void TestKit::ladderLatchesAnswerTheirOwnIndex()
{
    KillSwitchLadder widget;
    widget.setState(ladder());
    widget.resize(420, widget.sizeHint().height());
    QSignalSpy activated(&widget, &KillSwitchLadder::latchActivated);
    QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.itemRect(3).center().toPoint()); // the open one is drawn first
    QCOMPARE(activated.takeFirst(), QVariantList{1});
    widget.setFocusedItem(4);
    QTest::keyClick(&widget, Qt::Key_Space);
    QCOMPARE(activated.takeFirst(), QVariantList{0});
    QTest::mouseClick(&widget, Qt::LeftButton, {}, widget.itemRect(0).center().toPoint());
    QCOMPARE(activated.count(), 0); // a rung is not a button: nothing here changes the switch
}

void TestKit::laddersFocusBeginsAtThePresentRung()
{
    KillSwitchLadder widget;
    widget.show();
    QVERIFY(QTest::qWaitForWindowActive(&widget));
    widget.clearFocus();
    widget.setFocus(Qt::TabFocusReason);
    QCOMPARE(widget.focusedItem(), 2 - static_cast<int>(Rung::Closed));
    LadderState state = ladder();
    widget.setState(state); // a ring around another rung would be read as the state
    QCOMPARE(widget.focusedItem(), 2 - static_cast<int>(state.present));
    widget.setFocusedItem(4);
    state.present = Rung::Closed;
    widget.setState(state);
    QCOMPARE(widget.focusedItem(), 4); // what a person chose stays
}

void TestKit::ladderGrowsWithItsLatches()
{
    KillSwitchLadder widget;
    LadderState state = ladder();
    for (int i = 3; i < 15; ++i)
        state.latches.push_back({i, QStringLiteral("provider"), QStringLiteral("clock"), true, {}, Rung::Degraded, false});
    widget.setState(state);
    widget.resize(420, widget.minimumSizeHint().height());
    QVERIFY(!widget.grab().isNull()); // a widget that was never shown is told its size by this
    for (int i = 0; i < widget.itemCount(); ++i) {
        QVERIFY(QRectF(widget.rect()).contains(widget.itemRect(i)));
        for (int j = i + 1; j < widget.itemCount(); ++j)
            QVERIFY(!widget.itemRect(i).intersects(widget.itemRect(j)));
    }
}

void TestKit::lanesPlaceSpansByTime()
{
    LaneStrip strip;
    strip.resize(600, 80);
    LaneStripState state;
    state.toMs = 1'000;
    state.lanes = {{QStringLiteral("billing"), {}, {{500, 2'000, Tone::Open, QStringLiteral("open")}}, {}, {}}};
    strip.setState(state);
    QCOMPARE(strip.itemCount(), 1);
    const QRectF span = strip.itemRect(0);
    QVERIFY(span.right() <= strip.width()); // what goes on beyond the end is cut there
    state.lanes[0].spans[0].fromMs = 0;
    strip.setState(state);
    QVERIFY(qAbs(strip.itemRect(0).width() - 2 * span.width()) < 0.01);
    QSignalSpy activated(&strip, &LaneStrip::timeActivated);
    QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.itemRect(0).center().toPoint());
    QCOMPARE(activated.takeFirst(), QVariantList{qint64(0)});
}

void TestKit::lanesOfOneMomentStandApart()
{
    LaneStrip strip;
    strip.resize(600, 80);
    LaneStripState state;
    state.toMs = 1'000;
    state.lanes = {{QStringLiteral("billing"), {}, {}, {{500, 1, {}}, {500, 2, {}}, {501, 3, {}}}, {}}};
    strip.setState(state);
    QCOMPARE(strip.itemCount(), 3);
    QVERIFY(!strip.itemRect(0).intersects(strip.itemRect(1)));
    QVERIFY(!strip.itemRect(1).intersects(strip.itemRect(2)));
    // Whatever the order in which they are given, each stands at its time, and none beyond the edge.
    state.lanes[0].markers = {{1'000, 3, {}}, {100, 1, {}}, {999, 2, {}}};
    strip.setState(state);
    const auto rectOf = [&strip](int order) {
        for (int item = 0; item < strip.itemCount(); ++item) {
            if (strip.itemName(item).contains(QStringLiteral("trip %1").arg(order)))
                return strip.itemRect(item);
        }
        return QRectF();
    };
    QVERIFY(rectOf(1).right() < rectOf(2).left() && rectOf(2).right() < rectOf(3).left());
    QVERIFY(rectOf(1).right() < strip.width() / 2.0);
    QVERIFY(rectOf(3).right() <= strip.width());
}

void TestKit::axisCountsBackFromNow()
{
    const auto axis = relativeAxis(0, 15 * 60'000);
    QCOMPARE(axis.size(), std::size_t(6));
    QCOMPARE(axis.front().text, QStringLiteral("-15 min"));
    QCOMPARE(axis.front().atMs, qint64(0));
    QCOMPARE(axis.back().text, QStringLiteral("now"));
    QCOMPARE(relativeAxis(0, 15 * 60'000, QStringLiteral("end")).back().text, QStringLiteral("end"));
    QVERIFY(relativeAxis(5, 5).empty());
}

void TestKit::headerCountsOpenTheirPage()
{
    HeaderStrip strip;
    strip.resize(1'440, 44);
    strip.setState(header());
    QSignalSpy activated(&strip, &HeaderStrip::countActivated);
    for (auto *button : strip.findChildren<QAbstractButton *>()) {
        if (button->text() == QStringLiteral("3 to acknowledge"))
            button->click();
    }
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.first().first().value<HeaderStrip::Count>(), HeaderStrip::Count::Unacknowledged);
}

void TestKit::headerNeverCallsStaleClosed()
{
    HeaderStrip strip;
    strip.resize(1'440, 44);
    QVERIFY(shownButtons(strip).contains(QStringLiteral("no data yet")));
    HeaderState quiet;
    quiet.liveness = HeaderState::Liveness::Live;
    quiet.dataAgeMs = 100;
    strip.setState(quiet);
    QVERIFY(shownButtons(strip).contains(QStringLiteral("all closed")));
    quiet.liveness = HeaderState::Liveness::Stale;
    strip.setState(quiet);
    QVERIFY(!shownButtons(strip).contains(QStringLiteral("all closed")));
    QVERIFY(shownButtons(strip).contains(QStringLiteral("all closed when last heard")));
    quiet.anySeen = false; // of a store that fails it is not known whether an agent asked
    quiet.troubled = true;
    for (const auto liveness : {HeaderState::Liveness::Live, HeaderState::Liveness::Stale}) {
        quiet.liveness = liveness;
        strip.setState(quiet);
        QVERIFY(!shownButtons(strip).contains(QStringLiteral("no agent yet")));
    }
    quiet = {};
    quiet.dataAgeMs = 100;
    quiet.liveness = HeaderState::Liveness::Recorded;
    quiet.stoppedTasks = 2;
    strip.setState(quiet);
    QVERIFY(shownButtons(strip).contains(QStringLiteral("2 tasks stopped")));
    QVERIFY(!shownButtons(strip).contains(QStringLiteral("all closed")));
}

void TestKit::headerFitsNarrowWindows()
{
    for (const int width : {2'560, 1'440, 1'024, 900}) {
        HeaderStrip strip;
        strip.setAttribute(Qt::WA_DontShowOnScreen);
        strip.resize(width, 44);
        strip.setState(header());
        strip.show();
        QCoreApplication::sendPostedEvents();
        int right = 0;
        auto children = strip.findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly);
        std::sort(children.begin(), children.end(), [](const auto *a, const auto *b) { return a->x() < b->x(); });
        for (const auto *child : children) {
            if (child->isHidden())
                continue;
            QVERIFY2(child->width() >= child->minimumSizeHint().width(), qPrintable(child->accessibleName()));
            QVERIFY2(child->x() >= right, qPrintable(child->accessibleName())); // in order, none upon another
            right = child->x() + child->width();
        }
        QVERIFY2(right <= width, qPrintable(QString::number(width)));
        QVERIFY(shownButtons(strip).filter(QStringLiteral("1 open")).size() == 1);
        QVERIFY(shownButtons(strip).filter(QStringLiteral("2 degraded")).size() == 1);
    }
}

void TestKit::railSwitchesByKey()
{
    QWidget window;
    auto *layout = new QVBoxLayout(&window);
    auto *rail = new Rail(&window);
    layout->addWidget(rail);
    rail->setItems({{QStringLiteral("Board"), 0}, {QStringLiteral("Trips"), 3}, {QStringLiteral("Subject"), 0}});
    rail->setCurrent(0);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.activateWindow();
    QTRY_VERIFY(window.isActiveWindow());
    QSignalSpy activated(rail, &Rail::pageActivated);
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.first().first().toInt(), 1);
    QCOMPARE(rail->current(), 1);
    rail->setCurrent(2);
    QCOMPARE(activated.count(), 1); // only the operator's choice is told
    QCOMPARE(rail->findChild<QAbstractButton *>(QStringLiteral("rail2"))->accessibleName(), QStringLiteral("Trips, 3"));
}

void TestKit::tilesReflow()
{
    QWidget area;
    auto *grid = new FlowGridLayout(200, 10, &area);
    for (int i = 0; i < 6; ++i) {
        auto *tile = new QWidget(&area);
        tile->setFixedHeight(50);
        grid->addWidget(tile);
    }
    QCOMPARE(grid->columnsFor(199), 1);
    QCOMPARE(grid->columnsFor(409), 1);
    QCOMPARE(grid->columnsFor(410), 2);
    QCOMPARE(grid->heightForWidth(630), 2 * 50 + 10);
    QCOMPARE(grid->heightForWidth(420), 3 * 50 + 2 * 10);
    grid->setGeometry(QRect(0, 0, 631, 400));
    QCOMPARE(grid->itemAt(2)->geometry().right(), 630); // no pixel is left over
    QCOMPARE(grid->itemAt(3)->geometry().topLeft(), QPoint(0, 60));
    auto *first = new QWidget(&area);
    grid->insertWidget(0, first);
    QCOMPARE(grid->itemAt(0)->widget(), first);
    QCOMPARE(grid->count(), 7);
}

void TestKit::iconsTakeTheInk()
{
    const QImage icon = iconPixmap(QStringLiteral("lock"), QColor(Qt::red), 16, 2).toImage();
    QCOMPARE(icon.size(), QSize(32, 32));
    bool red = false;
    for (int y = 0; y < 32; ++y) {
        for (int x = 0; x < 32; ++x)
            red = red || icon.pixelColor(x, y) == QColor(Qt::red);
    }
    QVERIFY(red);
    QVERIFY(iconPixmap(QStringLiteral("no such icon"), Qt::red, 16, 1).isNull());
    QVERIFY(!themedIcon(QStringLiteral("clock"), Qt::red, Qt::gray).pixmap(16, 16).isNull());
}

void TestKit::buttonRolesAreKept()
{
    QPushButton button;
    QCOMPARE(buttonRole(&button), ButtonRole::Plain);
    setButtonRole(button, ButtonRole::Stop);
    QCOMPARE(buttonRole(&button), ButtonRole::Stop);
    QCOMPARE(buttonRole(nullptr), ButtonRole::Plain);
}

QTEST_MAIN(TestKit)
#include "tst_kit.moc"

// The whole story of a trip, by keyboard alone, over a real host; then the log is asserted (issue 2, "What must hold" 6).
#include "tests/views/desk_fixture.h"

#include <QPointer>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace handreset;
using test::DeskFixture;

namespace {

constexpr int kHold = 1'700; ///< a little longer than the button asks

const QString kReason = QStringLiteral("Invoice 2231 was a duplicate, ticket 8841");

} // namespace

class TestDesk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { views::applyTheme(*qApp, views::Theme::Dark); }
    void aTripFromAlarmToClosed();
    void aChangeMeanwhileWritesNothingAndKeepsTheWords();
    void enterNeverRearms();
    void oneKeyStops();
    void theTypedNameConfirms();
    void pagesHaveKeys();
    void thePaletteOpensByAFewLetters();

private:
    /// Walks to the task's three choices and takes the last.
    static void decideToStay(const QString &task);
    /// Opens the re-arm of the selected trip and fills in all that it asks for.
    static void fillIn(DeskFixture &desk, const QString &reason);
};

void TestDesk::decideToStay(const QString &task)
{
    QVERIFY(DeskFixture::tabTo(QStringLiteral("decide_%1_resume").arg(task)));
    DeskFixture::press(Qt::Key_Right);
    DeskFixture::press(Qt::Key_Right);
    QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("decide_%1_stay").arg(task));
    DeskFixture::press(Qt::Key_Space);
}

void TestDesk::fillIn(DeskFixture &desk, const QString &reason)
{
    DeskFixture::press(Qt::Key_R);
    QTRY_VERIFY(desk.rearmDialog() && desk.rearmDialog()->isVisible());
    QTRY_VERIFY(QApplication::focusWidget() && QApplication::focusWidget()->objectName() == QStringLiteral("cancelButton"));
    if (desk.rearmDialog()->findChild<QPushButton *>(QStringLiteral("decide_t-1_stay")))
        decideToStay(QStringLiteral("t-1"));
    QVERIFY(DeskFixture::tabTo(QStringLiteral("causeCombo")));
    DeskFixture::press(Qt::Key_Down);
    QVERIFY(DeskFixture::tabTo(QStringLiteral("reasonEdit")));
    DeskFixture::type(reason);
}

void TestDesk::aTripFromAlarmToClosed()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    DeskFixture::press(Qt::Key_2, Qt::ControlModifier);
    desk.call("billing", "t-1", "lookup_invoice", R"({"id": 2231})", 3);
    QTRY_COMPARE(desk.session->trips().rowCount(), 1);
    QTRY_COMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("tripsTable"));

    DeskFixture::press(Qt::Key_A);
    QTRY_COMPARE(desk.session->trips().rowAt(0).stage, live::TripStage::Acknowledged);
    DeskFixture::press(Qt::Key_Return);
    QTRY_VERIFY(desk.session->subject());
    QTRY_VERIFY(desk.window->findChild<QWidget *>(QStringLiteral("evidence"))->isVisible());
    const auto labels = desk.window->findChild<QWidget *>(QStringLiteral("evidence"))->findChildren<QLabel *>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel *l) { return l->text().contains(QStringLiteral("2231")); }));

    const rules::Revision seen = desk.session->subject()->agent.revision;
    fillIn(desk, kReason);
    QVERIFY(DeskFixture::tabTo(QStringLiteral("holdButton")));
    DeskFixture::holdSpace(300); // too short: nothing
    QVERIFY(desk.log<rules::TripRearmed>().empty());
    DeskFixture::holdSpace(kHold);
    QTRY_VERIFY(!desk.rearmDialog());
    desk.window->activateWindow(); // there is no window manager here that would
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    QTRY_COMPARE(desk.log<rules::TripRearmed>().size(), std::size_t{1});
    const rules::TripRearmed first = desk.log<rules::TripRearmed>().front();
    QCOMPARE(first.to, rules::Rung::Degraded);
    QCOMPARE(first.by, desk.ana());
    QCOMPARE(QString::fromStdString(first.reason), kReason);
    QVERIFY(!first.cause.empty());
    QCOMPARE(first.revisionSeen, seen);

    // The probation that took its place is lifted to closed.
    QTRY_COMPARE(desk.session->subject()->trips.size(), std::size_t{1});
    QCOMPARE(desk.session->subject()->trips.front().trip.subject.signal, rules::Signal::Probation);
    DeskFixture::press(Qt::Key_A);
    QTRY_VERIFY(desk.session->subject()->trips.front().trip.acknowledgedBy.isSet());
    fillIn(desk, QStringLiteral("Watched it for ten minutes, all calls were right"));
    QVERIFY(DeskFixture::tabTo(QStringLiteral("holdButton")));
    DeskFixture::holdSpace(kHold);
    QTRY_VERIFY(!desk.rearmDialog());
    QTRY_COMPARE(desk.log<rules::TripRearmed>().size(), std::size_t{2});
    QCOMPARE(desk.log<rules::TripRearmed>().back().to, rules::Rung::Closed);
    QTRY_VERIFY(desk.session->subject()->trips.empty());
    QTRY_COMPARE(desk.session->agents().rowAt(0).worst(), rules::Rung::Closed);
}

void TestDesk::aChangeMeanwhileWritesNothingAndKeepsTheWords()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    DeskFixture::press(Qt::Key_2, Qt::ControlModifier);
    desk.call("billing", "t-1", "lookup_invoice", R"({"id": 2231})", 3);
    QTRY_COMPARE(desk.session->trips().rowCount(), 1);
    DeskFixture::press(Qt::Key_A);
    QTRY_COMPARE(desk.session->trips().rowAt(0).stage, live::TripStage::Acknowledged);
    fillIn(desk, kReason);
    desk.call("billing", "t-2", "list_orders", "{}", 3);
    auto *again = desk.rearmDialog()->findChild<QPushButton *>(QStringLiteral("lookAgainButton"));
    QTRY_VERIFY(again->isVisible());
    auto *hold = desk.rearmDialog()->findChild<QAbstractButton *>(QStringLiteral("holdButton"));
    QVERIFY(!hold->isEnabled());
    QTest::keyPress(hold, Qt::Key_Space);
    QTest::qWait(kHold);
    QTest::keyRelease(hold, Qt::Key_Space);
    QVERIFY(desk.log<rules::TripRearmed>().empty());
    auto *reason = desk.rearmDialog()->findChild<QLineEdit *>(QStringLiteral("reasonEdit"));
    QCOMPARE(reason->text(), kReason);
    QVERIFY(DeskFixture::tabTo(QStringLiteral("lookAgainButton")));
    DeskFixture::press(Qt::Key_Space);
    QTRY_VERIFY(!again->isVisible());
    QCOMPARE(reason->text(), kReason);
    // The new trip is not chosen, so its task needs no decision with this act.
    QVERIFY(DeskFixture::tabTo(QStringLiteral("holdButton")));
    DeskFixture::holdSpace(kHold);
    QTRY_COMPARE(desk.log<rules::TripRearmed>().size(), std::size_t{1});
}

void TestDesk::enterNeverRearms()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    DeskFixture::press(Qt::Key_2, Qt::ControlModifier);
    desk.call("billing", "t-1", "lookup_invoice", R"({"id": 2231})", 3);
    QTRY_COMPARE(desk.session->trips().rowCount(), 1);
    DeskFixture::press(Qt::Key_A);
    QTRY_COMPARE(desk.session->trips().rowAt(0).stage, live::TripStage::Acknowledged);
    fillIn(desk, kReason);
    for (const char *name : {"reasonEdit", "holdButton", "nameEdit", "causeCombo"}) {
        QVERIFY2(DeskFixture::tabTo(QString::fromLatin1(name)), name);
        DeskFixture::press(Qt::Key_Return);
        DeskFixture::press(Qt::Key_Enter);
        QVERIFY2(desk.rearmDialog() && desk.rearmDialog()->isVisible(), name);
    }
    QVERIFY(DeskFixture::tabTo(QStringLiteral("cancelButton")));
    DeskFixture::press(Qt::Key_Return);
    QTRY_VERIFY(!desk.rearmDialog());
    QVERIFY(desk.log<rules::TripRearmed>().empty());
    QCOMPARE(desk.session->trips().rowAt(0).stage, live::TripStage::Acknowledged);
}

void TestDesk::oneKeyStops()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    desk.call("support", "t-1", "read_mail", "{}");
    QTRY_COMPARE(desk.session->agents().rowCount(), 1);
    DeskFixture::press(Qt::Key_1, Qt::ControlModifier);
    DeskFixture::press(Qt::Key_Home);
    DeskFixture::press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(desk.session->agents().rowAt(0).rung, rules::Rung::Open);
    QVERIFY(!QApplication::activeModalWidget());
    QTRY_COMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("stopReasonEdit"));
    DeskFixture::type(QStringLiteral("It reads mail that is not its own"));
    DeskFixture::press(Qt::Key_Return);
    QTRY_COMPARE(desk.log<rules::ReasonGiven>().size(), std::size_t{1});
    QCOMPARE(desk.log<rules::ReasonGiven>().front().by, desk.ana());
    const auto trips = desk.log<rules::TripFired>();
    QCOMPARE(trips.back().subject.signal, rules::Signal::Operator);
    QCOMPARE(trips.back().by, desk.ana());
}

void TestDesk::theTypedNameConfirms()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    DeskFixture::press(Qt::Key_2, Qt::ControlModifier);
    desk.call("billing", "t-1", "lookup_invoice", R"({"id": 2231})", 3);
    QTRY_COMPARE(desk.session->trips().rowCount(), 1);
    DeskFixture::press(Qt::Key_A);
    QTRY_COMPARE(desk.session->trips().rowAt(0).stage, live::TripStage::Acknowledged);
    fillIn(desk, kReason);
    QVERIFY(DeskFixture::tabTo(QStringLiteral("nameEdit")));
    DeskFixture::type(QStringLiteral("billin"));
    QVERIFY(desk.log<rules::TripRearmed>().empty());
    DeskFixture::type(QStringLiteral("g"));
    QTRY_COMPARE(desk.log<rules::TripRearmed>().size(), std::size_t{1});
    QTRY_VERIFY(!desk.rearmDialog());
}

void TestDesk::pagesHaveKeys()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    for (int page = 1; page <= 5; ++page) {
        DeskFixture::press(Qt::Key_0 + page, Qt::ControlModifier);
        DeskFixture::press(Qt::Key_F1);
        QPointer<QDialog> keys = desk.window->findChild<QDialog *>(QStringLiteral("keysDialog"));
        QVERIFY(keys);
        QTRY_COMPARE(QApplication::activeWindow(), keys);
        QTest::keyClick(keys, Qt::Key_Escape);
        QTRY_VERIFY2(!keys || !keys->isVisible(), qPrintable(QStringLiteral("page %1").arg(page)));
        delete keys; // a closed dialog goes when the event loop next comes around
        desk.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    }
}

void TestDesk::thePaletteOpensByAFewLetters()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    desk.call("support", "t-1", "read_mail", "{}");
    desk.call("billing", "t-2", "read_mail", "{}");
    QTRY_COMPARE(desk.session->agents().rowCount(), 2);
    DeskFixture::press(Qt::Key_K, Qt::ControlModifier);
    QTRY_COMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("paletteEdit"));
    DeskFixture::type(QStringLiteral("agent sup"));
    DeskFixture::press(Qt::Key_Return);
    QTRY_VERIFY(desk.session->subject());
    QCOMPARE(desk.session->subject()->agent.name, QStringLiteral("support"));
}

QTEST_MAIN(TestDesk)
#include "tst_desk.moc"

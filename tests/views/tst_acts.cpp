// Acts of the desk over a real host, and the log held against them: the fleet's stop, grants, a person's word on a
// store that was refused, and where the button that re-arms lies.
#include "tests/views/desk_fixture.h"

#include "views/plain_label.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace handreset;
using test::DeskFixture;

namespace {

constexpr int kHold = 1'700; ///< a little longer than the button asks

void step(const DeskFixture &desk, const char *agent, const char *task, int times)
{
    for (int i = 0; i < times; ++i)
        static_cast<void>(engine::submitAndWait(*desk.host,
                                                rules::AskStep{.agent = agent,
                                                               .task = task,
                                                               .session = {},
                                                               .parent = {},
                                                               .endpoint = {},
                                                               .model = "large",
                                                               .estimate = {},
                                                               .outcome = {}}));
}

template <class Widget>
Widget *find(const QObject *parent, const char *name)
{
    return parent->findChild<Widget *>(QString::fromLatin1(name));
}

} // namespace

class TestActs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { views::applyTheme(*qApp, views::Theme::Dark); }
    void theFleetsStopIsReArmedFromItsRow();
    void aGrantRaisesTheLimit();
    void evidenceIsReadByKeyboard();
    void aRefusedReasonOfTheQueueStays();
    void aBreakersReasonStaysUntilItIsGiven();
    void aRefusedStoreIsTrustedWithoutARestart();
    void theHoldButtonLiesUnderNoButton_data();
    void theHoldButtonLiesUnderNoButton();
    void theHoldButtonStaysWhereItIs();
};

void TestActs::theFleetsStopIsReArmedFromItsRow()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    desk.call("billing", "t-1", "lookup_invoice", "{}");
    static_cast<void>(engine::submitAndWait(
        *desk.host, rules::StopAgent{.agent = {}, .to = rules::Rung::Open, .by = "ben", .reason = "a leaked key"}));
    DeskFixture::press(Qt::Key_2, Qt::ControlModifier);
    QTRY_COMPARE(desk.session->trips().rowCount(), 1);
    QTRY_COMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("tripsTable"));
    DeskFixture::press(Qt::Key_A);
    QTRY_COMPARE(desk.session->trips().rowAt(0).stage, live::TripStage::Acknowledged);

    DeskFixture::press(Qt::Key_Return);
    QTRY_VERIFY(desk.session->subject() && desk.session->subject()->focus.fleet);
    QTRY_VERIFY(find<QWidget>(desk.window.get(), "evidence")->isVisible());
    QCOMPARE(find<views::PlainLabel>(desk.window.get(), "subjectName")->plain(), QStringLiteral("the fleet"));
    DeskFixture::press(Qt::Key_Escape);

    QTRY_COMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("tripsTable"));
    DeskFixture::press(Qt::Key_R);
    QTRY_VERIFY(desk.rearmDialog() && desk.rearmDialog()->isVisible());
    QDialog *dialog = desk.rearmDialog();
    QCOMPARE(dialog->windowTitle(), QStringLiteral("Re-arm the fleet"));
    QTRY_VERIFY(QApplication::focusWidget()
                && QApplication::focusWidget()->objectName() == QStringLiteral("cancelButton"));
    if (auto *stay = find<QAbstractButton>(dialog, "decide_t-1_stay"))
        stay->click();
    find<QComboBox>(dialog, "targetCombo")->setCurrentIndex(1);
    find<QComboBox>(dialog, "causeCombo")->setCurrentIndex(1);
    find<QLineEdit>(dialog, "reasonEdit")->setText(QStringLiteral("the key was changed, ticket 8841"));
    QVERIFY(DeskFixture::tabTo(QStringLiteral("holdButton")));
    DeskFixture::holdSpace(kHold);
    QTRY_VERIFY(!desk.rearmDialog());
    QTRY_COMPARE(desk.log<rules::TripRearmed>().size(), std::size_t{1});
    QCOMPARE(desk.log<rules::TripRearmed>().front().by, desk.ana());
    QTRY_COMPARE(desk.session->agents().rowAt(0).rung, rules::Rung::Closed);

    // What was re-armed already is said, not passed over in silence.
    desk.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    QTRY_COMPARE(desk.session->trips().rowAt(0).stage, live::TripStage::Rearmed);
    DeskFixture::press(Qt::Key_R);
    QTRY_VERIFY(
        find<views::PlainLabel>(desk.window.get(), "actWords")->plain().contains(QStringLiteral("re-armed already")));
}

void TestActs::aGrantRaisesTheLimit()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    step(desk, "billing", "t-1", 25); // all that the built-in policy allows
    QTRY_COMPARE(desk.session->agents().rowCount(), 1);
    desk.window->openSubject({.agent = desk.session->agents().rowAt(0).id, .breaker = {}});
    QTRY_VERIFY(desk.session->subject() && !desk.session->subject()->grants.empty());
    DeskFixture::press(Qt::Key_G);
    QTRY_VERIFY(find<QDialog>(desk.window.get(), "grantDialog"));
    auto *dialog = find<QDialog>(desk.window.get(), "grantDialog");
    QTRY_VERIFY(QApplication::focusWidget()
                && QApplication::focusWidget()->objectName() == QStringLiteral("cancelButton"));
    QVERIFY(find<QComboBox>(dialog, "grantLimitCombo")->currentText().contains(QStringLiteral("t-1")));
    QVERIFY(find<views::PlainLabel>(dialog, "grantUsedWords")->plain().contains(QStringLiteral("25 of 25 steps")));
    QVERIFY(DeskFixture::tabTo(QStringLiteral("grantAmountEdit")));
    DeskFixture::type(QStringLiteral("-3"));
    QVERIFY(DeskFixture::tabTo(QStringLiteral("reasonEdit")));
    DeskFixture::type(QStringLiteral("a long invoice run, ticket 8841"));
    auto *act = find<QAbstractButton>(dialog, "doButton");
    QVERIFY(!act->isEnabled());
    QVERIFY(find<views::PlainLabel>(dialog, "missingWords")->plain().contains(QStringLiteral("whole number above 0")));
    find<QLineEdit>(dialog, "grantAmountEdit")->setText(QStringLiteral("3"));
    QVERIFY(act->isEnabled());
    QVERIFY(DeskFixture::tabTo(QStringLiteral("doButton")));
    DeskFixture::press(Qt::Key_Space);
    QTRY_COMPARE(desk.log<rules::Granted>().size(), std::size_t{1});
    const rules::Granted granted = desk.log<rules::Granted>().front();
    QCOMPARE(granted.by, desk.ana());
    QCOMPARE(granted.grant.steps, 3);
    QCOMPARE(QString::fromStdString(granted.reason), QStringLiteral("a long invoice run, ticket 8841"));
    QTRY_VERIFY(!find<QDialog>(desk.window.get(), "grantDialog"));
    step(desk, "billing", "t-1", 3);
    QVERIFY(desk.log<rules::TripFired>().empty());
    step(desk, "billing", "t-1", 1);
    QCOMPARE(desk.log<rules::TripFired>().size(), std::size_t{1});
}

void TestActs::evidenceIsReadByKeyboard()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    desk.call("billing", "t-1", "lookup_invoice", R"({"id": 2231})", 3);
    QTRY_COMPARE(desk.session->trips().rowCount(), 1);
    const auto trip = desk.session->trips().rowAt(0).id.value;
    desk.window->openRearm(desk.session->agents().rowAt(0).id, {});
    QTRY_VERIFY(desk.rearmDialog() && desk.rearmDialog()->isVisible());
    auto *text = desk.rearmDialog()->findChild<QPlainTextEdit *>(QStringLiteral("evidenceText_%1").arg(trip));
    QVERIFY(!text->isVisible());
    QTRY_VERIFY(QApplication::focusWidget()
                && QApplication::focusWidget()->objectName() == QStringLiteral("cancelButton"));
    QVERIFY(DeskFixture::tabTo(QStringLiteral("evidence_%1").arg(trip)));
    DeskFixture::press(Qt::Key_Space);
    QVERIFY(text->isVisible());
    QVERIFY2(text->toPlainText().contains(QStringLiteral("2231")), qPrintable(text->toPlainText()));
    QVERIFY2(text->toPlainText().contains(QStringLiteral("last call: ")), qPrintable(text->toPlainText()));
    DeskFixture::press(Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(text));
    desk.rearmDialog()->close();
}

void TestActs::aRefusedReasonOfTheQueueStays()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    step(desk, "billing", "t-1", 26); // opened by its steps: the task waits
    QTRY_COMPARE(desk.session->queue().rowCount(), 1);
    DeskFixture::press(Qt::Key_4, Qt::ControlModifier);
    QTRY_COMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("queueTable"));
    DeskFixture::press(Qt::Key_E);
    auto *field = find<QLineEdit>(desk.window.get(), "queueReasonEdit");
    QTRY_VERIFY(field->isVisible() && field->hasFocus());
    DeskFixture::press(Qt::Key_Return); // nothing said: nothing sent
    QVERIFY(field->isVisible());
    DeskFixture::type(QStringLiteral("it may go on"));
    DeskFixture::press(Qt::Key_Return);
    const auto *trouble = find<views::PlainLabel>(desk.window.get(), "queueReasonEditTrouble");
    QTRY_VERIFY(trouble->isVisible());
    QVERIFY2(trouble->plain().contains(QStringLiteral("re-arm the trip first")), qPrintable(trouble->plain()));
    QCOMPARE(field->text(), QStringLiteral("it may go on"));
    QVERIFY(field->isVisible());
    DeskFixture::press(Qt::Key_Escape);
    QTRY_VERIFY(!field->isVisible());
    DeskFixture::press(Qt::Key_B);
    QTRY_VERIFY(field->hasFocus());
    DeskFixture::type(QStringLiteral("done by hand"));
    DeskFixture::press(Qt::Key_Return);
    QTRY_COMPARE(desk.log<rules::QueueActed>().size(), std::size_t{1});
    QTRY_VERIFY(!field->isVisible());
}

void TestActs::aBreakersReasonStaysUntilItIsGiven()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    desk.call("billing", "t-1", "lookup_invoice", "{}");
    QTRY_COMPARE(desk.session->agents().rowCount(), 1);
    desk.window->openSubject({.agent = desk.session->agents().rowAt(0).id, .breaker = {}});
    auto *isolate = find<QAbstractButton>(desk.window.get(), "isolateButton");
    QTRY_VERIFY(isolate->isVisible());
    isolate->click();
    auto *field = find<QLineEdit>(desk.window.get(), "breakerReasonEdit");
    QVERIFY(field->isVisible());
    field->setText(QStringLiteral("  "));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(field->isVisible());
    QVERIFY(find<views::PlainLabel>(desk.window.get(), "breakerReasonEditTrouble")->isVisible());
    field->setText(QStringLiteral("the provider asked for it"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(desk.log<rules::BreakerMoved>().size(), std::size_t{1});
    QTRY_VERIFY(!field->isVisible());
}

void TestActs::aRefusedStoreIsTrustedWithoutARestart()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("fleet.db"));
    const engine::SystemClock clock;
    QVERIFY(store::Store::init(path, {}, clock.now()).ok());
    QVERIFY(store::setSentinel(path, "The store could not be written: no space left.").ok());
    auto started = engine::EmbeddedHost::start(
        {.storePath = path, .version = "test", .operatorName = "ana", .clock = &clock, .open = {}});
    QVERIFY(started.ok());
    const auto host = std::move(started).value();
    live::DeskSession session(*host, clock, QStringLiteral("ana"));
    views::MainWindow window(session, path);
    window.resize(1'440, 900);
    session.start();
    window.show();
    auto *button = find<QPushButton>(&window, "hostWordButton");
    QTRY_VERIFY(button->isVisible());
    button->click();
    auto *dialog = find<QDialog>(&window, "hostWordDialog");
    QVERIFY(dialog);
    find<QLineEdit>(dialog, "reasonEdit")->setText(QStringLiteral("the disk has room again"));
    find<QAbstractButton>(dialog, "doButton")->click();
    QTRY_VERIFY(!find<QDialog>(&window, "hostWordDialog"));
    QTRY_VERIFY(!button->isVisible());
    QTRY_VERIFY(session.freshness().writable() && !session.freshness().stale);
    static_cast<void>(engine::submitAndWait(
        *host,
        rules::AskCall{
            .agent = "billing", .task = "t-1", .session = {}, .parent = {}, .tool = "lookup", .arguments = "{}"}));
    QTRY_COMPARE(session.agents().rowCount(), 1);
    QVERIFY(!store::sentinelIsSet(path));
}

void TestActs::theHoldButtonLiesUnderNoButton_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("usual") << QSize(1'440, 900);
    QTest::newRow("smallest") << QSize(1'024, 640);
}

void TestActs::theHoldButtonLiesUnderNoButton()
{
    QFETCH(QSize, size);
    DeskFixture desk;
    desk.window->resize(size);
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    desk.call("billing", "t-1", "lookup_invoice", R"({"id": 2231})", 3);
    QTRY_COMPARE(desk.session->trips().rowCount(), 1);
    desk.session->acknowledge(desk.session->trips().rowAt(0).id);
    for (const char *name : {"rearmButton", "subjectRearmButton"}) {
        if (QLatin1String(name) == QLatin1String("rearmButton"))
            desk.window->goTo(views::MainWindow::Trips);
        else
            desk.window->openSubject({.agent = desk.session->agents().rowAt(0).id, .breaker = {}});
        auto *opener = find<QAbstractButton>(desk.window.get(), name);
        QTRY_VERIFY2(opener->isVisible() && opener->isEnabled(), name);
        const QPoint at = opener->mapToGlobal(opener->rect().center());
        QTest::mouseClick(opener, Qt::LeftButton);
        QTRY_VERIFY(desk.rearmDialog() && desk.rearmDialog()->isVisible());
        QDialog *dialog = desk.rearmDialog();
        QTest::qWait(20);
        // Not under the one that opened it, nor under any other button of the window.
        auto *hold = find<QAbstractButton>(dialog, "holdButton");
        const QRect holdsAt(hold->mapToGlobal(QPoint()), hold->size());
        QVERIFY2(!holdsAt.contains(at), name);
        for (const auto *other : desk.window->findChildren<QAbstractButton *>()) {
            if (other->window() != dialog && other->isVisible())
                QVERIFY2(!holdsAt.intersects(QRect(other->mapToGlobal(QPoint()), other->size())),
                         qPrintable(other->objectName()));
        }
        dialog->close();
        QTRY_VERIFY(!desk.rearmDialog());
    }
    QVERIFY(desk.log<rules::TripRearmed>().empty());
}

void TestActs::theHoldButtonStaysWhereItIs()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    desk.call("billing", "t-1", "lookup_invoice", R"({"id": 2231})", 3);
    QTRY_COMPARE(desk.session->trips().rowCount(), 1);
    desk.window->openRearm(desk.session->agents().rowAt(0).id, {});
    QTRY_VERIFY(desk.rearmDialog() && desk.rearmDialog()->isVisible());
    QDialog *dialog = desk.rearmDialog();
    const auto *hold = find<QAbstractButton>(dialog, "holdButton");
    const auto *cancel = find<QAbstractButton>(dialog, "cancelButton");
    QTest::qWait(20);
    const QRect holdsAt(hold->mapToGlobal(QPoint()), hold->size());
    const QRect cancelsAt(cancel->mapToGlobal(QPoint()), cancel->size());
    QVERIFY(!holdsAt.intersects(cancelsAt));
    // New trips and acknowledgements move what is above; what is pressed stays under the pointer, or is nothing.
    find<QAbstractButton>(dialog, "dialogAcknowledgeButton")->click();
    desk.call("billing", "t-2", "list_orders", "{}", 3);
    QTRY_VERIFY(find<QAbstractButton>(dialog, "lookAgainButton")->isVisible());
    find<QAbstractButton>(dialog, "lookAgainButton")->click();
    QTest::qWait(20);
    QCOMPARE(QRect(hold->mapToGlobal(QPoint()), hold->size()), holdsAt);
    QCOMPARE(QRect(cancel->mapToGlobal(QPoint()), cancel->size()), cancelsAt);
    dialog->close();
}

QTEST_MAIN(TestActs)
#include "tst_acts.moc"

// One re-arm of several trips of one agent, with one reason: each is an act of its own in the log; and where somebody
// else moves the agent in between, the desk says what was done and what was not, and keeps the words.
#include "tests/views/desk_fixture.h"

#include "views/plain_label.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>

using namespace handreset;
using test::DeskFixture;

namespace {

constexpr int kHold = 1'700; ///< a little longer than the button asks
const QString kReason = QStringLiteral("Invoice 2231 was a duplicate, ticket 8841");

} // namespace

class TestRearmSeveral : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { views::applyTheme(*qApp, views::Theme::Dark); }
    void oneReasonReArmsAllThatIsTicked_data();
    void oneReasonReArmsAllThatIsTicked();
    void whatFailsInBetweenIsSaid();

private:
    /// Opens the agent's dialogue with this many trips ticked, and fills in all but the hold.
    static QDialog *ready(DeskFixture &desk, int trips);
    static void hold(QDialog *dialog);
    static QString result(const QDialog *dialog)
    {
        return dialog->findChild<views::PlainLabel *>(QStringLiteral("resultWords"))->plain();
    }
};

QDialog *TestRearmSeveral::ready(DeskFixture &desk, int trips)
{
    for (int i = 1; i <= trips; ++i)
        desk.call("billing", qPrintable(QStringLiteral("t-%1").arg(i)), "lookup_invoice", R"({"id": 2231})", 3);
    if (!QTest::qWaitFor([&] { return desk.session->trips().rowCount() == trips; }))
        return nullptr;
    for (int i = 0; i < trips; ++i)
        desk.session->acknowledge(desk.session->trips().rowAt(i).id);
    if (!QTest::qWaitFor([&] { return desk.session->counts().unacknowledged == 0; }))
        return nullptr;
    desk.window->openRearm(desk.session->agents().rowAt(0).id, {});
    if (!QTest::qWaitFor([&] { return desk.rearmDialog() && desk.rearmDialog()->isVisible(); }))
        return nullptr;
    QDialog *dialog = desk.rearmDialog();
    for (auto *stay : dialog->findChildren<QAbstractButton *>()) {
        if (stay->objectName().startsWith(QStringLiteral("decide_"))
            && stay->objectName().endsWith(QStringLiteral("_stay")))
            stay->click();
    }
    dialog->findChild<QComboBox *>(QStringLiteral("causeCombo"))->setCurrentIndex(1);
    dialog->findChild<QLineEdit *>(QStringLiteral("reasonEdit"))->setText(kReason);
    return dialog;
}

void TestRearmSeveral::hold(QDialog *dialog)
{
    auto *button = dialog->findChild<QAbstractButton *>(QStringLiteral("holdButton"));
    QTRY_VERIFY(button->isEnabled());
    QTest::mousePress(button, Qt::LeftButton);
    QTest::qWait(kHold);
    QTest::mouseRelease(button, Qt::LeftButton);
}

void TestRearmSeveral::oneReasonReArmsAllThatIsTicked_data()
{
    QTest::addColumn<int>("trips");
    QTest::newRow("two") << 2;
    QTest::newRow("three") << 3;
}

void TestRearmSeveral::oneReasonReArmsAllThatIsTicked()
{
    QFETCH(int, trips);
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    QDialog *dialog = ready(desk, trips);
    QVERIFY(dialog);
    const rules::Revision seen = desk.session->subject()->agent.revision;
    QCOMPARE(dialog->findChildren<QCheckBox *>().size(), trips);
    hold(dialog);
    QTRY_VERIFY2(!desk.rearmDialog(), desk.rearmDialog() ? qPrintable(result(desk.rearmDialog())) : "");
    const auto rearmed = desk.log<rules::TripRearmed>();
    QCOMPARE(static_cast<int>(rearmed.size()), trips);
    QVERIFY(desk.log<rules::ActRefused>().empty());
    rules::Revision before;
    for (const rules::TripRearmed &one : rearmed) {
        QCOMPARE(one.to, rules::Rung::Degraded);
        QCOMPARE(one.by, desk.ana());
        QCOMPARE(QString::fromStdString(one.reason), kReason);
        if (before.value == 0)
            QCOMPARE(one.revisionSeen, seen);
        else
            QVERIFY(one.revisionSeen > before);
        before = one.revisionSeen;
    }
    QTRY_VERIFY(!desk.session->subject()->trips.empty());
    for (const live::TripDetail &trip : desk.session->subject()->trips)
        QCOMPARE(trip.trip.subject.signal, rules::Signal::Probation);
}

void TestRearmSeveral::whatFailsInBetweenIsSaid()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    // Another person acts after the first re-arm is in the log and before this desk sends the second.
    bool moved = false;
    connect(desk.session.get(), &live::DeskSession::actMoved, this, [&](const live::ActState &act) {
        if (act.kind != live::ActKind::Rearm || act.stage != live::ActStage::Committed || std::exchange(moved, true))
            return;
        static_cast<void>(engine::submitAndWait(
            *desk.host, rules::StopAgent{.agent = "billing", .to = rules::Rung::Degraded, .by = "ben", .reason = {}}));
    });
    QDialog *dialog = ready(desk, 3);
    QVERIFY(dialog);
    QStringList titles;
    for (const live::TripDetail &trip : desk.session->subject()->trips)
        titles.append(trip.title);
    hold(dialog);
    QTRY_VERIFY(result(dialog).contains(QStringLiteral("NOT re-armed: ") + titles[1]));
    QCOMPARE(desk.log<rules::TripRearmed>().size(), std::size_t{1});
    const QString said = result(dialog);
    QVERIFY2(said.startsWith(QStringLiteral("Re-armed: %1.").arg(titles[0])), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("since you looked")), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("Not tried: %1.").arg(titles[2])), qPrintable(said));
    QCOMPARE(dialog->findChild<QLineEdit *>(QStringLiteral("reasonEdit"))->text(), kReason);
    auto *again = dialog->findChild<QAbstractButton *>(QStringLiteral("lookAgainButton"));
    QTRY_VERIFY(again->isVisible());

    // Looked at again, the same words serve for what is left: it stood when they were given.
    again->click();
    hold(dialog);
    QTRY_VERIFY2(!desk.rearmDialog(), desk.rearmDialog() ? qPrintable(result(desk.rearmDialog())) : "");
    QCOMPARE(desk.log<rules::TripRearmed>().size(), std::size_t{3});
}

QTEST_MAIN(TestRearmSeveral)
#include "tst_rearm_several.moc"

// The re-arm dialogue under the hands of a newcomer: the arrows choose nothing, a tick moves no button, the keys walk
// from top to bottom, and what it says will hold is what will hold; and the fleet's stop, from the palette to its
// re-arm.
#include "tests/views/desk_fixture.h"

#include "model/live/subject_from_fleet.h"
#include "views/plain_label.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>

using namespace handreset;
using test::DeskFixture;

namespace {

template <class Widget>
[[nodiscard]] Widget *find(const QObject *parent, const char *name)
{
    return parent->findChild<Widget *>(QString::fromLatin1(name));
}

[[nodiscard]] bool saysSomewhere(const QWidget *parent, const QString &words)
{
    const auto labels = parent->findChildren<QLabel *>();
    return std::ranges::any_of(labels, [&](const QLabel *label) { return label->text().contains(words); });
}

/// An agent that was stopped twice, to degraded and to open, with two tasks in its queue, and the dialogue that the
/// stop to degraded asked for.
[[nodiscard]] QDialog *stoppedTwice(DeskFixture &desk)
{
    for (const char *task : {"t-1", "t-2"})
        desk.call("billing", task, "lookup_invoice", "{}");
    for (const rules::Rung rung : {rules::Rung::Degraded, rules::Rung::Open})
        static_cast<void>(engine::submitAndWait(
            *desk.host, rules::StopAgent{.agent = "billing", .to = rung, .by = "ben", .reason = "a leaked key"}));
    for (const char *task : {"t-1", "t-2"})
        desk.call("billing", task, "lookup_invoice", "{}");
    const live::DeskSession &session = *desk.session;
    if (!QTest::qWaitFor([&] { return session.trips().rowCount() == 2 && session.queue().rowCount() == 2; }))
        return nullptr;
    const live::TripRow &first = session.trips().rowAt(0);
    const rules::TripId degraded = first.rung == rules::Rung::Degraded ? first.id : session.trips().rowAt(1).id;
    desk.window->openRearm(session.agents().rowAt(0).id, degraded);
    if (!QTest::qWaitFor([&] { return desk.rearmDialog() && desk.rearmDialog()->isVisible(); }))
        return nullptr;
    QDialog *dialog = desk.rearmDialog();
    dialog->activateWindow();
    static_cast<void>(QTest::qWaitForWindowActive(dialog));
    return dialog;
}

/// A picture, dark and light, where a folder for them is named.
void keep(QWidget *widget, const char *name)
{
    const QString folder = qEnvironmentVariable("HANDRESET_PICTURES");
    if (folder.isEmpty())
        return;
    for (const auto &[theme, word] : {std::pair(views::Theme::Light, "light"), std::pair(views::Theme::Dark, "dark")}) {
        views::applyTheme(*qApp, theme);
        QTest::qWait(100);
        const QString file = QStringLiteral("%1_%2.png").arg(QLatin1String(name), QLatin1String(word));
        QVERIFY(widget->grab().save(QDir(folder).filePath(file)));
    }
}

} // namespace

class TestRearmDesk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { views::applyTheme(*qApp, views::Theme::Dark); }
    void theArrowsChooseNothing();
    void aTickMovesNoButton();
    void tabWalksFromTopToBottom();
    void whatHoldsOnIsSaid();
    void whoStoppedItIsSaidAndTheReasonCanBeGiven();
    void theFleetsStopFromPaletteToReArm();
    void aSecondPersonIsNamedWhereOneIsAsked();
};

void TestRearmDesk::theArrowsChooseNothing()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    QDialog *dialog = stoppedTwice(desk);
    QVERIFY(dialog);
    const QString task = QStringLiteral("t-2");
    const auto button = [&](const char *verb) {
        return dialog->findChild<QPushButton *>(QStringLiteral("decide_%1_%2").arg(task, QLatin1String(verb)));
    };
    const auto said
        = [&] { return dialog->findChild<views::PlainLabel *>(QStringLiteral("consequence_%1").arg(task))->plain(); };
    QVERIFY(said().contains(QStringLiteral("ended for good"))); // before anything is chosen
    QVERIFY(DeskFixture::tabTo(button("resume")->objectName()));
    DeskFixture::press(Qt::Key_Space);
    QVERIFY(button("resume")->isChecked());
    QVERIFY(button("resume")->text().startsWith(QStringLiteral("✔")));
    const QRect before = button("abandon")->geometry();
    DeskFixture::press(Qt::Key_Right);
    QVERIFY(button("abandon")->hasFocus());
    QVERIFY(button("resume")->isChecked() && !button("abandon")->isChecked());
    DeskFixture::press(Qt::Key_Return);
    QVERIFY(button("abandon")->isChecked() && !button("resume")->isChecked());
    QCOMPARE(said(), QStringLiteral("%1 will be ended for good").arg(task));
    QCOMPARE(button("abandon")->geometry(), before);
    keep(dialog, "choice");
    DeskFixture::press(Qt::Key_Space); // what is chosen stays chosen
    QVERIFY(button("abandon")->isChecked());
    QVERIFY(dialog->isVisible());
    QVERIFY(desk.log<rules::TripRearmed>().empty());
}

void TestRearmDesk::aTickMovesNoButton()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    QDialog *dialog = stoppedTwice(desk);
    QVERIFY(dialog);
    QWidget *const content = find<QWidget>(dialog, "causeCombo")->parentWidget();
    std::vector<QWidget *> watched{find<QWidget>(dialog, "causeCombo"), find<QWidget>(dialog, "reasonEdit")};
    for (auto *choice : dialog->findChildren<QPushButton *>()) {
        if (choice->objectName().startsWith(QStringLiteral("decide_")))
            watched.push_back(choice);
    }
    QVERIFY(watched.size() > 2);
    const auto places = [&] {
        std::vector<QPoint> at;
        for (const QWidget *widget : watched)
            at.push_back(widget->mapTo(content, QPoint()));
        return at;
    };
    QTest::qWait(50);
    const auto before = places();
    for (auto *tick : dialog->findChildren<QCheckBox *>()) {
        tick->toggle();
        QTest::qWait(50);
        QVERIFY(places() == before);
    }
}

void TestRearmDesk::tabWalksFromTopToBottom()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    QDialog *dialog = stoppedTwice(desk);
    QVERIFY(dialog);
    QTRY_VERIFY(find<QWidget>(dialog, "cancelButton")->hasFocus());
    find<QComboBox>(dialog, "causeCombo")->setCurrentIndex(1);
    QStringList walked;
    for (int i = 0; i < 40; ++i) {
        DeskFixture::press(Qt::Key_Tab);
        walked.append(QApplication::focusWidget()->objectName());
        if (walked.last() == QStringLiteral("cancelButton"))
            break;
    }
    const auto at = [&](const QString &start) {
        return std::ranges::find_if(walked, [&](const QString &name) { return name.startsWith(start); })
            - walked.begin();
    };
    QCOMPARE(walked.front(), QStringLiteral("targetCombo"));
    QCOMPARE(walked.back(), QStringLiteral("cancelButton"));
    const char *const order[] = {"targetCombo", "tick_", "decide_", "causeCombo", "reasonEdit", "cancelButton"};
    for (std::size_t i = 1; i < std::size(order); ++i)
        QVERIFY2(at(QLatin1String(order[i - 1])) < at(QLatin1String(order[i])), qPrintable(walked.join(u' ')));

    // Enter in the reason neither acts nor loses the words.
    auto *reason = find<QLineEdit>(dialog, "reasonEdit");
    reason->setFocus();
    reason->setText(QStringLiteral("half a reason"));
    DeskFixture::press(Qt::Key_Return);
    DeskFixture::press(Qt::Key_Enter);
    QVERIFY(dialog->isVisible());
    QCOMPARE(reason->text(), QStringLiteral("half a reason"));
}

void TestRearmDesk::whatHoldsOnIsSaid()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    QDialog *dialog = stoppedTwice(desk);
    QVERIFY(dialog);
    QVERIFY(saysSomewhere(dialog, QStringLiteral("lifted, still open, ")));
    QVERIFY(find<views::PlainLabel>(dialog, "afterWords")->plain().contains(QStringLiteral("still open, ")));
}

void TestRearmDesk::whoStoppedItIsSaidAndTheReasonCanBeGiven()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    desk.call("billing", "t-1", "lookup_invoice", "{}");
    static_cast<void>(engine::submitAndWait(
        *desk.host, rules::StopAgent{.agent = "billing", .to = rules::Rung::Open, .by = "ben", .reason = {}}));
    QTRY_COMPARE(desk.session->trips().rowCount(), 1);
    desk.window->openSubject({.agent = desk.session->agents().rowAt(0).id, .breaker = {}});
    auto *evidence = find<QWidget>(desk.window.get(), "evidence");
    QTRY_VERIFY(saysSomewhere(evidence, QStringLiteral("ben at ")));
    QVERIFY(desk.session->subject()->trips.front().measured.startsWith(QStringLiteral("by ben at ")));
    auto *give = find<QPushButton>(desk.window.get(), "giveReasonButton");
    QVERIFY(give && give->isVisible());
    keep(desk.window.get(), "stop");
    give->click();
    QDialog *dialog = find<QDialog>(desk.window.get(), "stopReasonDialog");
    QTRY_VERIFY(dialog && dialog->isVisible());
    find<QLineEdit>(dialog, "reasonEdit")->setText(QStringLiteral("It read mail that is not its own"));
    find<QPushButton>(dialog, "doButton")->click();
    QTRY_COMPARE(desk.log<rules::ReasonGiven>().size(), std::size_t{1});
    QCOMPARE(desk.log<rules::ReasonGiven>().front().by, desk.ana());
    QTRY_VERIFY(!give->isVisible());
    QVERIFY(saysSomewhere(evidence, QStringLiteral("It read mail that is not its own")));
}

void TestRearmDesk::theFleetsStopFromPaletteToReArm()
{
    DeskFixture desk;
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    desk.call("billing", "t-1", "lookup_invoice", "{}");
    desk.call("support", "t-2", "read_mail", "{}");
    QTRY_COMPARE(desk.session->agents().rowCount(), 2);
    DeskFixture::press(Qt::Key_K, Qt::ControlModifier);
    QTRY_COMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("paletteEdit"));
    keep(find<QDialog>(desk.window.get(), "paletteDialog"), "palette");
    DeskFixture::type(QStringLiteral("stop the"));
    DeskFixture::press(Qt::Key_Return);
    QDialog *asked = nullptr;
    QTRY_VERIFY((asked = find<QDialog>(desk.window.get(), "stopFleetDialog")) && asked->isVisible());
    auto *word = find<QLineEdit>(asked, "stopWordEdit");
    keep(asked, "stop_fleet");
    QVERIFY(!find<QPushButton>(asked, "stopFleetButton")->isEnabled());
    QTest::keyClick(word, Qt::Key_Return);
    QVERIFY(asked->isVisible());
    QTest::keyClicks(word, QStringLiteral("stop"));
    QTest::keyClick(word, Qt::Key_Return);
    QTRY_COMPARE(desk.session->agents().rowAt(0).rung, rules::Rung::Open);
    QTRY_COMPARE(desk.session->agents().rowAt(1).rung, rules::Rung::Open);
    desk.call("billing", "t-1", "lookup_invoice", "{}"); // both wait now
    desk.call("support", "t-2", "read_mail", "{}");
    QTRY_COMPARE(desk.session->queue().rowCount(), 2);

    // Asked for from one agent's page it is the fleet's: its name, all its tasks, and whom it lets go.
    const rules::AgentId agent = desk.session->agents().rowAt(0).id;
    desk.window->openSubject({.agent = agent, .breaker = {}});
    QTRY_VERIFY(desk.session->subject() && desk.session->subject()->agent.id == agent);
    desk.window->openRearm(agent, {});
    QTRY_VERIFY(desk.rearmDialog() && desk.rearmDialog()->isVisible());
    QDialog *dialog = desk.rearmDialog();
    keep(dialog, "rearm_fleet");
    QCOMPARE(dialog->windowTitle(), QStringLiteral("Re-arm the fleet"));
    const QString after = find<views::PlainLabel>(dialog, "fleetWords")->plain();
    QVERIFY2(after.contains(QStringLiteral("holds the whole fleet: 2 agents go")), qPrintable(after));
    QVERIFY(find<QLineEdit>(dialog, "nameEdit")->placeholderText().contains(QStringLiteral("the fleet")));
    QVERIFY(find<QPushButton>(dialog, "decide_t-1_stay") && find<QPushButton>(dialog, "decide_t-2_stay"));
    QVERIFY(saysSomewhere(dialog, QStringLiteral("support, task t-2")));
}

void TestRearmDesk::aSecondPersonIsNamedWhereOneIsAsked()
{
    rules::Policy policy;
    policy.approval.signals.push_back(rules::Signal::Operator);
    rules::Fleet fleet;
    fleet.policy = std::make_shared<const rules::Policy>(policy);
    rules::Trip stop;
    stop.id = rules::TripId{7};
    stop.subject.signal = rules::Signal::Operator;
    stop.reach = rules::Reach::Fleet;
    fleet.trips[stop.id] = stop;
    const auto whoLifts = [&](bool isUnsigned) {
        fleet.isUnsigned = isUnsigned;
        const auto detail = live::subjectDetail(fleet, {.agent = {}, .breaker = {}, .fleet = true}, {}, {});
        return detail.trips.front().whoLifts;
    };
    QCOMPARE(whoLifts(false), QStringLiteral("two persons"));
    QCOMPARE(whoLifts(true), QStringLiteral("a person")); // there nobody is asked besides
}

QTEST_MAIN(TestRearmDesk)
#include "tst_rearm_desk.moc"

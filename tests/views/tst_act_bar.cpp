// The lines at the foot of the window: what is not as it should be stays until it is; words stay until they are taken.
#include "tests/live/fake_host.h"

#include "model/live/desk_session.h"
#include "views/act_bar.h"
#include "views/desk_style.h"
#include "views/plain_label.h"

#include <QApplication>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace handreset;
using test::FakeHost;

namespace {

struct Bar {
    engine::FakeClock clock{rules::Instant{1'796'040'000'000'000}};
    FakeHost host{clock};
    live::DeskSession session{host, clock, QStringLiteral("ana")};
    views::ActBar bar{session};

    Bar()
    {
        bar.resize(1'200, bar.sizeHint().height());
        session.start();
        host.beat();
        call("support", "t-0", "read_mail");
        static_cast<void>(QTest::qWaitFor([this] { return session.agents().rowCount() == 1; }));
    }
    void call(const char *agent, const char *task, const char *tool)
    {
        host.decide(
            rules::AskCall{.agent = agent, .task = task, .session = {}, .parent = {}, .tool = tool, .arguments = "{}"});
    }
    void trip(const char *agent)
    {
        for (int i = 0; i < 3; ++i)
            call(agent, "t-9", "lookup");
    }
    quint64 stop() { return session.stop(session.agents().rowAt(0), rules::Rung::Open); }
    template <class Widget>
    [[nodiscard]] Widget *find(const char *name) const
    {
        return bar.findChild<Widget *>(QString::fromLatin1(name));
    }
    [[nodiscard]] QString words(const char *name) const
    {
        const auto *label = find<views::PlainLabel>(name);
        return label && !label->isHidden() ? label->plain() : QString();
    }
    [[nodiscard]] std::size_t reasons() const
    {
        std::size_t count = 0;
        for (const rules::Event &event : host.log)
            count += std::holds_alternative<rules::ReasonGiven>(event.payload) ? 1 : 0;
        return count;
    }
};

} // namespace

class TestActBar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { views::applyTheme(*qApp, views::Theme::Light); }
    void aStopNotInForceStaysUntilItIs();
    void unconfirmedStaysUntilDismissed();
    void aReasonStaysUntilItIsAccepted();
    void everyStopIsAskedAbout();
    void whatWasInFlightIsListed();
    void aJumpedClockAsksForAWord();
    void aFailingStoreAsksForAWord();
};

void TestActBar::aStopNotInForceStaysUntilItIs()
{
    Bar desk;
    desk.host.unreachable = true;
    desk.stop();
    QTRY_VERIFY(desk.words("standingMore").contains(QStringLiteral("NOT in force")));
    // A newer act and a new trip take the line for news, and not this one.
    desk.session.acknowledge(rules::TripId{1});
    desk.trip("billing");
    QTRY_VERIFY(desk.words("actWords").contains(QStringLiteral("billing tripped")));
    QVERIFY(desk.words("standingMore").contains(QStringLiteral("NOT in force")));
    desk.host.unreachable = false;
    QTRY_VERIFY_WITH_TIMEOUT(!desk.find<QWidget>("standingWords"), 5'000);
    QTRY_COMPARE(desk.host.fleet().agent(rules::AgentId{1}).rung, rules::Rung::Open);
}

void TestActBar::unconfirmedStaysUntilDismissed()
{
    Bar desk;
    desk.host.holdCommits = true;
    desk.stop();
    QTRY_VERIFY(desk.words("actMore").contains(QStringLiteral("committed")));
    desk.clock.advance(rules::seconds(6));
    QTRY_VERIFY_WITH_TIMEOUT(desk.words("standingMore").contains(QStringLiteral("UNCONFIRMED")), 5'000);
    desk.bar.tell(QStringLiteral("news"));
    desk.session.acknowledge(rules::TripId{1});
    QTest::qWait(50);
    QVERIFY(desk.words("standingMore").contains(QStringLiteral("UNCONFIRMED")));
    QVERIFY(!desk.find<QPushButton>("stopAgainButton")->isHidden());
    desk.find<QPushButton>("dismissButton")->click();
    QTRY_VERIFY(!desk.find<QWidget>("standingWords"));
    // Dismissed is not resolved: when it is seen back, that is told like any other.
    desk.host.release();
    QTRY_COMPARE(desk.session.publishedSeq(), desk.host.fleet().seq);
    QVERIFY(!desk.find<QWidget>("standingWords"));
}

void TestActBar::aReasonStaysUntilItIsAccepted()
{
    Bar desk;
    const quint64 number = desk.stop();
    auto *field = desk.find<QLineEdit>("stopReasonEdit");
    QTRY_VERIFY(!field->isHidden() && desk.session.act(number)->isInForce());
    QTRY_VERIFY(!field->parentWidget()->isHidden());
    field->setText(QStringLiteral("too short"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(!field->parentWidget()->isHidden());
    QCOMPARE(field->text(), QStringLiteral("too short"));
    QVERIFY(desk.words("stopReasonEditTrouble").contains(QStringLiteral("at least 10 characters")));
    QCOMPARE(desk.reasons(), std::size_t{0});
    // The host's own no is said beside the words as well.
    desk.host.unreachable = true;
    field->setText(QStringLiteral("It reads mail that is not its own"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_VERIFY(desk.words("stopReasonEditTrouble").contains(QStringLiteral("NOT done")));
    QCOMPARE(field->text(), QStringLiteral("It reads mail that is not its own"));
    desk.host.unreachable = false;
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(desk.reasons(), std::size_t{1});
    QTRY_VERIFY(field->parentWidget()->isHidden());
}

void TestActBar::everyStopIsAskedAbout()
{
    Bar desk;
    desk.call("billing", "t-1", "lookup");
    QTRY_COMPARE(desk.session.agents().rowCount(), 2);
    desk.session.stop(desk.session.agents().rowAt(0), rules::Rung::Open);
    auto *field = desk.find<QLineEdit>("stopReasonEdit");
    QTRY_VERIFY(!field->parentWidget()->isHidden());
    field->setText(QStringLiteral("half a sent"));
    desk.session.stop(desk.session.agents().rowAt(1), rules::Rung::Open);
    QTest::qWait(50);
    QCOMPARE(field->text(), QStringLiteral("half a sent")); // a second stop does not take the words of the first
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(desk.reasons(), std::size_t{1});
    QTRY_VERIFY(!field->parentWidget()->isHidden() && field->text().isEmpty());
    field->setText(QStringLiteral("the other one too"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(desk.reasons(), std::size_t{2});
}

void TestActBar::whatWasInFlightIsListed()
{
    Bar desk;
    desk.call("support", "t-0", "send_mail");
    desk.stop();
    QTRY_VERIFY2(desk.words("stopInFlightWords").contains(QStringLiteral("send_mail")),
                 qPrintable(desk.words("stopInFlightWords")));
    QVERIFY(desk.words("stopInFlightWords").contains(QStringLiteral("read_mail")));
}

void TestActBar::aJumpedClockAsksForAWord()
{
    Bar desk;
    auto *button = desk.find<QPushButton>("hostWordButton");
    QVERIFY(button->parentWidget()->isHidden());
    desk.clock.jumpWall(rules::hours(3));
    desk.host.decide(rules::Tick{});
    desk.host.beat();
    QTRY_VERIFY(!button->parentWidget()->isHidden());
    button->click();
    auto *dialog = desk.find<QDialog>("hostWordDialog");
    QVERIFY(dialog);
    auto *act = dialog->findChild<QPushButton *>(QStringLiteral("doButton"));
    auto *reason = dialog->findChild<QLineEdit *>(QStringLiteral("reasonEdit"));
    QVERIFY(!act->isEnabled());
    reason->setText(QStringLiteral("short"));
    QVERIFY(!act->isEnabled());
    reason->setText(QStringLiteral("the machine had slept, the time is right"));
    QTest::keyClick(reason, Qt::Key_Return); // Enter in the field neither acts nor loses the words
    QVERIFY(dialog->isVisible() && !desk.host.fleet().clockTrusted);
    QVERIFY(act->isEnabled());
    act->click();
    QTRY_VERIFY(desk.host.fleet().clockTrusted);
    QTRY_VERIFY(button->parentWidget()->isHidden());
}

void TestActBar::aFailingStoreAsksForAWord()
{
    Bar desk;
    desk.host.health = engine::StoreHealth::Failing;
    desk.host.trouble = "The store could not be written: no space left on device.";
    desk.host.unreachable = true;
    desk.host.beat();
    auto *button = desk.find<QPushButton>("hostWordButton");
    QTRY_VERIFY(!button->parentWidget()->isHidden());
    button->click();
    auto *dialog = desk.find<QDialog>("hostWordDialog");
    QVERIFY(dialog);
    auto *reason = dialog->findChild<QLineEdit *>(QStringLiteral("reasonEdit"));
    reason->setText(QStringLiteral("the disk has room again"));
    dialog->findChild<QPushButton *>(QStringLiteral("doButton"))->click();
    auto *result = dialog->findChild<views::PlainLabel *>(QStringLiteral("resultWords"));
    QTRY_VERIFY(result->plain().startsWith(QStringLiteral("NOT done")));
    QCOMPARE(reason->text(), QStringLiteral("the disk has room again"));
    desk.host.unreachable = false;
    dialog->findChild<QPushButton *>(QStringLiteral("doButton"))->click();
    QTRY_VERIFY(!desk.find<QDialog>("hostWordDialog"));
    bool trusted = false;
    for (const rules::Event &event : desk.host.log)
        trusted = trusted || std::holds_alternative<rules::StoreTrusted>(event.payload);
    QVERIFY(trusted);
}

QTEST_MAIN(TestActBar)
#include "tst_act_bar.moc"

// A re-arm that loses a race writes nothing, keeps the words, and says so; a store that fails says NOT re-armed.
#include "tests/live/fake_host.h"

#include "model/live/desk_session.h"
#include "views/desk_style.h"
#include "views/dialogs/rearm_dialog.h"
#include "views/plain_label.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPointer>
#include <QTest>

using namespace handreset;
using test::FakeHost;

namespace {

struct Race {
    engine::FakeClock clock{rules::Instant{1'796'040'000'000'000}};
    FakeHost host{clock};
    live::DeskSession session{host, clock, QStringLiteral("ana")};
    qint64 held = 0;

    Race()
    {
        session.start();
        host.beat();
        for (int i = 0; i < 3; ++i)
            call("t-1", "lookup");
    }
    void call(const char *task, const char *tool)
    {
        host.decide(rules::AskCall{.agent = "billing", .task = task, .session = {}, .parent = {}, .tool = tool, .arguments = "{}"});
    }
    [[nodiscard]] std::size_t rearms() const
    {
        std::size_t count = 0;
        for (const rules::Event &event : host.log)
            count += std::holds_alternative<rules::TripRearmed>(event.payload) ? 1 : 0;
        return count;
    }
    /// A dialogue in which only the hold is missing.
    [[nodiscard]] views::RearmDialog *ready()
    {
        const rules::TripId trip = host.fleet().trips.begin()->first;
        session.acknowledge(trip);
        session.setFocus({.agent = rules::AgentId{1}, .breaker = {}});
        if (!QTest::qWaitFor([&] { return session.subject() && !session.subject()->trips.empty()
                                       && session.subject()->trips.front().trip.acknowledgedBy.isSet(); }))
            return nullptr;
        auto *dialog = new views::RearmDialog(session, session.subject(), trip, nullptr, [this] { return held; });
        dialog->show();
        dialog->findChild<QComboBox *>(QStringLiteral("causeCombo"))->setCurrentIndex(1);
        dialog->findChild<QLineEdit *>(QStringLiteral("reasonEdit"))->setText(QStringLiteral("the invoice was a duplicate"));
        dialog->findChild<QAbstractButton *>(QStringLiteral("decide_t-1_stay"))->click();
        return dialog;
    }
    void hold(views::RearmDialog *dialog)
    {
        auto *button = dialog->findChild<QAbstractButton *>(QStringLiteral("holdButton"));
        QVERIFY(button->isEnabled());
        QTest::mousePress(button, Qt::LeftButton);
        held += 1'600;
        QTest::mouseRelease(button, Qt::LeftButton);
    }
    [[nodiscard]] static QString result(const views::RearmDialog *dialog)
    {
        return dialog->findChild<views::PlainLabel *>(QStringLiteral("resultWords"))->plain();
    }
};

} // namespace

class TestRearmRace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { views::applyTheme(*qApp, views::Theme::Light); }
    void aStaleRevisionWritesNothing();
    void aFailingStoreSaysNotRearmed();
    void confirmedOnlyWhenSeenBack();
};

void TestRearmRace::aStaleRevisionWritesNothing()
{
    Race race;
    views::RearmDialog *dialog = race.ready();
    QVERIFY(dialog);
    // The log moves on, and this desk has not heard of it yet.
    race.host.holdCommits = true;
    for (int i = 0; i < 3; ++i)
        race.call("t-2", "other");
    race.hold(dialog);
    QTRY_VERIFY(Race::result(dialog).startsWith(QStringLiteral("NOT re-armed")));
    QCOMPARE(race.rearms(), std::size_t{0});
    QVERIFY(dialog->isVisible());
    QCOMPARE(dialog->findChild<QLineEdit *>(QStringLiteral("reasonEdit"))->text(), QStringLiteral("the invoice was a duplicate"));
    race.host.release();
    QTRY_VERIFY(dialog->findChild<QAbstractButton *>(QStringLiteral("lookAgainButton"))->isVisible());
    dialog->close();
}

void TestRearmRace::aFailingStoreSaysNotRearmed()
{
    Race race;
    views::RearmDialog *dialog = race.ready();
    QVERIFY(dialog);
    race.host.unreachable = true;
    race.hold(dialog);
    QTRY_VERIFY(Race::result(dialog).startsWith(QStringLiteral("NOT re-armed")));
    race.host.unreachable = false;
    QTest::qWait(50);
    QCOMPARE(race.rearms(), std::size_t{0}); // never tried later by itself
    dialog->close();
}

void TestRearmRace::confirmedOnlyWhenSeenBack()
{
    Race race;
    views::RearmDialog *dialog = race.ready();
    QVERIFY(dialog);
    const QPointer<views::RearmDialog> watched(dialog);
    race.host.holdCommits = true;
    race.hold(dialog);
    QTRY_COMPARE(race.rearms(), std::size_t{1});
    QTRY_VERIFY(Race::result(dialog).contains(QStringLiteral("committed")));
    QVERIFY(watched && watched->isVisible());
    QCOMPARE(race.session.subject()->trips.front().trip.subject.signal, rules::Signal::Repetition);
    race.host.release();
    QTRY_VERIFY(!watched);
    QTRY_COMPARE(race.session.subject()->trips.front().trip.subject.signal, rules::Signal::Probation);
}

QTEST_MAIN(TestRearmRace)
#include "tst_rearm_race.moc"

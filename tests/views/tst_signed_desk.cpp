// The desk on a signed store, driven by keys: the key is unlocked and locked, acts wait for it, second persons are
// asked for, approve and decline, and the audit tells of it.
#include "model/engine/embedded_host.h"
#include "model/live/desk_session.h"
#include "tests/support/signed_store.h"
#include "views/data_trouble.h"
#include "views/desk_style.h"
#include "views/dialogs/fingerprint_dialog.h"
#include "views/dialogs/stop_fleet_dialog.h"
#include "views/header_strip.h"
#include "views/main_window.h"
#include "views/plain_label.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

#include <algorithm>
#include <future>
#include <memory>

namespace handreset::test {

using namespace rules;
using live::OperatorKey;
using views::MainWindow;

class TestSignedDesk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { views::applyTheme(*qApp, views::Theme::Dark); }
    void init();
    void cleanup();
    void aStopAsksForTheKeyAndEnterUnlocks();
    void theFleetsStopAsksForTheKeyToo();
    void escSendsNothingAndSaysSo();
    void theStripSaysWhoAndLocksByKey();
    void oneApproverIsSaid();
    void theLinkIsSaidUntilItIsBack();
    void aRequestIsApprovedByHolding();
    void aRequestIsDeclinedWithWords();
    void onesOwnRequestCanOnlyBeWithdrawn();
    void aResponderMayNotApprove();
    void theRearmDialogAsksForASecondPerson();
    void theAuditIsFilteredByPerson();
    void brokenGlassRingsUntilItIsReviewed();
    void pictures_data();
    void pictures();

private:
    void open(const QString &user);
    void unlock();
    [[nodiscard]] TripId stopAndAcknowledge(const std::string &by);
    [[nodiscard]] Seq requestBy(const std::string &by);
    template <class Widget>
    [[nodiscard]] Widget *find(const char *name) const
    {
        return m_window->findChild<Widget *>(QString::fromLatin1(name));
    }
    [[nodiscard]] QString label(const char *name) const { return find<views::PlainLabel>(name)->plain(); }
    void hold(const char *name) const;
    template <class Payload>
    [[nodiscard]] std::size_t count() const;

    engine::SystemClock m_clock;
    std::unique_ptr<SignedStore> m_store;
    std::unique_ptr<engine::EmbeddedHost> m_host;
    std::unique_ptr<live::DeskSession> m_session;
    std::unique_ptr<MainWindow> m_window;
};

void TestSignedDesk::init()
{
    m_store = std::make_unique<SignedStore>(m_clock.now());
    auto host = engine::EmbeddedHost::start({.storePath = m_store->path,
                                             .pinFolder = {},
                                             .version = "test",
                                             .operatorName = "ana",
                                             .clock = &m_clock,
                                             .open = {}});
    QVERIFY(host.ok());
    m_host = std::move(host).value();
    m_store->enrol(*m_host, "ana", Role::Approver, m_clock.now().wall);
}

void TestSignedDesk::cleanup()
{
    m_window.reset();
    m_session.reset();
    m_host.reset();
    m_store.reset();
}

void TestSignedDesk::open(const QString &user)
{
    m_session = std::make_unique<live::DeskSession>(*m_host, m_clock, user);
    m_window = std::make_unique<MainWindow>(*m_session, m_store->path);
    m_window->resize(1'440, 900);
    m_session->start();
    m_window->show();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QTRY_VERIFY(m_session->operators().isSigned && m_session->freshness().hasData);
    QCOMPARE(m_session->operatorName(), user);
}

void TestSignedDesk::unlock()
{
    auto phrase = trust::Passphrase::take(QString::fromLatin1(kPassphrase));
    m_session->key().unlock(m_session->operatorName(), std::move(*phrase));
    QTRY_COMPARE(m_session->key().state(), OperatorKey::State::Unlocked);
}

/// The fleet's stop and its acknowledgement, by this person; its re-arm takes two.
TripId TestSignedDesk::stopAndAcknowledge(const std::string &by)
{
    const auto stopped = m_store->act(*m_host, by, StopAgent{{}, Rung::Open, {}, "a leaked key"}, m_clock.now().wall);
    const auto *done = std::get_if<ActDone>(&stopped.outcome);
    if (!done)
        qFatal("the fleet was not stopped");
    static_cast<void>(m_store->act(*m_host, by, Acknowledge{done->trip, {}, {}}, m_clock.now().wall));
    return done->trip;
}

Seq TestSignedDesk::requestBy(const std::string &by)
{
    const TripId trip = stopAndAcknowledge(by);
    const auto fleet = SignedStore::fleet(*m_host);
    Rearm rearm;
    rearm.trip = trip;
    rearm.revision = fleet->revisionOf(*fleet->trip(trip));
    rearm.cause = "drill";
    rearm.reason = "the key was changed, ticket 8841";
    rearm.to = Rung::Closed;
    const auto reply = m_store->act(*m_host, by, rearm, m_clock.now().wall);
    if (const auto *error = std::get_if<Error>(&reply.outcome))
        qFatal("%s", error->message.c_str());
    return std::get<ActDone>(reply.outcome).request;
}

void TestSignedDesk::hold(const char *name) const
{
    auto *button = find<QAbstractButton>(name);
    QTest::mousePress(button, Qt::LeftButton);
    QTest::qWait(1'600);
    QTest::mouseRelease(button, Qt::LeftButton);
}

template <class Payload>
std::size_t TestSignedDesk::count() const
{
    std::promise<std::size_t> promise;
    engine::EventQuery query;
    query.limit = 100'000;
    m_host->readEvents(query, [&](Result<std::vector<Event>> read) {
        std::size_t found = 0;
        for (const Event &event : *read)
            found += std::holds_alternative<Payload>(event.payload) ? 1U : 0U;
        promise.set_value(found);
    });
    return promise.get_future().get();
}

void TestSignedDesk::aStopAsksForTheKeyAndEnterUnlocks()
{
    open(QStringLiteral("ana"));
    m_session->stopFleet();
    QTRY_VERIFY(find<QDialog>("unlockDialog") && find<QDialog>("unlockDialog")->isVisible());
    auto *dialog = find<QDialog>("unlockDialog");
    QVERIFY(label("waitingWords").contains(QStringLiteral("stop the fleet")));
    auto *field = find<QLineEdit>("passphraseEdit");
    QCOMPARE(field->echoMode(), QLineEdit::Password);
    QTRY_VERIFY(field->hasFocus());
    QTest::keyClicks(field, QStringLiteral("wrong horse battery"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_VERIFY2(label("unlockWords").contains(QStringLiteral("passphrase")), qPrintable(label("unlockWords")));
    QTRY_VERIFY(field->isEnabled());
    QVERIFY(field->text().isEmpty());
    QCOMPARE(count<TripFired>(), std::size_t{0});
    QTest::keyClicks(field, QString::fromLatin1(kPassphrase));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(m_session->counts().fleetRung, Rung::Open);
    QTRY_VERIFY(!find<QDialog>("unlockDialog"));
    Q_UNUSED(dialog);
    QCOMPARE(count<TripFired>(), std::size_t{1});
}

void TestSignedDesk::theFleetsStopAsksForTheKeyToo()
{
    open(QStringLiteral("ana"));
    (new views::StopFleetDialog(*m_session, m_window.get()))->open();
    find<QLineEdit>("stopWordEdit")->setText(QStringLiteral("stop"));
    find<QAbstractButton>("stopFleetButton")->click(); // its own dialogue is gone from here on
    QTRY_VERIFY(find<QDialog>("unlockDialog") && find<QDialog>("unlockDialog")->isVisible());
    QTest::qWait(50);
    QVERIFY(find<QDialog>("unlockDialog"));
    QTest::keyClicks(find<QLineEdit>("passphraseEdit"), QString::fromLatin1(kPassphrase));
    QTest::keyClick(find<QLineEdit>("passphraseEdit"), Qt::Key_Return);
    QTRY_COMPARE(m_session->counts().fleetRung, Rung::Open);
}

void TestSignedDesk::escSendsNothingAndSaysSo()
{
    open(QStringLiteral("ana"));
    m_session->stopFleet();
    QTRY_VERIFY(find<QDialog>("unlockDialog"));
    QTest::keyClick(find<QLineEdit>("passphraseEdit"), Qt::Key_Escape);
    QTRY_VERIFY(!find<QDialog>("unlockDialog"));
    QTRY_VERIFY2(label("actWords").contains(QStringLiteral("NOT done")), qPrintable(label("actWords")));
    QVERIFY(label("actMore").contains(QStringLiteral("nothing was sent")));
    QCOMPARE(count<TripFired>(), std::size_t{0});
}

void TestSignedDesk::theStripSaysWhoAndLocksByKey()
{
    open(QStringLiteral("ana"));
    auto *strip = m_window->findChild<views::HeaderStrip *>();
    QTRY_COMPARE(strip->state().operatorName, QStringLiteral("ana"));
    QCOMPARE(strip->state().role, QStringLiteral("approver"));
    QCOMPARE(strip->state().key, QStringLiteral("key locked"));
    QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier);
    QTRY_VERIFY(find<QDialog>("unlockDialog"));
    QTest::keyClicks(find<QLineEdit>("passphraseEdit"), QString::fromLatin1(kPassphrase));
    QTest::keyClick(find<QLineEdit>("passphraseEdit"), Qt::Key_Return);
    QTRY_VERIFY(strip->state().keyUnlocked);
    QVERIFY2(strip->state().key.startsWith(QStringLiteral("key unlocked, ")), qPrintable(strip->state().key));
    QTRY_VERIFY(!find<QDialog>("unlockDialog"));
    QTest::mouseClick(find<QAbstractButton>("keyButton"), Qt::LeftButton);
    QTRY_COMPARE(strip->state().key, QStringLiteral("key locked"));
}

void TestSignedDesk::oneApproverIsSaid()
{
    open(QStringLiteral("ana"));
    const auto *strip = m_window->findChild<views::HeaderStrip *>();
    QTRY_VERIFY(strip->state().standing.contains(QStringLiteral("only break glass")));
    m_store->enrol(*m_host, "ben", Role::Approver, m_clock.now().wall, "ana", false);
    QTRY_VERIFY(strip->state().standing.isEmpty());
}

void TestSignedDesk::theLinkIsSaidUntilItIsBack()
{
    open(QStringLiteral("ana"));
    const auto *strip = m_window->findChild<views::HeaderStrip *>();
    QVERIFY(strip->state().link.isEmpty()); // hosted here
    m_session->setLink({QStringLiteral("ops:7431"), true, {}});
    QCOMPARE(strip->state().link, QStringLiteral("link to ops:7431: live"));
    m_session->setLink({QStringLiteral("ops:7431"), false, QStringLiteral("no route to it")});
    QCOMPARE(strip->state().link, QStringLiteral("link to ops:7431: cut, trying again"));
    QVERIFY(strip->state().linkCut);
    QVERIFY(strip->state().linkHelp.contains(QStringLiteral("no route to it")));
    live::Freshness stale = m_session->freshness();
    QVERIFY(!views::dataTrouble(stale)); // cut this very moment: what is shown is fresh yet
    stale.stale = true;
    const auto trouble = views::dataTrouble(stale);
    QVERIFY(trouble && trouble->title.contains(QStringLiteral("ops:7431")));
    QVERIFY(trouble->words.contains(QStringLiteral("no route to it")));
}

void TestSignedDesk::aRequestIsApprovedByHolding()
{
    m_store->enrol(*m_host, "ben", Role::Approver, m_clock.now().wall, "ana", false);
    open(QStringLiteral("ana"));
    unlock();
    const Seq request = requestBy("ben");
    const auto *strip = m_window->findChild<views::HeaderStrip *>();
    QTRY_COMPARE(strip->state().requests, 1);
    QTRY_VERIFY2(label("actWords").contains(QStringLiteral("Waits for you")), qPrintable(label("actWords")));
    find<QPushButton>("showTripButton")->click();
    QTRY_VERIFY(find<QWidget>("requestPanel")->isVisible());
    QVERIFY(label("requestWho").contains(QStringLiteral("ben on ben-laptop")));
    QVERIFY(label("requestWhyTwo").contains(QStringLiteral("lifts the fleet's stop")));
    QVERIFY(label("requestReason").contains(QStringLiteral("ticket 8841")));
    QVERIFY(find<QPlainTextEdit>("requestChanges")->toPlainText().contains(QStringLiteral("from open to closed")));
    auto *approve = find<QAbstractButton>("approveButton");
    QTRY_VERIFY(approve->isEnabled());
    QTest::keyClick(approve, Qt::Key_Return); // Enter never approves
    approve->setFocus();
    QTest::mouseClick(approve, Qt::LeftButton); // nor does a click
    QTest::qWait(50);
    QCOMPARE(count<RequestEnded>(), std::size_t{0});
    hold("approveButton");
    QTRY_COMPARE(m_session->counts().fleetRung, Rung::Closed);
    QTRY_COMPARE(m_session->requests().rowOf(request.value)->state, live::RequestState::Approved);
    QCOMPARE(m_session->requests().rowOf(request.value)->endedBy, QStringLiteral("ana"));
    QTRY_VERIFY(!approve->isVisible());
    QTRY_COMPARE(strip->state().requests, 0);
}

void TestSignedDesk::aRequestIsDeclinedWithWords()
{
    m_store->enrol(*m_host, "ben", Role::Approver, m_clock.now().wall, "ana", false);
    open(QStringLiteral("ana"));
    unlock();
    const Seq request = requestBy("ben");
    QTRY_VERIFY(m_session->requests().rowOf(request.value));
    m_window->openRequest(request);
    auto *decline = find<QAbstractButton>("endRequestButton");
    QTRY_VERIFY(decline->isVisible());
    QVERIFY(!decline->isEnabled()); // it takes words
    find<QLineEdit>("requestWordsEdit")->setText(QStringLiteral("the old key still works"));
    QTRY_VERIFY(decline->isEnabled());
    decline->click();
    QTRY_COMPARE(m_session->requests().rowOf(request.value)->state, live::RequestState::Declined);
    QCOMPARE(m_session->requests().rowOf(request.value)->endReason, QStringLiteral("the old key still works"));
    QCOMPARE(m_session->counts().fleetRung, Rung::Open);
}

void TestSignedDesk::onesOwnRequestCanOnlyBeWithdrawn()
{
    m_store->enrol(*m_host, "ben", Role::Approver, m_clock.now().wall, "ana", false);
    open(QStringLiteral("ana"));
    unlock();
    const Seq request = requestBy("ana");
    QTRY_VERIFY(m_session->requests().rowOf(request.value));
    m_window->openRequest(request);
    QTRY_VERIFY(find<QWidget>("requestPanel")->isVisible());
    QVERIFY(!find<QAbstractButton>("approveButton")->isVisible());
    QVERIFY(label("requestMissing").contains(QStringLiteral("you asked for it")));
    QCOMPARE(m_window->findChild<views::HeaderStrip *>()->state().requests, 0);
    auto *withdraw = find<QAbstractButton>("endRequestButton");
    QTRY_VERIFY(withdraw->isEnabled());
    withdraw->click();
    QTRY_COMPARE(m_session->requests().rowOf(request.value)->state, live::RequestState::Withdrawn);
}

void TestSignedDesk::aResponderMayNotApprove()
{
    m_store->enrol(*m_host, "ben", Role::Responder, m_clock.now().wall, "ana");
    open(QStringLiteral("ben"));
    unlock();
    const Seq request = requestBy("ana");
    QTRY_VERIFY(m_session->requests().rowOf(request.value));
    m_window->openRequest(request);
    QTRY_VERIFY(find<QWidget>("requestPanel")->isVisible());
    QVERIFY(!find<QAbstractButton>("approveButton")->isEnabled());
    QVERIFY(label("requestMissing").contains(QStringLiteral("approver, and you are a responder")));
}

void TestSignedDesk::theRearmDialogAsksForASecondPerson()
{
    m_store->enrol(*m_host, "ben", Role::Approver, m_clock.now().wall, "ana", false);
    open(QStringLiteral("ana"));
    unlock();
    const TripId trip = stopAndAcknowledge("ana");
    QTRY_VERIFY(m_session->trips().rowOf(trip.value)
                && m_session->trips().rowOf(trip.value)->stage == live::TripStage::Acknowledged);
    m_window->openRearm({}, trip);
    QTRY_VERIFY(find<QDialog>("rearmDialog"));
    auto *dialog = find<QDialog>("rearmDialog");
    auto *holdButton = dialog->findChild<QAbstractButton *>(QStringLiteral("holdButton"));
    QCOMPARE(holdButton->text(), QStringLiteral("Hold to ask for a second person"));
    const auto all = dialog->findChildren<views::PlainLabel *>();
    QVERIFY(std::ranges::any_of(
        all, [](const auto *one) { return one->plain().contains(QStringLiteral("any approver but you")); }));
    dialog->findChild<QComboBox *>(QStringLiteral("targetCombo"))->setCurrentIndex(1);
    dialog->findChild<QComboBox *>(QStringLiteral("causeCombo"))->setCurrentIndex(1);
    dialog->findChild<QLineEdit *>(QStringLiteral("reasonEdit"))
        ->setText(QStringLiteral("the key was changed, ticket 8841"));
    QTRY_VERIFY(holdButton->isEnabled());
    QTest::mousePress(holdButton, Qt::LeftButton);
    QTest::qWait(1'600);
    QTest::mouseRelease(holdButton, Qt::LeftButton);
    const auto *result = dialog->findChild<views::PlainLabel *>(QStringLiteral("resultWords"));
    QTRY_VERIFY2(result->plain().contains(QStringLiteral("Waits for a second person: request")),
                 qPrintable(result->plain()));
    QVERIFY(!holdButton->isEnabled());
    const live::RequestRow *row = m_session->requestOn(trip);
    QTRY_VERIFY((row = m_session->requestOn(trip)) != nullptr);
    const Seq request = row->seq;
    static_cast<void>(m_store->act(*m_host, "ben", EndRequest{request, {}, "not yet"}, m_clock.now().wall));
    QTRY_VERIFY2(result->plain().contains(QStringLiteral("declined by ben: not yet")), qPrintable(result->plain()));
    QTRY_VERIFY(holdButton->isEnabled());
    QTest::mousePress(holdButton, Qt::LeftButton);
    QTest::qWait(1'600);
    QTest::mouseRelease(holdButton, Qt::LeftButton);
    QTRY_VERIFY((row = m_session->requestOn(trip)) != nullptr);
    static_cast<void>(m_store->act(*m_host, "ben", Approve{row->seq, {}, {}, row->what}, m_clock.now().wall));
    QTRY_VERIFY(!find<QDialog>("rearmDialog"));
    QTRY_COMPARE(m_session->counts().fleetRung, Rung::Closed);
}

void TestSignedDesk::theAuditIsFilteredByPerson()
{
    m_store->enrol(*m_host, "ben", Role::Approver, m_clock.now().wall, "ana", false);
    open(QStringLiteral("ana"));
    static_cast<void>(stopAndAcknowledge("ben"));
    QTRY_VERIFY(m_session->trips().rowCount() == 1);
    QTest::keyClick(m_window.get(), Qt::Key_7, Qt::ControlModifier);
    auto *person = find<QComboBox>("personCombo");
    QTRY_VERIFY(person->findData(QStringLiteral("ben")) > 0);
    const int all = m_session->audit().rowCount();
    person->setCurrentIndex(person->findData(QStringLiteral("ben")));
    Q_EMIT person->activated(person->currentIndex());
    QTRY_VERIFY(m_session->audit().rowCount() < all && m_session->audit().rowCount() > 0);
    for (int row = 0; row < m_session->audit().rowCount(); ++row) {
        QCOMPARE(m_session->audit().rowAt(row).by, QStringLiteral("ben"));
        QCOMPARE(m_session->audit().rowAt(row).proof, QStringLiteral("verified"));
    }
    QTest::keyClick(find<QWidget>("auditTable"), Qt::Key_Escape);
    QTRY_COMPARE(m_session->audit().rowCount(), all);
    QTRY_COMPARE(person->currentIndex(), 0);
}

/// Root on the host acts alone; another person looks at it afterwards.
void TestSignedDesk::brokenGlassRingsUntilItIsReviewed()
{
    m_store->enrol(*m_host, "ben", Role::Approver, m_clock.now().wall, "ana", false);
    open(QStringLiteral("ana"));
    unlock();
    const TripId trip = stopAndAcknowledge("ben");
    const auto fleet = SignedStore::fleet(*m_host);
    Rearm rearm;
    rearm.trip = trip;
    rearm.revision = fleet->revisionOf(*fleet->trip(trip));
    rearm.cause = "drill";
    rearm.reason = "nobody else could be reached, ticket 8841";
    rearm.to = Rung::Closed;
    Signed alone = m_store->people.at("ben").sign(rearm, m_clock.now().wall, true);
    alone.origin = {"embedded", true};
    const auto reply = engine::submitAndWait(*m_host, alone);
    const auto *error = std::get_if<Error>(&reply.outcome);
    QVERIFY2(!error, error ? error->message.c_str() : "");
    const auto *strip = m_window->findChild<views::HeaderStrip *>();
    QTRY_COMPARE(strip->state().reviews, 1);
    QTRY_VERIFY2(label("actWords").contains(QStringLiteral("GLASS BROKEN")), qPrintable(label("actWords")));
    find<QPushButton>("showTripButton")->click();
    QTRY_VERIFY(find<QWidget>("requestPanel")->isVisible());
    QVERIFY(!find<QAbstractButton>("approveButton")->isVisible());
    auto *close = find<QAbstractButton>("endRequestButton");
    QVERIFY(!close->isEnabled());
    find<QLineEdit>("requestWordsEdit")->setText(QStringLiteral("looked at it with ben, it was right"));
    QTRY_VERIFY(close->isEnabled());
    close->click();
    QTRY_COMPARE(strip->state().reviews, 0);
    QCOMPARE(count<ReviewClosed>(), std::size_t{1});
}

void TestSignedDesk::pictures_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::newRow("dark_1440") << true << QSize(1'440, 900);
    QTest::newRow("light_1440") << false << QSize(1'440, 900);
    QTest::newRow("dark_1024") << true << QSize(1'024, 640);
    QTest::newRow("light_1024") << false << QSize(1'024, 640);
}

/// To be looked at.
void TestSignedDesk::pictures()
{
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    views::applyTheme(*qApp, dark ? views::Theme::Dark : views::Theme::Light);
    const QDir folder(qEnvironmentVariable("HANDRESET_ARTEFACTS", QStringLiteral("artefacts")));
    QVERIFY(folder.mkpath(QStringLiteral(".")));
    const auto save = [&](QWidget *what, const char *name) {
        QTest::qWait(150);
        const QString file = QStringLiteral("signed_%1_%2.png")
                                 .arg(QString::fromLatin1(name), QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY(what->grab().save(folder.filePath(file)));
    };
    m_store->enrol(*m_host, "ben", Role::Approver, m_clock.now().wall, "ana", false);
    const std::string policy = "schema = 1\n[defaults]\nsteps = { limit = 25 }\n[tools.send_pix]\naccess = \"write\"\n"
                               "value = { pointer = \"/amount\", max = \"500\", currency = \"BRL\" }\n";
    static_cast<void>(m_store->act(
        *m_host, "ana", ApplyPolicy{policy, "fleet.toml", {}, {}, {}, "a cap on send_pix", 0}, m_clock.now().wall));
    static_cast<void>(engine::submitAndWait(*m_host,
                                            AskCall{.agent = "billing",
                                                    .task = "t-1",
                                                    .session = {},
                                                    .parent = {},
                                                    .tool = "send_pix",
                                                    .arguments = R"({"amount": 900})"}));
    const auto fleet = SignedStore::fleet(*m_host);
    QVERIFY(!fleet->trips.empty());
    const TripId trip = fleet->trips.begin()->first;
    static_cast<void>(m_store->act(*m_host, "ben", Acknowledge{trip, {}, {}}, m_clock.now().wall));
    const auto now = SignedStore::fleet(*m_host);
    Rearm rearm;
    rearm.trip = trip;
    rearm.revision = now->revisionOf(*now->trip(trip));
    rearm.cause = "wrong data from a person";
    rearm.reason = "the amount was agreed by phone, ticket 8841";
    static_cast<void>(m_store->act(*m_host, "ben", rearm, m_clock.now().wall));
    std::string looser = policy;
    looser.replace(looser.find("25"), 2, "60");
    static_cast<void>(m_store->act(
        *m_host, "ana", ApplyPolicy{looser, "fleet.toml", {}, {}, {}, "long invoice runs", 1}, m_clock.now().wall));
    open(QStringLiteral("ana"));
    m_window->resize(size);
    QTRY_COMPARE(m_session->counts().requests, 2);
    unlock();
    m_window->openRequest(m_session->requestOn(trip)->seq);
    save(m_window.get(), "requests");
    m_window->goTo(MainWindow::Audit);
    save(m_window.get(), "audit");
    m_window->goTo(MainWindow::Board);
    save(m_window.get(), "board");
    m_window->openRearm(m_session->agents().rowAt(0).id, trip);
    QTRY_VERIFY(find<QDialog>("rearmDialog"));
    save(find<QDialog>("rearmDialog"), "rearm");
    find<QDialog>("rearmDialog")->close();
    m_session->key().lock();
    m_session->stopFleet();
    QTRY_VERIFY(find<QDialog>("unlockDialog"));
    save(find<QDialog>("unlockDialog"), "unlock");
    find<QDialog>("unlockDialog")->close();
    save(m_window.get(), "cancelled");
    m_session->setLink({QStringLiteral("ops.example.net:7431"), true, {}});
    save(m_window.get(), "linked");
    m_session->setLink({QStringLiteral("ops.example.net:7431"), false, QStringLiteral("nobody answers there")});
    save(m_window.get(), "cut");
    QString fingerprint = QStringLiteral("AB:CD:EF:01").repeated(8);
    fingerprint.replace(QStringLiteral("01AB"), QStringLiteral("01:AB"));
    views::FingerprintDialog met(QStringLiteral("ops.example.net:7431"), fingerprint);
    met.setAttribute(Qt::WA_DeleteOnClose, false);
    met.show();
    save(&met, "fingerprint");
}

} // namespace handreset::test

QTEST_MAIN(handreset::test::TestSignedDesk)
#include "tst_signed_desk.moc"

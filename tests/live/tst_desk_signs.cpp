// The desk's session on a signed store: every act is signed, waits while the key is locked, and tells of second
// persons.
#include "model/engine/embedded_host.h"
#include "model/live/desk_session.h"
#include "tests/support/signed_store.h"

#include <QSignalSpy>
#include <QTest>

#include <future>
#include <memory>

namespace handreset::test {

using namespace rules;
using live::ActStage;
using live::OperatorKey;

class TestDeskSigns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aStopWaitsForTheKeyAndIsSigned();
    void withoutAKeyNothingIsSent();
    void cancelledNothingIsSent();
    void theWrongPassphraseIsSaid();
    void anAbandonedTryStaysLocked();
    void itLocksItselfInTime();
    void forOneActItLocksAtOnce();
    void aWrongWallClockOfTheDeskKeepsNobodyFromActing();
    void whatAsksForTwoWaitsAndIsApproved();
    void aDeclinedRequestIsSaidToWhoAsked();
    void theAuditNamesPersonMachineAndProof();

private:
    void makeSession(const QString &user = QStringLiteral("ana"));
    void unlock(const char *phrase = kPassphrase, const QString &name = QStringLiteral("ana"));
    [[nodiscard]] ActStage stageOf(quint64 act) const { return m_session->act(act)->stage; }
    [[nodiscard]] TripId tripOfEnvelope();
    [[nodiscard]] std::size_t eventsInLog();

    std::unique_ptr<engine::FakeClock> m_clock;
    std::unique_ptr<SignedStore> m_store;
    std::unique_ptr<engine::EmbeddedHost> m_host;
    std::unique_ptr<engine::FakeClock> m_deskClock;
    std::unique_ptr<live::DeskSession> m_session;
};

void TestDeskSigns::init()
{
    m_clock = std::make_unique<engine::FakeClock>(Instant{hours(500'000).micros});
    m_store = std::make_unique<SignedStore>(m_clock->now());
    auto host = engine::EmbeddedHost::start({.storePath = m_store->path,
                                             .pinFolder = {},
                                             .version = "test",
                                             .operatorName = "ana",
                                             .clock = m_clock.get(),
                                             .open = {}});
    QVERIFY2(host.ok(), host.ok() ? "" : host.error().message.c_str());
    m_host = std::move(host).value();
    m_store->enrol(*m_host, "ana", Role::Approver, m_clock->now().wall);
    m_store->enrol(*m_host, "ben", Role::Approver, m_clock->now().wall, "ana", false);
}

void TestDeskSigns::cleanup()
{
    m_session.reset();
    m_host.reset();
    m_store.reset();
}

void TestDeskSigns::makeSession(const QString &user)
{
    m_session = std::make_unique<live::DeskSession>(*m_host, m_deskClock ? *m_deskClock : *m_clock, user);
    m_session->start();
    QTRY_VERIFY(m_session->operators().isSigned);
    QTRY_VERIFY(m_session->freshness().hasData);
}

void TestDeskSigns::unlock(const char *phrase, const QString &name)
{
    auto passphrase = trust::Passphrase::take(QString::fromLatin1(phrase));
    QVERIFY(passphrase.ok());
    m_session->key().unlock(name, std::move(*passphrase));
    QTRY_VERIFY(m_session->key().state() != OperatorKey::State::Opening);
}

std::size_t TestDeskSigns::eventsInLog()
{
    return static_cast<std::size_t>(m_host->status().committed.value);
}

/// A call over the envelope's cap.
TripId TestDeskSigns::tripOfEnvelope()
{
    static const char *kPolicy = "schema = 1\n[defaults]\nsteps = { limit = 25 }\n"
                                 "[tools.send_pix]\naccess = \"write\"\n"
                                 "value = { pointer = \"/amount\", max = \"500\", currency = \"BRL\" }\n";
    ApplyPolicy apply{kPolicy, "test.toml", {}, {}, {}, "a cap on send_pix", std::int64_t{0}};
    const auto applied = m_store->act(*m_host, "ana", apply, m_clock->now().wall);
    if (const auto *error = std::get_if<Error>(&applied.outcome))
        qFatal("%s", error->message.c_str());
    static_cast<void>(engine::submitAndWait(*m_host,
                                            AskCall{.agent = "billing",
                                                    .task = "t-1",
                                                    .session = {},
                                                    .parent = {},
                                                    .tool = "send_pix",
                                                    .arguments = R"({"amount": 900})"}));
    const auto fleet = SignedStore::fleet(*m_host);
    return fleet->trips.empty() ? TripId{} : fleet->trips.begin()->first;
}

void TestDeskSigns::aStopWaitsForTheKeyAndIsSigned()
{
    makeSession();
    QCOMPARE(m_session->operatorName(), QStringLiteral("ana"));
    QCOMPARE(m_session->role(), std::optional(Role::Approver));
    QCOMPARE(m_session->key().state(), OperatorKey::State::Locked);
    QSignalSpy asked(m_session.get(), &live::DeskSession::keyAsked);
    const auto before = eventsInLog();
    const quint64 stop = m_session->stopFleet();
    QCOMPARE(stageOf(stop), ActStage::NeedsKey);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(m_session->waitingForKey(), QStringList{QStringLiteral("stop the fleet to open")});
    QCOMPARE(eventsInLog(), before); // nothing was sent
    unlock();
    QTRY_COMPARE(stageOf(stop), ActStage::Confirmed);
    QTRY_COMPARE(m_session->counts().fleetRung, Rung::Open);
    // With the key unlocked the next one goes out at once.
    const quint64 word = m_session->giveReason(m_session->act(stop)->trip, QStringLiteral("a leaked key, ticket 8841"));
    QVERIFY(stageOf(word) != ActStage::NeedsKey);
    QTRY_COMPARE(stageOf(word), ActStage::Confirmed);
}

void TestDeskSigns::withoutAKeyNothingIsSent()
{
    QVERIFY(QFile::rename(m_store->folder.filePath(QStringLiteral("keys")),
                          m_store->folder.filePath(QStringLiteral("gone"))));
    makeSession(QStringLiteral("carl"));
    QCOMPARE(m_session->key().state(), OperatorKey::State::None);
    QVERIFY(!m_session->role());
    const auto before = eventsInLog();
    const quint64 stop = m_session->stopFleet();
    QCOMPARE(stageOf(stop), ActStage::Failed);
    QVERIFY(m_session->act(stop)->trouble.contains(QStringLiteral("operator enrol")));
    QCOMPARE(eventsInLog(), before);
}

void TestDeskSigns::cancelledNothingIsSent()
{
    makeSession();
    const auto before = eventsInLog();
    const quint64 stop = m_session->stopFleet();
    m_session->cancelWaitingForKey();
    QCOMPARE(stageOf(stop), ActStage::Failed);
    QVERIFY(m_session->act(stop)->trouble.contains(QStringLiteral("nothing was sent")));
    unlock();
    QTest::qWait(50);
    QCOMPARE(stageOf(stop), ActStage::Failed); // it does not come back by itself
    QCOMPARE(eventsInLog(), before);
}

void TestDeskSigns::theWrongPassphraseIsSaid()
{
    makeSession();
    const quint64 stop = m_session->stopFleet();
    QSignalSpy failed(&m_session->key(), &OperatorKey::failed);
    unlock("wrong horse battery");
    QCOMPARE(failed.count(), 1);
    QVERIFY(!failed.front().front().toString().contains(QStringLiteral("wrong horse")));
    QCOMPARE(m_session->key().state(), OperatorKey::State::Locked);
    QCOMPARE(stageOf(stop), ActStage::NeedsKey);
    unlock();
    QTRY_COMPARE(stageOf(stop), ActStage::Confirmed);
}

void TestDeskSigns::anAbandonedTryStaysLocked()
{
    makeSession();
    QSignalSpy unlocked(&m_session->key(), &OperatorKey::unlocked);
    auto passphrase = trust::Passphrase::take(QString::fromLatin1(kPassphrase));
    m_session->key().unlock(QStringLiteral("ana"), std::move(*passphrase));
    m_session->key().abandon();
    QTRY_COMPARE(m_session->key().state(), OperatorKey::State::Locked);
    QCOMPARE(unlocked.count(), 0);
}

void TestDeskSigns::itLocksItselfInTime()
{
    makeSession();
    unlock();
    QCOMPARE(m_session->key().state(), OperatorKey::State::Unlocked);
    QCOMPARE(m_session->key().left(), minutes(5)); // the built-in policy's
    m_clock->advance(minutes(5) + seconds(1));
    QCOMPARE(m_session->key().state(), OperatorKey::State::Locked);
    QCOMPARE(stageOf(m_session->stopFleet()), ActStage::NeedsKey);
}

void TestDeskSigns::forOneActItLocksAtOnce()
{
    makeSession();
    m_session->key().setLength({});
    const quint64 first = m_session->stopFleet();
    const quint64 second = m_session->confirmTime(QStringLiteral("the clock is right, looked at it"));
    unlock();
    QTRY_COMPARE(stageOf(first), ActStage::Confirmed);
    QCOMPARE(stageOf(second), ActStage::NeedsKey); // one passphrase, one act
    QCOMPARE(m_session->key().state(), OperatorKey::State::Locked);
}

void TestDeskSigns::aWrongWallClockOfTheDeskKeepsNobodyFromActing()
{
    m_deskClock = std::make_unique<engine::FakeClock>(m_clock->now().wall + hours(24));
    makeSession();
    QCOMPARE(m_session->present(), m_clock->now().wall); // ages are the host's too
    unlock();
    const quint64 stop = m_session->stopFleet();
    QTRY_VERIFY(m_session->act(stop)->isOver());
    QVERIFY2(stageOf(stop) == ActStage::Confirmed, qPrintable(m_session->act(stop)->trouble));
    m_session.reset();
    m_deskClock.reset();
}

void TestDeskSigns::whatAsksForTwoWaitsAndIsApproved()
{
    const TripId trip = tripOfEnvelope();
    QVERIFY(trip);
    makeSession();
    QTRY_VERIFY(m_session->trips().rowOf(trip.value));
    unlock();
    const quint64 ack = m_session->acknowledge(trip);
    QTRY_COMPARE(stageOf(ack), ActStage::Confirmed);
    const auto state = SignedStore::fleet(*m_host);
    Rearm rearm;
    rearm.trip = trip;
    rearm.revision = state->revisionOf(*state->trip(trip));
    rearm.cause = "drill";
    rearm.reason = "the amount was right, ticket 8841";
    const quint64 act = m_session->rearm(rearm, QStringLiteral("re-arm of billing"), state->trip(trip)->agent);
    QTRY_COMPARE(stageOf(act), ActStage::Waiting);
    QTRY_VERIFY(m_session->act(act)->requestUntil.has_value());
    const Seq request = m_session->act(act)->request;
    const live::RequestRow *row = m_session->requests().rowOf(request.value);
    QVERIFY(row);
    QCOMPARE(row->by, QStringLiteral("ana"));
    QVERIFY(row->about.contains(QStringLiteral("billing")));
    QVERIFY(row->changes.join(QLatin1Char('\n')).contains(QStringLiteral("from open to degraded")));
    QVERIFY(row->why.contains(QStringLiteral("envelope")));
    QVERIFY(m_session->whyNotApprove(*row).contains(QStringLiteral("you asked")));
    QCOMPARE(m_session->requestsForMe(), 0);
    QCOMPARE(m_session->requestOn(trip), row->seq == request ? m_session->requestOn(trip) : nullptr);
    QVERIFY(m_session->requestOn(trip));
    QTRY_COMPARE(m_session->agents().rowAt(0).rung, Rung::Open); // nothing is in force

    const auto approved
        = m_store->act(*m_host, "ben", Approve{request, {}, "looked at it", row->what}, m_clock->now().wall);
    QVERIFY(std::holds_alternative<ActDone>(approved.outcome));
    QTRY_COMPARE(stageOf(act), ActStage::Confirmed);
    QTRY_COMPARE(m_session->requests().rowOf(request.value)->state, live::RequestState::Approved);
    QCOMPARE(m_session->requests().rowOf(request.value)->endedBy, QStringLiteral("ben"));
    QVERIFY(!m_session->requestOn(trip));
    QTRY_COMPARE(m_session->agents().rowAt(0).rung, Rung::Degraded);
}

void TestDeskSigns::aDeclinedRequestIsSaidToWhoAsked()
{
    makeSession();
    unlock();
    const quint64 stop = m_session->stopFleet();
    QTRY_COMPARE(stageOf(stop), ActStage::Confirmed);
    const TripId trip = m_session->act(stop)->trip;
    const quint64 ack = m_session->acknowledge(trip);
    QTRY_COMPARE(stageOf(ack), ActStage::Confirmed);
    const auto state = SignedStore::fleet(*m_host);
    Rearm rearm;
    rearm.trip = trip;
    rearm.revision = state->revisionOf(*state->trip(trip));
    rearm.cause = "drill";
    rearm.reason = "the key was changed, ticket 8841";
    rearm.to = Rung::Closed;
    const quint64 act = m_session->rearm(rearm, QStringLiteral("re-arm of the fleet"), {});
    QTRY_COMPARE(stageOf(act), ActStage::Waiting);
    const auto declined
        = m_store->act(*m_host, "ben", EndRequest{m_session->act(act)->request, {}, "not yet"}, m_clock->now().wall);
    QVERIFY(std::holds_alternative<ActDone>(declined.outcome));
    QTRY_COMPARE(stageOf(act), ActStage::Refused);
    QCOMPARE(m_session->act(act)->trouble, QStringLiteral("declined by ben: not yet"));
}

void TestDeskSigns::theAuditNamesPersonMachineAndProof()
{
    makeSession();
    QTRY_VERIFY(m_session->audit().rowCount() > 0); // what was before the desk came
    const auto find = [&](const QString &word) -> const live::EventRow * {
        for (int row = 0; row < m_session->audit().rowCount(); ++row) {
            if (m_session->audit().rowAt(row).word == word)
                return &m_session->audit().rowAt(row);
        }
        return nullptr;
    };
    QTRY_VERIFY(find(QStringLiteral("operator enrolled")));
    QCOMPARE(find(QStringLiteral("operator enrolled"))->proof, QStringLiteral("verified"));
    QCOMPARE(find(QStringLiteral("operator enrolled"))->machine, QStringLiteral("ana-laptop"));
    static_cast<void>(m_store->act(*m_host, "ben", StopAgent{{}, Rung::Open, {}, "a leaked key"}, m_clock->now().wall));
    QTRY_VERIFY(find(QStringLiteral("trip")));
    const live::EventRow *stop = find(QStringLiteral("trip"));
    QCOMPARE(stop->by, QStringLiteral("ben"));
    QCOMPARE(stop->machine, QStringLiteral("ben-laptop"));
    QCOMPARE(stop->result, QStringLiteral("in force"));
    QCOMPARE(stop->proof, QStringLiteral("verified"));
    QVERIFY(m_session->audit().persons().contains(QStringLiteral("ben")));
    static_cast<void>(m_store->act(*m_host, "ben", CloseReview{Seq{1}, {}, "none is open"}, m_clock->now().wall));
    QTRY_VERIFY(find(QStringLiteral("close-review refused")));
    QCOMPARE(find(QStringLiteral("close-review refused"))->result, QStringLiteral("refused"));
}

} // namespace handreset::test

QTEST_GUILESS_MAIN(handreset::test::TestDeskSigns)
#include "tst_desk_signs.moc"

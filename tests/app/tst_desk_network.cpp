// The desk's way to a host on another machine: the certificate is shown once and remembered, another one is refused,
// the passphrase makes a pass for a shift, and then the desk follows and acts.
#include "app/desk/network_host.h"
#include "model/engine/embedded_host.h"
#include "model/link/known_hosts.h"
#include "model/link/link_server.h"
#include "model/live/desk_session.h"
#include "tests/support/signed_store.h"

#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <memory>

namespace handreset::test {

using namespace rules;
using desk::NetworkHost;

class TestDeskNetwork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void atFirstTheFingerprintIsShownAndRemembered();
    void anotherCertificateIsRefused();
    void aNamedFingerprintMustBeTheOne();
    void withoutAKeyItSaysSo();
    void theDeskFollowsAndActsAndTellsOfTheCut();

private:
    void serve(const QString &certificate);
    [[nodiscard]] std::shared_ptr<trust::Passphrase> phrase(const char *text) const;

    engine::SystemClock m_clock;
    std::unique_ptr<SignedStore> m_store;
    std::unique_ptr<engine::EmbeddedHost> m_host;
    std::unique_ptr<link::LinkServer> m_server;
    QString m_address;
    QString m_fingerprint;
};

void TestDeskNetwork::init()
{
    m_store = std::make_unique<SignedStore>(m_clock.now());
    qputenv("HANDRESET_KNOWN_HOSTS", m_store->folder.filePath(QStringLiteral("known_hosts")).toUtf8());
    auto host = engine::EmbeddedHost::start({.storePath = m_store->path,
                                             .pinFolder = {},
                                             .version = "test",
                                             .operatorName = "ana",
                                             .clock = &m_clock,
                                             .open = {}});
    QVERIFY(host.ok());
    m_host = std::move(host).value();
    m_store->enrol(*m_host, "ana", Role::Approver, m_clock.now().wall);
    m_address = QStringLiteral("127.0.0.1:0");
    serve(QStringLiteral("certificate"));
}

void TestDeskNetwork::cleanup()
{
    m_server.reset();
    m_host.reset();
    m_store.reset();
    qunsetenv("HANDRESET_KNOWN_HOSTS");
}

void TestDeskNetwork::serve(const QString &certificate)
{
    m_server.reset();
    link::LinkServerOptions options;
    options.storePath = m_store->path;
    options.listen = m_address;
    options.certificateFolder = m_store->folder.filePath(certificate);
    options.clock = &m_clock;
    auto server = link::LinkServer::start(*m_host, std::move(options));
    QVERIFY2(server.ok(), server.ok() ? "" : server.error().message.c_str());
    m_server = std::move(server).value();
    QTRY_VERIFY2(!m_server->status().network.isEmpty(), m_server->status().networkTrouble.c_str());
    m_address = m_server->status().network;
    m_fingerprint = m_server->status().fingerprint;
}

std::shared_ptr<trust::Passphrase> TestDeskNetwork::phrase(const char *text) const
{
    return std::make_shared<trust::Passphrase>(trust::Passphrase::take(QString::fromLatin1(text)).value());
}

void TestDeskNetwork::atFirstTheFingerprintIsShownAndRemembered()
{
    {
        NetworkHost network(m_address, {}, {});
        QSignalSpy unknown(&network, &NetworkHost::isUnknown);
        QSignalSpy asked(&network, &NetworkHost::passphraseAsked);
        network.start();
        QTRY_COMPARE(unknown.count(), 1);
        QCOMPARE(unknown.front().front().toString(), m_fingerprint);
        QCOMPARE(asked.count(), 0); // nothing is asked before a person has compared it
        network.accept();
        QTRY_COMPARE(asked.count(), 1);
        QCOMPARE(network.names(), QStringList{QStringLiteral("ana")});
    }
    const QFileInfo file(link::knownHostsFile());
    QVERIFY(file.exists());
    QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther),
             QFile::Permissions());
    NetworkHost again(m_address, {}, {});
    QSignalSpy unknown(&again, &NetworkHost::isUnknown);
    QSignalSpy asked(&again, &NetworkHost::passphraseAsked);
    again.start();
    QTRY_COMPARE(asked.count(), 1);
    QCOMPARE(unknown.count(), 0);
}

void TestDeskNetwork::anotherCertificateIsRefused()
{
    QVERIFY(link::acceptFingerprint(link::knownHostsFile(), m_address, m_fingerprint).ok());
    serve(QStringLiteral("another"));
    NetworkHost network(m_address, {}, {});
    QSignalSpy failed(&network, &NetworkHost::failed);
    QSignalSpy asked(&network, &NetworkHost::passphraseAsked);
    network.start();
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.front().front().toString().contains(QStringLiteral("ANOTHER certificate")));
    QCOMPARE(asked.count(), 0);
}

void TestDeskNetwork::aNamedFingerprintMustBeTheOne()
{
    NetworkHost wrong(
        m_address,
        QString(m_fingerprint)
            .replace(0, 2,
                     m_fingerprint.startsWith(QStringLiteral("00")) ? QStringLiteral("11") : QStringLiteral("00")),
        {});
    QSignalSpy failed(&wrong, &NetworkHost::failed);
    wrong.start();
    QTRY_COMPARE(failed.count(), 1);
    NetworkHost right(m_address, m_fingerprint, {});
    QSignalSpy asked(&right, &NetworkHost::passphraseAsked);
    right.start();
    QTRY_COMPARE(asked.count(), 1);
}

void TestDeskNetwork::withoutAKeyItSaysSo()
{
    QVERIFY(QFile::rename(m_store->folder.filePath(QStringLiteral("keys")),
                          m_store->folder.filePath(QStringLiteral("gone"))));
    NetworkHost network(m_address, m_fingerprint, {});
    QSignalSpy failed(&network, &NetworkHost::failed);
    network.start();
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.front().front().toString().contains(QStringLiteral("operator enrol")));
}

namespace {

/// A laptop's clock, which somebody sets.
class LaptopClock final : public engine::Clock {
public:
    [[nodiscard]] Now now() const override
    {
        const Now real = m_real.now();
        return {real.wall + Duration{m_wrongBy.load()}, real.steady};
    }
    [[nodiscard]] std::string bootId() const override { return m_real.bootId(); }
    void setWrongBy(Duration by) { m_wrongBy = by.micros; }

private:
    engine::SystemClock m_real;
    std::atomic<std::int64_t> m_wrongBy{0};
};

} // namespace

void TestDeskNetwork::theDeskFollowsAndActsAndTellsOfTheCut()
{
    LaptopClock laptop;
    laptop.setWrongBy(hours(24));
    NetworkHost network(m_address, m_fingerprint, {});
    QSignalSpy asked(&network, &NetworkHost::passphraseAsked);
    QSignalSpy refused(&network, &NetworkHost::refused);
    QSignalSpy ready(&network, &NetworkHost::ready);
    network.start();
    QTRY_COMPARE(asked.count(), 1);
    network.tryPassphrase(QStringLiteral("ana"), phrase("wrong horse battery"));
    QTRY_COMPARE(refused.count(), 1);
    network.tryPassphrase(QStringLiteral("ana"), phrase(kPassphrase));
    QTRY_COMPARE(ready.count(), 1);
    const auto linked = network.take();
    QVERIFY(linked);
    live::DeskSession session(*linked, laptop, QStringLiteral("ana"));
    session.start();
    QTRY_VERIFY(session.operators().isSigned && session.freshness().hasData);
    session.key().unlock(QStringLiteral("ana"), std::move(*phrase(kPassphrase)));
    QTRY_COMPARE(session.key().state(), live::OperatorKey::State::Unlocked);
    const quint64 stop = session.stopFleet();
    QTRY_COMPARE(session.act(stop)->stage, live::ActStage::Confirmed);
    QCOMPARE(SignedStore::fleet(*m_host)->trips.size(), std::size_t{1});

    // The link is cut: nothing looks healthy, and a stop is tried until it is in force.
    const TripId trip = session.act(stop)->trip;
    m_server.reset();
    laptop.setWrongBy(hours(-24)); // and its clock is set meanwhile
    QTRY_VERIFY_WITH_TIMEOUT(!linked->state().isUp, 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(session.freshness().stale, 10'000);
    const quint64 word = session.giveReason(trip, QStringLiteral("a leaked key, ticket 8841"));
    QTRY_COMPARE(session.act(word)->stage, live::ActStage::Failed);
    const quint64 again = session.stopFleet();
    QTRY_VERIFY(session.act(again)->trouble.startsWith(QStringLiteral("NOT in force")));
    QCOMPARE(session.act(again)->stage, live::ActStage::Requested);
    serve(QStringLiteral("certificate"));
    QTRY_VERIFY_WITH_TIMEOUT(session.act(again)->isOver(), 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(!session.freshness().stale, 10'000);
    const quint64 told = session.giveReason(trip, QStringLiteral("a leaked key, ticket 8841"));
    QTRY_COMPARE(session.act(told)->stage, live::ActStage::Confirmed); // signed on the host's time all the same
}

} // namespace handreset::test

QTEST_GUILESS_MAIN(handreset::test::TestDeskNetwork)
#include "tst_desk_network.moc"

// The operators' link over the network: the certificate, who is admitted, and for how long.
#include "model/link/admission.h"
#include "model/link/certificate.h"
#include "model/link/link_address.h"
#include "tests/link/link_fixture.h"

#include <QSslSocket>
#include <QTcpSocket>

#include <algorithm>
#include <sys/stat.h>

using namespace handreset;
using test::LinkFixture;
using test::Listener;
using test::Person;

class TestLinkNetwork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void addressesAreRead();
    void theCertificateIsMadeOnceAndKept();
    void aDamagedCertificateIsNeverMadeAnew();
    void anOperatorFollowsAndActsOverTheNetwork();
    void aDeskComesBackWithoutBeingAskedAgain();
    void anotherCertificateIsNotSpokenTo();
    void whoHasNotSignedInHearsNothing();
    void passesThatDoNotHold_data();
    void passesThatDoNotHold();
    void aChallengeIsForOneConnection();
    void aBareActIsRefused();
    void whoIsRetiredIsCut();
    void aShiftEnds();
    void aStoreWithoutOperatorsIsNotServed();
    void anAddressInUseIsTold();
    void strangersAreBounded();
    void plainTextIsNotAnswered();
};

namespace {

/// A signed store, served on a free port of this machine, and its first operator.
class NetworkFixture : public LinkFixture {
public:
    NetworkFixture()
    {
        options.listen = QStringLiteral("127.0.0.1:0");
        options.certificateFolder = certificateFolder();
        start();
        step();
        [&] { QCOMPARE(errorOf(enrol(ana, ana)), std::string()); }();
    }
    ~NetworkFixture() { unserve(); }
    [[nodiscard]] QString certificateFolder() const { return m_folder.filePath(QStringLiteral("link")); }
    [[nodiscard]] link::HeldPass pass(const Person &person, rules::Duration length = rules::hours(8))
    {
        return link::beginShift(person.key, fleet()->storeId, person.name, clock.now().wall + length);
    }
    [[nodiscard]] link::LinkedHostOptions to(std::optional<link::HeldPass> held)
    {
        const link::LinkServerStatus status = server().status();
        link::LinkedHostOptions made;
        made.address = status.network;
        made.fingerprint = status.fingerprint;
        made.pass = std::move(held);
        made.timing = test::shortTiming();
        return made;
    }
    [[nodiscard]] std::string refusalOf(const link::LinkedHostOptions &with)
    {
        link::LinkedHost client(with);
        const auto up = client.waitUntilUp(std::chrono::seconds(10));
        return up ? std::string() : up.error().message;
    }

    Person ana{"ana"};

private:
    QTemporaryDir m_folder;
};

bool holds(const std::string &text, const char *part)
{
    return text.find(part) != std::string::npos;
}

/// A client of TLS that speaks as it likes, of a host whose certificate it does not look at.
class RawNetworkPeer {
public:
    explicit RawNetworkPeer(const QString &address)
    {
        const auto place = link::addressIn(address);
        m_socket.setPeerVerifyMode(QSslSocket::VerifyNone);
        m_socket.connectToHostEncrypted(place->host, place->port);
        m_isThere = m_socket.waitForEncrypted(5'000);
    }
    [[nodiscard]] bool isThere() const { return m_isThere; }
    void send(const link::ToHost &message)
    {
        m_socket.write(link::framed(link::encode(message)));
        m_socket.flush();
    }
    std::optional<link::ToClient> next(int within = 5'000)
    {
        const QDeadlineTimer until(within);
        std::string message;
        while (!m_reader.next(message)) {
            // What came may have been of TLS's own, and nothing for us.
            if (m_socket.bytesAvailable() == 0 && !m_socket.waitForReadyRead(20)
                && (until.hasExpired() || m_socket.state() != QAbstractSocket::ConnectedState))
                return std::nullopt;
            const QByteArray bytes = m_socket.readAll();
            m_reader.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        }
        auto read = link::decodeToClient(message);
        return read ? std::optional(std::move(read).value()) : std::nullopt;
    }

private:
    QSslSocket m_socket;
    link::FrameReader m_reader{link::kMostToClient};
    bool m_isThere = false;
};

} // namespace

void TestLinkNetwork::addressesAreRead()
{
    QCOMPARE(link::addressIn(QStringLiteral("host.example:7431"))->host, QStringLiteral("host.example"));
    QCOMPARE(link::addressIn(QStringLiteral("[2001:db8::7]:1"))->host, QStringLiteral("2001:db8::7"));
    QCOMPARE(link::addressIn(QStringLiteral("127.0.0.1:65535"))->port, std::uint16_t{65535});
    for (const char *wrong : {"", ":1", "host", "host:", "host:65536", "host:-1", "2001:db8::7:1", "[]:1", "host:1x"})
        QVERIFY2(!link::addressIn(QString::fromLatin1(wrong)), wrong);
    const rules::Digest digest = rules::sha256("x");
    const QString text = link::fingerprintText(digest);
    QCOMPARE(text.size(), 32 * 3 - 1);
    QVERIFY(link::fingerprintIn(text) == digest);
    QVERIFY(link::fingerprintIn(text.toLower().remove(QLatin1Char(':'))) == digest);
    QVERIFY(!link::fingerprintIn(text.chopped(1)));
    QVERIFY(!link::fingerprintIn(QString()));
}

void TestLinkNetwork::theCertificateIsMadeOnceAndKept()
{
    QTemporaryDir folder;
    const QString place = folder.filePath(QStringLiteral("a/b"));
    const auto made = link::certificateIn(place);
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    const auto again = link::certificateIn(place);
    QVERIFY(again);
    QVERIFY(made->fingerprint() == again->fingerprint());
    QVERIFY(made->certificate.expiryDate() > QDateTime::currentDateTimeUtc().addYears(9));
    QVERIFY(made->certificate.effectiveDate() < QDateTime::currentDateTimeUtc());
    QVERIFY(made->certificate.isSelfSigned());
    struct stat status = {};
    QCOMPARE(::stat(qPrintable(place + QStringLiteral("/link.pem")), &status), 0);
    QCOMPARE(status.st_mode & 0777U, 0600U);
    QCOMPARE(::stat(qPrintable(place), &status), 0);
    QCOMPARE(status.st_mode & 0777U, 0700U);
    QVERIFY(link::certificateIn(folder.filePath(QStringLiteral("other")))->fingerprint() != made->fingerprint());
}

void TestLinkNetwork::aDamagedCertificateIsNeverMadeAnew()
{
    QTemporaryDir folder;
    const QString place = folder.filePath(QStringLiteral("a"));
    QVERIFY(link::certificateIn(place));
    QFile file(place + QStringLiteral("/link.pem"));
    QVERIFY(file.resize(100));
    const auto damaged = link::certificateIn(place);
    QVERIFY(!damaged);
    QVERIFY(holds(damaged.error().message, "damaged"));
    QCOMPARE(file.size(), 100);
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
    QVERIFY(!link::certificateIn(place));
}

void TestLinkNetwork::anOperatorFollowsAndActsOverTheNetwork()
{
    Listener listener;
    NetworkFixture fleet;
    fleet.serve();
    QVERIFY(fleet.server().status().networkTrouble.empty());
    link::LinkedHost client(fleet.to(fleet.pass(fleet.ana)));
    const auto up = client.waitUntilUp(std::chrono::seconds(10));
    QVERIFY2(up, up ? "" : up.error().message.c_str());
    client.follow(&listener);
    const rules::StopAgent stop{"a1", rules::Rung::Open, "ana", "from afar"};
    const auto reply
        = engine::submitAndWait(client, fleet.ana.sign(stop, fleet.fleet()->storeId, fleet.clock.now().wall));
    QCOMPARE(LinkFixture::errorOf(reply), std::string());
    const auto end = fleet.fleet()->seq.value;
    QTRY_COMPARE(listener.fleet().seq.value, end);
    client.unfollow(&listener);
    QVERIFY(rules::encodeFleet(listener.fleet()) == rules::encodeFleet(*fleet.fleet()));
    const auto log = fleet.log();
    const auto found = std::ranges::find_if(log.rbegin(), log.rend(), [](const rules::Event &event) {
        return std::holds_alternative<rules::ActSigned>(event.payload);
    });
    QVERIFY(found != log.rend());
    QCOMPARE(std::get<rules::ActSigned>(found->payload).origin.channel, std::string("tls 127.0.0.1"));
    QVERIFY(!std::get<rules::ActSigned>(found->payload).origin.isRoot);
    // On this machine it is served as ever.
    QVERIFY(fleet.connectedClient()->state().isUp);
}

void TestLinkNetwork::aDeskComesBackWithoutBeingAskedAgain()
{
    Listener listener;
    NetworkFixture fleet;
    fleet.serve();
    fleet.options.listen = fleet.server().status().network; // the same port again
    link::LinkedHost client(fleet.to(fleet.pass(fleet.ana)));
    QVERIFY(client.waitUntilUp(std::chrono::seconds(10)));
    client.follow(&listener);
    QTRY_COMPARE(listener.snapshots(), 1);
    fleet.restartServed();
    fleet.step("after");
    const auto end = fleet.fleet()->seq.value;
    QTRY_COMPARE(listener.fleet().seq.value, end);
    client.unfollow(&listener);
    QCOMPARE(listener.snapshots(), 1);
    QCOMPARE(listener.faults(), std::vector<std::string>());
}

void TestLinkNetwork::anotherCertificateIsNotSpokenTo()
{
    NetworkFixture fleet;
    fleet.serve();
    auto options = fleet.to(fleet.pass(fleet.ana));
    const QString right = options.fingerprint;
    std::atomic<int> signatures = 0;
    options.pass->sign = [&, sign = options.pass->sign](std::string_view bytes) {
        ++signatures;
        return sign(bytes);
    };
    options.fingerprint.replace(0, 2,
                                right.startsWith(QStringLiteral("00")) ? QStringLiteral("01") : QStringLiteral("00"));
    const std::string why = fleet.refusalOf(options);
    QVERIFY2(holds(why, "another certificate"), why.c_str());
    QVERIFY(holds(why, right.toStdString().c_str())); // to be compared with what the host itself tells
    options.fingerprint.clear();
    QVERIFY(holds(fleet.refusalOf(options), "another certificate"));
    QCOMPARE(signatures, 0);
    options.fingerprint = right.toLower().remove(QLatin1Char(':'));
    QCOMPARE(fleet.refusalOf(options), std::string());
    QCOMPARE(signatures, 1);
}

void TestLinkNetwork::whoHasNotSignedInHearsNothing()
{
    NetworkFixture fleet;
    fleet.serve();
    QVERIFY(holds(fleet.refusalOf(fleet.to({})), "signed in"));
    RawNetworkPeer peer(fleet.server().status().network);
    QVERIFY(peer.isThere());
    const auto greeting = peer.next();
    QVERIFY(greeting && std::holds_alternative<link::Greeting>(*greeting));
    QCOMPARE(std::get<link::Greeting>(*greeting).challenge.size(), link::kChallengeSize);
    peer.send(link::Hello{link::kLinkVersion, {}, {}, {}});
    const auto away = peer.next();
    QVERIFY(away && std::holds_alternative<link::TurnedAway>(*away));
    QVERIFY(holds(std::get<link::TurnedAway>(*away).why.message, "Sign in"));
    QVERIFY(!peer.next(500));
    QCOMPARE(fleet.server().status().guests, std::size_t{0});
}

void TestLinkNetwork::passesThatDoNotHold_data()
{
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("words");
    QTest::newRow("another store") << "store"
                                   << "another store";
    QTest::newRow("over") << "over"
                          << "over";
    QTest::newRow("too long") << "too long"
                              << "12 hours";
    QTest::newRow("not signed by the operator") << "signature"
                                                << "present key";
    QTest::newRow("changed after it was signed") << "changed"
                                                 << "present key";
    QTest::newRow("no operator of that name") << "name"
                                              << "present key";
    QTest::newRow("a retired operator") << "retired"
                                        << "retired";
    QTest::newRow("another shift's key") << "proof"
                                         << "challenge";
}

void TestLinkNetwork::passesThatDoNotHold()
{
    QFETCH(QString, fault);
    QFETCH(QString, words);
    NetworkFixture fleet;
    const Person bo("bo");
    QCOMPARE(LinkFixture::errorOf(fleet.enrol(bo, fleet.ana, rules::Role::Viewer)), std::string());
    const std::string storeId = fleet.fleet()->storeId;
    const rules::Instant now = fleet.clock.now().wall;
    link::HeldPass held = fleet.pass(bo);
    if (fault == QStringLiteral("store"))
        held = link::beginShift(bo.key, std::string(32, '0'), "bo", now + rules::hours(8));
    else if (fault == QStringLiteral("over"))
        held = link::beginShift(bo.key, storeId, "bo", now - rules::seconds(1));
    else if (fault == QStringLiteral("too long"))
        held = link::beginShift(bo.key, storeId, "bo", now + rules::hours(13));
    else if (fault == QStringLiteral("signature"))
        held = link::beginShift(trust::SecretKey::generate(), storeId, "bo", now + rules::hours(8));
    else if (fault == QStringLiteral("changed"))
        held.pass.until.micros += 1;
    else if (fault == QStringLiteral("name"))
        held = link::beginShift(bo.key, storeId, "nobody", now + rules::hours(8));
    else if (fault == QStringLiteral("proof"))
        held.sign = [other = fleet.pass(bo)](std::string_view bytes) { return other.sign(bytes); };
    else if (fault == QStringLiteral("retired")) {
        const rules::RetireOperator retire{"bo", "ana", "left the team"};
        QCOMPARE(LinkFixture::errorOf(fleet.send(fleet.ana.sign(retire, storeId, now))), std::string());
    }
    fleet.serve();
    const std::string why = fleet.refusalOf(fleet.to(held));
    QVERIFY2(holds(why, qPrintable(words)), why.c_str());
    QCOMPARE(fleet.server().status().guests, std::size_t{0});
}

void TestLinkNetwork::aChallengeIsForOneConnection()
{
    NetworkFixture fleet;
    fleet.serve();
    const link::HeldPass held = fleet.pass(fleet.ana);
    const auto certificate = link::fingerprintIn(fleet.server().status().fingerprint);
    QVERIFY(certificate);
    // One answer serves its own connection; the same on another does not, nor under another host's certificate.
    std::string recorded;
    for (const int round : {0, 1, 2}) {
        RawNetworkPeer peer(fleet.server().status().network);
        const auto greeting = peer.next();
        QVERIFY(greeting);
        link::Challenge challenge{std::get<link::Greeting>(*greeting).challenge, *certificate};
        if (round == 0)
            recorded = held.sign(link::bytesToSign(challenge, held.pass));
        if (round == 2) {
            challenge.certificate[0] ^= 1U;
            recorded = held.sign(link::bytesToSign(challenge, held.pass));
        }
        peer.send(link::Hello{link::kLinkVersion, {}, held.pass, recorded});
        const auto answer = peer.next();
        QVERIFY(answer);
        QCOMPARE(std::holds_alternative<link::Admitted>(*answer), round == 0);
        QCOMPARE(std::holds_alternative<link::TurnedAway>(*answer), round != 0);
    }
}

void TestLinkNetwork::aBareActIsRefused()
{
    NetworkFixture fleet;
    fleet.serve();
    link::LinkedHost client(fleet.to(fleet.pass(fleet.ana)));
    QVERIFY(client.waitUntilUp(std::chrono::seconds(10)));
    const auto before = fleet.fleet()->seq.value;
    const auto reply = engine::submitAndWait(client, rules::StopAgent{"a1", rules::Rung::Open, "ana", "unsigned"});
    QVERIFY(holds(LinkFixture::errorOf(reply), "must be signed"));
    QCOMPARE(fleet.fleet()->seq.value, before);
}

void TestLinkNetwork::whoIsRetiredIsCut()
{
    NetworkFixture fleet;
    const Person bo("bo");
    QCOMPARE(LinkFixture::errorOf(fleet.enrol(bo, fleet.ana, rules::Role::Responder)), std::string());
    fleet.serve();
    link::LinkedHost client(fleet.to(fleet.pass(bo)));
    QVERIFY(client.waitUntilUp(std::chrono::seconds(10)));
    const rules::RetireOperator retire{"bo", "ana", "left the team"};
    QCOMPARE(LinkFixture::errorOf(fleet.send(fleet.ana.sign(retire, fleet.fleet()->storeId, fleet.clock.now().wall))),
             std::string());
    QTRY_VERIFY(!client.state().isUp);
    QTRY_VERIFY2(holds(client.state().trouble, "retired"), client.state().trouble.c_str());
}

void TestLinkNetwork::aShiftEnds()
{
    NetworkFixture fleet;
    fleet.serve();
    link::LinkedHost client(fleet.to(fleet.pass(fleet.ana, rules::hours(1))));
    QVERIFY(client.waitUntilUp(std::chrono::seconds(10)));
    fleet.clock.advance(rules::minutes(61));
    QTRY_VERIFY(!client.state().isUp);
    QTRY_VERIFY2(holds(client.state().trouble, "over"), client.state().trouble.c_str());
    client.setPass(fleet.pass(fleet.ana));                        // who signs in again goes on
    const auto up = client.waitUntilUp(std::chrono::seconds(10)); // and does not hear of the old pass any more
    QVERIFY2(up, up ? "" : up.error().message.c_str());
}

void TestLinkNetwork::aStoreWithoutOperatorsIsNotServed()
{
    LinkFixture fleet;
    QTemporaryDir folder;
    fleet.options.listen = QStringLiteral("127.0.0.1:0");
    fleet.options.certificateFolder = folder.filePath(QStringLiteral("link"));
    fleet.startAndServe();
    QCOMPARE(fleet.server().status().network, QString());
    QVERIFY(holds(fleet.server().status().networkTrouble, "no operators"));
    QVERIFY(!fleet.server().status().fingerprint.isEmpty()); // so that it can be handed out before
    const Person ana("ana");
    QCOMPARE(LinkFixture::errorOf(fleet.enrol(ana, ana)), std::string());
    QTRY_VERIFY(!fleet.server().status().network.isEmpty()); // from the first operator on
    QVERIFY(fleet.server().status().networkTrouble.empty());
}

void TestLinkNetwork::anAddressInUseIsTold()
{
    NetworkFixture first;
    first.serve();
    NetworkFixture second;
    second.options.listen = first.server().status().network;
    const auto served = second.tryServe();
    QVERIFY(!served);
    QVERIFY(holds(served.error().message, "cannot listen"));
    second.options.listen = QStringLiteral("somewhere");
    QVERIFY(!second.tryServe());
    QVERIFY(!QFileInfo::exists(second.socketPath()));
}

void TestLinkNetwork::strangersAreBounded()
{
    NetworkFixture fleet;
    fleet.serve();
    const auto place = link::addressIn(fleet.server().status().network);
    std::vector<std::unique_ptr<QTcpSocket>> strangers;
    for (int i = 0; i < 100; ++i) {
        strangers.push_back(std::make_unique<QTcpSocket>());
        strangers.back()->connectToHost(place->host, place->port);
    }
    // Meanwhile this machine's own are served, and later the network's too: strangers are not kept.
    QVERIFY(fleet.connectedClient()->state().isUp);
    const auto goneOf = [&] {
        return std::ranges::count_if(strangers,
                                     [](const auto &one) { return one->state() == QAbstractSocket::UnconnectedState; });
    };
    QTRY_COMPARE_WITH_TIMEOUT(goneOf(), 100, 20'000);
    QCOMPARE(fleet.refusalOf(fleet.to(fleet.pass(fleet.ana))), std::string());
}

void TestLinkNetwork::plainTextIsNotAnswered()
{
    NetworkFixture fleet;
    fleet.serve();
    const auto place = link::addressIn(fleet.server().status().network);
    QTcpSocket socket;
    socket.connectToHost(place->host, place->port);
    QVERIFY(socket.waitForConnected(5'000));
    socket.write(link::framed(link::encode(link::ToHost(link::Hello{link::kLinkVersion, {}, {}, {}}))));
    QTRY_COMPARE(socket.state(), QAbstractSocket::UnconnectedState);
    const std::string heard = socket.readAll().toStdString(); // an alert of TLS at most
    QVERIFY(heard.size() < 16);
}

QTEST_GUILESS_MAIN(TestLinkNetwork)
#include "tst_link_network.moc"

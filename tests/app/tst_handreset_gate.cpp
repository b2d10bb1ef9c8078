// The headless host as a program: what it takes, what it tells the service manager and its log, how it waits for a
// store, and how it ends.
#include "app/gate/gate_config.h"
#include "app/gate/gate_options.h"
#include "app/gate/heartbeat.h"
#include "app/gate/printable.h"
#include "model/engine/embedded_host.h"
#include "model/engine/host_wait.h"
#include "model/link/linked_host.h"
#include "model/link/socket_path.h"
#include "model/trust/signer.h"
#include "tests/app/gate_fixture.h"
#include "tests/support/temporary_store.h"

#include <QFile>
#include <QFileInfo>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace handreset;
using namespace handreset::gate;
using engine::StoreHealth;
using tests::FakeManager;
using tests::GateProgram;
using tests::TemporaryStore;

namespace {

constexpr int kLong = GateProgram::kLong;
const QByteArray kHalfASecond("500000");

QString option(const char *name)
{
    return QString::fromLatin1(name);
}

QStringList on(const TemporaryStore &store)
{
    return {option("--store"), store.path()};
}

/// What `verify` finds in a store that nobody has open; and how often it was hosted.
struct Looked {
    QString trouble;
    std::uint64_t events = 0;
    std::size_t starts = 0;
};

Looked lookAt(const QString &path)
{
    const auto opened = store::Store::open(path);
    if (!opened)
        return {QString::fromStdString(opened.error().message)};
    const auto found = (*opened)->verify({});
    if (!found)
        return {QString::fromStdString(found.error().message)};
    Looked looked;
    looked.events = found->events;
    if (!found->clean())
        looked.trouble = QString::fromStdString(found->findings.front());
    const auto read = (*opened)->read(rules::Seq{1}, (*opened)->lastSeq(), false, [&](const rules::Event &event) {
        looked.starts += std::holds_alternative<rules::HostStarted>(event.payload) ? 1U : 0U;
        return true;
    });
    if (!read)
        looked.trouble = QString::fromStdString(read.error().message);
    return looked;
}

std::unique_ptr<engine::EmbeddedHost> hostOf(const QString &path)
{
    engine::EmbeddedHostOptions options;
    options.storePath = path;
    auto host = engine::EmbeddedHost::start(std::move(options));
    return host ? std::move(host).value() : nullptr;
}

QString writeFile(const QString &path, const QByteArray &text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("%s cannot be written", qPrintable(path));
    return path;
}

engine::HostStatus status(StoreHealth health, std::int64_t turn, std::uint64_t committed)
{
    engine::HostStatus made;
    made.health = health;
    made.lastBeat.steady = rules::Steady{turn};
    made.committed = rules::Seq{committed};
    if (health != StoreHealth::Writable)
        made.trouble = "the disk is full";
    return made;
}

} // namespace

class TestHandresetGate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What it is told
    void helpAndVersion();
    void wrongUse_data();
    void wrongUse();
    void wrongConfigurationNamesTheLine_data();
    void wrongConfigurationNamesTheLine();
    void theCommandLineCountsMoreThanTheFile();
    void addresses_data();
    void addresses();

    // What it says
    void hostileTextIsOneLine_data();
    void hostileTextIsOneLine();
    void everyLineOfTheLogIsAnObject();
    void aStoreWithAHostileName();

    // Its life
    void itIsReadyAndStopsCleanly_data();
    void itIsReadyAndStopsCleanly();
    void itNeedsNoServiceManager();
    void anAbstractNameIsReachedToo();
    void aWrongNotifySocketIsOnlySaid();
    void aMissingStoreIsNotMade();
    void aFileThatIsNoStore();
    void itWaitsForAnotherHostAndSaysSoOnce();
    void itCanBeEndedWhileItWaits();
    void killedAndStartedAgain();

    // Its doors
    void operatorsReachItByTheStoresPath();
    void operatorsOfOtherMachinesReachItOnceThereAreSome();
    void aDoorThatCannotBeOpenedEndsIt();

    // The watchdog
    void theHeartBeatsOnlyAfterATurnAndAWrite();
    void theWatchdogHearsIt();
    void theWatchdogOfAnotherProcessIsLeftAlone();
    void theWatchdogHearsNothingWhenTheStoreIsGone();
    void theWatchdogHearsNothingWhileNothingCanBeWritten();
    void aRefusedStoreIsHostedWithoutTheWatchdog();
};

void TestHandresetGate::helpAndVersion()
{
    for (const char *name : {"--help", "--version"}) {
        QProcess gate;
        gate.start(QStringLiteral(HANDRESET_GATE), {option(name)});
        QVERIFY(gate.waitForFinished(kLong));
        QCOMPARE(gate.exitCode(), 0);
        QVERIFY(gate.readAllStandardOutput().startsWith("handreset-gate "));
        QVERIFY(gate.readAllStandardError().isEmpty());
    }
}

void TestHandresetGate::wrongUse_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *name, std::initializer_list<const char *> words, const char *says) {
        QStringList arguments;
        for (const char *word : words)
            arguments << QString::fromUtf8(word);
        QTest::newRow(name) << arguments << QByteArray(says);
    };
    row("unknown", {"--nonsense"}, "--nonsense");
    row("underscore", {"--log_level", "info"}, "--log_level");
    row("a word", {"fleet.db"}, "fleet.db");
    row("no value", {"--store"}, "--store needs");
    row("empty value", {"--store="}, "--store needs");
    row("twice", {"--store", "/a/fleet.db", "--store", "/b/fleet.db"}, "twice");
    row("no address", {"--link", "8480"}, "127.0.0.1:8480");
    row("a name for an address", {"--link", "localhost:8480"}, "address in numbers");
    row("port too large", {"--link", "127.0.0.1:65536"}, "--link");
    row("agents from elsewhere", {"--listen", "0.0.0.0:8480"}, "this machine only");
    row("level", {"--log-level", "loud"}, "debug, info");
    row("missing configuration", {"--config", "/nowhere/gate.toml"}, "/nowhere/gate.toml: ");
    row("hostile word", {"--\x1B[2J"}, "\\u001b[2J");
}

void TestHandresetGate::wrongUse()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    GateProgram gate(arguments);
    gate.start();
    QCOMPARE(gate.finish(), 2);
    QVERIFY2(gate.err().contains(says), gate.err().constData());
    QVERIFY(gate.err().startsWith("handreset-gate: "));
    QVERIFY(!gate.err().contains('\x1B'));
}

void TestHandresetGate::wrongConfigurationNamesTheLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("no TOML") << QByteArray("# the gate\nstore = \n") << 2 << QByteArray("TOML");
    QTest::newRow("unknown") << QByteArray("\n\nstores = \"a\"\n") << 3 << QByteArray("no setting \"stores\"");
    QTest::newRow("a table") << QByteArray("store = \"a\"\n[door]\nx = 1\n") << 2 << QByteArray("no setting \"door\"");
    QTest::newRow("no text") << QByteArray("store = 1\n") << 1 << QByteArray("quotes");
    QTest::newRow("twice") << QByteArray("store = \"a\"\nstore = \"b\"\n") << 2 << QByteArray("TOML");
    QTest::newRow("address") << QByteArray("# one\n# two\nlink = \"here\"\n") << 3 << QByteArray("[::1]:8480");
    QTest::newRow("elsewhere") << QByteArray("listen = \"10.0.0.1:1\"\n") << 1 << QByteArray("this machine only");
    QTest::newRow("level") << QByteArray("store = \"a\"\n\n\nlog_level = \"Info\"") << 4 << QByteArray("debug, info");
    QTest::newRow("empty path") << QByteArray("\nsocket = \"\"\n") << 2 << QByteArray("name of a file");
    QTest::newRow("the first of two") << QByteArray("zebra = 1\nalpha = 1\n") << 1 << QByteArray("zebra");
}

void TestHandresetGate::wrongConfigurationNamesTheLine()
{
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    QFETCH(QByteArray, says);
    const QTemporaryDir folder;
    const auto file = writeFile(folder.filePath(QStringLiteral("gate.toml")), text);
    GateProgram gate({option("--config"), file});
    gate.start();
    QCOMPARE(gate.finish(), 2);
    QVERIFY2(gate.err().startsWith(QStringLiteral("handreset-gate: %1:%2: ").arg(file).arg(line).toUtf8()),
             gate.err().constData());
    QVERIFY2(gate.err().contains(says), gate.err().constData());
}

void TestHandresetGate::theCommandLineCountsMoreThanTheFile()
{
    const QTemporaryDir folder;
    const auto file = writeFile(folder.filePath(QStringLiteral("gate.toml")),
                                "store = \"fleet.db\"\nlisten = \"127.0.0.1:8480\"\nlog_level = \"warning\"\n");
    const auto options = readOptions({"--log-level=debug", "--config", file.toStdString(), "--link", "0.0.0.0:9"});
    QVERIFY(options.ok());
    const auto &settings = options->settings;
    QVERIFY(settings.logLevel == LogLevel::Debug);
    QCOMPARE(*settings.store, folder.filePath(QStringLiteral("fleet.db")).toStdString()); // beside the file
    QVERIFY(settings.listen == (Endpoint{"127.0.0.1", 8480, true}));
    QVERIFY(settings.link == (Endpoint{"0.0.0.0", 9, false}));
    QVERIFY(!settings.socket);
    const auto other = readOptions({"--store", "/elsewhere/fleet.db", "--config", file.toStdString()});
    QCOMPARE(*other->settings.store, std::string("/elsewhere/fleet.db"));

    QVERIFY(!readConfig("store = \"a\xFF\"", "gate.toml"));
    QVERIFY(!readConfig(std::string(kMostConfig + 1, '#'), "gate.toml"));
    QVERIFY(readConfig("", "gate.toml")->store == std::nullopt);
}

void TestHandresetGate::addresses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("address"); // empty: none
    QTest::addColumn<int>("port");
    QTest::addColumn<bool>("isLoopback");
    QTest::newRow("four") << QByteArray("127.0.0.1:8480") << QByteArray("127.0.0.1") << 8480 << true;
    QTest::newRow("all") << QByteArray("0.0.0.0:1") << QByteArray("0.0.0.0") << 1 << false;
    QTest::newRow("loopback's net") << QByteArray("127.8.8.8:65535") << QByteArray("127.8.8.8") << 65535 << true;
    QTest::newRow("six") << QByteArray("[::1]:0") << QByteArray("::1") << 0 << true;
    QTest::newRow("six from elsewhere") << QByteArray("[fe80::1]:7") << QByteArray("fe80::1") << 7 << false;
    for (const char *wrong : {"", ":", ":1", "127.0.0.1", "127.0.0.1:", "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1: 1",
                              "127.0.0.1:1x", "127.1:1", "[127.0.0.1]:1", "::1:1", "[::1:1", "[]:1", "256.0.0.1:1"})
        QTest::newRow(wrong) << QByteArray(wrong) << QByteArray() << 0 << false;
}

void TestHandresetGate::addresses()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, address);
    QFETCH(int, port);
    QFETCH(bool, isLoopback);
    const auto endpoint = endpointOf(text.toStdString());
    QCOMPARE(endpoint.has_value(), !address.isEmpty());
    if (endpoint)
        QVERIFY(*endpoint == (Endpoint{address.toStdString(), static_cast<std::uint16_t>(port), isLoopback}));
}

void TestHandresetGate::hostileTextIsOneLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("plain") << QByteArray("a b") << QByteArray("a b") << QByteArray("\"a b\"");
    QTest::newRow("lines") << QByteArray("a\nREADY=1\r") << QByteArray("a\\u000aREADY=1\\u000d")
                           << QByteArray("\"a\\u000aREADY=1\\u000d\"");
    QTest::newRow("quotes") << QByteArray(R"("\)") << QByteArray(R"("\)") << QByteArray(R"("\"\\")");
    QTest::newRow("escape") << QByteArray("\x1B]0;x\x07") << QByteArray("\\u001b]0;x\\u0007")
                            << QByteArray("\"\\u001b]0;x\\u0007\"");
    QTest::newRow("turned around") << QByteArray("\xE2\x80\xAE"
                                                 "db")
                                   << QByteArray("\\u202edb") << QByteArray("\"\\u202edb\"");
    QTest::newRow("tag") << QByteArray("\xF3\xA0\x81\x81") << QByteArray("\\udb40\\udc41")
                         << QByteArray("\"\\udb40\\udc41\"");
    QTest::newRow("accents") << QByteArray("S\xC3\xA3o") << QByteArray("S\xC3\xA3o") << QByteArray("\"S\xC3\xA3o\"");
    QTest::newRow("no UTF-8") << QByteArray("\xFFx") << QByteArray("\xEF\xBF\xBDx") << QByteArray("\"\xEF\xBF\xBDx\"");
    QTest::newRow("zero") << QByteArray("a\0b", 3) << QByteArray("a\\u0000b") << QByteArray("\"a\\u0000b\"");
}

void TestHandresetGate::hostileTextIsOneLine()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    QFETCH(QByteArray, json);
    QCOMPARE(QByteArray::fromStdString(printable(text.toStdString())), shown);
    std::string spelled;
    appendJson(spelled, text.toStdString());
    QCOMPARE(QByteArray::fromStdString(spelled), json);
    const auto read = QJsonDocument::fromJson("[" + json + "]");
    QCOMPARE(read[0].toString(), QString::fromUtf8(text));
}

void TestHandresetGate::everyLineOfTheLogIsAnObject()
{
    const TemporaryStore store;
    const QString door = store.path() + QStringLiteral(".agents");
    GateProgram gate(on(store) << option("--log-level") << option("debug") << option("--socket") << door);
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(gate.says("hosting"), kLong);
    QCOMPARE(gate.terminate(), 0);
    const auto log = gate.log();
    QVERIFY(log.size() >= 5);
    const QRegularExpression time(QStringLiteral("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$"));
    for (const auto &event : log) {
        QVERIFY2(time.match(event[QStringLiteral("time")].toString()).hasMatch(), gate.err().constData());
        QVERIFY(logLevelOf(event[QStringLiteral("level")].toString().toStdString()));
        QVERIFY(!event[QStringLiteral("event")].toString().isEmpty());
    }
    QVERIFY(gate.err().endsWith("}\n"));
    QCOMPARE(gate.logged("agents_door").size(), std::size_t{1});
    QVERIFY(!QFile::exists(door)); // gone with its gate
}

void TestHandresetGate::aStoreWithAHostileName()
{
    const QTemporaryDir folder;
    const QString name = folder.filePath(QString::fromUtf8("a\nREADY=1\xE2\x80\xAE\x1B[2J\"/fleet.db"));
    FakeManager manager;
    GateProgram gate({option("--store"), name});
    gate.setManager(manager);
    gate.start();
    QCOMPARE(gate.finish(), 3);
    for (const auto &event : gate.log())
        QCOMPARE(event[QStringLiteral("store")].toString(), name);
    QVERIFY(!gate.err().contains('\x1B') && !gate.err().contains("\xE2\x80\xAE"));
    QVERIFY(!manager.heard("READY=1"));
}

void TestHandresetGate::itIsReadyAndStopsCleanly_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
}

void TestHandresetGate::itIsReadyAndStopsCleanly()
{
    QFETCH(int, signal);
    const TemporaryStore store;
    FakeManager manager;
    GateProgram gate(on(store));
    gate.setManager(manager);
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(manager.heard("READY=1"), kLong);
    QVERIFY(manager.heard("STATUS=Hosting " + store.path().toUtf8()));
    QVERIFY(!manager.heard("WATCHDOG=1"));      // nobody asked for it
    QVERIFY(!store::Store::open(store.path())); // it has the store alone
    QVERIFY(gate.says("starting") && gate.says("hosting"));

    QCOMPARE(::kill(static_cast<pid_t>(gate.process().processId()), signal), 0);
    QCOMPARE(gate.finish(), 0);
    QVERIFY(manager.heard("STOPPING=1"));
    QVERIFY(gate.says("stopping") && gate.says("stopped"));
    QVERIFY(gate.logged("ended").empty());
    const auto looked = lookAt(store.path());
    QCOMPARE(looked.trouble, QString());
    QCOMPARE(looked.starts, std::size_t{1});
    // what is left beside the store is what was there before
    QCOMPARE(QDir(store.folder()).entryList(QDir::Files | QDir::Hidden).filter(QStringLiteral("-wal")).size(), 0);
}

void TestHandresetGate::itNeedsNoServiceManager()
{
    const TemporaryStore store;
    GateProgram gate(on(store));
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(gate.says("hosting"), kLong);
    QVERIFY(!gate.says("service_manager"));
    QCOMPARE(gate.terminate(), 0);
}

void TestHandresetGate::anAbstractNameIsReachedToo()
{
    const TemporaryStore store;
    FakeManager manager(FakeManager::Kind::Abstract);
    GateProgram gate(on(store));
    gate.setManager(manager);
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(manager.heard("READY=1"), kLong);
    QCOMPARE(gate.terminate(), 0);
    QVERIFY(manager.heard("STOPPING=1"));
}

void TestHandresetGate::aWrongNotifySocketIsOnlySaid()
{
    const TemporaryStore store;
    for (const char *address : {"relative/path", "/nowhere/notify", "vsock:2:9"}) {
        GateProgram gate(on(store));
        gate.set(QStringLiteral("NOTIFY_SOCKET"), address);
        gate.start();
        QTRY_VERIFY_WITH_TIMEOUT(gate.says("hosting"), kLong);
        QVERIFY(gate.says("service_manager"));
        QCOMPARE(gate.terminate(), 0);
    }
}

void TestHandresetGate::aMissingStoreIsNotMade()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mistyped/fleet.db"));
    FakeManager manager;
    GateProgram gate({option("--store"), path});
    gate.setManager(manager);
    gate.start();
    QCOMPARE(gate.finish(), 3);
    const auto ended = gate.logged("ended");
    QCOMPARE(ended.size(), std::size_t{1});
    QVERIFY2(ended[0][QStringLiteral("message")].toString().contains(QStringLiteral("init")), gate.err().constData());
    QCOMPARE(ended[0][QStringLiteral("level")].toString(), QStringLiteral("error"));
    QVERIFY(!QFileInfo::exists(path));
    QVERIFY(!manager.heard("READY=1"));
}

void TestHandresetGate::aFileThatIsNoStore()
{
    const QTemporaryDir folder;
    const auto path = writeFile(folder.filePath(QStringLiteral("notes.txt")), "nothing of SQLite's");
    GateProgram gate({option("--store"), path});
    gate.start();
    QCOMPARE(gate.finish(), 3);
    QVERIFY(gate.says("ended"));
}

void TestHandresetGate::itWaitsForAnotherHostAndSaysSoOnce()
{
    const TemporaryStore store;
    auto other = hostOf(store.path());
    QVERIFY(other);
    FakeManager manager;
    GateProgram gate(on(store));
    gate.setManager(manager);
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(gate.says("waiting_for_store"), kLong);
    // It tries again and again meanwhile: systemd is asked for more time at least twice, and nothing more is logged.
    const auto asked = [&manager] { return manager.count("EXTEND_TIMEOUT_USEC=60000000"); };
    QTRY_VERIFY_WITH_TIMEOUT(asked() >= 2, kLong);
    QCOMPARE(gate.logged("waiting_for_store").size(), std::size_t{1});
    QVERIFY(!manager.heard("READY=1"));
    QVERIFY(other->status().health == StoreHealth::Writable); // its lock is not touched by the look

    other.reset();
    QTRY_VERIFY_WITH_TIMEOUT(manager.heard("READY=1"), kLong);
    QCOMPARE(gate.logged("waiting_for_store").size(), std::size_t{1});
    QCOMPARE(gate.terminate(), 0);
    const auto looked = lookAt(store.path());
    QCOMPARE(looked.trouble, QString());
    QCOMPARE(looked.starts, std::size_t{2});
}

void TestHandresetGate::itCanBeEndedWhileItWaits()
{
    const TemporaryStore store;
    const auto other = hostOf(store.path());
    GateProgram gate(on(store));
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(gate.says("waiting_for_store"), kLong);
    QCOMPARE(gate.terminate(), 0);
}

void TestHandresetGate::killedAndStartedAgain()
{
    const TemporaryStore store;
    for (int round = 0; round < 3; ++round) {
        FakeManager manager;
        GateProgram gate(on(store));
        gate.setManager(manager);
        gate.start();
        QTRY_VERIFY_WITH_TIMEOUT(manager.heard("READY=1"), kLong);
        gate.process().kill();
        QCOMPARE(gate.finish(), -1);
    }
    GateProgram gate(on(store));
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(gate.says("hosting"), kLong);
    QCOMPARE(gate.logged("hosting")[0][QStringLiteral("health")].toString(), QStringLiteral("writable"));
    QCOMPARE(gate.terminate(), 0);
    const auto looked = lookAt(store.path());
    QCOMPARE(looked.trouble, QString());
    QCOMPARE(looked.starts, std::size_t{4});
}

void TestHandresetGate::operatorsReachItByTheStoresPath()
{
    const TemporaryStore store;
    GateProgram gate(on(store));
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(gate.says("operators_link"), kLong);
    QCOMPARE(gate.logged("operators_link")[0][QStringLiteral("socket")].toString(), link::socketPathOf(store.path()));
    link::LinkedHostOptions options;
    options.socketPath = link::socketPathOf(store.path());
    link::LinkedHost desk(std::move(options));
    const auto up = desk.waitUntilUp(std::chrono::seconds(30));
    QVERIFY2(up.ok(), up ? "" : up.error().message.c_str());
    const auto reply
        = engine::submitAndWait(desk, rules::StopAgent{{}, rules::Rung::Open, "ana", "the whole fleet, for a test"});
    QVERIFY(std::holds_alternative<rules::ActDone>(reply.outcome));

    // It ends while somebody is connected.
    QCOMPARE(gate.terminate(), 0);
    QVERIFY(gate.says("stopped"));
    QVERIFY(!QFileInfo::exists(link::socketPathOf(store.path())));
    QCOMPARE(lookAt(store.path()).trouble, QString());
    const auto opened = store::Store::open(store.path());
    QVERIFY(opened.ok());
    QCOMPARE((*opened)->load()->trips.size(), std::size_t{1});
}

void TestHandresetGate::operatorsOfOtherMachinesReachItOnceThereAreSome()
{
    const TemporaryStore store;
    GateProgram gate(on(store) << option("--link") << option("127.0.0.1:0"));
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(gate.says("operators_network"), kLong);
    QVERIFY(gate.logged("operators_network")[0][QStringLiteral("message")].toString().contains(
        QStringLiteral("no operators")));

    link::LinkedHostOptions here;
    here.socketPath = link::socketPathOf(store.path());
    link::LinkedHost onThisMachine(std::move(here));
    QVERIFY(onThisMachine.waitUntilUp(std::chrono::seconds(30)).ok());
    const auto fleet = engine::snapshotAndWait(onThisMachine);
    const auto key = trust::SecretKey::generate();
    const trust::Signer ana(trust::SecretKey::fromSeed(key.seed()), trust::SignerSeat::here(fleet->storeId, "ana"));
    const auto now = engine::SystemClock().now().wall;
    const auto enrolled = engine::submitAndWait(
        onThisMachine,
        ana.sign(rules::EnrolOperator{"ana", rules::Role::Approver, key.publicKey(), "ana", "the first of all"}, now));
    const auto *const refused = std::get_if<rules::Error>(&enrolled.outcome);
    QVERIFY2(refused == nullptr, refused != nullptr ? refused->message.c_str() : "");

    QTRY_VERIFY_WITH_TIMEOUT(gate.logged("operators_network").size() == 2, kLong);
    const auto told = gate.logged("operators_network")[1];
    link::LinkedHostOptions elsewhere;
    elsewhere.address = told[QStringLiteral("address")].toString();
    elsewhere.fingerprint = told[QStringLiteral("fingerprint")].toString();
    elsewhere.pass = link::beginShift(key, fleet->storeId, "ana", now + rules::hours(1));
    link::LinkedHost onAnotherMachine(std::move(elsewhere));
    const auto up = onAnotherMachine.waitUntilUp(std::chrono::seconds(30));
    QVERIFY2(up.ok(), up ? "" : up.error().message.c_str());
    QCOMPARE(gate.terminate(), 0);
}

void TestHandresetGate::aDoorThatCannotBeOpenedEndsIt()
{
    const TemporaryStore store;
    writeFile(link::socketPathOf(store.path()), "no socket");
    FakeManager manager;
    GateProgram gate(on(store));
    gate.setManager(manager);
    gate.start();
    QCOMPARE(gate.finish(), 3);
    QVERIFY(gate.says("ended") && gate.says("stopped"));
    QVERIFY(!manager.heard("READY=1"));
    QCOMPARE(lookAt(store.path()).trouble, QString());
}

void TestHandresetGate::theHeartBeatsOnlyAfterATurnAndAWrite()
{
    int probes = 0;
    std::string trouble;
    Heartbeat heart([&] {
        ++probes;
        return trouble;
    });
    QVERIFY(heart.beats(status(StoreHealth::Writable, 0, 10)));
    QCOMPARE(probes, 0);                                         // the log's end had moved
    QVERIFY(!heart.beats(status(StoreHealth::Writable, 0, 11))); // written, and the loop has not turned since
    QVERIFY(!heart.trouble().empty());
    QVERIFY(heart.beats(status(StoreHealth::Writable, 1, 10)));
    QCOMPARE(probes, 1);
    QVERIFY(heart.trouble().empty());
    trouble = "the disk is full";
    QVERIFY(!heart.beats(status(StoreHealth::Writable, 2, 10)));
    QCOMPARE(heart.trouble(), trouble);
    QVERIFY(heart.beats(status(StoreHealth::Writable, 2, 11))); // what was committed was a write
    trouble.clear();
    for (const auto health : {StoreHealth::Failing, StoreHealth::Refused, StoreHealth::ReadOnly}) {
        QVERIFY(!heart.beats(status(health, 3, 12)));
        QCOMPARE(heart.trouble(), std::string("the disk is full"));
    }
    QVERIFY(heart.beats(status(StoreHealth::Writable, 3, 12)));
}

void TestHandresetGate::theWatchdogHearsIt()
{
    const TemporaryStore store;
    FakeManager manager;
    GateProgram gate(on(store));
    gate.setManager(manager, "20000000");
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(manager.count("WATCHDOG=1") >= 4, kLong);
    QVERIFY(manager.told().indexOf("READY=1") < manager.told().indexOf("WATCHDOG=1"));
    QVERIFY(!gate.says("watchdog_withheld"));
    QCOMPARE(gate.terminate(), 0);
}

void TestHandresetGate::theWatchdogOfAnotherProcessIsLeftAlone()
{
    const TemporaryStore store;
    FakeManager manager;
    GateProgram gate(on(store));
    gate.setManager(manager, kHalfASecond);
    gate.set(QStringLiteral("WATCHDOG_PID"), "1");
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(manager.heard("READY=1"), kLong);
    QCOMPARE(gate.terminate(), 0);
    QVERIFY(!manager.heard("WATCHDOG=1"));
}

void TestHandresetGate::theWatchdogHearsNothingWhenTheStoreIsGone()
{
    const TemporaryStore store;
    FakeManager manager;
    GateProgram gate(on(store));
    gate.setManager(manager, "2000000");
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(manager.heard("WATCHDOG=1"), kLong);
    QVERIFY(QFile::rename(store.path(), store.path() + QStringLiteral(".away")));
    QTRY_VERIFY_WITH_TIMEOUT(gate.says("store_denies_everything"), kLong);
    QTRY_VERIFY_WITH_TIMEOUT(gate.says("watchdog_withheld"), kLong);
    const auto told = gate.logged("store_denies_everything");
    QCOMPARE(told[0][QStringLiteral("health")].toString(), QStringLiteral("failing"));
    QVERIFY(told[0][QStringLiteral("message")].toString().contains(QStringLiteral("gone")));
    manager.forget();
    QTest::qWait(2500); // longer than the watchdog's patience: silence is what is looked for
    QVERIFY(!manager.heard("WATCHDOG=1"));
    QVERIFY(gate.isRunning()); // it goes on to deny
    QCOMPARE(gate.logged("watchdog_withheld").size(), std::size_t{1});
    QCOMPARE(gate.terminate(), 0);
}

void TestHandresetGate::theWatchdogHearsNothingWhileNothingCanBeWritten()
{
    const TemporaryStore store;
    FakeManager manager;
    GateProgram gate(on(store));
    gate.setManager(manager, "2000000");
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(manager.heard("WATCHDOG=1"), kLong);
    // As a full disk, without one: no file may grow beyond its first byte.
    const auto process = static_cast<pid_t>(gate.process().processId());
    struct rlimit before = {};
    struct rlimit tight = {};
    QCOMPARE(prlimit(process, RLIMIT_FSIZE, nullptr, &before), 0);
    tight = before;
    tight.rlim_cur = 1;
    QCOMPARE(prlimit(process, RLIMIT_FSIZE, &tight, nullptr), 0);
    QTRY_VERIFY_WITH_TIMEOUT(gate.says("watchdog_withheld"), kLong);
    manager.forget();
    QTest::qWait(2500); // longer than the watchdog's patience: silence is what is looked for
    QVERIFY(!manager.heard("WATCHDOG=1"));
    QCOMPARE(prlimit(process, RLIMIT_FSIZE, &before, nullptr), 0);
    QTRY_VERIFY_WITH_TIMEOUT(manager.heard("WATCHDOG=1"), kLong);
    QVERIFY(gate.says("alive_again"));
    QCOMPARE(gate.terminate(), 0);
    QCOMPARE(lookAt(store.path()).trouble, QString());
}

void TestHandresetGate::aRefusedStoreIsHostedWithoutTheWatchdog()
{
    const TemporaryStore store;
    QVERIFY(store::setSentinel(store.path(), "the disk was full").ok());
    FakeManager manager;
    GateProgram gate(on(store));
    gate.setManager(manager, "2000000");
    gate.start();
    QTRY_VERIFY_WITH_TIMEOUT(manager.heard("READY=1"), kLong);
    QTRY_VERIFY_WITH_TIMEOUT(manager.heard("WATCHDOG_USEC=0"), kLong);
    const auto told = gate.logged("store_denies_everything");
    QCOMPARE(told.size(), std::size_t{1});
    QCOMPARE(told[0][QStringLiteral("health")].toString(), QStringLiteral("refused"));
    QCOMPARE(gate.terminate(), 0);
    QVERIFY(!manager.heard("WATCHDOG=1"));
    QVERIFY(store::sentinelIsSet(store.path()));
}

QTEST_GUILESS_MAIN(TestHandresetGate)
#include "tst_handreset_gate.moc"

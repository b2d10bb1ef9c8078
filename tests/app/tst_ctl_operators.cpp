// Operators at the command line (spec 3.4, 4, 8; cases 52, 60, 61, 64): init, keys, signatures, two persons, passes,
// and a store that somebody put in another's place.
#include "tests/app/ctl_fixture.h"
#include "tests/store/raw_sql.h"

#include "model/engine/host_wait.h"
#include "model/engine/root_guard.h"
#include "model/link/link_server.h"
#include "model/store/chain.h"
#include "model/store/packing.h"
#include "model/store/store.h"
#include "model/trust/root_pin.h"

#include <QDirIterator>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <unistd.h>

using namespace handreset;
using tests::CtlFixture;
using tests::Ran;

class TestCtlOperators : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initAsksBeforeItMakes();
    void initMakesTheFirstOperator();
    void unsignedStoreIsUpgraded();
    void twoPersonsLiftAStop();
    void wrongPassphraseSignsNothing();
    void secretsStandNowhere();
    void keysRotateAndOperatorsRetire();
    void glassIsBrokenByRootAlone();
    void passLetsOneCallThrough();
    void oldCopyWithItsMarkIsNamed();
    void anotherRootIsRefused();
    void movedStoreIsAcceptedByAHuman();
    void forgedRearmIsNamedAndRefused();
    void forgedKeyframeIsNotBelieved();
    void forgedKeyframeAtTheWitnesssPlaceIsNotBelieved();
    void initLeavesNothingWithoutItsOperator();
    void openWitnessIsRefused_data();
    void openWitnessIsRefused();
    void sentinelIsClearedUnderASignature();
    void verbsReachARunningHost();
    void passphraseIsNotInTheProcessList();
};

namespace {

const char *const kWhy = "the ticket was checked by hand";

/// A signed store whose operators' passphrases stand in files of the test's folder.
struct SignedStore : CtlFixture {
    SignedStore()
    {
        qputenv("HANDRESET_PINS", file(QStringLiteral("pins")).toUtf8());
        qputenv("HANDRESET_KEYS", file(QStringLiteral("keys")).toUtf8());
        for (const auto *name : {"ana", "bo", "rui"})
            static_cast<void>(write(QString::fromLatin1(name), passphrase(name) + '\n'));
    }
    static std::string passphrase(const std::string &name) { return "secret words of " + name; }
    [[nodiscard]] std::string passphraseFile(const std::string &name) const
    {
        return file(QString::fromStdString(name)).toStdString();
    }
    Ran as(const std::string &name, std::vector<std::string> words)
    {
        for (const auto &word :
             {std::string("--operator"), name, std::string("--passphrase-file"), passphraseFile(name)})
            words.push_back(word);
        return run(std::move(words));
    }
    Ran jsonAs(const std::string &name, std::vector<std::string> words)
    {
        words.emplace_back("--json");
        return as(name, std::move(words));
    }
    void init()
    {
        const auto made = as("ana", {"init"});
        QVERIFY2(made.code == 0, made.err.c_str());
    }
    /// bo is an approver, rui a responder.
    void initThree()
    {
        init();
        for (const auto &[name, role] : {std::pair{"rui", "responder"}, {"bo", "approver"}}) {
            const auto key = runJson({"operator", "key", name, "--new-passphrase-file", passphraseFile(name)});
            QVERIFY2(key.code == 0, key.err.c_str());
            const auto hex = key.json()[u"key"].toString().toStdString();
            const auto enrolled = as("ana", {"operator", "enrol", name, "--role", role, "--key", hex});
            QVERIFY2(enrolled.code == 0, enrolled.err.c_str());
        }
    }
    std::string stopFleet()
    {
        const auto stopped = jsonAs("rui", {"stop", "--fleet", "--reason", "everything loops tonight"});
        const auto trip = std::to_string(stopped.json()[u"trip"].toInteger());
        as("rui", {"ack", trip});
        return trip;
    }
};

bool contains(const QString &folder, const QByteArray &bytes)
{
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(bytes))
            return true;
    }
    return false;
}

void copyFolder(const QString &from, const QString &to)
{
    QDir(to).removeRecursively();
    QVERIFY(QDir().mkpath(to));
    QFile::setPermissions(to, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    for (const auto &name : QDir(from).entryList(QDir::Files | QDir::Hidden))
        QVERIFY(QFile::copy(from + QLatin1Char('/') + name, to + QLatin1Char('/') + name));
}

} // namespace

void TestCtlOperators::initAsksBeforeItMakes()
{
    SignedStore store;
    const auto refused = store.run({"init"});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.says("--passphrase-file") && refused.says("--unsigned"), refused.err.c_str());
    QVERIFY(!QFile::exists(store.path()));
    const auto tooShort = store.write(QStringLiteral("short"), "seven77\n");
    QCOMPARE(store.run({"init", "--passphrase-file", tooShort}).code, 2);
    QVERIFY(!QFile::exists(store.path()));
}

void TestCtlOperators::initMakesTheFirstOperator()
{
    SignedStore store;
    store.init();
    const auto status = store.runJson({"status"}).json();
    QVERIFY(!status[u"unsigned"].toBool());
    QCOMPARE(status[u"approvers"].toInt(), 1);
    const auto operators = store.runJson({"operator", "list"}).json()[u"operators"].toArray();
    QCOMPARE(operators.size(), 1);
    QCOMPARE(operators[0][u"name"].toString(), QStringLiteral("ana"));
    QCOMPARE(operators[0][u"role"].toString(), QStringLiteral("approver"));
    QVERIFY(operators[0][u"root"].toBool());
    QVERIFY(store.run({"operator", "list"}).says("one approver"));
    QCOMPARE(store.run({"verify"}).code, 0);
    QVERIFY(store.as("ana", {"init"}).code != 0); // never touches an existing one
}

void TestCtlOperators::unsignedStoreIsUpgraded()
{
    SignedStore store;
    QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
    QCOMPARE(store.run({"stop", "--fleet", "--reason", "a stop by nobody's key"}).code, 0);
    const auto enrolled = store.run({"operator", "enrol", "ana", "--passphrase-file", store.passphraseFile("ana")});
    QVERIFY2(enrolled.code == 0, enrolled.err.c_str());
    QVERIFY(!store.runJson({"status"}).json()[u"unsigned"].toBool());
    const auto trip = std::to_string(store.runJson({"trips"}).json()[u"trips"][0][u"trip"].toInteger());
    QCOMPARE(store.as("ana", {"ack", trip}).code, 0);
    QCOMPARE(store.jsonAs("ana", {"rearm", trip, "--to", "closed", "--reason", kWhy}).json()[u"in_force"].toBool(true),
             false);
    QCOMPARE(store.run({"verify"}).code, 0);
}

void TestCtlOperators::twoPersonsLiftAStop()
{
    SignedStore store;
    store.initThree();
    const auto trip = store.stopFleet();
    const auto asked = store.jsonAs("rui", {"rearm", trip, "--to", "closed", "--reason", kWhy}).json();
    QCOMPARE(asked[u"in_force"].toBool(true), false);
    const auto request = std::to_string(asked[u"request"].toInteger());
    const auto waiting = store.runJson({"requests"}).json()[u"requests"].toArray();
    QCOMPARE(waiting.size(), 1);
    QCOMPARE(waiting[0][u"by"].toString(), QStringLiteral("rui"));
    QVERIFY(!waiting[0][u"changes"].toArray().isEmpty());
    QVERIFY(store.run({"requests"}).says("goes from open to closed"));
    const auto own = store.as("rui", {"approve", request});
    QCOMPARE(own.code, 4);
    QCOMPARE(store.as("bo", {"decline", request, "--reason", "not before the bank has answered"}).code, 0);
    QCOMPARE(store.as("bo", {"approve", request}).code, 4);
    const auto again = store.jsonAs("ana", {"rearm", trip, "--to", "closed", "--reason", kWhy}).json();
    const auto second = std::to_string(again[u"request"].toInteger());
    const auto self = store.as("ana", {"approve", second});
    QCOMPARE(self.code, 4);
    QVERIFY2(self.says("cannot be the second person"), self.err.c_str());
    const auto approved = store.as("bo", {"approve", second});
    QVERIFY2(approved.code == 0, approved.err.c_str());
    QVERIFY(store.runJson({"trips", "--active"}).json()[u"trips"].toArray().isEmpty());
    QVERIFY(store.run({"events", "--last", "30"}).says("from the same machine"));
    QVERIFY(store.run({"events", "--last", "30"}).says("by ana and bo"));
    QCOMPARE(store.run({"verify"}).code, 0);
}

void TestCtlOperators::wrongPassphraseSignsNothing()
{
    SignedStore store;
    store.initThree();
    const auto before = store.runJson({"status"}).json()[u"trips"].toInt();
    const auto wrong
        = store.run({"stop", "--fleet", "--operator", "ana", "--passphrase-file", store.passphraseFile("bo")});
    QCOMPARE(wrong.code, 4);
    QVERIFY(!wrong.says(SignedStore::passphrase("bo")));
    const auto nobody
        = store.run({"stop", "--fleet", "--operator", "eve", "--passphrase-file", store.passphraseFile("bo")});
    QCOMPARE(nobody.code, 2);
    // Without --operator the person's own name is taken, ana, whose passphrase this is not.
    QCOMPARE(store.run({"stop", "--fleet", "--passphrase-file", store.passphraseFile("bo")}).code, 4);
    QCOMPARE(store.runJson({"status"}).json()[u"trips"].toInt(), before);
}

void TestCtlOperators::secretsStandNowhere()
{
    SignedStore store;
    store.initThree();
    store.stopFleet();
    const auto wrong = store.run(
        {"stop", "--fleet", "--operator", "ana", "--passphrase-file", store.passphraseFile("bo"), "--json"});
    for (const auto *name : {"ana", "bo", "rui"}) {
        const auto secret = SignedStore::passphrase(name);
        QVERIFY(!wrong.says(secret));
        for (const auto *folder : {"store", "keys", "pins"})
            QVERIFY(!contains(store.file(QString::fromLatin1(folder)), QByteArray::fromStdString(secret)));
        QVERIFY(!store.runJson({"events", "--last", "1000"}).says(secret));
    }
}

void TestCtlOperators::keysRotateAndOperatorsRetire()
{
    SignedStore store;
    store.initThree();
    const auto next = store.write(QStringLiteral("rui2"), "other words for rui\n");
    const auto rotated
        = store.as("rui", {"operator", "rotate", "--new-passphrase-file", next, "--reason", "a new laptop"});
    QVERIFY2(rotated.code == 0, rotated.err.c_str());
    QCOMPARE(store.as("rui", {"stop", "--fleet"}).code, 4); // the old passphrase opens nothing any more
    QCOMPARE(store.run({"stop", "--fleet", "--operator", "rui", "--passphrase-file", next}).code, 0);
    const auto asked = store.jsonAs("ana", {"operator", "retire", "rui", "--reason", "left the team"}).json();
    QCOMPARE(store.as("bo", {"approve", std::to_string(asked[u"request"].toInteger())}).code, 0);
    const auto refused = store.run({"stop", "--fleet", "--operator", "rui", "--passphrase-file", next});
    QCOMPARE(refused.code, 4);
    QVERIFY2(refused.says("retired"), refused.err.c_str());
    QCOMPARE(store.run({"verify"}).code, 0);
}

void TestCtlOperators::glassIsBrokenByRootAlone()
{
    SignedStore store;
    store.initThree();
    const auto trip = store.stopFleet();
    const auto broken = store.as("rui", {"rearm", trip, "--to", "closed", "--reason", kWhy, "--break-glass"});
    if (::geteuid() != 0) {
        QCOMPARE(broken.code, 4);
        QVERIFY(broken.says("root on the host"));
        return;
    }
    QVERIFY2(broken.code == 0, broken.err.c_str());
    const auto review = store.runJson({"reviews"}).json()[u"reviews"][0][u"review"].toInteger();
    QVERIFY(store.run({"status"}).says("glass broken"));
    QCOMPARE(store.as("bo", {"close-review", std::to_string(review), "--reason", "looked at the payments"}).code, 0);
    QVERIFY(store.runJson({"reviews"}).json()[u"reviews"].toArray().isEmpty());
    QCOMPARE(store.run({"verify"}).code, 0);
}

void TestCtlOperators::passLetsOneCallThrough()
{
    SignedStore store;
    store.initThree();
    const auto policy = store.write(QStringLiteral("policy.toml"), R"(schema = 1
[defaults]
steps = { limit = 25, action = "open", reaches = "task" }
[tools.send_pix]
access = "write"
value = { pointer = "/amount", currency = "BRL", max = "500.00" }
)");
    const auto applied = store.as("ana", {"policy", "apply", policy, "--reason", kWhy});
    QVERIFY2(applied.code == 0, applied.err.c_str());
    store.live();
    store.askCall("billing", "t1", "send_pix", R"({"amount":1.00})");
    QVERIFY(!store.askCall("billing", "t1", "send_pix", R"({"amount":900.00})").allow);
    store.leave();
    const auto trip = store.runJson({"trips", "--active"}).json()[u"trips"][0][u"trip"].toInteger();
    const auto one = store.runJson({"trips", std::to_string(trip)}).json();
    const auto ask = std::to_string(one[u"refused_calls"][0].toInteger());
    store.as("rui", {"ack", std::to_string(trip)});
    const auto approve = [&](const QJsonObject &asked) {
        const auto done = store.as("bo", {"approve", std::to_string(asked[u"request"].toInteger())});
        QVERIFY2(done.code == 0, done.err.c_str());
    };
    approve(
        store.jsonAs("rui", {"rearm", std::to_string(trip), "--to", "closed", "--queue", "resume", "--reason", kWhy})
            .json());
    approve(store.jsonAs("rui", {"pass", ask, "--reason", kWhy}).json());
    store.live();
    QVERIFY(store.askCall("billing", "t1", "send_pix", R"({"amount":900.00})").allow);
    QVERIFY(!store.askCall("billing", "t1", "send_pix", R"({"amount":900.00})").allow);
    store.leave();
    QCOMPARE(store.run({"verify"}).code, 0);
}

void TestCtlOperators::oldCopyWithItsMarkIsNamed()
{
    SignedStore store;
    store.initThree();
    const QString folder = QFileInfo(store.path()).absolutePath();
    const QString kept = store.file(QStringLiteral("kept"));
    copyFolder(folder, kept);
    store.stopFleet();
    copyFolder(kept, folder); // yesterday's store, together with yesterday's mark
    const auto status = store.run({"status"});
    QCOMPARE(status.code, 3);
    QVERIFY2(status.says("an older copy was put back"), status.err.c_str());
    QVERIFY(store.run({"verify"}).says("an older copy was put back"));
    QCOMPARE(store.as("rui", {"stop", "--fleet"}).code, 3);
}

void TestCtlOperators::anotherRootIsRefused()
{
    SignedStore store;
    store.init();
    const auto storeId = store.runJson({"status"}).json()[u"store_id"].toString().toStdString();
    rules::PublicKey other{};
    other[0] = 1;
    QVERIFY(trust::writePin(trust::pinFolder(), {storeId, other}, trust::Replace::Yes).ok());
    const auto verified = store.run({"verify"});
    QCOMPARE(verified.code, 1);
    QVERIFY2(verified.says("made themselves its root"), verified.out.c_str());
    QCOMPARE(store.as("ana", {"stop", "--fleet"}).code, 3);
    QVERIFY(store.run({"status"}).says("do not trust"));
}

void TestCtlOperators::movedStoreIsAcceptedByAHuman()
{
    SignedStore store;
    store.init();
    qputenv("HANDRESET_PINS", store.file(QStringLiteral("another machine's pins")).toUtf8());
    const auto refused = store.as("ana", {"stop", "--fleet"});
    QCOMPARE(refused.code, 3);
    QVERIFY2(refused.says("never seen this signed store"), refused.err.c_str());
    const auto accepted = store.as("ana", {"accept-store", "--reason", "moved to the new server"});
    QVERIFY2(accepted.code == 0, accepted.err.c_str());
    QCOMPARE(store.as("ana", {"stop", "--fleet"}).code, 0);
    QCOMPARE(store.run({"verify"}).code, 0);
    const auto copy = store.file(QStringLiteral("copy/fleet.db")).toStdString(); // a backup is looked at, not hosted
    QVERIFY(QDir().mkpath(store.file(QStringLiteral("copy"))));
    QFile::setPermissions(store.file(QStringLiteral("copy")), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QCOMPARE(store.run({"backup", copy}).code, 0);
    QCOMPARE(store.runBare({"verify", "--store", copy}).code, 0);
    QCOMPARE(store
                 .runBare({"stop", "--fleet", "--operator", "ana", "--passphrase-file", store.passphraseFile("ana"),
                           "--store", copy})
                 .code,
             3);
}

/// Who can write the store's folder can make valid links and a valid mark, but no signature.
void TestCtlOperators::forgedRearmIsNamedAndRefused()
{
    SignedStore store;
    store.initThree();
    const auto trip = store.stopFleet();
    {
        auto opened = store::Store::open(store.path());
        QVERIFY(opened.ok());
        auto fleet = *(*opened)->load();
        const rules::TripId id{std::stoull(trip)};
        rules::TripRearmed rearmed;
        rearmed.trip = id;
        rearmed.by = fleet.trip(id)->by;
        rearmed.cause = "not stated";
        rearmed.reason = kWhy;
        rearmed.revisionSeen = fleet.fleetRevision;
        const rules::Event forged{fleet.seq.next(), fleet.ruleTime, fleet.steady, {}, {}, {}, 25, rearmed, {}};
        fleet.isUnsigned = true; // the forger's own program does not ask
        rules::Touched touched;
        QVERIFY(rules::apply(fleet, forged, &touched).ok());
        fleet.isUnsigned = false;
        const std::vector<rules::Event> events{forged};
        QVERIFY((*opened)->append(events, fleet, touched, store::Durability::Synced).ok());
    }
    const auto verified = store.run({"verify"});
    QCOMPARE(verified.code, 1);
    QVERIFY2(verified.says("without a signature"), verified.out.c_str());
    const auto status = store.run({"status"});
    QCOMPARE(status.code, 3);
    QVERIFY2(status.says("without a signature"), status.err.c_str());
    QCOMPARE(store.as("rui", {"stop", "--fleet"}).code, 3); // no host takes it: everything stays denied
}

/// A keyframe in which nobody is an operator and nothing has tripped, with valid links and a valid mark.
void TestCtlOperators::forgedKeyframeIsNotBelieved()
{
    SignedStore store;
    store.initThree();
    store.stopFleet();
    {
        auto opened = store::Store::open(store.path());
        QVERIFY(opened.ok());
        auto fleet = *(*opened)->load();
        rules::Touched touched;
        std::vector<rules::Event> events; // as many as make a keyframe due
        for (int n = 0; n < 10'001; ++n) {
            events.push_back({fleet.seq.next(),
                              fleet.ruleTime,
                              fleet.steady,
                              {},
                              {},
                              {},
                              0,
                              rules::HostStarted{"boot", 1, "forged", "eve"},
                              {}});
            QVERIFY(rules::apply(fleet, events.back(), &touched).ok());
        }
        fleet.operators.clear();
        fleet.isUnsigned = true;
        fleet.trips.clear();
        QVERIFY(fleet.rebuildDerived().ok());
        QVERIFY((*opened)->append(events, fleet, touched, store::Durability::Synced).ok());
    }
    for (int round = 0; round < 2; ++round) { // looking at it vouches for nothing
        const auto status = store.run({"status"});
        QCOMPARE(status.code, 3);
        QVERIFY2(status.says("the keyframe here is not the fold of the log"), status.err.c_str());
        QCOMPARE(store.as("rui", {"stop", "--fleet", "--to", "degraded"}).code, 3); // no host takes it
    }
    const auto verified = store.run({"verify"});
    QCOMPARE(verified.code, 1);
    QVERIFY2(verified.says("it is not the fold of the log"), verified.out.c_str());
}

/// Linked where mark and witness stand, so that both take it for one that came after them.
void TestCtlOperators::forgedKeyframeAtTheWitnesssPlaceIsNotBelieved()
{
    SignedStore store;
    store.initThree();
    store.stopFleet();
    QCOMPARE(store.run({"status"}).code, 0);
    std::string blob;
    rules::Digest hash{};
    {
        auto opened = store::Store::open(store.path());
        QVERIFY(opened.ok());
        auto fleet = *(*opened)->load();
        fleet.trips.clear();
        fleet.operators.begin()->second.key = rules::PublicKey{1};
        const auto bytes = rules::encodeFleet(fleet);
        hash = rules::sha256(bytes);
        blob = *store::Packer().pack(bytes);
    }
    {
        tests::RawSql sql(store.path());
        const auto hex = [](std::string_view bytes) {
            return QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())).toHex().toStdString();
        };
        const std::string digest = rules::toHex(hash);
        sql.run("INSERT INTO keyframe SELECT max(seq), rule_time, x'" + hex(blob) + "', x'" + digest + "' FROM event");
        const auto old = QByteArray::fromHex(QByteArray::fromStdString(
            sql.text("SELECT hex(hash) FROM batch ORDER BY last_seq DESC LIMIT 1")));
        const auto link = store::linkWithKeyframe(*rules::digestFromHex(old.toHex().toStdString()), hash);
        sql.run("UPDATE batch SET hash = x'" + rules::toHex(link)
                + "' WHERE last_seq = (SELECT max(last_seq) FROM batch)");
    }
    const auto status = store.run({"status"});
    QCOMPARE(status.code, 3);
    QVERIFY2(status.says("the keyframe here is not the fold of the log"), status.err.c_str());
    QCOMPARE(store.as("rui", {"stop", "--fleet", "--to", "degraded"}).code, 3);
}

void TestCtlOperators::initLeavesNothingWithoutItsOperator()
{
    SignedStore store;
    QFile inTheWay(store.file(QStringLiteral("keys"))); // where the folder of keys should be
    QDir(store.file(QStringLiteral("keys"))).removeRecursively();
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    inTheWay.close();
    const auto refused = store.as("ana", {"init"});
    QVERIFY(refused.code != 0);
    QVERIFY2(refused.says("No store was made"), refused.err.c_str());
    QVERIFY(!QFile::exists(store.path()));
    QVERIFY(inTheWay.remove());
    QCOMPARE(store.as("ana", {"init"}).code, 0);
}

void TestCtlOperators::openWitnessIsRefused_data()
{
    QTest::addColumn<int>("fault");
    QTest::newRow("others may write it") << 0;
    QTest::newRow("a second name") << 1;
}

void TestCtlOperators::openWitnessIsRefused()
{
    QFETCH(int, fault);
    SignedStore store;
    store.init();
    QString witness;
    QDirIterator files(store.file(QString()), {QStringLiteral("*.witness")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        witness = files.next();
    QVERIFY(!witness.isEmpty());
    if (fault == 0)
        QVERIFY(QFile::setPermissions(witness, QFile::ReadOwner | QFile::WriteOwner | QFile::WriteOther));
    else
        QCOMPARE(::link(QFile::encodeName(witness).constData(), QFile::encodeName(witness + QStringLiteral(".2")).constData()), 0);
    const auto refused = store.run({"status"});
    QCOMPARE(refused.code, 3);
    QVERIFY2(refused.says(fault == 0 ? "rights to it" : "hard links"), refused.err.c_str());
}

void TestCtlOperators::sentinelIsClearedUnderASignature()
{
    SignedStore store;
    store.initThree();
    QVERIFY(store::setSentinel(store.path(), "the disk was full").ok());
    QCOMPARE(store
                 .run({"clear-sentinel", "--reason", kWhy, "--operator", "rui", "--passphrase-file",
                       store.passphraseFile("bo")})
                 .code,
             4);
    QVERIFY(store::sentinelIsSet(store.path()));
    const auto cleared = store.as("rui", {"clear-sentinel", "--reason", kWhy});
    QVERIFY2(cleared.code == 0, cleared.err.c_str());
    QVERIFY(!store::sentinelIsSet(store.path()));
    QCOMPARE(store.as("rui", {"stop", "--fleet"}).code, 0);
    QCOMPARE(store.run({"verify"}).code, 0);
}

void TestCtlOperators::verbsReachARunningHost()
{
    SignedStore store;
    store.initThree();
    auto &host = store.live();
    link::LinkServerOptions options;
    options.storePath = store.path();
    options.clock = &store.clock;
    auto server = link::LinkServer::start(host, options);
    QVERIFY2(server.ok(), server ? "" : server.error().message.c_str());
    QVERIFY(store.runJson({"status"}).json()[u"hosted"].toBool());
    const auto trip = store.stopFleet();
    const auto fleet = engine::snapshotAndWait(host);
    QVERIFY(fleet->trip({std::stoull(trip)})->active());
    const auto asked = store.jsonAs("rui", {"rearm", trip, "--to", "closed", "--reason", kWhy}).json();
    const auto approved = store.as("bo", {"approve", std::to_string(asked[u"request"].toInteger())});
    QVERIFY2(approved.code == 0, approved.err.c_str());
    QVERIFY(!engine::snapshotAndWait(host)->trip({std::stoull(trip)})->active());
    QVERIFY(store.run({"events", "--last", "20"}).says("socket uid"));
    QCOMPARE(store.run({"at", "5"}).code, 0);
    QCOMPARE(store.run({"agents"}).code, 0);
    QCOMPARE(store.run({"verify"}).code, 3); // it takes the file itself
    server->reset();
    store.leave();
    QCOMPARE(store.run({"verify"}).code, 0);
}

/// What stands in the process list while the program runs is what it was started with: no passphrase is among it.
void TestCtlOperators::passphraseIsNotInTheProcessList()
{
    SignedStore store;
    QProcess program;
    program.setProgram(QStringLiteral(HANDRESETCTL));
    program.setArguments({QStringLiteral("init"), QStringLiteral("--store"), store.path(), QStringLiteral("--operator"),
                          QStringLiteral("ana"), QStringLiteral("--passphrase-file"), QStringLiteral("/dev/stdin")});
    program.start();
    QVERIFY(program.waitForStarted());
    QFile list(QStringLiteral("/proc/%1/cmdline").arg(program.processId()));
    QFile environment(QStringLiteral("/proc/%1/environ").arg(program.processId()));
    QVERIFY(list.open(QIODevice::ReadOnly) && environment.open(QIODevice::ReadOnly));
    QFile limits(QStringLiteral("/proc/%1/limits").arg(program.processId()));
    const auto leavesNoCore = [&limits] { // once it is past its first lines
        limits.close();
        return limits.open(QIODevice::ReadOnly)
            && QString::fromLatin1(limits.readAll()).contains(QRegularExpression(QStringLiteral("core file size +0 +0")));
    };
    QTRY_VERIFY(leavesNoCore());
    program.write("words that nobody may see\n");
    program.closeWriteChannel();
    QVERIFY(!list.readAll().contains("nobody may see"));
    QVERIFY(!environment.readAll().contains("nobody may see"));
    QVERIFY(program.waitForFinished(60'000));
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(!contains(QFileInfo(store.path()).absolutePath(), "nobody may see"));
}

QTEST_GUILESS_MAIN(TestCtlOperators)
#include "tst_ctl_operators.moc"

// Opening is checking: whatever is not a whole store of ours is refused with a remedy, and left as it is.
#include "model/store/file_checks.h"
#include "model/store/mark.h"
#include "model/store/store.h"
#include "tests/store/raw_sql.h"
#include "tests/support/busy_fleet.h"
#include "tests/support/temporary_store.h"

#include <QCryptographicHash>
#include <QDir>
#include <QProcess>
#include <QTest>

#include <functional>
#include <sys/stat.h>
#include <unistd.h>

using namespace handreset;
using namespace handreset::tests;
using store::Store;

Q_DECLARE_METATYPE(std::function<void(const QString &)>)

namespace {

QByteArray content(const QString &path)
{
    QFile file(path);
    return file.open(QFile::ReadOnly) ? QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256)
                                      : QByteArray();
}

QByteArray native(const QString &path)
{
    return QFile::encodeName(path);
}

std::string messageOf(const rules::Result<std::unique_ptr<Store>> &opened)
{
    return opened.ok() ? std::string("it was opened") : opened.error().message + " " + opened.error().context;
}

/// A store with some life in it, closed.
void fill(TemporaryStore &temporary, std::size_t events = 300)
{
    Life life(temporary.open());
    BusyFleet(2).live(life, events, 10);
    temporary.close();
}

void overwrite(const QString &path, qint64 at, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QFile::ReadWrite) || !file.seek(at) || file.write(bytes) != bytes.size())
        qFatal("cannot overwrite");
}

} // namespace

class TestStoreOpening : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refuses_data();
    void refuses();
    void anOlderCopyPutBackIsRefused();
    void anotherStorePutInPlaceIsRefused();
    void aStoreAheadOfItsMarkIsTaken();
    void aTornMarkLeavesTheOneBefore();
    void aMarkOfAnEarlierBootHoldsOnlyWhatWasSynced();
    void aSetSentinelRefuses();
    void aChangedEventIsNotFolded();
    void anotherStoresKeyframeIsNotTaken();
    void aMarkOfTheMomentBeforeTheKeyframeHolds();
    void oneProcessOnce();
    void anotherProcessIsNamedBusy();
    void initRefusesWhatExists_data();
    void initRefusesWhatExists();
    void anInterruptedInitIsToldAndCleanedUp();
    void networkFileSystemsAreKnown();
    void aForeignFileForReplayIsChecked();
};

void TestStoreOpening::refuses_data()
{
    using Harm = std::function<void(const QString &)>;
    QTest::addColumn<Harm>("harm");
    QTest::addColumn<QString>("says");
    const auto sql = [](const char *text) { return Harm([text](const QString &path) { RawSql(path).run(text); }); };
    const auto row = [](const char *name, const Harm &harm, const char *says) {
        QTest::newRow(name) << harm << QString::fromUtf8(says);
    };
    row(
        "missing", [](const QString &p) { QFile::remove(p); }, "its mark is here and it is not");
    row(
        "missing without a trace",
        [](const QString &p) {
            QFile::remove(p);
            QFile::remove(p + QStringLiteral(".mark"));
        },
        "there is none");
    row(
        "another file",
        [](const QString &p) {
            QFile::remove(p + QStringLiteral(".mark"));
            overwrite(p, 0, QByteArray(200, 'g'));
            chmod(native(p).constData(), 0644);
        },
        "no Handreset store");
    row(
        "empty", [](const QString &p) { QFile::resize(p, 0); }, "empty");
    row(
        "garbage", [](const QString &p) { overwrite(p, 0, QByteArray(200, 'g')); }, "no SQLite file");
    row(
        "cut in its head", [](const QString &p) { QFile::resize(p, 60); }, "no SQLite file");
    row(
        "truncated", [](const QString &p) { QFile::resize(p, QFileInfo(p).size() - 4'096); }, "truncated");
    row(
        "half", [](const QString &p) { QFile::resize(p, QFileInfo(p).size() / 2); }, "truncated");
    row("foreign", sql("PRAGMA application_id=7"), "another program");
    row("newer", sql("PRAGMA user_version=3"), "newer version");
    row("older than any release", sql("PRAGMA user_version=0"), "none that a release ever wrote");
    row(
        "a page overwritten", [](const QString &p) { overwrite(p, 5 * 4'096, QByteArray(4'096, '\x5a')); }, "");
    row(
        "symbolic link",
        [](const QString &p) {
            QFile::rename(p, p + QStringLiteral(".real"));
            QFile::link(p + QStringLiteral(".real"), p);
        },
        "symbolic link");
    row(
        "hard link",
        [](const QString &p) { QCOMPARE(link(native(p).constData(), native(p + QStringLiteral("2")).constData()), 0); },
        "hard link");
    row(
        "a folder", [](const QString &p) { QFile::remove(p), QDir().mkdir(p); }, "not a plain file");
    row(
        "readable by the group", [](const QString &p) { chmod(native(p).constData(), 0640); }, "chmod 600");
    row(
        "folder open to others", [](const QString &p) { chmod(native(QFileInfo(p).path()).constData(), 0755); },
        "chmod 700");
    row(
        "WAL is a link",
        [](const QString &p) { QFile::link(QStringLiteral("/etc/passwd"), p + QStringLiteral("-wal")); },
        "symbolic link");
    row(
        "mark is a link",
        [](const QString &p) {
            QFile::rename(p + QStringLiteral(".mark"), p + QStringLiteral(".m"));
            QFile::link(p + QStringLiteral(".m"), p + QStringLiteral(".mark"));
        },
        "symbolic link");
    row(
        "mark missing", [](const QString &p) { QFile::remove(p + QStringLiteral(".mark")); }, "accept-store");
    row(
        "mark damaged", [](const QString &p) { overwrite(p + QStringLiteral(".mark"), 0, QByteArray(1'024, 'x')); },
        "accept-store");
    row(
        "sentinel missing", [](const QString &p) { QFile::remove(p + QStringLiteral(".sentinel")); }, "clear-sentinel");
    row("a trigger", sql("CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM trip; END"),
        "does not belong there");
    row("a view", sql("CREATE VIEW v AS SELECT * FROM event"), "does not belong there");
    row("a table more", sql("CREATE TABLE t (x)"), "does not belong there");
    row("a table less", sql("DROP TABLE rollup_minute"), "is missing");
    row("an index less", sql("DROP INDEX event_edge"), "is missing");
    row("a check less",
        sql("DROP TABLE operator; CREATE TABLE operator (id INTEGER PRIMARY KEY, name TEXT NOT NULL, since INTEGER NOT "
            "NULL)"),
        "is another");
    row("no events", sql("DELETE FROM event"), "does not begin");
    row("no first event", sql("DELETE FROM event WHERE seq = 1"), "does not begin");
    row("last event changed",
        sql("UPDATE event SET rule_time = rule_time + 1 WHERE seq = (SELECT max(seq) FROM event)"), "hash chain");
    row("last hash changed",
        sql("UPDATE batch SET hash = zeroblob(32) WHERE last_seq = (SELECT max(last_seq) FROM batch)"), "hash chain");
    row("tail cut",
        sql("DELETE FROM batch WHERE last_seq = (SELECT max(last_seq) FROM batch);"
            "DELETE FROM argument WHERE seq > (SELECT max(last_seq) FROM batch);"
            "DELETE FROM event WHERE seq > (SELECT max(last_seq) FROM batch)"),
        "cut off");
}

void TestStoreOpening::refuses()
{
    using Harm = std::function<void(const QString &)>;
    QFETCH(const Harm, harm);
    QFETCH(const QString, says);
    TemporaryStore temporary;
    fill(temporary);
    harm(temporary.path());
    const auto before = content(temporary.path());
    const auto opened = Store::open(temporary.path());
    QVERIFY(!opened.ok());
    QCOMPARE(opened.error().code, rules::ErrorCode::Unavailable);
    QVERIFY2(QString::fromStdString(messageOf(opened)).contains(says), messageOf(opened).c_str());
    QCOMPARE(content(temporary.path()), before); // nothing was repaired
    chmod(native(temporary.folder()).constData(), 0700);
}

void TestStoreOpening::anOlderCopyPutBackIsRefused()
{
    TemporaryStore temporary;
    fill(temporary);
    const QString old = temporary.file(QStringLiteral("yesterday"));
    QVERIFY(QFile::copy(temporary.path(), old));
    fill(temporary, 20);
    QVERIFY(QFile::remove(temporary.path()) && QFile::copy(old, temporary.path()));
    const auto opened = Store::open(temporary.path());
    QVERIFY(!opened.ok());
    QVERIFY2(QString::fromStdString(messageOf(opened)).contains(QStringLiteral("older copy was put back")),
             messageOf(opened).c_str());

    // The same length, another history.
    {
        TemporaryStore other;
        QVERIFY(QFile::remove(other.path()) && QFile::copy(old, other.path()));
        QVERIFY(store::acceptStore(other.path(), [](Store &) { return rules::Result<void>(); }).ok());
        Life life(other.open());
        BusyFleet(99).live(life, 200, 10);
        other.close();
        QVERIFY(QFile::remove(temporary.path()) && QFile::copy(other.path(), temporary.path()));
    }
    const auto forked = Store::open(temporary.path());
    QVERIFY(!forked.ok());
    QVERIFY2(QString::fromStdString(messageOf(forked))
                 .contains(QStringLiteral("not the one that its high-water mark has seen")),
             messageOf(forked).c_str());
}

void TestStoreOpening::anotherStorePutInPlaceIsRefused()
{
    TemporaryStore temporary;
    TemporaryStore other;
    fill(other, 500);
    QVERIFY(QFile::remove(temporary.path()) && QFile::copy(other.path(), temporary.path()));
    QVERIFY2(QString::fromStdString(messageOf(Store::open(temporary.path()))).contains(QStringLiteral("another store")),
             messageOf(Store::open(temporary.path())).c_str());
}

void TestStoreOpening::aStoreAheadOfItsMarkIsTaken()
{
    TemporaryStore temporary;
    fill(temporary);
    const QString mark = temporary.path() + QStringLiteral(".mark");
    QVERIFY(QFile::copy(mark, mark + QStringLiteral(".old")));
    fill(temporary, 50);
    QVERIFY(QFile::remove(mark) && QFile::rename(mark + QStringLiteral(".old"), mark));
    auto &open = temporary.open();
    const auto verified = open.verify({});
    QVERIFY(verified.ok() && verified->clean());
}

void TestStoreOpening::aTornMarkLeavesTheOneBefore()
{
    TemporaryStore temporary;
    fill(temporary);
    const auto newest = store::Mark::read(temporary.path());
    QVERIFY(newest.ok());
    const QString mark = temporary.path() + QStringLiteral(".mark");
    for (const qint64 slot : {0, 512}) {
        const QString saved = mark + QStringLiteral(".saved");
        QFile::remove(saved);
        QVERIFY(QFile::copy(mark, saved));
        overwrite(mark, slot + 100, QByteArray(50, '?'));
        const auto left = store::Mark::read(temporary.path());
        QVERIFY(left.ok());
        QVERIFY(left->latest.seq <= newest->latest.seq);
        QVERIFY2(Store::open(temporary.path()).ok(), messageOf(Store::open(temporary.path())).c_str());
        QVERIFY(QFile::remove(mark) && QFile::copy(saved, mark));
        chmod(native(mark).constData(), 0600);
        QFile::remove(saved);
    }
}

void TestStoreOpening::aMarkOfAnEarlierBootHoldsOnlyWhatWasSynced()
{
    TemporaryStore temporary;
    fill(temporary);
    auto state = *store::Mark::read(temporary.path());
    state.latest.seq.value += 1'000; // a counter's commit that a power cut took
    state.bootId = "00000000-0000-0000-0000-000000000000";
    const QString mark = temporary.path() + QStringLiteral(".mark");
    QVERIFY(QFile::remove(mark) && store::Mark::create(temporary.path(), state).ok());
    QVERIFY2(Store::open(temporary.path()).ok(), messageOf(Store::open(temporary.path())).c_str());
    state.bootId = store::presentBootId(); // without a new start it cannot be lost
    QVERIFY(QFile::remove(mark) && store::Mark::create(temporary.path(), state).ok());
    QVERIFY(!Store::open(temporary.path()).ok());
}

namespace {

/// Why the state cannot be loaded; empty when it can.
std::string whyNotLoaded(TemporaryStore &temporary)
{
    const auto opened = Store::open(temporary.path());
    if (!opened)
        return opened.error().message;
    const auto loaded = (*opened)->load();
    return loaded ? std::string() : loaded.error().message;
}

} // namespace

void TestStoreOpening::aChangedEventIsNotFolded()
{
    TemporaryStore temporary;
    fill(temporary, 12'000); // with a keyframe, and transactions after it
    temporary.close();
    QCOMPARE(whyNotLoaded(temporary), std::string());
    {
        RawSql sql(temporary.path());
        sql.run("UPDATE event SET rule_time = rule_time + 1 WHERE seq = (SELECT seq + 1 FROM keyframe)");
    }
    QVERIFY(whyNotLoaded(temporary).find("hash chain") != std::string::npos);
}

void TestStoreOpening::anotherStoresKeyframeIsNotTaken()
{
    TemporaryStore temporary;
    TemporaryStore other;
    for (auto *one : {&temporary, &other}) {
        fill(*one, 12'000);
        one->close();
    }
    {
        RawSql sql(temporary.path());
        sql.run("ATTACH '" + other.path().toStdString() + "' AS other");
        sql.run("UPDATE main.keyframe SET blob = (SELECT blob FROM other.keyframe), hash = (SELECT hash FROM other.keyframe)");
    }
    QVERIFY(whyNotLoaded(temporary).find("hash chain") != std::string::npos);
}

void TestStoreOpening::aMarkOfTheMomentBeforeTheKeyframeHolds()
{
    // A bulk import's last keyframe is linked after its transaction; the process may end between that and the mark.
    TemporaryStore temporary;
    const QString mark = temporary.path() + QStringLiteral(".mark");
    Life life(temporary.open());
    temporary.store().beginBulk();
    BusyFleet(3).live(life, 12'000, 1'000);
    QVERIFY(QFile::copy(mark, temporary.file(QStringLiteral("before"))));
    QVERIFY(temporary.store().endBulk(life.fleet()).ok());
    temporary.close();
    QVERIFY(QFile::remove(mark) && QFile::copy(temporary.file(QStringLiteral("before")), mark));
    QCOMPARE(whyNotLoaded(temporary), std::string());
}

void TestStoreOpening::aSetSentinelRefuses()
{
    TemporaryStore temporary;
    std::string why;
    QVERIFY(!store::sentinelIsSet(temporary.path(), &why));
    const auto size = QFileInfo(temporary.path() + QStringLiteral(".sentinel")).size();
    QVERIFY(store::setSentinel(temporary.path(),
                               "a trip of agent \"billing\"\ncould not be written" + std::string(9'000, '!'))
                .ok());
    QCOMPARE(QFileInfo(temporary.path() + QStringLiteral(".sentinel")).size(), size); // no room was needed
    QVERIFY(store::sentinelIsSet(temporary.path(), &why));
    QVERIFY2(QString::fromStdString(why).startsWith(QStringLiteral("a trip of agent \"billing\" could not")),
             why.c_str());
    const auto refused = Store::open(temporary.path());
    QVERIFY2(QString::fromStdString(messageOf(refused)).contains(QStringLiteral("clear-sentinel")),
             messageOf(refused).c_str());
    QVERIFY(store::clearSentinel(temporary.path()).ok());
    QVERIFY(!store::sentinelIsSet(temporary.path()));
    QVERIFY(Store::open(temporary.path()).ok());
}

void TestStoreOpening::oneProcessOnce()
{
    TemporaryStore temporary;
    temporary.open();
    const auto second = Store::open(temporary.path());
    QVERIFY2(QString::fromStdString(messageOf(second)).contains(QStringLiteral("in use by this very process")),
             messageOf(second).c_str());
    // The look at the file must not have given up the first one's lock.
    QProcess other;
    other.start(QStringLiteral("python3"),
                {QStringLiteral("-c"),
                 QStringLiteral("import sqlite3,sys\n"
                                "try: sqlite3.connect(sys.argv[1],timeout=0).execute('select count(*) from "
                                "event').fetchall(); print('read it')\n"
                                "except sqlite3.OperationalError as e: print(e)"),
                 temporary.path()});
    if (!other.waitForStarted())
        QSKIP("needs python3 as another process");
    QVERIFY(other.waitForFinished());
    QVERIFY2(other.readAllStandardOutput().contains("locked"), other.readAllStandardError().constData());
}

void TestStoreOpening::anotherProcessIsNamedBusy()
{
    TemporaryStore temporary;
    QProcess other;
    other.start(QStringLiteral("python3"),
                {QStringLiteral("-c"),
                 QStringLiteral("import sqlite3,sys\n"
                                "c=sqlite3.connect(sys.argv[1],isolation_level=None)\n"
                                "c.execute('pragma locking_mode=exclusive'); c.execute('begin immediate')\n"
                                "print('has it',flush=True); sys.stdin.read()"),
                 temporary.path()});
    if (!other.waitForStarted())
        QSKIP("needs python3 as another process");
    QVERIFY(other.waitForReadyRead());
    const auto busy = Store::open(temporary.path());
    QVERIFY2(QString::fromStdString(messageOf(busy)).contains(QStringLiteral("another process has it open")),
             messageOf(busy).c_str());
    const auto copy = Store::openReadOnly(temporary.path());
    QVERIFY2(QString::fromStdString(messageOf(copy)).contains(QStringLiteral("a host is writing to it")),
             messageOf(copy).c_str());
    other.closeWriteChannel();
    QVERIFY(other.waitForFinished());
    QVERIFY2(Store::open(temporary.path()).ok(), messageOf(Store::open(temporary.path())).c_str());
}

void TestStoreOpening::initRefusesWhatExists_data()
{
    QTest::addColumn<QString>("suffix");
    for (const char *const suffix : {"", "-wal", "-journal", ".mark", ".sentinel"})
        QTest::newRow(*suffix == '\0' ? "the file" : suffix) << QString::fromUtf8(suffix);
}

void TestStoreOpening::initRefusesWhatExists()
{
    QFETCH(const QString, suffix);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("fleet.db"));
    QFile there(path + suffix);
    QVERIFY(there.open(QFile::WriteOnly));
    there.close();
    QVERIFY(!Store::init(path, {}, kStart).ok());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden),
             QStringList(QFileInfo(path + suffix).fileName()));
    QCOMPARE(QFileInfo(path + suffix).size(), 0);
}

void TestStoreOpening::anInterruptedInitIsToldAndCleanedUp()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("fleet.db"));
    // A process that is no more, and one that lives: this one's parent, or whoever has number 1.
    QProcess gone;
    gone.start(QStringLiteral("true"), {});
    const auto dead = gone.processId();
    QVERIFY(gone.waitForFinished());
    const auto leftOver = path + QStringLiteral(".new-%1").arg(dead);
    const auto others = path + QStringLiteral(".new-%1").arg(getppid());
    const auto unrelated = path + QStringLiteral(".new-notes");
    for (const auto &name : {leftOver, leftOver + QStringLiteral("-wal"), others, unrelated}) {
        QFile file(name);
        QVERIFY(file.open(QFile::WriteOnly));
    }
    QVERIFY(Store::init(path, {}, kStart).ok());
    QVERIFY(!QFile::exists(leftOver) && !QFile::exists(leftOver + QStringLiteral("-wal")));
    QVERIFY(QFile::exists(others) && QFile::exists(unrelated));

    QVERIFY(QFile::remove(path)); // as when it was killed between mark and store
    const auto again = Store::init(path, {}, kStart);
    QVERIFY(!again.ok());
    QVERIFY2(again.error().message.find("remove fleet.db.mark and fleet.db.sentinel") != std::string::npos,
             again.error().message.c_str());
    const auto opened = messageOf(Store::open(path));
    QVERIFY2(opened.find("remove fleet.db.mark and fleet.db.sentinel") != std::string::npos, opened.c_str());
    QVERIFY(QFile::remove(path + QStringLiteral(".mark")) && QFile::remove(path + QStringLiteral(".sentinel")));
    QVERIFY(Store::init(path, {}, kStart).ok());
}

void TestStoreOpening::networkFileSystemsAreKnown()
{
    QVERIFY(store::isNetworkFileSystem(0x6969));
    QVERIFY(store::isNetworkFileSystem(static_cast<std::int32_t>(0xFF534D42))); // as a signed number
    QVERIFY(store::isNetworkFileSystem(0x65735546));
    QVERIFY(!store::isNetworkFileSystem(0xEF53));     // ext4
    QVERIFY(!store::isNetworkFileSystem(0x9123683E)); // btrfs
    QVERIFY(!store::isNetworkFileSystem(0x01021994)); // tmpfs
}

void TestStoreOpening::aForeignFileForReplayIsChecked()
{
    TemporaryStore temporary;
    fill(temporary);
    const QString copy = temporary.file(QStringLiteral("foreign.db"));
    const auto fresh = [&] {
        QFile::remove(copy);
        return QFile::copy(temporary.path(), copy);
    };
    QVERIFY(fresh());
    QVERIFY2(Store::openReadOnly(copy).ok(), messageOf(Store::openReadOnly(copy)).c_str()); // no mark is asked for
    RawSql(copy).run("CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM trip; END");
    QVERIFY(!Store::openReadOnly(copy).ok());
    QVERIFY(fresh());
    overwrite(copy, 4 * 4'096, QByteArray(4'096, '\x11'));
    QVERIFY(!Store::openReadOnly(copy).ok());
    QVERIFY(fresh() && QFile::resize(copy, 4'096));
    QVERIFY(!Store::openReadOnly(copy).ok());
    QVERIFY(QFile::remove(copy) && QFile::link(temporary.path(), copy));
    QVERIFY(!Store::openReadOnly(copy).ok());
}

QTEST_GUILESS_MAIN(TestStoreOpening)
#include "tst_store_opening.moc"

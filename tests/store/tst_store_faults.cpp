// A disk that fails at any write: what was not acknowledged is not kept, what was is not lost, and the store goes on.
#include "model/store/store.h"
#include "tests/store/raw_sql.h"
#include "tests/support/busy_fleet.h"
#include "tests/support/failing_vfs.h"
#include "tests/support/temporary_store.h"

#include <QDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace handreset;
using namespace handreset::tests;
using store::Store;

class TestStoreFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFailedTransactionKeepsNothing_data();
    void aFailedTransactionKeepsNothing();
    void aDiskThatFailsForGoodIsToldEachTime();
    void aFullDiskCutsOffWithoutHarm();
    void aFailedCheckpointLosesNothing();
    void aFailedInitLeavesNothing();
    void aFailedBackupLeavesNothing();

private:
    FailingVfs m_disk;
};

void TestStoreFaults::aFailedTransactionKeepsNothing_data()
{
    QTest::addColumn<int>("result");
    QTest::addColumn<bool>("synced");
    QTest::newRow("write, ordered") << SQLITE_IOERR_WRITE << false;
    QTest::newRow("write, synced") << SQLITE_IOERR_WRITE << true;
    QTest::newRow("full, ordered") << SQLITE_FULL << false;
    QTest::newRow("full, synced") << SQLITE_FULL << true;
    QTest::newRow("sync") << SQLITE_IOERR_FSYNC << true;
}

void TestStoreFaults::aFailedTransactionKeepsNothing()
{
    QFETCH(const int, result);
    QFETCH(const bool, synced);
    const auto durability = synced ? store::Durability::Synced : store::Durability::Ordered;
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet busy(8);
    busy.live(life, 500, 25);
    int failures = 0;
    for (int n = 0; n < 60; ++n) {
        const auto last = temporary.store().lastSeq();
        for (int i = 0; i < 30; ++i)
            busy.step(life);
        m_disk.failAt(n % 20, result);
        auto written = life.write(durability);
        m_disk.heal();
        if (m_disk.hasFailed() && !written) {
            ++failures;
            QCOMPARE(written.error().code, rules::ErrorCode::Unavailable);
            QCOMPARE(temporary.store().lastSeq(), last);
            if (n % 3 == 0) { // a host that dies right then
                temporary.close();
                Life reborn(temporary.open());
                QCOMPARE(reborn.fleet().seq, last);
                life = std::move(reborn);
                busy = BusyFleet(static_cast<std::uint32_t>(n));
                continue;
            }
            written = life.write(durability); // the same again, on a disk that works
        }
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
    }
    QVERIFY(failures > 10);
    const auto verified = temporary.store().verify({});
    QVERIFY(verified.ok());
    QVERIFY2(verified->clean(), verified->clean() ? "" : verified->findings.front().c_str());
    temporary.close();
    QCOMPARE(rules::encodeFleet(*temporary.open().load()), rules::encodeFleet(life.fleet()));
    temporary.close();
}

void TestStoreFaults::aDiskThatFailsForGoodIsToldEachTime()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet busy(4);
    busy.live(life, 200, 10);
    const auto last = temporary.store().lastSeq();
    for (int i = 0; i < 30; ++i)
        busy.step(life);
    m_disk.failAt(0, SQLITE_IOERR_WRITE, FailingVfs::How::ForGood);
    for (int attempt = 0; attempt < 5; ++attempt) {
        QVERIFY(!life.write(store::Durability::Synced).ok());
        QCOMPARE(temporary.store().lastSeq(), last);
        QVERIFY(temporary.store().load().ok()); // reading goes on
    }
    temporary.close(); // on the same dead disk
    m_disk.heal();
    QCOMPARE(temporary.open().lastSeq(), last);
    QVERIFY(temporary.store().verify({})->clean());
    temporary.close();
}

/// A real limit of the system, not a made-up error.
void TestStoreFaults::aFullDiskCutsOffWithoutHarm()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet busy(4);
    busy.live(life, 200, 10);
    temporary.close();
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit low{1U << 20, before.rlim_max};
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &low), 0);
    Life tight(temporary.open());
    rules::Result<void> written;
    while (written.ok() && tight.fleet().seq.value < 200'000) {
        for (int i = 0; i < 200; ++i)
            busy.step(tight);
        written = tight.write(store::Durability::Synced);
    }
    const bool canStillLatch = store::setSentinel(temporary.path(), "the disk is full").ok();
    const auto last = temporary.store().lastSeq();
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
    QVERIFY(!written.ok());
    QVERIFY(canStillLatch);
    QVERIFY(store::clearSentinel(temporary.path()).ok());
    QVERIFY(tight.write(store::Durability::Synced).ok()); // room again
    QVERIFY(temporary.store().lastSeq() > last);
    QVERIFY(temporary.store().verify({})->clean());
    temporary.close();
}

void TestStoreFaults::aFailedCheckpointLosesNothing()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet busy(14);
    busy.live(life, 1'000, 50);
    for (int n = 0; n < 12; ++n) {
        m_disk.failAt(n, n % 2 == 0 ? SQLITE_IOERR_WRITE : SQLITE_IOERR_FSYNC);
        temporary.store().checkpoint();
        m_disk.heal();
        busy.live(life, 60, 20);
    }
    QVERIFY(temporary.store().verify({})->clean());
    temporary.close();
    QCOMPARE(rules::encodeFleet(*temporary.open().load()), rules::encodeFleet(life.fleet()));
    temporary.close();
}

void TestStoreFaults::aFailedInitLeavesNothing()
{
    int failures = 0;
    for (int n = 0; n < 200; ++n) {
        QTemporaryDir folder;
        m_disk.failAt(n, n % 2 == 0 ? SQLITE_FULL : SQLITE_IOERR_WRITE);
        const auto made = Store::init(folder.filePath(QStringLiteral("fleet.db")), {}, kStart);
        m_disk.heal();
        const auto files = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
        if (made.ok()) { // a failure that harmed nothing, such as at the last copy of the WAL
            QVERIFY(Store::open(folder.filePath(QStringLiteral("fleet.db"))).ok());
        } else {
            ++failures;
            QVERIFY2(files.isEmpty(), qPrintable(files.join(u' ')));
        }
        if (!m_disk.hasFailed())
            break;
    }
    QVERIFY(failures > 20);
}

void TestStoreFaults::aFailedBackupLeavesNothing()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet(3).live(life, 500, 50);
    temporary.store().checkpoint();
    const auto before = QDir(temporary.folder()).entryList(QDir::Files | QDir::Hidden);
    for (int n = 0; n < 10; ++n) {
        m_disk.failAt(n * 3, SQLITE_FULL);
        QVERIFY(!temporary.store().backup(temporary.file(QStringLiteral("copy.db")), {}).ok());
        m_disk.heal();
        QCOMPARE(QDir(temporary.folder()).entryList(QDir::Files | QDir::Hidden), before);
    }
    QVERIFY(temporary.store().verify({})->clean());
    temporary.close();
}

QTEST_GUILESS_MAIN(TestStoreFaults)
#include "tst_store_faults.moc"

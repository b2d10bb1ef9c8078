// An older store becomes one of this version after a backup, in one transaction, or stays as it was.
#include "model/store/opening.h"
#include "model/store/store.h"
#include "tests/store/raw_sql.h"
#include "tests/support/busy_fleet.h"
#include "tests/support/temporary_store.h"

#include <QTest>

#include <array>

using namespace handreset;
using namespace handreset::tests;
using store::Database;
using store::Migration;
using store::Store;

namespace {

// What a version 0 might have lacked.
constexpr const char *kMakeOld = "DROP INDEX trip_incident; PRAGMA user_version=0";

rules::Result<void> addIndex(Database &database)
{
    return database.execute("CREATE INDEX trip_incident ON trip (incident)");
}

} // namespace

class TestStoreMigrations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOlderStoreIsBroughtForward();
    void aFailedStepChangesNothing();
    void withoutAStepNothingIsWritten();
    void keyframesOfBeforeAreLeftOut();

private:
    void makeOld(TemporaryStore &temporary);
    QStringList backups(const TemporaryStore &temporary);
};

void TestStoreMigrations::makeOld(TemporaryStore &temporary)
{
    Life life(temporary.open());
    BusyFleet(1).live(life, 200, 20);
    temporary.close();
    RawSql(temporary.path()).run(kMakeOld);
}

QStringList TestStoreMigrations::backups(const TemporaryStore &temporary)
{
    return QDir(temporary.folder()).entryList({QStringLiteral("*before-version*")}, QDir::Files);
}

void TestStoreMigrations::anOlderStoreIsBroughtForward()
{
    TemporaryStore temporary;
    makeOld(temporary);
    const std::array steps{Migration{0, addIndex}, store::shippedMigrations().front()};
    store::OpenSettings settings;
    settings.migrations = steps;
    {
        const auto opened = store::openForHost(temporary.path(), settings);
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message.c_str());
    }
    QVERIFY(temporary.open().verify({})->clean()); // an ordinary store from now on
    const auto saved = backups(temporary);
    QCOMPARE(saved.size(), 1);
    const QFileInfo file(temporary.file(saved.first()));
    QCOMPARE(int(file.permissions() & (QFile::ReadGroup | QFile::ReadOther)), 0);
    RawSql old(file.filePath());
    QCOMPARE(old.number("PRAGMA user_version"), 0);
    QVERIFY(old.number("SELECT count(*) FROM event") > 200);
}

void TestStoreMigrations::aFailedStepChangesNothing()
{
    TemporaryStore temporary;
    makeOld(temporary);
    const std::array steps{Migration{0, [](Database &database) -> rules::Result<void> {
                                         if (auto added = addIndex(database); !added)
                                             return added;
                                         return database.execute("INSERT INTO nowhere VALUES (1)");
                                     }},
                           store::shippedMigrations().front()};
    store::OpenSettings settings;
    settings.migrations = steps;
    QVERIFY(!store::openForHost(temporary.path(), settings).ok());
    QCOMPARE(backups(temporary).size(), 1);
    RawSql raw(temporary.path());
    QCOMPARE(raw.number("PRAGMA user_version"), 0);
    QCOMPARE(raw.number("SELECT count(*) FROM sqlite_schema WHERE name = 'trip_incident'"), 0);
}

void TestStoreMigrations::withoutAStepNothingIsWritten()
{
    TemporaryStore temporary;
    makeOld(temporary);
    const auto refused = Store::open(temporary.path());
    QVERIFY(!refused.ok());
    QVERIFY(backups(temporary).isEmpty());
    QCOMPARE(RawSql(temporary.path()).number("PRAGMA user_version"), 0);
}

void TestStoreMigrations::keyframesOfBeforeAreLeftOut()
{
    TemporaryStore temporary;
    Life life(temporary.open());
    BusyFleet(1).live(life, 200, 20);
    temporary.close();
    RawSql(temporary.path())
        .run("INSERT INTO keyframe SELECT max(last_seq), 0, x'00', zeroblob(32) FROM batch; PRAGMA user_version=1");
    auto &store = temporary.open();
    QCOMPARE(backups(temporary).size(), 1);
    const auto verified = store.verify({});
    QVERIFY(verified.ok() && verified->clean());
    QCOMPARE(verified->keyframes, 0ULL);
    QCOMPARE(rules::encodeFleet(*store.load()), rules::encodeFleet(life.fleet()));
}

QTEST_GUILESS_MAIN(TestStoreMigrations)
#include "tst_store_migrations.moc"

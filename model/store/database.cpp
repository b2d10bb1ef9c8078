#include "model/store/database.h"

#include <QLoggingCategory>
#include <QSqlDatabase>
#include <QSqlDriver>
#include <QSqlError>
#include <QUuid>
#include <QVariant>

#include <cstring>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

Q_LOGGING_CATEGORY(logStore, "handreset.store", QtInfoMsg)

sqlite3 *handleOf(const QSqlDatabase &connection)
{
    const QVariant value = connection.driver()->handle();
    if (!value.isValid() || std::strcmp(value.typeName(), "sqlite3*") != 0)
        return nullptr;
    return *static_cast<sqlite3 *const *>(value.constData());
}

/// What a hostile file may make SQLite do, bounded.
void setLowLimits(sqlite3 *handle)
{
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 200'000);
    sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, 100);
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 100);
    sqlite3_limit(handle, SQLITE_LIMIT_COMPOUND_SELECT, 10);
    sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0);
}

} // namespace

Database::Database(QString connection) : m_connection(std::move(connection)) {}

Database::~Database()
{
    {
        auto connection = QSqlDatabase::database(m_connection, false);
        connection.close();
    }
    QSqlDatabase::removeDatabase(m_connection);
}

Result<std::unique_ptr<Database>> Database::open(const QString &path, Use use)
{
    if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE")))
        return Error{ErrorCode::Unavailable, "Qt's SQLite driver is missing; install libqt6sql6-sqlite", ""};
    std::unique_ptr<Database> made(new Database(QUuid::createUuid().toString()));
    auto connection = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), made->m_connection);
    connection.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=0"));
    connection.setDatabaseName(path);
    if (!connection.open())
        return Error{ErrorCode::Unavailable,
                     "the store cannot be opened: " + connection.lastError().text().toStdString(), path.toStdString()};
    made->m_handle = handleOf(connection);
    if (made->m_handle == nullptr)
        return Error{ErrorCode::Unavailable, "Qt's SQLite driver gives no handle; use the packaged one", ""};
    if (auto configured = made->configure(use); !configured)
        return configured.error();
    return made;
}

Result<void> Database::configure(Use use)
{
    sqlite3_extended_result_codes(m_handle, 1);
    for (const int option : {SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_ENABLE_FKEY})
        sqlite3_db_config(m_handle, option, 1, nullptr);
    for (const int option : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                             SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL})
        sqlite3_db_config(m_handle, option, 0, nullptr);
    if (use == Use::Copy)
        setLowLimits(m_handle);
    // The lock mode comes before the first read: with it the WAL needs no shared memory that others could map.
    auto done = execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;"
                        "PRAGMA cache_size=-65536; PRAGMA mmap_size=0; PRAGMA synchronous=FULL");
    if (!done)
        return done;
    const auto mode = text("PRAGMA journal_mode=WAL");
    if (!mode)
        return mode.error();
    if (*mode != "wal")
        return Error{ErrorCode::Unavailable, "the store's disk does not allow write-ahead logging", *mode};
    sqlite3_wal_autocheckpoint(m_handle, 0);
    sqlite3_wal_hook(
        m_handle,
        [](void *self, sqlite3 *, const char *, int frames) {
            static_cast<Database *>(self)->m_walFrames = frames;
            return SQLITE_OK;
        },
        this);
    // WAL takes the lock at the first read; only now is it certain that nobody else has the file.
    const auto version = number("PRAGMA main.schema_version");
    return version ? Result<void>() : version.error();
}

Result<void> Database::execute(std::string_view sql)
{
    const std::string terminated(sql);
    if (sqlite3_exec(m_handle, terminated.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return sqliteError(m_handle, "running \"" + terminated.substr(0, 60) + "\"");
    return {};
}

Result<std::int64_t> Database::number(std::string_view sql)
{
    auto statement = prepare(sql);
    if (!statement)
        return statement.error();
    const auto row = statement->step();
    if (!row)
        return row.error();
    if (!*row)
        return Error{ErrorCode::NotFound, "no row", std::string(sql)};
    return statement->integer(0);
}

Result<std::string> Database::text(std::string_view sql)
{
    auto statement = prepare(sql);
    if (!statement)
        return statement.error();
    const auto row = statement->step();
    if (!row)
        return row.error();
    if (!*row)
        return Error{ErrorCode::NotFound, "no row", std::string(sql)};
    return statement->text(0);
}

Result<void> Database::setSynced(bool synced)
{
    if (m_synced == synced)
        return {};
    auto done = execute(synced ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
    if (done)
        m_synced = synced;
    return done;
}

bool Database::checkpoint()
{
    int frames = 0;
    int copied = 0;
    const int code = sqlite3_wal_checkpoint_v2(m_handle, "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &copied);
    if (code != SQLITE_OK) {
        qCWarning(logStore, "checkpoint failed: %s (%d); the log is safe in the WAL", sqlite3_errmsg(m_handle), code);
        return false;
    }
    qCDebug(logStore, "checkpoint: %d of %d frames", copied, frames);
    if (copied == frames)
        m_walFrames = 0;
    return copied == frames;
}

Transaction::Transaction(Database &database) : m_database(database), m_begun(database.execute("BEGIN IMMEDIATE")) {}

Transaction::~Transaction()
{
    if (sqlite3_get_autocommit(m_database.handle()) == 0)
        static_cast<void>(m_database.execute("ROLLBACK"));
}

Result<void> Transaction::commit()
{
    return m_database.execute("COMMIT");
}

} // namespace handreset::store

// The one connection to a store's file: opened by QtSql, so that only one SQLite library is in the process, and used
// through its sqlite3 handle (decision 0005). Internal to model/store.
// Thread: the one that opened it. Ownership: closes the connection on destruction; every Statement must be gone by
// then.
#pragma once

#include "model/rules/result.h"
#include "model/store/statement.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace handreset::store {

class Database {
public:
    enum class Use {
        Host, ///< reads and writes; exclusive lock; nobody else gets in
        Copy, ///< a private copy of a file that is not trusted: low limits, reading only
    };

    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    /// Opens an existing file and takes the exclusive lock. Busy is told as busy, never as empty.
    [[nodiscard]] static rules::Result<std::unique_ptr<Database>> open(const QString &path, Use use);

    [[nodiscard]] sqlite3 *handle() const noexcept { return m_handle; }
    [[nodiscard]] rules::Result<Statement> prepare(std::string_view sql) { return Statement::prepare(m_handle, sql); }
    /// Runs one or several statements without values.
    [[nodiscard]] rules::Result<void> execute(std::string_view sql);
    /// The first column of the first row; an Error when there is no row.
    [[nodiscard]] rules::Result<std::int64_t> number(std::string_view sql);
    [[nodiscard]] rules::Result<std::string> text(std::string_view sql);

    /// `FULL` for what must survive a power cut, `NORMAL` for the rest. Not within a transaction.
    [[nodiscard]] rules::Result<void> setSynced(bool synced);
    /// True when a commit is on the disk once it returns.
    [[nodiscard]] bool isSynced() const noexcept { return m_synced; }
    /// How many frames the WAL held after the last commit.
    [[nodiscard]] int walFrames() const noexcept { return m_walFrames; }
    /// Copies the WAL into the file as far as it can (PASSIVE); true when all of it was.
    bool checkpoint();

private:
    explicit Database(QString connection);
    [[nodiscard]] rules::Result<void> configure(Use use);

    QString m_connection;
    sqlite3 *m_handle = nullptr;
    bool m_synced = true;
    int m_walFrames = 0;
};

/// BEGIN IMMEDIATE now; ROLLBACK when it goes without `commit`.
class Transaction {
public:
    explicit Transaction(Database &database);
    ~Transaction();
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;

    [[nodiscard]] rules::Result<void> begun() const { return m_begun; }
    /// Success is told only after COMMIT returned.
    [[nodiscard]] rules::Result<void> commit();

private:
    Database &m_database;
    rules::Result<void> m_begun;
};

} // namespace handreset::store

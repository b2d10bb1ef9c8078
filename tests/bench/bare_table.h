// The least that durable writing and ordered reading can be: one SQLite table of numbers and bytes, no log, no rules.
// The peer of import, append and what-if from a store. Benchmarks only; one thread.
#pragma once

#include <sqlite3.h>

#include <QtGlobal>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace handreset::bench {

class BareTable {
public:
    explicit BareTable(const std::string &path)
    {
        check(sqlite3_open(path.c_str(), &m_database));
        run("PRAGMA locking_mode=EXCLUSIVE");
        run("PRAGMA journal_mode=WAL");
        run("PRAGMA synchronous=NORMAL");
        run("CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, b BLOB NOT NULL) STRICT");
        check(sqlite3_prepare_v2(m_database, "INSERT INTO t (b) VALUES (?1)", -1, &m_insert, nullptr));
    }
    ~BareTable()
    {
        sqlite3_finalize(m_insert);
        sqlite3_close(m_database);
    }
    BareTable(const BareTable &) = delete;
    BareTable &operator=(const BareTable &) = delete;

    void begin() { run("BEGIN IMMEDIATE"); }
    void commit(bool synced)
    {
        run("COMMIT");
        if (synced)
            run("PRAGMA wal_checkpoint(FULL)");
    }
    void insert(std::string_view bytes)
    {
        sqlite3_bind_blob(m_insert, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
        if (sqlite3_step(m_insert) != SQLITE_DONE)
            check(SQLITE_ERROR);
        sqlite3_reset(m_insert);
    }
    /// Steps over every row in order and touches its bytes; how many there were.
    std::uint64_t readAll()
    {
        sqlite3_stmt *select = nullptr;
        check(sqlite3_prepare_v2(m_database, "SELECT n, b FROM t ORDER BY n", -1, &select, nullptr));
        std::uint64_t rows = 0;
        std::uint64_t bytes = 0;
        while (sqlite3_step(select) == SQLITE_ROW) {
            ++rows;
            bytes += *static_cast<const unsigned char *>(sqlite3_column_blob(select, 1));
        }
        sqlite3_finalize(select);
        return bytes == 0 ? 0 : rows;
    }

private:
    void run(const char *sql) { check(sqlite3_exec(m_database, sql, nullptr, nullptr, nullptr)); }
    void check(int code)
    {
        if (code != SQLITE_OK)
            qFatal("the bare table: %s", sqlite3_errmsg(m_database));
    }

    sqlite3 *m_database = nullptr;
    sqlite3_stmt *m_insert = nullptr;
};

} // namespace handreset::bench

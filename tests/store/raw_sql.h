// For tests: somebody's hand in the file, past the store. The store must be closed.
#pragma once

#include <QFile>
#include <QString>

#include <sqlite3.h>

#include <string>

namespace handreset::tests {

class RawSql {
public:
    explicit RawSql(const QString &path)
    {
        if (sqlite3_open_v2(QFile::encodeName(path).constData(), &m_handle, SQLITE_OPEN_READWRITE, nullptr)
            != SQLITE_OK)
            qFatal("raw open: %s", sqlite3_errmsg(m_handle));
    }
    ~RawSql() { sqlite3_close(m_handle); }
    RawSql(const RawSql &) = delete;
    RawSql &operator=(const RawSql &) = delete;

    void run(const std::string &sql)
    {
        char *message = nullptr;
        if (sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
            qFatal("raw sql \"%s\": %s", sql.c_str(), message);
    }
    /// How many rows were changed so far.
    [[nodiscard]] int changes() const { return sqlite3_total_changes(m_handle); }
    /// False when SQLite refuses it.
    [[nodiscard]] bool tries(const std::string &sql)
    {
        return sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    }
    [[nodiscard]] std::int64_t number(const std::string &sql)
    {
        sqlite3_stmt *statement = nullptr;
        sqlite3_prepare_v2(m_handle, sql.c_str(), -1, &statement, nullptr);
        if (sqlite3_step(statement) != SQLITE_ROW)
            qFatal("raw sql \"%s\": %s", sql.c_str(), sqlite3_errmsg(m_handle));
        const std::int64_t value = sqlite3_column_int64(statement, 0);
        sqlite3_finalize(statement);
        return value;
    }

    [[nodiscard]] std::string text(const std::string &sql)
    {
        sqlite3_stmt *statement = nullptr;
        sqlite3_prepare_v2(m_handle, sql.c_str(), -1, &statement, nullptr);
        if (sqlite3_step(statement) != SQLITE_ROW)
            qFatal("raw sql \"%s\": %s", sql.c_str(), sqlite3_errmsg(m_handle));
        const std::string value = reinterpret_cast<const char *>(sqlite3_column_text(statement, 0));
        sqlite3_finalize(statement);
        return value;
    }

private:
    sqlite3 *m_handle = nullptr;
};

} // namespace handreset::tests

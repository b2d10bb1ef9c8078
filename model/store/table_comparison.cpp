#include "model/store/table_comparison.h"

#include <vector>

namespace handreset::store {

using rules::Result;

namespace {

constexpr std::size_t kShown = 60;

std::string shown(sqlite3_value *value)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_NULL:
        return "nothing";
    case SQLITE_BLOB:
        return std::to_string(sqlite3_value_bytes(value)) + " bytes";
    case SQLITE_TEXT: {
        const std::string text(reinterpret_cast<const char *>(sqlite3_value_text(value)),
                               static_cast<std::size_t>(sqlite3_value_bytes(value)));
        return '"' + (text.size() > kShown ? text.substr(0, kShown) + "…" : text) + '"';
    }
    default:
        return reinterpret_cast<const char *>(sqlite3_value_text(value));
    }
}

/// A raw statement whose columns are looked at by whatever type they have.
class Rows {
public:
    Rows(Database &database, const std::string &sql)
    {
        sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &m_statement, nullptr);
    }
    ~Rows() { sqlite3_finalize(m_statement); }
    Rows(const Rows &) = delete;
    Rows &operator=(const Rows &) = delete;

    [[nodiscard]] bool isPrepared() const noexcept { return m_statement != nullptr; }
    [[nodiscard]] int next() { return sqlite3_step(m_statement); }
    void bindKeysOf(const Rows &other, std::size_t keys)
    {
        sqlite3_reset(m_statement);
        for (int key = 0; key < static_cast<int>(keys); ++key)
            sqlite3_bind_value(m_statement, key + 1, other.value(key));
    }
    [[nodiscard]] sqlite3_value *value(int column) const { return sqlite3_column_value(m_statement, column); }
    [[nodiscard]] std::string text(int column) const
    {
        sqlite3_value *const copy = sqlite3_value_dup(value(column)); // a column's own value is unprotected
        std::string text = shown(copy);
        sqlite3_value_free(copy);
        return text;
    }
    [[nodiscard]] std::string name(int column) const { return sqlite3_column_name(m_statement, column); }
    [[nodiscard]] int columns() const { return sqlite3_column_count(m_statement); }
    [[nodiscard]] bool isSame(int column, const Rows &other) const
    {
        const int type = sqlite3_column_type(m_statement, column);
        if (type != sqlite3_column_type(other.m_statement, column))
            return false;
        if (type == SQLITE_INTEGER)
            return sqlite3_column_int64(m_statement, column) == sqlite3_column_int64(other.m_statement, column);
        return bytes(column) == other.bytes(column);
    }

private:
    [[nodiscard]] std::string_view bytes(int column) const
    {
        const auto *const data = static_cast<const char *>(sqlite3_column_blob(m_statement, column));
        return {data != nullptr ? data : "", static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column))};
    }
    sqlite3_stmt *m_statement = nullptr;
};

std::string rowName(const ProjectionTable &table, const Rows &row)
{
    std::string name = std::string(table.name) + ", row";
    for (int key = 0; key < static_cast<int>(table.keys); ++key)
        name += ' ' + row.text(key);
    return name;
}

std::string byKeys(const ProjectionTable &table)
{
    std::string sql;
    std::string_view rest = keyColumns(table);
    for (std::size_t key = 0; key < table.keys; ++key) {
        const auto end = rest.find(", ");
        sql += (key == 0 ? " WHERE " : " AND ") + std::string(rest.substr(0, end)) + " = ?" + std::to_string(key + 1);
        rest = rest.substr(end == std::string_view::npos ? rest.size() : end + 2);
    }
    return sql;
}

} // namespace

Result<std::uint64_t> compareTable(Database &database, const ProjectionTable &table, const std::string &truth,
                                   Findings &findings)
{
    const std::string name(table.name);
    const std::string columns(table.columns);
    const std::string keys(keyColumns(table));
    Rows wrong(database,
               "SELECT " + columns + " FROM main." + name + " EXCEPT SELECT " + columns + " FROM " + truth + '.'
                   + name);
    Rows right(database, "SELECT " + columns + " FROM " + truth + '.' + name + byKeys(table));
    Rows missing(database,
                 "SELECT " + keys + " FROM " + truth + '.' + name + " EXCEPT SELECT " + keys + " FROM main." + name);
    if (!wrong.isPrepared() || !right.isPrepared() || !missing.isPrepared())
        return sqliteError(database.handle(), "comparing tables");
    int code = wrong.next();
    for (; code == SQLITE_ROW; code = wrong.next()) {
        right.bindKeysOf(wrong, table.keys);
        if (right.next() != SQLITE_ROW) {
            findings.add(rowName(table, wrong) + ": it does not follow from the log");
            continue;
        }
        for (int column = static_cast<int>(table.keys); column < wrong.columns(); ++column) {
            if (!wrong.isSame(column, right))
                findings.add(rowName(table, wrong) + ": " + wrong.name(column) + " is " + wrong.text(column)
                             + ", the log says " + right.text(column));
        }
    }
    for (code = code == SQLITE_DONE ? missing.next() : code; code == SQLITE_ROW; code = missing.next())
        findings.add(rowName(table, missing) + ": it is missing");
    if (code != SQLITE_DONE)
        return sqliteError(database.handle(), "comparing tables");
    const auto count = database.number("SELECT count(*) FROM main." + name);
    if (!count)
        return count.error();
    return static_cast<std::uint64_t>(*count);
}

} // namespace handreset::store

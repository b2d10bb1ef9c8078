#include "model/store/statement.h"

#include <utility>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

std::string_view remedyOf(int primaryCode)
{
    switch (primaryCode) {
    case SQLITE_FULL:
        return "; free space on its disk";
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return "; look at its disk (kernel log) before anything else, then try again";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return "; nothing was repaired: keep the file and put a backup in its place";
    case SQLITE_READONLY:
        return "; the file or its disk is read-only";
    default:
        return "";
    }
}

} // namespace

Error sqliteError(sqlite3 *handle, std::string_view doing)
{
    const int code = handle != nullptr ? sqlite3_extended_errcode(handle) : SQLITE_NOMEM;
    if ((code & 0xFF) == SQLITE_BUSY) // not a fault: no words for programmers
        return {ErrorCode::Unavailable, "another process has it open: ask that host, or end it", "the store"};
    std::string message = "the store failed while " + std::string(doing) + ": ";
    message += handle != nullptr ? sqlite3_errmsg(handle) : "out of memory";
    message += remedyOf(code & 0xFF);
    return {ErrorCode::Unavailable, std::move(message), "sqlite " + std::to_string(code)};
}

Statement::~Statement()
{
    sqlite3_finalize(m_statement);
}

Statement::Statement(Statement &&other) noexcept : m_statement(std::exchange(other.m_statement, nullptr)) {}

Statement &Statement::operator=(Statement &&other) noexcept
{
    std::swap(m_statement, other.m_statement);
    return *this;
}

Result<Statement> Statement::prepare(sqlite3 *handle, std::string_view sql)
{
    Statement made;
    const int code = sqlite3_prepare_v3(handle, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                        &made.m_statement, nullptr);
    if (code != SQLITE_OK)
        return sqliteError(handle, "reading a statement");
    return made;
}

Result<bool> Statement::step()
{
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    auto *const handle = sqlite3_db_handle(m_statement);
    auto error = sqliteError(handle, sqlite3_stmt_readonly(m_statement) != 0 ? "reading" : "writing");
    sqlite3_reset(m_statement);
    return error;
}

bool Statement::isNull(int column) const noexcept
{
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const noexcept
{
    return sqlite3_column_int64(m_statement, column);
}

std::string_view Statement::bytes(int column) const noexcept
{
    const auto *const data = static_cast<const char *>(sqlite3_column_blob(m_statement, column));
    const int size = sqlite3_column_bytes(m_statement, column);
    return data == nullptr ? std::string_view() : std::string_view(data, static_cast<std::size_t>(size));
}

// Binding fails only for a wrong index or for lack of memory; the step that follows then fails on the NOT NULL check.
void Statement::putInteger(int index, std::int64_t value) noexcept
{
    sqlite3_bind_int64(m_statement, index, value);
}

void Statement::putText(int index, std::string_view value) noexcept
{
    const char *const data = value.data() != nullptr ? value.data() : "";
    sqlite3_bind_text64(m_statement, index, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Statement::putBlob(int index, std::string_view value) noexcept
{
    const char *const data = value.data() != nullptr ? value.data() : "";
    sqlite3_bind_blob64(m_statement, index, data, value.size(), SQLITE_STATIC);
}

void Statement::putNull(int index) noexcept
{
    sqlite3_bind_null(m_statement, index);
}

} // namespace handreset::store

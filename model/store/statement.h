// One prepared statement of the sqlite3 C interface: bind, step, read. Internal to model/store.
// Thread: the store's. Ownership: finalised on destruction, which must come before its Database's. Failure: a Result
// that carries SQLite's extended code.
#pragma once

#include "model/rules/decimal.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/result.h"
#include "model/rules/words.h"

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace handreset::store {

/// Bytes that must live until the statement was stepped.
struct Blob {
    std::string_view bytes;
};

/// What SQLite says of its last failure on this connection, with the remedy where there is one.
[[nodiscard]] rules::Error sqliteError(sqlite3 *handle, std::string_view doing);

class Statement {
public:
    Statement() = default;
    ~Statement();
    Statement(Statement &&other) noexcept;
    Statement &operator=(Statement &&other) noexcept;

    [[nodiscard]] static rules::Result<Statement> prepare(sqlite3 *handle, std::string_view sql);

    /// Begins anew with these values for ?1, ?2 ….
    template <class... Values>
    void bind(const Values &...values)
    {
        sqlite3_reset(m_statement);
        int index = 0;
        (put(++index, values), ...);
    }
    /// True: a row is there to be read. False: done.
    [[nodiscard]] rules::Result<bool> step();
    /// Binds, runs to the end and lets go.
    template <class... Values>
    [[nodiscard]] rules::Result<void> run(const Values &...values)
    {
        bind(values...);
        auto done = step();
        sqlite3_reset(m_statement);
        if (!done)
            return done.error();
        return {};
    }
    void reset() noexcept { sqlite3_reset(m_statement); }

    [[nodiscard]] bool isNull(int column) const noexcept;
    [[nodiscard]] std::int64_t integer(int column) const noexcept;
    /// Valid until the next step.
    [[nodiscard]] std::string_view bytes(int column) const noexcept;
    [[nodiscard]] std::string text(int column) const { return std::string(bytes(column)); }

private:
    void putInteger(int index, std::int64_t value) noexcept;
    void putText(int index, std::string_view value) noexcept;
    void putBlob(int index, std::string_view value) noexcept;
    void putNull(int index) noexcept;

    template <class T>
    void put(int index, const T &value)
    {
        if constexpr (std::is_same_v<T, Blob>)
            putBlob(index, value.bytes);
        else if constexpr (rules::Worded<T>)
            putText(index, rules::toWord(value));
        else if constexpr (std::is_convertible_v<T, std::string_view>)
            putText(index, value);
        else if constexpr (std::is_integral_v<T>)
            putInteger(index, static_cast<std::int64_t>(value));
        else if constexpr (std::is_same_v<T, rules::Decimal>)
            putText(index, value.toString());
        else if constexpr (requires { value.micros; })
            putInteger(index, value.micros);
        else if constexpr (requires { value.has_value(); })
            value.has_value() ? put(index, *value) : putNull(index);
        else
            putInteger(index, static_cast<std::int64_t>(value.value)); // the ids
    }

    sqlite3_stmt *m_statement = nullptr;
};

} // namespace handreset::store

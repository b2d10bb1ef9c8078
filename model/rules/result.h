// Expected failures as values: nothing throws across a room's door. Pure values; any thread.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace handreset::rules {

/// What kind of failure it is; the command line's exit codes follow from it (spec 8).
enum class ErrorCode {
    BadInput,    ///< wrong use or bad input: exit code 2
    Refused,     ///< refused by a rule: exit code 4
    Unavailable, ///< the store or the gate cannot be reached or used: exit code 3
    NotFound,    ///< the named thing does not exist: exit code 2
    Found,       ///< a check found something: exit code 1
    Conflict,    ///< the same id stands for something else: exit code 2
    Cancelled,   ///< the person who asked for it stopped it: exit code 1
};

/// A failure told so that the reader knows what to do next.
struct Error {
    ErrorCode code = ErrorCode::BadInput;
    std::string message; ///< what happened, and the remedy
    std::string context; ///< where: file, line, field; empty where there is no such place
    constexpr bool operator==(const Error &) const = default;
};

/// A value or the reason why there is none. Never both, never neither.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_content(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_content(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const noexcept { return m_content.index() == 0; }
    explicit operator bool() const noexcept { return ok(); }
    [[nodiscard]] T &value() & { return std::get<0>(m_content); }
    [[nodiscard]] const T &value() const & { return std::get<0>(m_content); }
    [[nodiscard]] T &&value() && { return std::get<0>(std::move(m_content)); }
    [[nodiscard]] const Error &error() const { return std::get<1>(m_content); }
    T *operator->() { return &std::get<0>(m_content); }
    const T *operator->() const { return &std::get<0>(m_content); }
    T &operator*() & { return std::get<0>(m_content); }
    const T &operator*() const & { return std::get<0>(m_content); }

private:
    std::variant<T, Error> m_content;
};

/// Success without a value.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_ok(false) {}

    [[nodiscard]] bool ok() const noexcept { return m_ok; }
    explicit operator bool() const noexcept { return m_ok; }
    [[nodiscard]] const Error &error() const { return m_error; }

private:
    Error m_error;
    bool m_ok = true;
};

} // namespace handreset::rules

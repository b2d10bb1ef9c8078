// What the gate tells whoever runs it: one JSON object a line, with `time` (RFC 3339, UTC), `level`, `event` (a word
// for machines) and what belongs to it. Never a secret, never an argument of a tool call; text from outside is escaped,
// so that one event is always one line. Thread: any. Failure: a log that cannot be written keeps nothing else from
// working.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace handreset::gate {

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };

[[nodiscard]] std::string_view wordOf(LogLevel level) noexcept;
[[nodiscard]] std::optional<LogLevel> logLevelOf(std::string_view word) noexcept;

/// One more member of an event's object. Its texts need to live during the call only.
struct LogField {
    std::string_view name;
    std::variant<std::string_view, std::int64_t, bool> value;
};

class GateLog {
public:
    /// Writes to this descriptor, which stays the caller's, what is at least of this level.
    GateLog(int descriptor, LogLevel least) : m_descriptor(descriptor), m_least(least) {}

    void write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});
    void info(std::string_view event, std::initializer_list<LogField> fields = {})
    {
        write(LogLevel::Info, event, fields);
    }
    void warning(std::string_view event, std::initializer_list<LogField> fields = {})
    {
        write(LogLevel::Warning, event, fields);
    }
    void error(std::string_view event, std::initializer_list<LogField> fields = {})
    {
        write(LogLevel::Error, event, fields);
    }

private:
    int m_descriptor;
    LogLevel m_least;
    std::mutex m_mutex; ///< a long line must not have another one in its middle
};

} // namespace handreset::gate

#include "app/gate/gate_log.h"

#include "app/gate/printable.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace handreset::gate {

namespace {

constexpr std::array<std::string_view, 4> kWords{"debug", "info", "warning", "error"};

std::string present()
{
    timespec now = {};
    clock_gettime(CLOCK_REALTIME, &now);
    std::tm utc = {};
    gmtime_r(&now.tv_sec, &utc);
    std::array<char, 40> day{};
    const auto length = std::strftime(day.data(), day.size(), "%Y-%m-%dT%H:%M:%S", &utc);
    std::array<char, 8> fraction{};
    std::snprintf(fraction.data(), fraction.size(), ".%03dZ", static_cast<int>(now.tv_nsec / 1'000'000));
    return std::string(day.data(), length) + fraction.data();
}

void appendMember(std::string &line, std::string_view name, std::string_view value)
{
    line += ',';
    appendJson(line, name);
    line += ':';
    line += value;
}

std::string jsonOf(const LogField &field)
{
    std::string text;
    if (const auto *words = std::get_if<std::string_view>(&field.value))
        appendJson(text, *words);
    else if (const auto *number = std::get_if<std::int64_t>(&field.value))
        text = std::to_string(*number);
    else
        text = std::get<bool>(field.value) ? "true" : "false";
    return text;
}

} // namespace

std::string_view wordOf(LogLevel level) noexcept
{
    return kWords[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> logLevelOf(std::string_view word) noexcept
{
    for (std::size_t at = 0; at < kWords.size(); ++at) {
        if (kWords[at] == word)
            return static_cast<LogLevel>(at);
    }
    return {};
}

void GateLog::write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields)
{
    if (level < m_least)
        return;
    std::string line = R"({"time":")" + present() + '"';
    std::string value;
    appendJson(value, wordOf(level));
    appendMember(line, "level", value);
    value.clear();
    appendJson(value, event);
    appendMember(line, "event", value);
    for (const auto &field : fields)
        appendMember(line, field.name, jsonOf(field));
    line += "}\n";

    const std::lock_guard lock(m_mutex);
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t done = ::write(m_descriptor, rest.data(), rest.size());
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) // nobody reads it, or the disk is full: the gate goes on
            return;
        rest.remove_prefix(static_cast<std::size_t>(done));
    }
}

} // namespace handreset::gate

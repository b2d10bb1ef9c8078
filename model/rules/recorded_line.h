// One line of a recorded run as the rules' readers hand it on: what an agent asked, or what came of it
// (data form: spec 6, "Recorded runs"). Feeds read it, history judges it; neither knows the other.
// Pure values; any thread. Ownership: the texts belong to the reader and last until its next line.
#pragma once

#include "model/rules/decimal.h"
#include "model/rules/instant.h"
#include "model/rules/words.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace handreset::rules {

enum class LineKind : std::uint8_t { TaskStart, ModelCall, ToolCall, ToolResult, TaskEnd };
template <>
struct Words<LineKind> {
    static constexpr std::array<std::string_view, 5> list{"task_start", "model_call", "tool_call", "tool_result",
                                                          "task_end"};
};

/// What one line states. What it does not state is empty: 0 is not missing.
struct RecordedLine {
    std::uint64_t index = 0; ///< the line's number from 0, over all files of one reading: the event index
    LineKind kind = LineKind::TaskStart;
    std::optional<Instant> time; ///< none where the source states no time
    std::string_view agent;      ///< never empty
    std::string_view task;       ///< never empty
    std::string_view tool;       ///< of calls and results
    std::string_view model;
    std::string_view call;      ///< the source's own id of the call
    std::string_view arguments; ///< the JSON text as it stands; empty: none were recorded
    std::string_view result;    ///< a text without its quotes, any other JSON as it stands
    std::string_view error;
    std::string_view labels; ///< `x`: a JSON object as it stands
    std::optional<bool> ok;
    std::optional<Decimal> costUsd; ///< never negative
    std::optional<std::int64_t> tokensIn;
    std::optional<std::int64_t> tokensOut;

    /// A call went well unless the line says that it did not; without a mark, an error's words say so.
    [[nodiscard]] bool succeeded() const noexcept { return ok.value_or(error.empty()); }
};

/// The time that a line is judged by.
struct LineTime {
    std::optional<Instant> at; ///< none: no dated event of the task so far, so windows have no data
    bool measured = false;     ///< false: the time of the task's last dated event
};

/// Gives lines without a time that of the last dated line of their task. Tasks are dense numbers from 1.
class TaskTimes {
public:
    [[nodiscard]] LineTime timeOf(std::uint32_t task, std::optional<Instant> stated)
    {
        if (m_last.size() < task)
            m_last.resize(task);
        auto &last = m_last[task - 1];
        if (stated)
            last = stated;
        return {last, stated.has_value()};
    }

private:
    std::vector<std::optional<Instant>> m_last;
};

} // namespace handreset::rules

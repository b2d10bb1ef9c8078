// What recorded lines ask of a recorded store: each line as the command that an agent's gate would have had, with the
// line's own time. Pure but for its own tables; one thread at a time.
#pragma once

#include "model/rules/call_pairing.h"
#include "model/rules/command.h"
#include "model/rules/name_numbers.h"
#include "model/rules/recorded_line.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace handreset::feeds {

/// One command that a line became.
struct RecordedCommand {
    rules::Command command;
    rules::Moment moment;
    std::uint64_t line = 0;
    std::optional<std::uint64_t> ofCall; ///< a result: the line of its call, whose ask's id is filled in when it is run
    std::size_t resultHash = 0;          ///< a result: of its text, to tell whether results of the same call change
    std::uint32_t task = 0;              ///< the task's number within this reading
};

/// Translates line by line. Results without a call are left out and counted.
class RecordedCommands {
public:
    /// Appends what the line asks: its labels first, then its ask, result or end. A task's start alone asks nothing.
    void translate(const rules::RecordedLine &line, std::vector<RecordedCommand> &out);

    [[nodiscard]] std::uint64_t resultsWithoutCall() const noexcept { return m_resultsWithoutCall; }
    /// Lines judged by the time of their task's last dated event.
    [[nodiscard]] std::uint64_t unmeasuredTimes() const noexcept { return m_unmeasuredTimes; }
    /// Lines without any time: their windows have no data.
    [[nodiscard]] std::uint64_t linesWithoutTime() const noexcept { return m_linesWithoutTime; }
    [[nodiscard]] std::uint32_t tasks() const noexcept { return m_tasks.count(); }
    [[nodiscard]] std::uint32_t agents() const noexcept { return m_agents.count(); }

private:
    rules::NameNumbers m_agents;
    rules::NameNumbers m_tasks;
    rules::NameNumbers m_tools;
    rules::TaskTimes m_times;
    rules::CallPairing m_pairing;
    std::uint64_t m_resultsWithoutCall = 0;
    std::uint64_t m_unmeasuredTimes = 0;
    std::uint64_t m_linesWithoutTime = 0;
};

} // namespace handreset::feeds

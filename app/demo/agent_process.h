// One agent of the demo in a process of its own: a Python script, begun by a word on its standard input and ended by
// the end of that, which comes by itself when this program dies. Threads: one at a time. Ownership: the destructor ends
// the process and waits for it. Failure: `start` says why there is none; later `howItEnded`.
#pragma once

#include "model/rules/result.h"

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::demo {

struct AgentCommand {
    std::string agent;
    std::string program;                ///< its whole path
    std::vector<std::string> arguments; ///< anybody on the machine can read them: no secrets
    /// NAME=value, beside this program's own, of which HANDRESET_… is left out.
    std::vector<std::string> environment;
    std::string errorsFile; ///< where its standard error goes
};

class AgentProcess {
public:
    [[nodiscard]] static rules::Result<std::unique_ptr<AgentProcess>> start(const AgentCommand &command);
    ~AgentProcess();
    AgentProcess(const AgentProcess &) = delete;
    AgentProcess &operator=(const AgentProcess &) = delete;

    [[nodiscard]] const std::string &agent() const noexcept { return m_agent; }
    /// Whether it has said that it waits for the word to begin. Does not wait for it.
    [[nodiscard]] bool isReady();
    void begin() const;
    /// It ends after its present act.
    void askToEnd() const;
    /// SIGTERM, SIGKILL: to it and to what it started.
    void signal(int number) const;
    /// Does not wait either.
    [[nodiscard]] bool hasEnded();
    /// "killed by signal 9", "exit code 1, ValueError: …"; nothing while it runs, and where it ended in order.
    [[nodiscard]] std::optional<std::string> howItEnded();

private:
    AgentProcess(const AgentCommand &command, pid_t pid, int line);
    [[nodiscard]] std::string lastWords() const;

    std::string m_agent;
    std::string m_errorsFile;
    pid_t m_pid;
    int m_line; ///< its standard input and output
    int m_status = 0;
    bool m_isReady = false;
    bool m_hasEnded = false;
};

/// The whole path of a program on this program's PATH. Nothing where it is not there.
[[nodiscard]] std::optional<std::string> programNamed(std::string_view name);

} // namespace handreset::demo

// The MCP server that the proxy starts: a child process with a pipe to its standard input and one from its standard
// output. Its standard error is the proxy's own, its environment too, but for the agent's token.
// The loop's thread's. Going, it closes the pipes; it ends nobody.
#pragma once

#include "model/rules/result.h"

#include <csignal>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace handreset::ctl {

class McpServerProcess {
public:
    /// Starts it, found on PATH as a shell does. BadInput tells why it cannot be. `signals` is the set that the child
    /// begins with blocked.
    [[nodiscard]] static rules::Result<McpServerProcess> start(const std::vector<std::string> &command,
                                                               const sigset_t &signals);
    McpServerProcess(McpServerProcess &&other) noexcept;
    McpServerProcess &operator=(McpServerProcess &&) = delete;
    ~McpServerProcess();

    [[nodiscard]] int in() const noexcept { return m_in; }   ///< to write to, non-blocking; -1: closed
    [[nodiscard]] int out() const noexcept { return m_out; } ///< to read from, non-blocking; -1: closed
    void closeIn() noexcept;
    void closeOut() noexcept;
    void signal(int number) const noexcept;
    /// Its exit code, 128 + N where signal N ended it, as shells say it; nothing while it runs.
    [[nodiscard]] std::optional<int> exitCode() noexcept;

private:
    McpServerProcess(pid_t pid, int in, int out) noexcept : m_pid(pid), m_in(in), m_out(out) {}

    pid_t m_pid;
    int m_in;
    int m_out;
    std::optional<int> m_exitCode;
};

} // namespace handreset::ctl

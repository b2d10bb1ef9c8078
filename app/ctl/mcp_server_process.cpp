#include "app/ctl/mcp_server_process.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;

namespace {

void closeAndForget(int &descriptor) noexcept
{
    if (descriptor >= 0)
        ::close(std::exchange(descriptor, -1));
}

/// The environment without the token, and without the name of its file: the server asks nobody, and must not be able to
/// ask in the agent's name.
std::vector<char *> childEnvironment()
{
    std::vector<char *> kept;
    for (char **entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (!text.starts_with("HANDRESET_TOKEN=") && !text.starts_with("HANDRESET_TOKEN_FILE="))
            kept.push_back(*entry);
    }
    kept.push_back(nullptr);
    return kept;
}

/// Two pipes, every end closed in the child but the two that it is given.
struct Pipes {
    int toServer[2]{-1, -1};
    int fromServer[2]{-1, -1};

    Pipes() = default;
    Pipes(const Pipes &) = delete;
    Pipes &operator=(const Pipes &) = delete;
    ~Pipes()
    {
        for (auto *end : {&toServer[0], &toServer[1], &fromServer[0], &fromServer[1]})
            closeAndForget(*end);
    }
    [[nodiscard]] bool open()
    {
        return ::pipe2(toServer, O_CLOEXEC) == 0 && ::pipe2(fromServer, O_CLOEXEC) == 0
            && ::fcntl(toServer[1], F_SETFL, O_NONBLOCK) == 0 && ::fcntl(fromServer[0], F_SETFL, O_NONBLOCK) == 0;
    }
};

int spawn(pid_t &pid, const std::vector<std::string> &command, const Pipes &pipes, const sigset_t &signals)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (const int error = ::posix_spawn_file_actions_init(&files); error != 0)
        return error;
    if (const int error = ::posix_spawnattr_init(&attributes); error != 0) {
        ::posix_spawn_file_actions_destroy(&files);
        return error;
    }
    ::posix_spawn_file_actions_adddup2(&files, pipes.toServer[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, pipes.fromServer[1], STDOUT_FILENO);
    ::posix_spawnattr_setsigmask(&attributes, &signals);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    std::vector<char *> words;
    words.reserve(command.size() + 1);
    for (const auto &word : command)
        words.push_back(
            const_cast<char *>(word.c_str())); // NOLINT(cppcoreguidelines-pro-type-const-cast): POSIX's type
    words.push_back(nullptr);
    const int error = ::posix_spawnp(&pid, words.front(), &files, &attributes, words.data(), childEnvironment().data());
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    return error;
}

} // namespace

rules::Result<McpServerProcess> McpServerProcess::start(const std::vector<std::string> &command,
                                                        const sigset_t &signals)
{
    Pipes pipes;
    if (!pipes.open())
        return Error{ErrorCode::Unavailable, std::string("no pipe to the server: ") + std::strerror(errno), {}};
    pid_t pid = -1;
    if (const int error = spawn(pid, command, pipes, signals); error != 0)
        return Error{ErrorCode::BadInput, std::string("the server cannot be started: ") + std::strerror(error),
                     command.front()};
    return McpServerProcess(pid, std::exchange(pipes.toServer[1], -1), std::exchange(pipes.fromServer[0], -1));
}

McpServerProcess::McpServerProcess(McpServerProcess &&other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)),
      m_in(std::exchange(other.m_in, -1)),
      m_out(std::exchange(other.m_out, -1)),
      m_exitCode(other.m_exitCode)
{}

McpServerProcess::~McpServerProcess()
{
    closeIn();
    closeOut();
}

void McpServerProcess::closeIn() noexcept
{
    closeAndForget(m_in);
}

void McpServerProcess::closeOut() noexcept
{
    closeAndForget(m_out);
}

void McpServerProcess::signal(int number) const noexcept
{
    if (m_pid > 0 && !m_exitCode)
        ::kill(m_pid, number);
}

std::optional<int> McpServerProcess::exitCode() noexcept
{
    int status = 0;
    if (!m_exitCode && m_pid > 0 && ::waitpid(m_pid, &status, WNOHANG) == m_pid) {
        if (WIFEXITED(status))
            m_exitCode = WEXITSTATUS(status);
        else if (WIFSIGNALED(status))
            m_exitCode = 128 + WTERMSIG(status);
    }
    return m_exitCode;
}

} // namespace handreset::ctl

#include "app/demo/agent_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX leaves the declaring to us

namespace handreset::demo {

namespace {

constexpr std::size_t kLongestLastWords = 200;

/// This program's environment with what the agent needs beside it. A person's own HANDRESET_… is of another gate.
std::vector<std::string> environmentWith(const std::vector<std::string> &more)
{
    std::vector<std::string> all;
    for (char **entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        if (!std::string_view(*entry).starts_with("HANDRESET_"))
            all.emplace_back(*entry);
    }
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::vector<char *> pointersTo(std::vector<std::string> &texts)
{
    std::vector<char *> pointers;
    pointers.reserve(texts.size() + 1);
    for (auto &text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// What posix_spawn wants to know, freed at the end of the scope.
struct Spawning {
    Spawning()
    {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawnattr_init(&attributes);
        // A group of its own: Ctrl-C on our terminal is ours to answer. No signal blocked or ignored: threads of this
        // program block some, and a process that inherits that cannot be ended.
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        ::posix_spawnattr_setpgroup(&attributes, 0);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &all);
    }
    ~Spawning()
    {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }
    Spawning(const Spawning &) = delete;
    Spawning &operator=(const Spawning &) = delete;

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

} // namespace

rules::Result<std::unique_ptr<AgentProcess>> AgentProcess::start(const AgentCommand &command)
{
    const auto trouble = [&command](int code) {
        return rules::Error{
            rules::ErrorCode::Unavailable, command.program + " cannot be run: " + std::strerror(code), {}};
    };
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return trouble(errno);
    Spawning spawning;
    ::posix_spawn_file_actions_adddup2(&spawning.actions, ends[1], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&spawning.actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&spawning.actions, STDERR_FILENO, command.errorsFile.c_str(),
                                       O_WRONLY | O_CREAT | O_APPEND, 0600);
    // Also what somebody opened without O_CLOEXEC: another agent's line in here would outlive this program.
    ::posix_spawn_file_actions_addclosefrom_np(&spawning.actions, STDERR_FILENO + 1);
    std::vector<std::string> words{command.program};
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    auto environment = environmentWith(command.environment);
    const auto argv = pointersTo(words);
    const auto envp = pointersTo(environment);
    pid_t pid = 0;
    const int failed = ::posix_spawn(&pid, command.program.c_str(), &spawning.actions, &spawning.attributes,
                                     argv.data(), envp.data());
    ::close(ends[1]);
    if (failed != 0) {
        ::close(ends[0]);
        return trouble(failed);
    }
    return std::unique_ptr<AgentProcess>(new AgentProcess(command, pid, ends[0]));
}

AgentProcess::AgentProcess(const AgentCommand &command, pid_t pid, int line)
    : m_agent(command.agent), m_errorsFile(command.errorsFile), m_pid(pid), m_line(line)
{}

AgentProcess::~AgentProcess()
{
    if (!hasEnded()) {
        signal(SIGKILL);
        while (!m_hasEnded && ::waitpid(m_pid, &m_status, 0) < 0 && errno == EINTR) {}
    }
    ::close(m_line);
}

bool AgentProcess::isReady()
{
    std::array<char, 64> said{};
    if (!m_isReady)
        m_isReady = ::recv(m_line, said.data(), said.size(), MSG_DONTWAIT) > 0;
    return m_isReady;
}

void AgentProcess::begin() const
{
    // One that has gone meanwhile is noticed by its end.
    static_cast<void>(::send(m_line, "go\n", 3, MSG_NOSIGNAL | MSG_DONTWAIT));
}

void AgentProcess::askToEnd() const
{
    ::shutdown(m_line, SHUT_WR);
}

void AgentProcess::signal(int number) const
{
    if (!m_hasEnded) // afterwards the number may be somebody else's
        ::kill(-m_pid, number);
}

bool AgentProcess::hasEnded()
{
    if (!m_hasEnded)
        m_hasEnded = ::waitpid(m_pid, &m_status, WNOHANG) == m_pid;
    return m_hasEnded;
}

std::optional<std::string> AgentProcess::howItEnded()
{
    if (!hasEnded())
        return std::nullopt;
    if (WIFSIGNALED(m_status))
        return "killed by signal " + std::to_string(WTERMSIG(m_status));
    if (WEXITSTATUS(m_status) == 0)
        return std::nullopt;
    const auto words = lastWords();
    return "exit code " + std::to_string(WEXITSTATUS(m_status)) + (words.empty() ? "" : ", " + words);
}

/// A Python program that ends by an error says it in the last line.
std::string AgentProcess::lastWords() const
{
    std::ifstream file(m_errorsFile);
    std::string last;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty())
            last = line.substr(0, kLongestLastWords);
    }
    return last;
}

std::optional<std::string> programNamed(std::string_view name)
{
    const char *path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "";
    while (!rest.empty()) {
        const auto folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
        if (!folder.starts_with('/')) // the present folder is nobody's to choose a program from
            continue;
        auto program = std::string(folder) + '/' + std::string(name);
        if (::access(program.c_str(), X_OK) == 0)
            return program;
    }
    return std::nullopt;
}

} // namespace handreset::demo

// The verb that stands between an MCP client and its server (spec 6).
#include "app/ctl/arguments.h"
#include "app/ctl/mcp_gate.h"
#include "app/ctl/mcp_proxy.h"
#include "app/ctl/mcp_server_process.h"
#include "app/ctl/table.h"
#include "app/ctl/verbs.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

/// Signals come as readable bytes while this lives, in every thread that is started meanwhile.
class SignalsAsBytes {
public:
    SignalsAsBytes()
    {
        sigset_t told;
        sigemptyset(&told);
        for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
            sigaddset(&told, number);
        m_descriptor = ::signalfd(-1, &told, SFD_CLOEXEC | SFD_NONBLOCK);
        sigaddset(&told, SIGPIPE); // a reader that leaves is seen where one writes
        ::pthread_sigmask(SIG_BLOCK, &told, &m_before);
        m_childBefore = ::signal(SIGCHLD, SIG_DFL); // whoever ignores it never hears how its child ended
    }
    SignalsAsBytes(const SignalsAsBytes &) = delete;
    SignalsAsBytes &operator=(const SignalsAsBytes &) = delete;
    ~SignalsAsBytes()
    {
        ::close(m_descriptor);
        ::signal(SIGCHLD, m_childBefore);
        ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    [[nodiscard]] int descriptor() const noexcept { return m_descriptor; }
    [[nodiscard]] const sigset_t &before() const noexcept { return m_before; }

private:
    int m_descriptor = -1;
    sigset_t m_before{};
    void (*m_childBefore)(int) = nullptr;
};

/// The file's first line.
Result<std::string> tokenIn(const std::string &path)
{
    std::ifstream file(path);
    std::string line;
    if (!file || !std::getline(file, line) || line.empty())
        return Error{ErrorCode::BadInput, "no token can be read from that file", path};
    while (line.ends_with('\r') || line.ends_with(' '))
        line.pop_back();
    return line;
}

/// In one piece and past the streams, because it comes from the thread that asks the gate.
void warn(const std::string &text)
{
    const auto line = "handresetctl mcp-proxy: " + visible(text, 400) + '\n';
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0)
        return; // nobody is left to be told
}

std::string newTask()
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::random_device random;
    std::string name = "mcp-";
    for (int word = 0; word < 4; ++word) {
        auto bits = random();
        for (int digit = 0; digit < 8; ++digit, bits >>= 4U)
            name += kDigits[bits & 15U];
    }
    return name;
}

Result<GateOptions> gateOptions(const Arguments &arguments)
{
    auto agent = arguments.required("agent", "the agent in whose name the gate is asked");
    if (!agent)
        return agent.error();
    GateOptions options;
    options.agent = *agent;
    options.task = arguments.valueOr("task", "");
    if (options.task.empty())
        options.task = newTask();
    options.address = arguments.valueOr("gate", "");
    options.readTools = arguments.values("read");
    options.warn = warn;
    if (const auto file = arguments.value("token-file")) {
        auto token = tokenIn(*file);
        if (!token)
            return token.error();
        options.token = *token;
    }
    return options;
}

ExitCode runProxy(const Arguments &arguments, Context &context)
{
    const auto options = gateOptions(arguments);
    if (!options)
        return fail(context, arguments, options.error());
    const auto gate = makeGateClient(*options);
    if (!gate)
        return fail(context, arguments, gate.error());
    const SignalsAsBytes signals;
    // What the server writes has the rights that it would have without us.
    const auto ours = ::umask(static_cast<mode_t>(context.callersMask));
    auto server = McpServerProcess::start(arguments.positional(), signals.before());
    ::umask(ours);
    if (!server)
        return fail(context, arguments, server.error());
    McpProxy proxy({STDIN_FILENO, STDOUT_FILENO}, std::move(*server), **gate, signals.descriptor(), context.err);
    return static_cast<ExitCode>(proxy.run()); // the server's own code, whatever it means there
}

constexpr std::array kOptions{
    Option{"agent", "A", "in whose name the gate is asked"},
    Option{"task", "T", "the task's id, never used before; else a new one is made"},
    Option{"gate", "ADDRESS", "unix:/path or http://127.0.0.1:PORT; else $HANDRESET_GATE"},
    Option{"token-file", "FILE", "the agent's token, one line; else $HANDRESET_TOKEN_FILE or $HANDRESET_TOKEN"},
    Option{"read", "TOOL", "goes on for up to 30 s after its last allow while the gate is away; others are refused",
           true},
};

constexpr std::array kVerbs{
    Verb{
        {"mcp-proxy", "-- SERVER ARGS…", 1, std::numeric_limits<std::size_t>::max(), kOptions},
        "stands between an MCP client and SERVER, and asks the gate before each tool call",
        "nothing: standard output is the client's",
        &runProxy,
        "Name it in the client's configuration in the server's place. Everything passes as it is but tools/call: the "
        "gate is\nasked first, and a refusal is answered as a tool's error, with the reason and what would end it. One "
        "connection is one\ntask. The exit code is the server's; 128 + N where signal N ended it."},
};

} // namespace

std::span<const Verb> mcpVerbs() noexcept
{
    return kVerbs;
}

} // namespace handreset::ctl

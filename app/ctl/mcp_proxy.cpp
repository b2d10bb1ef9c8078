#include "app/ctl/mcp_proxy.h"

#include "app/ctl/table.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <utility>
#include <variant>

namespace handreset::ctl {

namespace mcp = feeds::mcp;

namespace {

constexpr std::size_t kChunk = std::size_t{64} * 1024;
constexpr std::size_t kMostOutbound = std::size_t{1} << 20U;     ///< then its source is not read
constexpr std::size_t kMostHeld = std::size_t{64} * 1024 * 1024; ///< bytes of lines that wait for the gate
constexpr std::size_t kMostWaiting = 256;                        ///< calls that do
constexpr std::chrono::milliseconds kLastWords{1000};            ///< of what an ended server's children still say
constexpr std::chrono::milliseconds kLastReports{1000};

template <class... Functions>
struct Cases : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Cases(Functions...) -> Cases<Functions...>; // clang 14 does not find it by itself

} // namespace

OwnDescriptor::~OwnDescriptor()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

McpProxy::McpProxy(McpClientStreams client, McpServerProcess server, GateClient &gate, int signals,
                   std::ostream &notices)
    : m_client(client),
      m_server(std::move(server)),
      m_signals(signals),
      m_notices(notices),
      m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      m_gate(gate, m_wake.get())
{}

int McpProxy::run()
{
    while (!isOver())
        turn();
    perform(m_relay.end(!m_clientIsDone && !m_clientWentFirst));
    m_gate.finish(kLastReports);
    return m_server.exitCode().value_or(1);
}

bool McpProxy::isOver()
{
    if (!m_server.exitCode())
        return false;
    const bool isQuiet = m_server.out() < 0 || Clock::now() - m_lastNews > kLastWords;
    return isQuiet && (m_toClient.isEmpty() || m_clientIsGone);
}

bool McpProxy::readsClient()
{
    return !m_clientIsDone && m_server.in() >= 0 && !m_server.exitCode() && m_toServer.size() < kMostOutbound
        && m_relay.waiting() < kMostWaiting && m_relay.heldBytes() < kMostHeld;
}

void McpProxy::turn()
{
    enum : std::size_t { ClientIn, ClientOut, ServerIn, ServerOut, Signals, Wake };
    const auto when = [](bool isWanted, int descriptor, short events) {
        return pollfd{isWanted ? descriptor : -1, events, 0};
    };
    std::array polled{when(readsClient(), m_client.in, POLLIN),
                      when(!m_toClient.isEmpty() && !m_clientIsGone, m_client.out, POLLOUT),
                      when(!m_toServer.isEmpty(), m_server.in(), POLLOUT),
                      when(m_toClient.size() < kMostOutbound, m_server.out(), POLLIN),
                      when(true, m_signals, POLLIN),
                      when(true, m_wake.get(), POLLIN)};
    const int longest = m_server.exitCode() ? 100 : -1; // an ended server's last words are waited for, but not for ever
    if (::poll(polled.data(), polled.size(), longest) < 0)
        return;
    if (polled[Signals].revents != 0)
        takeSignals();
    if (polled[Wake].revents != 0)
        takeDecisions();
    if (polled[ServerOut].revents != 0)
        readServer();
    if (polled[ClientOut].revents != 0)
        writeClient();
    if (polled[ClientIn].revents != 0)
        readClient();
    if (polled[ServerIn].revents != 0)
        writeServer();
    closeServerWhenSaid();
}

void McpProxy::readClient()
{
    std::array<char, kChunk> buffer;
    const auto got = readSome(m_client.in, buffer.data(), buffer.size());
    if (got > 0) {
        m_clientLines.feed({buffer.data(), static_cast<std::size_t>(got)});
    } else if (got == 0) {
        m_clientLines.finish();
        m_clientIsDone = true;
    }
}

void McpProxy::readServer()
{
    std::array<char, kChunk> buffer;
    const auto got = readSome(m_server.out(), buffer.data(), buffer.size());
    if (got > 0) {
        m_lastNews = Clock::now();
        m_serverLines.feed({buffer.data(), static_cast<std::size_t>(got)});
    } else if (got == 0) {
        m_serverLines.finish();
        m_server.closeOut();
    }
}

void McpProxy::writeServer()
{
    if (m_toServer.writeSome(m_server.in()))
        return;
    m_toServer.clear(); // it reads no more; it will end, or has
    m_server.closeIn();
}

void McpProxy::writeClient()
{
    if (!m_toClient.writeSome(m_client.out))
        clientIsGone();
}

/// The server learns of it as it would without us: nobody reads its output, and its input has ended.
void McpProxy::clientIsGone()
{
    m_clientIsGone = true;
    m_clientIsDone = true;
    m_toClient.clear();
    m_server.closeOut();
}

/// Its input ends when the client's has and all that was said before is there.
void McpProxy::closeServerWhenSaid()
{
    if (m_clientIsDone && m_relay.waiting() == 0 && m_toServer.isEmpty())
        m_server.closeIn();
}

void McpProxy::takeSignals()
{
    signalfd_siginfo info{};
    while (::read(m_signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        const int number = static_cast<int>(info.ssi_signo);
        if (number == SIGCHLD) {
            if (m_server.exitCode())
                m_lastNews = Clock::now();
            continue;
        }
        m_clientWentFirst = true;
        if (m_server.exitCode())
            clientIsGone();                  // asked to end while a client that does not read holds us up
        else if (info.ssi_code != SI_KERNEL) // a terminal's Ctrl-C has reached the server as well
            m_server.signal(number);
    }
}

void McpProxy::takeDecisions()
{
    std::uint64_t count = 0;
    static_cast<void>(::read(m_wake.get(), &count, sizeof count));
    for (const auto &[call, decision] : m_gate.decisions())
        perform(m_relay.decided(call, decision));
}

void McpProxy::perform(mcp::Actions actions)
{
    const Cases cases{
        [this](mcp::ToServer &action) {
            if (m_server.in() >= 0)
                m_toServer.add(action.bytes);
        },
        [this](mcp::ToClient &action) { toClient(action.bytes); },
        [this](mcp::Ask &action) { m_gate.ask(std::move(action)); },
        [this](mcp::Withdraw &action) {
            if (m_gate.withdraw(action.call))
                m_relay.forget(action.call);
        },
        [this](mcp::Report &action) { m_gate.report(std::move(action)); },
        [this](mcp::Notice &action) {
            m_notices << "handresetctl mcp-proxy: " << visible(action.text, 400) << '\n' << std::flush;
        },
    };
    for (auto &action : actions)
        std::visit(cases, action);
}

/// A line of our own, between the server's.
void McpProxy::toClient(std::string_view line)
{
    if (m_clientIsGone)
        return;
    if (m_isWithinLine)
        m_later += line;
    else
        m_toClient.add(line);
}

void McpProxy::FromClient::line(std::string_view line)
{
    m_proxy.perform(m_proxy.m_relay.fromClient(line));
}

void McpProxy::FromClient::tooLong(const feeds::McpIdFinder &ids)
{
    m_proxy.perform(m_proxy.m_relay.tooLongFromClient(ids.requests()));
}

void McpProxy::FromServer::line(std::string_view line)
{
    m_proxy.m_toClient.add(line); // before what it means for the gate: nothing waits for that
    m_proxy.perform(m_proxy.m_relay.fromServer(line));
}

void McpProxy::FromServer::piece(std::string_view bytes)
{
    m_proxy.m_isWithinLine = true;
    m_proxy.m_toClient.add(bytes);
}

void McpProxy::FromServer::tooLong(const feeds::McpIdFinder &ids)
{
    m_proxy.m_isWithinLine = false;
    m_proxy.m_toClient.add(std::exchange(m_proxy.m_later, {}));
    m_proxy.perform(m_proxy.m_relay.tooLongFromServer(ids.responses()));
}

} // namespace handreset::ctl

#include "tests/bench/load.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace handreset::bench {

namespace {

using Clock = std::chrono::steady_clock;

struct Connection {
    int socket = -1;
    std::string in;
    Clock::time_point askedAt;
    std::uint64_t number = 0;
};

int connectTo(const Server &server)
{
    const bool isLocal = !server.path.empty();
    const int made = ::socket(isLocal ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un local{};
    local.sun_family = AF_UNIX;
    std::strncpy(local.sun_path, server.path.c_str(), sizeof local.sun_path - 1);
    sockaddr_in remote{};
    remote.sin_family = AF_INET;
    remote.sin_port = htons(server.port);
    remote.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto *address
        = isLocal ? reinterpret_cast<const sockaddr *>(&local) : reinterpret_cast<const sockaddr *>(&remote);
    if (::connect(made, address, isLocal ? sizeof local : sizeof remote) != 0) {
        ::close(made);
        return -1;
    }
    const int on = 1;
    if (!isLocal)
        ::setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return made;
}

class Run {
public:
    Run(const Protocol &protocol, std::size_t connections) : m_protocol(protocol), m_connections(connections)
    {
        m_epoll = ::epoll_create1(EPOLL_CLOEXEC);
    }
    ~Run()
    {
        for (const Connection &one : m_connections)
            ::close(one.socket);
        ::close(m_epoll);
    }
    Run(const Run &) = delete;
    Run &operator=(const Run &) = delete;

    Load load(const Server &server, double seconds)
    {
        for (std::size_t i = 0; i < m_connections.size(); ++i) {
            m_connections[i].socket = connectTo(server);
            if (m_connections[i].socket < 0)
                return {.fault = std::string("cannot connect: ") + std::strerror(errno)};
            epoll_event event{};
            event.events = EPOLLIN;
            event.data.u64 = i;
            ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, m_connections[i].socket, &event);
        }
        const auto start = Clock::now();
        const auto warm
            = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds / 5));
        m_until = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
        m_countFrom = warm;
        for (std::size_t i = 0; i < m_connections.size(); ++i)
            ask(i);
        while (m_isOut > 0 && m_fault.empty())
            turn();
        return result(std::chrono::duration<double>(m_lastAt - warm).count());
    }

private:
    void ask(std::size_t i)
    {
        Connection &one = m_connections[i];
        const std::string bytes = m_protocol.ask(i, one.number++);
        one.askedAt = Clock::now();
        ++m_isOut;
        if (::send(one.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
            m_fault = "the question did not leave";
    }
    void turn()
    {
        epoll_event events[256];
        const int count = ::epoll_wait(m_epoll, events, 256, 5'000);
        if (count <= 0)
            m_fault = "no answer within five seconds";
        for (int i = 0; i < count; ++i)
            read(static_cast<std::size_t>(events[i].data.u64));
    }
    void read(std::size_t i)
    {
        Connection &one = m_connections[i];
        char piece[8192];
        const auto got = ::recv(one.socket, piece, sizeof piece, 0);
        if (got <= 0) {
            m_fault = "the server closed a connection";
            return;
        }
        one.in.append(piece, static_cast<std::size_t>(got));
        const auto length = m_protocol.lengthOf(one.in);
        if (length == 0)
            return;
        if (!m_protocol.isGood(std::string_view(one.in).substr(0, length)))
            m_fault = "a wrong answer: " + one.in.substr(0, 200);
        one.in.erase(0, length);
        --m_isOut;
        m_lastAt = Clock::now();
        if (m_lastAt >= m_countFrom)
            m_took.push_back(std::chrono::duration_cast<std::chrono::microseconds>(m_lastAt - one.askedAt));
        if (m_lastAt < m_until)
            ask(i);
    }
    Load result(double seconds)
    {
        Load load{.fault = m_fault};
        if (m_took.empty())
            return load;
        std::sort(m_took.begin(), m_took.end());
        load.perSecond = static_cast<double>(m_took.size()) / seconds;
        load.p50 = m_took[m_took.size() / 2];
        load.p99 = m_took[m_took.size() * 99 / 100];
        load.worst = m_took.back();
        return load;
    }

    const Protocol &m_protocol;
    std::vector<Connection> m_connections;
    int m_epoll = -1;
    std::size_t m_isOut = 0;
    Clock::time_point m_until;
    Clock::time_point m_countFrom;
    Clock::time_point m_lastAt;
    std::vector<std::chrono::microseconds> m_took;
    std::string m_fault;
};

} // namespace

bool isListening(const Server &server)
{
    const int socket = connectTo(server);
    if (socket < 0)
        return false;
    ::close(socket);
    return true;
}

Load loadOf(const Server &server, const Protocol &protocol, std::size_t connections, double seconds)
{
    return Run(protocol, connections).load(server, seconds);
}

} // namespace handreset::bench

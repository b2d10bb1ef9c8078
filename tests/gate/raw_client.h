// A client of bare bytes, for what no HTTP library would send. One thread at a time. Failure: told by the results; a
// test compares them.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace handreset::test {

class RawClient {
public:
    static RawClient toPort(std::uint16_t port)
    {
        RawClient client(AF_INET);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int on = 1;
        setsockopt(client.m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        client.connectTo(reinterpret_cast<const sockaddr *>(&address), sizeof(address));
        return client;
    }
    static RawClient toPath(const std::string &path)
    {
        RawClient client(AF_UNIX);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof(address.sun_path) - 1);
        client.connectTo(reinterpret_cast<const sockaddr *>(&address), sizeof(address));
        return client;
    }
    RawClient(RawClient &&other) noexcept : m_socket(std::exchange(other.m_socket, -1)), m_isOpen(other.m_isOpen) {}
    RawClient &operator=(RawClient &&other) noexcept
    {
        std::swap(m_socket, other.m_socket);
        std::swap(m_isOpen, other.m_isOpen);
        return *this;
    }
    RawClient(const RawClient &) = delete;
    RawClient &operator=(const RawClient &) = delete;
    ~RawClient() { close(); }

    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    [[nodiscard]] int descriptor() const { return m_socket; }
    /// False when the server takes nothing more; waits while it takes nothing just now.
    bool send(std::string_view bytes) const
    {
        while (!bytes.empty()) {
            const ssize_t count = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count < 0 && errno != EINTR)
                return false;
            bytes.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
        }
        return true;
    }
    bool sendByBytes(std::string_view bytes) const
    {
        for (std::size_t i = 0; i < bytes.size(); ++i)
            if (!send(bytes.substr(i, 1)))
                return false;
        return true;
    }
    void finish() const { ::shutdown(m_socket, SHUT_WR); }
    /// Gone without a word: the server meets a reset.
    void reset()
    {
        const linger now{1, 0};
        setsockopt(m_socket, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
        close();
    }
    void close()
    {
        if (m_socket >= 0)
            ::close(std::exchange(m_socket, -1));
        m_isOpen = false;
    }

    enum class End { Closed, Reset, TimedOut, Enough };
    /// Appends what comes, until `enough` bytes are there, the server closes, or the time is over.
    End read(std::string &into, std::chrono::milliseconds most, std::size_t enough = SIZE_MAX) const
    {
        const auto until = std::chrono::steady_clock::now() + most;
        char buffer[16 * 1024];
        while (into.size() < enough) {
            const auto left
                = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
            pollfd waits{m_socket, POLLIN, 0};
            if (left.count() <= 0 || ::poll(&waits, 1, static_cast<int>(left.count())) == 0)
                return End::TimedOut;
            const ssize_t count = ::recv(m_socket, buffer, sizeof(buffer), 0);
            if (count == 0)
                return End::Closed;
            if (count < 0)
                return End::Reset;
            into.append(buffer, static_cast<std::size_t>(count));
        }
        return End::Enough;
    }

private:
    explicit RawClient(int family) : m_socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
    void connectTo(const sockaddr *address, socklen_t length)
    {
        m_isOpen = m_socket >= 0 && ::connect(m_socket, address, length) == 0;
    }

    int m_socket = -1;
    bool m_isOpen = false;
};

struct ParsedAnswer {
    int status = 0;
    std::string head; ///< the status line and the headers
    std::string body;
};

/// Cuts what a server sent into answers. What is no whole answer becomes one of status -1. `isHead`: none has a body.
inline std::vector<ParsedAnswer> parseAnswers(std::string_view bytes, bool isHead = false)
{
    std::vector<ParsedAnswer> answers;
    while (!bytes.empty()) {
        const std::size_t end = bytes.find("\r\n\r\n");
        if (!bytes.starts_with("HTTP/1.1 ") || bytes.size() < 12 || end == std::string_view::npos) {
            answers.push_back({-1, std::string(bytes), {}});
            return answers;
        }
        ParsedAnswer answer;
        answer.head = bytes.substr(0, end + 2);
        answer.status = std::stoi(std::string(bytes.substr(9, 3)));
        bytes.remove_prefix(end + 4);
        const std::size_t length = answer.head.find("\r\nContent-Length: ");
        if (length != std::string::npos && !isHead) {
            const std::size_t count = std::stoul(answer.head.substr(length + 18));
            if (count > bytes.size())
                answer.status = -1;
            answer.body = bytes.substr(0, count);
            bytes.remove_prefix(std::min(count, bytes.size()));
        }
        answers.push_back(std::move(answer));
    }
    return answers;
}

/// The next answer, and no byte more where the client asks one thing at a time; status -1 when none came whole in time.
inline ParsedAnswer readAnswer(const RawClient &client, std::chrono::milliseconds most)
{
    std::string got;
    while (client.read(got, most, got.size() + 1) == RawClient::End::Enough)
        if (const auto answers = parseAnswers(got); answers[0].status > 0)
            return answers[0];
    return {-1, got, {}};
}

/// "100 200"
inline std::string statusesOf(const std::vector<ParsedAnswer> &answers)
{
    std::string text;
    for (const ParsedAnswer &answer : answers)
        text += (text.empty() ? "" : " ") + std::to_string(answer.status);
    return text;
}

} // namespace handreset::test

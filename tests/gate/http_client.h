// A plain HTTP client for tests: one connection that is kept, one request at a time, answers with a Content-Length. It
// trusts the server and ends the test where that was wrong. One thread.
#pragma once

#include <QtGlobal>

#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace handreset::test {

struct HttpAnswer {
    int status = 0;   ///< 0: the connection was closed without an answer
    std::string head; ///< all of it
    std::string body;

    [[nodiscard]] bool says(std::string_view text) const { return body.find(text) != std::string::npos; }
};

class HttpClient {
public:
    explicit HttpClient(std::string socketPath) : m_path(std::move(socketPath)) {}
    explicit HttpClient(std::uint16_t port) : m_port(port) {}
    ~HttpClient() { leave(); }
    HttpClient(const HttpClient &) = delete;
    HttpClient &operator=(const HttpClient &) = delete;

    std::string token;
    bool mayBeGone = false; ///< a door that is not there is an answer of status 0, and no fault of the test

    HttpAnswer get(const std::string &target) { return request("GET", target, {}); }
    HttpAnswer post(const std::string &target, const std::string &body) { return request("POST", target, body); }

    HttpAnswer request(const std::string &method, const std::string &target, const std::string &body,
                       const std::string &type = "application/json")
    {
        send(method, target, body, type);
        return receive(method != "HEAD");
    }
    void send(const std::string &method, const std::string &target, const std::string &body,
              const std::string &type = "application/json")
    {
        std::string text = method + ' ' + target + " HTTP/1.1\r\nHost: localhost\r\n";
        if (!token.empty())
            text += "Authorization: Bearer " + token + "\r\n";
        const bool hasBody = method == "POST" || method == "PUT" || method == "PATCH";
        if (hasBody)
            text += "Content-Type: " + type + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
        sendRaw(text + "\r\n" + (hasBody ? body : std::string()));
    }
    void sendRaw(std::string_view bytes)
    {
        if (m_socket < 0 && !connect())
            return;
        while (!bytes.empty()) {
            const auto sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0)
                return; // the answer tells
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }
    HttpAnswer receive(bool hasBody = true)
    {
        HttpAnswer answer;
        std::size_t end = 0;
        while ((end = m_buffer.find("\r\n\r\n")) == std::string::npos) {
            if (!read())
                return answer;
        }
        answer.head = m_buffer.substr(0, end + 2);
        m_buffer.erase(0, end + 4);
        answer.status = std::stoi(answer.head.substr(9, 3));
        const auto field = answer.head.find("Content-Length: ");
        const auto length = hasBody && field != std::string::npos ? std::stoul(answer.head.substr(field + 16)) : 0;
        while (m_buffer.size() < length) {
            if (!read())
                return answer;
        }
        answer.body = m_buffer.substr(0, length);
        m_buffer.erase(0, length);
        if (answer.head.find("Connection: close") != std::string::npos)
            leave();
        return answer;
    }
    void leave()
    {
        if (m_socket >= 0)
            ::close(m_socket);
        m_socket = -1;
        m_buffer.clear();
    }

private:
    [[nodiscard]] bool connect()
    {
        sockaddr_un local{};
        sockaddr_in remote{};
        local.sun_family = AF_UNIX;
        remote.sin_family = AF_INET;
        remote.sin_port = htons(m_port);
        remote.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        std::strncpy(local.sun_path, m_path.c_str(), sizeof local.sun_path - 1);
        const bool isLocal = !m_path.empty();
        m_socket = ::socket(isLocal ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const auto *address
            = isLocal ? reinterpret_cast<const sockaddr *>(&local) : reinterpret_cast<const sockaddr *>(&remote);
        if (::connect(m_socket, address, isLocal ? sizeof local : sizeof remote) != 0) {
            leave();
            if (!mayBeGone)
                qFatal("the agents' door cannot be reached: %s", std::strerror(errno));
            return false;
        }
        const int on = 1;
        if (!isLocal)
            ::setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        return true;
    }
    bool read()
    {
        char piece[16 * 1024];
        const auto got = m_socket >= 0 ? ::recv(m_socket, piece, sizeof piece, 0) : -1;
        if (got <= 0) {
            leave();
            return false;
        }
        m_buffer.append(piece, static_cast<std::size_t>(got));
        return true;
    }

    std::string m_path;
    std::uint16_t m_port = 0;
    int m_socket = -1;
    std::string m_buffer;
};

} // namespace handreset::test

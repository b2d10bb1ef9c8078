// The HTTP server of the agents' door (spec 5): sockets, limits and the framing of HTTP/1.1, and nothing of what the
// requests mean. It stands in front of clients that may be broken or hostile: each is bounded in bytes, in time and in
// number, and none can make another wait longer than its own handler does.
// Threads: one of its own for all sockets; the handler is called on it and must not block. Made, asked and destroyed on
// any other. Ownership: the handler lives until the server is destroyed; a Responder may outlive both.
// Failure: `start` says why not. Later each connection is on its own; where descriptors run out, accepting pauses.
#pragma once

#include "model/gate/http_limits.h"
#include "model/gate/http_message.h"
#include "model/rules/result.h"

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace handreset::gate {

class AnswerBox;

/// Answers one request: once, from any thread, also before the handler has returned. Movable, two words and a count. It
/// is harmless after the client or the server has gone. One that is destroyed without a word answers 500.
class Responder {
public:
    Responder() = default;
    Responder(std::shared_ptr<AnswerBox> box, std::uint64_t ticket, std::uint32_t slot) noexcept;
    Responder(Responder &&other) noexcept = default;
    Responder &operator=(Responder &&other) noexcept;
    Responder(const Responder &) = delete;
    Responder &operator=(const Responder &) = delete;
    ~Responder();

    /// The first answer counts; later ones go nowhere.
    void operator()(Answer answer);
    /// Whether it still has an answer to give.
    explicit operator bool() const noexcept { return m_box != nullptr; }

private:
    void giveUp() noexcept;

    std::shared_ptr<AnswerBox> m_box;
    std::uint64_t m_ticket = 0;
    std::uint32_t m_slot = 0;
};

/// Called on the I/O thread with each request, in the order of its connection; the next one of a connection comes after
/// the answer. Must return soon. What it throws is a 500.
using Handler = std::function<void(Request, Responder)>;

struct ListenAddress {
    std::string address = "127.0.0.1"; ///< of the loopback interface; others are refused
    std::uint16_t port = 0;            ///< 0: any free one
};

struct ServerOptions {
    std::string socketPath;              ///< of the Unix socket, in a folder that exists; empty: none
    mode_t socketMode = 0660;            ///< agents that may connect are in the file's group
    std::optional<ListenAddress> listen; ///< TCP too
    Limits limits;
};

/// Numbers since the start, but for `open`.
struct Stats {
    std::uint64_t open = 0; ///< connections, now
    std::uint64_t accepted = 0;
    std::uint64_t requests = 0;    ///< that the handler was called with
    std::uint64_t badRequests = 0; ///< answered 4xx or 5xx without it
    std::uint64_t refused = 0;     ///< connections closed at once: too many, and none could give way
    std::uint64_t gaveWay = 0;     ///< idle connections closed for new ones
    std::uint64_t idleTimeouts = 0;
    std::uint64_t headTimeouts = 0;
    std::uint64_t bodyTimeouts = 0;
    std::uint64_t answerTimeouts = 0; ///< the handler took too long
    std::uint64_t writeTimeouts = 0;  ///< the client did not read
    std::uint64_t brokenOff = 0;      ///< the client left amid a request or its answer
    std::uint64_t acceptFailures = 0; ///< descriptors or memory ran out
    std::uint64_t faults = 0;         ///< exceptions in the handler
};

class HttpServer {
public:
    /// Serves from when it returns. BadInput where neither a path nor an address is given, or an address of a network;
    /// Unavailable where one of them cannot be listened at.
    /// `afterReady`, where given, is called on the I/O thread once after each lot of requests that were ready together:
    /// what the handler gathered can be handed on as one. It must return soon and not throw.
    [[nodiscard]] static rules::Result<std::unique_ptr<HttpServer>> start(ServerOptions options, Handler handler,
                                                                          std::function<void()> afterReady = {});
    /// As close().
    ~HttpServer();
    HttpServer(const HttpServer &) = delete;
    HttpServer &operator=(const HttpServer &) = delete;

    /// The TCP port; 0: not served over TCP.
    [[nodiscard]] std::uint16_t port() const noexcept;
    /// How many connections it takes at once: the limit, or what the descriptors allow.
    [[nodiscard]] std::size_t mostConnections() const noexcept;
    [[nodiscard]] Stats stats() const noexcept;
    /// Takes nothing more, lets answers that are on their way leave for `Limits::closing`, then returns. Not on the I/O
    /// thread. A second call does nothing.
    void close();

private:
    struct Inside;
    explicit HttpServer(std::unique_ptr<Inside> inside);

    std::unique_ptr<Inside> m_inside;
};

} // namespace handreset::gate

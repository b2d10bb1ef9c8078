// The agents' door (spec 5): asks and reports of agents over HTTP, each under its token, decided by the host. Nothing
// here can acknowledge, re-arm, release or change policy: there is no such route. Threads: made and destroyed on any
// but the host's; requests come on the server's, answers from the host's. Ownership: the host outlives it. Failure:
// `start` says why a door cannot be opened; later each request is answered or its connection closed.
#pragma once

#include "model/engine/embedded_host.h"
#include "model/gate/http_server.h"
#include "model/rules/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace handreset::gate {

struct AgentsDoorOptions {
    ServerOptions server;
    double requestsPerSecond = 1'000;         ///< of one agent in the long run; 0: no limit
    double burst = 2'000;                     ///< of one agent at once
    std::function<std::uint64_t()> logBytes;  ///< for the metrics: the store's size; may be empty
    std::function<std::size_t()> linkClients; ///< likewise: operators that are connected; may be empty
};

class AgentsDoor {
public:
    [[nodiscard]] static rules::Result<std::unique_ptr<AgentsDoor>> start(engine::EmbeddedHost &host,
                                                                          AgentsDoorOptions options);
    /// Closes the door; answers that are on their way still leave.
    ~AgentsDoor();
    AgentsDoor(const AgentsDoor &) = delete;
    AgentsDoor &operator=(const AgentsDoor &) = delete;

    /// The TCP port; 0 where none is listened at.
    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] Stats stats() const;
    /// Writes what was turned away since the last time to the log: call it once a second.
    void look();

private:
    class Desk;
    explicit AgentsDoor(std::shared_ptr<Desk> desk);

    std::shared_ptr<Desk> m_desk;
    std::unique_ptr<HttpServer> m_server;
};

} // namespace handreset::gate

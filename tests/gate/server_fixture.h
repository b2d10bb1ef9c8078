// A running server of the agents' door at both of its doors, with a handler that writes down what it was asked.
#pragma once

#include "model/gate/http_server.h"
#include "tests/gate/raw_client.h"

#include <QTemporaryDir>

#include <mutex>
#include <string>
#include <vector>

namespace handreset::test {

class ServerFixture {
public:
    explicit ServerFixture(const gate::Limits &limits = {}, gate::Handler handler = {})
    {
        gate::ServerOptions options;
        options.socketPath = path();
        options.listen.emplace();
        options.limits = limits;
        auto started = gate::HttpServer::start(
            options, [this, handler = std::move(handler)](gate::Request request, gate::Responder respond) {
                {
                    const std::scoped_lock lock(m_mutex);
                    m_targets.push_back(request.target);
                }
                if (handler)
                    handler(std::move(request), std::move(respond));
                else
                    respond(
                        {.body = request.method + " " + request.target + " " + std::to_string(request.body.size())});
            });
        if (started)
            m_server = std::move(started).value();
    }

    [[nodiscard]] gate::HttpServer *operator->() const { return m_server.get(); }
    [[nodiscard]] bool isUp() const { return m_server != nullptr; }
    [[nodiscard]] std::string path() const { return m_folder.filePath(QStringLiteral("agents.sock")).toStdString(); }
    [[nodiscard]] RawClient client(gate::Door door = gate::Door::Tcp) const
    {
        return door == gate::Door::Tcp ? RawClient::toPort(m_server->port()) : RawClient::toPath(path());
    }
    /// What the handler was asked since the last call.
    [[nodiscard]] std::vector<std::string> takeTargets()
    {
        const std::scoped_lock lock(m_mutex);
        return std::exchange(m_targets, {});
    }
    void stop() { m_server.reset(); }

private:
    QTemporaryDir m_folder;
    std::mutex m_mutex;
    std::vector<std::string> m_targets;
    std::unique_ptr<gate::HttpServer> m_server;
};

} // namespace handreset::test

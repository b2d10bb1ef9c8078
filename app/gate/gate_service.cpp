#include "app/gate/gate_service.h"

#include "model/trust/root_pin.h"

#include <QFileInfo>

#include <utility>

namespace handreset::gate {

GateService::GateService(engine::EmbeddedHost &host, QString storePath, const GateSettings &settings, GateLog &log)
    : m_host(host), m_storePath(std::move(storePath)), m_settings(settings), m_log(log)
{}

rules::Result<void> GateService::open()
{
    link::LinkServerOptions options;
    options.storePath = m_storePath;
    if (m_settings.link)
        options.listen = QString::fromStdString(textOf(*m_settings.link));
    options.certificateFolder = trust::stateFolder() + QStringLiteral("/link");
    auto server = link::LinkServer::start(m_host, std::move(options));
    if (!server)
        return server.error();
    m_link = std::move(server).value();
    m_log.info("operators_link", {{"socket", m_link->socketPath().toStdString()}});
    look();
    return m_settings.listen || m_settings.socket ? openAgentsDoor() : rules::Result<void>();
}

rules::Result<void> GateService::openAgentsDoor()
{
    AgentsDoorOptions options;
    options.server.socketPath = m_settings.socket.value_or(std::string());
    if (m_settings.listen)
        options.server.listen = ListenAddress{m_settings.listen->address, m_settings.listen->port};
    options.logBytes = [path = m_storePath] {
        return static_cast<std::uint64_t>(QFileInfo(path).size() + QFileInfo(path + QStringLiteral("-wal")).size());
    };
    options.linkClients = [this] { return m_link ? m_link->guests() : std::size_t{0}; };
    if (m_settings.agentRate) {
        options.requestsPerSecond = *m_settings.agentRate;
        options.burst = 2.0 * *m_settings.agentRate;
    }
    auto opened = AgentsDoor::start(m_host, std::move(options));
    if (!opened)
        return opened.error();
    m_agents = std::move(opened).value();
    const auto address = m_settings.listen
        ? textOf(Endpoint{m_settings.listen->address, m_agents->port(), m_settings.listen->isLoopback})
        : std::string();
    m_log.info("agents_door", {{"socket", m_settings.socket.value_or(std::string())}, {"address", address}});
    return {};
}

void GateService::look()
{
    if (m_agents)
        m_agents->look();
    lookAtOperators();
}


void GateService::lookAtOperators()
{
    if (!m_link)
        return;
    const auto status = m_link->status();
    if (const auto more = status.refused - std::exchange(m_refused, status.refused); more > 0)
        m_log.warning("operators_refused", {{"count", static_cast<std::int64_t>(more)}, {"last", status.lastRefused}});
    if (!m_settings.link)
        return;
    auto network = status.network.toStdString();
    if (m_network == network)
        return;
    m_network = std::move(network);
    if (!m_network->empty()) {
        m_log.info("operators_network", {{"address", *m_network}, {"fingerprint", status.fingerprint.toStdString()}});
        return;
    }
    const auto why = status.networkTrouble.empty()
        ? std::string("the store has no operators: nobody is served over the network until the first one is enrolled")
        : status.networkTrouble;
    m_log.warning("operators_network", {{"address", textOf(*m_settings.link)}, {"message", why}});
}

} // namespace handreset::gate

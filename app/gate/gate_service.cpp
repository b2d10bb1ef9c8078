#include "app/gate/gate_service.h"

#include "model/trust/root_pin.h"

#include <utility>

namespace handreset::gate {

GateService::GateService(engine::Host &host, QString storePath, const GateSettings &settings, GateLog &log)
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
    // The agents' door (model/gate) is to be opened here, on m_settings.socket and m_settings.listen.
    if (m_settings.listen || m_settings.socket)
        m_log.warning("no_such_door",
                      {{"setting", m_settings.listen ? "listen" : "socket"},
                       {"message", "this version has no door for agents: nobody can ask it for a decision"}});
    return {};
}

void GateService::look()
{
    if (!m_link || !m_settings.link)
        return;
    const auto status = m_link->status();
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

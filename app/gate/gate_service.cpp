#include "app/gate/gate_service.h"

#include <utility>

namespace handreset::gate {

GateService::GateService(engine::Host &host, QString storePath, const GateSettings &settings, GateLog &log)
    : m_host(host), m_storePath(std::move(storePath)), m_settings(settings), m_log(log)
{}

rules::Result<void> GateService::open()
{
    // The operators' link (model/link) is opened here: on the store's own socket, and over TLS where m_settings.link
    // asks for it. The agents' door (model/gate) follows, on m_settings.socket and m_settings.listen.
    static_cast<void>(m_host);
    if (m_settings.link)
        m_log.warning("no_such_door", {{"setting", "link"}, {"message", "this version serves no operators over TLS"}});
    if (m_settings.listen || m_settings.socket)
        m_log.warning("no_such_door",
                      {{"setting", m_settings.listen ? "listen" : "socket"},
                       {"message", "this version has no door for agents: nobody can ask it for a decision"}});
    return {};
}

} // namespace handreset::gate

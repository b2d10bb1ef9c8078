// The doors of a hosted store: what others reach it by. The one place where a door is added. Thread: the one that made
// it; each door has a thread of its own. Ownership: gone before the host is.
#pragma once

#include "app/gate/gate_log.h"
#include "app/gate/gate_options.h"
#include "model/engine/embedded_host.h"
#include "model/gate/agents_door.h"
#include "model/link/link_server.h"
#include "model/rules/result.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace handreset::gate {

class GateService {
public:
    GateService(engine::EmbeddedHost &host, QString storePath, const GateSettings &settings, GateLog &log);

    /// Opens the doors. An Error: one of those that were asked for cannot be opened, and none is.
    [[nodiscard]] rules::Result<void> open();
    /// Tells the log where operators of other machines come in, when that changes: the address and the fingerprint that
    /// their desks pin, or why they cannot.
    void look();

private:
    [[nodiscard]] rules::Result<void> openAgentsDoor();
    void lookAtOperators();

    engine::EmbeddedHost &m_host;
    QString m_storePath;
    const GateSettings &m_settings;
    GateLog &m_log;
    std::unique_ptr<link::LinkServer> m_link;
    std::unique_ptr<AgentsDoor> m_agents; ///< none: nobody asked for it. After m_link, of which it tells
    std::optional<std::string> m_network; ///< that was told last; empty: none
    std::uint64_t m_refused = 0;          ///< at the operators' doors, that was told last
};

} // namespace handreset::gate

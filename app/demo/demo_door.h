// The door by which the demo's agents ask when they are processes of their own: an agents' door at a Unix socket in a
// passing folder, and a token for each agent, made in the demo's operator's name and revoked at the end.
// Threads: one, and not the host's. Ownership: the host outlives it. Failure: `open` says why there is none.
#pragma once

#include "model/engine/embedded_host.h"
#include "model/gate/agents_door.h"
#include "model/rules/ids.h"
#include "model/rules/result.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::demo {

class DemoDoor {
public:
    /// `folder` is only its owner's. Refused where the host is not in this program: a door asks its host directly.
    [[nodiscard]] static rules::Result<std::unique_ptr<DemoDoor>> open(engine::Host &host, const std::string &folder,
                                                                       const std::string &operatorName,
                                                                       std::span<const std::string_view> agents);
    /// Closes the door and takes the tokens back. Agents that still ask are refused.
    ~DemoDoor();
    DemoDoor(const DemoDoor &) = delete;
    DemoDoor &operator=(const DemoDoor &) = delete;

    /// What the agent's environment holds: where the door is, and its token.
    [[nodiscard]] std::vector<std::string> environmentOf(const std::string &agent) const;
    /// Once a second, as AgentsDoor.
    void look() { m_door->look(); }

private:
    DemoDoor(engine::EmbeddedHost &host, std::string operatorName);
    [[nodiscard]] rules::Result<void> addToken(const std::string &agent);

    engine::EmbeddedHost &m_host;
    std::string m_operator;
    std::string m_socket;
    std::map<std::string, std::string> m_secrets; ///< by agent
    std::vector<rules::Seq> m_tokens;
    std::unique_ptr<gate::AgentsDoor> m_door;
};

} // namespace handreset::demo

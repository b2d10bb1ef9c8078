#include "app/demo/demo_door.h"

#include "model/rules/act.h"
#include "model/rules/sha256.h"
#include "model/trust/token_secret.h"

#include <utility>
#include <variant>

namespace handreset::demo {

rules::Result<std::unique_ptr<DemoDoor>> DemoDoor::open(engine::Host &host, const std::string &folder,
                                                        const std::string &operatorName,
                                                        std::span<const std::string_view> agents)
{
    auto *embedded = dynamic_cast<engine::EmbeddedHost *>(&host);
    if (embedded == nullptr)
        return rules::Error{rules::ErrorCode::Refused, "the host is not in this program", {}};
    std::unique_ptr<DemoDoor> made(new DemoDoor(*embedded, operatorName));
    for (const auto agent : agents) {
        if (const auto added = made->addToken(std::string(agent)); !added)
            return added.error();
    }
    made->m_socket = folder + "/agents.sock";
    gate::AgentsDoorOptions options;
    options.server.socketPath = made->m_socket;
    options.server.socketMode = 0600;
    options.requestsPerSecond = 0; // a demo that is hurried asks a lot, and means no harm
    auto door = gate::AgentsDoor::start(*embedded, std::move(options));
    if (!door)
        return door.error();
    made->m_door = std::move(door).value();
    return made;
}

DemoDoor::DemoDoor(engine::EmbeddedHost &host, std::string operatorName)
    : m_host(host), m_operator(std::move(operatorName))
{}

DemoDoor::~DemoDoor()
{
    m_door.reset();
    for (const auto token : m_tokens)
        static_cast<void>(submitAndWait(m_host, rules::RevokeToken{token, m_operator, "the demo is over"}));
}

rules::Result<void> DemoDoor::addToken(const std::string &agent)
{
    auto secret = trust::newTokenSecret();
    const auto reply
        = submitAndWait(m_host, rules::AddToken{agent, {}, rules::sha256(secret), m_operator, "an agent of the demo"});
    if (const auto *error = std::get_if<rules::Error>(&reply.outcome))
        return *error;
    const auto *done = std::get_if<rules::ActDone>(&reply.outcome);
    if (done == nullptr || done->request.isSet())
        return rules::Error{rules::ErrorCode::Refused, "a token for " + agent + " was not made at once", {}};
    m_tokens.push_back(done->seq);
    m_secrets[agent] = std::move(secret);
    return {};
}

std::vector<std::string> DemoDoor::environmentOf(const std::string &agent) const
{
    return {"HANDRESET_GATE=unix:" + m_socket, "HANDRESET_AGENT=" + agent, "HANDRESET_TOKEN=" + m_secrets.at(agent)};
}

} // namespace handreset::demo

#include "model/gate/refused_ids.h"

#include <utility>

namespace handreset::gate {

void RefusedIds::add(const std::string &agent, const std::string &id, std::string answer)
{
    const std::lock_guard lock(m_mutex);
    if (m_agents.size() >= kAgents && !m_agents.contains(agent))
        m_agents.erase(m_agents.begin());
    OfAgent &own = m_agents[agent];
    if (!own.answers.emplace(id, std::move(answer)).second)
        return;
    own.order.push_back(id);
    if (own.order.size() > kOfOneAgent) {
        own.answers.erase(own.order.front());
        own.order.pop_front();
    }
}

std::optional<std::string> RefusedIds::answerOf(const std::string &agent, const std::string &id) const
{
    const std::lock_guard lock(m_mutex);
    const auto own = m_agents.find(agent);
    if (own == m_agents.end())
        return std::nullopt;
    const auto found = own->second.answers.find(id);
    return found != own->second.answers.end() ? std::optional(found->second) : std::nullopt;
}

} // namespace handreset::gate

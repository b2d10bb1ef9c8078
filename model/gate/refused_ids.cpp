#include "model/gate/refused_ids.h"

#include <utility>

namespace handreset::gate {

void RefusedIds::add(const Ask &ask, std::string answer)
{
    const std::lock_guard lock(m_mutex);
    if (m_agents.size() >= kAgents && !m_agents.contains(ask.agent))
        m_agents.erase(m_agents.begin());
    OfAgent &own = m_agents[ask.agent];
    if (!own.byId.emplace(ask.client.id, Entry{ask, std::move(answer)}).second)
        return;
    own.order.push_back(ask.client.id);
    if (own.order.size() > kOfOneAgent) {
        own.byId.erase(own.order.front());
        own.order.pop_front();
    }
}

std::optional<RefusedIds::Known> RefusedIds::find(const Ask &ask) const
{
    const std::lock_guard lock(m_mutex);
    const auto own = m_agents.find(ask.agent);
    if (own == m_agents.end())
        return std::nullopt;
    const auto found = own->second.byId.find(ask.client.id);
    if (found == own->second.byId.end())
        return std::nullopt;
    const Ask &kept = found->second.ask;
    return Known{kept.task == ask.task && kept.isCall == ask.isCall && kept.client == ask.client, found->second.answer};
}

void RefusedIds::ended(const std::string &agent, const std::string &task)
{
    const std::lock_guard lock(m_mutex);
    const auto own = m_agents.find(agent);
    if (own == m_agents.end())
        return;
    const auto isOfTask = [&task](const auto &entry) { return entry.second.ask.task == task; };
    std::erase_if(own->second.byId, isOfTask);
    std::erase_if(own->second.order, [&](const std::string &id) { return !own->second.byId.contains(id); });
}

} // namespace handreset::gate

#include "model/gate/name_budget.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace handreset::gate {

bool NameBudget::take(const std::string &agent, std::initializer_list<std::string_view> names, Time now)
{
    if (m_perSecond <= 0)
        return true;
    const std::lock_guard lock(m_mutex);
    if (m_agents.size() >= kAgents)
        m_agents.clear();
    auto [place, isNew] = m_agents.try_emplace(agent);
    OfAgent &own = place->second;
    if (isNew) {
        own.left = m_burst;
        own.at = now;
    }
    const std::chrono::duration<double> passed = now - own.at;
    own.left = std::min(m_burst, own.left + std::max(0.0, passed.count()) * m_perSecond);
    own.at = std::max(own.at, now);
    if (own.seen.size() > kSeenOfAgent)
        own.seen.clear();
    std::vector<std::uint64_t> fresh;
    std::uint64_t kind = 0; // a task and a tool of one name are two
    for (const std::string_view name : names) {
        const std::uint64_t hash = std::hash<std::string_view>{}(name)*31 + kind++;
        if (!name.empty() && !own.seen.contains(hash))
            fresh.push_back(hash);
    }
    if (own.left < static_cast<double>(fresh.size()))
        return false;
    own.left -= static_cast<double>(fresh.size());
    own.seen.insert(fresh.begin(), fresh.end());
    return true;
}

} // namespace handreset::gate

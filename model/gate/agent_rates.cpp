#include "model/gate/agent_rates.h"

#include <algorithm>
#include <cmath>

namespace handreset::gate {

std::optional<int> AgentRates::wait(const std::string &agent, Time now, double cost)
{
    if (m_perSecond <= 0)
        return std::nullopt;
    const std::lock_guard lock(m_mutex);
    if (m_buckets.size() >= kAgents)
        m_buckets.clear();
    const auto [place, isNew] = m_buckets.try_emplace(agent, Bucket{m_burst, now});
    Bucket &bucket = place->second;
    const std::chrono::duration<double> passed = now - bucket.at;
    bucket.left = std::min(m_burst, bucket.left + std::max(0.0, passed.count()) * m_perSecond);
    bucket.at = std::max(bucket.at, now);
    cost = std::min(cost, m_burst); // what can never be paid would never be let in
    if (bucket.left < cost)
        return std::max(1, static_cast<int>(std::ceil((cost - bucket.left) / m_perSecond)));
    bucket.left -= cost;
    return std::nullopt;
}

} // namespace handreset::gate

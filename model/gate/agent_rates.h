// How fast each agent may ask: a bucket of tokens an agent, so that one that floods waits and the others do not (spec
// 5, 429). Pure but for its lock; time is passed in. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace handreset::gate {

class AgentRates {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// `perSecond` requests in the long run, `burst` at once; 0: no limit.
    AgentRates(double perSecond, double burst) : m_perSecond(perSecond), m_burst(burst) {}

    /// Nothing where the request may go on; else the whole seconds to wait, at least 1. `cost`: of how many it is one.
    [[nodiscard]] std::optional<int> wait(const std::string &agent, Time now, double cost = 1);

private:
    static constexpr std::size_t kAgents = 100'000; ///< of more, all begin anew
    struct Bucket {
        double left = 0;
        Time at;
    };
    const double m_perSecond;
    const double m_burst;
    std::mutex m_mutex;
    std::unordered_map<std::string, Bucket> m_buckets;
};

} // namespace handreset::gate

// How many new names an agent may bring: every task, tool, model or session that is asked about gets its place in the
// fleet for good, so one that makes up names without end would fill the memory of all (threats: budgets per agent).
// Names that were seen lately are free. Pure but for its lock; time is passed in. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace handreset::gate {

class NameBudget {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// `perSecond` new names in the long run, `burst` at once; 0: no limit.
    NameBudget(double perSecond, double burst) : m_perSecond(perSecond), m_burst(burst) {}

    /// Takes what is new among the names (empty ones count for nothing); false where it is too much, and then nothing
    /// was taken.
    [[nodiscard]] bool take(const std::string &agent, std::initializer_list<std::string_view> names, Time now);

private:
    static constexpr std::size_t kSeenOfAgent = 20'000; ///< of more, all count as new again
    static constexpr std::size_t kAgents = 10'000;      ///< of more, all begin anew
    struct OfAgent {
        std::unordered_set<std::uint64_t> seen;
        double left = 0;
        Time at;
    };
    const double m_perSecond;
    const double m_burst;
    std::mutex m_mutex;
    std::unordered_map<std::string, OfAgent> m_agents;
};

} // namespace handreset::gate

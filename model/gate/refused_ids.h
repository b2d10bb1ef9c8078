// The clients' ids of asks that the switch refused. Such refusals are counted, not logged one by one (spec 4), so the
// log does not know them; yet a repeat may never turn a deny into an allow (spec 5). They are kept here while the gate
// runs, the newest of each agent. Any thread.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace handreset::gate {

class RefusedIds {
public:
    static constexpr std::size_t kOfOneAgent = 1'000;
    static constexpr std::size_t kAgents = 10'000; ///< of more, one is forgotten whole

    /// Keeps the answer that was given.
    void add(const std::string &agent, const std::string &id, std::string answer);
    /// What it was answered; nothing where it is not known.
    [[nodiscard]] std::optional<std::string> answerOf(const std::string &agent, const std::string &id) const;

private:
    struct OfAgent {
        std::unordered_map<std::string, std::string> answers;
        std::deque<std::string> order;
    };
    mutable std::mutex m_mutex;
    std::unordered_map<std::string, OfAgent> m_agents;
};

} // namespace handreset::gate

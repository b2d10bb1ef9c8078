// The clients' ids of asks that the switch refused. Such refusals are counted, not logged one by one (spec 4), so the
// log does not know them; yet a repeat may never turn a deny into an allow (spec 5). They are kept here while the gate
// runs, the newest of each agent, until their task ends. Any thread.
#pragma once

#include "model/rules/client_id.h"

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

    struct Ask {
        std::string agent;
        std::string task;
        rules::ClientStamp client;
        bool isCall = false;
    };
    struct Known {
        bool isSame = false; ///< false: the id was given to another ask
        std::string answer;  ///< what it was answered
    };

    /// Keeps the answer that was given.
    void add(const Ask &ask, std::string answer);
    /// Nothing where the id is not known.
    [[nodiscard]] std::optional<Known> find(const Ask &ask) const;
    /// The task's ids are free again.
    void ended(const std::string &agent, const std::string &task);

private:
    struct Entry {
        Ask ask;
        std::string answer;
    };
    struct OfAgent {
        std::unordered_map<std::string, Entry> byId;
        std::deque<std::string> order;
    };
    mutable std::mutex m_mutex;
    std::unordered_map<std::string, OfAgent> m_agents;
};

} // namespace handreset::gate

// Counts the refusals by rung, so that an agent that keeps hammering costs one event a second and not one an ask
// (spec 4: "Only refusals by rung are coalesced: one event per subject, reason and second, with the count").
// Pure; belongs to the host's thread.
#pragma once

#include "model/rules/command.h"

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace handreset::engine {

class RefusalCoalescer {
public:
    /// Counts one refusal in the second of `at`.
    void add(const rules::UncountedRefusal &refusal, rules::Instant at);

    /// True when something is due at `now`. Cheap.
    [[nodiscard]] bool isDue(rules::Instant now) const;
    /// What is to be written: the counts of the seconds that are over at `now`, oldest first. They stay counted here
    /// until `written` says that they are in the log, so that a failed write loses none.
    [[nodiscard]] std::vector<rules::CountRefusals> due(rules::Instant now) const;
    /// The same of all seconds, for a clean stop.
    [[nodiscard]] std::vector<rules::CountRefusals> all() const;
    /// These are in the log. What was counted beside them meanwhile stays.
    void written(const std::vector<rules::CountRefusals> &counts);

    [[nodiscard]] bool empty() const noexcept { return m_counts.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return m_counts.size(); }

private:
    /// Second first, so that the map's order is the order of the log. The trip and the text tell two reasons apart.
    struct Key {
        rules::Instant second;
        rules::AgentId agent;
        rules::TaskId task;
        rules::ToolId tool;
        rules::RefusalSource source = rules::RefusalSource::None;
        rules::TripId trip;
        std::string text;
        auto operator<=>(const Key &) const = default;
    };
    [[nodiscard]] static Key keyOf(const rules::CountRefusals &count);

    std::map<Key, rules::CountRefusals> m_counts;
};

} // namespace handreset::engine

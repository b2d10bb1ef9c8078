// What the gate counts of itself, and its text for Prometheus (exposition format 0.0.4). Names from outside become
// labels bounded in number and length. Threads: counting from any; the text from any. Failure: none.
#pragma once

#include "model/engine/latency.h"
#include "model/rules/command.h"
#include "model/rules/fleet.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace handreset::gate {

/// The lines of one histogram; `labels` may be empty.
void writeHistogram(std::string &out, std::string_view name, std::string_view labels, const engine::Latency &latency);

enum class AskKind : std::uint8_t { Step, Call };

class Metrics {
public:
    void decided(AskKind kind, const rules::Decision &decision, std::chrono::microseconds took) noexcept;
    void answered(int status) noexcept;
    /// A refusal that was told once more under its client's id.
    void servedAgain() noexcept { ++m_servedAgain; }
    /// Wrong credentials at the door.
    void turnedAway() noexcept { ++m_turnedAway; }

    void write(std::string &out) const;

private:
    static constexpr std::size_t kSources = rules::Words<rules::RefusalSource>::list.size();
    std::array<std::array<std::atomic<std::uint64_t>, kSources + 1>, 2> m_decisions{}; ///< by kind; the last: allowed
    std::array<engine::Latency, 2> m_took;
    std::array<std::atomic<std::uint64_t>, 6> m_statuses{}; ///< by hundreds
    std::atomic<std::uint64_t> m_turnedAway{0};
    std::atomic<std::uint64_t> m_servedAgain{0};
};

/// What the fleet says of itself; taken in a glance on the host's thread.
struct FleetFigures {
    std::vector<std::pair<std::string, rules::BreakerState>> breakers; ///< "search", "search of billing"
    std::vector<std::pair<std::string, rules::Rung>> agents;
    std::array<std::uint64_t, 3> breakersByState{};
    std::array<std::uint64_t, 3> agentsByRung{};
    std::array<std::uint64_t, rules::Words<rules::Signal>::list.size()> trips{}; ///< active ones, by signal
    std::uint64_t queued = 0;
    std::uint64_t events = 0;
};
/// At most `kNamed` breakers and agents by name, those that are not closed before the others; all are in the sums.
[[nodiscard]] FleetFigures figuresOf(const rules::Fleet &fleet);
inline constexpr std::size_t kNamed = 500;

void write(std::string &out, const FleetFigures &figures);

/// How long commits take, each with its sync where it has one.
void writeCommits(std::string &out, const engine::Latency &commits);

/// One metric without labels, with its help and type.
void writeMetric(std::string &out, std::string_view name, std::string_view type, std::string_view help,
                 std::uint64_t value);

} // namespace handreset::gate

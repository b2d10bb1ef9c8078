// The stage of the demo: its time, its chance, and the asks of its agents. Agents say what they do next and when; the
// stage keeps that order, so that a seed always gives the same play. Nothing is told to the fleet but what agents ask
// and report, through the same Host as any agent. Thread: the demo's own. Ownership: the host outlives it.
// Failure: an ask that the host answers with an error is a refusal to the agent.
#pragma once

#include "model/engine/host.h"
#include "model/rules/command.h"
#include "model/rules/decimal.h"
#include "model/rules/instant.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace handreset::demo {

/// An amount of dollars in cents: `dollars(130)` is 1.30 USD.
[[nodiscard]] rules::Money dollars(std::int64_t cents);

class Stage {
public:
    using Act = std::function<void()>;

    /// `run` tells the tasks of this play from those of earlier plays in the same store: an ended task's name is never
    /// used again. Empty for the first play.
    Stage(engine::Host &host, std::uint64_t seed, std::string run);

    // Time
    /// The play's own time: zero at its start, whatever its speed.
    [[nodiscard]] rules::Duration time() const noexcept { return m_time; }
    /// Does `act` when the play has come to `wait` from now.
    void after(rules::Duration wait, Act act);
    /// When the next act is due; nothing at the play's end.
    [[nodiscard]] std::optional<rules::Duration> next() const;
    /// Moves the play's time to the next act and does it.
    void doNext();
    /// A length between the two, by the seed's chance.
    [[nodiscard]] rules::Duration between(rules::Duration shortest, rules::Duration longest);

    // What agents do
    [[nodiscard]] std::string taskName(std::string_view name) const;
    [[nodiscard]] rules::Decision askStep(rules::AskStep ask);
    [[nodiscard]] rules::Decision askCall(rules::AskCall ask);
    /// A result, a note, the end of a task: nobody waits for what the host says to it.
    void report(rules::Command command);

private:
    engine::Host &m_host;
    std::mt19937_64 m_chance;
    std::string m_run;
    rules::Duration m_time;
    std::uint64_t m_acts = 0;
    std::map<std::pair<rules::Duration, std::uint64_t>, Act> m_plan; ///< by time, then in the order of planning
};

} // namespace handreset::demo

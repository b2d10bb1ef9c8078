// The demo fleet: five simulated agents that ask a host as any agent does. At its own pace each is a Python process
// that asks by an agents' door; without python3, or with a host elsewhere, all play inside this program. Nothing on the
// screen is painted by hand; their trips stay for the person at the desk. It stops by itself after about 3 minutes.
// Threads: its own; `start` and `stop` from one thread. Ownership: the host outlives it; the destructor stops it.
// Failure: `start` says why the demo's policy cannot be applied; later a host that refuses is a refusal to the agents.
#pragma once

#include "model/engine/host.h"
#include "model/engine/host_clock.h"
#include "model/rules/fleet.h"
#include "model/rules/result.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace handreset::demo {

struct DemoOptions {
    double speed = 1.0;     ///< how much faster than life; above zero. What the fleet's own clock counts stays as it is
    std::uint64_t seed = 1; ///< the same seed, the same play of each agent
    std::string operatorName = "demo";    ///< in whose name the demo's policy is applied
    std::optional<rules::Duration> until; ///< of the play's time; none: to its end
    /// Told on the demo's thread what a person should know of: an agent's process that crashed, or why there are none.
    std::function<void(const std::string &)> tell;
};

/// Why the demo must not play in this fleet: it is recorded, or holds agents or a policy that are not the demo's.
/// Nothing where it may. Pure.
[[nodiscard]] std::optional<rules::Error> whyNotHere(const rules::Fleet &fleet);

class DemoFleet {
public:
    DemoFleet(engine::Host &host, DemoOptions options);
    DemoFleet(const DemoFleet &) = delete;
    DemoFleet &operator=(const DemoFleet &) = delete;
    ~DemoFleet();

    /// Applies the demo's policy where the store has only the built-in one, then lets the agents begin. Waits for the
    /// first only. `finished` is called once on the demo's thread, at the play's end or after `stop`; it may be empty.
    [[nodiscard]] rules::Result<void> start(std::function<void()> finished);
    /// Ends the play after the present act and waits for that, a second at most. Not from `finished`, nor from `tell`.
    void stop();

    /// The same play on a clock that is moved by hand, without waiting: for screenshots and tests. `clock` is the one
    /// that the host reads. The clock moves a second at most between two looks at what is due.
    [[nodiscard]] static rules::Result<void> runToEnd(engine::Host &host, engine::FakeClock &clock,
                                                      const DemoOptions &options = {});

private:
    void play();
    [[nodiscard]] rules::Result<void> playAsProcesses();
    void playInside();
    void tell(const std::string &text) const;
    /// Both: false when the play was stopped meanwhile.
    [[nodiscard]] bool pause(std::chrono::steady_clock::duration length);
    [[nodiscard]] bool waitUntil(std::chrono::steady_clock::time_point when);

    engine::Host &m_host;
    DemoOptions m_options;
    std::function<void()> m_finished;
    std::string m_run;
    std::mutex m_mutex;
    std::condition_variable m_stopping;
    bool m_isStopped = false;
    std::thread m_thread;
};

} // namespace handreset::demo

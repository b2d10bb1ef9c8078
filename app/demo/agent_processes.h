// The demo's agents as processes of their own, which ask by an agents' door through the Python client. Their scripts
// are in this program and stand in a passing folder while they run, so that nothing but python3 is needed. Threads: the
// demo's own. Ownership: the host outlives it; the destructor ends the processes, within a second, and takes their
// tokens and the folder away. Failure: `start` says why the agents cannot run as processes; nobody has asked then.
#pragma once

#include "app/demo/agent_process.h"
#include "app/demo/demo_door.h"
#include "model/engine/host.h"
#include "model/rules/result.h"

#include <QTemporaryDir>

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::demo {

struct DemoOptions;

class AgentProcesses {
public:
    /// Waits so long. False: the play was stopped meanwhile.
    using Pause = std::function<bool(std::chrono::milliseconds)>;
    using Tell = std::function<void(const std::string &)>;

    /// Starts a script for each of `agents`, and returns when all are ready. `run` tells this play's tasks from earlier
    /// ones.
    [[nodiscard]] static rules::Result<std::unique_ptr<AgentProcesses>>
    start(engine::Host &host, const DemoOptions &options, const std::string &run,
          std::span<const std::string_view> agents, const Pause &pause);
    ~AgentProcesses();
    AgentProcesses(const AgentProcesses &) = delete;
    AgentProcesses &operator=(const AgentProcesses &) = delete;

    /// Lets them begin, and returns when all have ended or the play was stopped. One that ends by an error is told; the
    /// others go on.
    void play(const Pause &pause, const Tell &tell);

private:
    AgentProcesses();
    [[nodiscard]] rules::Result<void> writeScripts() const;
    [[nodiscard]] rules::Result<void> waitUntilReady(const Pause &pause);
    void endAll();

    QTemporaryDir m_folder; ///< 0700, as mkdtemp makes them
    std::unique_ptr<DemoDoor> m_door;
    std::vector<std::unique_ptr<AgentProcess>> m_processes; ///< those that run
};

} // namespace handreset::demo

// Where the callers' threads meet the host's thread: commands and reads. One lock, held only to move things.
// Threads: `push…`, `wake`, `size` and `close` from any thread; `take` on the host's thread.
// Ownership: the queue owns what waits in it. Failure: none; after `close` what is pushed is still taken.
#pragma once

#include "model/engine/history_read.h"
#include "model/engine/host.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace handreset::engine {

struct QueuedCommand {
    rules::Command command;
    std::function<void(const Reply &)> done; ///< may be empty
};

/// A glance at the fleet between two commits: short, and it keeps nothing of it.
using Look = std::function<void(const rules::Fleet &fleet, rules::Now now)>;

/// What one turn of the host's loop works on.
struct Turn {
    std::vector<QueuedCommand> commands;
    std::vector<Look> looks;
    std::vector<std::unique_ptr<HistoryRead>> reads;
    bool isClosed = false; ///< nothing more will come once there are no commands
};

class HostQueue {
public:
    /// Operators' stops and signed acts overtake what agents ask: a flood of asks cannot delay one (spec 5). Among
    /// themselves they keep their order.
    void pushCommand(QueuedCommand command);
    /// The same for several that were ready together: one lock, one wake-up.
    void pushCommands(std::vector<QueuedCommand> commands);
    void pushRead(std::unique_ptr<HistoryRead> read);
    void pushLook(Look look);
    /// Ends the waiting of the present or next `take`: there is something to do beside the queue.
    void wake();
    /// Wakes `take` for the last time.
    void close();
    /// Commands that wait.
    [[nodiscard]] std::size_t size() const;

    /// Waits until there is something, the queue is closed or `until` is reached; then takes at most `most` commands
    /// and all reads.
    [[nodiscard]] Turn take(std::size_t most, std::chrono::steady_clock::time_point until);

private:
    [[nodiscard]] bool hasAny() const;
    void add(QueuedCommand command);

    mutable std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::deque<QueuedCommand> m_ofOperators; ///< that overtake
    std::deque<QueuedCommand> m_commands;
    std::vector<Look> m_looks;
    std::vector<std::unique_ptr<HistoryRead>> m_reads;
    bool m_isWoken = false;
    bool m_isClosed = false;
};

} // namespace handreset::engine

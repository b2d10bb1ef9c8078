// Asks the gate beside the proxy's loop, so that nothing else waits for it. One thread and one queue, on purpose: what
// came of a call is told before a later call is asked, so that a breaker that must open is open by then, and calls
// reach the server in the order in which the client made them. Its methods are the loop's thread's; the gate is used by
// the thread within alone.
#pragma once

#include "app/ctl/mcp_gate.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace handreset::ctl {

class McpGateThread {
public:
    /// `wakes` is an eventfd that is written when a decision is there. Both outlive this.
    McpGateThread(GateClient &gate, int wakes);
    ~McpGateThread();
    McpGateThread(const McpGateThread &) = delete;
    McpGateThread &operator=(const McpGateThread &) = delete;

    void ask(feeds::mcp::Ask ask);
    void report(feeds::mcp::Report report);
    /// True: the call has not been asked, and will not be.
    [[nodiscard]] bool withdraw(feeds::McpCall call);
    /// The decisions that came since the last look.
    [[nodiscard]] std::vector<std::pair<feeds::McpCall, feeds::McpDecision>> decisions();
    /// Waits until the queue is empty; false when it is not after so long.
    bool drain(std::chrono::milliseconds longest);
    /// Does what is queued as far as the time goes, ends the task, and ends the thread. Nothing may follow.
    void finish(std::chrono::milliseconds longest);

private:
    using Job = std::variant<feeds::mcp::Ask, feeds::mcp::Report>;

    void run();
    void decide(const feeds::mcp::Ask &ask);

    GateClient &m_gate;
    const int m_wakes;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Job> m_jobs;
    bool m_isBusy = false;
    bool m_ends = false;
    std::vector<std::pair<feeds::McpCall, feeds::McpDecision>> m_decisions;
    std::thread m_thread; // last: it uses the others
};

} // namespace handreset::ctl

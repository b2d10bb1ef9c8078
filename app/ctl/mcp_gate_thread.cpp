#include "app/ctl/mcp_gate_thread.h"

#include <algorithm>
#include <cstdint>
#include <unistd.h>

namespace handreset::ctl {

namespace mcp = feeds::mcp;

McpGateThread::McpGateThread(GateClient &gate, int wakes) : m_gate(gate), m_wakes(wakes), m_thread([this] { run(); }) {}

McpGateThread::~McpGateThread()
{
    finish(std::chrono::milliseconds(0));
}

void McpGateThread::ask(mcp::Ask ask)
{
    const std::lock_guard lock(m_mutex);
    m_jobs.emplace_back(std::move(ask));
    m_changed.notify_all();
}

void McpGateThread::report(mcp::Report report)
{
    const std::lock_guard lock(m_mutex);
    m_jobs.emplace_back(std::move(report));
    m_changed.notify_all();
}

bool McpGateThread::withdraw(feeds::McpCall call)
{
    const std::lock_guard lock(m_mutex);
    const auto before = m_jobs.size();
    std::erase_if(m_jobs, [call](const Job &job) {
        const auto *ask = std::get_if<mcp::Ask>(&job);
        return ask != nullptr && ask->call == call;
    });
    return m_jobs.size() < before;
}

std::vector<std::pair<feeds::McpCall, feeds::McpDecision>> McpGateThread::decisions()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_decisions, {});
}

bool McpGateThread::drain(std::chrono::milliseconds longest)
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, longest, [this] { return m_jobs.empty() && !m_isBusy; });
}

void McpGateThread::finish(std::chrono::milliseconds longest)
{
    if (!m_thread.joinable())
        return;
    const bool isDone = longest.count() > 0 && drain(longest);
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.clear(); // what was not told in time is not told: the gate shows it as "no result yet"
        m_ends = true;
        m_changed.notify_all();
    }
    m_thread.join();
    if (isDone)
        m_gate.end();
}

void McpGateThread::run()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_ends || !m_jobs.empty(); });
        if (m_ends)
            return;
        const auto job = std::move(m_jobs.front());
        m_jobs.pop_front();
        m_isBusy = true;
        lock.unlock();
        if (const auto *ask = std::get_if<mcp::Ask>(&job))
            decide(*ask);
        else if (const auto *report = std::get_if<mcp::Report>(&job))
            m_gate.report(report->call, report->outcome, report->error);
        lock.lock();
        m_isBusy = false;
        m_changed.notify_all();
    }
}

void McpGateThread::decide(const mcp::Ask &ask)
{
    auto decision = m_gate.ask(ask.call, ask.tool, ask.arguments);
    {
        const std::lock_guard lock(m_mutex);
        m_decisions.emplace_back(ask.call, std::move(decision));
    }
    const std::uint64_t one = 1;
    static_cast<void>(::write(m_wakes, &one, sizeof one)); // full only where the loop is awake anyhow
}

} // namespace handreset::ctl

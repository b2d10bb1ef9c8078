#include "model/engine/host_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace handreset::engine {

namespace {

constexpr std::size_t kBytesOfATurn = std::size_t{256} * 1024; ///< of arguments: some ten milliseconds of the worst work

std::size_t bytesOf(const rules::Command &command)
{
    const auto *call = std::get_if<rules::AskCall>(&command);
    return call != nullptr ? call->arguments.size() : 0;
}

/// How many of the first ones a turn takes: `most`, and no more bytes than it should work on, but one at least.
std::size_t countWithin(const std::deque<QueuedCommand> &commands, std::size_t most)
{
    std::size_t bytes = 0;
    std::size_t count = 0;
    while (count < std::min(most, commands.size())) {
        bytes += bytesOf(commands[count].command);
        if (count > 0 && bytes > kBytesOfATurn)
            break;
        ++count;
    }
    return count;
}

} // namespace

void HostQueue::pushCommand(QueuedCommand command)
{
    {
        const std::lock_guard lock(m_mutex);
        add(std::move(command));
    }
    m_arrived.notify_one();
}

void HostQueue::pushCommands(std::vector<QueuedCommand> commands)
{
    {
        const std::lock_guard lock(m_mutex);
        for (QueuedCommand &command : commands)
            add(std::move(command));
    }
    m_arrived.notify_one();
}

void HostQueue::add(QueuedCommand command)
{
    const bool overtakes = std::holds_alternative<rules::StopAgent>(command.command)
        || std::holds_alternative<rules::Signed>(command.command);
    (overtakes ? m_ofOperators : m_commands).push_back(std::move(command));
}

void HostQueue::pushRead(std::unique_ptr<HistoryRead> read)
{
    {
        const std::lock_guard lock(m_mutex);
        m_reads.push_back(std::move(read));
    }
    m_arrived.notify_one();
}

void HostQueue::pushLook(Look look)
{
    {
        const std::lock_guard lock(m_mutex);
        m_looks.push_back(std::move(look));
    }
    m_arrived.notify_one();
}

void HostQueue::wake()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isWoken = true;
    }
    m_arrived.notify_one();
}

void HostQueue::close()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isClosed = true;
    }
    m_arrived.notify_all();
}

std::size_t HostQueue::size() const
{
    const std::lock_guard lock(m_mutex);
    return m_ofOperators.size() + m_commands.size();
}

Turn HostQueue::take(std::size_t most, std::chrono::steady_clock::time_point until)
{
    std::unique_lock lock(m_mutex);
    m_arrived.wait_until(lock, until, [this] { return m_isClosed || hasAny(); });
    Turn turn;
    m_isWoken = false;
    turn.reads.swap(m_reads);
    turn.looks.swap(m_looks);
    turn.isClosed = m_isClosed;
    for (std::deque<QueuedCommand> *source : {&m_ofOperators, &m_commands}) {
        const auto count = countWithin(*source, most - turn.commands.size());
        const auto end = source->begin() + static_cast<std::ptrdiff_t>(count);
        std::move(source->begin(), end, std::back_inserter(turn.commands));
        source->erase(source->begin(), end);
    }
    return turn;
}

bool HostQueue::hasAny() const
{
    return m_isWoken || !m_ofOperators.empty() || !m_commands.empty() || !m_reads.empty() || !m_looks.empty();
}

} // namespace handreset::engine

#include "model/store/ahead.h"

#include <exception>
#include <iterator>
#include <string>
#include <utility>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Event;
using rules::Result;

Ahead::Ahead(Write write) : m_write(std::move(write)), m_thread([this] { run(); }) {}

Ahead::~Ahead()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
        m_moved.notify_all();
    }
    m_thread.join();
}

void Ahead::put(std::vector<Event> events)
{
    const std::lock_guard lock(m_mutex);
    m_waiting.push_back(std::move(events));
    m_moved.notify_all();
}

Result<std::vector<Event>> Ahead::settle()
{
    std::unique_lock lock(m_mutex);
    m_moved.wait(lock, [this] { return m_waiting.empty() && !m_isWriting; });
    auto written = std::exchange(m_written, {});
    const auto fault = std::exchange(m_fault, {});
    if (!fault)
        return fault.error();
    return written;
}

void Ahead::run()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_moved.wait(lock, [this] { return !m_waiting.empty() || m_isEnding; });
        if (m_waiting.empty())
            return;
        writeNext(lock);
    }
}

void Ahead::writeNext(std::unique_lock<std::mutex> &lock)
{
    auto events = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_isWriting = true;
    const bool isWanted = m_fault.ok();
    lock.unlock();
    Result<void> done;
    try {
        if (isWanted)
            done = m_write(events);
    } catch (const std::exception &fault) { // the thread's entry catches all and reports
        done = Error{ErrorCode::Unavailable, std::string("writing failed: ") + fault.what(), "log"};
    }
    lock.lock();
    if (!done)
        m_fault = done;
    m_written.insert(m_written.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
    m_isWriting = false;
    m_moved.notify_all();
}

} // namespace handreset::store

// A short queue between one thread that makes things and one that uses them. Both ends may stop early.
// Threads: `put` and `close` on the maker's, `take` and `abandon` on the user's.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace handreset::feeds {

template <class T>
class Handover {
public:
    explicit Handover(std::size_t most) : m_most(most) {}

    /// Waits for room. False when the user has abandoned: make no more.
    [[nodiscard]] bool put(T thing)
    {
        std::unique_lock lock(m_mutex);
        m_moved.wait(lock, [this] { return m_things.size() < m_most || m_abandoned; });
        if (m_abandoned)
            return false;
        m_things.push_back(std::move(thing));
        m_moved.notify_all();
        return true;
    }
    /// Nothing more will come.
    void close()
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        m_moved.notify_all();
    }
    /// The next thing; waits for it. Nothing once all are taken and the maker has closed.
    [[nodiscard]] std::optional<T> take()
    {
        std::unique_lock lock(m_mutex);
        m_moved.wait(lock, [this] { return !m_things.empty() || m_closed; });
        if (m_things.empty())
            return std::nullopt;
        T thing = std::move(m_things.front());
        m_things.pop_front();
        m_moved.notify_all();
        return thing;
    }
    /// Nothing more is wanted.
    void abandon()
    {
        const std::lock_guard lock(m_mutex);
        m_abandoned = true;
        m_moved.notify_all();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_moved;
    std::deque<T> m_things;
    const std::size_t m_most;
    bool m_closed = false;
    bool m_abandoned = false;
};

} // namespace handreset::feeds

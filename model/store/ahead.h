// Writes the events of an open transaction on a thread of its own, while the caller of a bulk append goes on judging.
// Internal to model/store. Threads: one caller; `write` runs on the other thread, and never after `settle` has returned
// and before the next `put`. Failure: the first one is `settle`'s, and nothing is written after it.
#pragma once

#include "model/rules/event.h"
#include "model/rules/result.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace handreset::store {

class Ahead {
public:
    using Write = std::function<rules::Result<void>(std::span<const rules::Event>)>;

    explicit Ahead(Write write);
    /// Waits until what was put is written.
    ~Ahead();
    Ahead(const Ahead &) = delete;
    Ahead &operator=(const Ahead &) = delete;

    void put(std::vector<rules::Event> events);
    /// Waits until all is written, and gives it back in order: the next `put` begins anew.
    [[nodiscard]] rules::Result<std::vector<rules::Event>> settle();

private:
    void run();
    void writeNext(std::unique_lock<std::mutex> &lock);

    const Write m_write;
    std::mutex m_mutex;
    std::condition_variable m_moved;
    std::deque<std::vector<rules::Event>> m_waiting;
    std::vector<rules::Event> m_written;
    rules::Result<void> m_fault;
    bool m_isWriting = false;
    bool m_isEnding = false;
    std::thread m_thread; // last: it uses all the others
};

} // namespace handreset::store

// Jobs for an object's own thread, from any thread, done in the order in which they came.
// Threads: `post` and `close` from any thread, `run` on the receiver's. Ownership: shared by whoever may post, also
// after the receiver is gone; then what is posted is dropped. Failure: none; jobs must not throw.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

class QObject;

namespace handreset::link {

class Mailbox : public std::enable_shared_from_this<Mailbox> {
public:
    using Job = std::function<void()>;

    /// The receiver must `close` before it goes.
    explicit Mailbox(QObject *receiver) : m_receiver(receiver) {}
    /// False when it is closed: the job will not be done.
    bool post(Job job);
    /// The same for what comes in floods and need not be there at once: after one was done, the next ones wait for each
    /// other for up to 5 ms, so that a flood does not wake the thread at each.
    bool postSoon(Job job);
    /// Does what is there. True when there was something.
    bool run();
    void close();

private:
    std::mutex m_mutex;
    QObject *m_receiver; ///< none: closed
    std::vector<Job> m_jobs;
    void wake(); ///< under the lock

    bool m_isWoken = false;     ///< the receiver will look at once
    bool m_isGathering = false; ///< the receiver will look when the time for that is over
};

} // namespace handreset::link

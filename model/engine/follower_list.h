// Who follows the log, and the calls to them. Threads: `add`, `remove` and `isEmpty` from any thread, the rest on the
// host's thread.
// Ownership: none; a follower outlives its `remove`. Failure: none.
#pragma once

#include "model/engine/host.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace handreset::engine {

class FollowerList {
public:
    /// It is called with the others from the next `welcome` on. A second `add` of the same is welcomed again.
    void add(Follower *follower);
    /// When this returns no call to it is running and none will come. On the host's thread (inside a call) it returns
    /// at once: the present call is the last.
    void remove(const Follower *follower);
    /// Makes the first call to each one that was added since.
    void welcome(const std::function<void(Follower &)> &first);
    void each(const std::function<void(Follower &)> &call);
    [[nodiscard]] bool isEmpty() const;

private:
    void callOne(Follower *follower, const std::function<void(Follower &)> &call);
    /// With the lock held before and after, and not during the call.
    void callUnlocked(std::unique_lock<std::mutex> &lock, Follower *follower,
                      const std::function<void(Follower &)> &call);

    mutable std::mutex m_mutex;
    std::condition_variable m_returned;
    std::vector<Follower *> m_new;
    std::vector<Follower *> m_followers;
    const Follower *m_called = nullptr; ///< whose call is running
    std::thread::id m_caller;
};

} // namespace handreset::engine

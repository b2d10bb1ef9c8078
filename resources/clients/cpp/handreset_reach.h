// Whether asking the gate is worth the wait.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

namespace handreset::client {

/// A gate that hangs would cost every ask all its tries, so after such a miss it is left alone for a while; then one
/// ask looks, with one try, while the offline rules answer the others. Any answer ends that. A gate that is missed at
/// once, because nobody listens, costs nothing: it may be back any moment, and is asked each time. Pure: it is told the
/// time. Threads may share it.
class Reach {
public:
    /// Of one clock that never goes back.
    using Time = std::chrono::nanoseconds;

    static constexpr std::chrono::milliseconds kShortestPause{250}; ///< doubled each time that it is missed again
    static constexpr std::chrono::milliseconds kLongestPause{2000};

    Reach(int tries, std::chrono::milliseconds timeout) : m_tries(tries), m_timeout(timeout) {}

    /// How often to try now; 0: not at all.
    [[nodiscard]] int tries(Time now);
    void answered();
    /// All tries of something that was begun at `askedAt` failed.
    void missed(const std::string &why, Time askedAt, Time now);
    /// It was waited for in vain, and has not answered since.
    [[nodiscard]] bool isAway() const;
    /// How it was waited for in vain; empty: it is worth asking.
    [[nodiscard]] std::string why() const;

private:
    const int m_tries;
    const std::chrono::milliseconds m_timeout;
    mutable std::mutex m_mutex;
    std::optional<std::string> m_why;
    Time m_pause{0};
    Time m_quietUntil{0};
    Time m_lastMiss{0};
};

} // namespace handreset::client

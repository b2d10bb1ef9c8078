// What could not be told to the gate yet, oldest first.
#pragma once

#include "handreset_offline.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace handreset::client {

/// The ask of a call that was made on a lease, as it would have been sent: the gate counts it once it is back.
struct LateAsk {
    std::string id;
    Subject subject;
    std::string path;
    std::string body;
};

/// Something that the gate is told, and that may be told again later.
struct Post {
    std::string path;
    std::string body;
    bool isDoubtful = false; ///< the gate may never have heard of the ask; then its 404 is nothing to worry about
    std::shared_ptr<const LateAsk> late; ///< goes first; null: there is none, or the gate has counted it
};

/// Bounded. One thread at a time empties it, so the order stays.
class Outbox {
public:
    static constexpr std::size_t kMostWaiting = 1000; ///< beyond that the oldest are given up
    static constexpr int kMostTurnedAway = 100;       ///< how often a gate that is there may fail to take the first one

    /// What was given up for it, because too many wait; it is counted already.
    std::optional<Post> add(Post post);
    /// True: the caller empties it now, and ends its turn afterwards. False: there is nothing, or another thread does.
    [[nodiscard]] bool takeTurn();
    void endTurn();
    [[nodiscard]] std::optional<Post> first() const;
    /// The late ask of the first one is in.
    void firstIsCounted();
    /// The first one is in, or given up.
    void dropFirst();
    /// The gate is there and did not take the first one. False: it never will, and others wait behind it.
    [[nodiscard]] bool mayWait();
    /// It will never be told.
    void giveUp(const Post &post);
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::size_t lost() const;      ///< results
    [[nodiscard]] std::size_t uncounted() const; ///< calls that were made on a lease and that the gate does not count

private:
    void countOff(const Post &post) { ++(post.late ? m_uncounted : m_lost); }

    mutable std::mutex m_mutex;
    std::deque<Post> m_posts;
    std::size_t m_lost = 0;
    std::size_t m_uncounted = 0;
    int m_turnedAway = 0;
    bool m_isBusy = false;
    bool m_firstIsGone = false; ///< the one that is being told was given up meanwhile, because too many waited
};

} // namespace handreset::client

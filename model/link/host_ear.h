// Hears the host on the host's thread and brings it to the link's: nothing but a move of pointers happens on the
// host's. Threads: as engine::Follower; `listener` is called on the mailbox's. Ownership: the mailbox is shared; it
// must be closed, and the host told to `unfollow`, before the listener goes. Failure: where the link's thread does not
// keep up with a flood, what it missed is not kept for it without bound: it is told, and must follow anew.
#pragma once

#include "model/engine/host.h"
#include "model/link/mailbox.h"

#include <atomic>
#include <cstddef>
#include <memory>

namespace handreset::link {

class HostEar final : public engine::Follower {
public:
    class Listener {
    public:
        virtual ~Listener() = default;
        virtual void snapshotHeard(std::shared_ptr<const rules::Fleet> fleet) = 0;
        virtual void commitHeard(const engine::Commit &commit) = 0;
        virtual void beatHeard(const engine::HostStatus &status) = 0;
        /// Commits are missing from here on, until the next snapshot. Follow anew.
        virtual void missedSome() = 0;
    };

    /// `mostWaiting`: events that are kept for a link that does not keep up.
    HostEar(std::shared_ptr<Mailbox> mailbox, Listener &listener, std::size_t mostWaiting)
        : m_mailbox(std::move(mailbox)), m_listener(listener), m_mostWaiting(mostWaiting)
    {}

    void snapshot(std::shared_ptr<const rules::Fleet> fleet) override;
    void committed(std::shared_ptr<const engine::Commit> commit) override;
    void beat(const engine::HostStatus &status) override;

private:
    std::shared_ptr<Mailbox> m_mailbox;
    Listener &m_listener;
    const std::size_t m_mostWaiting;
    std::atomic<std::size_t> m_waiting = 0; ///< events in the mailbox
    bool m_isDeaf = false;                  ///< on the host's thread: from too many events to the next snapshot
};

} // namespace handreset::link

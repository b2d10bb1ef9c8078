// What the host's thread leaves for the follower's: a locked list and one pending call. The host's thread never waits
// here longer than a push. Ownership: shared; `target` is cleared before the worker dies, so that a late answer of the
// host finds nobody and is dropped.
#pragma once

#include "model/engine/host.h"

#include <QObject>

#include <memory>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

namespace handreset::live {

/// The log's last events before a snapshot, newest first; empty where they could not be read.
struct HistoryRead {
    rules::Seq upTo;
    std::vector<rules::Event> events;
    bool isOfActs = false; ///< only what can be an operator's act, and so from farther back
};

using InboxItem = std::variant<std::shared_ptr<const rules::Fleet>, std::shared_ptr<const engine::Commit>,
                               engine::HostStatus, HistoryRead>;

class Inbox {
public:
    /// Calls `drain` (any callable) on `target`'s thread once for all that is posted until it runs.
    template <class Drain>
    void post(InboxItem item, QObject *target, Drain drain)
    {
        const std::lock_guard lock(m_mutex);
        if (m_closed)
            return;
        m_items.push_back(std::move(item));
        if (!std::exchange(m_scheduled, true))
            QMetaObject::invokeMethod(target, std::move(drain), Qt::QueuedConnection);
    }
    [[nodiscard]] std::vector<InboxItem> takeAll()
    {
        const std::lock_guard lock(m_mutex);
        m_scheduled = false;
        return std::exchange(m_items, {});
    }
    /// From now on nothing is taken and nobody is called.
    void close()
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        m_items.clear();
    }

private:
    std::mutex m_mutex;
    std::vector<InboxItem> m_items;
    bool m_scheduled = false;
    bool m_closed = false;
};

} // namespace handreset::live

// Where the host's thread leaves its status for everyone. Any thread; `queued` is not kept here.
#pragma once

#include "model/engine/host.h"
#include "model/engine/latency.h"

#include <mutex>

namespace handreset::engine {

class StatusBoard {
public:
    [[nodiscard]] HostStatus read() const
    {
        const std::lock_guard lock(m_mutex);
        return m_status;
    }
    template <class Change>
    void change(const Change &change)
    {
        const std::lock_guard lock(m_mutex);
        change(m_status);
    }

    Latency commits; ///< how long transactions take

private:
    mutable std::mutex m_mutex;
    HostStatus m_status;
};

} // namespace handreset::engine

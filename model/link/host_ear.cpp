#include "model/link/host_ear.h"

#include <utility>

namespace handreset::link {

void HostEar::snapshot(std::shared_ptr<const rules::Fleet> fleet)
{
    m_isDeaf = false;
    m_mailbox->post([this, fleet = std::move(fleet)] { m_listener.snapshotHeard(fleet); });
}

void HostEar::committed(std::shared_ptr<const engine::Commit> commit)
{
    if (m_isDeaf)
        return;
    if (m_waiting + commit->events.size() > m_mostWaiting) {
        m_isDeaf = true;
        m_mailbox->post([this] { m_listener.missedSome(); });
        return;
    }
    m_waiting += commit->events.size();
    m_mailbox->postSoon([this, commit = std::move(commit)] {
        m_waiting -= commit->events.size();
        m_listener.commitHeard(*commit);
    });
}

void HostEar::beat(const engine::HostStatus &status)
{
    m_mailbox->post([this, status] { m_listener.beatHeard(status); });
}

} // namespace handreset::link

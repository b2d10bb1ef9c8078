#include "app/gate/heartbeat.h"

namespace handreset::gate {

bool Heartbeat::beats(const engine::HostStatus &status)
{
    if (status.health != engine::StoreHealth::Writable) {
        m_trouble = status.trouble;
        return false;
    }
    if (status.lastBeat.steady <= m_lastTurn) {
        m_trouble = "the decision loop has not turned since the last sign of life";
        return false;
    }
    // What was committed since then was a write; else one is tried.
    m_trouble = status.committed > m_committed ? std::string() : m_probe();
    if (!m_trouble.empty())
        return false;
    m_lastTurn = status.lastBeat.steady;
    m_committed = status.committed;
    return true;
}

} // namespace handreset::gate

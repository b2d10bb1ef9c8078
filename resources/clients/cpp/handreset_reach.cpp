#include "handreset_reach.h"

#include <algorithm>

namespace handreset::client {

int Reach::tries(Time now)
{
    const std::lock_guard lock(m_mutex);
    if (!m_why)
        return m_tries;
    if (now < m_quietUntil)
        return 0;
    m_quietUntil = now + m_timeout; // this one looks; the others wait for what it finds
    return 1;
}

void Reach::answered()
{
    const std::lock_guard lock(m_mutex);
    m_why.reset();
    m_pause = Time(0);
}

void Reach::missed(const std::string &why, Time askedAt, Time now)
{
    if (now - askedAt < m_timeout / 2) { // at once
        answered();
        return;
    }
    const std::lock_guard lock(m_mutex);
    // Those that were begun before the last miss was known tell the same once more.
    if (!m_why || askedAt >= m_lastMiss)
        m_pause = std::clamp<Time>(m_pause * 2, kShortestPause, kLongestPause);
    m_lastMiss = now;
    m_quietUntil = now + m_pause;
    m_why = why;
}

bool Reach::isAway() const
{
    const std::lock_guard lock(m_mutex);
    return m_why.has_value();
}

std::string Reach::why() const
{
    const std::lock_guard lock(m_mutex);
    return m_why.value_or(std::string());
}

} // namespace handreset::client

#include "handreset_outbox.h"

#include <utility>

namespace handreset::client {

void Outbox::add(Post post)
{
    const std::lock_guard lock(m_mutex);
    m_posts.push_back(std::move(post));
    if (m_posts.size() > kMostWaiting) {
        m_posts.pop_front();
        ++m_lost;
        m_firstIsGone = m_isBusy;
    }
}

bool Outbox::takeTurn()
{
    const std::lock_guard lock(m_mutex);
    if (m_isBusy || m_posts.empty())
        return false;
    m_isBusy = true;
    return true;
}

void Outbox::endTurn()
{
    const std::lock_guard lock(m_mutex);
    m_isBusy = false;
    m_firstIsGone = false;
}

std::optional<Post> Outbox::first() const
{
    const std::lock_guard lock(m_mutex);
    if (m_posts.empty())
        return std::nullopt;
    return m_posts.front();
}

void Outbox::dropFirst()
{
    const std::lock_guard lock(m_mutex);
    if (!m_firstIsGone && !m_posts.empty())
        m_posts.pop_front();
    m_firstIsGone = false;
    m_turnedAway = 0;
}

bool Outbox::mayWait()
{
    const std::lock_guard lock(m_mutex);
    if (++m_turnedAway < kMostTurnedAway)
        return true;
    ++m_lost;
    return false;
}

std::size_t Outbox::size() const
{
    const std::lock_guard lock(m_mutex);
    return m_posts.size();
}

std::size_t Outbox::lost() const
{
    const std::lock_guard lock(m_mutex);
    return m_lost;
}

} // namespace handreset::client

#include "handreset_outbox.h"

#include <utility>

namespace handreset::client {

std::optional<Post> Outbox::add(Post post)
{
    const std::lock_guard lock(m_mutex);
    m_posts.push_back(std::move(post));
    if (m_posts.size() <= kMostWaiting)
        return std::nullopt;
    auto dropped = std::move(m_posts.front());
    m_posts.pop_front();
    countOff(dropped);
    m_firstIsGone = m_isBusy;
    return dropped;
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

void Outbox::firstIsCounted()
{
    const std::lock_guard lock(m_mutex);
    if (!m_firstIsGone && !m_posts.empty())
        m_posts.front().late.reset();
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
    return ++m_turnedAway < kMostTurnedAway;
}

void Outbox::giveUp(const Post &post)
{
    const std::lock_guard lock(m_mutex);
    countOff(post);
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

std::size_t Outbox::uncounted() const
{
    const std::lock_guard lock(m_mutex);
    return m_uncounted;
}

} // namespace handreset::client

#include "model/engine/follower_list.h"

#include <algorithm>

namespace handreset::engine {

void FollowerList::add(Follower *follower)
{
    const std::lock_guard lock(m_mutex);
    m_new.push_back(follower);
}

void FollowerList::remove(const Follower *follower)
{
    std::unique_lock lock(m_mutex);
    std::erase(m_new, follower);
    std::erase(m_followers, follower);
    if (m_called == follower && m_caller != std::this_thread::get_id())
        m_returned.wait(lock, [&] { return m_called != follower; });
}

void FollowerList::welcome(const std::function<void(Follower &)> &first)
{
    std::unique_lock lock(m_mutex);
    while (!m_new.empty()) {
        Follower *follower = m_new.front();
        m_new.erase(m_new.begin());
        if (std::ranges::find(m_followers, follower) == m_followers.end())
            m_followers.push_back(follower);
        callUnlocked(lock, follower, first);
    }
}

void FollowerList::each(const std::function<void(Follower &)> &call)
{
    std::vector<Follower *> present;
    {
        const std::lock_guard lock(m_mutex);
        present = m_followers;
    }
    for (Follower *follower : present)
        callOne(follower, call);
}

bool FollowerList::isEmpty() const
{
    const std::lock_guard lock(m_mutex);
    return m_followers.empty() && m_new.empty();
}

void FollowerList::callOne(Follower *follower, const std::function<void(Follower &)> &call)
{
    std::unique_lock lock(m_mutex);
    if (std::ranges::find(m_followers, follower) != m_followers.end()) // else removed since
        callUnlocked(lock, follower, call);
}

void FollowerList::callUnlocked(std::unique_lock<std::mutex> &lock, Follower *follower,
                                const std::function<void(Follower &)> &call)
{
    m_called = follower;
    m_caller = std::this_thread::get_id();
    lock.unlock();
    call(*follower);
    lock.lock();
    m_called = nullptr;
    m_returned.notify_all();
}

} // namespace handreset::engine

#include "model/link/mailbox.h"

#include <QMetaObject>
#include <QObject>

#include <utility>

namespace handreset::link {

bool Mailbox::post(Job job)
{
    const std::lock_guard lock(m_mutex);
    if (m_receiver == nullptr)
        return false;
    m_jobs.push_back(std::move(job));
    if (!std::exchange(m_isWoken, true))
        QMetaObject::invokeMethod(
            m_receiver, [box = shared_from_this()] { box->run(); }, Qt::QueuedConnection);
    return true;
}

bool Mailbox::run()
{
    std::vector<Job> jobs;
    {
        const std::lock_guard lock(m_mutex);
        m_isWoken = false;
        jobs.swap(m_jobs);
    }
    for (const Job &job : jobs) // what they post waits for another turn of the loop: sockets have theirs in between
        job();
    return !jobs.empty();
}

void Mailbox::close()
{
    std::vector<Job> dropped; // outside the lock: what a job holds may post when it goes
    const std::lock_guard lock(m_mutex);
    m_receiver = nullptr;
    dropped.swap(m_jobs);
}

} // namespace handreset::link

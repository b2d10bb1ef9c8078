#include "model/link/mailbox.h"

#include <QMetaObject>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <utility>

namespace handreset::link {

namespace {

constexpr std::chrono::milliseconds kGather{5};

} // namespace

bool Mailbox::post(Job job)
{
    const std::lock_guard lock(m_mutex);
    if (m_receiver == nullptr)
        return false;
    m_jobs.push_back(std::move(job));
    wake();
    return true;
}

bool Mailbox::postSoon(Job job)
{
    const std::lock_guard lock(m_mutex);
    if (m_receiver == nullptr)
        return false;
    m_jobs.push_back(std::move(job));
    if (!m_isGathering)
        wake();
    return true;
}

void Mailbox::wake()
{
    if (!std::exchange(m_isWoken, true))
        QMetaObject::invokeMethod(
            m_receiver, [box = shared_from_this()] { box->run(); }, Qt::QueuedConnection);
}

bool Mailbox::run()
{
    std::vector<Job> jobs;
    {
        const std::lock_guard lock(m_mutex);
        m_isWoken = false;
        jobs.swap(m_jobs);
        if (!jobs.empty() && m_receiver != nullptr && !std::exchange(m_isGathering, true))
            QTimer::singleShot(kGather, m_receiver, [box = shared_from_this()] {
                {
                    const std::lock_guard again(box->m_mutex);
                    box->m_isGathering = false;
                }
                box->run();
            });
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

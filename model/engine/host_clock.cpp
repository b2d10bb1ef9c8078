#include "model/engine/host_clock.h"

#include <ctime>

#include <algorithm>
#include <utility>

#include <QByteArray>
#include <QFile>
#include <QUuid>

namespace handreset::engine {

namespace {

std::int64_t microsOf(clockid_t id)
{
    timespec time{};
    clock_gettime(id, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000 + time.tv_nsec / 1'000;
}

std::string readBootId()
{
    QFile file(QStringLiteral("/proc/sys/kernel/random/boot_id"));
    QByteArray id;
    if (file.open(QIODevice::ReadOnly))
        id = file.readAll().trimmed();
    // Without an id two boots could be taken for one, and a cooldown end early. An id of this process errs the safe
    // way.
    if (id.isEmpty())
        id = "process-" + QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    return id.toStdString();
}

} // namespace

SystemClock::SystemClock() : m_bootId(readBootId()) {}

rules::Now SystemClock::now() const
{
    return {{microsOf(CLOCK_REALTIME)}, {microsOf(CLOCK_BOOTTIME)}};
}

FakeClock::FakeClock(rules::Instant wall, rules::Steady boot, std::string bootId)
    : m_now{wall, boot}, m_bootId(std::move(bootId))
{}

rules::Now FakeClock::now() const
{
    const std::lock_guard lock(m_mutex);
    return m_now;
}

std::string FakeClock::bootId() const
{
    const std::lock_guard lock(m_mutex);
    return m_bootId;
}

void FakeClock::advance(rules::Duration by)
{
    const std::lock_guard lock(m_mutex);
    m_now.wall = m_now.wall + by;
    m_now.steady = m_now.steady + by;
}

void FakeClock::jumpWall(rules::Duration by)
{
    const std::lock_guard lock(m_mutex);
    m_now.wall = m_now.wall + by;
}

void FakeClock::reboot(std::string bootId, rules::Duration off, rules::Steady boot)
{
    const std::lock_guard lock(m_mutex);
    m_bootId = std::move(bootId);
    m_now.wall = m_now.wall + off;
    m_now.steady = boot;
}

SteadyLine::SteadyLine(const rules::Fleet &fleet, const Clock &clock) : m_last(fleet.steady)
{
    const bool isSameBoot = !fleet.bootId.empty() && fleet.bootId == clock.bootId();
    m_offset = isSameBoot ? fleet.bootSteady - rules::Steady{fleet.bootMicros} : fleet.steady - clock.now().steady;
}

rules::Now SteadyLine::now(const Clock &clock)
{
    rules::Now now = clock.now();
    now.steady = std::max(now.steady + m_offset, m_last);
    m_last = now.steady;
    return now;
}

} // namespace handreset::engine

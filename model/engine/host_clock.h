// The host's clock, and the steady time line that it carries over restarts and reboots (spec 4, "time").
// Threads: a Clock may be read from any thread; a SteadyLine belongs to the host's thread. Ownership: values, or held
// by whoever made them. Failure: none; a clock that goes back is held where it was.
#pragma once

#include "model/rules/fleet.h"
#include "model/rules/instant.h"

#include <cstdint>
#include <mutex>
#include <string>

namespace handreset::engine {

/// What a machine knows of the time. `now().steady` is the time since this boot, suspend included; it means nothing
/// without `bootId()`.
class Clock {
public:
    Clock() = default;
    Clock(const Clock &) = delete;
    Clock &operator=(const Clock &) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual rules::Now now() const = 0;
    /// Names this boot of the machine: boot times of two ids cannot be compared.
    [[nodiscard]] virtual std::string bootId() const = 0;
};

/// CLOCK_REALTIME, CLOCK_BOOTTIME and /proc/sys/kernel/random/boot_id.
class SystemClock final : public Clock {
public:
    SystemClock();
    [[nodiscard]] rules::Now now() const override;
    [[nodiscard]] std::string bootId() const override { return m_bootId; }

private:
    std::string m_bootId; ///< where the kernel does not tell it: one of this process's own, so that no time is trusted
};

/// A clock that a test, or the demo's script, moves by hand.
class FakeClock final : public Clock {
public:
    explicit FakeClock(rules::Instant wall, rules::Steady boot = {rules::hours(1).micros},
                       std::string bootId = "boot-1");

    [[nodiscard]] rules::Now now() const override;
    [[nodiscard]] std::string bootId() const override;

    /// Time passes: both times move on.
    void advance(rules::Duration by);
    /// Somebody sets the wall clock: boot time stays.
    void jumpWall(rules::Duration by);
    /// The machine starts anew: boot time begins at `boot`, `off` later on the wall.
    void reboot(std::string bootId, rules::Duration off, rules::Steady boot = {0});

private:
    mutable std::mutex m_mutex;
    rules::Now m_now;
    std::string m_bootId;
};

/// The fleet's steady time. Within one boot it runs with boot time, restarts of the host included, so that what was
/// left of a cooldown goes on. Over a reboot it goes on from the last event: the time in between is never counted.
class SteadyLine {
public:
    SteadyLine() = default;
    /// Goes on where the fleet's log ends.
    SteadyLine(const rules::Fleet &fleet, const Clock &clock);

    /// The wall time as it is, and the fleet's steady time, which never goes back.
    [[nodiscard]] rules::Now now(const Clock &clock);

private:
    rules::Duration m_offset; ///< steady minus boot time
    rules::Steady m_last;
};

} // namespace handreset::engine

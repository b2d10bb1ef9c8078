// Points and lengths of time as the rules know them. The rules never read a clock: time is passed in.
// Pure values; any thread.
#pragma once

#include <compare>
#include <cstdint>

namespace handreset::rules {

/// A length of time in microseconds.
struct Duration {
    std::int64_t micros = 0;

    constexpr auto operator<=>(const Duration &) const noexcept = default;
    constexpr Duration operator+(Duration other) const noexcept { return {micros + other.micros}; }
    constexpr Duration operator-(Duration other) const noexcept { return {micros - other.micros}; }
};

constexpr Duration microseconds(std::int64_t n) noexcept { return {n}; }
constexpr Duration milliseconds(std::int64_t n) noexcept { return {n * 1'000}; }
constexpr Duration seconds(std::int64_t n) noexcept { return {n * 1'000'000}; }
constexpr Duration minutes(std::int64_t n) noexcept { return seconds(n * 60); }
constexpr Duration hours(std::int64_t n) noexcept { return minutes(n * 60); }

/// A point of wall-clock time: microseconds since 1970-01-01T00:00:00 UTC. Calendar windows run on it.
struct Instant {
    std::int64_t micros = 0;

    constexpr auto operator<=>(const Instant &) const noexcept = default;
    constexpr Instant operator+(Duration d) const noexcept { return {micros + d.micros}; }
    constexpr Instant operator-(Duration d) const noexcept { return {micros - d.micros}; }
    constexpr Duration operator-(Instant other) const noexcept { return {micros - other.micros}; }
};

/// A point on the time line that never jumps: boot time, carried on over restarts and reboots by the host.
/// Cooldowns, leases and watch times run on it (spec 4), so a moved wall clock cannot end one early.
struct Steady {
    std::int64_t micros = 0;

    constexpr auto operator<=>(const Steady &) const noexcept = default;
    constexpr Steady operator+(Duration d) const noexcept { return {micros + d.micros}; }
    constexpr Steady operator-(Duration d) const noexcept { return {micros - d.micros}; }
    constexpr Duration operator-(Steady other) const noexcept { return {micros - other.micros}; }
};

/// The two times of one moment, as the host read them.
struct Now {
    Instant wall;
    Steady steady;
    constexpr bool operator==(const Now &) const noexcept = default;

    template <class V, class S>
    static constexpr void describe(V &v, S &self)
    {
        v(1, "wall", self.wall);
        v(2, "steady", self.steady);
    }
};

} // namespace handreset::rules

// How long something took, counted in buckets: cheap to add to, read while it is added to. Any thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace handreset::engine {

class Latency {
public:
    /// Upper bounds in microseconds; one bucket more is for what is longer.
    static constexpr std::array<std::int64_t, 14> kBounds{100,    250,    500,     1'000,   2'500,     5'000,     10'000,
                                                          25'000, 50'000, 100'000, 250'000, 1'000'000, 5'000'000, 30'000'000};

    void add(std::chrono::microseconds time) noexcept
    {
        const auto place = std::lower_bound(kBounds.begin(), kBounds.end(), time.count());
        m_counts[static_cast<std::size_t>(place - kBounds.begin())].fetch_add(1, std::memory_order_relaxed);
        m_micros.fetch_add(time.count(), std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t count(std::size_t bucket) const noexcept
    {
        return m_counts[bucket].load(std::memory_order_relaxed);
    }
    /// All times together.
    [[nodiscard]] std::int64_t micros() const noexcept { return m_micros.load(std::memory_order_relaxed); }

private:
    std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> m_counts{};
    std::atomic<std::int64_t> m_micros{0};
};

} // namespace handreset::engine

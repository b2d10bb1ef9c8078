// What the agents' door has seen, counted where it happens. Written by the I/O thread, read by any; each number is
// right by itself, together they may be a moment apart.
#pragma once

#include <atomic>
#include <cstdint>

namespace handreset::gate {

struct Counters {
    std::atomic<std::uint64_t> open{0};
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> requests{0};
    std::atomic<std::uint64_t> badRequests{0};
    std::atomic<std::uint64_t> refused{0};
    std::atomic<std::uint64_t> gaveWay{0};
    std::atomic<std::uint64_t> idleTimeouts{0};
    std::atomic<std::uint64_t> headTimeouts{0};
    std::atomic<std::uint64_t> bodyTimeouts{0};
    std::atomic<std::uint64_t> answerTimeouts{0};
    std::atomic<std::uint64_t> writeTimeouts{0};
    std::atomic<std::uint64_t> brokenOff{0};
    std::atomic<std::uint64_t> acceptFailures{0};
    std::atomic<std::uint64_t> faults{0};

    static void add(std::atomic<std::uint64_t> &counter) noexcept { counter.fetch_add(1, std::memory_order_relaxed); }
};

} // namespace handreset::gate

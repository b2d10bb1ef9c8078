// How a rate is measured and told: the best of some rounds, beside a peer that does the least that the work could be.
// Benchmarks only; one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>

namespace handreset::bench {

/// Things per second of the clock on the wall, and per second of one core's work: on a busy machine only the second
/// says what the work costs.
struct Rate {
    double wall = 0;
    double core = 0;
};

/// Seconds of work of all of the program's threads.
inline double coreSeconds()
{
    timespec spent{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) / 1e9;
}

/// The best of `rounds`; `work` does one round and returns how many things it did.
template <class Work>
Rate rateOf(int rounds, Work work)
{
    Rate best;
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        const double spent = coreSeconds();
        const auto things = static_cast<double>(work());
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        best.wall = std::max(best.wall, things / took.count());
        best.core = std::max(best.core, things / (coreSeconds() - spent));
    }
    return best;
}

inline void tellHeading()
{
    std::printf("%-27s %11s %11s  %-9s %11s %7s\n", "", "a second", "core second", "", "peer, core", "ratio");
}

/// One line of the table: our rates, the peer's, and how many times the peer's work ours is.
inline void tell(const std::string &what, const std::string &unit, Rate rate, const std::string &peer, Rate peerRate)
{
    std::printf("%-27s %11.0f %11.0f  %-9s %11.0f %7.2f  (%s)\n", what.c_str(), rate.wall, rate.core, unit.c_str(),
                peerRate.core, rate.core > 0 ? peerRate.core / rate.core : 0, peer.c_str());
    std::fflush(stdout);
}

} // namespace handreset::bench

// How a rate is measured and told: the best of some rounds, beside a peer that does the least that the work could be.
// Benchmarks only; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace handreset::bench {

/// Things per second in the best of `rounds`; `work` does one round and returns how many things it did.
template <class Work>
double rateOf(int rounds, Work work)
{
    double best = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        const std::uint64_t things = work();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        const double rate = static_cast<double>(things) / took.count();
        best = rate > best ? rate : best;
    }
    return best;
}

/// One line of the table: our rate, the peer's, and how many times the peer's time we take.
inline void tell(const std::string &what, const std::string &unit, double rate, const std::string &peer, double peerRate)
{
    std::printf("%-30s %12.0f %-9s  peer %12.0f  ratio %5.2f  (%s)\n", what.c_str(), rate, unit.c_str(), peerRate,
                rate > 0 ? peerRate / rate : 0, peer.c_str());
    std::fflush(stdout);
}

} // namespace handreset::bench

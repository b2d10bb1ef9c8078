// Many connections, each with one question out at a time, driven by one thread: what a server takes in a second, and
// how long an answer takes. Benchmarks only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::bench {

/// Where the server is: a Unix socket's path, or a port of this machine.
struct Server {
    std::string path;
    std::uint16_t port = 0;
};

/// How one kind of server is asked.
struct Protocol {
    /// The bytes of the next question on this connection.
    std::function<std::string(std::size_t connection, std::uint64_t number)> ask;
    /// The length of the whole answer that begins `bytes`; 0: more is to come.
    std::function<std::size_t(std::string_view bytes)> lengthOf;
    /// Whether the answer is what it should be; a wrong one ends the run.
    std::function<bool(std::string_view answer)> isGood;
};

struct Load {
    double perSecond = 0;
    std::chrono::microseconds p50{};
    std::chrono::microseconds p99{};
    std::chrono::microseconds worst{};
    std::string fault; ///< what went wrong; empty: nothing
};

/// Whether somebody listens there.
[[nodiscard]] bool isListening(const Server &server);

/// Asks over `connections` for about `seconds`.
[[nodiscard]] Load loadOf(const Server &server, const Protocol &protocol, std::size_t connections, double seconds);

} // namespace handreset::bench

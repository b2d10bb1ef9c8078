// How much one client of the agents' door may take, and for how long (spec 5). The figures that stand here are those of
// service; tests choose shorter ones. Values; any thread.
#pragma once

#include <chrono>
#include <cstddef>

namespace handreset::gate {

struct Limits {
    std::size_t head = std::size_t{16} * 1024;     ///< bytes from the request line to the empty line; more is a 431
    std::size_t headers = 64;                      ///< lines after the request line; more is a 431
    std::size_t target = std::size_t{4} * 1024;    ///< bytes; more is a 414
    std::size_t body = std::size_t{256} * 1024;    ///< bytes without chunk framing; more is a 413
    std::size_t chunkLine = std::size_t{1} * 1024; ///< one chunk's size with its extensions; more is a 400
    /// Everything of a chunked body that is not its data: sizes, extensions, line ends, trailers; more is a 413.
    std::size_t chunkFraming = std::size_t{64} * 1024;

    /// Fewer where the process may not have as many descriptors; above it the oldest idle one gives way.
    std::size_t connections = 4096;
    std::size_t spareDescriptors = 64; ///< that the rest of the process may need

    /// Of bodies that are still arriving, on all connections together; who goes past it gets a 503.
    std::size_t bodiesTogether = std::size_t{64} * 1024 * 1024;

    std::chrono::milliseconds idle{60'000};      ///< until the first byte, and between requests; then it is closed
    std::chrono::milliseconds wholeHead{5'000};  ///< from a request's first byte; then a 408
    std::chrono::milliseconds wholeBody{10'000}; ///< from the head's end; then a 408
    std::chrono::milliseconds answering{30'000}; ///< for the handler; then a 503, and its answer is dropped
    std::chrono::milliseconds writing{10'000};   ///< for the client to take what waits for it; then it is cut
    std::chrono::milliseconds lingering{2'000};  ///< after the last answer, for the client to read it and to close
    std::chrono::milliseconds closing{2'000};    ///< in close(), for answers that are on their way
    std::size_t lingerBytes = std::size_t{1024} * 1024; ///< that are read and thrown away meanwhile; then it is cut
};

} // namespace handreset::gate

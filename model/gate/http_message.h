// What crosses the agents' door: a request as the routes see it, their answer, and what is wrong with bytes that are
// neither. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::gate {

/// Where a connection came in: the Unix socket, or TCP on the loopback interface.
enum class Door : std::uint8_t { Unix, Tcp };

/// A whole request, its framing undone. What is not here (other headers, trailers) was read and left out.
struct Request {
    std::string method;          ///< GET HEAD POST PUT PATCH DELETE OPTIONS; others were refused
    std::string target;          ///< path and query as they came, percent signs and all: "/v1/steps?x"; "*" for OPTIONS
    std::string contentType;     ///< empty: none was sent
    std::string contentEncoding; ///< empty: none was sent
    std::string authorization;   ///< "Bearer …"; empty: none was sent
    std::string body;
    bool overUnixSocket = false;
    std::uint32_t peerUid = 0; ///< who connected, as the kernel says; only over the Unix socket
};

struct Answer {
    int status = 200; ///< 200 to 599. 204 and 304 have no body, whatever `body` says
    std::string body;
    std::string contentType = "application/json";
    std::string allow;             ///< for a 405: "GET, HEAD"
    std::optional<int> retryAfter; ///< seconds
    bool close = false;            ///< nothing more is taken from this connection
};

/// Why bytes are no request. The texts are literals.
struct Problem {
    int status = 400;
    std::string_view code; ///< for machines
    std::string_view text; ///< for people
};

} // namespace handreset::gate

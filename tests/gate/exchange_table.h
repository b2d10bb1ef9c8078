// The table of what comes to the agents' door and what it must get, row by row: each a whole exchange in bytes, with
// the exact statuses. What is behind `smuggled()` must never reach the routes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace handreset::test {

struct Exchange {
    std::string name;
    std::string bytes;
    std::string overTcp;  ///< statuses in order, "100 200"; empty: closed without a word
    std::string overUnix; ///< the same, over the Unix socket
    bool closes = true;   ///< the server ends the connection by itself; otherwise one more request is answered on it
    bool isHead = false;  ///< the answers have no bodies
};

/// At least 300, of which none waits for the server's time to run out.
[[nodiscard]] const std::vector<Exchange> &exchanges();
/// Those that are never finished, and are ended in time.
[[nodiscard]] const std::vector<Exchange> &unfinishedExchanges();
/// A request as text that must never be seen as one.
[[nodiscard]] std::string smuggled();
inline constexpr std::string_view kSmuggledTarget = "/smuggled";

} // namespace handreset::test

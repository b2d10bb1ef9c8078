// The secrets of the agents' door: what a token looks like, and how one is made (spec 5). Any thread. The caller keeps
// the secret; the log has its hash.
#pragma once

#include <string>
#include <string_view>

namespace handreset::trust {

/// What every secret begins with, so that people, and scanners of leaks, know one.
inline constexpr std::string_view kTokenHead = "hrt_";

/// A new one: the head, then 43 characters of A-Z a-z 0-9 - _ that hold 256 random bits.
[[nodiscard]] std::string newTokenSecret();

} // namespace handreset::trust

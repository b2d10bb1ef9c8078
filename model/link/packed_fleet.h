// A fleet's state, packed for the wire and back. Pure; any thread.
// Failure: what does not fit, or is no state, is an Error; nothing that comes from outside takes more memory than
// kMostFleetBytes.
#pragma once

#include "model/rules/fleet.h"
#include "model/rules/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace handreset::link {

/// Of one state, unpacked.
inline constexpr std::size_t kMostFleetBytes = std::size_t{512} * 1024 * 1024;

/// Unavailable where the packed state would not fit into one message.
[[nodiscard]] rules::Result<std::string> packFleet(const rules::Fleet &fleet);
[[nodiscard]] rules::Result<rules::Fleet> unpackFleet(std::string_view packed);

} // namespace handreset::link

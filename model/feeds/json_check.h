// Checks JSON that is kept as it stands: simdjson steps over a value without looking into it, and what is written
// down as arguments must be JSON all through. Internal to model/feeds. Pure; the document's thread.
#pragma once

#include <simdjson.h>

#include <string_view>

namespace handreset::feeds {

/// Deeper nesting than this is not JSON that anybody meant; the parser refuses it too.
inline constexpr int kDeepestValue = 256;

/// True when the value is JSON all through (RFC 8259; numbers of any size, escapes of any code unit). The value is
/// used up. Sets `text` to its text as it stands, without white space around it.
[[nodiscard]] bool takeWhole(simdjson::ondemand::value value, std::string_view &text, int depth = 0);

/// A string's token with its quotes: true when every escape in it is one of RFC 8259's.
[[nodiscard]] bool escapesAreWhole(std::string_view token);

} // namespace handreset::feeds

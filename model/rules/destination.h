// Which destinations a tool's envelope allows (spec 3.3): exact values and full-match patterns.
// Values; a matcher may be asked from several threads at once. Never throws.
#pragma once

#include "model/rules/policy.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::rules {

/// A destination of more bytes is outside, whatever the list says.
inline constexpr std::size_t kMostDestinationBytes = 4096;
/// A destination of more bytes is compared with the exact values only.
inline constexpr std::size_t kMostMatchedBytes = 512;
/// The longest pattern, in bytes.
inline constexpr std::size_t kMostPatternBytes = 256;
/// The largest pattern once its counts are written out: "(ab){20}" counts 40.
inline constexpr std::size_t kMostPatternSize = 1000;

/// Nothing when `pattern` (without `re:`) is an ECMAScript regular expression that can be matched in a time bounded by
/// its size times the destination's length; otherwise what is wrong, ready for a message. Look-ahead and
/// back-references are refused: they have no such bound. Bytes outside ASCII are refused: matching goes byte by byte.
[[nodiscard]] std::optional<std::string> patternFault(const std::string &pattern);

/// A destination cap, compiled once. A pattern that cannot be compiled matches nothing (the policy's check refuses
/// it), so the cap then holds more tightly, never more loosely.
class DestinationMatcher {
public:
    explicit DestinationMatcher(const DestinationCap &cap);

    /// True when `destination` equals an exact value byte by byte, or a pattern matches all of it.
    [[nodiscard]] bool allows(std::string_view destination) const;

private:
    struct Compiled;
    std::shared_ptr<const Compiled> m_compiled; ///< shared, so that copies are cheap
};

} // namespace handreset::rules

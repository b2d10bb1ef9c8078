// The canonical form of JSON (RFC 8785): members sorted, no blanks, one spelling of each number and string.
// Equal values have equal text. Reading is as strict as json.h. Pure; any thread.
#pragma once

#include "model/rules/json.h"
#include "model/rules/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace handreset::rules {

enum class CanonicalNumbers : std::uint8_t {
    Rfc8785, ///< as IEEE doubles, which merges 9007199254740993 with …992; what no double holds is an error
    Exact, ///< the same, but a number whose value would change keeps it: "9.007199254740993e+15" (spec 3.3 Repetition)
};

/// What is done with the values that a caller names.
enum class Hidden : std::uint8_t {
    LeftOut,  ///< members and elements vanish; the root becomes null
    Redacted, ///< they become the string "[redacted]"
};

/// What stands for a value that must not be written (policy `redact`).
constexpr std::string_view kRedacted = "[redacted]";

/// Appends the canonical form of `text`. BadInput as JsonDocument::parse; `out` is then as it was.
[[nodiscard]] Result<void> appendCanonicalJson(std::string &out, std::string_view text,
                                               CanonicalNumbers numbers = CanonicalNumbers::Rfc8785);
[[nodiscard]] Result<std::string> canonicalJson(std::string_view text,
                                                CanonicalNumbers numbers = CanonicalNumbers::Rfc8785);

/// Appends the canonical form of a value that was read, in exact numbers. `hidden` holds values of the same document,
/// in any order.
void appendCanonicalJson(std::string &out, JsonValue value, std::span<const JsonValue> hidden = {},
                         Hidden how = Hidden::LeftOut);

/// RFC 8785's order of names (3.2.3): by UTF-16 code units. Below zero, zero or above, as for `compare`.
[[nodiscard]] int compareUtf16(std::string_view a, std::string_view b) noexcept;

} // namespace handreset::rules

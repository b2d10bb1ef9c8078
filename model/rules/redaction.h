// What of a call's arguments may be written: redacted before it reaches the log (spec 4, policy `redact`).
// Pure; any thread.
#pragma once

#include "model/rules/pointer.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace handreset::rules {

/// Arguments as they may be kept.
struct RedactedArguments {
    std::string text;        ///< canonical JSON with exact numbers, or bytes where `isJson` is false
    bool isJson = false;     ///< false too where the text was cut
    bool isRedacted = false; ///< a value, or all of it, was replaced: what-if must not evaluate it
    bool isCut = false;      ///< the text was longer than allowed; its beginning is kept
    bool operator==(const RedactedArguments &) const = default;
};

/// Replaces each value that `redact` names by "[redacted]", and each value on the way there that is of another shape
/// than the pointer was written for (a text that may itself be JSON, a list in place of an object): the secret may
/// stand inside. Where the arguments are not valid JSON the secret cannot be found: with any pointer all of the text is
/// replaced, without one the bytes are kept. What is longer than `maxBytes` is cut there, never within a UTF-8
/// sequence.
[[nodiscard]] RedactedArguments redactArguments(std::string_view argumentsText, std::span<const Pointer> redact,
                                                std::size_t maxBytes);

} // namespace handreset::rules

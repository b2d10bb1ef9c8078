// When two tool calls are the same call (spec 3.3 Repetition). Pure; any thread.
#pragma once

#include "model/rules/pointer.h"
#include "model/rules/sha256.h"

#include <span>
#include <string>
#include <string_view>

namespace handreset::rules {

/// A call's arguments in the form in which they are compared and kept.
struct CanonicalArguments {
    std::string text;    ///< RFC 8785 with exact numbers; the bytes as they came where `isJson` is false
    bool isJson = false; ///< false: not valid JSON, a name twice, bad UTF-8, too deep
    bool operator==(const CanonicalArguments &) const = default;
};

[[nodiscard]] CanonicalArguments canonicalArguments(std::string_view argumentsText);

/// What makes calls equal.
struct CallIdentity {
    Digest digest{};     ///< over the tool's name and the arguments
    bool isJson = false; ///< false: the arguments were compared byte by byte
    bool operator==(const CallIdentity &) const = default;
};

/// Equal for the same tool and equal arguments: the order of members, blanks and the spelling of numbers and strings
/// do not matter, the order of elements does; a number that no double holds counts as its exact decimal. Values that
/// `ignore` names are left out. What is not valid JSON counts byte by byte, and equals no JSON.
[[nodiscard]] CallIdentity identify(std::string_view tool, std::string_view argumentsText,
                                    std::span<const Pointer> ignore = {});
/// The same for arguments that `canonicalArguments` gave.
[[nodiscard]] CallIdentity identify(std::string_view tool, const CanonicalArguments &arguments,
                                    std::span<const Pointer> ignore = {});

} // namespace handreset::rules

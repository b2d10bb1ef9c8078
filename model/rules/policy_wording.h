// The wording of a policy's problems: what was meant, what is known, how a value is shown.
// Internal to the reading of policies. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace handreset::rules::policytext {

/// The known word that a slip of the hand or two would turn into `word`; empty where none is near.
[[nodiscard]] std::string nearestWord(std::string_view word, std::span<const std::string_view> known);

/// "a, b, c", each between two `quote`.
[[nodiscard]] std::string listWords(std::span<const std::string_view> words, std::string_view quote);

/// In quotes, cut where it is long, so that a page of text does not become the message.
[[nodiscard]] std::string shortened(std::string_view text);

/// "a whole number", "a list": what stands there, for people.
[[nodiscard]] std::string_view typeName(const toml::node &node);

} // namespace handreset::rules::policytext

// UTF-8, strictly (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace handreset::rules {

/// True when every byte belongs to a well-formed sequence. An empty text is valid.
[[nodiscard]] bool isUtf8(std::string_view text) noexcept;

/// Length in bytes of the well-formed sequence that begins `text`; 0 where none does (or the text is empty).
[[nodiscard]] std::size_t utf8SequenceLength(std::string_view text) noexcept;

/// The code point of one well-formed sequence, as `utf8SequenceLength` measured it.
[[nodiscard]] char32_t codePointOf(std::string_view sequence) noexcept;

/// Appends the scalar value's sequence. `codePoint` must be at most U+10FFFF and no surrogate.
void appendUtf8(std::string &out, char32_t codePoint);

} // namespace handreset::rules

// The small spellings that key files and pins share. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace handreset::trust {

/// Small hexadecimal digits.
[[nodiscard]] std::string toHex(std::string_view bytes);
[[nodiscard]] std::string toHex(std::span<const std::uint8_t> bytes);
/// Nothing unless these are `size` bytes in small hexadecimal digits.
[[nodiscard]] std::optional<std::string> fromHex(std::string_view text, std::size_t size);

/// The name with all but letters, digits, '-' and '_' as "%2E": one word on a line, no path and no suffix in a folder.
[[nodiscard]] std::string percentEncoded(std::string_view name);
/// Nothing for what `percentEncoded` would not have written.
[[nodiscard]] std::optional<std::string> percentDecoded(std::string_view text);
/// As `percentEncoded`, and short enough for every file system: a long name's rest is told by its hash.
[[nodiscard]] std::string fileNameFor(std::string_view name);

/// 32 small hexadecimal digits, as each store has them for a name.
[[nodiscard]] bool isStoreId(std::string_view text) noexcept;

/// The text with a last line that tells damage apart from everything else.
[[nodiscard]] std::string withCheckLine(std::string text);
/// The text before that line; nothing where the line is missing or does not fit.
[[nodiscard]] std::optional<std::string_view> withoutCheckLine(std::string_view text);

/// The rest of the next line, which must begin with this word and a space; it is then taken off. Nothing otherwise.
[[nodiscard]] std::optional<std::string_view> takeField(std::string_view &text, std::string_view word);

} // namespace handreset::trust

// The classes of characters of RFC 9110 (5.6.2) and RFC 3986 that the door tells apart. Without locale. Pure; any
// thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace handreset::gate {

namespace detail {
constexpr std::array<bool, 256> classOf(std::string_view others)
{
    std::array<bool, 256> isIn{};
    for (const std::string_view part : {std::string_view("abcdefghijklmnopqrstuvwxyz"),
                                        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"), others})
        for (const char c : part)
            isIn[static_cast<unsigned char>(c)] = true;
    return isIn;
}
inline constexpr std::array<bool, 256> kTokenCharacters = classOf("!#$%&'*+-.^_`|~");
inline constexpr std::array<bool, 256> kTargetCharacters = classOf("-._~!$&'()*+,;=:@/?");
} // namespace detail

constexpr bool isDigit(char c) noexcept
{
    return c >= '0' && c <= '9';
}
constexpr bool isHexDigit(char c) noexcept
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr bool isBlank(char c) noexcept
{
    return c == ' ' || c == '\t';
}
constexpr bool isControl(char c) noexcept
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}
constexpr bool isTokenCharacter(char c) noexcept
{
    return detail::kTokenCharacters[static_cast<unsigned char>(c)];
}
constexpr bool isToken(std::string_view text) noexcept
{
    // A lambda: a pointer to the function would be called for each character.
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return isTokenCharacter(c); });
}
/// Characters of a path and a query, each percent sign followed by two hexadecimal digits. Empty is one.
constexpr bool isTargetText(std::string_view text) noexcept
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (detail::kTargetCharacters[static_cast<unsigned char>(text[i])])
            continue;
        if (text[i] != '%' || i + 2 >= text.size() || !isHexDigit(text[i + 1]) || !isHexDigit(text[i + 2]))
            return false;
    }
    return true;
}
constexpr char lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
/// Whether `text` in lower case is `lowerCase`.
constexpr bool equalsLower(std::string_view text, std::string_view lowerCase) noexcept
{
    return std::equal(text.begin(), text.end(), lowerCase.begin(), lowerCase.end(),
                      [](char a, char b) { return lower(a) == b; });
}

} // namespace handreset::gate

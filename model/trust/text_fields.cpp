#include "model/trust/text_fields.h"

#include "model/rules/sha256.h"

#include <algorithm>

namespace handreset::trust {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::string_view kLargeDigits = "0123456789ABCDEF";
constexpr std::string_view kCheck = "check ";

bool isPlain(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// The value of two digits; nothing where one is none.
std::optional<char> byteOf(std::string_view two, std::string_view digits) noexcept
{
    if (two.size() != 2)
        return {};
    const auto high = digits.find(two[0]);
    const auto low = digits.find(two[1]);
    if (high == std::string_view::npos || low == std::string_view::npos)
        return {};
    return static_cast<char>(high << 4U | low);
}

} // namespace

std::string toHex(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

std::string toHex(std::span<const std::uint8_t> bytes)
{
    return toHex(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
}

std::optional<std::string> fromHex(std::string_view text, std::size_t size)
{
    if (text.size() != size * 2)
        return {};
    std::string bytes;
    bytes.reserve(size);
    for (std::size_t at = 0; at < text.size(); at += 2) {
        const auto byte = byteOf(text.substr(at, 2), kDigits);
        if (!byte)
            return {};
        bytes += *byte;
    }
    return bytes;
}

std::string percentEncoded(std::string_view name)
{
    std::string text;
    for (const char c : name) {
        if (isPlain(c)) {
            text += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        text += '%';
        text += kLargeDigits[byte >> 4U];
        text += kLargeDigits[byte & 15U];
    }
    return text;
}

std::optional<std::string> percentDecoded(std::string_view text)
{
    std::string name;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (isPlain(text[at])) {
            name += text[at];
            continue;
        }
        const auto byte = text[at] == '%' ? byteOf(text.substr(at + 1, 2), kLargeDigits) : std::nullopt;
        if (!byte || isPlain(*byte))
            return {};
        name += *byte;
        at += 2;
    }
    return name;
}

std::string fileNameFor(std::string_view name)
{
    constexpr std::size_t kMost = 150;
    std::string text = percentEncoded(name);
    if (text.size() > kMost)
        text = text.substr(0, kMost - 65) + "~" + rules::toHex(rules::sha256(name));
    return text;
}

bool isStoreId(std::string_view text) noexcept
{
    return text.size() == 32
        && std::all_of(text.begin(), text.end(), [](char c) { return kDigits.find(c) != std::string_view::npos; });
}

std::string withCheckLine(std::string text)
{
    const auto digest = rules::toHex(rules::sha256(text));
    text += kCheck;
    text += digest;
    text += '\n';
    return text;
}

std::optional<std::string_view> withoutCheckLine(std::string_view text)
{
    constexpr std::size_t kLine = kCheck.size() + 65;
    if (text.size() < kLine)
        return {};
    const auto content = text.substr(0, text.size() - kLine);
    if (withCheckLine(std::string(content)) != text)
        return {};
    return content;
}

std::optional<std::string_view> takeField(std::string_view &text, std::string_view word)
{
    const auto end = text.find('\n');
    if (end == std::string_view::npos || end <= word.size() || !text.starts_with(word) || text[word.size()] != ' ')
        return {};
    const auto rest = text.substr(word.size() + 1, end - word.size() - 1);
    text.remove_prefix(end + 1);
    return rest;
}

} // namespace handreset::trust

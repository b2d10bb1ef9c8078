#include "model/rules/utf8.h"

#include <cstdint>
#include <cstring>

namespace handreset::rules {

namespace {

constexpr bool isBetween(char c, unsigned low, unsigned high) noexcept
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= low && byte <= high;
}

} // namespace

std::size_t utf8SequenceLength(std::string_view text) noexcept
{
    if (text.empty())
        return 0;
    const auto first = static_cast<unsigned char>(text[0]);
    if (first < 0x80)
        return 1;
    std::size_t length = 0;
    unsigned low = 0x80; // the second byte's range keeps out overlong forms, surrogates and what is above U+10FFFF
    unsigned high = 0xBF;
    if (first >= 0xC2 && first <= 0xDF) {
        length = 2;
    } else if (first >= 0xE0 && first <= 0xEF) {
        length = 3;
        low = first == 0xE0 ? 0xA0 : 0x80;
        high = first == 0xED ? 0x9F : 0xBF;
    } else if (first >= 0xF0 && first <= 0xF4) {
        length = 4;
        low = first == 0xF0 ? 0x90 : 0x80;
        high = first == 0xF4 ? 0x8F : 0xBF;
    }
    if (length == 0 || text.size() < length || !isBetween(text[1], low, high))
        return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if (!isBetween(text[i], 0x80, 0xBF))
            return 0;
    }
    return length;
}

bool isUtf8(std::string_view text) noexcept
{
    while (!text.empty()) {
        std::uint64_t word = 0;
        if (text.size() >= sizeof word) {
            std::memcpy(&word, text.data(), sizeof word);
            if ((word & 0x8080808080808080ULL) == 0) { // eight ASCII bytes at once: the usual case
                text.remove_prefix(sizeof word);
                continue;
            }
        }
        const std::size_t length = utf8SequenceLength(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

char32_t codePointOf(std::string_view sequence) noexcept
{
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(sequence[i])); };
    switch (sequence.size()) {
    case 1:
        return byte(0);
    case 2:
        return (byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU);
    case 3:
        return (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
    default:
        return (byte(0) & 0x07U) << 18U | (byte(1) & 0x3FU) << 12U | (byte(2) & 0x3FU) << 6U | (byte(3) & 0x3FU);
    }
}

void appendUtf8(std::string &out, char32_t codePoint)
{
    const auto append = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (codePoint < 0x80) {
        append(codePoint);
    } else if (codePoint < 0x800) {
        append(0xC0 | (codePoint >> 6));
        append(0x80 | (codePoint & 0x3F));
    } else if (codePoint < 0x10000) {
        append(0xE0 | (codePoint >> 12));
        append(0x80 | ((codePoint >> 6) & 0x3F));
        append(0x80 | (codePoint & 0x3F));
    } else {
        append(0xF0 | (codePoint >> 18));
        append(0x80 | ((codePoint >> 12) & 0x3F));
        append(0x80 | ((codePoint >> 6) & 0x3F));
        append(0x80 | (codePoint & 0x3F));
    }
}

} // namespace handreset::rules

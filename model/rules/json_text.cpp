#include "model/rules/json_text.h"

#include "model/rules/utf8.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace handreset::rules {

namespace {

/// True for the bytes that stand for themselves in a JSON string.
constexpr std::array<bool, 256> makePlainBytes()
{
    std::array<bool, 256> plain{};
    for (std::size_t i = 0x20; i < 0x80; ++i)
        plain[i] = i != '"' && i != '\\';
    return plain;
}
constexpr std::array<bool, 256> kPlain = makePlainBytes();

void appendEscaped(std::string &out, unsigned char c)
{
    constexpr std::string_view hex = "0123456789abcdef";
    switch (c) {
    case '"':
        out.append("\\\"");
        return;
    case '\\':
        out.append("\\\\");
        return;
    case '\b':
        out.append("\\b");
        return;
    case '\t':
        out.append("\\t");
        return;
    case '\n':
        out.append("\\n");
        return;
    case '\f':
        out.append("\\f");
        return;
    case '\r':
        out.append("\\r");
        return;
    default:
        out.append("\\u00");
        out.push_back(hex[c >> 4]);
        out.push_back(hex[c & 0xF]);
    }
}

} // namespace

void appendJsonString(std::string &out, std::string_view text)
{
    out.push_back('"');
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t start = i;
        while (i < text.size() && kPlain[static_cast<unsigned char>(text[i])])
            ++i;
        out.append(text.substr(start, i - start));
        if (i == text.size())
            break;
        const auto c = static_cast<unsigned char>(text[i]);
        if (c < 0x80) {
            appendEscaped(out, c);
            ++i;
        } else if (const std::size_t length = utf8SequenceLength(text.substr(i)); length != 0) {
            out.append(text.substr(i, length));
            i += length;
        } else {
            out.append("\xEF\xBF\xBD");
            ++i;
        }
    }
    out.push_back('"');
}

bool appendJsonNumber(std::string &out, double value)
{
    if (!std::isfinite(value))
        return false;
    if (value == 0) { // -0 too: RFC 8785 3.2.2.3
        out.push_back('0');
        return true;
    }
    std::array<char, 32> buffer;
    const auto written
        = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
    if (text.front() == '-') {
        out.push_back('-');
        text.remove_prefix(1);
    }
    // Shortest form d.ddde±xx. With k digits and the point after n of them, ECMA-262 Number::toString decides:
    const std::size_t e = text.find('e');
    int exponent = 0;
    const char *exponentStart = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
    std::from_chars(exponentStart, text.data() + text.size(), exponent);
    std::array<char, 20> digits;
    int k = 0;
    for (const char c : text.substr(0, e)) {
        if (c != '.')
            digits[static_cast<std::size_t>(k++)] = c;
    }
    const int n = exponent + 1;
    const auto append
        = [&](int from, int to) { out.append(digits.data() + from, static_cast<std::size_t>(to - from)); };
    if (k <= n && n <= 21) {
        append(0, k);
        out.append(static_cast<std::size_t>(n - k), '0');
    } else if (0 < n && n <= 21) {
        append(0, n);
        out.push_back('.');
        append(n, k);
    } else if (-6 < n && n <= 0) {
        out.append("0.");
        out.append(static_cast<std::size_t>(-n), '0');
        append(0, k);
    } else {
        append(0, 1);
        if (k > 1) {
            out.push_back('.');
            append(1, k);
        }
        out.append(n - 1 < 0 ? "e-" : "e+");
        out.append(std::to_string(n - 1 < 0 ? 1 - n : n - 1));
    }
    return true;
}

} // namespace handreset::rules

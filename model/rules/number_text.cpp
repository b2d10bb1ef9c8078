#include "model/rules/number_text.h"

#include <algorithm>
#include <cstddef>

namespace handreset::rules {

namespace {

constexpr bool isDigit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

std::string_view takeDigits(std::string_view &text) noexcept
{
    const auto end = std::find_if_not(text.begin(), text.end(), isDigit);
    const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(digits.size());
    return digits;
}

bool takeExponent(std::string_view &text, NumberText &number) noexcept
{
    text.remove_prefix(1);
    bool isNegative = false;
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        isNegative = text.front() == '-';
        text.remove_prefix(1);
    }
    const std::string_view digits = takeDigits(text);
    for (const char c : digits)
        number.exponent = std::min(number.exponent * 10 + (c - '0'), NumberText::kMaxExponent);
    if (isNegative)
        number.exponent = -number.exponent;
    return !digits.empty();
}

} // namespace

std::optional<NumberText> NumberText::split(std::string_view text) noexcept
{
    NumberText number;
    if (!text.empty() && text.front() == '-') {
        number.isNegative = true;
        text.remove_prefix(1);
    }
    number.whole = takeDigits(text);
    if (number.whole.empty() || (number.whole.size() > 1 && number.whole.front() == '0'))
        return std::nullopt;
    if (!text.empty() && text.front() == '.') {
        text.remove_prefix(1);
        number.fraction = takeDigits(text);
        if (number.fraction.empty())
            return std::nullopt;
    }
    if (!text.empty() && (text.front() == 'e' || text.front() == 'E') && !takeExponent(text, number))
        return std::nullopt;
    if (!text.empty())
        return std::nullopt;
    return number;
}

ExactNumber ExactNumber::of(const NumberText &text)
{
    ExactNumber exact;
    const std::int64_t size = text.size();
    std::int64_t first = 0;
    while (first < size && text.digit(first) == '0')
        ++first;
    if (first == size)
        return exact;
    std::int64_t last = size;
    while (text.digit(last - 1) == '0')
        --last;
    exact.isNegative = text.isNegative;
    exact.digits.reserve(static_cast<std::size_t>(last - first));
    for (std::int64_t i = first; i < last; ++i)
        exact.digits.push_back(text.digit(i));
    exact.point = text.exponent + static_cast<std::int64_t>(text.whole.size()) - first;
    return exact;
}

void ExactNumber::appendTo(std::string &out) const
{
    if (digits.empty()) {
        out.push_back('0');
        return;
    }
    if (isNegative)
        out.push_back('-');
    out.push_back(digits.front());
    if (digits.size() > 1) {
        out.push_back('.');
        out.append(digits, 1);
    }
    out.push_back('e');
    if (point > 0)
        out.push_back('+');
    out.append(std::to_string(point - 1));
}

} // namespace handreset::rules

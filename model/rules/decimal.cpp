#include "model/rules/decimal.h"

#include <algorithm>
#include <cstddef>

namespace handreset::rules {

namespace {

constexpr int kPlaces = 9;
constexpr std::int64_t kMaxDigits = 36; // of billionths below 10^36

constexpr bool isDigit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

/// The parts of a number in JSON spelling (RFC 8259 section 6).
struct NumberParts {
    bool isNegative = false;
    std::string_view whole;
    std::string_view fraction;
    std::int64_t exponent = 0; ///< held at ±kMaxExponent, far beyond what any text's digits could make up for
    static constexpr std::int64_t kMaxExponent = 1'000'000'000'000'000;
};

std::string_view takeDigits(std::string_view &text) noexcept
{
    const auto end = std::find_if_not(text.begin(), text.end(), isDigit);
    const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(digits.size());
    return digits;
}

bool takeExponent(std::string_view &text, NumberParts &parts) noexcept
{
    text.remove_prefix(1);
    bool isNegative = false;
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        isNegative = text.front() == '-';
        text.remove_prefix(1);
    }
    const std::string_view digits = takeDigits(text);
    for (const char c : digits)
        parts.exponent = std::min(parts.exponent * 10 + (c - '0'), NumberParts::kMaxExponent);
    if (isNegative)
        parts.exponent = -parts.exponent;
    return !digits.empty();
}

std::optional<NumberParts> splitNumber(std::string_view text) noexcept
{
    NumberParts parts;
    if (!text.empty() && text.front() == '-') {
        parts.isNegative = true;
        text.remove_prefix(1);
    }
    parts.whole = takeDigits(text);
    if (parts.whole.empty() || (parts.whole.size() > 1 && parts.whole.front() == '0'))
        return std::nullopt;
    if (!text.empty() && text.front() == '.') {
        text.remove_prefix(1);
        parts.fraction = takeDigits(text);
        if (parts.fraction.empty())
            return std::nullopt;
    }
    if (!text.empty() && (text.front() == 'e' || text.front() == 'E') && !takeExponent(text, parts))
        return std::nullopt;
    if (!text.empty())
        return std::nullopt;
    return parts;
}

constexpr Decimal clamped(Int128 billionths) noexcept
{
    const Int128 most = Decimal::max().billionths();
    return Decimal::fromBillionths(billionths > most ? most : billionths < -most ? -most : billionths);
}

} // namespace

std::optional<Decimal> Decimal::parse(std::string_view text)
{
    const auto parts = splitNumber(text);
    if (!parts)
        return std::nullopt;
    const auto wholeSize = static_cast<std::int64_t>(parts->whole.size());
    const auto size = wholeSize + static_cast<std::int64_t>(parts->fraction.size());
    const auto digitAt = [&](std::int64_t i) {
        return i < wholeSize ? parts->whole[static_cast<std::size_t>(i)]
                             : parts->fraction[static_cast<std::size_t>(i - wholeSize)];
    };
    // Without zeros at either end the number is digits × 10^power billionths; both tests below are then exact.
    std::int64_t first = 0;
    while (first < size && digitAt(first) == '0')
        ++first;
    if (first == size)
        return Decimal();
    std::int64_t last = size;
    while (digitAt(last - 1) == '0')
        --last;
    const std::int64_t power = parts->exponent + wholeSize - last + kPlaces;
    if (power < 0 || last - first + power > kMaxDigits)
        return std::nullopt;
    Int128 billionths = 0;
    for (std::int64_t i = first; i < last; ++i)
        billionths = billionths * 10 + (digitAt(i) - '0');
    for (std::int64_t i = 0; i < power; ++i)
        billionths *= 10;
    return fromBillionths(parts->isNegative ? -billionths : billionths);
}

std::string Decimal::toString() const
{
    return toString(0);
}

std::string Decimal::toString(int places) const
{
    std::string reversed; // from the last place up, without the zeros that end the fraction
    Int128 rest = isNegative() ? -m_billionths : m_billionths;
    for (int place = kPlaces; place > 0; --place, rest /= 10) {
        const auto digit = static_cast<char>('0' + static_cast<int>(rest % 10));
        if (!reversed.empty() || digit != '0' || place <= places)
            reversed.push_back(digit);
    }
    if (!reversed.empty())
        reversed.push_back('.');
    do {
        reversed.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
        rest /= 10;
    } while (rest != 0);
    if (isNegative())
        reversed.push_back('-');
    std::reverse(reversed.begin(), reversed.end());
    if (places > kPlaces)
        reversed.append(static_cast<std::size_t>(places - kPlaces), '0');
    return reversed;
}

Decimal Decimal::operator+(Decimal o) const noexcept
{
    return clamped(m_billionths + o.m_billionths);
}

Decimal Decimal::operator-(Decimal o) const noexcept
{
    return clamped(m_billionths - o.m_billionths);
}

Decimal Decimal::timesOver(std::int64_t count, std::int64_t per) const noexcept
{
    // b × c ÷ p = (b ÷ p) × c + (b mod p) × c ÷ p; the second product always fits 128 bits.
    Int128 whole = 0;
    if (__builtin_mul_overflow(m_billionths / per, static_cast<Int128>(count), &whole))
        return isNegative() == (count < 0) ? max() : fromBillionths(-max().billionths());
    const Int128 rest = m_billionths % per * count;
    return clamped(clamped(whole).m_billionths + rest / per + (rest % per > 0 ? 1 : 0));
}

} // namespace handreset::rules

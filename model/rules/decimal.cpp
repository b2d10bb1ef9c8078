#include "model/rules/decimal.h"

#include "model/rules/number_text.h"

#include <algorithm>
#include <cstddef>

namespace handreset::rules {

namespace {

constexpr int kPlaces = 9;
constexpr std::int64_t kMaxDigits = 36; // of billionths below 10^36

constexpr Decimal clamped(Int128 billionths) noexcept
{
    const Int128 most = Decimal::max().billionths();
    return Decimal::fromBillionths(billionths > most ? most : billionths < -most ? -most : billionths);
}

} // namespace

std::optional<Decimal> Decimal::parse(std::string_view text)
{
    const auto number = NumberText::split(text);
    if (!number)
        return std::nullopt;
    // Without zeros at either end the number is digits × 10^power billionths; both tests below are then exact.
    const std::int64_t size = number->size();
    std::int64_t first = 0;
    while (first < size && number->digit(first) == '0')
        ++first;
    if (first == size)
        return Decimal();
    std::int64_t last = size;
    while (number->digit(last - 1) == '0')
        --last;
    const std::int64_t power = number->exponent + static_cast<std::int64_t>(number->whole.size()) - last + kPlaces;
    if (power < 0 || last - first + power > kMaxDigits)
        return std::nullopt;
    Int128 billionths = 0;
    for (std::int64_t i = first; i < last; ++i)
        billionths = billionths * 10 + (number->digit(i) - '0');
    for (std::int64_t i = 0; i < power; ++i)
        billionths *= 10;
    return fromBillionths(number->isNegative ? -billionths : billionths);
}

std::optional<Decimal> Decimal::parseOutward(std::string_view text)
{
    if (const auto exact = parse(text))
        return exact;
    const auto number = NumberText::split(text);
    if (!number)
        return std::nullopt;
    const auto value = ExactNumber::of(*number);
    const auto kept = value.point + kPlaces; // digits before the billionths end
    Int128 billionths = max().billionths();
    if (kept <= 0) {
        billionths = 1;
    } else if (kept <= kMaxDigits) { // more digits than that stand there, or `parse` had taken it
        billionths = 1;
        Int128 weight = 1;
        for (std::int64_t i = kept; i-- > 0; weight *= 10)
            billionths += weight * (value.digits[static_cast<std::size_t>(i)] - '0');
    }
    return clamped(value.isNegative ? -billionths : billionths);
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

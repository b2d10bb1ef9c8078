#include "model/rules/calendar.h"

#include <array>
#include <cstddef>

namespace handreset::rules {

namespace {

constexpr std::int64_t kMicrosPerDay = 86'400'000'000;

constexpr std::int64_t floorDivide(std::int64_t a, std::int64_t b) noexcept
{
    return a / b - (a % b < 0 ? 1 : 0);
}

void appendPadded(std::string &out, std::int64_t number, std::size_t width)
{
    const std::string digits = std::to_string(number);
    if (digits.size() < width)
        out.append(width - digits.size(), '0');
    out.append(digits);
}

/// Takes fields off the front of a text; the first that does not fit makes all later ones fail.
class Scanner {
public:
    explicit Scanner(std::string_view text) : m_text(text) {}

    std::int64_t digits(std::size_t count, std::int64_t low, std::int64_t high)
    {
        std::int64_t value = 0;
        m_isGood = m_isGood && m_text.size() >= count;
        for (std::size_t i = 0; m_isGood && i < count; ++i) {
            m_isGood = isDigit(m_text[i]);
            value = value * 10 + (m_text[i] - '0');
        }
        m_isGood = m_isGood && value >= low && value <= high;
        if (m_isGood)
            m_text.remove_prefix(count);
        return value;
    }
    bool accept(std::string_view oneOf)
    {
        if (m_text.empty() || oneOf.find(m_text.front()) == std::string_view::npos)
            return false;
        m_taken = m_text.front();
        m_text.remove_prefix(1);
        return true;
    }
    void expect(std::string_view oneOf) { m_isGood = m_isGood && accept(oneOf); }
    std::int64_t fractionMicros()
    {
        std::int64_t micros = 0;
        std::int64_t place = 100'000;
        m_isGood = m_isGood && !m_text.empty() && isDigit(m_text.front());
        while (m_isGood && !m_text.empty() && isDigit(m_text.front())) {
            micros += (m_text.front() - '0') * place;
            place /= 10;
            m_text.remove_prefix(1);
        }
        return micros;
    }
    [[nodiscard]] char taken() const { return m_taken; }
    [[nodiscard]] bool isGood() const { return m_isGood; }
    [[nodiscard]] bool isAtEnd() const { return m_isGood && m_text.empty(); }

private:
    static bool isDigit(char c) { return c >= '0' && c <= '9'; }

    std::string_view m_text;
    char m_taken = '\0';
    bool m_isGood = true;
};

/// Micros east of UTC of "Z", "+08:00", "+0800" or "+08".
std::int64_t scanOffset(Scanner &scan)
{
    if (scan.accept("Zz"))
        return 0;
    scan.expect("+-");
    const bool isWest = scan.taken() == '-';
    std::int64_t total = scan.digits(2, 0, 23) * 60;
    if (!scan.isAtEnd()) {
        scan.accept(":");
        total += scan.digits(2, 0, 59);
    }
    return (isWest ? -total : total) * 60'000'000;
}

} // namespace

std::int64_t daysFromCivil(CivilDate date) noexcept
{
    // Years that start in March put the leap day last (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
    const std::int64_t era = floorDivide(year, 400);
    const std::int64_t yearOfEra = year - era * 400;
    const std::int64_t monthFromMarch = (date.month + 9) % 12;
    const std::int64_t dayOfYear = (153 * monthFromMarch + 2) / 5 + date.day - 1;
    const std::int64_t dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146'097 + dayOfEra - 719'468;
}

CivilDate civilFromDays(std::int64_t days) noexcept
{
    const std::int64_t shifted = days + 719'468;
    const std::int64_t era = floorDivide(shifted, 146'097);
    const std::int64_t dayOfEra = shifted - era * 146'097;
    const std::int64_t yearOfEra = (dayOfEra - dayOfEra / 1'460 + dayOfEra / 36'524 - dayOfEra / 146'096) / 365;
    const std::int64_t dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    const std::int64_t monthFromMarch = (5 * dayOfYear + 2) / 153;
    const auto month = static_cast<std::int32_t>(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9);
    return {yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            static_cast<std::int32_t>(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)};
}

std::int32_t weekDayOf(std::int64_t days) noexcept
{
    const std::int64_t sinceSunday = days + 4; // 1970-01-01 was a Thursday
    return static_cast<std::int32_t>(sinceSunday - floorDivide(sinceSunday, 7) * 7);
}

void appendIso8601(std::string &out, Instant at)
{
    const std::int64_t days = floorDivide(at.micros, kMicrosPerDay);
    std::int64_t rest = at.micros % kMicrosPerDay;
    if (rest < 0)
        rest += kMicrosPerDay;
    const CivilDate date = civilFromDays(days);
    if (date.year < 0 || date.year > 9999) // ISO 8601's expanded form
        out.push_back(date.year < 0 ? '-' : '+');
    appendPadded(out, date.year < 0 ? -date.year : date.year, date.year < 0 || date.year > 9999 ? 6 : 4);
    const auto append = [&](char separator, std::int64_t number, std::size_t width) {
        out.push_back(separator);
        appendPadded(out, number, width);
    };
    append('-', date.month, 2);
    append('-', date.day, 2);
    append('T', rest / 3'600'000'000, 2);
    rest %= 3'600'000'000;
    append(':', rest / 60'000'000, 2);
    rest %= 60'000'000;
    append(':', rest / 1'000'000, 2);
    append('.', rest % 1'000'000, 6);
    out.push_back('Z');
}

std::string toIso8601(Instant at)
{
    std::string out;
    appendIso8601(out, at);
    return out;
}

std::optional<Instant> fromIso8601(std::string_view text)
{
    Scanner scan(text);
    CivilDate date;
    date.year = scan.digits(4, 0, 9999);
    scan.expect("-");
    date.month = static_cast<std::int32_t>(scan.digits(2, 1, 12));
    scan.expect("-");
    date.day = static_cast<std::int32_t>(scan.digits(2, 1, 31));
    scan.expect("Tt ");
    std::int64_t micros = scan.digits(2, 0, 23) * 3'600'000'000;
    scan.expect(":");
    micros += scan.digits(2, 0, 59) * 60'000'000;
    if (scan.isGood() && scan.accept(":")) {
        micros += scan.digits(2, 0, 60) * 1'000'000;
        if (scan.isGood() && scan.accept(".,"))
            micros += scan.fractionMicros();
    }
    const std::int64_t offset = scan.isGood() ? scanOffset(scan) : 0;
    if (!scan.isAtEnd())
        return std::nullopt;
    const std::int64_t days = daysFromCivil(date);
    if (civilFromDays(days) != date) // 31 April
        return std::nullopt;
    return Instant{days * kMicrosPerDay + micros - offset};
}

} // namespace handreset::rules

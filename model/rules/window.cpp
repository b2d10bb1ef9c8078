#include "model/rules/window.h"

#include "model/rules/calendar.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace handreset::rules {

namespace {

// Local time is a count of microseconds as a UTC clock would show it. It does not always rise: where it is set back,
// readings repeat. Two functions bring order, and make windows tile by construction:
//   firstReading(L): the first instant at which local time is L or later: a boundary that daylight saving removes
//     becomes the instant of the change, one that it repeats the earlier of the two;
//   latestReading(t): the greatest local time read up to t, so firstReading(L) <= t exactly when L <= latestReading(t).

using Micros = std::int64_t;

constexpr Micros kMicrosPerHour = 3'600'000'000;
constexpr Micros kMicrosPerDay = 24 * kMicrosPerHour;
constexpr std::int32_t kWeekHours = 168;
constexpr std::int32_t kMonthHours = 720;
constexpr Duration kLargestOffset = hours(26); // beyond the 15:13 of any zone there ever was

constexpr std::array<std::int32_t, 8> kDayHours{1, 2, 3, 4, 6, 8, 12, 24};

constexpr Micros floorTo(Micros value, Micros step) noexcept
{
    const Micros rest = value % step;
    return value - (rest < 0 ? rest + step : rest);
}

constexpr Duration offsetOf(std::int32_t offsetSeconds) noexcept
{
    return seconds(offsetSeconds);
}

auto firstAfter(const Zone &zone, Instant at) noexcept
{
    return std::upper_bound(zone.transitions.begin(), zone.transitions.end(), at,
                            [](Instant t, const Zone::Transition &transition) { return t < transition.at; });
}

Instant firstReading(Micros local, const Zone &zone) noexcept
{
    Instant start{local - kLargestOffset.micros}; // no zone reads `local` before this
    auto next = firstAfter(zone, start);
    Duration offset = offsetOf(zone.offsetAt(start));
    for (; next != zone.transitions.end(); ++next) {
        const Instant reading = std::max(start, Instant{local} - offset);
        if (reading < next->at)
            return reading;
        start = next->at;
        offset = offsetOf(next->offsetSeconds);
    }
    return std::max(start, Instant{local} - offset);
}

Micros latestReading(Instant at, const Zone &zone) noexcept
{
    Micros latest = (at + offsetOf(zone.offsetAt(at))).micros;
    const Instant oldest = at - kLargestOffset - kLargestOffset;
    for (auto change = firstAfter(zone, oldest); change != zone.transitions.end() && change->at <= at; ++change) {
        const Instant before = change->at - microseconds(1);
        latest = std::max(latest, (before + offsetOf(zone.offsetAt(before))).micros);
    }
    return latest;
}

struct LocalSpan {
    Micros start;
    Micros end;
};

LocalSpan monthSpan(Micros local) noexcept
{
    CivilDate date = civilFromDays(floorTo(local, kMicrosPerDay) / kMicrosPerDay);
    date.day = 1;
    const Micros start = daysFromCivil(date) * kMicrosPerDay;
    date.year += date.month == 12 ? 1 : 0;
    date.month = date.month == 12 ? 1 : date.month + 1;
    return {start, daysFromCivil(date) * kMicrosPerDay};
}

LocalSpan weekSpan(Micros local, WeekDay weekStarts) noexcept
{
    const std::int64_t day = floorTo(local, kMicrosPerDay) / kMicrosPerDay;
    const std::int64_t start = day - (weekDayOf(day) - static_cast<std::int32_t>(weekStarts) + 7) % 7;
    return {start * kMicrosPerDay, (start + 7) * kMicrosPerDay};
}

LocalSpan localSpan(WindowKind kind, Micros local, WeekDay weekStarts) noexcept
{
    if (kind.hours == kMonthHours)
        return monthSpan(local);
    if (kind.hours == kWeekHours)
        return weekSpan(local, weekStarts);
    const Micros start = floorTo(local, kind.hours * kMicrosPerHour);
    return {start, start + kind.hours * kMicrosPerHour};
}

} // namespace

bool WindowKind::isValid(std::int64_t hours) noexcept
{
    return hours == kWeekHours || hours == kMonthHours
        || std::find(kDayHours.begin(), kDayHours.end(), hours) != kDayHours.end();
}

std::optional<WindowKind> WindowKind::parse(std::string_view text)
{
    for (const std::int32_t hours : kDayHours) {
        if (text == WindowKind{hours}.toString())
            return WindowKind{hours};
    }
    if (text == "7d")
        return WindowKind{kWeekHours};
    if (text == "30d")
        return WindowKind{kMonthHours};
    return std::nullopt;
}

std::string WindowKind::toString() const
{
    if (hours == kWeekHours)
        return "7d";
    if (hours == kMonthHours)
        return "30d";
    return std::to_string(hours) + "h";
}

WindowSpan windowSpan(WindowKind kind, Instant at, const Zone &zone, WeekDay weekStarts)
{
    const LocalSpan local = localSpan(kind, latestReading(at, zone), weekStarts);
    return {firstReading(local.start, zone), firstReading(local.end, zone)};
}

} // namespace handreset::rules

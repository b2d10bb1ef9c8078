#include "model/rules/words_of_time.h"

#include "model/rules/calendar.h"

#include <algorithm>

namespace handreset::rules {

namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;

[[nodiscard]] std::string secondsWords(std::int64_t micros)
{
    if (micros == 0)
        return "0 s";
    if (micros < 10 * kSecond)
        return std::to_string(micros / kSecond) + '.' + std::to_string(micros % kSecond / 100'000) + " s";
    return std::to_string(micros / kSecond) + " s";
}

[[nodiscard]] std::string twoUnits(std::int64_t micros, std::int64_t great, const char *greatWord, std::int64_t small,
                                   const char *smallWord)
{
    std::string words = std::to_string(micros / great) + ' ' + greatWord;
    if (const std::int64_t rest = micros % great / small; rest != 0)
        words += ' ' + std::to_string(rest) + ' ' + smallWord;
    return words;
}

[[nodiscard]] std::string isoParts(Instant at, std::size_t first, std::size_t count)
{
    return toIso8601(at).substr(first, count);
}

} // namespace

std::string lengthWords(Duration length)
{
    const std::int64_t micros = std::max<std::int64_t>(length.micros, 0);
    if (micros < kMinute)
        return secondsWords(micros);
    if (micros < kHour)
        return twoUnits(micros, kMinute, "min", kSecond, "s");
    if (micros < kDay)
        return twoUnits(micros, kHour, "h", kMinute, "min");
    return twoUnits(micros, kDay, "d", kHour, "h");
}

std::string shortLength(Duration length)
{
    const std::int64_t micros = std::max<std::int64_t>(length.micros, 0);
    if (micros < kMinute)
        return secondsWords(micros);
    if (micros < kHour)
        return std::to_string(micros / kMinute) + " min";
    if (micros < kDay)
        return std::to_string(micros / kHour) + " h";
    return std::to_string(micros / kDay) + " d";
}

// toIso8601 is fixed for years of four digits: "2026-11-30T02:14:07.123456Z".

std::string utcClock(Instant at)
{
    return isoParts(at, 11, 8) + " UTC";
}

std::string utcClockMillis(Instant at)
{
    return isoParts(at, 11, 12) + " UTC";
}

std::string utcStamp(Instant at)
{
    return isoParts(at, 0, 10) + ' ' + utcClockMillis(at);
}

std::string utcNear(Instant at, Instant now)
{
    if (isoParts(at, 0, 10) == isoParts(now, 0, 10))
        return utcClock(at);
    return isoParts(at, 0, 10) + ' ' + isoParts(at, 11, 5) + " UTC";
}

} // namespace handreset::rules

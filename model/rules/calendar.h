// The proleptic Gregorian calendar and ISO 8601, without a time zone database. Pure; any thread.
#pragma once

#include "model/rules/instant.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::rules {

struct CivilDate {
    std::int64_t year = 1970;
    std::int32_t month = 1; ///< 1 to 12
    std::int32_t day = 1;   ///< 1 to 31
    constexpr auto operator<=>(const CivilDate &) const noexcept = default;
};

/// Days since 1970-01-01. The month must be 1 to 12; days outside the month run on into its neighbours.
[[nodiscard]] std::int64_t daysFromCivil(CivilDate date) noexcept;
[[nodiscard]] CivilDate civilFromDays(std::int64_t days) noexcept;
/// 0 for a Sunday to 6 for a Saturday.
[[nodiscard]] std::int32_t weekDayOf(std::int64_t days) noexcept;

/// Appends "2026-11-30T02:14:07.123456Z": UTC, always six places.
void appendIso8601(std::string &out, Instant at);
[[nodiscard]] std::string toIso8601(Instant at);

/// Reads an ISO 8601 / RFC 3339 date and time with zone: "2026-11-30T02:14:07.123456Z", "2026-08-20T00:00+08:00",
/// "2026-11-30 02:14:07+0100". Seconds and fraction may be missing; digits beyond microseconds are cut off; second 60
/// is read as the start of the next minute. Nothing for anything else, above all for a time without zone.
[[nodiscard]] std::optional<Instant> fromIso8601(std::string_view text);

} // namespace handreset::rules

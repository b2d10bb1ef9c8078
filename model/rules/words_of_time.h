// Times and lengths of time in words, the same on every page and in every table. Pure values; any thread.
#pragma once

#include "model/rules/instant.h"

#include <string>

namespace handreset::rules {

/// "0.3 s", "41 s", "2 min 15 s", "2 h 5 min", "3 d 4 h". Below zero reads as "0 s": an age is never negative.
[[nodiscard]] std::string lengthWords(Duration length);
/// The greatest unit alone: "0.3 s", "41 s", "14 min", "2 h", "3 d".
[[nodiscard]] std::string shortLength(Duration length);
/// "02:14:07 UTC". Every stamp carries its zone.
[[nodiscard]] std::string utcClock(Instant at);
/// "02:14:07.418 UTC".
[[nodiscard]] std::string utcClockMillis(Instant at);
/// "2026-11-30 02:14:07.418 UTC".
[[nodiscard]] std::string utcStamp(Instant at);
/// The clock alone on the day of `now`, the date and clock else: "02:14:07 UTC", "2026-11-29 02:14 UTC".
[[nodiscard]] std::string utcNear(Instant at, Instant now);

} // namespace handreset::rules

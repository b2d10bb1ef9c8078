// Spans of time in few words: "0.3 s", "41 s", "2 min 15 s", "21 h 46 min", "6 days". Pure; any thread.
#pragma once

#include <QString>

namespace handreset::views {

/// `milliseconds` in at most two units, rounded down; below 10 s with one decimal. Negative spans (a clock ran
/// backwards) say "0.0 s".
[[nodiscard]] QString ageWords(qint64 milliseconds);
/// The same in one unit: "41 s", "2 min", "21 h", "6 days".
[[nodiscard]] QString briefAgeWords(qint64 milliseconds);
/// "41 s ago".
[[nodiscard]] QString agoWords(qint64 milliseconds);
/// A count in little room: "9,999", then "14.6k", "3.2M".
[[nodiscard]] QString countWords(qint64 count);

} // namespace handreset::views

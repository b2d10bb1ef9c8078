// Calendar windows of spend and volume (spec 3.3). Pure values; any thread.
#pragma once

#include "model/rules/instant.h"
#include "model/rules/zone.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::rules {

enum class WeekDay : std::uint8_t { Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday };

/// A window's kind, as the policy spells it: whole hours that divide 24 ("1h", "6h", "24h"), "7d", "30d".
struct WindowKind {
    std::int32_t hours = 24; ///< 1, 2, 3, 4, 6, 8, 12, 24; 168 for "7d"; 720 for "30d" (a calendar month)
    constexpr auto operator<=>(const WindowKind &) const noexcept = default;

    /// Nothing when the text is not a window that spec 3.3 lists.
    [[nodiscard]] static std::optional<WindowKind> parse(std::string_view text);
    /// True for the numbers of hours that `hours` may have.
    [[nodiscard]] static bool isValid(std::int64_t hours) noexcept;
    [[nodiscard]] std::string toString() const; ///< "1h", "24h", "7d", "30d"
};

/// The half-open span [start, end) of one window.
struct WindowSpan {
    Instant start;
    Instant end;
    bool operator==(const WindowSpan &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "start", self.start);
        v(2, "end", self.end);
    }
};

/// The span of the window of this kind that holds `at`, in local time of `zone`: an hour window starts on its
/// multiple in the day, 24h at local midnight, 7d at midnight of the week's first day, 30d on the first of the
/// month. Where daylight saving removes a boundary, the first instant after it starts the window; where it
/// repeats one, the earlier instant does. Spans of one kind tile time: no gap, no overlap.
[[nodiscard]] WindowSpan windowSpan(WindowKind kind, Instant at, const Zone &zone, WeekDay weekStarts);

} // namespace handreset::rules

// A time zone as a value: its offset changes, given from outside (the rules know no zone database).
// Pure values; any thread.
#pragma once

#include "model/rules/instant.h"

#include <cstdint>
#include <string>
#include <vector>

namespace handreset::rules {

/// A time zone: from each transition's instant on, local time is UTC + offset.
/// `app` or `engine` fills it from QTimeZone; a zone without transitions has its first offset for ever.
struct Zone {
    struct Transition {
        Instant at;
        std::int32_t offsetSeconds = 0;
        bool operator==(const Transition &) const = default;

        template <class V, class S>
        static void describe(V &v, S &self)
        {
            v(1, "at", self.at);
            v(2, "offset_seconds", self.offsetSeconds);
        }
    };
    std::string name = "UTC";            ///< IANA name
    std::int32_t firstOffsetSeconds = 0; ///< before the first transition
    std::vector<Transition> transitions; ///< ascending
    bool operator==(const Zone &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "name", self.name);
        v(2, "first_offset_seconds", self.firstOffsetSeconds);
        v(3, "transitions", self.transitions);
    }

    /// Seconds east of UTC that are in force at `at`.
    [[nodiscard]] std::int32_t offsetAt(Instant at) const noexcept;
};

} // namespace handreset::rules

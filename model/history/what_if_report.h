// What a what-if found (spec 7): for each task the first event on which each signal held, and what follows from it.
// Pure values; any thread.
#pragma once

#include "model/history/label_groups.h"
#include "model/rules/trip.h"
#include "model/rules/words.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace handreset::history {

/// What is told apart: the five signals, the envelope by its caps.
enum class TripKind : std::uint8_t {
    Spend,
    Steps,
    Repetition,
    Provider,
    EnvelopeValue,
    EnvelopeDestination,
    EnvelopeVolumeCalls,
    EnvelopeVolumeValue,
    EnvelopeModel,
};

} // namespace handreset::history

template <>
struct handreset::rules::Words<handreset::history::TripKind> {
    static constexpr std::array<std::string_view, 9> list{"spend",
                                                          "steps",
                                                          "repetition",
                                                          "provider",
                                                          "envelope/value",
                                                          "envelope/destination",
                                                          "envelope/volume_calls",
                                                          "envelope/volume_value",
                                                          "envelope/model"};
};

namespace handreset::history {

inline constexpr std::size_t kTripKinds = rules::Words<TripKind>::list.size();
inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
using FirstTrips = std::array<std::uint64_t, kTripKinds>; ///< by TripKind: the event index, or kNever
inline constexpr FirstTrips kNoTrips = [] {
    FirstTrips none{};
    none.fill(kNever);
    return none;
}();

/// Steps by session or by agent and window count as "steps"; none for what is no signal (a human's stop).
[[nodiscard]] std::optional<TripKind> tripKindOf(rules::Signal signal, rules::Cap cap) noexcept;

/// One task as the what-if saw it.
struct WhatIfTask {
    std::string name; ///< with its agent before it where several agents have a task of this name
    FirstTrips first = kNoTrips;
    std::uint64_t refused = 0;   ///< asks refused; with observe none
    std::uint64_t prevented = 0; ///< of these: asks after the task was stopped, which would never have come
};

/// Tasks in which each kind fired.
using TripCounts = std::array<std::uint64_t, kTripKinds>;

struct WhatIfGroup {
    std::string name;
    std::uint64_t tasks = 0;
    TripCounts counts{};
};

struct WhatIfReport {
    bool observed = false;
    std::uint64_t events = 0; ///< lines of the files, or events of the log
    std::vector<WhatIfTask> tasks; ///< by number, in the order of first sight
    std::vector<WhatIfGroup> groups; ///< in the order of the options; not exclusive
    std::map<std::string, std::uint64_t> notReplayed; ///< what could not be replayed, in words, and how often
    std::map<std::string, std::uint64_t> unknownFields; ///< of the files' lines: left out, and on how many
    std::uint64_t furtherUnknownFields = 0;             ///< how often others stood there
    std::map<std::string, std::uint64_t> recorded; ///< from a log: trips that fired when it was written, by kind

    [[nodiscard]] TripCounts counts() const;
    [[nodiscard]] std::uint64_t refused() const;
    [[nodiscard]] std::uint64_t prevented() const;
};

/// One object: `counts`, `events`, `tasks`, `trips` (task → signal or signal/cap → event index), names in order of
/// their bytes. Only where they have something to say: `groups`, `not_replayed`, `recorded`, `unknown_fields`,
/// `further_unknown_fields`, and without observe `refused` and `prevented`.
[[nodiscard]] std::string whatIfJson(const WhatIfReport &report);
/// The same for a reader: a table of counts, one column a group, the first tasks that would trip with the events on
/// which, and what could not be replayed.
[[nodiscard]] std::string whatIfText(const WhatIfReport &report);

} // namespace handreset::history

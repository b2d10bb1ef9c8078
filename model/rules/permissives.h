// What must be true before a person may re-arm: each condition as a value with its proof (console, "Re-arm" 2). The
// host checks its own again; these are what the desk shows. Pure values; any thread.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/words.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules {

enum class Met : std::uint8_t { No, Yes, Unknown };
template <>
struct Words<Met> {
    static constexpr std::array<std::string_view, 3> list{"no", "yes", "unknown"};
};

/// One condition. Unknown counts as No.
struct Permissive {
    std::string name;  ///< "acknowledged"
    Met met = Met::Unknown;
    std::string value; ///< what was found: "ana, 02:12:31 UTC"
    std::string limit; ///< what it is held against: "at most 5 s"; empty where there is no such thing
    std::optional<Duration> age; ///< of the value, where it ages
    bool operator==(const Permissive &) const = default;
};

/// An acknowledgement as the log holds it.
struct AcknowledgedBy {
    std::string who;
    Instant at;
    bool operator==(const AcknowledgedBy &) const = default;
};

/// What is known when the question is asked. None of an optional: not known.
struct RearmFacts {
    std::int64_t tripsChosen = 0;              ///< that this act lifts
    std::vector<std::string> unacknowledged;   ///< chosen trips nobody has acknowledged, in words
    std::optional<AcknowledgedBy> acknowledged; ///< the latest acknowledgement of the chosen
    Revision seen;                             ///< that the person looks at
    Revision present;                          ///< that the follower knows
    std::optional<Duration> beatAge;           ///< since the decision loop last showed that it runs and can write
    std::optional<bool> writable;
    std::string storeTrouble;                  ///< what is wrong with the store; empty while it can be written
    std::optional<Instant> lastCommit;
    std::int64_t queuedTasks = 0;              ///< that wait for a human's decision
    std::int64_t decidedTasks = 0;
    std::string operatorName;                  ///< empty: nobody is known
    bool isUnsigned = false;                   ///< an unsigned store asks for no second person
    bool approvalAsked = false;                ///< the policy names a second person for what was chosen
    bool live = true;                          ///< false: the desk shows the past or a copy
    bool grantMissing = false;                 ///< steps or spend chosen without how many more
};

/// Without a beat for this long the desk is stale and re-arm is off (console, "Stale is not green").
inline constexpr Duration kBeatDue = seconds(5);

/// All conditions, in the order in which a person would check them.
[[nodiscard]] std::vector<Permissive> permissivesOf(const RearmFacts &facts);
/// True when every one is met; of none, false.
[[nodiscard]] bool allMet(const std::vector<Permissive> &permissives);

} // namespace handreset::rules

// What-if without observe (spec 7): recorded asks go through the rules as the gate would run them, on a fleet of their
// own that nobody sees; what a stopped task asked afterwards is refused by its switch and counts as prevented.
// Pure; one thread at a time.
#pragma once

#include "model/history/recording.h"
#include "model/history/what_if.h"
#include "model/history/what_if_report.h"
#include "model/rules/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace handreset::history {

/// Per task number - 1, and what could not be replayed.
struct EnforcedTasks {
    std::vector<FirstTrips> first;
    std::vector<std::uint64_t> refused;
    std::vector<std::uint64_t> prevented;
    std::map<std::string, std::uint64_t> notReplayed;
};

/// Runs the asks in the order of their times; one without a time follows the one before it in its task. The asks'
/// order among themselves is changed. No human re-arms: what trips on a behaviour stays so to the end.
[[nodiscard]] rules::Result<EnforcedTasks> runEnforced(const TriedPolicy &tried, const RunNames &names,
                                                       std::vector<RecordedAsk> &asks);

} // namespace handreset::history

// Imports files of recorded runs into a recorded store (spec 4, 6): judged without refusing, times as given.
//
// All files are read and checked to their ends before the first event is written, so a line that is wrong leaves the
// store as it was. Then one thread reads and the caller's thread judges and appends.
// Thread: the store's. Ownership: store and fleet are the caller's; the fleet follows the log, and must be loaded anew
// after a failure. Failure: BadInput for a wrong file (nothing was written), the store's own Error, Cancelled.
#pragma once

#include "model/feeds/unknown_fields.h"
#include "model/rules/fleet.h"
#include "model/rules/result.h"
#include "model/store/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace handreset::feeds {

struct ImportOptions {
    /// Called now and then, on the caller's thread, with a share from 0 to 1; false cancels. While the files are
    /// checked nothing is written yet; later, what was appended by then stays.
    std::function<bool(double)> progress;
    std::size_t eventsPerBatch = 5000; ///< of one transaction; above zero
};

/// What was imported, and what is worth telling.
struct ImportSummary {
    std::uint64_t lines = 0;
    std::uint64_t agents = 0;
    std::uint64_t tasks = 0;
    std::uint64_t events = 0; ///< appended to the log
    std::uint64_t trips = 0;
    std::uint64_t resultsWithoutCall = 0; ///< left out
    std::uint64_t unmeasuredTimes = 0;    ///< lines judged by the time of their task's last dated event
    std::uint64_t linesWithoutTime = 0;   ///< windows have no data there
    UnknownFields unknownFields;          ///< left out
};

/// Refused where the store is not a recorded one. What would count twice is BadInput: a file named twice, and a task
/// that the store holds already, unless its first line here is dated later than the last one held (and the task has not
/// ended). The files' lines are numbered on: an Error names file and line. Durable when it returns.
[[nodiscard]] rules::Result<ImportSummary> importRuns(store::Store &store, rules::Fleet &fleet,
                                                      const std::vector<std::string> &files,
                                                      const ImportOptions &options = {});

} // namespace handreset::feeds

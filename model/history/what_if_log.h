// What-if over a store's own log (spec 7): the asks of a period against another policy, beside what fired then.
// Thread: the store's. Nothing is written. Failure: the store's Error, or Cancelled.
#pragma once

#include "model/history/what_if.h"
#include "model/rules/ids.h"
#include "model/rules/result.h"
#include "model/store/store.h"

#include <functional>

namespace handreset::history {

struct LogPeriod {
    rules::Seq first{1};
    rules::Seq last{~0ULL};
};

/// The index of a trip is the sequence number of the event. Refusals that the log keeps only as a count, and redacted
/// fields, cannot be replayed: the report counts them. `progress` gets a share from 0 to 1; false cancels.
[[nodiscard]] rules::Result<WhatIfReport> whatIfOfLog(store::Store &store, LogPeriod period, const TriedPolicy &tried,
                                                      const WhatIfOptions &options,
                                                      const std::function<bool(double)> &progress = {});

} // namespace handreset::history

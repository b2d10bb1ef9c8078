// The log's rows from SQLite. Internal to model/store; see log_rows.h.
#pragma once

#include "model/store/database.h"
#include "model/store/log_rows.h"

namespace handreset::store {

/// Rows first..last of the log that are of these kinds, in order. `recorded` is the store's kind: whose time counts.
[[nodiscard]] rules::Result<void> eachRow(Database &database, bool recorded, rules::Seq first, rules::Seq last,
                                          KindSet kinds, const EachRow &each);

} // namespace handreset::store

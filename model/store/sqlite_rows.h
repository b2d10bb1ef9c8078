// LogRows on SQLite. Internal to model/store; see log_rows.h.
#pragma once

#include "model/store/database.h"
#include "model/store/log_rows.h"
#include "model/store/packing.h"
#include "model/store/statement.h"

#include <memory>

namespace handreset::store {

/// Rows first..last of the log that are of these kinds.
[[nodiscard]] rules::Result<std::unique_ptr<LogRows>> openRows(Database &database, rules::Seq first, rules::Seq last,
                                                               KindSet kinds);

} // namespace handreset::store

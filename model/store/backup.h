// A consistent copy of a live store. Internal to model/store; thread: the store's.
#pragma once

#include "model/store/opening.h"
#include "model/store/store.h"

namespace handreset::store {

/// Copies page by page through SQLite's backup interface to a new file, checks it, and gives it its own mark and
/// sentinel. Refuses an existing target; leaves nothing behind when it fails or is stopped.
[[nodiscard]] rules::Result<void> backUp(Database &database, const LogEnd &end, const QString &target,
                                         const Progress &progress);

} // namespace handreset::store

// `verify`: everything that can be checked of a store, against the log itself. Internal to model/store.
// Thread: the store's; long. Changes nothing.
#pragma once

#include "model/store/opening.h"
#include "model/store/store.h"

namespace handreset::store {

/// `mark` may be null (a copy has none).
[[nodiscard]] rules::Result<Verification> verifyStore(Database &database, const MarkState *mark, const LogEnd &end,
                                                      const QString &path, const Progress &progress);

} // namespace handreset::store

// How an older store becomes one of this version: a backup, then all steps in one transaction (spec 4).
// Internal to model/store; thread: the store's.
#pragma once

#include "model/store/database.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <span>

namespace handreset::store {

/// Leads from schema version `from` to `from + 1`, within a transaction of the caller.
struct Migration {
    std::int32_t from = 0;
    std::function<rules::Result<void>(Database &)> apply;
};

/// The steps that this version knows. None yet: version 1 is the first.
[[nodiscard]] std::span<const Migration> shippedMigrations();

/// Copies the store to "PATH.before-version-N" (with a number behind it where that exists), then takes all steps from
/// its version to `wanted`. Without a step for some version it refuses before anything is written; when a step fails,
/// the store is as it was.
[[nodiscard]] rules::Result<void> migrate(Database &database, const QString &path, std::int32_t wanted,
                                          std::span<const Migration> steps);

} // namespace handreset::store

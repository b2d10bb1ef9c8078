// The store's tables: making them, and telling whether a file has exactly them. Internal to model/store.
#pragma once

#include "model/store/database.h"

#include <cstdint>
#include <string_view>

namespace handreset::store {

/// "HRST": in the file's header, so that `file` and we know a store when we see one.
inline constexpr std::int32_t kApplicationId = 0x48525354;
/// Rises with each change of the schema; a migration leads from each to the next.
inline constexpr std::int32_t kSchemaVersion = 2;
/// Which events stand in the index of trips and transitions: bits by kind and by row. SQLite takes the index only for a
/// condition in the index's own words.
inline constexpr std::uint64_t kEdgeKinds = 256'512;
inline constexpr std::uint64_t kEdgeRows = 133'167'752;
inline constexpr std::string_view kEdgeCondition = "((1 << kind) & 256512 OR (1 << row) & 133167752)";

/// Makes all tables in an empty file, in one transaction.
[[nodiscard]] rules::Result<void> createSchema(Database &database);
/// The statements that make the tables.
[[nodiscard]] std::string_view schemaText();
/// Refuses a file whose tables, indexes, views or triggers are not exactly those of this version.
[[nodiscard]] rules::Result<void> checkSchema(Database &database);

} // namespace handreset::store

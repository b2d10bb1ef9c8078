// Compares the projections of two schemas, both ways. Internal to model/store; thread: the store's.
#pragma once

#include "model/store/database.h"
#include "model/store/findings.h"
#include "model/store/projection_tables.h"

#include <cstdint>
#include <string>

namespace handreset::store {

/// Each row of main's table that is not in `truth`'s, or is otherwise there, and each that is missing, becomes a
/// finding that names table, row and column. Gives the number of rows compared.
[[nodiscard]] rules::Result<std::uint64_t> compareTable(Database &database, const ProjectionTable &table,
                                                        const std::string &truth, Findings &findings);

} // namespace handreset::store

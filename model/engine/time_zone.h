// Time zones for the rules, which know no zone database: QTimeZone's, as values. Any thread; no state.
#pragma once

#include "model/rules/result.h"
#include "model/rules/zone.h"

#include <string_view>

namespace handreset::engine {

/// True for the name of a time zone that this machine knows. The check that `rules::readPolicy` asks for.
[[nodiscard]] bool zoneExists(std::string_view ianaName);

/// The zone with its transitions from 2000 to 2100, for ApplyPolicy. BadInput when the machine does not know the name.
[[nodiscard]] rules::Result<rules::Zone> zoneNamed(std::string_view ianaName);

} // namespace handreset::engine

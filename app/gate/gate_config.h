// The gate's configuration file: TOML, a handful of texts (gate_options.h says which). Any thread. Failure: BadInput,
// whose context is the file and the line.
#pragma once

#include "app/gate/gate_options.h"
#include "model/rules/result.h"

#include <string>
#include <string_view>

namespace handreset::gate {

/// Longest file that is read, in bytes.
inline constexpr std::size_t kMostConfig = 16UL * 1024;

/// `file` is its name: for errors, and relative paths are taken from its folder.
[[nodiscard]] rules::Result<GateSettings> readConfig(std::string_view text, const std::string &file);
[[nodiscard]] rules::Result<GateSettings> readConfigFile(const std::string &file);

} // namespace handreset::gate

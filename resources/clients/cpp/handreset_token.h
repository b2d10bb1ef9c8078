// Where an agent's token comes from.
#pragma once

#include <string>

namespace handreset::client {

/// The token: `given`, or what the file holds, or, where neither is named, what HANDRESET_TOKEN_FILE or else
/// HANDRESET_TOKEN say. Throws std::invalid_argument; that says what is missing or which file is wrong, and never what
/// is in it.
[[nodiscard]] std::string findToken(const std::string &given, const std::string &file);

} // namespace handreset::client

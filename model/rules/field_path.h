// The spelling of a field's path in a policy: for problems, for differences. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace handreset::rules {

/// `path.name`, with quotes around a name that is no bare key of TOML: agents."a.b". An empty path is the whole text.
[[nodiscard]] std::string joinPath(std::string_view path, std::string_view name);

} // namespace handreset::rules

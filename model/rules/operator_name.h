// What an operator may be called: a name that no other can be taken for (spec 3.4, "a named human"). Pure; any thread.
#pragma once

#include "model/rules/fleet.h"

#include <string>
#include <string_view>

namespace handreset::rules {

/// Why nobody may be enrolled under this name; empty where somebody may. Names that are enrolled already stay as they are.
[[nodiscard]] std::string faultOfOperatorName(const Fleet &fleet, std::string_view name);

} // namespace handreset::rules

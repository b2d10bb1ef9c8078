// What an act would change, in lines that a second person reads before they approve it. Names and words in them may be an
// agent's: whoever shows them must show them as plain text. Pure; any thread.
#pragma once

#include "model/rules/act.h"
#include "model/rules/fleet.h"

#include <string>
#include <vector>

namespace handreset::rules {

/// One line a change; `fleet` is the state before it.
[[nodiscard]] std::vector<std::string> changesOf(const Fleet &fleet, const Act &act);

} // namespace handreset::rules

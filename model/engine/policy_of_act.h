// What an act that applies a policy needs beside its text: the policy, read anew, and the time zone that it names. Only
// the text travels and is signed, so whoever takes the act for the host reads it here. Any thread; no state.
#pragma once

#include "model/rules/command.h"
#include "model/rules/result.h"

namespace handreset::engine {

/// Fills in the policy and the zone of an ApplyPolicy, and the zone of one that stands in a Signed; every other command
/// is left as it is. BadInput, with the file, line and remedy of each fault, for a text that is refused; then the
/// command is unchanged.
[[nodiscard]] rules::Result<void> readPolicyOfAct(rules::Command &command);

} // namespace handreset::engine

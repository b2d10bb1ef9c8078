// What a policy is warned of although it is legal (spec 2, 3.1, 3.2). Internal to the reading of policies. Pure.
#pragma once

#include "model/rules/policy_reader.h"

namespace handreset::rules::policytext {

/// Adds every warning to the report. `policy` must have been read from it without an error.
void addWarnings(Report &report, const Policy &policy);

} // namespace handreset::rules::policytext

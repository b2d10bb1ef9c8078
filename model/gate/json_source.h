// A read JSON value written again: compact, members in their order, numbers as they were spelt. What an agent sent as
// arguments is kept so, without the rest of the request around it. Pure; any thread.
#pragma once

#include "model/rules/json.h"

#include <string>

namespace handreset::gate {

void appendJson(std::string &out, rules::JsonValue value);

} // namespace handreset::gate

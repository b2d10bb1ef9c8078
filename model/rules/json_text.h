// The spelling of JSON's two leaf forms as RFC 8785 has it: strings (3.2.2.2) and numbers (3.2.2.3).
// Used by the canonical form and by what is written for people. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace handreset::rules {

/// Appends `text` in quotes with the fewest escapes: \b \t \n \f \r, \" \\, \u00xx for the other controls.
/// Bytes that are not UTF-8 become U+FFFD, so that the output always is.
void appendJsonString(std::string &out, std::string_view text);

/// Appends what ECMAScript's Number::toString gives ("1e+21", "-5e-324", "0" for -0): the shortest digits that read
/// back as the same double. Returns false and appends nothing for NaN and infinities, which JSON cannot spell.
bool appendJsonNumber(std::string &out, double value);

} // namespace handreset::rules

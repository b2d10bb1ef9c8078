// Text from outside, made safe to stand in a line of a log, of a terminal, or of a message to the service manager.
// Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace handreset::gate {

/// The text with controls, what a reader cannot see, and what turns the direction as "\u202e"; bytes that are no UTF-8
/// as U+FFFD. What comes out is one line. Backslashes stay as they are: it is for reading.
[[nodiscard]] std::string printable(std::string_view text);

/// Appends it as a JSON string (RFC 8259) that reads back as the same text, with the same characters escaped.
void appendJson(std::string &out, std::string_view text);

} // namespace handreset::gate

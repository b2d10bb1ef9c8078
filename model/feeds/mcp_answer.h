// What the proxy says to an MCP client in the server's place: refusals that a model can read, and JSON-RPC errors.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace handreset::feeds {

/// When asking again makes sense, as the gate says it (spec 5).
enum class McpRetry : std::uint8_t { Untold, Never, AfterHuman, AfterSeconds, AfterCalls };

/// The gate's word on one call, or the offline rules'.
struct McpDecision {
    bool isAllowed = false;
    std::string text;   ///< why it is refused
    std::string source; ///< which signal, breaker or rule; empty: not said
    std::string trip;   ///< its number; empty: none
    McpRetry retry = McpRetry::Untold;
    double amount = 0; ///< of AfterSeconds and AfterCalls
};

/// "Refused by Handreset: REASON. What would end it: …"
[[nodiscard]] std::string refusalText(const McpDecision &decision);

/// One line: the result of a tools/call that was not made. `id` is JSON. A tool's error and no JSON-RPC error, because
/// clients show the model the first and often swallow the second (MCP, Tools, "Error Handling").
[[nodiscard]] std::string refusalLine(std::string_view id, const McpDecision &decision);

/// One line: a JSON-RPC error. `id` is JSON.
[[nodiscard]] std::string errorLine(std::string_view id, int code, std::string_view message);

} // namespace handreset::feeds

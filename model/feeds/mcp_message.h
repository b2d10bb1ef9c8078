// One JSON-RPC message of the Model Context Protocol: what the proxy must know of it, and nothing else (spec 6).
// Strict on purpose: a server's own reader may be lenient, and whatever it could take for a tool call that is not seen
// as one here would pass the gate unasked. So what two readers could read differently is Refused.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::feeds {

constexpr std::size_t kMaxMcpLine = std::size_t{16} * 1024 * 1024; ///< more in one line is not held in memory

/// JSON-RPC's error codes (JSON-RPC 2.0, 5.1).
constexpr int kInvalidRequest = -32600;
constexpr int kInvalidParams = -32602;

enum class McpKind : std::uint8_t {
    Other,     ///< passes
    ToolCall,  ///< a request `tools/call`
    Cancelled, ///< the notification `notifications/cancelled`
    Response,  ///< a result or an error
    Refused,   ///< cannot be read in one way only, or is a tool call that nobody could answer
};

/// What a response says of the call that it answers.
enum class McpOutcome : std::uint8_t { Success, Failure, Neutral };

struct McpMessage {
    McpKind kind = McpKind::Other;
    std::string id; ///< as canonical JSON, so that 1 and 1.0 are one; empty: none that could be answered

    // ToolCall
    std::string tool;
    std::string arguments; ///< canonical JSON, `{}` where the call has none

    std::string cancels; ///< Cancelled: the id of the request that is called off

    // Response
    McpOutcome outcome = McpOutcome::Success;
    std::string error; ///< its kind only: the text may hold what must not stand in a log

    // Refused
    int code = kInvalidRequest;
    std::string why;
};

/// Reads one message, without its line's end. Anything that is no JSON object is Refused where it holds a `{`, so that
/// some reader might find an object in it, else Other.
[[nodiscard]] McpMessage readMcpMessage(std::string_view json);

/// A line, taken apart.
struct McpLine {
    struct Part {
        std::string_view json; ///< of the batch's element, or of the whole line without its end
        McpMessage message;
    };
    bool isBatch = false;
    std::vector<Part> parts; ///< one where it is no batch; none: an empty batch
    std::string_view end;    ///< "\n", "\r\n", or nothing at the end of the stream
};

/// Reads a line with its end; the views are into it. A batch that cannot be read is one Refused part.
[[nodiscard]] McpLine readMcpLine(std::string_view line);

} // namespace handreset::feeds

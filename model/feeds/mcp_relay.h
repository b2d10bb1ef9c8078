// The MCP proxy's books (spec 6): which calls wait for the gate, which are out at the server, and what goes where.
// Lines go in, actions come out, in the order in which they are to be done; the doing is the caller's.
//
// Every line passes as it came but for requests `tools/call`: each is held until the gate has spoken, and then passes
// or is answered here. Nothing else waits for it. A batch (JSON-RPC 2.0, 6) waits as a whole for the calls in it,
// passes without those that are refused, and these are answered one by one, outside the server's batch of answers: the
// server cannot be made to answer what it never saw. Pure; one thread.
#pragma once

#include "model/feeds/mcp_answer.h"
#include "model/feeds/mcp_message.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace handreset::feeds {

/// One call, within this connection.
struct McpCall {
    std::uint64_t value = 0;
    auto operator<=>(const McpCall &) const = default;
};

namespace mcp {
struct ToServer {
    std::string bytes;
};
struct ToClient {
    std::string bytes; ///< one line, to be put between lines
};
struct Ask {
    McpCall call;
    std::string tool;
    std::string arguments; ///< JSON
};
/// Nobody waits for this call's decision any more. Where it has not been asked yet, it is not, and `forget` is called;
/// else its decision comes as ever.
struct Withdraw {
    McpCall call;
};
/// What came of a call that was allowed. Each such call has exactly one of these, before the end or at it.
struct Report {
    McpCall call;
    McpOutcome outcome;
    std::string error;
};
/// A line for whoever reads the proxy's log.
struct Notice {
    std::string text;
};
using Action = std::variant<ToServer, ToClient, Ask, Withdraw, Report, Notice>;
using Actions = std::vector<Action>;
} // namespace mcp

class McpRelay {
public:
    /// A line with its end.
    [[nodiscard]] mcp::Actions fromClient(std::string_view line);
    /// A line of more than kMaxMcpLine was dropped; the requests that were seen in it.
    [[nodiscard]] mcp::Actions tooLongFromClient(const std::vector<std::string> &requests);
    /// A line, which passes by itself: only what it says of the calls matters here.
    [[nodiscard]] mcp::Actions fromServer(std::string_view line);
    /// A line that was too long to hold has passed; the responses that were seen in it.
    [[nodiscard]] mcp::Actions tooLongFromServer(const std::vector<std::string> &responses);
    /// The gate has spoken.
    [[nodiscard]] mcp::Actions decided(McpCall number, const McpDecision &decision);
    /// A withdrawn call was never asked.
    void forget(McpCall call) { m_withdrawn.erase(call); }
    /// The connection is over. What is out never had an answer: a failure of the tool where the server went first,
    /// neutral where the client did.
    [[nodiscard]] mcp::Actions end(bool serverWentFirst);

    /// Calls that are held for the gate.
    [[nodiscard]] std::size_t waiting() const noexcept;
    /// The bytes of the lines that are held.
    [[nodiscard]] std::size_t heldBytes() const noexcept { return m_heldBytes; }

private:
    struct Part {
        std::size_t offset;
        std::size_t length;
        bool passes = true;
    };
    /// A line that waits for the decisions on its calls.
    struct Held {
        std::string line;
        std::string end;
        bool isBatch = false;
        std::vector<Part> parts;
        std::size_t undecided = 0;
    };
    enum class State : std::uint8_t { Asked, Allowed, Out };
    struct Call {
        McpCall number;
        std::string id;
        State state = State::Asked;
        std::list<Held>::iterator held; ///< until it is out
        std::size_t part = 0;
    };
    using Calls = std::list<Call>;

    void refuse(const McpMessage &message, std::string_view json, mcp::Actions &actions);
    [[nodiscard]] bool callOff(const std::string &id, mcp::Actions &actions);
    void letGo(std::list<Held>::iterator held, mcp::Actions &actions);
    void answered(const std::string &id, McpOutcome outcome, const std::string &error, mcp::Actions &actions);

    std::list<Held> m_held;
    Calls m_calls; ///< in the order in which they came
    std::set<McpCall> m_withdrawn;
    std::uint64_t m_last = 0;
    std::size_t m_heldBytes = 0;
};

} // namespace handreset::feeds

// The gate as the MCP proxy needs it, and that gate reached through the C++ client, whose offline rules hold while it
// is away (spec 4 "When something dies"). Blocking; one thread at a time. Nothing is thrown.
#pragma once

#include "model/feeds/mcp_answer.h"
#include "model/feeds/mcp_message.h"
#include "model/feeds/mcp_relay.h"
#include "model/rules/result.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace handreset::ctl {

class GateClient {
public:
    GateClient() = default;
    GateClient(const GateClient &) = delete;
    GateClient &operator=(const GateClient &) = delete;
    virtual ~GateClient() = default;

    /// May this call be made? Every trouble is a refusal.
    [[nodiscard]] virtual feeds::McpDecision ask(feeds::McpCall call, const std::string &tool,
                                                 const std::string &arguments) noexcept = 0;
    /// What came of a call that was allowed.
    virtual void report(feeds::McpCall call, feeds::McpOutcome outcome, const std::string &error) noexcept = 0;
    /// The task is over. Best effort.
    virtual void end() noexcept = 0;
};

struct GateOptions {
    std::string agent;
    std::string task;
    std::string address;                ///< "unix:/path" or "http://127.0.0.1:PORT"; empty: $HANDRESET_GATE
    std::string token;                  ///< empty: $HANDRESET_TOKEN_FILE, else $HANDRESET_TOKEN
    std::vector<std::string> readTools; ///< may go on for a lease of 30 s after the gate's last allow while it is away
    /// Hears, from any thread, of calls on a lease that the gate did not count, and of results that it did not take.
    std::function<void(const std::string &)> warn;
};

/// BadInput where the options cannot be right; the gate itself is not looked for yet.
[[nodiscard]] rules::Result<std::unique_ptr<GateClient>> makeGateClient(const GateOptions &options);

} // namespace handreset::ctl

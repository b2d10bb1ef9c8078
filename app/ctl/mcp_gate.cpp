#include "app/ctl/mcp_gate.h"

#include "resources/clients/cpp/handreset_guard.h"

#include <exception>
#include <map>
#include <stdexcept>
#include <utility>

namespace handreset::ctl {

using feeds::McpCall;
using feeds::McpDecision;
using feeds::McpOutcome;
using feeds::McpRetry;

namespace {

McpRetry retryOf(client::Retry::Kind kind)
{
    switch (kind) {
    case client::Retry::Kind::Never:
        return McpRetry::Never;
    case client::Retry::Kind::AfterHuman:
        return McpRetry::AfterHuman;
    case client::Retry::Kind::AfterSeconds:
        return McpRetry::AfterSeconds;
    case client::Retry::Kind::AfterCalls:
        return McpRetry::AfterCalls;
    case client::Retry::Kind::Untold:
        break;
    }
    return McpRetry::Untold;
}

McpDecision refusalFrom(const client::Decision &decision)
{
    return {false, decision.text, decision.source, decision.trip, retryOf(decision.retry.kind), decision.retry.amount};
}

McpDecision refusal(std::string text)
{
    return {false, std::move(text), {}, {}, McpRetry::Untold, 0};
}

class GuardGate final : public GateClient {
public:
    explicit GuardGate(client::Options options) : m_guard(std::move(options)) {}
    ~GuardGate() override
    {
        for (auto &[call, scope] : m_open)
            scope.neutral("the connection ended before its answer"); // left alone, a scope tells of a success
    }

    McpDecision ask(McpCall call, const std::string &tool, const std::string &arguments) noexcept override
    {
        try {
            m_open.emplace(call, m_guard.call(tool, arguments));
            return {.isAllowed = true};
        } catch (const client::Denied &denied) {
            return refusalFrom(denied.decision());
        } catch (const client::WrongRequest &wrong) {
            return refusal("the gate calls the request wrong: " + std::string(wrong.what()));
        } catch (const std::exception &error) {
            return refusal("the gate could not be asked: " + std::string(error.what()));
        }
    }

    void report(McpCall call, McpOutcome outcome, const std::string &error) noexcept override
    {
        auto found = m_open.extract(call);
        if (found.empty())
            return;
        if (outcome == McpOutcome::Failure)
            found.mapped().failure(error);
        else if (outcome == McpOutcome::Neutral)
            found.mapped().neutral(error);
    } // the scope tells as it goes, and keeps for later what the gate cannot take now

    void end() noexcept override
    {
        try {
            static_cast<void>(m_guard.end());
        } catch (const std::exception &) { // NOLINT(bugprone-empty-catch)
            // The gate may know nothing of the task, because nothing was asked in it; and nobody is left to be told.
        }
    }

private:
    client::Guard m_guard;
    std::map<McpCall, client::CallScope> m_open; ///< allowed, and no answer yet
};

} // namespace

rules::Result<std::unique_ptr<GateClient>> makeGateClient(const GateOptions &options)
{
    client::Options wanted;
    wanted.agent = options.agent;
    wanted.task = options.task;
    wanted.address = options.address;
    wanted.token = options.token;
    wanted.warn = options.warn;
    wanted.offline = client::Offline::Lease; // for the tools that are named as reads; all others are refused
    for (const auto &tool : options.readTools)
        wanted.tools[tool] = client::Access::Read;
    try {
        return std::unique_ptr<GateClient>(std::make_unique<GuardGate>(std::move(wanted)));
    } catch (const std::exception &error) {
        return rules::Error{rules::ErrorCode::BadInput, error.what(), {}};
    }
}

} // namespace handreset::ctl

#include "model/feeds/mcp_relay.h"

#include "model/feeds/mcp_id_finder.h"

#include <algorithm>
#include <utility>

namespace handreset::feeds {

using mcp::Actions;

namespace {

constexpr std::string_view kUnreadable = "its answer could not be read";

/// The line with the parts that pass.
template <class Parts>
std::string remains(const std::string &line, const Parts &parts)
{
    std::string out = "[";
    for (const auto &part : parts) {
        if (!part.passes)
            continue;
        if (out.size() > 1)
            out += ',';
        out.append(line, part.offset, part.length);
    }
    return out + ']';
}

} // namespace

Actions McpRelay::fromClient(std::string_view line)
{
    Actions actions;
    const auto taken = readMcpLine(line);
    const auto held = m_held.insert(m_held.end(), {std::string(line), std::string(taken.end), taken.isBatch, {}, 0});
    ++held->undecided; // while it is read: a batch may call off a call of its own
    m_heldBytes += line.size();
    for (const auto &[json, message] : taken.parts) {
        held->parts.push_back({static_cast<std::size_t>(json.data() - line.data()), json.size(), true});
        auto &part = held->parts.back();
        if (message.kind == McpKind::Refused) {
            part.passes = false;
            refuse(message, json, actions);
        } else if (message.kind == McpKind::Cancelled) {
            part.passes = !callOff(message.cancels, actions);
        } else if (message.kind == McpKind::ToolCall) {
            const McpCall number{++m_last};
            m_calls.push_back({number, message.id, State::Asked, held, held->parts.size() - 1});
            ++held->undecided;
            actions.emplace_back(mcp::Ask{number, message.tool, message.arguments});
        }
    }
    if (--held->undecided == 0)
        letGo(held, actions);
    return actions;
}

void McpRelay::refuse(const McpMessage &message, std::string_view json, Actions &actions)
{
    actions.emplace_back(mcp::Notice{"a message from the client was dropped: " + message.why});
    if (!message.id.empty()) {
        actions.emplace_back(mcp::ToClient{errorLine(message.id, message.code, message.why)});
        return;
    }
    McpIdFinder finder; // of requests alone: the id of a client's response is one that the server gave
    finder.feed(json);
    for (const auto &id : finder.requests())
        actions.emplace_back(mcp::ToClient{errorLine(id, message.code, message.why)});
}

Actions McpRelay::tooLongFromClient(const std::vector<std::string> &requests)
{
    const std::string why = "a line is longer than 16 MiB";
    Actions actions;
    actions.emplace_back(mcp::Notice{"a message from the client was dropped: " + why});
    for (const auto &id : requests)
        actions.emplace_back(mcp::ToClient{errorLine(id, kInvalidRequest, why)});
    return actions;
}

/// True: the notification goes no further, because the server never saw the call.
bool McpRelay::callOff(const std::string &id, Actions &actions)
{
    const auto call = std::ranges::find(m_calls, id, &Call::id);
    if (call == m_calls.end())
        return false;
    const auto [number, ignored, state, held, part] = *call;
    m_calls.erase(call);
    if (state != State::Asked)
        actions.emplace_back(mcp::Report{number, McpOutcome::Neutral, "cancelled by the client"});
    if (state == State::Out)
        return false;
    held->parts[part].passes = false;
    if (state == State::Asked) {
        m_withdrawn.insert(number);
        actions.emplace_back(mcp::Withdraw{number});
        if (--held->undecided == 0)
            letGo(held, actions);
    }
    return true;
}

Actions McpRelay::decided(McpCall number, const McpDecision &decision)
{
    Actions actions;
    if (m_withdrawn.erase(number) > 0) {
        if (decision.isAllowed)
            actions.emplace_back(mcp::Report{number, McpOutcome::Neutral, "cancelled by the client"});
        return actions;
    }
    const auto call = std::ranges::find(m_calls, number, &Call::number);
    if (call == m_calls.end() || call->state != State::Asked)
        return actions;
    const auto held = call->held;
    if (decision.isAllowed) {
        call->state = State::Allowed;
    } else {
        held->parts[call->part].passes = false;
        actions.emplace_back(mcp::ToClient{refusalLine(call->id, decision)});
        m_calls.erase(call);
    }
    if (--held->undecided == 0)
        letGo(held, actions);
    return actions;
}

/// Every call in the line is decided: what passes, passes.
void McpRelay::letGo(std::list<Held>::iterator held, Actions &actions)
{
    for (auto &call : m_calls) {
        if (call.state == State::Allowed && call.held == held)
            call.state = State::Out;
    }
    const auto passes = std::ranges::count_if(held->parts, &Part::passes);
    m_heldBytes -= held->line.size();
    if (static_cast<std::size_t>(passes) == held->parts.size())
        actions.emplace_back(mcp::ToServer{std::move(held->line)}); // to the byte
    else if (passes > 0)
        actions.emplace_back(mcp::ToServer{remains(held->line, held->parts) + held->end});
    m_held.erase(held);
}

Actions McpRelay::fromServer(std::string_view line)
{
    Actions actions;
    if (m_calls.empty())
        return actions; // nothing that it could answer
    for (const auto &[json, message] : readMcpLine(line).parts) {
        if (message.kind == McpKind::Response) {
            answered(message.id, message.outcome, message.error, actions);
        } else if (message.kind == McpKind::Refused) {
            // The client may well read it; whether it is a success is not known here.
            McpIdFinder finder;
            finder.feed(json);
            for (const auto &id : finder.responses())
                answered(id, McpOutcome::Neutral, std::string(kUnreadable), actions);
        }
    }
    return actions;
}

Actions McpRelay::tooLongFromServer(const std::vector<std::string> &responses)
{
    Actions actions;
    for (const auto &id : responses)
        answered(id, McpOutcome::Neutral, std::string(kUnreadable), actions);
    return actions;
}

void McpRelay::answered(const std::string &id, McpOutcome outcome, const std::string &error, Actions &actions)
{
    const auto call
        = std::ranges::find_if(m_calls, [&](const Call &one) { return one.state == State::Out && one.id == id; });
    if (call == m_calls.end())
        return; // of another request, or of a call that was called off
    actions.emplace_back(mcp::Report{call->number, outcome, error});
    m_calls.erase(call);
}

Actions McpRelay::end(bool serverWentFirst)
{
    Actions actions;
    for (const auto &call : m_calls) {
        if (call.state == State::Asked) {
            m_withdrawn.insert(call.number);
            actions.emplace_back(mcp::Withdraw{call.number});
        } else if (call.state == State::Out && serverWentFirst) {
            actions.emplace_back(mcp::Report{call.number, McpOutcome::Failure, "the server ended without an answer"});
        } else {
            actions.emplace_back(
                mcp::Report{call.number, McpOutcome::Neutral, "the connection ended before its answer"});
        }
    }
    m_calls.clear();
    m_held.clear();
    m_heldBytes = 0;
    return actions;
}

std::size_t McpRelay::waiting() const noexcept
{
    return static_cast<std::size_t>(
        std::ranges::count_if(m_calls, [](const Call &call) { return call.state == State::Asked; }));
}

} // namespace handreset::feeds

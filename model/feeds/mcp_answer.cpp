#include "model/feeds/mcp_answer.h"

#include "model/rules/json_text.h"

#include <algorithm>

namespace handreset::feeds {

namespace {

/// "30" and "1.5": no more digits than the amount has.
std::string inDigits(double amount)
{
    std::string text;
    if (!rules::appendJsonNumber(text, std::max(amount, 0.0)))
        text = "some";
    return text;
}

std::string whatEndsIt(const McpDecision &decision)
{
    const bool isOne = decision.amount == 1.0;
    switch (decision.retry) {
    case McpRetry::Never:
        return "nothing does; do not repeat this call.";
    case McpRetry::AfterHuman:
        return "a human re-arms " + (decision.trip.empty() ? std::string("it") : "trip " + decision.trip)
            + "; repeating the call before that is refused, too.";
    case McpRetry::AfterSeconds:
        return "time; ask again after " + inDigits(decision.amount) + (isOne ? " second." : " seconds.");
    case McpRetry::AfterCalls:
        return "its cooldown; " + inDigits(decision.amount)
            + (isOne ? " more call is turned away first." : " more calls are turned away first.");
    case McpRetry::Untold:
        break;
    }
    return "not said; tell a human.";
}

} // namespace

std::string refusalText(const McpDecision &decision)
{
    std::string_view text = decision.text;
    while (text.ends_with('.') || text.ends_with(' '))
        text.remove_suffix(1);
    std::string out = "Refused by Handreset: ";
    out += text.empty() ? "no reason was given" : text;
    if (!decision.source.empty())
        out += " (" + decision.source + ')';
    return out + ". The tool was not called. What would end it: " + whatEndsIt(decision);
}

std::string refusalLine(std::string_view id, const McpDecision &decision)
{
    std::string line = R"({"jsonrpc":"2.0","id":)";
    line += id;
    line += R"(,"result":{"content":[{"type":"text","text":)";
    rules::appendJsonString(line, refusalText(decision));
    return line + "}],\"isError\":true}}\n";
}

std::string errorLine(std::string_view id, int code, std::string_view message)
{
    std::string line = R"({"jsonrpc":"2.0","id":)";
    line += id;
    line += R"(,"error":{"code":)" + std::to_string(code) + R"(,"message":)";
    rules::appendJsonString(line, message);
    return line + "}}\n";
}

} // namespace handreset::feeds

#include "model/rules/call_identity.h"

#include "model/rules/canonical.h"

#include <vector>

namespace handreset::rules {

namespace {

constexpr char kJsonMark = 'J';
constexpr char kBytesMark = 'B';

/// What is hashed: the tool's length and name, so that no part of it can pass for arguments, a mark, the arguments.
void appendTool(std::string &out, std::string_view tool)
{
    out.append(std::to_string(tool.size()));
    out.push_back(':');
    out.append(tool);
}

/// Appends the arguments less the ignored values; false where they are not JSON.
bool appendWithout(std::string &out, std::string_view argumentsText, std::span<const Pointer> ignore)
{
    thread_local JsonDocument document; // only reused memory
    if (!document.parse(argumentsText))
        return false;
    std::vector<JsonValue> ignored;
    for (const Pointer &pointer : ignore)
        pointer.resolve(document.root(), ignored); // an ignored place may well be missing
    appendCanonicalJson(out, document.root(), ignored, Hidden::LeftOut);
    return true;
}

CallIdentity identityOf(std::string_view tool, std::string_view text, bool isJson)
{
    std::string hashed;
    hashed.reserve(tool.size() + text.size() + 24);
    appendTool(hashed, tool);
    hashed.push_back(isJson ? kJsonMark : kBytesMark);
    hashed.append(text);
    return {sha256(hashed), isJson};
}

} // namespace

CanonicalArguments canonicalArguments(std::string_view argumentsText)
{
    CanonicalArguments arguments;
    arguments.isJson = appendCanonicalJson(arguments.text, argumentsText, CanonicalNumbers::Exact).ok();
    if (!arguments.isJson)
        arguments.text = argumentsText;
    return arguments;
}

CallIdentity identify(std::string_view tool, std::string_view argumentsText, std::span<const Pointer> ignore)
{
    std::string hashed;
    hashed.reserve(tool.size() + argumentsText.size() + 24);
    appendTool(hashed, tool);
    hashed.push_back(kJsonMark);
    const bool isJson = ignore.empty() ? appendCanonicalJson(hashed, argumentsText, CanonicalNumbers::Exact).ok()
                                       : appendWithout(hashed, argumentsText, ignore);
    if (!isJson)
        return identityOf(tool, argumentsText, false);
    return {sha256(hashed), true};
}

CallIdentity identify(std::string_view tool, const CanonicalArguments &arguments, std::span<const Pointer> ignore)
{
    if (arguments.isJson && !ignore.empty())
        return identify(tool, arguments.text, ignore);
    return identityOf(tool, arguments.text, arguments.isJson);
}

} // namespace handreset::rules

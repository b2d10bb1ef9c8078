#include "model/feeds/mcp_message.h"

#include "model/rules/canonical.h"
#include "model/rules/json.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace handreset::feeds {

using rules::JsonKind;
using rules::JsonValue;

namespace {

/// Lower case as readers fold it that do not tell case apart (Go's encoding/json): ASCII, and the two signs beyond it
/// that fold into ASCII: U+017F (long s) and U+212A (Kelvin).
std::string folded(std::string_view name)
{
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto rest = name.substr(i);
        if (rest.starts_with("\xC5\xBF")) {
            out += 's';
            i += 1;
        } else if (rest.starts_with("\xE2\x84\xAA")) {
            out += 'k';
            i += 2;
        } else {
            out += name[i] >= 'A' && name[i] <= 'Z' ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
        }
    }
    return out;
}

/// A member whose name a reader without regard to case takes for one of `names`; nothing where there is none.
std::optional<std::string_view> lookalike(JsonValue object, std::span<const std::string_view> names)
{
    for (const auto member : object.children()) {
        const auto plain = folded(member.name());
        for (const auto name : names) {
            if (plain == name && member.name() != name)
                return name;
        }
    }
    return std::nullopt;
}

std::string idOf(std::optional<JsonValue> id)
{
    std::string text;
    if (id && (id->is(JsonKind::String) || id->is(JsonKind::Number)))
        rules::appendCanonicalJson(text, *id);
    return text;
}

McpMessage refused(std::string id, std::string why, int code = kInvalidRequest)
{
    McpMessage message;
    message.kind = McpKind::Refused;
    message.id = std::move(id);
    message.why = std::move(why);
    message.code = code;
    return message;
}

McpMessage readToolCall(JsonValue root, std::string id)
{
    static constexpr std::array<std::string_view, 2> kNames{"name", "arguments"};
    if (id.empty())
        return refused({}, "a tools/call without an id that is a string or a number");
    const auto params = root.member("params");
    if (!params || !params->is(JsonKind::Object))
        return refused(std::move(id), "a tools/call needs params, an object", kInvalidParams);
    if (const auto name = lookalike(*params, kNames))
        return refused(std::move(id), "a member of params is \"" + std::string(*name) + "\" in other letters");
    const auto tool = params->member("name");
    if (!tool || !tool->is(JsonKind::String) || tool->text().empty())
        return refused(std::move(id), "a tools/call needs params.name, the tool's", kInvalidParams);
    McpMessage message;
    message.kind = McpKind::ToolCall;
    message.id = std::move(id);
    message.tool = tool->text();
    const auto arguments = params->member("arguments");
    if (arguments && !arguments->is(JsonKind::Null))
        rules::appendCanonicalJson(message.arguments, *arguments);
    else
        message.arguments = "{}";
    return message;
}

McpMessage readResponse(JsonValue root, std::string id)
{
    McpMessage message;
    message.kind = McpKind::Response;
    message.id = std::move(id);
    if (const auto error = root.member("error")) {
        const auto code = error->member("code");
        const auto number = code ? code->asInteger() : std::nullopt;
        message.outcome = number == kInvalidParams ? McpOutcome::Neutral : McpOutcome::Failure;
        message.error = "JSON-RPC error" + (number ? ' ' + std::to_string(*number) : std::string());
        return message;
    }
    const auto isError = root.member("result")->member("isError");
    if (isError && isError->boolean()) {
        message.outcome = McpOutcome::Failure;
        message.error = "the tool answered with isError";
    }
    return message;
}

McpMessage readObject(JsonValue root)
{
    static constexpr std::array<std::string_view, 3> kNames{"method", "params", "id"};
    auto id = idOf(root.member("id"));
    const auto method = root.member("method");
    if (const auto name = lookalike(root, kNames)) {
        if (!method && *name != "method")
            id.clear(); // a response: its id is the server's, and nobody waits for an answer to it
        return refused(std::move(id), "a member is \"" + std::string(*name) + "\" in other letters");
    }
    if (!method) {
        if (!id.empty() && (root.member("result") || root.member("error")))
            return readResponse(root, std::move(id));
        return {};
    }
    if (!method->is(JsonKind::String))
        return refused(std::move(id), "the method is no string");
    if (method->text() == "tools/call")
        return readToolCall(root, std::move(id));
    McpMessage message;
    message.id = std::move(id);
    if (method->text() == "notifications/cancelled") {
        const auto params = root.member("params");
        message.cancels = params ? idOf(params->member("requestId")) : std::string();
        message.kind = message.cancels.empty() ? McpKind::Other : McpKind::Cancelled;
    }
    return message;
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/// The elements of an array that has been read strictly already, each without the blanks around it.
std::vector<std::string_view> elementsOf(std::string_view array)
{
    std::vector<std::string_view> elements;
    const auto first = array.find('[') + 1;
    const auto last = array.rfind(']');
    std::size_t start = first;
    int depth = 0;
    bool isInString = false;
    const auto take = [&](std::size_t end) {
        auto element = array.substr(start, end - start);
        while (!element.empty() && isBlank(element.front()))
            element.remove_prefix(1);
        while (!element.empty() && isBlank(element.back()))
            element.remove_suffix(1);
        if (!element.empty())
            elements.push_back(element);
        start = end + 1;
    };
    for (std::size_t i = first; i < last; ++i) {
        const char c = array[i];
        if (isInString && c == '\\')
            ++i;
        else if (c == '"')
            isInString = !isInString;
        else if (!isInString && (c == '{' || c == '['))
            ++depth;
        else if (!isInString && (c == '}' || c == ']'))
            --depth;
        else if (!isInString && depth == 0 && c == ',')
            take(i);
    }
    take(last);
    return elements;
}

/// What is no JSON to us.
McpMessage unread(std::string_view text, const rules::Error &error)
{
    if (text.find('{') == std::string_view::npos)
        return {}; // nobody reads an object out of this; the server says what it thinks of it
    return refused({}, "not to be read as JSON in one way only: " + error.message);
}

/// Why the batch cannot be taken element by element; empty: it can.
std::string faultOf(JsonValue batch)
{
    for (const auto element : batch.children()) {
        if (element.is(JsonKind::Array))
            return "a batch within a batch";
    }
    return {};
}

} // namespace

McpMessage readMcpMessage(std::string_view json)
{
    rules::JsonDocument document;
    if (const auto read = document.parse(json); !read)
        return unread(json, read.error());
    return document.root().is(JsonKind::Object) ? readObject(document.root()) : McpMessage{};
}

McpLine readMcpLine(std::string_view line)
{
    McpLine taken;
    auto body = line;
    if (body.ends_with('\n'))
        body.remove_suffix(1);
    while (body.ends_with('\r'))
        body.remove_suffix(1);
    taken.end = line.substr(body.size());
    const auto only = [&](McpMessage message) {
        taken.parts.push_back({body, std::move(message)});
        return std::move(taken);
    };
    // Blank space in JSON, but the end of a line to readers with universal line ends (Python's, Java's): they would
    // find a message between two of them where there is only a part of one here.
    if (body.find('\r') != std::string_view::npos && body.find('{') != std::string_view::npos)
        return only(refused({}, "a carriage return within a line"));
    rules::JsonDocument document;
    if (const auto read = document.parse(body); !read)
        return only(unread(body, read.error()));
    const auto root = document.root();
    if (root.is(JsonKind::Object))
        return only(readObject(root));
    if (!root.is(JsonKind::Array))
        return only({});
    if (auto fault = faultOf(root); !fault.empty())
        return only(refused({}, std::move(fault)));
    taken.isBatch = true;
    for (const auto element : elementsOf(body))
        taken.parts.push_back({element, readMcpMessage(element)});
    return taken;
}

} // namespace handreset::feeds

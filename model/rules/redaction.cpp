#include "model/rules/redaction.h"

#include "model/rules/call_identity.h"
#include "model/rules/canonical.h"
#include "model/rules/utf8.h"

#include <algorithm>
#include <vector>

namespace handreset::rules {

namespace {

RedactedArguments redactAll()
{
    return {std::string(kRedacted), false, true, false};
}

/// True where the pointer's next step cannot be taken in this value, so that what it names may be hidden inside: JSON
/// written as a text (as OpenAI sends arguments), or a list where an object was meant.
bool mayHide(JsonValue value, std::string_view step)
{
    const bool isPlace
        = step == "*" || (!step.empty() && step.find_first_not_of("0123456789") == std::string_view::npos);
    switch (value.kind()) {
    case JsonKind::Object:
        return step == "*";
    case JsonKind::Array:
        return !isPlace;
    case JsonKind::Null:
        return false;
    case JsonKind::Bool:
    case JsonKind::Number:
    case JsonKind::String:
        break;
    }
    return true;
}

/// Appends the values on the pointer's way that are not of the shape it was written for.
void addMisfits(const Pointer &pointer, JsonValue root, std::vector<JsonValue> &secrets)
{
    const std::string_view text = pointer.text();
    std::vector<JsonValue> onTheWay;
    for (std::size_t at = 0; at < text.size();) {
        const auto next = std::min(text.find('/', at + 1), text.size());
        const auto before = Pointer::parse(text.substr(0, at));
        if (!before)
            return;
        onTheWay.clear();
        static_cast<void>(before->resolve(root, onTheWay));
        for (const JsonValue &value : onTheWay) {
            if (mayHide(value, text.substr(at + 1, next - at - 1)))
                secrets.push_back(value);
        }
        at = next;
    }
}

RedactedArguments replaceValues(std::string_view argumentsText, std::span<const Pointer> redact)
{
    thread_local JsonDocument document; // only reused memory
    if (!document.parse(argumentsText))
        return redactAll();
    std::vector<JsonValue> secrets;
    for (const Pointer &pointer : redact) {
        if (!pointer.resolve(document.root(), secrets))
            addMisfits(pointer, document.root(), secrets);
    }
    RedactedArguments redacted;
    redacted.isJson = true;
    redacted.isRedacted = !secrets.empty();
    appendCanonicalJson(redacted.text, document.root(), secrets, Hidden::Redacted);
    return redacted;
}

void cut(RedactedArguments &arguments, std::size_t maxBytes)
{
    if (arguments.text.size() <= maxBytes)
        return;
    std::size_t end = maxBytes;
    for (std::size_t back = 0; back < 4 && back <= maxBytes; ++back) {
        const std::string_view rest = std::string_view(arguments.text).substr(maxBytes - back);
        if (utf8SequenceLength(rest) != 0) { // a sequence begins here: nothing before it is broken
            end = maxBytes - back;
            break;
        }
    }
    arguments.text.resize(end);
    arguments.isJson = false;
    arguments.isCut = true;
}

} // namespace

RedactedArguments redactArguments(std::string_view argumentsText, std::span<const Pointer> redact, std::size_t maxBytes)
{
    RedactedArguments kept;
    if (redact.empty()) {
        CanonicalArguments arguments = canonicalArguments(argumentsText);
        kept.text = std::move(arguments.text);
        kept.isJson = arguments.isJson;
    } else {
        kept = replaceValues(argumentsText, redact);
    }
    cut(kept, maxBytes);
    return kept;
}

} // namespace handreset::rules

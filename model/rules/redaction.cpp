#include "model/rules/redaction.h"

#include "model/rules/call_identity.h"
#include "model/rules/canonical.h"
#include "model/rules/utf8.h"

#include <vector>

namespace handreset::rules {

namespace {

RedactedArguments redactAll()
{
    return {std::string(kRedacted), false, true, false};
}

RedactedArguments replaceValues(std::string_view argumentsText, std::span<const Pointer> redact)
{
    thread_local JsonDocument document; // only reused memory
    if (!document.parse(argumentsText))
        return redactAll();
    std::vector<JsonValue> secrets;
    for (const Pointer &pointer : redact)
        pointer.resolve(document.root(), secrets);
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

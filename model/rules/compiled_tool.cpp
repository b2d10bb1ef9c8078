#include "model/rules/compiled_tool.h"

#include "model/rules/destination.h"
#include "model/rules/json.h"
#include "model/rules/pointer.h"
#include "model/rules/canonical.h"
#include "model/rules/redaction.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace handreset::rules {

struct CompiledTool::Parts {
    std::vector<Pointer> ignore;
    std::vector<Pointer> redact;
    std::optional<Pointer> value;
    std::optional<Pointer> currency;
    std::optional<Pointer> destination;
    std::optional<DestinationMatcher> allowed;
};

namespace {

std::vector<Pointer> pointersOf(const std::vector<std::string> &texts)
{
    std::vector<Pointer> pointers;
    for (const auto &text : texts) {
        if (auto pointer = Pointer::parse(text))
            pointers.push_back(std::move(*pointer)); // the policy's check has refused what does not parse
    }
    return pointers;
}

std::optional<Pointer> pointerOf(const std::string &text)
{
    auto pointer = Pointer::parse(text);
    if (!pointer)
        return std::nullopt;
    return std::move(*pointer);
}

/// Every value at the pointer; a problem in words where one is missing or there is none.
std::string gather(const std::optional<Pointer> &pointer, const JsonDocument *document, std::vector<JsonValue> &values)
{
    values.clear();
    if (document == nullptr)
        return "the arguments are not valid JSON";
    if (!pointer)
        return "the pointer cannot be read";
    if (!pointer->resolve(document->root(), values))
        return "nothing stands at " + pointer->text();
    return {};
}

std::string readAmount(JsonValue value, const Pointer &pointer, CallReading &out)
{
    if (!value.is(JsonKind::Number))
        return "what stands at " + pointer.text() + " is not a number";
    const auto amount = Decimal::parseOutward(value.text()); // sources write binary dust: 4104.909999999999
    if (!amount)
        return "the number at " + pointer.text() + " cannot be read";
    if (!out.largest || *amount > *out.largest)
        out.largest = amount;
    if (amount->isNegative())
        return "the amount at " + pointer.text() + " is negative";
    out.value = out.value.value_or(Decimal{}) + *amount;
    return {};
}

std::vector<std::string_view> stepsOf(std::string_view pointer)
{
    std::vector<std::string_view> steps;
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const auto end = std::min(pointer.find('/'), pointer.size());
        steps.push_back(pointer.substr(0, end));
        pointer.remove_prefix(end);
    }
    return steps;
}

/// True where one of the redacted places holds, or may hold, the place of `pointer`.
bool isRedacted(const std::vector<std::string> &redact, std::string_view pointer)
{
    const auto place = stepsOf(pointer);
    return std::any_of(redact.begin(), redact.end(), [&place](const std::string &text) {
        const auto hidden = stepsOf(text);
        const auto shared = std::min(hidden.size(), place.size());
        for (std::size_t i = 0; i < shared; ++i) {
            if (hidden[i] != place[i] && hidden[i] != "*" && place[i] != "*")
                return false;
        }
        return true;
    });
}

} // namespace

CompiledTool::CompiledTool(ToolPolicy policy)
    : m_policy(std::move(policy))
{
    m_hidesValue = m_policy.value && isRedacted(m_policy.redact, m_policy.value->pointer);
    m_hidesDestination = m_policy.destination && isRedacted(m_policy.redact, m_policy.destination->pointer);
    auto parts = std::make_shared<Parts>();
    parts->ignore = pointersOf(m_policy.repetitionIgnore);
    parts->redact = pointersOf(m_policy.redact);
    if (m_policy.value) {
        parts->value = pointerOf(m_policy.value->pointer);
        if (!m_policy.value->currencyPointer.empty())
            parts->currency = pointerOf(m_policy.value->currencyPointer);
    }
    if (m_policy.destination) {
        parts->destination = pointerOf(m_policy.destination->pointer);
        parts->allowed.emplace(*m_policy.destination);
    }
    m_parts = std::move(parts);
}

void CompiledTool::read(std::string_view name, std::string_view arguments, CallReading &out) const
{
    out.value.reset();
    out.largest.reset();
    out.valueProblem.clear();
    out.destination.clear();
    out.destinationProblem.clear();
    out.canonical = canonicalArguments(arguments);
    out.identity = identify(name, out.canonical, m_parts->ignore).digest;
    if (!m_policy.value && !m_policy.destination)
        return;

    static thread_local JsonDocument document;
    static thread_local std::vector<JsonValue> values;
    const bool readable = out.canonical.isJson && document.parse(arguments).ok();
    const auto *json = readable ? &document : nullptr;
    if (m_policy.value) {
        out.valueProblem = gather(m_parts->value, json, values);
        for (const auto value : values) {
            if (auto problem = readAmount(value, *m_parts->value, out); out.valueProblem.empty())
                out.valueProblem = std::move(problem);
        }
        if (out.valueProblem.empty() && values.empty())
            out.value = Decimal{}; // `*` over an empty array: no amount at all
        if (out.valueProblem.empty() && !m_policy.value->currencyPointer.empty()) {
            out.valueProblem = gather(m_parts->currency, json, values);
            for (const auto value : values) {
                if (value.asString() != m_policy.value->currency)
                    out.valueProblem = "another currency than " + m_policy.value->currency;
            }
        }
        if (!out.valueProblem.empty())
            out.value.reset(); // what cannot be evaluated adds nothing to a volume
    }
    if (m_policy.destination)
        readDestination(json, values, out);
}

void CompiledTool::readDestination(const JsonDocument *json, std::vector<JsonValue> &values, CallReading &out) const
{
    out.destinationProblem = gather(m_parts->destination, json, values);
    if (out.destinationProblem.empty() && values.empty())
        out.destinationProblem = "no destination stands at " + m_parts->destination->text();
    for (const auto value : values) {
        const auto text = value.asString();
        const bool fits = text && m_parts->allowed->allows(*text);
        if (out.destination.empty() || (!fits && out.destinationProblem.empty()))
            out.destination = std::string(value.text());
        if (!fits && out.destinationProblem.empty())
            out.destinationProblem = text ? "not in the list of allowed destinations" : "the destination is not a text";
    }
    if (m_hidesDestination && !out.destination.empty())
        out.destination = kRedacted;
}

std::string CompiledTool::keep(const CallReading &reading, std::size_t most) const
{
    auto kept = redactArguments(reading.canonical.text, m_parts->redact, most);
    if (kept.isCut)
        kept.text += "…(cut)";
    return std::move(kept.text);
}

} // namespace handreset::rules

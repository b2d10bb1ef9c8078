#include "handreset_decision.h"

#include "handreset_json.h"

#include <cctype>
#include <cstdlib>
#include <sstream>

namespace handreset::client {

namespace {

using Kind = JsonValue::Kind;

/// Fields of an object, each of its one type. What is missing or null is empty; what has another type makes it `wrong`.
class Fields {
public:
    explicit Fields(const JsonValue &object) : m_object(object) {}

    std::string text(std::string_view name)
    {
        const auto *value = m_object.field(name);
        if (value != nullptr && !value->is(Kind::Text))
            m_wrong = true;
        return value != nullptr ? value->text : std::string();
    }

    bool flag(std::string_view name)
    {
        const auto *value = m_object.field(name);
        if (value != nullptr && !value->is(Kind::True) && !value->is(Kind::False))
            m_wrong = true;
        return value != nullptr && value->is(Kind::True);
    }

    /// Trips are numbers; a text is taken as well, since we only hand it on.
    std::string name(std::string_view name)
    {
        const auto *value = m_object.field(name);
        if (value != nullptr && !value->is(Kind::Text) && !value->is(Kind::Number))
            m_wrong = true;
        return value != nullptr ? value->text : std::string();
    }

    Retry retry(std::string_view name)
    {
        const auto *value = m_object.field(name);
        if (value == nullptr)
            return {};
        if (value->is(Kind::Text) && value->text == "never")
            return {Retry::Kind::Never, 0};
        if (value->is(Kind::Text) && value->text == "after_human")
            return {Retry::Kind::AfterHuman, 0};
        if (value->is(Kind::Object) && value->names.size() == 1 && value->items[0].is(Kind::Number)) {
            const double amount = std::strtod(value->items[0].text.c_str(), nullptr);
            if (amount >= 0 && amount < 1e18) {
                if (value->names[0] == "after_seconds")
                    return {Retry::Kind::AfterSeconds, amount};
                if (value->names[0] == "after_calls")
                    return {Retry::Kind::AfterCalls, amount};
            }
        }
        m_wrong = true;
        return {};
    }

    [[nodiscard]] bool areWrong() const noexcept { return m_wrong; }

private:
    const JsonValue &m_object;
    bool m_wrong = false;
};

/// The gate begins most of its texts with the source: "steps: step 26 of 25".
bool beginsWith(std::string_view text, std::string_view source)
{
    if (text.substr(0, source.size()) != source)
        return false;
    const auto next = text.size() > source.size() ? static_cast<unsigned char>(text[source.size()]) : ' ';
    return std::isalnum(next) == 0 && next != '_';
}

} // namespace

std::optional<Rung> readRung(std::string_view word)
{
    if (word == "closed")
        return Rung::Closed;
    if (word == "degraded")
        return Rung::Degraded;
    if (word == "open")
        return Rung::Open;
    return std::nullopt;
}

std::optional<Decision> readDecision(std::string_view body, std::string_view asked)
{
    const auto object = readJson(body);
    if (!object || !object->is(Kind::Object))
        return std::nullopt;
    Fields fields(*object);
    Decision decision;
    const auto word = fields.text("decision");
    const auto rung = readRung(fields.text("rung"));
    if ((word != "allow" && word != "deny") || !rung)
        return std::nullopt;
    decision.allowed = word == "allow";
    decision.rung = *rung;
    const bool hasId = object->field("id") != nullptr;
    decision.id = fields.text("id");
    if ((hasId || decision.allowed) && decision.id != asked)
        return std::nullopt;
    decision.writes = fields.flag("writes");
    decision.model = fields.text("model");
    decision.probe = fields.flag("probe");
    if (const auto *reason = object->field("reason")) {
        if (!reason->is(Kind::Object))
            return std::nullopt;
        Fields why(*reason);
        decision.source = why.text("source");
        decision.text = why.text("text");
        decision.trip = why.name("trip");
        decision.breaker = why.text("breaker");
        decision.retry = why.retry("retry");
        if (why.areWrong())
            return std::nullopt;
    }
    if (fields.areWrong())
        return std::nullopt;
    return decision;
}

ErrorText readError(std::string_view body)
{
    ErrorText text{"error", "the gate gave no reason", {}, -1};
    const auto object = readJson(body);
    const auto *error = object ? object->field("error") : nullptr;
    if (error == nullptr || !error->is(Kind::Object))
        return text;
    Fields fields(*error);
    if (const auto code = fields.text("code"); !code.empty())
        text.code = code;
    if (const auto message = fields.text("message"); !message.empty())
        text.message = message;
    text.field = fields.text("field");
    if (const auto *offset = error->field("offset"); offset != nullptr && offset->is(Kind::Number))
        text.offset = std::strtoll(offset->text.c_str(), nullptr, 10);
    return text;
}

std::string inWords(const Decision &decision)
{
    std::ostringstream words;
    if (!decision.source.empty() && !beginsWith(decision.text, decision.source))
        words << decision.source << ": ";
    words << (decision.text.empty() ? "refused" : decision.text);
    if (!decision.model.empty())
        words << "; the model to use is " << decision.model;
    switch (decision.retry.kind) {
    case Retry::Kind::Untold:
        break;
    case Retry::Kind::Never:
        words << " (do not ask again)";
        break;
    case Retry::Kind::AfterHuman:
        words << " (a human must re-arm first)";
        break;
    case Retry::Kind::AfterSeconds:
        words << " (ask again after " << decision.retry.amount << " s)";
        break;
    case Retry::Kind::AfterCalls:
        words << " (the breaker turns " << decision.retry.amount << " more calls away first)";
        break;
    }
    return words.str();
}

} // namespace handreset::client

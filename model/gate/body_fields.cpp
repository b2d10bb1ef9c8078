#include "model/gate/body_fields.h"

#include "model/gate/json_source.h"
#include "model/rules/currency.h"

#include <charconv>
#include <utility>

namespace handreset::gate {

using rules::JsonKind;
using rules::JsonValue;

namespace {

constexpr std::size_t kLongestName = 512;
constexpr std::int64_t kMostAmount = 1'000'000'000;

/// "byte 17 at /items/0": the reader's own words for the place.
std::optional<std::size_t> offsetIn(std::string_view context)
{
    constexpr std::string_view kByte = "byte ";
    if (!context.starts_with(kByte))
        return std::nullopt;
    std::size_t offset = 0;
    context.remove_prefix(kByte.size());
    const auto read = std::from_chars(context.data(), context.data() + context.size(), offset);
    return read.ec == std::errc() ? std::optional(offset) : std::nullopt;
}

} // namespace

BodyFields::BodyFields(rules::JsonDocument &document, std::string_view body)
{
    if (const auto parsed = document.parse(body); !parsed) {
        m_fault = Fault{400, "bad_json", parsed.error().message, {}, offsetIn(parsed.error().context)};
        return;
    }
    if (!document.root().is(JsonKind::Object)) {
        m_fault = Fault{422, "bad_body", "the body must be one JSON object", {}, 0};
        return;
    }
    m_root = document.root();
}

void BodyFields::refuse(std::string_view field, std::string message)
{
    if (!m_fault)
        m_fault = Fault{422, "bad_field", std::move(message), std::string(field), {}};
}

std::optional<JsonValue> BodyFields::take(std::string_view field, bool isNeeded)
{
    m_known.insert(field);
    if (m_fault)
        return std::nullopt;
    auto value = m_root->member(field);
    if (value && value->is(JsonKind::Null))
        value.reset(); // says nothing
    if (!value && isNeeded)
        refuse(field, "is missing");
    return value;
}

std::string BodyFields::name(std::string_view field, bool isNeeded)
{
    auto read = text(field, kLongestName, isNeeded);
    if (read.find('\0') != std::string::npos)
        refuse(field, "holds U+0000; a name is text that can be shown");
    else if (isNeeded && read.empty())
        refuse(field, "is empty; give a name");
    return m_fault ? std::string() : read;
}

std::string BodyFields::text(std::string_view field, std::size_t most, bool isNeeded)
{
    const auto value = take(field, isNeeded);
    if (!value)
        return {};
    if (!value->is(JsonKind::String))
        refuse(field, "must be a string");
    else if (value->text().size() > most)
        refuse(field, "is longer than " + std::to_string(most) + " bytes");
    else
        return std::string(value->text());
    return {};
}

std::optional<bool> BodyFields::flag(std::string_view field, bool isNeeded)
{
    const auto value = take(field, isNeeded);
    if (!value)
        return std::nullopt;
    if (value->is(JsonKind::Bool))
        return value->boolean();
    refuse(field, "must be true or false");
    return std::nullopt;
}

std::optional<std::int64_t> BodyFields::whole(std::string_view field, std::int64_t least, std::int64_t most)
{
    const auto value = take(field, false);
    if (!value)
        return std::nullopt;
    const auto number = value->asInteger();
    if (number && *number >= least && *number <= most)
        return number;
    refuse(field, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
}

std::optional<rules::Decimal> BodyFields::amount(std::string_view field, std::string_view text)
{
    const auto read = rules::Decimal::parseOutward(text); // a sum is never too small
    if (!read)
        refuse(field, "must be an amount, such as 0.05 or \"0.05 USD\"");
    else if (read->isNegative())
        refuse(field, "is negative; an amount is never below 0");
    else if (*read > rules::Decimal(kMostAmount))
        refuse(field, "is more than anybody pays for a call");
    else
        return read;
    return std::nullopt;
}

std::optional<rules::Money> BodyFields::money(std::string_view field, std::string_view currencyField)
{
    auto currency = currencyField.empty() ? std::string() : text(currencyField, 16);
    if (!currency.empty() && !rules::isCurrency(currency))
        refuse(currencyField, "must be a code of ISO 4217, such as USD");
    const auto value = take(field, false);
    if (!value)
        return std::nullopt;
    if (!value->is(JsonKind::String) && !value->is(JsonKind::Number)) {
        refuse(field, "must be an amount, such as 0.05 or \"0.05 USD\"");
        return std::nullopt;
    }
    auto digits = value->text();
    if (const auto blank = digits.find(' '); value->is(JsonKind::String) && blank != std::string_view::npos) {
        const auto code = digits.substr(blank + 1);
        digits = digits.substr(0, blank);
        if (!rules::isCurrency(code))
            refuse(field, "names no currency of ISO 4217 after the amount");
        else if (!currency.empty() && currency != code)
            refuse(field, "is in another currency than " + std::string(currencyField) + " says");
        currency = code;
    }
    const auto read = amount(field, digits);
    return read ? std::optional(rules::Money{*read, std::move(currency)}) : std::nullopt;
}

std::string BodyFields::json(std::string_view field)
{
    m_known.insert(field);
    const auto value = m_fault ? std::nullopt : m_root->member(field);
    if (!value) {
        refuse(field, "is missing");
        return {};
    }
    std::string out;
    appendJson(out, *value);
    return out;
}

void BodyFields::finish()
{
    if (m_fault)
        return;
    for (const JsonValue member : m_root->children()) {
        if (!m_known.contains(member.name())) {
            refuse(member.name().substr(0, 64), "is no field of this call");
            return;
        }
    }
}

} // namespace handreset::gate

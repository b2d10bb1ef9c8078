// A request's body, field by field and strictly: one JSON object, each field of its kind and size, none that is not
// known. The first fault is kept and everything after it is empty. Pure; one thread; views die with the document.
#pragma once

#include "model/gate/fault.h"
#include "model/rules/decimal.h"
#include "model/rules/json.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace handreset::gate {

class BodyFields {
public:
    /// Reads the body into the document, which outlives this.
    BodyFields(rules::JsonDocument &document, std::string_view body);

    /// A name: text without NUL, of at most 512 bytes; empty where it is missing and may be.
    [[nodiscard]] std::string name(std::string_view field, bool isNeeded);
    /// A text of at most `most` bytes; longer ones are refused.
    [[nodiscard]] std::string text(std::string_view field, std::size_t most, bool isNeeded = false);
    [[nodiscard]] std::optional<bool> flag(std::string_view field, bool isNeeded = false);
    /// A whole number in [least, most].
    [[nodiscard]] std::optional<std::int64_t> whole(std::string_view field, std::int64_t least, std::int64_t most);
    /// "0.05 USD", or a number (or its text) in the currency that the field `currencyField` names; without one, in that
    /// of the agent's key. Never below 0.
    [[nodiscard]] std::optional<rules::Money> money(std::string_view field, std::string_view currencyField = {});
    /// The value's own text, as `appendJson` writes it.
    [[nodiscard]] std::string json(std::string_view field);
    /// Where nothing was wrong: refuses fields that nobody asked for.
    void finish();

    [[nodiscard]] const std::optional<Fault> &fault() const noexcept { return m_fault; }
    /// Marks this field as wrong.
    void refuse(std::string_view field, std::string message);

private:
    [[nodiscard]] std::optional<rules::JsonValue> take(std::string_view field, bool isNeeded);
    [[nodiscard]] std::optional<rules::Decimal> amount(std::string_view field, std::string_view text);

    std::optional<rules::JsonValue> m_root;
    std::set<std::string_view> m_known;
    std::optional<Fault> m_fault;
};

} // namespace handreset::gate

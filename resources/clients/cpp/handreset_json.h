// JSON as the client needs it: a strict reader of small texts, and quoting for what is written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace handreset::client {

/// One JSON value. A number keeps its spelling, because amounts are compared and passed on exactly.
struct JsonValue {
    enum class Kind { Null, False, True, Number, Text, Array, Object };

    Kind kind = Kind::Null;
    std::string text;             ///< of a Number as it stands, of a Text decoded to UTF-8
    std::vector<JsonValue> items; ///< of an Array; of an Object the values, in the order of `names`
    std::vector<std::string> names;

    /// The field of an object; null where it has none, or where its value is null.
    [[nodiscard]] const JsonValue *field(std::string_view name) const;
    [[nodiscard]] bool is(Kind wanted) const noexcept { return kind == wanted; }
};

/// The value in `text`, or none where it is not exactly one JSON value: RFC 8259, valid UTF-8, at most 32 levels deep,
/// no name twice in an object, no lone surrogate, nothing behind it.
[[nodiscard]] std::optional<JsonValue> readJson(std::string_view text);

/// The text in quotes. Bytes that are not UTF-8 become U+FFFD, so that what is sent is always JSON.
[[nodiscard]] std::string quotedJson(std::string_view text);

} // namespace handreset::client

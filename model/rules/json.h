// Reading JSON that nobody vouches for (RFC 8259, I-JSON's strictness): UTF-8 without faults, no name twice, at most
// 32 levels, no lone surrogates, nothing after the value; the text of numbers is kept as it was written.
// Pure; a document belongs to one thread at a time; its values are views into it and die with its next `parse`.
#pragma once

#include "model/rules/decimal.h"
#include "model/rules/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules {

constexpr int kMaxJsonDepth = 32; ///< arrays and objects within each other (spec 5)
constexpr std::size_t kMaxJsonBytes = std::size_t{256} * 1024 * 1024;

enum class JsonKind : std::uint8_t { Null, Bool, Number, String, Array, Object };

namespace json_detail {
/// Nodes stand in the order of the text: a value's children directly after it, its next sibling at `end`.
struct Node {
    JsonKind kind = JsonKind::Null;
    bool boolean = false;
    std::uint32_t children = 0;
    std::uint32_t end = 0;
    std::string_view text; ///< of a number as written, of a string unescaped
    std::string_view name; ///< where it is an object's member
};
} // namespace json_detail

/// One value of a document. Cheap to copy; compares by place, not by content.
class JsonValue {
public:
    /// Walks an array's elements or an object's members, in the order of the text.
    class Iterator {
    public:
        Iterator(const json_detail::Node *nodes, std::uint32_t at) noexcept : m_nodes(nodes), m_at(at) {}
        JsonValue operator*() const noexcept { return {m_nodes, m_at}; }
        Iterator &operator++() noexcept
        {
            m_at = m_nodes[m_at].end;
            return *this;
        }
        bool operator==(const Iterator &other) const noexcept { return m_at == other.m_at; }

    private:
        const json_detail::Node *m_nodes;
        std::uint32_t m_at;
    };
    struct Children {
        Iterator first;
        Iterator last;
        [[nodiscard]] Iterator begin() const noexcept { return first; }
        [[nodiscard]] Iterator end() const noexcept { return last; }
    };

    JsonValue(const json_detail::Node *nodes, std::uint32_t at) noexcept : m_nodes(nodes), m_at(at) {}

    [[nodiscard]] JsonKind kind() const noexcept { return node().kind; }
    [[nodiscard]] bool is(JsonKind kind) const noexcept { return node().kind == kind; }
    /// False for what is not a bool.
    [[nodiscard]] bool boolean() const noexcept { return node().boolean; }
    /// A string's content, or a number's text exactly as written; empty for other kinds.
    [[nodiscard]] std::string_view text() const noexcept { return node().text; }
    /// The member's name; empty where the value is not an object's member.
    [[nodiscard]] std::string_view name() const noexcept { return node().name; }
    /// The number of elements or members; 0 for other kinds.
    [[nodiscard]] std::size_t size() const noexcept { return node().children; }
    [[nodiscard]] Children children() const noexcept
    {
        const bool isHolder = is(JsonKind::Array) || is(JsonKind::Object);
        return {{m_nodes, isHolder ? m_at + 1 : m_at}, {m_nodes, isHolder ? node().end : m_at}};
    }
    /// The member of this name; nothing where there is none or this is not an object.
    [[nodiscard]] std::optional<JsonValue> member(std::string_view name) const noexcept;
    /// The element at this place, from 0; nothing where there is none or this is not an array.
    [[nodiscard]] std::optional<JsonValue> element(std::size_t place) const noexcept;
    /// The string's content; nothing for other kinds.
    [[nodiscard]] std::optional<std::string_view> asString() const noexcept;
    /// The number's exact value; nothing for other kinds and where Decimal cannot hold it (it never rounds).
    [[nodiscard]] std::optional<Decimal> asDecimal() const;
    /// The number where it is whole and fits ("3", "3.0", "3e0"); nothing otherwise.
    [[nodiscard]] std::optional<std::int64_t> asInteger() const;

    bool operator==(const JsonValue &other) const noexcept { return m_nodes == other.m_nodes && m_at == other.m_at; }
    bool operator<(const JsonValue &other) const noexcept { return m_at < other.m_at; }

private:
    [[nodiscard]] const json_detail::Node &node() const noexcept { return m_nodes[m_at]; }

    const json_detail::Node *m_nodes;
    std::uint32_t m_at;
};

/// Holds one read text. Parsing again reuses the memory.
class JsonDocument {
public:
    JsonDocument() = default;
    JsonDocument(JsonDocument &&) noexcept = default;
    JsonDocument &operator=(JsonDocument &&) noexcept = default;

    /// Reads the text and keeps a copy. BadInput tells what is wrong, the byte, and the JSON pointer of the place
    /// ("byte 17 at /items/0"). After an error the document is null.
    [[nodiscard]] Result<void> parse(std::string_view text);
    /// The value; null before the first successful `parse`.
    [[nodiscard]] JsonValue root() const noexcept;

private:
    std::vector<json_detail::Node> m_nodes;
    std::unique_ptr<char[]> m_bytes; ///< the padded text, then the strings that had escapes
    std::size_t m_capacity = 0;
};

} // namespace handreset::rules

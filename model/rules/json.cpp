#include "model/rules/json.h"

#include "model/rules/json_walk.h"

#include <algorithm>
#include <array>

namespace handreset::rules {

namespace json_detail {

namespace {

/// The value of four hexadecimal digits, or -1.
std::int32_t hexUnit(std::string_view digits) noexcept
{
    if (digits.size() < 4)
        return -1;
    std::int32_t unit = 0;
    for (const char c : digits.substr(0, 4)) {
        std::int32_t digit = -1;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if (c >= 'a' && c <= 'f')
            digit = c - 'a' + 10;
        else if (c >= 'A' && c <= 'F')
            digit = c - 'A' + 10;
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/// Takes "XXXX", or a pair "XXXX\uXXXX", off the front; -1 where it is malformed or a surrogate stands alone.
std::int32_t takeCodePoint(std::string_view &rest) noexcept
{
    const std::int32_t unit = hexUnit(rest);
    if (unit < 0 || (unit >= 0xDC00 && unit <= 0xDFFF))
        return -1;
    rest.remove_prefix(4);
    if (unit < 0xD800 || unit > 0xDBFF)
        return unit;
    if (!rest.starts_with("\\u"))
        return -1;
    rest.remove_prefix(2);
    const std::int32_t low = hexUnit(rest);
    if (low < 0xDC00 || low > 0xDFFF)
        return -1;
    rest.remove_prefix(4);
    return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

char shortEscape(char letter) noexcept
{
    switch (letter) {
    case '"':
    case '\\':
    case '/':
        return letter;
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return '\0';
    }
}

constexpr const char *kBadEscape = "A string has a malformed escape or half a surrogate pair";
constexpr const char *kNameTwice = "An object has the same name twice";

/// Builds a document's nodes.
class TreeSink {
public:
    TreeSink(std::vector<Node> &nodes, char *room) : m_nodes(nodes), m_room(room) { m_nodes.clear(); }

    const char *null() { return add(JsonKind::Null); }
    const char *boolean(bool value)
    {
        add(JsonKind::Bool);
        m_nodes.back().boolean = value;
        return nullptr;
    }
    const char *number(std::string_view text, const NumberText &)
    {
        add(JsonKind::Number);
        m_nodes.back().text = text;
        return nullptr;
    }
    const char *rawString(RawString raw)
    {
        add(JsonKind::String);
        return take(raw, m_nodes.back().text) ? nullptr : kBadEscape;
    }
    void beginArray() { open(JsonKind::Array); }
    void beginElement(bool) {}
    void endArray() { close(); }
    void beginObject() { open(JsonKind::Object); }
    const char *rawKey(RawString raw, bool) { return take(raw, m_name) ? nullptr : kBadEscape; }
    const char *endObject()
    {
        const std::uint32_t object = m_open[m_depth - 1];
        close();
        return hasNameTwice(object) ? kNameTwice : nullptr;
    }

private:
    const char *add(JsonKind kind)
    {
        if (m_depth != 0)
            ++m_nodes[m_open[m_depth - 1]].children;
        Node &node = m_nodes.emplace_back();
        node.kind = kind;
        node.end = static_cast<std::uint32_t>(m_nodes.size());
        node.name = m_name;
        m_name = {};
        return nullptr;
    }
    void open(JsonKind kind)
    {
        add(kind);
        m_open[m_depth++] = static_cast<std::uint32_t>(m_nodes.size() - 1);
    }
    void close() { m_nodes[m_open[--m_depth]].end = static_cast<std::uint32_t>(m_nodes.size()); }
    bool take(RawString raw, std::string_view &text)
    {
        text = raw.body;
        if (!raw.hasEscapes)
            return true;
        char *const end = unescape(raw.body, m_room);
        if (end == nullptr)
            return false;
        text = std::string_view(m_room, static_cast<std::size_t>(end - m_room));
        m_room = end;
        return true;
    }
    bool hasNameTwice(std::uint32_t object)
    {
        constexpr std::uint32_t few = 12; // comparing each with each is then faster than sorting
        const JsonValue value(m_nodes.data(), object);
        if (value.size() <= few) {
            for (auto a = value.children().begin(); a != value.children().end(); ++a) {
                for (auto b = value.children().begin(); b != a; ++b) {
                    if ((*a).name() == (*b).name())
                        return true;
                }
            }
            return false;
        }
        m_names.clear();
        for (const JsonValue member : value.children())
            m_names.push_back(member.name());
        std::sort(m_names.begin(), m_names.end());
        return std::adjacent_find(m_names.begin(), m_names.end()) != m_names.end();
    }

    std::vector<Node> &m_nodes;
    char *m_room;
    std::array<std::uint32_t, kMaxJsonDepth> m_open{};
    std::size_t m_depth = 0;
    std::string_view m_name;
    std::vector<std::string_view> m_names;
};

} // namespace

char *unescape(std::string_view body, char *out) noexcept
{
    while (!body.empty()) {
        const std::size_t plain = std::min(body.find('\\'), body.size());
        std::memcpy(out, body.data(), plain);
        out += plain;
        body.remove_prefix(plain);
        if (body.empty())
            break;
        if (body.size() < 2)
            return nullptr;
        const char letter = body[1];
        body.remove_prefix(2);
        if (letter != 'u') {
            const char meant = shortEscape(letter);
            if (meant == '\0')
                return nullptr;
            *out++ = meant;
            continue;
        }
        const std::int32_t codePoint = takeCodePoint(body);
        if (codePoint < 0)
            return nullptr;
        std::string sequence; // at most four bytes: it stays within the string object
        appendUtf8(sequence, static_cast<char32_t>(codePoint));
        std::memcpy(out, sequence.data(), sequence.size());
        out += sequence.size();
    }
    return out;
}

simdjson::ondemand::parser &threadParser()
{
    thread_local simdjson::ondemand::parser parser;
    return parser;
}

} // namespace json_detail

std::optional<JsonValue> JsonValue::member(std::string_view name) const noexcept
{
    if (is(JsonKind::Object)) {
        for (const JsonValue candidate : children()) {
            if (candidate.name() == name)
                return candidate;
        }
    }
    return std::nullopt;
}

std::optional<JsonValue> JsonValue::element(std::size_t place) const noexcept
{
    if (!is(JsonKind::Array) || place >= size())
        return std::nullopt;
    Iterator at = children().begin();
    for (; place > 0; --place)
        ++at;
    return *at;
}

std::optional<std::string_view> JsonValue::asString() const noexcept
{
    if (!is(JsonKind::String))
        return std::nullopt;
    return text();
}

std::optional<Decimal> JsonValue::asDecimal() const
{
    if (!is(JsonKind::Number))
        return std::nullopt;
    return Decimal::parse(text());
}

std::optional<std::int64_t> JsonValue::asInteger() const
{
    const auto decimal = asDecimal();
    if (!decimal || decimal->billionths() % Decimal::kScale != 0)
        return std::nullopt;
    const Int128 whole = decimal->billionths() / Decimal::kScale;
    const auto narrow = static_cast<std::int64_t>(whole);
    if (narrow != whole)
        return std::nullopt;
    return narrow;
}

Result<void> JsonDocument::parse(std::string_view text)
{
    m_nodes.clear();
    if (text.size() > kMaxJsonBytes)
        return Error{ErrorCode::BadInput, "The text is too long.", "byte " + std::to_string(kMaxJsonBytes)};
    const std::size_t needed = 2 * text.size() + json_detail::kPadding; // no escape is shorter than what it stands for
    if (needed > m_capacity) {
        m_bytes = std::make_unique_for_overwrite<char[]>(needed);
        m_capacity = needed;
    }
    text.copy(m_bytes.get(), text.size());
    std::memset(m_bytes.get() + text.size(), ' ', json_detail::kPadding);
    json_detail::TreeSink sink(m_nodes, m_bytes.get() + text.size() + json_detail::kPadding);
    json_detail::Walker walker(sink);
    auto result = walker.walk(m_bytes.get(), text.size());
    if (!result)
        m_nodes.clear();
    return result;
}

JsonValue JsonDocument::root() const noexcept
{
    static const json_detail::Node null{JsonKind::Null, false, 0, 1, {}, {}};
    return {m_nodes.empty() ? &null : m_nodes.data(), 0};
}

} // namespace handreset::rules

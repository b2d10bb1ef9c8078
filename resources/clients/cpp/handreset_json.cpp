#include "handreset_json.h"

#include <algorithm>
#include <cstdint>

namespace handreset::client {

namespace {

constexpr int kDeepest = 32;

/// How many bytes the UTF-8 character at the front has; 0 where it is none (overlong, a surrogate, too high, cut off).
std::size_t characterAt(std::string_view text)
{
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    const auto follows = [&](std::size_t at) { return (byte(at) & 0xC0U) == 0x80U; };
    const auto first = byte(0);
    if (text.empty())
        return 0;
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) > 0x9F;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool tooHigh = first == 0xF4 && byte(1) > 0x8F;
        return follows(1) && follows(2) && follows(3) && !overlong && !tooHigh ? 4 : 0;
    }
    return 0;
}

void append(std::string &text, std::uint32_t character)
{
    const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (character < 0x80) {
        put(character);
    } else if (character < 0x800) {
        put(0xC0U | (character >> 6U));
        put(0x80U | (character & 0x3FU));
    } else if (character < 0x10000) {
        put(0xE0U | (character >> 12U));
        put(0x80U | ((character >> 6U) & 0x3FU));
        put(0x80U | (character & 0x3FU));
    } else {
        put(0xF0U | (character >> 18U));
        put(0x80U | ((character >> 12U) & 0x3FU));
        put(0x80U | ((character >> 6U) & 0x3FU));
        put(0x80U | (character & 0x3FU));
    }
}

class Reader {
public:
    explicit Reader(std::string_view text) : m_rest(text) {}

    bool readAll(JsonValue &value)
    {
        if (!readValue(value, 0))
            return false;
        skipSpace();
        return m_rest.empty();
    }

private:
    bool readValue(JsonValue &value, int depth)
    {
        skipSpace();
        if (m_rest.empty())
            return false;
        switch (m_rest.front()) {
        case '{':
            return depth < kDeepest && readObject(value, depth + 1);
        case '[':
            return depth < kDeepest && readArray(value, depth + 1);
        case '"':
            value.kind = JsonValue::Kind::Text;
            return readText(value.text);
        case 't':
            value.kind = JsonValue::Kind::True;
            return take("true");
        case 'f':
            value.kind = JsonValue::Kind::False;
            return take("false");
        case 'n':
            value.kind = JsonValue::Kind::Null;
            return take("null");
        default:
            value.kind = JsonValue::Kind::Number;
            return readNumber(value.text);
        }
    }

    bool readObject(JsonValue &value, int depth)
    {
        value.kind = JsonValue::Kind::Object;
        take("{");
        skipSpace();
        if (take("}"))
            return true;
        do {
            std::string name;
            skipSpace();
            if (m_rest.empty() || m_rest.front() != '"' || !readText(name))
                return false;
            value.names.push_back(std::move(name));
            skipSpace();
            if (!take(":") || !readValue(value.items.emplace_back(), depth))
                return false;
            skipSpace();
        } while (take(","));
        return take("}") && namesDiffer(value.names);
    }

    bool readArray(JsonValue &value, int depth)
    {
        value.kind = JsonValue::Kind::Array;
        take("[");
        skipSpace();
        if (take("]"))
            return true;
        do {
            if (!readValue(value.items.emplace_back(), depth))
                return false;
            skipSpace();
        } while (take(","));
        return take("]");
    }

    bool readText(std::string &text)
    {
        take("\"");
        while (!m_rest.empty()) {
            if (take("\""))
                return true;
            if (take("\\")) {
                if (!readEscape(text))
                    return false;
                continue;
            }
            const auto size = characterAt(m_rest);
            if (size == 0 || static_cast<unsigned char>(m_rest.front()) < 0x20)
                return false;
            text += m_rest.substr(0, size);
            m_rest.remove_prefix(size);
        }
        return false;
    }

    bool readEscape(std::string &text)
    {
        if (m_rest.empty())
            return false;
        constexpr std::string_view kSigns = "\"\\/bfnrt";
        constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
        if (const auto at = kSigns.find(m_rest.front()); at != std::string_view::npos) {
            text += kMeant[at];
            m_rest.remove_prefix(1);
            return true;
        }
        auto character = readUnit();
        if (!character || (*character >= 0xDC00 && *character <= 0xDFFF))
            return false;
        if (*character >= 0xD800 && *character <= 0xDBFF) {
            const auto low = take("\\") ? readUnit() : std::nullopt;
            if (!low || *low < 0xDC00 || *low > 0xDFFF)
                return false;
            character = 0x10000U + ((*character - 0xD800U) << 10U) + (*low - 0xDC00U);
        }
        append(text, *character);
        return true;
    }

    std::optional<std::uint32_t> readUnit()
    {
        if (m_rest.size() < 5 || m_rest.front() != 'u')
            return std::nullopt;
        std::uint32_t unit = 0;
        for (const char c : m_rest.substr(1, 4)) {
            const auto at
                = std::string_view("0123456789abcdef").find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
            if (at == std::string_view::npos)
                return std::nullopt;
            unit = unit * 16 + static_cast<std::uint32_t>(at);
        }
        m_rest.remove_prefix(5);
        return unit;
    }

    bool readNumber(std::string &text)
    {
        const auto whole = m_rest;
        take("-");
        if (!take("0") && !takeDigits())
            return false;
        if (take(".") && !takeDigits())
            return false;
        if (take("e") || take("E")) {
            if (!take("+"))
                take("-");
            if (!takeDigits())
                return false;
        }
        text = whole.substr(0, whole.size() - m_rest.size());
        return true;
    }

    bool takeDigits()
    {
        const auto end = std::min(m_rest.find_first_not_of("0123456789"), m_rest.size());
        m_rest.remove_prefix(end);
        return end > 0;
    }

    bool take(std::string_view word)
    {
        if (m_rest.substr(0, word.size()) != word)
            return false;
        m_rest.remove_prefix(word.size());
        return true;
    }

    void skipSpace() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \t\r\n"), m_rest.size())); }

    static bool namesDiffer(std::vector<std::string> names)
    {
        std::sort(names.begin(), names.end());
        return std::adjacent_find(names.begin(), names.end()) == names.end();
    }

    std::string_view m_rest;
};

} // namespace

const JsonValue *JsonValue::field(std::string_view name) const
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        return nullptr;
    const auto &value = items[static_cast<std::size_t>(found - names.begin())];
    return value.is(Kind::Null) ? nullptr : &value;
}

std::optional<JsonValue> readJson(std::string_view text)
{
    JsonValue value;
    if (!Reader(text).readAll(value))
        return std::nullopt;
    return value;
}

std::string quotedJson(std::string_view text)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out = "\"";
    while (!text.empty()) {
        const auto size = characterAt(text);
        const auto first = static_cast<unsigned char>(text.front());
        if (size == 0)
            out += "\xEF\xBF\xBD";
        else if (first == '"' || first == '\\')
            out += {'\\', text.front()};
        else if (first < 0x20)
            out += {'\\', 'u', '0', '0', kDigits[first >> 4U], kDigits[first & 15U]};
        else
            out += text.substr(0, size);
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return out + '"';
}

} // namespace handreset::client

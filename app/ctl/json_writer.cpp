#include "app/ctl/json_writer.h"

#include "model/rules/calendar.h"
#include "model/rules/hidden_characters.h"
#include "model/rules/json_text.h"
#include "model/rules/utf8.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace handreset::ctl {

void JsonWriter::open(char bracket)
{
    m_out += bracket;
    m_ends.push_back(bracket == '{' ? '}' : ']');
    m_isFirst = true;
}

void JsonWriter::next(std::string_view name)
{
    if (!m_isFirst)
        m_out += ',';
    m_isFirst = false;
    if (m_ends.back() == '}') {
        rules::appendJsonString(m_out, name);
        m_out += ':';
    }
}

void JsonWriter::begin(std::string_view name, char bracket)
{
    next(name);
    open(bracket);
}

void JsonWriter::end()
{
    m_out += m_ends.back();
    m_ends.pop_back();
    m_isFirst = false;
}

void JsonWriter::raw(std::string_view name, std::string_view json)
{
    next(name);
    m_out += json;
}

void JsonWriter::text(std::string_view name, std::string_view value)
{
    next(name);
    rules::appendJsonString(m_out, value);
}

void JsonWriter::element(std::string_view value)
{
    text({}, value);
}

void JsonWriter::instant(std::string_view name, std::optional<rules::Instant> value)
{
    if (value)
        text(name, rules::toIso8601(*value));
    else
        null(name);
}

std::string JsonWriter::finish()
{
    while (!m_ends.empty())
        end();
    m_out += '\n';
    return safeJson(std::exchange(m_out, {}));
}

std::string safeJson(std::string_view json)
{
    std::string out;
    out.reserve(json.size());
    const auto escape = [&out](unsigned unit) {
        std::array<char, 16> text{};
        std::snprintf(text.data(), text.size(), "\\u%04x", unit);
        out += text.data();
    };
    while (!json.empty()) {
        const auto length = std::max<std::size_t>(1, rules::utf8SequenceLength(json));
        const auto point = rules::codePointOf(json.substr(0, length));
        if (point == 0x7F || rules::isHiddenCharacter(point)) {
            if (point > 0xFFFF)
                escape(0xD800U + static_cast<unsigned>((point - 0x10000U) >> 10U));
            escape(point > 0xFFFF ? 0xDC00U + static_cast<unsigned>((point - 0x10000U) & 0x3FFU)
                                  : static_cast<unsigned>(point));
        } else {
            out += json.substr(0, length);
        }
        json.remove_prefix(length);
    }
    return out;
}

} // namespace handreset::ctl

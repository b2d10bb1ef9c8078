#include "app/ctl/json_writer.h"

#include "model/rules/calendar.h"
#include "model/rules/json_text.h"

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
    return std::move(m_out);
}

} // namespace handreset::ctl

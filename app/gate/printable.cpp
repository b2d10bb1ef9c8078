#include "app/gate/printable.h"

#include "model/rules/hidden_characters.h"
#include "model/rules/utf8.h"

#include <cstdio>

namespace handreset::gate {

namespace {

void appendUnit(std::string &out, unsigned unit)
{
    char form[8];
    std::snprintf(form, sizeof form, "\\u%04x", unit & 0xFFFFU);
    out += form;
}

/// As JSON spells a character by its number: one UTF-16 unit, or two.
void appendNumber(std::string &out, char32_t point)
{
    if (point < 0x10000) {
        appendUnit(out, point);
        return;
    }
    appendUnit(out, 0xD800U + ((point - 0x10000U) >> 10U));
    appendUnit(out, 0xDC00U + ((point - 0x10000U) & 0x3FFU));
}

bool isHidden(char32_t point) noexcept
{
    return point < 0x20 || point == 0x7F || rules::isHiddenCharacter(point);
}

/// Calls `each` with every character and its bytes; what is no UTF-8 comes as U+FFFD, byte by byte.
template <class Each>
void eachCharacter(std::string_view text, const Each &each)
{
    while (!text.empty()) {
        const auto length = rules::utf8SequenceLength(text);
        if (length == 0)
            each(U'\uFFFD', std::string_view("\xEF\xBF\xBD"));
        else
            each(rules::codePointOf(text.substr(0, length)), text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

} // namespace

std::string printable(std::string_view text)
{
    std::string out;
    eachCharacter(text, [&out](char32_t point, std::string_view bytes) {
        if (isHidden(point))
            appendNumber(out, point);
        else
            out += bytes;
    });
    return out;
}

void appendJson(std::string &out, std::string_view text)
{
    out += '"';
    eachCharacter(text, [&out](char32_t point, std::string_view bytes) {
        if (isHidden(point)) {
            appendNumber(out, point);
            return;
        }
        if (point == U'"' || point == U'\\')
            out += '\\';
        out += bytes;
    });
    out += '"';
}

} // namespace handreset::gate

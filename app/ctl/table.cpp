#include "app/ctl/table.h"

#include "model/rules/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace handreset::ctl {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

template <std::size_t N>
bool isIn(const std::array<Range, N> &ranges, char32_t point)
{
    return std::ranges::any_of(ranges, [point](Range r) { return point >= r.first && point <= r.last; });
}

/// What changes the direction, breaks lines, cannot be seen, or is nothing at all (Unicode: bidi controls, format
/// characters, separators, variation selectors, tags, noncharacters' plane ends left out).
constexpr std::array kHidden{
    Range{0x80, 0x9F},     Range{0xAD, 0xAD},     Range{0x61C, 0x61C},   Range{0x115F, 0x1160},
    Range{0x17B4, 0x17B5}, Range{0x180B, 0x180F}, Range{0x200B, 0x200F}, Range{0x2028, 0x202E},
    Range{0x2060, 0x206F}, Range{0x3164, 0x3164}, Range{0xFE00, 0xFE0F}, Range{0xFEFF, 0xFEFF},
    Range{0xFFA0, 0xFFA0}, Range{0xFFF0, 0xFFFB}, Range{0xE000, 0xF8FF}, Range{0xE0000, 0x10FFFF}};
constexpr std::array kCombining{
    Range{0x300, 0x36F}, Range{0x483, 0x489},   Range{0x591, 0x5BD},   Range{0x610, 0x61A},   Range{0x64B, 0x65F},
    Range{0x6D6, 0x6DC}, Range{0x900, 0x903},   Range{0x93A, 0x94F},   Range{0xE31, 0xE31},   Range{0xE34, 0xE3A},
    Range{0xE47, 0xE4E}, Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF}, Range{0x20D0, 0x20FF}, Range{0xFE20, 0xFE2F}};
constexpr std::array kWide{Range{0x1100, 0x115E},   Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},
                           Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
                           Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F},
                           Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};
constexpr std::size_t kMostMarks = 4; ///< combining marks on one character; more would run over the lines around

char32_t codePoint(std::string_view sequence)
{
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(sequence[i])); };
    switch (sequence.size()) {
    case 1:
        return byte(0);
    case 2:
        return (byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU);
    case 3:
        return (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
    default:
        return (byte(0) & 0x07U) << 18U | (byte(1) & 0x3FU) << 12U | (byte(2) & 0x3FU) << 6U | (byte(3) & 0x3FU);
    }
}

std::size_t widthOf(char32_t point)
{
    if (isIn(kCombining, point))
        return 0;
    return isIn(kWide, point) ? 2 : 1;
}

/// One character's visible form.
std::string shown(char32_t point, std::string_view sequence)
{
    std::string out;
    if (point < 0x20)
        rules::appendUtf8(out, 0x2400 + point);
    else if (point == 0x7F)
        rules::appendUtf8(out, 0x2421);
    else if (isIn(kHidden, point)) {
        std::array<char, 16> number{};
        std::snprintf(number.data(), number.size(), "U+%04X", static_cast<unsigned>(point));
        out = "⟨" + std::string(number.data()) + "⟩";
    } else
        out = sequence;
    return out;
}

/// Calls `each(visible form, its columns, whether it is a mark on the one before, the code point)`.
template <class Each>
void eachVisible(std::string_view text, const Each &each)
{
    while (!text.empty()) {
        const auto length = rules::utf8SequenceLength(text);
        if (length == 0) {
            if (!each("\xEF\xBF\xBD", std::size_t{1}, char32_t{0xFFFD}))
                return;
            text.remove_prefix(1);
            continue;
        }
        const auto point = codePoint(text.substr(0, length));
        const auto form = shown(point, text.substr(0, length));
        const auto columns = isIn(kHidden, point) ? form.size() - 4 : widthOf(point); // ⟨ and ⟩ have 3 bytes each
        if (!each(form, columns, point))
            return;
        text.remove_prefix(length);
    }
}

} // namespace

std::string visible(std::string_view text, std::size_t columns)
{
    std::string out;
    std::size_t used = 0;
    std::size_t marks = 0;
    std::size_t end = 0; // how much of `out` leaves a column for "…"
    bool isCut = false;
    eachVisible(text, [&](std::string_view form, std::size_t width, char32_t) {
        if (width == 0) {
            if (used > 0 && marks++ < kMostMarks)
                out += form;
            return true;
        }
        marks = 0;
        if (used + 1 <= columns)
            end = used <= columns - 1 ? out.size() : end;
        if (used + width > columns) {
            isCut = true;
            return false;
        }
        out += form;
        used += width;
        return true;
    });
    if (isCut) {
        out.resize(end);
        out += "…";
    }
    return out;
}

std::string visibleLines(std::string_view text)
{
    std::string out;
    eachVisible(text, [&](std::string_view form, std::size_t, char32_t point) {
        if (point == U'\n' || point == U'\t')
            out += static_cast<char>(point);
        else
            out += form;
        return true;
    });
    return out;
}

std::size_t columnsOf(std::string_view text)
{
    std::size_t columns = 0;
    while (!text.empty()) {
        const auto length = std::max<std::size_t>(1, rules::utf8SequenceLength(text));
        columns += widthOf(codePoint(text.substr(0, length)));
        text.remove_prefix(length);
    }
    return columns;
}

void Table::add(const std::vector<std::string> &cells)
{
    std::vector<std::string> row(m_columns.size());
    for (std::size_t i = 0; i < row.size() && i < cells.size(); ++i)
        row[i] = visible(cells[i], m_columns[i].widest);
    m_rows.push_back(std::move(row));
}

std::string Table::toString() const
{
    std::vector<std::size_t> widths;
    std::vector<std::string> headings;
    for (const auto &column : m_columns) {
        headings.emplace_back(column.heading);
        widths.push_back(columnsOf(column.heading));
    }
    for (const auto &row : m_rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columnsOf(row[i]));
    }
    std::string out;
    const auto line = [&](const std::vector<std::string> &row) {
        std::string text;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string gap(widths[i] - columnsOf(row[i]), ' ');
            text += m_columns[i].align == Align::Right ? gap + row[i] : row[i] + gap;
            text += "  ";
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + '\n';
    };
    line(headings);
    for (const auto &row : m_rows)
        line(row);
    return out;
}

std::string pairs(const std::vector<std::pair<std::string, std::string>> &rows)
{
    std::size_t width = 0;
    for (const auto &[word, value] : rows)
        width = std::max(width, columnsOf(word));
    std::string out;
    for (const auto &[word, value] : rows)
        out += word + std::string(width - columnsOf(word) + 2, ' ') + visible(value, 400) + '\n';
    return out;
}

} // namespace handreset::ctl

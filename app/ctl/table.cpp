#include "app/ctl/table.h"

#include "model/rules/code_point_ranges.h"
#include "model/rules/hidden_characters.h"
#include "model/rules/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace handreset::ctl {

namespace {

using rules::isIn;
using Range = rules::CodePointRange;

constexpr std::array kWide{Range{0x1100, 0x115E},   Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},
                           Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
                           Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F},
                           Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};

std::size_t widthOf(char32_t point)
{
    if (rules::isCombiningMark(point) && !rules::isHiddenCharacter(point))
        return 0;
    return isIn(kWide, point) ? 2 : 1;
}

/// How a character that nobody can see is written: "⟨U+202E⟩".
std::string numberOf(char32_t point)
{
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), "U+%04X", static_cast<unsigned>(point));
    return "⟨" + std::string(number.data()) + "⟩";
}

/// One character in its visible form.
struct Shown {
    std::string form;
    std::size_t columns = 1; ///< none: a mark on the character before it
    char32_t point = 0;
};

/// `marks` stand on the character before it; none where there is no such character.
Shown shown(char32_t point, std::string_view sequence, std::optional<int> marks)
{
    Shown one{std::string(sequence), widthOf(point), point};
    if (point < 0x20 || point == 0x7F) {
        one.form.clear();
        rules::appendUtf8(one.form, point == 0x7F ? 0x2421 : 0x2400 + point);
    } else if (rules::isHiddenCharacter(point)
               || (one.columns == 0 && marks.value_or(rules::kMostMarks) >= rules::kMostMarks)) {
        one.form = numberOf(point);
        one.columns = one.form.size() - 4; // ⟨ and ⟩ have 3 bytes each
    }
    return one;
}

/// Calls `each` with every character; blanks at the very end become ␠. False ends it.
template <class Each>
void eachVisible(std::string_view text, const Each &each)
{
    const auto lastInk = text.find_last_not_of(' ');
    const auto *const trailing = text.data() + (lastInk == std::string_view::npos ? 0 : lastInk + 1);
    std::optional<int> marks;
    while (!text.empty()) {
        const auto length = rules::utf8SequenceLength(text);
        Shown one{"\xEF\xBF\xBD", 1, 0xFFFD};
        if (length != 0)
            one = shown(rules::codePointOf(text.substr(0, length)), text.substr(0, length), marks);
        if (text.data() >= trailing)
            one.form = "␠";
        if (widthOf(one.point) == 0)
            marks = marks ? std::optional(*marks + 1) : std::nullopt;
        else if (one.point < 0x20)
            marks.reset(); // nothing to stand on
        else
            marks = 0;
        if (!each(one))
            return;
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
}

} // namespace

std::string visible(std::string_view text, std::size_t columns)
{
    std::string out;
    std::size_t used = 0;
    std::size_t end = 0; // how much of `out` leaves a column for "…"
    bool isCut = false;
    eachVisible(text, [&](const Shown &one) {
        if (one.columns != 0 && used + 1 <= columns)
            end = out.size();
        if (used + one.columns > columns) {
            isCut = true;
            return false;
        }
        out += one.form;
        used += one.columns;
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
    eachVisible(text, [&](const Shown &one) {
        if (one.point == U'\n' || one.point == U'\t')
            out += static_cast<char>(one.point);
        else
            out += one.form;
        return true;
    });
    return out;
}

std::size_t columnsOf(std::string_view text)
{
    std::size_t columns = 0;
    while (!text.empty()) {
        const auto length = std::max<std::size_t>(1, rules::utf8SequenceLength(text));
        columns += widthOf(rules::codePointOf(text.substr(0, length)));
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

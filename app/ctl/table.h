// Text for a terminal: names from outside made visible and bounded, and tables with aligned columns. No colours.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace handreset::ctl {

/// Columns that a name or a sentence takes at most in a table.
inline constexpr std::size_t kWidestName = 48;
inline constexpr std::size_t kWidestText = 160;

/// `text` as a terminal may show it: control characters as their symbols (␛), what changes the direction or cannot be
/// seen as ⟨U+202E⟩ (also a mark on nothing, and the fifth on one character), blanks at the end as ␠, bytes that are
/// not UTF-8 as U+FFFD. No line breaks are left. Longer than `columns`: cut, with "…".
[[nodiscard]] std::string visible(std::string_view text, std::size_t columns = kWidestText);
/// The same for text of several lines, whole: line feeds and tabs stay.
[[nodiscard]] std::string visibleLines(std::string_view text);
/// Columns that visible text takes on a terminal: combining marks none, wide characters two.
[[nodiscard]] std::size_t columnsOf(std::string_view text);

enum class Align : unsigned char { Left, Right };

/// A table: a heading, then rows. Cells are made visible when they are added.
class Table {
public:
    struct Column {
        std::string_view heading;
        Align align = Align::Left;
        std::size_t widest = kWidestName;
    };
    explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}

    /// One cell a column; what is missing is empty.
    void add(const std::vector<std::string> &cells);
    [[nodiscard]] bool isEmpty() const noexcept { return m_rows.empty(); }
    /// Lines, each ended; two blanks between columns, none at a line's end.
    [[nodiscard]] std::string toString() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// Pairs of words and values, one a line, the values aligned: "policy   version 3". Values are made visible.
[[nodiscard]] std::string pairs(const std::vector<std::pair<std::string, std::string>> &rows);

} // namespace handreset::ctl

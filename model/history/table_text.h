// Columns for people to read on a terminal. Internal to model/history. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace handreset::history {

/// 1234567 as "1,234,567".
[[nodiscard]] inline std::string grouped(std::uint64_t number)
{
    auto digits = std::to_string(number);
    for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3)
        digits.insert(static_cast<std::size_t>(place), 1, ',');
    return digits;
}

[[nodiscard]] inline std::string padLeft(std::string_view text, std::size_t width)
{
    return std::string(text.size() < width ? width - text.size() : 0, ' ') + std::string(text);
}

[[nodiscard]] inline std::string padRight(std::string_view text, std::size_t width)
{
    return std::string(text) + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

/// The width of a column of numbers under this heading.
[[nodiscard]] inline std::size_t columnWidth(std::string_view heading)
{
    constexpr std::size_t kNumber = 9; // "1,234,567"
    return (heading.size() < kNumber ? kNumber : heading.size()) + 2;
}

} // namespace handreset::history

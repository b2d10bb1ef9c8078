// Sets of characters as ranges of code points. Pure; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace handreset::rules {

/// Both ends belong to it.
struct CodePointRange {
    char32_t first;
    char32_t last;
};

template <std::size_t N>
[[nodiscard]] bool isIn(const std::array<CodePointRange, N> &ranges, char32_t point) noexcept
{
    return std::ranges::any_of(ranges, [point](CodePointRange r) { return point >= r.first && point <= r.last; });
}

} // namespace handreset::rules

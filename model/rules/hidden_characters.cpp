#include "model/rules/hidden_characters.h"

#include <algorithm>
#include <array>

namespace handreset::rules {

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

// Unicode 15: Default_Ignorable_Code_Point, bidirectional controls, separators, blank letters and symbols, the beams
// and slurs of music that are format characters, interlinear annotation, private use and the planes behind it.
constexpr std::array kHidden{
    Range{0x80, 0xA0},       Range{0xAD, 0xAD},       Range{0x34F, 0x34F},     Range{0x600, 0x605},
    Range{0x61C, 0x61C},     Range{0x6DD, 0x6DD},     Range{0x70F, 0x70F},     Range{0x890, 0x891},
    Range{0x8E2, 0x8E2},     Range{0x115F, 0x1160},   Range{0x1680, 0x1680},   Range{0x17B4, 0x17B5},
    Range{0x180B, 0x180F},   Range{0x2000, 0x200F},   Range{0x2028, 0x202F},   Range{0x205F, 0x206F},
    Range{0x2800, 0x2800},   Range{0x3000, 0x3000},   Range{0x3164, 0x3164},   Range{0xE000, 0xF8FF},
    Range{0xFE00, 0xFE0F},   Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},   Range{0xFFF0, 0xFFFC},
    Range{0x110BD, 0x110BD}, Range{0x110CD, 0x110CD}, Range{0x13430, 0x1343F}, Range{0x16FE4, 0x16FE4},
    Range{0x1BCA0, 0x1BCA3}, Range{0x1D159, 0x1D159}, Range{0x1D173, 0x1D17A}, Range{0xE0000, 0x10FFFF}};

constexpr std::array kCombining{
    Range{0x300, 0x36F},   Range{0x483, 0x489},   Range{0x591, 0x5BD},   Range{0x5BF, 0x5BF},   Range{0x5C1, 0x5C2},
    Range{0x5C4, 0x5C5},   Range{0x610, 0x61A},   Range{0x64B, 0x65F},   Range{0x670, 0x670},   Range{0x6D6, 0x6DC},
    Range{0x6DF, 0x6E4},   Range{0x900, 0x903},   Range{0x93A, 0x93C},   Range{0x93E, 0x94F},   Range{0xE31, 0xE31},
    Range{0xE34, 0xE3A},   Range{0xE47, 0xE4E},   Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF}, Range{0x20D0, 0x20FF},
    Range{0x302A, 0x302F}, Range{0x3099, 0x309A}, Range{0xFE20, 0xFE2F}};

} // namespace

bool isHiddenCharacter(char32_t point) noexcept
{
    return isIn(kHidden, point);
}

bool isCombiningMark(char32_t point) noexcept
{
    return isIn(kCombining, point);
}

} // namespace handreset::rules

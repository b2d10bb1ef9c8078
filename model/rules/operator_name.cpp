#include "model/rules/operator_name.h"

#include "model/rules/code_point_ranges.h"
#include "model/rules/hidden_characters.h"
#include "model/rules/utf8.h"

#include <algorithm>
#include <array>

namespace handreset::rules {

namespace {

constexpr std::size_t kLongestOperatorName = 64;
// Scripts whose letters look like others' of them: one name is written in one of these.
constexpr std::array kLatin{CodePointRange{'A', 'Z'}, CodePointRange{'a', 'z'}, CodePointRange{0xC0, 0x24F},
                            CodePointRange{0x1E00, 0x1EFF}};
constexpr std::array kGreek{CodePointRange{0x370, 0x3FF}, CodePointRange{0x1F00, 0x1FFF}};
constexpr std::array kCyrillic{CodePointRange{0x400, 0x52F}};
constexpr std::array kArmenian{CodePointRange{0x530, 0x58F}};
constexpr std::array kCherokee{CodePointRange{0x13A0, 0x13FF}, CodePointRange{0xAB70, 0xABBF}};
constexpr std::array kWide{CodePointRange{0xFF00, 0xFFEF}, CodePointRange{0x1D400, 0x1D7FF}}; ///< letters in disguise

/// Capitals and small letters of A to Z count as one.
std::string folded(std::string_view name)
{
    std::string out(name);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

std::string faultOfCharacters(std::string_view name)
{
    int scripts = 0;
    std::array<bool, 5> isSeen{};
    for (auto rest = name; !rest.empty();) {
        const auto length = utf8SequenceLength(rest);
        const auto point = codePointOf(rest.substr(0, length));
        rest.remove_prefix(length);
        if (point < 0x20 || point == 0x7F || isHiddenCharacter(point) || isIn(kWide, point) || isCombiningMark(point))
            return "holds a character that nobody can see or tell from another; use letters, digits, . _ - and blanks";
        const std::array isOf{isIn(kLatin, point), isIn(kGreek, point), isIn(kCyrillic, point), isIn(kArmenian, point),
                              isIn(kCherokee, point)};
        for (std::size_t i = 0; i < isOf.size(); ++i) {
            scripts += isOf[i] && !isSeen[i] ? 1 : 0;
            isSeen[i] = isSeen[i] || isOf[i];
        }
    }
    return scripts > 1 ? "mixes letters of several scripts, which look alike; use those of one" : std::string();
}

} // namespace

std::string faultOfOperatorName(const Fleet &fleet, std::string_view name)
{
    if (name.size() > kLongestOperatorName)
        return "is longer than 64 bytes; use what colleagues call them";
    if (name.starts_with(' ') || name.ends_with(' ') || name.find("  ") != std::string_view::npos)
        return "has a blank at its beginning or end, or two in a row, which nobody sees";
    if (auto fault = faultOfCharacters(name); !fault.empty())
        return fault;
    const auto own = folded(name);
    for (const auto &[id, one] : fleet.operators) {
        const auto &other = fleet.names(id);
        if (other != name && folded(other) == own)
            return "differs from the operator " + other + " in capitals only; take another name";
    }
    return {};
}

} // namespace handreset::rules

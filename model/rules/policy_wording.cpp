#include "model/rules/policy_wording.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace handreset::rules::policytext {
namespace {

/// Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
        }
    }
    return row[b.size()];
}

} // namespace

std::string nearestWord(std::string_view word, std::span<const std::string_view> known)
{
    constexpr std::size_t kLongest = 64; // no slip of the hand is longer, and the distance costs length × length
    std::string best;
    std::size_t least = word.size() <= 4 ? 2 : 3; // one slip in a short word, two in a long one
    for (const std::string_view candidate : known) {
        const std::size_t gap = word.size() > kLongest ? least : distance(word, candidate);
        if (gap < least) {
            least = gap;
            best = candidate;
        }
    }
    return best;
}

std::string listWords(std::span<const std::string_view> words, std::string_view quote)
{
    std::string out;
    for (const std::string_view word : words)
        out.append(out.empty() ? "" : ", ").append(quote).append(word).append(quote);
    return out;
}

std::string shortened(std::string_view text)
{
    constexpr std::size_t kMost = 60;
    if (text.size() <= kMost)
        return "\"" + std::string(text) + "\"";
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end; // never in the middle of a character
    return "\"" + std::string(text.substr(0, end)) + "…\"";
}

std::string_view typeName(const toml::node &node)
{
    switch (node.type()) {
    case toml::node_type::table:
        return "a table";
    case toml::node_type::array:
        return "a list";
    case toml::node_type::string:
        return "a text in quotes";
    case toml::node_type::integer:
        return "a whole number";
    case toml::node_type::floating_point:
        return "a number with a fraction";
    case toml::node_type::boolean:
        return "true or false";
    default:
        return "a date or time";
    }
}

} // namespace handreset::rules::policytext

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 sees uninitialised members in <regex> once sanitizers are on (a false alarm: GCC bug 105562).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "model/rules/destination.h"

#include <algorithm>
#include <charconv>
#include <regex>
#include <vector>

namespace handreset::rules {
namespace {

/// libstdc++'s breadth-first executor: time is bounded by states × length and its stack by the pattern alone. The
/// usual depth-first one takes exponential time and one stack frame a character.
constexpr auto kSyntax
    = std::regex_constants::ECMAScript | std::regex_constants::nosubs | std::regex_constants::__polynomial;

/// Throws std::regex_error; the callers here catch it.
std::regex compile(const std::string &pattern)
{
    std::regex compiled;
    compiled.imbue(std::locale::classic()); // the answer must not hang on the machine's language
    compiled.assign(pattern, kSyntax);
    return compiled;
}

/// Reckons how large a pattern is once its counts are written out, and finds what has no bound. It need not know the
/// whole grammar: what it lets through is compiled afterwards.
class PatternMeasure {
public:
    explicit PatternMeasure(std::string_view pattern) : m_pattern(pattern) {}

    /// The fault, or nothing.
    std::optional<std::string> check()
    {
        std::size_t total = 0;
        while (m_at < m_pattern.size()) {
            total += sequence();
            if (!m_fault.empty())
                return m_fault;
            if (total > kMostPatternSize)
                return "grows to more than " + std::to_string(kMostPatternSize)
                    + " places once its counts are written out";
            ++m_at; // a closing bracket without an opening one: the compiler will say so
        }
        return std::nullopt;
    }

private:
    bool starts(std::string_view text) const { return m_pattern.substr(m_at).starts_with(text); }

    /// The size of everything up to the closing bracket of this group, or to the end.
    std::size_t sequence()
    {
        std::size_t total = 0;
        while (m_at < m_pattern.size() && m_pattern[m_at] != ')' && m_fault.empty()) {
            const std::size_t size = atom();
            total = std::min(total + size * count(), kMostPatternSize + 1);
        }
        return total;
    }

    std::size_t atom()
    {
        const char c = m_pattern[m_at++];
        if (c == '\\' && m_at < m_pattern.size()) {
            if (m_pattern[m_at] >= '1' && m_pattern[m_at] <= '9')
                m_fault = "has a back-reference";
            ++m_at;
        } else if (c == '[') {
            skipClass();
        } else if (c == '(') {
            if (starts("?=") || starts("?!") || starts("?<"))
                m_fault = "looks ahead or behind";
            else if (starts("?:"))
                m_at += 2;
            const std::size_t inner = sequence();
            if (m_at < m_pattern.size())
                ++m_at;
            return inner + 1;
        }
        return 1;
    }

    void skipClass()
    {
        while (m_at < m_pattern.size() && m_pattern[m_at] != ']')
            m_at += m_pattern[m_at] == '\\' ? 2 : 1;
        m_at = std::min(m_at + 1, m_pattern.size());
    }

    /// The largest number of a counted quantifier, which the compiler copies so many times; 1 for all others.
    std::size_t count()
    {
        if (m_at >= m_pattern.size() || m_pattern[m_at] != '{')
            return 1;
        std::size_t most = 1;
        const std::size_t end = m_pattern.find('}', m_at);
        for (std::size_t i = m_at + 1; i < std::min(end, m_pattern.size()); ++i) {
            std::size_t number = 0;
            const auto [stop, error] = std::from_chars(&m_pattern[i], m_pattern.data() + m_pattern.size(), number);
            if (error == std::errc::result_out_of_range)
                number = kMostPatternSize + 1;
            else if (error != std::errc())
                continue;
            most = std::clamp(number, most, kMostPatternSize + 1);
            i = static_cast<std::size_t>(stop - m_pattern.data());
        }
        m_at = end == std::string_view::npos ? m_pattern.size() : end + 1;
        return most;
    }

    std::string_view m_pattern;
    std::size_t m_at = 0;
    std::string m_fault;
};

} // namespace

std::optional<std::string> patternFault(const std::string &pattern)
{
    if (pattern.empty())
        return "is empty";
    if (pattern.size() > kMostPatternBytes)
        return "is longer than " + std::to_string(kMostPatternBytes) + " bytes";
    if (std::any_of(pattern.begin(), pattern.end(),
                    [](char c) { return static_cast<unsigned char>(c) > 0x7e || c < ' '; }))
        return "has a character that is not plain ASCII";
    if (auto fault = PatternMeasure(pattern).check())
        return fault;
    try {
        (void)compile(pattern);
    } catch (const std::regex_error &) {
        return "is no regular expression (ECMAScript)";
    }
    return std::nullopt;
}

struct DestinationMatcher::Compiled {
    std::vector<std::string> exact; ///< sorted
    std::vector<std::regex> patterns;
};

DestinationMatcher::DestinationMatcher(const DestinationCap &cap)
{
    auto compiled = std::make_shared<Compiled>();
    compiled->exact = cap.exact;
    std::sort(compiled->exact.begin(), compiled->exact.end());
    for (const std::string &pattern : cap.patterns) {
        if (!patternFault(pattern))
            compiled->patterns.push_back(compile(pattern));
    }
    m_compiled = std::move(compiled);
}

bool DestinationMatcher::allows(std::string_view destination) const
{
    if (destination.size() > kMostDestinationBytes)
        return false;
    if (std::binary_search(m_compiled->exact.begin(), m_compiled->exact.end(), destination, std::less<>()))
        return true;
    if (destination.size() > kMostMatchedBytes)
        return false;
    return std::any_of(m_compiled->patterns.begin(), m_compiled->patterns.end(), [&](const std::regex &pattern) {
        try {
            return std::regex_match(destination.begin(), destination.end(), pattern);
        } catch (const std::regex_error &) {
            return false; // out of memory or too complex: outside
        }
    });
}

} // namespace handreset::rules

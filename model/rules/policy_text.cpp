#include "model/rules/policy_text.h"

#include "model/rules/policy_reader.h"
#include "model/rules/policy_rules.h"
#include "model/rules/policy_warnings.h"
#include "model/rules/utf8.h"

#include <algorithm>

namespace handreset::rules {
namespace {

using policytext::Report;
using policytext::Spot;

/// Keys of more parts nest deeper than any policy does, and freeing them would exhaust the stack.
constexpr int kMostKeyParts = 32;

Spot spotAt(std::string_view text, std::size_t offset)
{
    Spot spot;
    for (const char c : text.substr(0, offset)) {
        const bool newLine = c == '\n';
        const bool starts = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        spot.line += newLine ? 1 : 0;
        spot.column = newLine ? 1 : spot.column + (starts ? 1 : 0);
    }
    return spot;
}

std::size_t firstBadByte(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = utf8SequenceLength(text.substr(at));
        if (length == 0)
            break;
        at += length;
    }
    return at;
}

/// The offset behind the string that begins at `at` (one of TOML's four kinds); the text's end where it never ends.
std::size_t skipString(std::string_view text, std::size_t at)
{
    const char quote = text[at];
    const std::string triple(3, quote);
    const bool isLong = text.substr(at).starts_with(triple);
    at += isLong ? 3 : 1;
    while (at < text.size()) {
        if (quote == '"' && text[at] == '\\') {
            at += 2;
            continue;
        }
        if (isLong ? text.substr(at).starts_with(triple) : text[at] == quote) {
            at += isLong ? 3 : 1;
            while (isLong && at < text.size() && text[at] == quote)
                ++at; // up to two quotes may stand before the closing three
            return at;
        }
        if (!isLong && text[at] == '\n')
            return at; // no TOML: the parser will say so
        ++at;
    }
    return text.size();
}

/// The offset of the first key with too many parts; nothing where there is none.
std::optional<std::size_t> deepKey(std::string_view text)
{
    int dots = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"' || c == '\'') {
            at = skipString(text, at);
            continue;
        }
        if (c == '#') {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        if (std::string_view("\n=,{}[]").find(c) != std::string_view::npos)
            dots = 0;
        else if (c == '.' && ++dots >= kMostKeyParts)
            return at;
        ++at;
    }
    return std::nullopt;
}

/// Parses into `root`; false with an error where the text is no TOML. toml++ throws, and nothing passes this function.
bool parse(std::string_view text, toml::table &root, Report &report)
{
    if (text.size() > kMostPolicyBytes) {
        report.error({}, {}, "the text is larger than 1 MiB and was not read",
                     "Split the fleet, or take long lists out.");
        return false;
    }
    if (const std::size_t bad = firstBadByte(text); bad < text.size()) {
        report.error(spotAt(text, bad), {}, "the text is not UTF-8", "Save the file as UTF-8.");
        return false;
    }
    if (const auto deep = deepKey(text)) {
        report.error(spotAt(text, *deep), {}, "a key has more than " + std::to_string(kMostKeyParts) + " parts",
                     "No field of a policy is nested so deeply: put a name with dots in quotes.");
        return false;
    }
    try {
        root = toml::parse(text, std::string_view());
        return true;
    } catch (const toml::parse_error &error) {
        const std::string what(error.description());
        const Spot spot{std::max(error.source().begin.line, 1U), std::max(error.source().begin.column, 1U)};
        const bool twice = what.find("cannot redefine") != std::string::npos;
        report.error(spot, {}, "is no valid TOML: " + what,
                     twice ? "Write each field and each table once."
                           : "Correct the text at this place (https://toml.io).");
    }
    return false;
}

} // namespace

std::string PolicyProblem::toString() const
{
    std::string out = file + ':' + std::to_string(line) + ':' + std::to_string(column) + ": ";
    out.append(toWord(severity)).append(": ");
    if (!field.empty())
        out.append(field).append(" ");
    return out.append(message).append(". ").append(remedy);
}

std::size_t PolicyReading::errorCount() const noexcept
{
    return problems.size() - warningCount();
}

std::size_t PolicyReading::warningCount() const noexcept
{
    return static_cast<std::size_t>(std::count_if(problems.begin(), problems.end(), [](const PolicyProblem &problem) {
        return problem.severity == Severity::Warning;
    }));
}

PolicyReading readPolicy(std::string_view text, std::string_view fileName, const ZoneExists &zoneExists)
{
    Report report{std::string(fileName), zoneExists};
    PolicyReading reading;
    toml::table root;
    if (parse(text, root, report)) {
        Policy policy = policytext::readSections(report, root);
        if (!report.hasErrors()) {
            policytext::addWarnings(report, policy);
            reading.policy = std::move(policy);
        }
    }
    reading.problems = report.take();
    return reading;
}

} // namespace handreset::rules

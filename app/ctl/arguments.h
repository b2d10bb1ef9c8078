// The command line, taken apart: a verb, its arguments and its options. Options may stand before or after the
// arguments, and before the verb (spec 8). Bad use is an Error that names the option and the remedy.
// Pure values; any thread.
#pragma once

#include "model/rules/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::ctl {

/// One option of a verb.
struct Option {
    std::string_view name;  ///< without the dashes: "reason"
    std::string_view value; ///< what its value is called: "R"; empty: the option has none
    std::string_view text;  ///< one line for --help
    bool isRepeatable = false;
};

/// The options that every verb has: --store S, --json, --help, and those of whoever signs.
[[nodiscard]] std::span<const Option> commonOptions() noexcept;

/// What a verb takes.
struct Usage {
    std::string_view verb;      ///< "policy check"
    std::string_view arguments; ///< "FILE", "[FILE…]"; empty: none
    std::size_t fewest = 0;
    std::size_t most = 0;
    std::span<const Option> options; ///< beside the common ones
};

class Arguments {
public:
    [[nodiscard]] const std::vector<std::string> &positional() const noexcept { return m_positional; }
    [[nodiscard]] bool has(std::string_view option) const { return m_options.contains(option); }
    /// The option's value; nothing when it was not given.
    [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
    [[nodiscard]] std::string valueOr(std::string_view option, std::string_view otherwise) const;
    /// Every value of a repeatable option, in order.
    [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
    /// A whole number from `least` to `most`; nothing when the option was not given.
    [[nodiscard]] rules::Result<std::optional<std::int64_t>> number(std::string_view option, std::int64_t least,
                                                                    std::int64_t most) const;
    /// The option's value, which must be there and not empty.
    [[nodiscard]] rules::Result<std::string> required(std::string_view option, std::string_view why) const;
    [[nodiscard]] bool wantsJson() const { return has("json"); }

private:
    friend rules::Result<Arguments> parseArguments(const std::vector<std::string> &words, const Usage &usage);
    std::vector<std::string> m_positional;
    std::map<std::string, std::vector<std::string>, std::less<>> m_options;
};

/// A verb found among the words, and the words that are left for it.
struct FoundVerb {
    std::string verb; ///< empty: there is none
    std::vector<std::string> rest;
};

/// The verb is the first word that is neither an option nor the value of one of `options` (those of all verbs). A verb
/// of two words ("policy check") is taken as such where `verbs` has it.
[[nodiscard]] FoundVerb findVerb(const std::vector<std::string> &words, std::span<const std::string_view> verbs,
                                 std::span<const Option> options);

/// Takes the words after the verb apart, strictly. `--` ends the options.
[[nodiscard]] rules::Result<Arguments> parseArguments(const std::vector<std::string> &words, const Usage &usage);

/// A whole number in decimal digits; nothing for anything else, and where it does not fit.
[[nodiscard]] std::optional<std::int64_t> wholeNumber(std::string_view text);

/// The word that was probably meant; empty when none is near.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> words);

} // namespace handreset::ctl

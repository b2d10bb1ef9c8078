#include "app/ctl/arguments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::array kCommon{
    Option{"store", "S", "the store's file; else $HANDRESET_STORE, else the one in your data folder"},
    Option{"connect", "ADDRESS", "a host on another machine, as its:port, over TLS; in place of --store"},
    Option{"fingerprint", "F", "of that host's certificate, as the host itself tells it; remembered"},
    Option{"json", "", "one JSON object for machines"},
    Option{"operator", "NAME", "who signs, in a signed store; else $HANDRESET_OPERATOR, else the only key at hand"},
    Option{"passphrase-file", "FILE", "the key's passphrase, one line; else it is asked for on the terminal"},
    Option{"break-glass", "", "act alone where two persons are asked for: root on the host only, open for review"},
    Option{"help", "", "this text"},
};

/// "--reason=why" is the option "reason" with the value "why"; "-h" is "--help".
struct Word {
    std::string_view option; ///< empty: no option
    std::optional<std::string_view> value;
};

bool isOption(std::string_view word)
{
    return word.size() > 1 && word.front() == '-';
}

Word takeApart(std::string_view word)
{
    if (word == "-h")
        return {"help", std::nullopt};
    if (!word.starts_with("--"))
        return {};
    word.remove_prefix(2);
    const auto equals = word.find('=');
    if (equals == std::string_view::npos)
        return {word, std::nullopt};
    return {word.substr(0, equals), word.substr(equals + 1)};
}

const Option *find(std::span<const Option> options, std::string_view name)
{
    const auto found = std::ranges::find(options, name, &Option::name);
    return found == options.end() ? nullptr : &*found;
}

Error badUse(std::string message, const Usage &usage)
{
    return {ErrorCode::BadInput, std::move(message) + "; see: handresetctl " + std::string(usage.verb) + " --help", {}};
}

Error unknownOption(std::string_view word, std::string_view name, const Usage &usage)
{
    std::vector<std::string_view> names;
    for (const auto &option : usage.options)
        names.push_back(option.name);
    for (const auto &option : kCommon)
        names.push_back(option.name);
    std::string message = "unknown option " + std::string(word.substr(0, word.find('=')));
    if (const auto meant = nearest(name, names); !meant.empty())
        message += ", did you mean --" + std::string(meant) + '?';
    return badUse(std::move(message), usage);
}

std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

} // namespace

std::span<const Option> commonOptions() noexcept
{
    return kCommon;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> words)
{
    std::string_view best;
    const std::size_t mostSteps = word.size() < 4 ? 1 : std::max<std::size_t>(2, word.size() / 3);
    std::size_t least = mostSteps + 1;
    for (const auto candidate : words) {
        const auto steps = candidate.starts_with(word) && word.size() > 1 ? 1 : distance(word, candidate);
        if (steps < least) {
            least = steps;
            best = candidate;
        }
    }
    return best;
}

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return number;
}

FoundVerb findVerb(const std::vector<std::string> &words, std::span<const std::string_view> verbs,
                   std::span<const Option> options)
{
    FoundVerb found;
    bool optionsEnded = false;
    bool isLookingForSecond = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (!optionsEnded && isOption(word)) {
            found.rest.push_back(word);
            optionsEnded = word == "--";
            const auto parts = takeApart(word);
            const auto *option = find(options, parts.option);
            if (option != nullptr && !option->value.empty() && !parts.value && i + 1 < words.size())
                found.rest.push_back(words[++i]);
        } else if (found.verb.empty()) {
            found.verb = word;
            isLookingForSecond = true;
        } else {
            if (std::exchange(isLookingForSecond, false)
                && std::ranges::find(verbs, found.verb + ' ' + word) != verbs.end())
                found.verb += ' ' + word;
            else
                found.rest.push_back(word);
        }
    }
    return found;
}

Result<Arguments> parseArguments(const std::vector<std::string> &words, const Usage &usage)
{
    Arguments arguments;
    bool optionsEnded = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (optionsEnded || !isOption(word)) {
            arguments.m_positional.push_back(word);
            continue;
        }
        if (word == "--") {
            optionsEnded = true;
            continue;
        }
        const auto parts = takeApart(word);
        const auto *option = find(usage.options, parts.option);
        if (option == nullptr)
            option = find(kCommon, parts.option);
        if (option == nullptr)
            return unknownOption(word, parts.option, usage);
        const std::string name(option->name);
        if (option->value.empty() && parts.value)
            return badUse("--" + name + " takes no value", usage);
        if (!option->isRepeatable && arguments.m_options.contains(name))
            return badUse("--" + name + " was given twice", usage);
        auto &values = arguments.m_options[name];
        if (option->value.empty())
            continue;
        if (parts.value)
            values.emplace_back(*parts.value);
        else if (i + 1 < words.size() && !words[i + 1].starts_with("--"))
            values.push_back(words[++i]);
        else
            return badUse("--" + name + " needs a value: --" + name + ' ' + std::string(option->value), usage);
    }
    if (arguments.has("help"))
        return arguments;
    const auto count = arguments.m_positional.size();
    if (count < usage.fewest)
        return badUse("an argument is missing: handresetctl " + std::string(usage.verb) + ' '
                          + std::string(usage.arguments),
                      usage);
    if (count > usage.most)
        return badUse("one argument too many: " + arguments.m_positional[usage.most], usage);
    return arguments;
}

std::optional<std::string> Arguments::value(std::string_view option) const
{
    const auto found = m_options.find(option);
    if (found == m_options.end() || found->second.empty())
        return std::nullopt;
    return found->second.front();
}

std::string Arguments::valueOr(std::string_view option, std::string_view otherwise) const
{
    return value(option).value_or(std::string(otherwise));
}

std::vector<std::string> Arguments::values(std::string_view option) const
{
    const auto found = m_options.find(option);
    return found == m_options.end() ? std::vector<std::string>() : found->second;
}

Result<std::optional<std::int64_t>> Arguments::number(std::string_view option, std::int64_t least,
                                                      std::int64_t most) const
{
    const auto text = value(option);
    if (!text)
        return std::optional<std::int64_t>();
    const auto number = wholeNumber(*text);
    if (!number || *number < least || *number > most)
        return Error{ErrorCode::BadInput,
                     "--" + std::string(option) + " is a whole number from " + std::to_string(least) + " to "
                         + std::to_string(most) + ", not \"" + *text + '"',
                     {}};
    return number;
}

Result<std::string> Arguments::required(std::string_view option, std::string_view why) const
{
    const auto text = value(option);
    if (!text || text->empty())
        return Error{ErrorCode::BadInput, "--" + std::string(option) + " is missing: " + std::string(why), {}};
    return *text;
}

} // namespace handreset::ctl

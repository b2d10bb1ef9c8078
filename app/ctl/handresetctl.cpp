// Which verb is meant, help, and the last net under every verb.
#include "app/ctl/table.h"
#include "app/ctl/verbs.h"

#include <algorithm>
#include <exception>
#include <span>
#include <string>

namespace handreset::ctl {

namespace {

constexpr std::string_view kExitCodes = "Exit codes: 0 done; 1 the check found something; 2 wrong use or bad input; "
                                        "3 the store cannot be reached; 4 refused by a rule.\n";

std::string headOf(const Usage &usage)
{
    std::string head(usage.verb);
    if (!usage.arguments.empty())
        head += ' ' + std::string(usage.arguments);
    return head;
}

std::string generalHelp()
{
    std::string out = "handresetctl VERB [ARGUMENTS] [--store S] [--json]\n\n";
    std::vector<std::pair<std::string, std::string>> rows;
    for (const auto *verb : allVerbs())
        rows.emplace_back("  " + headOf(verb->usage), verb->summary);
    out += pairs(rows);
    out += "\nhandresetctl VERB --help tells a verb's options and what --json prints. Options may stand before or "
           "after "
           "the arguments.\n";
    return out += kExitCodes;
}

std::vector<std::pair<std::string, std::string>> optionRows(std::span<const Option> options)
{
    std::vector<std::pair<std::string, std::string>> rows;
    for (const auto &option : options) {
        auto name = "  --" + std::string(option.name);
        if (!option.value.empty())
            name += ' ' + std::string(option.value);
        rows.emplace_back(std::move(name), std::string(option.text) + (option.isRepeatable ? " (repeatable)" : ""));
    }
    return rows;
}

const Verb *verbNamed(std::string_view name)
{
    const auto &verbs = allVerbs();
    const auto found = std::ranges::find_if(verbs, [name](const Verb *verb) { return verb->usage.verb == name; });
    return found == verbs.end() ? nullptr : *found;
}

std::vector<std::string_view> verbNames()
{
    std::vector<std::string_view> names;
    for (const auto *verb : allVerbs())
        names.push_back(verb->usage.verb);
    return names;
}

/// Every option of every verb, so that a value before the verb is not taken for it.
std::vector<Option> everyOption()
{
    std::vector<Option> options(commonOptions().begin(), commonOptions().end());
    for (const auto *verb : allVerbs())
        options.insert(options.end(), verb->usage.options.begin(), verb->usage.options.end());
    return options;
}

/// Wrong use before a verb could look at its options: with --json the error object stands on `out` too.
ExitCode failUse(Context &context, bool wantsJson, std::string message)
{
    if (wantsJson)
        context.out << errorJson({rules::ErrorCode::BadInput, message, {}});
    context.err << "handresetctl: " << visible(message, 800) << '\n';
    return ExitCode::BadUse;
}

/// `--json` among the words, whatever else is wrong with them.
bool wantsJson(const std::vector<std::string> &words)
{
    const auto end = std::ranges::find(words, std::string("--"));
    return std::find(words.begin(), end, "--json") != end;
}

/// True where verbs of two words begin with this one: "queue take".
bool beginsVerbs(const std::string &word, std::span<const std::string_view> names)
{
    return std::ranges::any_of(names, [&](std::string_view verb) { return verb.starts_with(word + ' '); });
}

/// The first word behind the verb that is neither an option nor an option's value; empty: there is none.
std::string secondWord(const FoundVerb &found, std::span<const std::string_view> names)
{
    return findVerb(found.rest, names, everyOption()).verb;
}

ExitCode unknownVerb(Context &context, const FoundVerb &found)
{
    const auto names = verbNames();
    auto name = found.verb;
    if (const auto second = secondWord(found, names); beginsVerbs(name, names) && !second.empty())
        name += ' ' + second; // "queue bogus": both words are the verb
    std::string message = "unknown verb \"" + visible(name) + '"';
    std::string known;
    for (const auto verb : names) {
        if (verb.starts_with(found.verb + ' '))
            known += (known.empty() ? "" : ", ") + std::string(verb);
    }
    if (!known.empty())
        message += "; it is one of: " + known;
    else if (const auto meant = nearest(name, names); !meant.empty())
        message += ", did you mean " + std::string(meant) + '?';
    message += (message.ends_with('?') ? " See: " : "; see: ") + std::string("handresetctl --help");
    return failUse(context, wantsJson(found.rest), std::move(message));
}

bool has(const std::vector<std::string> &words, std::string_view a, std::string_view b)
{
    return std::ranges::any_of(words, [&](const std::string &word) { return word == a || word == b; });
}

ExitCode runVerb(const Verb &verb, const std::vector<std::string> &words, Context &context)
{
    auto arguments = parseArguments(words, verb.usage);
    if (!arguments)
        return failUse(context, wantsJson(words), arguments.error().message);
    if (arguments->has("help")) {
        context.out << helpOf(verb);
        return ExitCode::Done;
    }
    try {
        const auto code = verb.run(*arguments, context);
        context.out.flush();
        if (context.out.good())
            return code;
        context.err << "handresetctl: the output could not be written\n";
        return code == ExitCode::Done ? ExitCode::Unreachable : code;
    } catch (const std::exception &error) {
        return fail(context, *arguments,
                    {rules::ErrorCode::Unavailable, std::string("an error of its own: ") + error.what(), {}});
    }
}

} // namespace

const std::vector<const Verb *> &allVerbs()
{
    static const std::vector<const Verb *> verbs = [] {
        std::vector<const Verb *> all;
        for (const auto group : {showVerbs(), logVerbs(), actVerbs(), operatorVerbs(), tokenVerbs(), policyVerbs(),
                                 runsVerbs(), storeVerbs(), learnVerbs(), mcpVerbs()}) {
            for (const auto &verb : group)
                all.push_back(&verb);
        }
        return all;
    }();
    return verbs;
}

std::string helpOf(const Verb &verb)
{
    std::string out = "handresetctl " + headOf(verb.usage);
    for (const auto &option : verb.usage.options)
        out += " [--" + std::string(option.name) + (option.value.empty() ? "" : ' ' + std::string(option.value)) + ']';
    out += "\n\n" + std::string(verb.summary) + ".\n";
    if (!verb.note.empty())
        out += std::string(verb.note) + '\n';
    auto rows = optionRows(verb.usage.options);
    const auto common = optionRows(commonOptions());
    rows.insert(rows.end(), common.begin(), common.end());
    out += "\nOptions:\n" + pairs(rows);
    out += "\n--json prints one object:\n  " + std::string(verb.json) + "\n\n";
    return out += kExitCodes;
}

ExitCode runHandresetctl(const std::vector<std::string> &words, Context &context)
{
    const auto names = verbNames();
    const auto options = everyOption();
    auto found = findVerb(words, names, options);
    if (found.verb == "help") { // "help VERB" is "VERB --help"
        found = findVerb(found.rest, names, options);
        found.rest.emplace_back("--help");
    }
    if (found.verb.empty()) {
        if (has(words, "--version", "-V")) {
            context.out << "handresetctl " << HANDRESET_VERSION << '\n';
            return ExitCode::Done;
        }
        const bool isAsked = has(found.rest, "--help", "-h");
        if (!isAsked && wantsJson(words))
            context.out << errorJson({rules::ErrorCode::BadInput, "no verb was given; see: handresetctl --help", {}});
        (isAsked ? context.out : context.err) << generalHelp();
        return isAsked ? ExitCode::Done : ExitCode::BadUse;
    }
    const auto *verb = verbNamed(found.verb);
    const bool takesNothing = verb != nullptr && verb->usage.most == 0;
    if (takesNothing && beginsVerbs(found.verb, names) && !secondWord(found, names).empty())
        verb = nullptr; // "queue bogus"
    return verb == nullptr ? unknownVerb(context, found) : runVerb(*verb, found.rest, context);
}

} // namespace handreset::ctl

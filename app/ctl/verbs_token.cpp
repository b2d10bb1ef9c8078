// The verbs of the agents' door's tokens: a secret is shown once, when it is made (spec 5, 8).
#include "app/ctl/arguments.h"
#include "app/ctl/json_writer.h"
#include "app/ctl/store_access.h"
#include "app/ctl/table.h"
#include "app/ctl/verbs.h"
#include "model/rules/sha256.h"
#include "model/rules/words_of_time.h"
#include "model/trust/token_secret.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::string_view kAddFields = "token, agent, feed, operator, secret (null with --out), file";
constexpr std::string_view kListFields = "token, agent, feed, since, by";
constexpr std::string_view kRevokeFields = "token, seq, operator";

/// A new file that only its owner may read; refuses one that exists.
Result<void> writeSecret(const std::string &path, const std::string &secret)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return Error{ErrorCode::BadInput,
                     std::string("the file for the token cannot be made: ") + std::strerror(errno)
                         + "; name one that does not exist",
                     path};
    const auto line = secret + '\n';
    const bool isWritten = ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    if (::close(file) == 0 && isWritten)
        return {};
    ::unlink(path.c_str());
    return Error{ErrorCode::Unavailable, "the token could not be written there", path};
}

std::string ofWhom(const std::string &agent, const std::string &feed)
{
    return agent.empty() ? "the feed " + visible(feed) : "the agent " + visible(agent);
}

ExitCode add(const Arguments &arguments, Context &context)
{
    const auto agent = arguments.valueOr("agent", "");
    const auto feed = arguments.valueOr("feed", "");
    const auto out = arguments.value("out");
    if (agent.empty() == feed.empty())
        return fail(context, arguments, {ErrorCode::BadInput, "say whose it is: --agent NAME, or --feed NAME", {}});
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    const auto secret = trust::newTokenSecret();
    if (out) { // first: a token that nobody could keep is not made
        if (const auto written = writeSecret(*out, secret); !written)
            return fail(context, arguments, written.error());
    }
    const auto done = act(
        arguments, context, **host,
        rules::AddToken{agent, feed, rules::sha256(secret), context.operatorName, arguments.valueOr("reason", "")});
    if (!done) {
        if (out)
            ::unlink(out->c_str());
        return fail(context, arguments, done.error());
    }
    JsonWriter json;
    json.number("token", done->seq.value);
    json.text("agent", agent);
    json.text("feed", feed);
    json.text("operator", context.operatorName);
    if (out)
        json.null("secret");
    else
        json.text("secret", secret);
    json.text("file", out.value_or(std::string()));
    const auto number = std::to_string(done->seq.value);
    answer(context, arguments, json,
           "Token " + number + " of " + ofWhom(agent, feed)
               + (out ? " stands in " + visible(*out, 400) + ", readable by you alone.\n"
                      : ". It is shown this once; give it to nobody else:\n\n    " + secret + "\n\n")
               + "To take it back: handresetctl token revoke " + number + '\n');
    return ExitCode::Done;
}

ExitCode list(const Arguments &arguments, Context &context)
{
    const auto loaded = loadStore(context, arguments);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    const auto &fleet = loaded->fleet;
    const auto wanted = arguments.value("agent");
    JsonWriter json;
    Table table({{"TOKEN"}, {"AGENT"}, {"FEED"}, {"SINCE"}, {"BY"}});
    std::size_t count = 0;
    json.beginArray("tokens");
    for (const auto &[number, token] : fleet.tokens) {
        const auto &agent = fleet.names(token.agent);
        if (wanted && agent != *wanted)
            continue;
        ++count;
        json.beginObject();
        json.number("token", number.value);
        json.text("agent", agent);
        json.text("feed", token.feed);
        json.instant("since", token.since);
        json.text("by", fleet.names(token.by));
        json.end();
        table.add(
            {std::to_string(number.value), agent, token.feed, rules::utcStamp(token.since), fleet.names(token.by)});
    }
    json.end();
    answer(context, arguments, json,
           count > 0 ? table.toString()
                     : "No token: no agent can ask. Make one: handresetctl token add --agent NAME\n");
    return ExitCode::Done;
}

ExitCode revoke(const Arguments &arguments, Context &context)
{
    const auto number = wholeNumber(arguments.positional().front());
    if (!number || *number <= 0)
        return fail(context, arguments,
                    {ErrorCode::BadInput, "a token is named by its number; see: handresetctl token list",
                     arguments.positional().front()});
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    const rules::Seq token{static_cast<std::uint64_t>(*number)};
    const auto done = act(arguments, context, **host,
                          rules::RevokeToken{token, context.operatorName, arguments.valueOr("reason", "")});
    if (!done)
        return fail(context, arguments, done.error());
    JsonWriter json;
    json.number("token", token.value);
    json.number("seq", done->seq.value);
    json.text("operator", context.operatorName);
    answer(context, arguments, json,
           "Token " + std::to_string(token.value) + " is revoked: whoever has it is refused from now on.\n");
    return ExitCode::Done;
}

constexpr Option kReason{"reason", "R", "why; the log keeps it"};
constexpr std::array kAddOptions{
    Option{"agent", "A", "whose it is: it can ask and report for this agent only"},
    Option{"feed", "F", "of a feed instead: traces, alerts"},
    Option{"out", "FILE", "writes the secret there, for its owner alone, and does not show it"}, kReason};
constexpr std::array kListOptions{Option{"agent", "A", "only this agent's"}};
constexpr std::array kRevokeOptions{kReason};

constexpr std::array kVerbs{
    Verb{{"token add", "", 0, 0, kAddOptions},
         "makes a secret by which an agent asks; it is shown once",
         kAddFields,
         &add},
    Verb{{"token list", "", 0, 0, kListOptions},
         "the tokens that are good now",
         kListFields,
         &list,
         "--json: {\"tokens\": [{…}]}, each with the fields below."},
    Verb{{"token revoke", "NUMBER", 1, 1, kRevokeOptions}, "takes a token back, at once", kRevokeFields, &revoke},
};

} // namespace

std::span<const Verb> tokenVerbs() noexcept
{
    return kVerbs;
}

} // namespace handreset::ctl

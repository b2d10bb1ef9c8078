#include "model/gate/ask_bodies.h"

#include "model/gate/body_fields.h"
#include "model/rules/client_id.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace handreset::gate {

namespace {

constexpr std::size_t kLongestText = 4096;
constexpr std::int64_t kMostTokens = 1'000'000'000'000;
constexpr std::int64_t kMostSeconds = 86'400;

template <class Command>
Read<Command> done(BodyFields &fields, Command command)
{
    fields.finish();
    if (fields.fault())
        return *fields.fault();
    return command;
}

/// What every ask says of its place.
template <class Ask>
void readPlace(BodyFields &fields, Ask &ask)
{
    ask.agent = fields.name("agent", true);
    ask.task = fields.name("task", true);
    ask.session = fields.name("session", false);
    ask.parent = fields.name("parent", false);
}

std::optional<rules::ClientStamp> readId(BodyFields &fields, std::string_view body)
{
    auto id = fields.text("id", 128);
    if (id.empty())
        return std::nullopt;
    if (const auto wrong = rules::checkClientId(id)) {
        fields.refuse("id", wrong->message);
        return std::nullopt;
    }
    return rules::ClientStamp{std::move(id), rules::bodyDigestOf(body)};
}

} // namespace

Read<rules::AskStep> AskBodies::step(std::string_view body)
{
    BodyFields fields(m_document, body);
    rules::AskStep ask;
    readPlace(fields, ask);
    ask.endpoint = fields.name("endpoint", false);
    ask.model = fields.name("model", false);
    ask.estimate = fields.money("estimated_cost");
    ask.client = readId(fields, body);
    return done(fields, std::move(ask));
}

Read<rules::AskCall> AskBodies::call(std::string_view body)
{
    BodyFields fields(m_document, body);
    rules::AskCall ask;
    readPlace(fields, ask);
    ask.tool = fields.name("tool", true);
    ask.arguments = fields.json("arguments");
    ask.client = readId(fields, body);
    return done(fields, std::move(ask));
}

Read<rules::FinishStep> AskBodies::stepResult(std::string_view body)
{
    BodyFields fields(m_document, body);
    rules::FinishStep result;
    auto &report = result.report;
    report.ok = fields.flag("ok", true).value_or(false);
    report.status = static_cast<std::int32_t>(fields.whole("status", 0, 999).value_or(0));
    report.error = fields.text("error", kLongestText);
    report.model = fields.name("model", false);
    report.cost = fields.money("cost", "currency");
    report.tokensIn = fields.whole("tokens_in", 0, kMostTokens);
    report.tokensOut = fields.whole("tokens_out", 0, kMostTokens);
    report.retryAfterSeconds = fields.whole("retry_after", 0, kMostSeconds).value_or(0);
    return done(fields, std::move(result));
}

Read<rules::FinishCall> AskBodies::callResult(std::string_view body)
{
    BodyFields fields(m_document, body);
    rules::FinishCall result;
    const auto word = fields.text("outcome", 16, true);
    if (const auto outcome = rules::fromWord<rules::CallOutcome>(word))
        result.outcome = *outcome;
    else
        fields.refuse("outcome", "must be success, failure or neutral");
    result.error = fields.text("error", kLongestText);
    result.changed = fields.flag("changed");
    return done(fields, std::move(result));
}

Read<rules::NoteTask> AskBodies::note(std::string_view body)
{
    BodyFields fields(m_document, body);
    rules::NoteTask note;
    note.agent = fields.name("agent", true);
    note.text = fields.text("text", kLongestText, true);
    return done(fields, std::move(note));
}

Read<rules::EndTask> AskBodies::end(std::string_view body)
{
    BodyFields fields(m_document, body);
    rules::EndTask end;
    end.agent = fields.name("agent", true);
    end.outcome = fields.text("outcome", 512);
    return done(fields, std::move(end));
}

} // namespace handreset::gate

#include "model/feeds/recorded_runs.h"

#include "model/feeds/json_check.h"
#include "model/rules/names.h"

#include <simdjson.h>

#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace handreset::feeds {

namespace ondemand = simdjson::ondemand;
using rules::Error;
using rules::ErrorCode;
using rules::LineKind;
using rules::RecordedLine;
using rules::Result;

namespace {

static_assert(kLinePadding >= simdjson::SIMDJSON_PADDING);

/// The form's fields, in the order of `kFields`.
enum class Field : std::uint8_t {
    Ts,
    Agent,
    Task,
    Kind,
    Tool,
    Args,
    Ok,
    Error,
    CostUsd,
    TokensIn,
    TokensOut,
    Model,
    Call,
    Result,
    Empty,
    TokensCacheRead,
    TokensCacheWrite,
    X,
};
constexpr std::array<std::string_view, 18> kFields{
    "ts",         "agent", "task", "kind",   "tool",  "args",              "ok",                 "error", "cost_usd",
    "tokens_in",  "tokens_out", "model", "call", "result", "empty", "tokens_cache_read", "tokens_cache_write", "x"};

constexpr std::int64_t kLastMicrosecond = 253'402'300'799'999'999; // of the year 9999

std::uint32_t bitOf(Field field)
{
    return 1U << static_cast<unsigned>(field);
}

/// A field's name as an Error may hold it: at most so many bytes, never within a character.
std::string beginningOf(std::string_view name)
{
    constexpr std::size_t kMost = 200;
    if (name.size() <= kMost)
        return std::string(name);
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U)
        --end;
    return std::string(name.substr(0, end)) + "…";
}

/// What is wrong with a line: a field of the form (empty: the line as a whole), and what to do.
struct Fault {
    std::string field;
    std::string what;
};

} // namespace

struct RecordedRuns::Parts {
    std::unique_ptr<TextLines> lines;
    ondemand::parser parser;
    std::uint64_t firstIndex = 0;
    std::uint64_t linesRead = 0;
    UnknownFields unknown;
    Fault fault;

    bool readLine(std::string_view text, RecordedLine &line);
    bool readFields(ondemand::object object, RecordedLine &line);
    bool readField(Field field, ondemand::value value, RecordedLine &line);
    bool readTime(ondemand::value value, RecordedLine &line);
    bool readName(Field field, ondemand::value value, std::string_view &name);
    bool readError(ondemand::value value, std::string_view &text);
    bool readKept(Field field, ondemand::value value, std::string_view &text);
    bool readCost(ondemand::value value, RecordedLine &line);
    bool readCount(Field field, ondemand::value value, std::optional<std::int64_t> &count);
    bool readFlag(Field field, ondemand::value value, std::optional<bool> &flag);
    bool stepOver(std::string_view key, ondemand::value value);
    bool checkWhole(std::uint32_t seen, const RecordedLine &line);

    bool wrong(std::string_view field, std::string_view what)
    {
        fault = {std::string(field), std::string(what)};
        return false;
    }
    bool wrongUnknown(std::string_view key, std::string_view what) { return wrong(beginningOf(key), what); }
    bool wrong(Field field, std::string_view what) { return wrong(kFields[static_cast<std::size_t>(field)], what); }
    bool wrongLine(std::string_view what) { return wrong(std::string_view(), what); }
    bool notJson() { return wrongLine("is not JSON; each line must be one object (RFC 8259)"); }
};

namespace {

std::optional<Field> fieldOf(std::string_view key)
{
    for (std::size_t i = 0; i < kFields.size(); ++i) {
        if (kFields[i] == key)
            return static_cast<Field>(i);
    }
    return std::nullopt;
}

bool isNull(ondemand::value &value)
{
    ondemand::json_type type{};
    return !value.type().get(type) && type == ondemand::json_type::null;
}

} // namespace

bool RecordedRuns::Parts::readTime(ondemand::value value, RecordedLine &line)
{
    if (isNull(value)) {
        bool isWhole = false;
        return !value.is_null().get(isWhole) && isWhole ? true : notJson();
    }
    std::int64_t micros = 0;
    if (value.get_int64().get(micros))
        return wrong(Field::Ts, "must be a whole number of microseconds (UTC), or null where the source states no time");
    if (micros < 0 || micros > kLastMicrosecond)
        return wrong(Field::Ts, "is no time between 1970 and 9999; write microseconds since 1970 (UTC)");
    line.time = rules::Instant{micros};
    return true;
}

bool RecordedRuns::Parts::readName(Field field, ondemand::value value, std::string_view &name)
{
    if (value.get_string().get(name))
        return wrong(field, "must be a text");
    if (name.size() > rules::kLongestName)
        return wrong(field, "is longer than 1024 bytes; shorten the name at the source");
    if (name.find('\0') != std::string_view::npos)
        return wrong(field, "holds a NUL character; a name is a text");
    return true;
}

bool RecordedRuns::Parts::readError(ondemand::value value, std::string_view &text)
{
    std::string_view token;
    ondemand::json_type type{};
    if (value.type().get(type) || type != ondemand::json_type::string)
        return wrong(Field::Error, "must be a text");
    return readKept(Field::Error, value, text);
}

bool RecordedRuns::Parts::readKept(Field field, ondemand::value value, std::string_view &text)
{
    if (!takeWhole(value, text))
        return wrong(field, "is not JSON; write one JSON value (RFC 8259)");
    if (field == Field::X && text.front() != '{')
        return wrong(field, "must be an object of labels");
    const bool isText = text.front() == '"';
    if (isText && (field == Field::Result || field == Field::Error))
        text = text.substr(1, text.size() - 2);
    return true;
}

bool RecordedRuns::Parts::readCost(ondemand::value value, RecordedLine &line)
{
    std::string_view token;
    ondemand::json_type type{};
    if (value.type().get(type) || type != ondemand::json_type::number || !takeWhole(value, token))
        return wrong(Field::CostUsd, "must be a number of US dollars; leave it out where no cost is known");
    const auto cost = rules::Decimal::parseOutward(token); // a cost is never rounded down
    if (!cost || *cost >= rules::Decimal::max())
        return wrong(Field::CostUsd, "is no amount that can be counted; write dollars");
    if (token.front() == '-' && !cost->isZero())
        return wrong(Field::CostUsd, "is negative; a cost never is");
    line.costUsd = *cost;
    return true;
}

bool RecordedRuns::Parts::readCount(Field field, ondemand::value value, std::optional<std::int64_t> &count)
{
    std::int64_t number = 0;
    if (value.get_int64().get(number))
        return wrong(field, "must be a whole number; leave it out where it is not known");
    if (number < 0)
        return wrong(field, "is negative; a count never is");
    count = number;
    return true;
}

bool RecordedRuns::Parts::readFlag(Field field, ondemand::value value, std::optional<bool> &flag)
{
    bool isSet = false;
    if (value.get_bool().get(isSet))
        return wrong(field, "must be true or false; leave it out where it is not known");
    flag = isSet;
    return true;
}

bool RecordedRuns::Parts::stepOver(std::string_view key, ondemand::value value)
{
    std::string_view text;
    if (!takeWhole(value, text))
        return wrongUnknown(key, "is not JSON; write one JSON value (RFC 8259)");
    unknown.add(key);
    return true;
}

bool RecordedRuns::Parts::readField(Field field, ondemand::value value, RecordedLine &line)
{
    std::optional<std::int64_t> count;
    std::optional<bool> flag;
    switch (field) {
    case Field::Ts:
        return readTime(value, line);
    case Field::Agent:
        return readName(field, value, line.agent);
    case Field::Task:
        return readName(field, value, line.task);
    case Field::Kind: {
        std::string_view word;
        const bool isText = !value.get_string().get(word);
        const auto kind = isText ? rules::fromWord<LineKind>(word) : std::nullopt;
        if (!kind)
            return wrong(field, "must be task_start, model_call, tool_call, tool_result or task_end");
        line.kind = *kind;
        return true;
    }
    case Field::Tool:
        return readName(field, value, line.tool);
    case Field::Model:
        return readName(field, value, line.model);
    case Field::Call:
        return readName(field, value, line.call);
    case Field::Args:
        return readKept(field, value, line.arguments);
    case Field::Result:
        return readKept(field, value, line.result);
    case Field::X:
        return readKept(field, value, line.labels);
    case Field::Error:
        return readError(value, line.error);
    case Field::Ok:
        return readFlag(field, value, line.ok);
    case Field::Empty:
        return readFlag(field, value, flag);
    case Field::CostUsd:
        return readCost(value, line);
    case Field::TokensIn:
        return readCount(field, value, line.tokensIn);
    case Field::TokensOut:
        return readCount(field, value, line.tokensOut);
    case Field::TokensCacheRead:
    case Field::TokensCacheWrite:
        return readCount(field, value, count);
    }
    return false;
}

bool RecordedRuns::Parts::readFields(ondemand::object object, RecordedLine &line)
{
    std::uint32_t seen = 0;
    for (auto entry : object) {
        std::string_view key;
        ondemand::value value;
        if (entry.unescaped_key().get(key) || entry.value().get(value))
            return notJson();
        const auto field = fieldOf(key);
        if (!field) {
            if (!stepOver(key, value))
                return false;
            continue;
        }
        if ((seen & bitOf(*field)) != 0)
            return wrong(*field, "stands twice; keep one");
        seen |= bitOf(*field);
        if (!readField(*field, value, line))
            return false;
    }
    return checkWhole(seen, line);
}

bool RecordedRuns::Parts::checkWhole(std::uint32_t seen, const RecordedLine &line)
{
    if ((seen & bitOf(Field::Ts)) == 0)
        return wrong(Field::Ts, "is missing; write null where the source states no time");
    if (line.agent.empty())
        return wrong(Field::Agent, "is missing; name the program that did the task");
    if (line.task.empty())
        return wrong(Field::Task, "is missing; name the run that the event belongs to");
    if ((seen & bitOf(Field::Kind)) == 0)
        return wrong(Field::Kind, "is missing; write task_start, model_call, tool_call, tool_result or task_end");
    if (line.kind == LineKind::ToolCall && line.tool.empty())
        return wrong(Field::Tool, "is missing; name the tool that was called");
    return true;
}

bool RecordedRuns::Parts::readLine(std::string_view text, RecordedLine &line)
{
    line = RecordedLine{};
    if (text.find_first_not_of(" \t\r") == std::string_view::npos)
        return wrongLine("is empty; take empty lines out, for the line's number is the event's index");
    ondemand::document document;
    ondemand::object object;
    if (parser.iterate(text.data(), text.size(), text.size() + kLinePadding).get(document))
        return notJson();
    if (document.get_object().get(object))
        return wrongLine("is no JSON object; each line must be one");
    if (!readFields(object, line))
        return false;
    const bool isAtEnd = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
    return isAtEnd ? true : wrongLine("goes on behind the object; each event has a line of its own");
}

RecordedRuns::RecordedRuns(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}
RecordedRuns::~RecordedRuns() = default;

Result<std::unique_ptr<RecordedRuns>> RecordedRuns::open(const std::string &path, std::uint64_t firstIndex,
                                                         Source source, GoesOn goesOn)
{
    auto lines = TextLines::open(path, source, std::move(goesOn));
    if (!lines)
        return lines.error();
    auto parts = std::make_unique<Parts>();
    parts->lines = std::move(lines).value();
    parts->firstIndex = firstIndex;
    if (parts->parser.allocate(kLongestLine))
        return Error{ErrorCode::Unavailable, "there is not enough memory to read it", path};
    return std::unique_ptr<RecordedRuns>(new RecordedRuns(std::move(parts)));
}

Result<bool> RecordedRuns::next(RecordedLine &line)
{
    auto &parts = *m_parts;
    std::string_view text;
    auto more = parts.lines->next(text);
    if (!more || !more.value())
        return more;
    ++parts.linesRead;
    if (!parts.readLine(text, line)) {
        const auto where = parts.lines->path() + ":" + std::to_string(parts.linesRead);
        const auto &fault = parts.fault;
        return Error{ErrorCode::BadInput, fault.field.empty() ? "the line " + fault.what : fault.field + " " + fault.what,
                     fault.field.empty() ? where : where + ": " + fault.field};
    }
    line.index = parts.firstIndex + parts.linesRead - 1;
    return true;
}

double RecordedRuns::share() const
{
    return m_parts->lines->share();
}

const UnknownFields &RecordedRuns::unknownFields() const
{
    return m_parts->unknown;
}

} // namespace handreset::feeds

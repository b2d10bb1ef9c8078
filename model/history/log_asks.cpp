#include "model/history/log_asks.h"

#include "model/history/what_if_report.h"
#include "model/rules/codec.h"
#include "model/rules/policy_text.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace handreset::history {

using rules::AgentId;
using rules::CostSource;
using rules::Error;
using rules::ErrorCode;
using rules::KeyId;
using rules::NameKind;
using rules::Result;
using rules::TaskId;
using rules::ToolId;

namespace {

constexpr std::size_t kCutArguments = 64 * 1024; // what was as long was cut when it was written

/// True when a redaction can have touched what a cap looks at: one pointer leads to or into the other.
bool touches(std::string_view redacted, std::string_view looked)
{
    while (!redacted.empty() && !looked.empty()) {
        const auto stepOf = [](std::string_view &pointer) {
            pointer.remove_prefix(1); // the '/'
            const auto step = pointer.substr(0, pointer.find('/'));
            pointer.remove_prefix(step.size());
            return step;
        };
        const auto one = stepOf(redacted);
        const auto other = stepOf(looked);
        if (one != other && one != "*" && other != "*")
            return false;
    }
    return true;
}

bool touchesAny(const std::vector<std::string> &redacted, const std::string &looked)
{
    return std::any_of(redacted.begin(), redacted.end(), [&](const std::string &one) { return touches(one, looked); });
}

bool redactsCaps(const std::vector<std::string> &redacted, const rules::ToolPolicy &tried)
{
    return (tried.value
            && (touchesAny(redacted, tried.value->pointer)
                || (!tried.value->currencyPointer.empty() && touchesAny(redacted, tried.value->currencyPointer))))
        || (tried.destination && touchesAny(redacted, tried.destination->pointer));
}

} // namespace

LogAsks::LogAsks(std::shared_ptr<const rules::Policy> tried, Needs needs)
    : m_tried(std::move(tried)), m_recorded(rules::builtInPolicy()), m_needs(needs)
{}

namespace {

/// The place of a payload in the log's numbering.
template <class P, class... All>
constexpr std::uint8_t placeIn(const std::variant<All...> *)
{
    std::uint8_t place = 0;
    static_cast<void>(((std::is_same_v<P, All> || (++place, false)) || ...));
    return place;
}
template <class P>
inline constexpr std::uint8_t kKindOf = placeIn<P>(static_cast<const rules::Payload *>(nullptr));
static_assert(kKindOf<rules::StoreCreated> == 0 && kKindOf<rules::TokenRevoked> == rules::kEventKinds - 1);

Error damaged(const store::LogRow &row, const Error &fault)
{
    return {ErrorCode::Unavailable, "the log is damaged: " + fault.message + "; run verify",
            "event " + std::to_string(row.seq.value) + (fault.context.empty() ? "" : ": " + fault.context)};
}

} // namespace

Result<void> LogAsks::read(const store::LogRow &row, store::LogArguments &arguments, RecordedAsk &ask)
{
    ask = RecordedAsk{};
    ask.index = row.seq.value;
    ask.agent = row.agent;
    ask.task = ask.root = row.task;
    if (row.task.isSet() && row.task.value <= m_roots.size() && m_roots[row.task.value - 1] != 0)
        ask.root = TaskId{m_roots[row.task.value - 1]};
    ask.at = row.at;
    ask.measured = true;
    if (row.kind == kKindOf<rules::StepAsked>) {
        const auto asked = rules::decodeCbor<rules::StepAsked>(row.payload);
        if (!asked)
            return damaged(row, asked.error());
        takeStep(ask, *asked);
        return {};
    }
    if (row.kind == kKindOf<rules::CallAsked>) {
        const auto asked = rules::decodeCbor<rules::CallAsked>(row.payload);
        return asked ? takeCall(ask, *asked, arguments) : damaged(row, asked.error());
    }
    return takeRare(row, ask);
}

void LogAsks::beginPeriod()
{
    m_notReplayed.clear();
    m_trips.clear();
}

store::KindSet LogAsks::kinds() const
{
    const auto bitOf = [](std::uint8_t kind) { return store::KindSet{1} << kind; };
    auto kinds = bitOf(kKindOf<rules::Named>) | bitOf(kKindOf<rules::PolicyApplied>) | bitOf(kKindOf<rules::StepAsked>)
        | bitOf(kKindOf<rules::StepFinished>) | bitOf(kKindOf<rules::CallAsked>)
        | bitOf(kKindOf<rules::RefusalsCounted>) | bitOf(kKindOf<rules::TripFired>)
        | bitOf(kKindOf<rules::ResultMissing>);
    if (m_needs.results)
        kinds |= bitOf(kKindOf<rules::CallFinished>) | bitOf(kKindOf<rules::TaskEnded>);
    if (m_needs.labels)
        kinds |= bitOf(kKindOf<rules::TaskLabelled>);
    return kinds;
}

/// Everything but asks: a small part of a log.
Result<void> LogAsks::takeRare(const store::LogRow &row, RecordedAsk &ask)
{
    const auto decoded = rules::decodePayload(row.kind, row.payload);
    if (!decoded)
        return damaged(row, decoded.error());
    const auto &payload = decoded.value();
    if (const auto *result = std::get_if<rules::StepFinished>(&payload))
        takeResult(ask, *result);
    else if (const auto *done = std::get_if<rules::CallFinished>(&payload)) {
        ask.kind = AskKind::CallResult;
        ask.ofCall = done->ask.value;
        ask.ok = done->outcome == rules::CallOutcome::Success;
        ask.isNeutral = done->outcome == rules::CallOutcome::Neutral;
    } else if (std::holds_alternative<rules::TaskEnded>(payload))
        ask.kind = AskKind::End;
    else if (const auto *named = std::get_if<rules::Named>(&payload))
        name(*named);
    else if (const auto *applied = std::get_if<rules::PolicyApplied>(&payload))
        takePolicy(*applied);
    else if (const auto *labelled = std::get_if<rules::TaskLabelled>(&payload))
        takeLabels(ask, labelled->labels);
    else if (const auto *missing = std::get_if<rules::ResultMissing>(&payload))
        takeMissing(ask, *missing);
    else if (const auto *counted = std::get_if<rules::RefusalsCounted>(&payload))
        m_notReplayed["asks that a switch refused, kept as a count alone"]
            += static_cast<std::uint64_t>(counted->count);
    else if (const auto *fired = std::get_if<rules::TripFired>(&payload))
        takeTrip(fired->subject);
    return {};
}

void LogAsks::name(const rules::Named &named)
{
    const auto add = [&](rules::NameNumbers &numbers) {
        static_cast<void>(
            numbers.number(named.text, named.owner.value)); // dense in the log's order, so the same number
    };
    switch (named.kind) {
    case NameKind::Agent:
        return add(m_names.agents);
    case NameKind::Task:
        return add(m_names.tasks);
    case NameKind::Session:
        return add(m_names.sessions);
    case NameKind::Tool:
        return add(m_names.tools);
    case NameKind::Endpoint:
        return add(m_names.endpoints);
    case NameKind::Model:
        return add(m_names.models);
    case NameKind::Key:
        m_keys.push_back(named.text);
        return;
    case NameKind::Operator:
        return;
    }
}

void LogAsks::takePolicy(const rules::PolicyApplied &applied)
{
    m_differences.clear();
    auto reading = rules::readPolicy(applied.text, applied.file);
    if (reading.accepted())
        m_recorded = std::move(*reading.policy);
    else
        ++m_notReplayed["policies that this version cannot read: what they redacted is not known"];
}

const LogAsks::ToolDifference &LogAsks::differenceOf(AgentId agent, ToolId tool)
{
    if (m_differences.size() < agent.value)
        m_differences.resize(agent.value);
    auto &ofAgent = m_differences[agent.value - 1];
    if (ofAgent.size() < tool.value)
        ofAgent.resize(tool.value);
    auto &difference = ofAgent[tool.value - 1];
    if (!difference) {
        const auto &agentName = m_names.agents.text(agent.value);
        const auto &toolName = m_names.tools.text(tool.value);
        const auto &recorded = m_recorded.forTool(agentName, toolName);
        const auto &tried = m_tried->forTool(agentName, toolName);
        auto ignoredThen = recorded.repetitionIgnore;
        auto ignoredNow = tried.repetitionIgnore;
        std::sort(ignoredThen.begin(), ignoredThen.end());
        std::sort(ignoredNow.begin(), ignoredNow.end());
        difference = ToolDifference{ignoredThen == ignoredNow, !recorded.redact.empty(), tried.hasCap(),
                                    !redactsCaps(recorded.redact, tried)};
    }
    return *difference;
}

std::string_view LogAsks::currencyOf(KeyId key) const
{
    if (!key.isSet() || key.value > m_keys.size())
        return m_recorded.defaultKey.currency;
    return m_recorded.forKey(m_keys[key.value - 1]).currency;
}

/// A task's root is set at its first ask and never changes (spec 5).
void LogAsks::settleRoot(RecordedAsk &ask, TaskId parent)
{
    if (m_roots.size() < ask.task.value)
        m_roots.resize(ask.task.value);
    auto &root = m_roots[ask.task.value - 1];
    if (root == 0) {
        const bool hasParent = parent.isSet() && parent != ask.task;
        const auto ofParent = hasParent && parent.value <= m_roots.size() ? m_roots[parent.value - 1] : 0;
        root = !hasParent ? ask.task.value : ofParent != 0 ? ofParent : parent.value;
    }
    ask.root = TaskId{root};
}

void LogAsks::takeStep(RecordedAsk &ask, const rules::StepAsked &asked)
{
    ask.kind = AskKind::Step;
    ask.session = asked.session;
    ask.model = asked.model;
    ask.endpoint = asked.endpoint;
    ask.measured = asked.timeMeasured && ask.at;
    settleRoot(ask, asked.parent);
    if (asked.outcome) {
        ask.hasOutcome = true;
        takeOutcome(ask, *asked.outcome, asked.key);
    } else if (asked.answer == rules::Answer::Allow) {
        m_open[ask.index] = {ask.task, ask.endpoint, ask.model, asked.key, asked.reserved, ask.at};
    }
}

void LogAsks::takeOutcome(RecordedAsk &ask, const rules::StepOutcome &outcome, KeyId key)
{
    ask.ok = outcome.ok;
    ask.status = outcome.status;
    ask.tokensIn = outcome.tokensIn;
    ask.tokensOut = outcome.tokensOut;
    if (outcome.model.isSet())
        ask.model = outcome.model;
    const bool hasTokens = outcome.tokensIn || outcome.tokensOut;
    const bool isStated = outcome.costSource == CostSource::Reported
        || (outcome.costSource == CostSource::Unpriced
            && !hasTokens); // the estimate stood for it: nothing better is known
    if (isStated) {
        ask.cost = outcome.cost;
        ask.currency = currencyOf(key);
    }
}

Result<void> LogAsks::takeCall(RecordedAsk &ask, const rules::CallAsked &asked, store::LogArguments &arguments)
{
    ask.kind = AskKind::Call;
    ask.session = asked.session;
    ask.tool = asked.tool;
    ask.measured = asked.timeMeasured && ask.at;
    settleRoot(ask, asked.parent);
    const auto &difference = differenceOf(ask.agent, asked.tool);
    bool isWhole = true;
    if (difference.hasCap || !difference.sameIdentity || m_needs.results) {
        const bool isEarlier = asked.form == rules::ArgumentsForm::SameAsEarlier;
        auto text = arguments.argumentsAt(isEarlier ? asked.sameAs : rules::Seq{ask.index});
        if (!text)
            return text.error();
        m_arguments = std::move(*text);
        ask.arguments = m_arguments;
        isWhole = m_arguments.size() < kCutArguments;
    }
    ask.isEvaluable = !difference.hasCap || (isWhole && difference.capsReadable);
    if (!ask.isEvaluable)
        ++m_notReplayed["calls whose amount or destination was redacted or cut: not evaluable"];
    const bool comparesAgain = !difference.sameIdentity && !difference.isRedacted && isWhole;
    if (!comparesAgain)
        ask.identity = asked.identity;
    if (!difference.sameIdentity && !comparesAgain)
        ++m_notReplayed["calls compared as the recorded policy did: their redacted arguments cannot be compared anew"];
    return {};
}

void LogAsks::takeResult(RecordedAsk &ask, const rules::StepFinished &finished)
{
    const auto open = m_open.find(finished.ask.value);
    if (finished.late || open == m_open.end())
        return;
    const auto step = open->second;
    m_open.erase(open);
    ask.kind = AskKind::StepResult;
    ask.ofCall = finished.ask.value;
    ask.endpoint = step.endpoint;
    ask.model = step.model;
    ask.askedAt = step.at;
    takeOutcome(ask, finished.outcome, step.key);
}

/// A result that never came: what was reserved is charged in the window of its ask; the provider is not blamed.
void LogAsks::takeMissing(RecordedAsk &ask, const rules::ResultMissing &missing)
{
    const auto open = m_open.find(missing.ask.value);
    if (missing.forgotten || open == m_open.end() || !ask.task.isSet())
        return;
    ask.kind = AskKind::StepResult;
    ask.ofCall = missing.ask.value;
    ask.askedAt = open->second.at;
    ask.cost = open->second.reserved;
    ask.currency = currencyOf(open->second.key);
    m_open.erase(open);
}

void LogAsks::takeLabels(const RecordedAsk &ask, const std::string &labels)
{
    if (!ask.task.isSet())
        return;
    if (m_labels.size() < ask.task.value)
        m_labels.resize(ask.task.value);
    m_labels[ask.task.value - 1].push_back(labels);
}

void LogAsks::takeTrip(const rules::TripSubject &subject)
{
    if (const auto kind = tripKindOf(subject.signal, subject.cap))
        ++m_trips[std::string(rules::toWord(*kind))];
}

std::map<std::string, std::uint64_t> LogAsks::recordedTrips() const
{
    return m_trips;
}

} // namespace handreset::history

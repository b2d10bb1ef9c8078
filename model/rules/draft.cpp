#include "model/rules/draft.h"

#include "model/rules/utf8.h"

#include <algorithm>

namespace handreset::rules {

namespace {

/// Which transactions must be on the disk before they are answered (spec 4, Durability).
bool mustSync(const Event &event)
{
    if (const auto *asked = std::get_if<CallAsked>(&event.payload)) {
        const auto *row = rowOfId(kBreakerTable, event.row);
        return (row != nullptr && row->moves) || asked->probe || asked->pass.isSet()
            || (asked->volume && asked->access == Access::Write && asked->answer == Answer::Allow);
    }
    if (std::holds_alternative<CallFinished>(event.payload)) {
        const auto *row = rowOfId(kBreakerTable, event.row);
        return row != nullptr && row->moves;
    }
    return std::holds_alternative<TripFired>(event.payload) || std::holds_alternative<TripOpened>(event.payload)
        || std::holds_alternative<TripRearmed>(event.payload) || std::holds_alternative<TripAcknowledged>(event.payload)
        || std::holds_alternative<ReasonGiven>(event.payload) || std::holds_alternative<BreakerMoved>(event.payload)
        || std::holds_alternative<PolicyApplied>(event.payload) || std::holds_alternative<Granted>(event.payload)
        || std::holds_alternative<QueueActed>(event.payload) || std::holds_alternative<StoreCreated>(event.payload)
        || std::holds_alternative<HostStarted>(event.payload) || std::holds_alternative<ClockJumped>(event.payload)
        || std::holds_alternative<ClockConfirmed>(event.payload) || std::holds_alternative<ActRefused>(event.payload)
        || std::holds_alternative<StoreTrusted>(event.payload) || std::holds_alternative<RequestEnded>(event.payload)
        || std::holds_alternative<PassGiven>(event.payload) || std::holds_alternative<TokenAdded>(event.payload)
        || std::holds_alternative<TokenRevoked>(event.payload) || std::holds_alternative<ReviewClosed>(event.payload)
        || std::holds_alternative<AskRefusedAgain>(event.payload)
        || std::holds_alternative<ActSigned>(event.payload); // and with it all that it lets follow
}

} // namespace

Draft::Draft(Fleet &fleet, const Moment &moment, Step &step, Touched *touched)
    : m_fleet(fleet)
    , m_moment(moment)
    , m_step(step)
    , m_touched(touched)
{
}

Now Draft::time() const
{
    if (observes()) {
        const auto at = m_moment.sourceTime.value_or(m_fleet.ruleTime);
        return {at, Steady{at.micros}};
    }
    return {std::max(m_moment.now.wall, m_fleet.ruleTime), std::max(m_moment.now.steady, m_fleet.steady)};
}

std::optional<Instant> Draft::windowTime() const
{
    return observes() ? m_moment.sourceTime : std::optional<Instant>(time().wall);
}

Seq Draft::emit(AgentId agent, TaskId task, std::uint8_t row, Payload payload, std::string arguments)
{
    const auto now = time();
    Event event{m_fleet.seq.next(), now.wall, now.steady, m_moment.sourceTime, agent,
                task,               row,      std::move(payload), std::move(arguments)};
    if (auto done = apply(m_fleet, event, m_touched); !done) { // never: what is decided can be folded
        m_failed = true;
        m_step.outcome = done.error();
        return m_fleet.seq;
    }
    m_step.mustSync = m_step.mustSync || mustSync(event);
    m_step.events.push_back(std::move(event));
    return m_fleet.seq;
}

std::uint32_t Draft::name(NameKind kind, std::string_view text, AgentId owner)
{
    if (text.empty())
        return 0;
    if (const auto known = m_fleet.names.find(kind, text, owner); known != 0)
        return known;
    const auto id = m_fleet.names.count(kind) + 1;
    emit({}, {}, 0, Named{kind, id, std::string(text), owner});
    return m_failed ? 0 : id;
}

AgentId Draft::agent(std::string_view text)
{
    if (const AgentId known{m_fleet.names.find(NameKind::Agent, text)}; known.isSet())
        return known;
    key(m_fleet.policy->forAgent(text).key); // the agent's event looks its key up
    return AgentId{name(NameKind::Agent, text, {})};
}

TaskId Draft::task(AgentId owner, std::string_view text)
{
    return TaskId{name(NameKind::Task, text, owner)};
}

SessionId Draft::session(AgentId owner, std::string_view text)
{
    return SessionId{name(NameKind::Session, text, owner)};
}

ToolId Draft::tool(std::string_view text)
{
    return ToolId{name(NameKind::Tool, text, {})};
}

KeyId Draft::key(std::string_view text)
{
    return KeyId{name(NameKind::Key, text, {})};
}

EndpointId Draft::endpoint(std::string_view text)
{
    return EndpointId{name(NameKind::Endpoint, text, {})};
}

ModelId Draft::model(std::string_view text)
{
    return ModelId{name(NameKind::Model, text, {})};
}

OperatorId Draft::operatorNamed(std::string_view text)
{
    return OperatorId{name(NameKind::Operator, text, {})};
}

void Draft::refuseAct(std::string_view act, TripId trip, std::string_view by, std::string_view reason, Revision seen,
                      std::string why, AgentId agent)
{
    const auto who = operatorNamed(by);
    emit(agent, {}, 0, ActRefused{std::string(act), trip, who, bounded(reason, kLongestText), why, seen});
    answer(Error{ErrorCode::Refused, std::move(why), std::string(act)});
}

std::optional<Error> checkName(std::string_view field, std::string_view text, bool mayBeEmpty)
{
    if (text.empty() && mayBeEmpty)
        return std::nullopt;
    if (text.empty())
        return Error{ErrorCode::BadInput, "is missing; give a name", std::string(field)};
    if (text.size() > kLongestName)
        return Error{ErrorCode::BadInput, "is longer than " + std::to_string(kLongestName) + " bytes; give a shorter name",
                     std::string(field)};
    if (!isUtf8(text) || text.find('\0') != std::string_view::npos)
        return Error{ErrorCode::BadInput, "is not valid UTF-8 text; send UTF-8 without NUL", std::string(field)};
    return std::nullopt;
}

std::string bounded(std::string_view text, std::size_t most)
{
    std::string out;
    out.reserve(std::min(text.size(), most));
    while (!text.empty()) {
        const auto length = utf8SequenceLength(text);
        const auto piece = length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
        if (out.size() + piece.size() > most)
            break;
        out.append(piece);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

} // namespace handreset::rules

#include "model/store/event_rows.h"

#include <algorithm>
#include <limits>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Event;
using rules::Result;
using rules::Seq;

namespace {

constexpr std::size_t kWorthPacking = 256;           // below, a zstd frame saves nothing
constexpr std::size_t kLargestArguments = 64U << 20; // far above what any door takes
constexpr std::int64_t kPlain = 0;
constexpr std::int64_t kPacked = 1;

Error damaged(std::uint64_t seq, const std::string &what)
{
    return {ErrorCode::Unavailable, "the log is damaged: " + what + "; run verify", "event " + std::to_string(seq)};
}

constexpr std::string_view kColumns
    = "SELECT seq, kind, rule_time, steady_offset, source_time, agent, task, subject, row, "
      "agent_prev, anchor, payload FROM main.event ";

} // namespace

std::int64_t columnOf(Seq seq) noexcept
{
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return seq.value > static_cast<std::uint64_t>(most) ? most : static_cast<std::int64_t>(seq.value);
}

AgentHeads::Head AgentHeads::of(rules::AgentId agent) const
{
    return agent.isSet() && agent.value <= m_heads.size() ? m_heads[agent.value - 1] : Head{};
}

void AgentHeads::set(rules::AgentId agent, Head head)
{
    if (m_heads.size() < agent.value)
        m_heads.resize(agent.value);
    m_heads[agent.value - 1] = head;
}

AgentHeads::Head AgentHeads::advance(rules::AgentId agent, Seq seq)
{
    const Head before = of(agent);
    if (!agent.isSet())
        return {};
    m_before.emplace_back(agent, before);
    set(agent, {seq.value, before.count + 1});
    return before;
}

void AgentHeads::undo()
{
    for (; !m_before.empty(); m_before.pop_back())
        set(m_before.back().first, m_before.back().second);
}

EventRow rowOf(const Event &event, AgentHeads &heads, std::string &payload)
{
    payload.clear();
    rules::encodePayload(payload, event.payload);
    const auto before = heads.advance(event.agent, event.seq);
    EventRow row;
    row.seq = event.seq.value;
    row.kind = event.kind();
    row.ruleTime = event.ruleTime.micros;
    // Unsigned, so that the forged extremes that verify meets wrap instead of trapping.
    row.steadyOffset = static_cast<std::int64_t>(static_cast<std::uint64_t>(event.steady.micros)
                                                 - static_cast<std::uint64_t>(event.ruleTime.micros));
    if (event.sourceTime)
        row.sourceTime = event.sourceTime->micros;
    row.agent = event.agent.value;
    row.task = event.task.value;
    row.subject = rules::subjectOf(event);
    row.row = event.row;
    row.agentPrev = before.last;
    row.anchor = event.agent.isSet() && before.count % kAnchorEvery == 0;
    row.payload = payload;
    return row;
}

Result<Event> eventOf(const EventRow &row)
{
    auto payload = rules::decodePayload(row.kind, row.payload);
    if (!payload)
        return damaged(row.seq, payload.error().message + " (" + payload.error().context + ")");
    Event event;
    event.seq = Seq{row.seq};
    event.ruleTime = {row.ruleTime};
    event.steady = {static_cast<std::int64_t>(static_cast<std::uint64_t>(row.ruleTime)
                                              + static_cast<std::uint64_t>(row.steadyOffset))};
    if (row.sourceTime)
        event.sourceTime = rules::Instant{*row.sourceTime};
    event.agent = rules::AgentId{row.agent};
    event.task = rules::TaskId{row.task};
    event.row = row.row;
    event.payload = std::move(*payload);
    if (rules::subjectOf(event) != row.subject)
        return damaged(row.seq, "its subject is not the payload's");
    return event;
}

Result<void> EventWriter::prepare(Database &database)
{
    auto event = database.prepare(
        "INSERT INTO main.event (seq, kind, rule_time, steady_offset, source_time, agent, task, "
        "subject, row, agent_prev, anchor, payload) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)");
    if (!event)
        return event.error();
    auto argument = database.prepare("INSERT INTO main.argument (seq, form, body) VALUES (?1, ?2, ?3)");
    if (!argument)
        return argument.error();
    m_event = std::move(*event);
    m_argument = std::move(*argument);
    return {};
}

Result<void> EventWriter::write(const EventRow &row, std::string_view arguments)
{
    const auto anchor = row.anchor ? std::optional<std::uint32_t>(row.agent) : std::nullopt;
    auto written = m_event.run(row.seq, row.kind, row.ruleTime, row.steadyOffset, row.sourceTime, row.agent, row.task,
                               row.subject, row.row, row.agentPrev, anchor, Blob{row.payload});
    if (!written || arguments.empty())
        return written;
    if (arguments.size() > kWorthPacking) {
        const auto packed = m_packer.pack(arguments);
        if (!packed)
            return packed.error();
        if (packed->size() < arguments.size())
            return m_argument.run(row.seq, kPacked, Blob{*packed});
    }
    return m_argument.run(row.seq, kPlain, Blob{arguments});
}

Result<EventReader> EventReader::range(Database &database, Seq first, Seq last)
{
    auto statement = database.prepare(std::string(kColumns) + "WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq");
    if (!statement)
        return statement.error();
    EventReader reader;
    reader.m_statement = std::move(*statement);
    reader.m_statement.bind(columnOf(first), columnOf(last));
    return reader;
}

Result<EventReader> EventReader::points(Database &database)
{
    auto statement = database.prepare(std::string(kColumns) + "WHERE seq = ?1");
    if (!statement)
        return statement.error();
    EventReader reader;
    reader.m_statement = std::move(*statement);
    return reader;
}

Result<bool> EventReader::seek(Seq seq)
{
    m_statement.bind(columnOf(seq));
    return m_statement.step();
}

Result<EventRow> EventReader::row() const
{
    const auto &s = m_statement;
    const auto fits
        = [&s](int column, std::int64_t most) { return s.integer(column) >= 0 && s.integer(column) <= most; };
    constexpr std::int64_t most32 = std::numeric_limits<std::uint32_t>::max();
    if (!fits(0, std::numeric_limits<std::int64_t>::max()) || !fits(1, 255) || !fits(5, most32) || !fits(6, most32)
        || !fits(8, 255) || !fits(9, std::numeric_limits<std::int64_t>::max()))
        return damaged(static_cast<std::uint64_t>(s.integer(0)), "a column is out of its range");
    EventRow row;
    row.seq = static_cast<std::uint64_t>(s.integer(0));
    row.kind = static_cast<std::uint8_t>(s.integer(1));
    row.ruleTime = s.integer(2);
    row.steadyOffset = s.integer(3);
    if (!s.isNull(4))
        row.sourceTime = s.integer(4);
    row.agent = static_cast<std::uint32_t>(s.integer(5));
    row.task = static_cast<std::uint32_t>(s.integer(6));
    row.subject = s.integer(7);
    row.row = static_cast<std::uint8_t>(s.integer(8));
    row.agentPrev = static_cast<std::uint64_t>(s.integer(9));
    row.anchor = !s.isNull(10);
    row.payload = s.bytes(11);
    return row;
}

Result<ArgumentReader> ArgumentReader::range(Database &database, Seq first, Seq last)
{
    auto statement
        = database.prepare("SELECT seq, form, body FROM main.argument WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq");
    if (!statement)
        return statement.error();
    ArgumentReader reader;
    reader.m_statement = std::move(*statement);
    reader.m_statement.bind(columnOf(first), columnOf(last));
    return reader;
}

Result<void> ArgumentReader::advance()
{
    const auto row = m_statement.step();
    if (!row)
        return row.error();
    m_ended = !*row;
    m_seq = m_ended ? 0 : static_cast<std::uint64_t>(m_statement.integer(0));
    return {};
}

Result<std::uint64_t> ArgumentReader::leftOver()
{
    if (m_seq == 0 && !m_ended) {
        if (auto moved = advance(); !moved)
            return moved.error();
    }
    return m_seq;
}

Result<std::optional<std::string>> ArgumentReader::take(std::uint64_t seq)
{
    const auto at = leftOver();
    if (!at)
        return at.error();
    if (m_ended || *at != seq)
        return std::optional<std::string>();
    auto text = argumentText(m_packer, m_statement.integer(1), m_statement.bytes(2));
    if (!text)
        return Error{text.error().code, text.error().message, "arguments of event " + std::to_string(seq)};
    if (auto moved = advance(); !moved)
        return moved.error();
    return std::optional<std::string>(std::move(*text));
}

Result<std::string> argumentText(Packer &packer, std::int64_t form, std::string_view body)
{
    if (form == kPlain)
        return std::string(body);
    return packer.unpack(body, kLargestArguments);
}

} // namespace handreset::store

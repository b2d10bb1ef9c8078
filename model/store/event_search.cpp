#include "model/store/event_search.h"

#include "model/store/agent_walk.h"
#include "model/store/schema.h"

#include <algorithm>

namespace handreset::store {

using rules::AgentId;
using rules::Event;
using rules::Result;
using rules::Seq;

namespace {

template <class List>
bool isIn(const List &list, int value)
{
    return std::find(list.begin(), list.end(), value) != list.end();
}

bool hasBit(std::uint64_t bits, std::uint8_t number)
{
    return number < 64 && (bits >> number & 1U) != 0;
}

/// Whether the index holds all that the filter can match.
bool isByEdge(const Store::Filter &filter)
{
    if (hasBit(kEdgeRows, filter.row))
        return true;
    return !filter.kinds.empty() && std::all_of(filter.kinds.begin(), filter.kinds.end(), [](std::uint8_t kind) {
        return hasBit(kEdgeKinds, kind);
    });
}

bool matches(const Store::Filter &filter, const EventRow &row)
{
    return (!filter.agent.isSet() || row.agent == filter.agent.value)
        && (!filter.task.isSet() || row.task == filter.task.value)
        && (filter.subject == 0 || row.subject == filter.subject) && (filter.row == 0 || row.row == filter.row)
        && (filter.kinds.empty() || isIn(filter.kinds, row.kind));
}

/// SQL made of our own words and numbers only.
std::string scanSql(const Store::Filter &filter)
{
    std::string sql = "SELECT seq FROM main.event ";
    if (isByEdge(filter))
        sql += "INDEXED BY event_edge WHERE " + std::string(kEdgeCondition) + " AND ";
    else
        sql += "WHERE ";
    sql += "seq BETWEEN ?1 AND ?2";
    if (filter.agent.isSet())
        sql += " AND agent = " + std::to_string(filter.agent.value);
    if (filter.task.isSet())
        sql += " AND task = " + std::to_string(filter.task.value);
    if (filter.subject != 0)
        sql += " AND subject = " + std::to_string(filter.subject);
    if (filter.row != 0)
        sql += " AND row = " + std::to_string(filter.row);
    for (std::size_t i = 0; i < filter.kinds.size(); ++i)
        sql += (i == 0 ? " AND kind IN (" : ", ") + std::to_string(filter.kinds[i]);
    sql += filter.kinds.empty() ? "" : ")";
    return sql + " ORDER BY seq " + (filter.newestFirst ? "DESC" : "ASC") + " LIMIT ?3";
}

/// Collects what matches until the limit is reached.
class Collector {
public:
    Collector(EventReader reader, const Store::Filter &filter) : m_reader(std::move(reader)), m_filter(filter) {}

    /// False when there are enough.
    [[nodiscard]] Result<bool> take(Seq seq)
    {
        const auto isThere = m_reader.seek(seq);
        if (!isThere)
            return isThere.error();
        if (!*isThere)
            return true;
        const auto row = m_reader.row();
        if (!row)
            return row.error();
        if (matches(m_filter, *row)) {
            auto event = eventOf(*row);
            if (!event)
                return event.error();
            m_events.push_back(std::move(*event));
        }
        return m_events.size() < m_filter.limit;
    }
    [[nodiscard]] std::vector<Event> events() { return std::move(m_events); }

private:
    EventReader m_reader;
    const Store::Filter &m_filter;
    std::vector<Event> m_events;
};

Result<void> scan(Database &database, const Store::Filter &filter, Collector &collector)
{
    auto statement = database.prepare(scanSql(filter));
    if (!statement)
        return statement.error();
    statement->bind(columnOf(filter.first), columnOf(filter.last), columnOf(Seq{filter.limit}));
    for (;;) {
        const auto isThere = statement->step();
        if (!isThere)
            return isThere.error();
        if (!*isThere)
            return {};
        const auto wantsMore = collector.take(Seq{static_cast<std::uint64_t>(statement->integer(0))});
        if (!wantsMore)
            return wantsMore.error();
        if (!*wantsMore)
            return {};
    }
}

/// A task's events are its agent's.
Result<AgentId> agentOfTask(Database &database, rules::TaskId task)
{
    auto statement = database.prepare("SELECT agent FROM main.task WHERE id = ?1");
    if (!statement)
        return statement.error();
    statement->bind(task);
    const auto isThere = statement->step();
    if (!isThere)
        return isThere.error();
    return *isThere ? AgentId{static_cast<std::uint32_t>(statement->integer(0))} : AgentId{};
}

} // namespace

Result<std::vector<Event>> searchEvents(Database &database, const Store::Filter &filter, const AgentHeads &heads)
{
    auto reader = EventReader::points(database);
    if (!reader)
        return reader.error();
    if (filter.limit == 0)
        return std::vector<Event>();
    Collector collector(std::move(*reader), filter);
    auto agent = Result<AgentId>(filter.agent);
    if (!filter.agent.isSet() && filter.task.isSet())
        agent = agentOfTask(database, filter.task);
    if (!agent)
        return agent.error();
    const AgentStretch stretch{*agent, Seq{heads.of(*agent).last}, filter.first, filter.last, filter.newestFirst};
    const auto done = agent->isSet() && !isByEdge(filter)
        ? walkAgent(database, stretch, [&collector](Seq seq) { return collector.take(seq); })
        : scan(database, filter, collector);
    if (!done)
        return done.error();
    return collector.events();
}

Result<std::string> storedArguments(Database &database, Seq seq)
{
    auto reader = ArgumentReader::range(database, seq, seq);
    if (!reader)
        return reader.error();
    auto text = reader->take(seq.value);
    if (!text)
        return text.error();
    return text->value_or(std::string());
}

} // namespace handreset::store

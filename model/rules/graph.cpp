#include "model/rules/graph.h"

#include "model/rules/breaker.h"
#include "model/rules/latch.h"

#include <cstddef>

namespace handreset::rules {

namespace {

/// True when an earlier row without a guard already takes this event in this state, so that `row` never does.
template <class Table, class State, class Event>
bool isTakenEarlier(const Table &table, std::size_t row, State state, Event event)
{
    for (std::size_t i = 0; i < row; ++i) {
        if (table[i].from.has(state) && table[i].events.has(event) && static_cast<int>(table[i].guard) == 0)
            return true;
    }
    return false;
}

/// The words of the events that this row can take in this state, joined by ", "; "any event" for all of them.
template <class Event, class Table, class State>
std::string eventsOf(const Table &table, std::size_t row, State state)
{
    std::string joined;
    std::size_t taken = 0;
    for (std::size_t e = 0; e < Words<Event>::list.size(); ++e) {
        const auto event = static_cast<Event>(e);
        if (!table[row].events.has(event) || isTakenEarlier(table, row, state, event))
            continue;
        ++taken;
        if (!joined.empty())
            joined += ", ";
        joined += toWord(event);
    }
    return taken == Words<Event>::list.size() ? "any event" : joined;
}

/// Every row as one edge per state that it can start in.
template <class State, class Event, class Table>
std::vector<GraphEdge> edgesOf(const Table &table)
{
    std::vector<GraphEdge> edges;
    for (std::size_t r = 0; r < table.size(); ++r) {
        const auto &row = table[r];
        for (std::size_t s = 0; s < Words<State>::list.size(); ++s) {
            const auto state = static_cast<State>(s);
            if (!row.from.has(state))
                continue;
            std::string events = eventsOf<Event>(table, r, state);
            if (events.empty())
                continue;
            edges.push_back({
                .row = row.id,
                .from = static_cast<std::int32_t>(s),
                .to = row.moves ? static_cast<std::int32_t>(row.to) : static_cast<std::int32_t>(s),
                .event = std::move(events),
                .guard = static_cast<int>(row.guard) == 0 ? std::string() : std::string(toWord(row.guard)),
                .answer = std::string(row.answer),
                .changes = std::string(row.changes),
                .authority = row.authority,
            });
        }
    }
    return edges;
}

template <class State>
GraphNode node(State state, std::string meaning)
{
    return {std::string(toWord(state)), std::move(meaning)};
}

} // namespace

std::string GraphEdge::label() const
{
    return guard.empty() ? event : event + " [" + guard + "]";
}

Graph breakerGraph()
{
    return {
        .title = "Tool breaker",
        .nodes = {node(BreakerState::Closed, "calls pass"), node(BreakerState::Open, "calls refused"),
                  node(BreakerState::HalfOpen, "one probe")},
        .edges = edgesOf<BreakerState, BreakerEvent>(kBreakerTable),
    };
}

Graph latchGraph()
{
    return {
        .title = "A trip's latch",
        .nodes = {node(LatchState::Clear, "holds nothing"), node(LatchState::HeldByClock, "ends by itself"),
                  node(LatchState::HeldByHuman, "only a person lifts it")},
        .edges = edgesOf<LatchState, LatchEvent>(kLatchTable),
    };
}

} // namespace handreset::rules

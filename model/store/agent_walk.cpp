#include "model/store/agent_walk.h"

#include <algorithm>
#include <vector>

namespace handreset::store {

using rules::Result;
using rules::Seq;

namespace {

using Each = std::function<Result<bool>(Seq)>;

/// Reads `agent_prev` of one event after the other.
class Steps {
public:
    [[nodiscard]] static Result<Steps> prepare(Database &database)
    {
        auto statement = database.prepare("SELECT agent_prev FROM main.event WHERE seq = ?1");
        if (!statement)
            return statement.error();
        Steps steps;
        steps.m_statement = std::move(*statement);
        return steps;
    }
    [[nodiscard]] Result<Seq> before(Seq seq)
    {
        m_statement.bind(seq);
        const auto row = m_statement.step();
        if (!row)
            return row.error();
        const Seq found{*row ? static_cast<std::uint64_t>(m_statement.integer(0)) : 0};
        m_statement.reset();
        if (found >= seq) // would never end
            return rules::Error{rules::ErrorCode::Unavailable,
                                "the log is damaged: an agent's history runs in a circle; run verify",
                                "event " + std::to_string(seq.value)};
        return found;
    }

private:
    Statement m_statement;
};

/// The agent's first anchor at or after `seq`; its head where there is none.
Result<Seq> anchorFrom(Database &database, const AgentStretch &stretch, Seq seq)
{
    auto statement
        = database.prepare("SELECT seq FROM main.event WHERE anchor = ?1 AND seq >= ?2 ORDER BY seq LIMIT 1");
    if (!statement)
        return statement.error();
    statement->bind(stretch.agent, columnOf(seq));
    const auto row = statement->step();
    if (!row)
        return row.error();
    return *row ? Seq{static_cast<std::uint64_t>(statement->integer(0))} : stretch.head;
}

Result<void> walkBack(Database &database, Steps &steps, const AgentStretch &stretch, const Each &each)
{
    auto at = anchorFrom(database, stretch, stretch.last);
    while (at && at->isSet() && *at >= stretch.first) {
        if (*at <= stretch.last) {
            const auto wantsMore = each(*at);
            if (!wantsMore)
                return wantsMore.error();
            if (!*wantsMore)
                return {};
        }
        at = steps.before(*at);
    }
    return at ? Result<void>() : at.error();
}

/// From anchor to anchor upwards; within each piece back, then turned round.
Result<void> walkForth(Database &database, Steps &steps, const AgentStretch &stretch, const Each &each)
{
    for (Seq done = Seq{stretch.first.value - 1}; done < stretch.last && done < stretch.head;) {
        const auto top = anchorFrom(database, stretch, done.next());
        if (!top)
            return top.error();
        std::vector<Seq> piece;
        auto at = Result<Seq>(*top);
        while (at && *at > done) {
            piece.push_back(*at);
            at = steps.before(*at);
        }
        if (!at)
            return at.error();
        for (auto it = piece.rbegin(); it != piece.rend() && *it <= stretch.last; ++it) {
            const auto wantsMore = each(*it);
            if (!wantsMore)
                return wantsMore.error();
            if (!*wantsMore)
                return {};
        }
        done = *top;
    }
    return {};
}

} // namespace

Result<void> walkAgent(Database &database, const AgentStretch &stretch, const Each &each)
{
    if (!stretch.head.isSet() || stretch.last < stretch.first)
        return {};
    auto steps = Steps::prepare(database);
    if (!steps)
        return steps.error();
    AgentStretch bounded = stretch;
    bounded.first = std::max(stretch.first, Seq{1});
    return stretch.newestFirst ? walkBack(database, *steps, bounded, each) : walkForth(database, *steps, bounded, each);
}

} // namespace handreset::store

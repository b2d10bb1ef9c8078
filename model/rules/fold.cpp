#include "model/rules/fold.h"

#include <algorithm>

namespace handreset::rules::fold {

std::vector<AgentId> agentsOf(const Fleet &fleet, const Trip &trip)
{
    std::vector<AgentId> found;
    switch (trip.reach) {
    case Reach::Task:
    case Reach::Agent:
        if (trip.agent.isSet())
            found.push_back(trip.agent);
        return found;
    case Reach::Endpoint:
        return trip.reached;
    case Reach::Key:
    case Reach::Fleet:
        break;
    }
    for (std::uint32_t id = 1; id <= fleet.agents.size(); ++id) {
        if (fleet.reachesAgent(trip, AgentId{id}))
            found.push_back(AgentId{id});
    }
    return found;
}

void settleAgentRung(Context &context, AgentId id)
{
    auto &fleet = context.fleet;
    Rung worst = Rung::Closed;
    for (const auto &[tripId, trip] : fleet.trips) {
        if (trip.rung > worst && fleet.reachesAgent(trip, id))
            worst = trip.rung;
    }
    auto &agent = context.agent(id);
    if (agent.rung == worst)
        return;
    agent.rung = worst;
    agent.rungSince = context.event.ruleTime;
}

namespace {

void settleTaskRung(Context &context, TaskId root)
{
    Rung worst = Rung::Closed;
    for (const auto &[id, trip] : context.fleet.trips) {
        if (trip.reach == Reach::Task && trip.root == root)
            worst = std::max(worst, trip.rung);
    }
    context.task(root).rung = worst;
}

/// Waiting where the rung is open; a running item whose rung is closed again leaves the queue, and so does a
/// waiting one that only the clock held.
void settleQueue(Context &context, AgentId agentId)
{
    auto &fleet = context.fleet;
    for (auto place = fleet.queue.begin(); place != fleet.queue.end();) {
        auto &[root, item] = *place;
        if (item.agent != agentId) {
            ++place;
            continue;
        }
        const auto rung = fleet.rungOf(agentId, root);
        const bool was = item.waiting;
        if (rung == Rung::Open)
            item.waiting = true;
        else if (item.byClock)
            item.waiting = false;
        const bool leaves = rung == Rung::Closed && !item.waiting;
        if (leaves || was != item.waiting)
            context.touchQueue(root);
        place = leaves ? fleet.queue.erase(place) : std::next(place);
    }
}

} // namespace

void settleRungs(Context &context, const Trip &trip)
{
    if (trip.reach == Reach::Task && trip.root.isSet())
        settleTaskRung(context, trip.root);
    if (trip.reach == Reach::Fleet)
        ++context.fleet.fleetRevision.value;
    for (const auto id : agentsOf(context.fleet, trip)) {
        ++context.agent(id).revision.value;
        settleAgentRung(context, id);
        settleQueue(context, id);
    }
}

void enqueueTasks(Context &context, const Trip &trip)
{
    auto &fleet = context.fleet;
    if (fleet.recorded || trip.rung == Rung::Closed)
        return;
    const bool byClock = trip.latch == LatchState::HeldByClock;
    const auto enqueue = [&](TaskId id) {
        const auto &task = fleet.task(id);
        if (!task.hadAllowedAsk || task.ended)
            return;
        const auto root = fleet.rootOf(id);
        const auto owner = fleet.task(root).agent;
        const auto [place, isNew] = fleet.queue.try_emplace(root, QueueItem{owner, trip.id, trip.firedAt, false, byClock, {}});
        if (!isNew)
            place->second.byClock = place->second.byClock && byClock;
        if (fleet.rungOf(owner, root) == Rung::Open)
            place->second.waiting = true;
        context.touchQueue(root);
    };
    if (trip.reach == Reach::Task) {
        for (const auto id : fleet.agent(trip.agent).liveTasks) {
            if (fleet.rootOf(id) == trip.root)
                enqueue(id);
        }
        return;
    }
    for (const auto agentId : agentsOf(fleet, trip)) {
        for (const auto id : fleet.agent(agentId).liveTasks)
            enqueue(id);
    }
}

void actOnQueue(Context &context, TaskId root, QueueVerb verb, OperatorId by)
{
    auto &queue = context.fleet.queue;
    const auto place = queue.find(root);
    if (place == queue.end())
        return;
    context.touchQueue(root);
    auto &item = place->second;
    switch (verb) {
    case QueueVerb::Take:
        item.owner = by;
        break;
    case QueueVerb::Return:
        item.owner = {};
        break;
    case QueueVerb::Stay:
        break;
    case QueueVerb::Resume:
        item.waiting = false;
        if (context.fleet.rungOf(item.agent, root) == Rung::Closed)
            queue.erase(place);
        break;
    case QueueVerb::Abandon:
        endTask(context, root, "abandoned");
        break;
    }
}

void endTask(Context &context, TaskId id, const std::string &outcome)
{
    auto &task = context.task(id);
    task.ended = true;
    task.outcome = outcome;
    auto &live = context.agent(task.agent).liveTasks;
    std::erase(live, id);
    if (context.fleet.queue.erase(id) > 0)
        context.touchQueue(id);
}

} // namespace handreset::rules::fold

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
    const auto look = [&](const std::set<TripId> &candidates) {
        for (const auto tripId : candidates) {
            const auto &trip = fleet.trips.at(tripId);
            if (trip.rung > worst && fleet.reachesAgent(trip, id))
                worst = trip.rung;
        }
    };
    if (const auto own = fleet.tripsOfAgent.find(id); own != fleet.tripsOfAgent.end())
        look(own->second);
    look(fleet.wideTrips);
    auto &agent = context.agent(id);
    if (agent.rung == worst)
        return;
    agent.rung = worst;
    agent.rungSince = context.event.ruleTime;
}

namespace {

void settleTaskRung(Context &context, TaskId root)
{
    const auto &fleet = context.fleet;
    Rung worst = Rung::Closed;
    if (const auto held = fleet.tripsOfTree.find(root); held != fleet.tripsOfTree.end()) {
        for (const auto id : held->second)
            worst = std::max(worst, fleet.trips.at(id).rung);
    }
    context.task(root).rung = worst;
}

} // namespace

void settleQueue(Context &context, AgentId agentId)
{
    auto &fleet = context.fleet;
    for (const auto id : fleet.agent(agentId).liveTasks) {
        const auto place = fleet.queue.find(id);
        if (place == fleet.queue.end())
            continue;
        auto &item = place->second;
        const auto rung = fleet.rungOf(agentId, id);
        const bool was = item.waiting;
        if (rung == Rung::Open)
            item.waiting = true;
        else if (item.byClock)
            item.waiting = false;
        const bool leaves = rung == Rung::Closed && !item.waiting;
        if (leaves || was != item.waiting)
            context.touchQueue(id);
        if (leaves)
            fleet.queue.erase(place);
    }
}

void settleRungs(Context &context, const Trip &trip)
{
    if (trip.tree().isSet())
        settleTaskRung(context, trip.tree());
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
    const bool byClock = trip.subject.signal == Signal::Spend || trip.subject.signal == Signal::Provider;
    const auto enqueue = [&](TaskId id) {
        const auto &task = fleet.task(id);
        if (!task.hadAllowedAsk || task.ended)
            return;
        // A tree waits as one; a stopped sub-agent's task waits by itself while its parent's goes on.
        const bool whole = trip.tree().isSet() || fleet.task(fleet.rootOf(id)).agent == task.agent;
        const auto held = whole ? fleet.rootOf(id) : id;
        const auto owner = fleet.task(held).agent;
        const auto [place, isNew] = fleet.queue.try_emplace(held, QueueItem{owner, trip.id, trip.firedAt, false, byClock, {}});
        if (!isNew)
            place->second.byClock = place->second.byClock && byClock;
        if (fleet.rungOf(owner, held) == Rung::Open)
            place->second.waiting = true;
        context.touchQueue(held);
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
    case QueueVerb::Resume: {
        const auto rung = context.fleet.rungOf(item.agent, root);
        item.waiting = rung == Rung::Open; // another trip may hold it still
        if (rung == Rung::Closed)
            queue.erase(place);
        break;
    }
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
    auto &fleet = context.fleet;
    if (const auto asks = fleet.clientAsks.find(task.agent); asks != fleet.clientAsks.end()) {
        std::erase_if(asks->second, [&](const auto &entry) { // those whose result may still come stay until then
            return entry.second.task == id && !fleet.pending.contains(entry.second.ask);
        });
        if (asks->second.empty())
            fleet.clientAsks.erase(asks);
    }
}

} // namespace handreset::rules::fold

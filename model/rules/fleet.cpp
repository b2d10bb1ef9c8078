#include "model/rules/fleet.h"

#include "model/rules/codec.h"
#include "model/rules/policy_text.h"

#include <algorithm>

namespace handreset::rules {

Fleet::Fleet()
    : policy(std::make_shared<const Policy>(builtInPolicy()))
{
    rebuildPolicyIndex();
}

const Agent &Fleet::agent(AgentId id) const
{
    static const Agent none;
    return id.isSet() && id.value <= agents.size() ? agents[id.value - 1] : none;
}

const Task &Fleet::task(TaskId id) const
{
    static const Task none;
    return id.isSet() && id.value <= tasks.size() ? tasks[id.value - 1] : none;
}

const Breaker &Fleet::breaker(BreakerKey key) const
{
    static const Breaker fresh;
    const auto found = breakers.find(key);
    return found != breakers.end() ? found->second.breaker : fresh;
}

const Trip *Fleet::trip(TripId id) const
{
    const auto active = trips.find(id);
    if (active != trips.end())
        return &active->second;
    const auto ended = std::find_if(endedTrips.rbegin(), endedTrips.rend(), [id](const Trip &t) { return t.id == id; });
    return ended != endedTrips.rend() ? &*ended : nullptr;
}

const Trip *Fleet::activeTrip(const TripSubject &subject) const
{
    const auto found = activeBySubject.find(subject);
    return found != activeBySubject.end() ? &trips.at(found->second) : nullptr;
}

Rung Fleet::rungOf(AgentId agentId, TaskId taskId) const
{
    return std::max(agent(agentId).rung, task(rootOf(taskId)).rung);
}

bool Fleet::reachesAgent(const Trip &trip, AgentId id) const
{
    switch (trip.reach) {
    case Reach::Task:
        return false;
    case Reach::Agent:
        return trip.agent == id;
    case Reach::Key:
        return trip.subject.key == agent(id).key;
    case Reach::Endpoint:
        return std::find(trip.reached.begin(), trip.reached.end(), id) != trip.reached.end();
    case Reach::Fleet:
        return true;
    }
    return true;
}

std::string_view Fleet::reasonNotToCopy(const Trip &trip) const
{
    if (!trip.agent.isSet())
        return {};
    const auto &record = agent(trip.agent);
    const bool stood = record.rearms.empty() || trip.lastFiredAt < record.rearms.back().at;
    return stood ? std::string_view() : record.lastReason;
}

Revision Fleet::revisionOf(const Trip &trip) const
{
    return trip.agent.isSet() ? agent(trip.agent).revision : fleetRevision;
}

const Operator *Fleet::activeOperator(OperatorId id) const
{
    const auto found = operators.find(id);
    return found != operators.end() && found->second.isActive() ? &found->second : nullptr;
}

std::size_t Fleet::approvers() const
{
    return static_cast<std::size_t>(std::count_if(operators.begin(), operators.end(), [](const auto &entry) {
        return entry.second.isActive() && entry.second.role == Role::Approver;
    }));
}

const AgentPolicy &Fleet::agentPolicy(AgentId id) const
{
    return id.isSet() && id.value <= agentPolicies.size() ? *agentPolicies[id.value - 1] : policy->defaults;
}

const CompiledTool &Fleet::tool(AgentId agentId, ToolId toolId) const
{
    if (!agentTools.empty()) {
        const auto own = agentTools.find({agentId, toolId});
        if (own != agentTools.end())
            return *own->second;
    }
    return toolId.isSet() && toolId.value <= tools.size() ? *tools[toolId.value - 1] : *undeclaredTool;
}

const KeyPolicy &Fleet::keyPolicy(KeyId id) const
{
    return id.isSet() && id.value <= keyPolicies.size() ? *keyPolicies[id.value - 1] : policy->defaultKey;
}

BreakerKey Fleet::breakerKeyOf(AgentId agentId, ToolId toolId) const
{
    const bool own = toolPolicy(agentId, toolId).breaker.scope == BreakerScope::Agent;
    return {toolId, own ? agentId : AgentId{}};
}

void Fleet::indexTrip(const Trip &trip)
{
    activeBySubject.emplace(trip.subject, trip.id);
    if (trip.latch == LatchState::HeldByClock)
        clockTrips.insert(trip.id);
    if (trip.reach == Reach::Task || trip.reach == Reach::Agent)
        tripsOfAgent[trip.agent].insert(trip.id);
    else
        wideTrips.insert(trip.id);
    if (trip.tree().isSet())
        tripsOfTree[trip.tree()].insert(trip.id);
}

void Fleet::forgetTrip(const Trip &trip)
{
    const auto drop = [&trip](auto &index, auto key) {
        const auto place = index.find(key);
        if (place == index.end())
            return;
        place->second.erase(trip.id);
        if (place->second.empty())
            index.erase(place);
    };
    activeBySubject.erase(trip.subject);
    clockTrips.erase(trip.id);
    wideTrips.erase(trip.id);
    drop(tripsOfAgent, trip.agent);
    drop(tripsOfTree, trip.tree());
}

bool Fleet::hasTrips(AgentId id) const
{
    return tripsOfAgent.contains(id)
        || std::any_of(wideTrips.begin(), wideTrips.end(), [this, id](TripId t) { return trips.at(t).agent == id; });
}

void Fleet::indexName(NameKind kind, std::uint32_t id)
{
    const auto &text = names.text(kind, id);
    if (kind == NameKind::Agent) {
        agentPolicies.push_back(std::make_shared<const AgentPolicy>(policy->forAgent(text)));
    } else if (kind == NameKind::Key) {
        keyPolicies.push_back(&policy->forKey(text));
    } else if (kind == NameKind::Tool) {
        const auto declared = policy->tools.find(text);
        tools.push_back(declared != policy->tools.end() ? std::make_shared<const CompiledTool>(declared->second)
                                                        : undeclaredTool);
    }
    if (kind != NameKind::Agent && kind != NameKind::Tool)
        return;
    for (const auto &[pair, own] : policy->agentTools) {
        const AgentId agentId{names.find(NameKind::Agent, pair.first)};
        const ToolId toolId{names.find(NameKind::Tool, pair.second)};
        if (agentId.isSet() && toolId.isSet() && !agentTools.contains({agentId, toolId}))
            agentTools.emplace(std::pair{agentId, toolId}, std::make_shared<const CompiledTool>(own));
    }
}

void Fleet::rebuildPolicyIndex()
{
    undeclaredTool = std::make_shared<const CompiledTool>(policy->defaultTool);
    agentPolicies.clear();
    tools.clear();
    agentTools.clear();
    keyPolicies.clear();
    for (const auto kind : {NameKind::Agent, NameKind::Key, NameKind::Tool}) {
        for (std::uint32_t id = 1; id <= names.count(kind); ++id)
            indexName(kind, id);
    }
}

Result<void> Fleet::rebuildDerived()
{
    if (policyVersion > 0) {
        auto reading = readPolicy(policyText, policyFile);
        if (!reading.accepted())
            return Error{ErrorCode::Unavailable,
                         "the policy in force cannot be read by this version; use the version that applied it", policyFile};
        policy = std::make_shared<const Policy>(std::move(*reading.policy));
    }
    names.rebuildIndex();
    rebuildPolicyIndex();
    activeBySubject.clear();
    clockTrips.clear();
    wideTrips.clear();
    tripsOfAgent.clear();
    tripsOfTree.clear();
    for (const auto &[id, trip] : trips)
        indexTrip(trip);
    uncharged.clear();
    for (const auto &[id, ask] : pending) {
        if (!ask.tool.isSet() && !ask.charged)
            uncharged.insert(id);
    }
    probesOut.clear();
    for (const auto &[key, record] : breakers) {
        if (record.breaker.probe.isSet())
            probesOut.insert(key);
    }
    return {};
}

std::string encodeFleet(const Fleet &fleet)
{
    return encodeCbor(fleet);
}

Result<Fleet> decodeFleet(std::string_view bytes)
{
    auto fleet = decodeCbor<Fleet>(bytes);
    if (!fleet)
        return fleet.error();
    if (auto derived = fleet->rebuildDerived(); !derived)
        return derived.error();
    return fleet;
}

} // namespace handreset::rules

#include "model/rules/repeat.h"

#include <algorithm>

namespace handreset::rules {

namespace {

const ClientAsk *earlierAsk(const Fleet &fleet, AgentId agent, const std::string &id)
{
    const auto ofAgent = fleet.clientAsks.find(agent);
    if (ofAgent == fleet.clientAsks.end())
        return nullptr;
    const auto found = ofAgent->second.find(id);
    return found != ofAgent->second.end() ? &found->second : nullptr;
}

/// The trip that this very ask made fire, where it is still active.
TripId tripOfAsk(const Fleet &fleet, AgentId agent, AskId ask)
{
    const auto trips = fleet.tripsOfAgent.find(agent);
    if (trips == fleet.tripsOfAgent.end())
        return {};
    const auto found = std::find_if(trips->second.begin(), trips->second.end(),
                                    [&](TripId id) { return fleet.trips.at(id).ask == ask; });
    return found != trips->second.end() ? *found : TripId{};
}

Error conflict(std::string why)
{
    return {ErrorCode::Conflict, std::move(why), "id"};
}

} // namespace

bool answeredAsRepeat(Draft &draft, const std::string &agentName, const std::string &taskName,
                      const std::optional<ClientStamp> &client, bool isWrite, const JudgeAgain &judge)
{
    if (!client)
        return false;
    const auto &fleet = draft.fleet();
    const AgentId agent{fleet.names.find(NameKind::Agent, agentName)};
    const auto *found = agent.isSet() ? earlierAsk(fleet, agent, client->id) : nullptr;
    if (found == nullptr)
        return false;
    const auto earlier = *found;
    const Place place{agent, earlier.task, fleet.rootOf(earlier.task), {}, fleet.task(earlier.task).session};
    if (earlier.body != client->body || fleet.names(earlier.task) != taskName) {
        draft.answer(conflict("was given to another ask of this agent, whose task has not ended"));
        return true;
    }
    if (earlier.refused) {
        draft.answer(denied(draft, place, earlier.ask, *earlier.refused, tripOfAsk(fleet, agent, earlier.ask)));
        return true;
    }
    const auto pending = fleet.pending.find(earlier.ask);
    if (pending == fleet.pending.end()) {
        draft.answer(conflict("is of an ask whose result is already in"));
        return true;
    }
    const auto waiting = pending->second;
    auto refusal = refusedByRung(draft, place, isWrite);
    if (!refusal)
        refusal = judge(place, earlier.ask, waiting);
    if (refusal) {
        draft.emit(agent, earlier.task, 0, AskRefusedAgain{earlier.ask, client->id, *refusal});
        if (waiting.tool.isSet()) // it leaves nobody's hands any more: its probe is free, and no result of it counts
            decide(draft,
                   FinishCall{earlier.ask, agentName, CallOutcome::Neutral, "refused when it came again", {}, {}});
        draft.answer(denied(draft, place, earlier.ask, *refusal, {}));
        return true;
    }
    auto decision = allowed(draft, place, earlier.ask);
    const BreakerKey key{waiting.tool, waiting.ownBreaker ? agent : AgentId{}};
    decision.probe = waiting.probe && fleet.breaker(key).probe == earlier.ask;
    draft.answer(std::move(decision));
    return true;
}

} // namespace handreset::rules

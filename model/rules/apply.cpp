// Every event's way into the fleet: checks first, so that a damaged log changes nothing.
#include "model/rules/authority.h"
#include "model/rules/fold.h"

#include <algorithm>
#include <variant>

namespace handreset::rules {

namespace {

using fold::Context;
using fold::malformed;

Result<void> applyOne(Context &context, const StoreCreated &created)
{
    auto &fleet = context.fleet;
    if (context.event.seq != Seq{1})
        return malformed(context.event, "a store is created by its first event only");
    fleet.storeId = created.storeId;
    fleet.name = created.fleet;
    fleet.recorded = created.recorded;
    fleet.isUnsigned = created.isUnsigned;
    fleet.wallOverSteady = Duration{context.event.ruleTime.micros - context.event.steady.micros};
    return {};
}

Result<void> applyOne(Context &context, const HostStarted &started)
{
    if (context.fleet.bootId.empty()) // the first host: since the store was made no time was counted that could jump
        context.fleet.wallOverSteady = Duration{context.event.ruleTime.micros - context.event.steady.micros};
    context.fleet.bootId = started.bootId;
    context.fleet.bootMicros = started.bootMicros;
    context.fleet.bootSteady = context.event.steady;
    context.fleet.gateHosted = context.fleet.gateHosted || started.kind == HostKind::Gate;
    return {};
}

Result<void> applyOne(Context &context, const Named &named)
{
    return fold::applyNamed(context, named);
}

Result<void> applyOne(Context &context, const PolicyApplied &applied)
{
    return fold::applyPolicy(context, applied);
}

Result<void> applyOne(Context &context, const StepAsked &asked)
{
    return fold::applyAsk(context, asked);
}

Result<void> applyOne(Context &context, const CallAsked &asked)
{
    return fold::applyAsk(context, asked);
}

Result<void> applyOne(Context &context, const AskRefusedAgain &refused)
{
    return fold::applyAsk(context, refused);
}

Result<void> applyOne(Context &context, const StepFinished &finished)
{
    return fold::applyResult(context, finished);
}

Result<void> applyOne(Context &context, const CallFinished &finished)
{
    return fold::applyResult(context, finished);
}

Result<void> applyOne(Context &context, const ResultMissing &missing)
{
    return fold::applyResult(context, missing);
}

Result<void> applyOne(Context &context, const RefusalsCounted &counted)
{
    if (!context.event.agent.isSet())
        return malformed(context.event, "refusals of no agent");
    auto &agent = context.agent(context.event.agent);
    agent.refused += counted.count;
    agent.lastSeen = std::max(agent.lastSeen, counted.second); // it still asks, though nothing goes
    if (context.event.task.isSet())
        context.task(context.event.task).refused += counted.count;
    return {};
}

template <class TripEvent>
    requires requires(Context &c, const TripEvent &e) { fold::applyTrip(c, e); }
Result<void> applyOne(Context &context, const TripEvent &event)
{
    return fold::applyTrip(context, event);
}

template <class ActEvent>
requires requires(Context &c, const ActEvent &e)
{
    fold::applyAct(c, e);
}
Result<void> applyOne(Context &context, const ActEvent &event)
{
    return fold::applyAct(context, event);
}

Result<void> applyOne(Context &, const WatchNoted &)
{
    return {};
}

Result<void> applyOne(Context &context, const Granted &granted)
{
    if (auto raised = fold::applyGrant(context, granted.subject, granted.grant); !raised)
        return raised;
    for (std::uint32_t id = 1; id <= context.fleet.agents.size(); ++id) {
        const auto &agent = context.fleet.agents[id - 1];
        if (AgentId{id} == context.event.agent || (granted.subject.key.isSet() && agent.key == granted.subject.key))
            ++context.agent(AgentId{id}).revision.value;
    }
    return {};
}

Result<void> applyOne(Context &context, const BreakerMoved &moved)
{
    const auto *row = rowOfId(kBreakerTable, context.event.row);
    if (row == nullptr || !moved.breaker.tool.isSet())
        return malformed(context.event, "a breaker moved by no row");
    if (!fold::isTaken(context.fleet, moved.breaker, *row, moved.event))
        return malformed(context.event, "a breaker moved by a row that is not its event's");
    auto &record = context.fleet.breakers[moved.breaker];
    applyBreaker(record.breaker, *row, {context.now(), moved.probe, moved.by, moved.reason, 0});
    if (record.breaker.probe.isSet())
        context.fleet.probesOut.insert(moved.breaker);
    else
        context.fleet.probesOut.erase(moved.breaker);
    context.touch(moved.breaker);
    return {};
}

Result<void> applyOne(Context &context, const QueueActed &acted)
{
    const auto root = context.event.task;
    if (!context.fleet.queue.contains(root))
        return malformed(context.event, "an act on a task that is not in the queue");
    const auto agentId = context.fleet.queue.at(root).agent;
    fold::actOnQueue(context, root, acted.verb, acted.by);
    ++context.agent(agentId).revision.value;
    return {};
}

Result<void> applyOne(Context &context, const TaskNoted &noted)
{
    if (!context.event.task.isSet())
        return malformed(context.event, "a note of no task");
    context.task(context.event.task).note = noted.text;
    const auto root = context.fleet.rootOf(context.event.task);
    if (context.fleet.queue.contains(root))
        context.touchQueue(root);
    return {};
}

Result<void> applyOne(Context &, const TaskLabelled &)
{
    return {};
}

Result<void> applyOne(Context &context, const TaskEnded &ended)
{
    if (!context.event.task.isSet())
        return malformed(context.event, "the end of no task");
    const auto id = context.event.task;
    fold::endTask(context, id, ended.outcome);
    context.task(id).lastAt = context.event.ruleTime;
    if (context.fleet.recorded)
        std::erase_if(context.fleet.pending, [id](const auto &entry) { return entry.second.task == id; });
    return {};
}

Result<void> applyOne(Context &context, const ClockJumped &jumped)
{
    context.fleet.wallOverSteady = context.fleet.wallOverSteady + jumped.by;
    if (jumped.by > Duration{})
        context.fleet.clockTrusted = false;
    return {};
}

Result<void> applyOne(Context &context, const ClockConfirmed &)
{
    context.fleet.clockTrusted = true;
    return {};
}

Result<void> applyOne(Context &, const ActRefused &)
{
    return {};
}

Result<void> applyOne(Context &context, const StoreTrusted &trusted)
{
    if (trusted.act == kAcceptStore) { // two copies that were accepted part here: no act for one is good at the other
        Sha256 hash;
        hash.addSized(context.fleet.signedAs());
        hash.addSized(std::to_string(context.event.seq.value) + ' ' + std::to_string(context.event.ruleTime.micros));
        hash.addSized(trusted.reason);
        context.fleet.branch = toHex(hash.finish()).substr(0, 16);
    }
    return {};
}

} // namespace

Result<void> apply(Fleet &fleet, const Event &event, Touched *touched)
{
    if (event.seq != fleet.seq.next())
        return malformed(event, "it does not follow event " + std::to_string(fleet.seq.value));
    if (event.agent.value > fleet.agents.size() || event.task.value > fleet.tasks.size())
        return malformed(event, "it is about a name that no event has named");
    if (auto fault = faultOfLicence(fleet, event); !fault.empty())
        return malformed(event, fault);
    Context context{fleet, event, touched};
    auto done = std::visit([&context](const auto &payload) { return applyOne(context, payload); }, event.payload);
    if (!done)
        return done;
    fleet.seq = event.seq;
    fleet.ruleTime = event.ruleTime;
    fleet.steady = event.steady;
    return {};
}

} // namespace handreset::rules

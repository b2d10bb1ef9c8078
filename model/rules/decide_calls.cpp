// What an ask for a tool call is answered (spec 3.3, Order): rung, undeclared, envelope, repetition, breaker. The
// first that refuses answers; every signal that fired is recorded.
#include "model/rules/ask_place.h"
#include "model/rules/repeat.h"

#include <algorithm>

namespace handreset::rules {

namespace {

/// A call refused for repetition or envelope stays refused while its trip is active, whatever the rung (spec 3.2).
const Trip *stillRefused(const Fleet &fleet, const Place &place, ToolId tool, const Digest &identity, bool hasPass)
{
    const auto holds = [&identity](const Trip &trip) {
        return std::find(trip.refusedCalls.begin(), trip.refusedCalls.end(), identity) != trip.refusedCalls.end();
    };
    if (const auto tree = fleet.tripsOfTree.find(place.root); tree != fleet.tripsOfTree.end()) {
        for (const auto id : tree->second) {
            const auto &trip = fleet.trips.at(id);
            if (trip.subject.signal == Signal::Repetition && holds(trip))
                return &trip;
        }
    }
    if (const auto own = fleet.tripsOfAgent.find(place.agent); !hasPass && own != fleet.tripsOfAgent.end()) {
        for (const auto id : own->second) {
            const auto &trip = fleet.trips.at(id);
            const bool isCap = trip.subject.signal == Signal::Envelope && trip.subject.tool == tool
                && (!trip.subject.root.isSet() || trip.subject.root == place.root);
            if (isCap && holds(trip))
                return &trip;
        }
    }
    return nullptr;
}

/// Tool and arguments byte by byte: what a pass is for.
Digest exactly(const AskCall &command)
{
    Sha256 hash;
    hash.addSized(command.tool);
    hash.addSized(command.arguments);
    return hash.finish();
}

/// The pass for exactly this call; none: not set (spec 3.4).
Seq passFor(const Fleet &fleet, const Place &place, ToolId tool, const AskCall &command, Now now)
{
    for (const auto &[seq, pass] : fleet.passes) {
        if (pass.agent == place.agent && pass.task == place.task && pass.tool == tool && !pass.isOver(now)
            && pass.exact == exactly(command))
            return seq;
    }
    return {};
}

RefusalSource sourceOf(Signal signal)
{
    return signal == Signal::Repetition ? RefusalSource::Repetition : RefusalSource::Envelope;
}

Refusal refusedByBreaker(const Fleet &fleet, BreakerKey key, const BreakerPolicy &policy, Steady now)
{
    const auto &breaker = fleet.breaker(key);
    Refusal refusal;
    refusal.source = RefusalSource::Breaker;
    refusal.breaker = key.tool;
    refusal.text = "breaker " + bounded(fleet.names(key.tool), 200) + ' ' + std::string(meaningOf(breaker, policy, now));
    if (const auto ends = whatEndsIt(breaker, policy, now); !ends.empty())
        refusal.text += ": " + ends;
    refusal.retry = RetryKind::AfterHuman;
    if (breaker.isolation || (policy.probe == ProbeBy::Operator && breaker.state == BreakerState::Open))
        return refusal;
    if (breaker.state == BreakerState::HalfOpen) {
        refusal.retry = RetryKind::AfterSeconds;
        refusal.retryAfter = std::max<std::int64_t>(1, (probeLeaseEnd(breaker, policy).value_or(now) - now).micros / 1'000'000);
    } else if (policy.cooldownSeconds && now - breaker.openedAt < seconds(*policy.cooldownSeconds)) {
        refusal.retry = RetryKind::AfterSeconds;
        const auto left = seconds(*policy.cooldownSeconds) - (now - breaker.openedAt);
        refusal.retryAfter = std::max<std::int64_t>(1, (left.micros + 999'999) / 1'000'000);
    } else {
        refusal.retry = RetryKind::AfterCalls;
        refusal.retryAfter = std::max<std::int64_t>(1, policy.cooldownCalls.value_or(1) - breaker.rejectedWhileOpen);
    }
    return refusal;
}

/// The arguments to keep, or where they are kept already.
std::string keepArguments(const Fleet &fleet, const CompiledTool &tool, const CallReading &reading,
                          const RowOfCalls &row, CallAsked &asked)
{
    static_cast<void>(fleet);
    const bool repeats = !row.last.empty() && row.last.front() == reading.identity && row.argumentsAt.isSet()
        && tool.policy().repetitionIgnore.empty();
    if (repeats) {
        asked.form = ArgumentsForm::SameAsEarlier;
        asked.sameAs = row.argumentsAt;
        return {};
    }
    asked.form = reading.canonical.isJson ? ArgumentsForm::Canonical : ArgumentsForm::Raw;
    return tool.keep(reading, kLongestArguments);
}

/// Value and destination under the caps that are in force now; nothing is counted, and nothing trips.
std::optional<Refusal> refusedByCaps(const Fleet &fleet, const Place &place, ToolId toolId, const AskCall &command)
{
    const auto &tool = fleet.tool(place.agent, toolId);
    if (!tool.policy().hasCap())
        return std::nullopt;
    CallReading reading;
    tool.read(command.tool, command.arguments, reading);
    Judgement judgement;
    judgeEnvelope(tool, reading, Volume{}, fleet.agentPolicy(place.agent).envelope, judgement);
    const FiringContext context{.agent = place.agent,
                                .task = place.task,
                                .root = place.root,
                                .tool = toolId,
                                .destination = reading.destination};
    for (const auto &firing : judgement.fired) {
        if (firing.cap == Cap::Value || firing.cap == Cap::Destination)
            return refusalOf(fleet, RefusalSource::Envelope, firing, context);
    }
    return std::nullopt;
}

/// What refuses a call that was allowed before, and counted then: policy, trips that name it, and its breaker.
std::optional<Refusal> refusedByNow(const Draft &draft, const Place &place, AskId ask, const PendingAsk &pending,
                                    const AskCall &command)
{
    const auto &fleet = draft.fleet();
    const auto &policy = fleet.toolPolicy(place.agent, pending.tool);
    if (!policy.declared && fleet.policy->undeclared == Undeclared::Refuse)
        return Refusal{RefusalSource::Undeclared, {}, {}, RetryKind::Never, 0, "the policy does not declare this tool"};
    if (const auto *trip = stillRefused(fleet, place, pending.tool, pending.identity, pending.byPass))
        return Refusal{sourceOf(trip->subject.signal), trip->id, {}, RetryKind::AfterHuman, 0,
                       "this call stays refused while its trip is active"};
    if (auto refusal = pending.byPass ? std::nullopt : refusedByCaps(fleet, place, pending.tool, command))
        return refusal;
    for (const auto key : {BreakerKey{pending.tool, {}}, BreakerKey{pending.tool, place.agent}}) {
        const auto &breaker = fleet.breaker(key);
        const bool isOwn = key.agent.isSet() == pending.ownBreaker;
        const bool isItsProbe = breaker.state == BreakerState::HalfOpen && breaker.probe == ask;
        if (breaker.isolation || (isOwn && breaker.state != BreakerState::Closed && !isItsProbe))
            return refusedByBreaker(fleet, key, policy.breaker, draft.time().steady);
    }
    return std::nullopt;
}

} // namespace

void decide(Draft &draft, const AskCall &command)
{
    if (auto wrong = checkName("tool", command.tool))
        return draft.answer(*wrong);
    if (auto wrong = checkPlace(command.agent, command.task, command.session, command.parent))
        return draft.answer(*wrong);
    const bool isWrite = [&] {
        const auto &known = draft.fleet();
        const AgentId agent{known.names.find(NameKind::Agent, command.agent)};
        const ToolId named{known.names.find(NameKind::Tool, command.tool)};
        return !agent.isSet() || !named.isSet() || known.toolPolicy(agent, named).access == Access::Write;
    }();
    if (answeredAsRepeat(draft, command.agent, command.task, command.client, isWrite,
                         [&](const Place &place, AskId ask, const PendingAsk &pending) {
                             return refusedByNow(draft, place, ask, pending, command);
                         }))
        return;
    if (!draft.observes() && refusedBeforeNaming(draft, command.agent, command.task))
        return;
    auto resolved = resolvePlace(draft, command.agent, command.task, command.session, command.parent);
    if (!resolved)
        return draft.answer(resolved.error());
    const auto place = *resolved;
    const auto &fleet = draft.fleet();
    const auto toolId = draft.tool(command.tool);
    const auto &tool = fleet.tool(place.agent, toolId);
    const auto &policy = tool.policy();
    if (!draft.observes()) {
        if (auto refusal = refusedByRung(draft, place, policy.access == Access::Write))
            return denyUncounted(draft, place, toolId, std::move(*refusal));
    }

    static thread_local CallReading reading; // its buffers are used again: an ask allocates little
    tool.read(command.tool, command.arguments, reading);
    const auto &row = fleet.counters.root(place.root).row;
    FiringContext context{.agent = place.agent, .task = place.task, .root = place.root, .session = place.session,
                          .key = fleet.agent(place.agent).key, .tool = toolId, .refusedCall = reading.identity,
                          .destination = reading.destination};
    CallAsked asked;
    asked.parent = place.parent;
    asked.session = place.session;
    asked.tool = toolId;
    asked.identity = reading.identity;
    asked.access = policy.access;
    asked.timeMeasured = draft.moment().timeMeasured;
    asked.client = command.client;
    asked.evaluated = true;
    asked.volume = policy.volume.has_value();
    if (asked.volume || !tool.hidesValue()) // a redacted amount is kept only where a volume has to sum it
        asked.value = reading.value;
    asked.volumeHours = policy.volume && policy.volume->window ? policy.volume->window->hours : 0;

    Judgement judgement;
    if (policy.hasCap()) {
        const auto volume = policy.volume ? volumeAt(fleet.counters, *policy.volume, place.agent, place.root, toolId,
                                                     draft.windowTime(), fleet.calendar())
                                          : Volume{};
        judgeEnvelope(tool, reading, volume, fleet.agentPolicy(place.agent).envelope, judgement);
    }
    const auto pass = draft.observes() ? Seq{} : passFor(fleet, place, toolId, command, draft.time());
    if (pass.isSet())
        judgement.clear(); // nothing but the envelope has been judged yet
    judgeRepetition(row, reading.identity, fleet.agentPolicy(fleet.task(place.root).agent).repetition, policy, judgement);

    std::optional<Refusal> refusal;
    std::uint8_t rowId = 0;
    if (!draft.observes()) {
        if (!policy.declared && fleet.policy->undeclared == Undeclared::Refuse)
            refusal = Refusal{RefusalSource::Undeclared, {}, {}, RetryKind::Never, 0, "the policy does not declare this tool"};
        for (const auto &firing : judgement.fired)
            refuse(refusal, refusalOf(fleet, sourceOf(firing.signal), firing, context));
        if (!refusal) {
            if (const auto *trip = stillRefused(fleet, place, toolId, reading.identity, pass.isSet())) {
                refusal = Refusal{sourceOf(trip->subject.signal), trip->id, {}, RetryKind::AfterHuman, 0,
                                  "this call stays refused while its trip is active"};
            }
        }
        const auto key = fleet.breakerKeyOf(place.agent, toolId);
        asked.ownBreaker = key.agent.isSet();
        asked.cooldownCalls = policy.breaker.cooldownCalls.value_or(0);
        if (!refusal && key.agent.isSet() && fleet.breaker({toolId, {}}).isolation) {
            refusal = refusedByBreaker(fleet, {toolId, {}}, policy.breaker, draft.time().steady);
            asked.evaluated = false; // the tool is isolated for everyone, whoever's breaker it is
        }
        if (!refusal) { // all or nothing: the breaker is asked only when everything else has said yes
            const auto now = draft.time().steady;
            const auto &decided = decideBreaker(fleet.breaker(key), {BreakerEvent::Ask, AskId{draft.next().value}, 0},
                                                policy.breaker, now);
            rowId = decided.id;
            asked.probe = decided.effect == BreakerEffect::TakeProbe;
            asked.generation = fleet.breaker(key).generation + (decided.moves && decided.to != fleet.breaker(key).state ? 1 : 0);
            if (decided.answer == "reject") {
                refusal = refusedByBreaker(fleet, key, policy.breaker, now);
                asked.evaluated = false; // neither extends nor breaks the row
            }
        }
    }
    asked.answer = refusal ? Answer::Deny : Answer::Allow;
    if (!refusal) {
        asked.pass = pass;
    } else if (refusal->source == RefusalSource::Envelope) {
        asked.exact = exactly(command);
        asked.shown = tool.keep(reading, kLongestEvidence);
    }
    asked.refusal = refusal.value_or(Refusal{});
    if (!judgement.fired.empty())
        context.arguments = tool.keep(reading, kLongestEvidence);
    auto arguments = keepArguments(fleet, tool, reading, row, asked);
    context.ask = AskId{draft.emit(place.agent, place.task, rowId, std::move(asked), std::move(arguments)).value};
    TripId firstTrip;
    for (const auto &firing : judgement.fired) {
        const auto trip = fire(draft, firing, context);
        firstTrip = firstTrip.isSet() ? firstTrip : trip;
    }
    if (!refusal)
        noteWatched(draft, judgement.watched, context);
    auto decision = refusal ? denied(draft, place, context.ask, *refusal, firstTrip) : allowed(draft, place, context.ask);
    decision.probe = !refusal && fleet.pending.contains(context.ask) && fleet.pending.at(context.ask).probe;
    draft.answer(std::move(decision));
}

} // namespace handreset::rules

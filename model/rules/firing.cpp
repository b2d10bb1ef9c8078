// From a signal that fired to its trip: subject, evidence, latch, reach, incident, flapping, escalation.
#include "model/rules/canonical.h"
#include "model/rules/draft.h"

#include <algorithm>

namespace handreset::rules {

namespace {

std::string number(Decimal value)
{
    return value.toString();
}

std::string plural(Decimal count, std::string_view one, std::string_view many)
{
    return number(count) + ' ' + std::string(count == Decimal(1) ? one : many);
}

std::string windowWords(std::int32_t hoursOfWindow)
{
    return WindowKind{hoursOfWindow}.toString();
}

Evidence evidenceOf(const Fleet &fleet, const Firing &firing, const FiringContext &context)
{
    Evidence evidence;
    evidence.tool = context.tool;
    evidence.arguments = context.arguments;
    evidence.destination = bounded(context.destination, 512);
    evidence.detail = bounded(firing.why, 512);
    evidence.stepsUsed = fleet.counters.root(context.root).steps;
    switch (firing.signal) {
    case Signal::Steps: {
        const auto per = firing.cap == Cap::PerSession ? " a session"
            : firing.cap == Cap::PerAgent              ? " in " + windowWords(firing.windowHours)
                                                       : std::string(" a task");
        evidence.measured = "step " + number(firing.measured);
        evidence.limit = plural(firing.limit, "step", "steps") + per;
        break;
    }
    case Signal::Repetition:
        evidence.measured = firing.period == 1
            ? number(firing.measured) + " equal calls in a row"
            : number(firing.measured) + " rounds of the same " + std::to_string(firing.period) + " calls";
        evidence.limit = number(firing.limit);
        evidence.resultsChanged = fleet.counters.root(context.root).row.changed;
        break;
    case Signal::Spend: {
        const auto &currency = fleet.keyPolicy(context.key).currency;
        evidence.measured = firing.measured.toString(2) + ' ' + currency;
        evidence.limit = firing.limit.toString(2) + ' ' + currency + " in " + windowWords(firing.windowHours);
        break;
    }
    case Signal::Provider:
        evidence.measured = plural(firing.measured, "failure", "failures") + " in a minute";
        evidence.limit = number(firing.limit) + " allowed";
        break;
    case Signal::Envelope: {
        const auto &caps = fleet.toolPolicy(context.agent, context.tool);
        const bool isHidden = fleet.tool(context.agent, context.tool).hidesValue();
        const auto currency = caps.value ? ' ' + caps.value->currency : std::string();
        const auto per = firing.windowHours == 0 ? " a task" : " in " + windowWords(firing.windowHours);
        if (firing.cap == Cap::Value) {
            evidence.measured = !firing.why.empty() ? "not evaluable"
                : isHidden                          ? std::string(kRedacted)
                                                    : firing.measured.toString(2) + currency;
            evidence.limit = firing.limit.toString(2) + currency + " a call";
        } else if (firing.cap == Cap::VolumeValue) {
            evidence.measured = isHidden ? std::string(kRedacted) : firing.measured.toString(2) + currency;
            evidence.limit = firing.limit.toString(2) + currency + per;
        } else if (firing.cap == Cap::VolumeCalls) {
            evidence.measured = plural(firing.measured, "call", "calls");
            evidence.limit = plural(firing.limit, "call", "calls") + per;
        } else if (firing.cap == Cap::Destination) {
            evidence.measured = bounded(context.destination, 200);
            evidence.limit = "the list of allowed destinations";
        } else {
            evidence.measured = bounded(context.destination, 200); // the model that answered
            evidence.limit = fleet.agentPolicy(context.agent).degradedModel;
        }
        break;
    }
    case Signal::Operator:
    case Signal::Probation:
    case Signal::Tamper:
        break;
    }
    return evidence;
}

/// The watch time after a human's re-arm that this firing falls into.
const RearmWatch *watchOf(const Fleet &fleet, const TripSubject &subject, AgentId agent, Steady now)
{
    const auto found = std::find_if(fleet.watches.rbegin(), fleet.watches.rend(), [&](const RearmWatch &watch) {
        return watch.signal == subject.signal && watch.until > now && watch.key == subject.key
            && watch.endpoint == subject.endpoint && (!watch.agent.isSet() || watch.agent == agent);
    });
    return found != fleet.watches.rend() ? &*found : nullptr;
}

/// Which incident of the agent this trip belongs to, and as the how manieth (spec 1).
void placeInIncident(const Fleet &fleet, AgentId agentId, Instant now, TripFired &fired)
{
    const auto &agent = fleet.agent(agentId);
    const bool active = fleet.hasTrips(agentId);
    if (!agentId.isSet() || !agent.incident.isSet() || (!active && now - agent.peaceSince > kQuietTime))
        return;
    fired.incident = agent.incident;
    fired.order = agent.incidentTrips + 1;
}

/// Three trips of steps or repetition of one agent within the time make the third reach the agent (spec 3.2).
bool escalates(const Fleet &fleet, const Firing &firing, AgentId agentId, Instant now)
{
    if (fleet.recorded || (firing.signal != Signal::Steps && firing.signal != Signal::Repetition))
        return false;
    const auto &policy = fleet.agentPolicy(agentId).escalate;
    const auto &earlier = fleet.agent(agentId).behaviourTrips;
    const auto recent = std::count_if(earlier.begin(), earlier.end(),
                                      [&](Instant at) { return at > now - policy.window; });
    return recent + 1 >= policy.trips;
}

bool heldByHuman(const Fleet &fleet, const Firing &firing, const FiringContext &context)
{
    if (isHumansSignal(firing.signal))
        return true;
    if (firing.signal == Signal::Provider)
        return fleet.agentPolicy(context.agent).provider.rearm == RearmBy::Human;
    for (const auto &window : fleet.keyPolicy(context.key).windows) {
        if (window.window.hours == firing.windowHours)
            return window.rearm == RearmBy::Human;
    }
    return true;
}

/// What the provider asked for, as one agent tells it. It holds every agent at that endpoint, so one word holds for a
/// quarter of an hour at most: for longer the endpoint must fail again.
std::int64_t retryAfterOf(const FiringContext &context)
{
    constexpr std::int64_t kLongest = 900;
    return std::min(context.retryAfterSeconds, kLongest);
}

void setClock(const Draft &draft, const Firing &firing, const FiringContext &context, TripFired &fired)
{
    const auto &fleet = draft.fleet();
    const auto now = draft.time();
    if (firing.signal == Signal::Spend)
        fired.endsAt = fleet.calendar().span(WindowKind{firing.windowHours}, context.at.value_or(now.wall)).end;
    if (firing.signal != Signal::Provider)
        return;
    const auto cooldown = std::max(fleet.agentPolicy(context.agent).provider.cooldownSeconds, retryAfterOf(context));
    fired.endsAtSteady = now.steady + seconds(cooldown);
    const auto endpoint = fleet.counters.endpoints.find(context.endpoint);
    if (endpoint != fleet.counters.endpoints.end()) {
        for (const auto &[agent, seen] : endpoint->second.seen) {
            if (seen >= now.steady - kEndpointSeen)
                fired.reached.push_back(agent);
        }
    }
    if (std::find(fired.reached.begin(), fired.reached.end(), context.agent) == fired.reached.end()) {
        fired.reached.push_back(context.agent);
        std::sort(fired.reached.begin(), fired.reached.end());
    }
}

} // namespace

TripSubject subjectOf(const Fleet &fleet, const Firing &firing, const FiringContext &context)
{
    TripSubject subject;
    subject.signal = firing.signal;
    subject.cap = firing.cap;
    const auto rootAgent = fleet.task(context.root).agent;
    switch (firing.signal) {
    case Signal::Steps:
        subject.agent = firing.cap == Cap::None ? rootAgent : context.agent;
        if (firing.cap == Cap::None)
            subject.root = context.root;
        else if (firing.cap == Cap::PerSession)
            subject.session = context.session;
        else
            subject.windowHours = firing.windowHours;
        break;
    case Signal::Repetition:
        subject.agent = rootAgent;
        subject.root = context.root;
        break;
    case Signal::Spend:
        subject.key = context.key;
        subject.windowHours = firing.windowHours;
        break;
    case Signal::Provider:
        subject.endpoint = context.endpoint;
        break;
    case Signal::Envelope:
        subject.agent = context.agent;
        subject.tool = context.tool;
        subject.windowHours = firing.windowHours;
        if (firing.reach == Reach::Task
            || (firing.windowHours == 0 && (firing.cap == Cap::VolumeCalls || firing.cap == Cap::VolumeValue)))
            subject.root = context.root;
        break;
    case Signal::Operator:
    case Signal::Probation:
    case Signal::Tamper:
        subject.agent = context.agent;
        break;
    }
    return subject;
}

std::string wordsOf(const Fleet &fleet, const Firing &firing, const FiringContext &context)
{
    const auto evidence = evidenceOf(fleet, firing, context);
    std::string words(toWord(firing.signal));
    if (firing.cap != Cap::None) {
        words += ' ';
        words += toWord(firing.cap);
    }
    words += ": " + evidence.measured + ", limit " + evidence.limit;
    if (!evidence.detail.empty())
        words += " (" + evidence.detail + ')';
    return words;
}

namespace {

constexpr std::size_t kMostEndpointsHeld = 50;

/// An agent that reports failures of ever new endpoints holds enough of them: it is degraded by now, and each further
/// trip would only be one more for the person who looks.
bool holdsEnoughEndpoints(const Fleet &fleet, const Firing &firing, AgentId agent)
{
    if (firing.signal != Signal::Provider)
        return false;
    std::size_t count = 0;
    for (const auto id : fleet.wideTrips) {
        const auto &trip = fleet.trips.at(id);
        count += trip.agent == agent && trip.subject.signal == Signal::Provider ? 1 : 0;
    }
    return count >= kMostEndpointsHeld;
}

} // namespace

TripId fire(Draft &draft, const Firing &firing, const FiringContext &context)
{
    const auto &fleet = draft.fleet();
    const auto subject = subjectOf(fleet, firing, context);
    if (const auto *active = fleet.activeTrip(subject)) {
        const auto id = active->id;
        std::optional<Steady> endsAt;
        if (firing.signal == Signal::Provider && retryAfterOf(context) > 0)
            endsAt = draft.time().steady
                + seconds(retryAfterOf(context)); // the later holds; without it nothing is extended
        if (firing.signal != Signal::Spend) // a full window is a state, not one more firing each time
            draft.emit(active->agent, context.task, 0,
                       TripFiredAgain{id, context.ask, evidenceOf(fleet, firing, context).measured,
                                      context.refusedCall, endsAt});
        return id;
    }
    if (holdsEnoughEndpoints(fleet, firing, context.agent))
        return {};
    TripFired fired;
    fired.subject = subject;
    fired.root = context.root;
    fired.ask = context.ask;
    fired.reach = firing.reach;
    fired.rung = firing.action;
    fired.evidence = evidenceOf(fleet, firing, context);
    fired.refusedCall = context.refusedCall;
    const auto agent = subject.agent.isSet() ? subject.agent : context.agent;
    const auto now = draft.time();
    if (escalates(fleet, firing, agent, now.wall)) {
        fired.reach = Reach::Agent;
        fired.escalated = true;
    }
    if (const auto *watch = watchOf(fleet, subject, agent, now.steady)) {
        fired.rung = Rung::Open;
        fired.flapping = true;
        fired.linked = watch->trip;
    }
    placeInIncident(fleet, agent, now.wall, fired);
    const auto &row = decideLatch(LatchState::Clear,
                                  {LatchEvent::Fires, heldByHuman(fleet, firing, context), fleet.clockTrusted, false});
    setClock(draft, firing, context, fired);
    return TripId{draft.emit(agent, context.task, row.id, std::move(fired)).value};
}

void noteWatched(Draft &draft, const std::vector<Firing> &watched, const FiringContext &context)
{
    for (const auto &firing : watched) {
        const auto evidence = evidenceOf(draft.fleet(), firing, context);
        draft.emit(context.agent, context.task, 0,
                   WatchNoted{firing.signal, firing.cap, context.root, context.ask, evidence.measured, evidence.limit});
    }
}

Decision decisionFor(const Fleet &fleet, AgentId agent, TaskId task)
{
    Decision decision;
    decision.rung = fleet.rungOf(agent, task);
    decision.writes = decision.rung == Rung::Closed;
    if (decision.rung == Rung::Degraded)
        decision.model = fleet.agentPolicy(agent).degradedModel;
    return decision;
}

} // namespace handreset::rules

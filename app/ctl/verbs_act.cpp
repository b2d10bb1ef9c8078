// The verbs that act on agents, trips, breakers and the queue, as the operator who runs them. Each act goes through a
// host, is committed before it is told, and leaves an event even where it is refused.
#include "app/ctl/fleet_lists.h"
#include "app/ctl/store_access.h"
#include "app/ctl/table.h"
#include "app/ctl/verbs.h"
#include "model/engine/host_wait.h"
#include "model/rules/command.h"
#include "model/rules/words_of_event.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace handreset::ctl {

using rules::Cap;
using rules::Decimal;
using rules::Error;
using rules::ErrorCode;
using rules::QueueVerb;
using rules::Result;
using rules::Rung;
using rules::Signal;
using rules::Trip;
using rules::TripId;

namespace {

constexpr std::string_view kActFields = "seq, trip, agent, rung, revision, operator";
constexpr std::string_view kWhyReason = "the log keeps why, for whoever looks at it later: --reason \"…\"";

Error badInput(std::string message)
{
    return {ErrorCode::BadInput, std::move(message), {}};
}

/// A host with its fleet at one moment.
struct Hosted {
    std::unique_ptr<engine::Host> host;
    std::shared_ptr<const rules::Fleet> fleet;
};

/// Hosting and looking: what acts on what is in the fleet begin with. A refused store is an Error.
Result<Hosted> begin(const Arguments &arguments, Context &context)
{
    auto host = hostStore(context, arguments);
    if (!host)
        return host.error();
    if (auto refusal = refusalOf(**host, arguments))
        return *refusal;
    Hosted hosted{std::move(*host), nullptr};
    hosted.fleet = engine::snapshotAndWait(*hosted.host);
    return hosted;
}

Result<TripId> tripArgument(const Arguments &arguments)
{
    const auto &text = arguments.positional().front();
    const auto number = wholeNumber(text);
    if (!number || *number <= 0)
        return badInput("a trip is a number, as `handresetctl trips` shows it, not \"" + text + '"');
    return TripId{static_cast<std::uint64_t>(*number)};
}

/// A number that no trip at hand has: an Error, as for the verb `trips`.
std::optional<Error> unknownTrip(const rules::Fleet &fleet, TripId trip)
{
    if (fleet.trip(trip) != nullptr)
        return std::nullopt;
    return Error{ErrorCode::NotFound,
                 "there is no trip \"" + std::to_string(trip.value) + "\" at hand; see: handresetctl trips",
                 {}};
}

/// "open" or "degraded".
Result<Rung> rungOption(const Arguments &arguments, Rung usual, Rung other)
{
    const auto text = arguments.value("to");
    if (!text || *text == rules::toWord(usual))
        return usual;
    if (*text == rules::toWord(other))
        return other;
    return badInput("--to is " + std::string(rules::toWord(usual)) + " or " + std::string(rules::toWord(other))
                    + ", not \"" + *text + '"');
}

/// What an act on a trip or an agent left behind.
ExitCode tellDone(const Arguments &arguments, Context &context, engine::Host &host, const rules::ActDone &done,
                  TripId trip, std::string words)
{
    const auto fleet = engine::snapshotAndWait(host);
    const auto *record = fleet->trip(trip);
    const auto agent = record != nullptr ? record->agent : rules::AgentId{};
    const auto rung = fleet->agent(agent).rung;
    const auto taskRung = record != nullptr && record->task.isSet() && agent.isSet()
        ? std::max(rung, fleet->rungOf(agent, record->task))
        : rung;
    JsonWriter json;
    json.number("seq", done.seq.value);
    json.number("trip", trip.value);
    json.text("agent", fleet->names(agent));
    json.text("rung", agent.isSet() ? rules::toWord(rung) : std::string_view());
    json.number("revision", record != nullptr ? revisionFor(*fleet, *record).value : done.revision.value);
    json.text("operator", context.operatorName);
    if (agent.isSet())
        words += " " + visible(fleet->names(agent)) + " is " + std::string(rules::toWord(rung)) + " now (revision "
            + std::to_string(fleet->agent(agent).revision.value) + ").";
    for (const auto &[number, request] : fleet->requests) {
        if (request.agent == agent && request.revision != fleet->revisionOf(agent))
            words += " Request " + std::to_string(number.value) + " is void by this: ask again.";
    }
    if (arguments.has("break-glass") && !fleet->reviews.empty())
        words += " It was done alone: review " + std::to_string(fleet->reviews.rbegin()->first.value)
            + " stays open until another person closes it.";
    if (taskRung != rung) // the trip reaches the task alone, or further ones do
        words += " Its task " + visible(fleet->names(record->task)) + " stays "
            + (taskRung == Rung::Open ? "stopped." : "degraded.");
    answer(context, arguments, json, words + '\n');
    return ExitCode::Done;
}

std::string tripName(const rules::Fleet &fleet, TripId id)
{
    const auto *trip = fleet.trip(id);
    return "trip " + std::to_string(id.value)
        + (trip == nullptr ? std::string() : " (" + visible(rules::tripTitle(trip->subject, fleet.names)) + ')');
}

// ---- Trips -------------------------------------------------------------------------------------------------

ExitCode acknowledge(const Arguments &arguments, Context &context)
{
    const auto trip = tripArgument(arguments);
    if (!trip)
        return fail(context, arguments, trip.error());
    const auto hosted = begin(arguments, context);
    if (!hosted)
        return fail(context, arguments, hosted.error());
    if (auto unknown = unknownTrip(*hosted->fleet, *trip))
        return fail(context, arguments, *unknown);
    const auto done = act(arguments, context, *hosted->host,
                          rules::Acknowledge{*trip, context.operatorName, arguments.valueOr("note", "")});
    if (!done)
        return fail(context, arguments, done.error());
    if (const auto waits = tellWaiting(arguments, context, *hosted->host, *done))
        return *waits;
    return tellDone(arguments, context, *hosted->host, *done, *trip,
                    "Acknowledged " + tripName(*hosted->fleet, *trip) + ". Nothing else changed.");
}

ExitCode giveReason(const Arguments &arguments, Context &context)
{
    const auto trip = tripArgument(arguments);
    const auto reason = arguments.required("reason", kWhyReason);
    if (!trip || !reason)
        return fail(context, arguments, trip ? reason.error() : trip.error());
    const auto hosted = begin(arguments, context);
    if (!hosted)
        return fail(context, arguments, hosted.error());
    if (auto unknown = unknownTrip(*hosted->fleet, *trip))
        return fail(context, arguments, *unknown);
    const auto done = act(arguments, context, *hosted->host, rules::GiveReason{*trip, context.operatorName, *reason});
    if (!done)
        return fail(context, arguments, done.error());
    if (const auto waits = tellWaiting(arguments, context, *hosted->host, *done))
        return *waits;
    return tellDone(arguments, context, *hosted->host, *done, *trip,
                    "Recorded the reason of " + tripName(*hosted->fleet, *trip) + '.');
}

/// "5", "5.00", "5.00 USD": an amount in `currency`.
Result<Decimal> amountOf(std::string_view text, const std::string &currency)
{
    const auto blank = text.find(' ');
    const auto amount = Decimal::parse(text.substr(0, blank));
    if (!amount || amount->isNegative() || amount->isZero())
        return badInput("\"" + std::string(text) + "\" is no amount above 0; write it as 5.00 or \"5.00 " + currency
                        + '"');
    if (blank != std::string_view::npos && text.substr(blank + 1) != currency)
        return badInput("the amount is in " + currency + ", not in " + std::string(text.substr(blank + 1)));
    return *amount;
}

Result<std::int64_t> countOf(std::string_view text, std::string_view what)
{
    const auto count = wholeNumber(text);
    if (!count || *count <= 0)
        return badInput("--grant is a whole number of " + std::string(what) + " above 0, not \"" + std::string(text)
                        + '"');
    return *count;
}

/// What N means for this trip: steps, money or calls (spec 3.4).
Result<rules::Grant> grantFor(const rules::Fleet &fleet, const Trip &trip, std::string_view text)
{
    rules::Grant grant;
    const auto &subject = trip.subject;
    if (subject.signal == Signal::Steps) {
        const auto steps = countOf(text, "steps");
        if (!steps)
            return steps.error();
        grant.steps = *steps;
        return grant;
    }
    if (subject.signal == Signal::Spend || subject.cap == Cap::VolumeValue) {
        const auto &value = fleet.toolPolicy(trip.agent, subject.tool).value;
        const auto currency = subject.signal == Signal::Spend ? fleet.keyPolicy(subject.key).currency
            : value                                           ? value->currency
                                                              : std::string();
        const auto amount = amountOf(text, currency);
        if (!amount)
            return amount.error();
        (subject.signal == Signal::Spend ? grant.spend : grant.volumeValue) = *amount;
        return grant;
    }
    if (subject.cap == Cap::VolumeCalls) {
        const auto calls = countOf(text, "calls");
        if (!calls)
            return calls.error();
        grant.volumeCalls = *calls;
        return grant;
    }
    return badInput("--grant is for steps, spend and volume; " + tripName(fleet, trip.id) + " has nothing to grant");
}

/// The queued tasks that this trip put there.
Result<std::vector<std::pair<rules::TaskId, QueueVerb>>> queueFor(const rules::Fleet &fleet, const Trip &trip,
                                                                  const std::optional<std::string> &text)
{
    std::vector<std::pair<rules::TaskId, QueueVerb>> choices;
    if (!text)
        return choices;
    const auto verb = rules::fromWord<QueueVerb>(*text);
    if (!verb || (*verb != QueueVerb::Resume && *verb != QueueVerb::Abandon && *verb != QueueVerb::Stay))
        return badInput("--queue is resume, abandon or stay, not \"" + *text + '"');
    for (const auto &[task, item] : fleet.queue) {
        const bool isReached
            = trip.reach == rules::Reach::Task ? task == trip.root : fleet.reachesAgent(trip, item.agent);
        if (item.trip == trip.id || isReached)
            choices.emplace_back(task, *verb);
    }
    return choices;
}

Result<rules::Rearm> rearmCommand(const Arguments &arguments, const Context &context, const rules::Fleet &fleet,
                                  TripId id)
{
    rules::Rearm command;
    command.trip = id;
    command.by = context.operatorName;
    command.cause = arguments.valueOr("cause", "");
    const auto reason = arguments.required("reason", "a re-arm is a decision, and " + std::string(kWhyReason));
    if (!reason)
        return reason.error();
    command.reason = *reason;
    const auto to = rungOption(arguments, Rung::Degraded, Rung::Closed);
    if (!to)
        return to.error();
    command.to = *to;
    const auto revision = arguments.number("revision", 0, INT64_MAX);
    if (!revision)
        return revision.error();
    if (*revision)
        command.revision = rules::Revision{static_cast<std::uint64_t>(**revision)};
    if (auto unknown = unknownTrip(fleet, id))
        return *unknown;
    const auto *trip = fleet.trip(id);
    if (!trip->active())
        return command; // the host says what became of it, and the log keeps the attempt
    if (const auto text = arguments.value("grant")) {
        const auto grant = grantFor(fleet, *trip, *text);
        if (!grant)
            return grant.error();
        command.grant = *grant;
    }
    auto queue = queueFor(fleet, *trip, arguments.value("queue"));
    if (!queue)
        return queue.error();
    command.queue = std::move(*queue);
    return command;
}

/// Re-arming lets an agent go on; its queued tasks wait for a word of their own.
std::string stillQueued(const rules::Fleet &fleet, const Trip &ended)
{
    std::string tasks;
    for (const auto &[task, item] : fleet.queue) {
        if (item.agent == ended.agent && item.waiting)
            tasks += (tasks.empty() ? "" : ", ") + visible(fleet.names(task));
    }
    return tasks.empty() ? tasks : " Still in the queue: " + tasks + "; see: handresetctl queue.";
}

ExitCode rearm(const Arguments &arguments, Context &context)
{
    const auto trip = tripArgument(arguments);
    if (!trip)
        return fail(context, arguments, trip.error());
    const auto hosted = begin(arguments, context);
    if (!hosted)
        return fail(context, arguments, hosted.error());
    const auto command = rearmCommand(arguments, context, *hosted->fleet, *trip);
    if (!command)
        return fail(context, arguments, command.error());
    const auto done = act(arguments, context, *hosted->host, *command);
    if (!done)
        return fail(context, arguments, done.error());
    if (const auto waits = tellWaiting(arguments, context, *hosted->host, *done))
        return *waits;
    auto words = "Re-armed " + tripName(*hosted->fleet, *trip) + " to " + std::string(rules::toWord(command->to)) + '.';
    if (command->to == Rung::Degraded)
        words += " A probation holds it at degraded until somebody re-arms that one to closed.";
    if (const auto *ended = hosted->fleet->trip(*trip))
        words += stillQueued(*engine::snapshotAndWait(*hosted->host), *ended);
    return tellDone(arguments, context, *hosted->host, *done, *trip, std::move(words));
}

// ---- grant -------------------------------------------------------------------------------------------------

Result<rules::GrantMore> grantCommand(const Arguments &arguments, const Context &context, const rules::Fleet &fleet)
{
    rules::GrantMore command;
    command.by = context.operatorName;
    const auto reason = arguments.required("reason", kWhyReason);
    if (!reason)
        return reason.error();
    command.reason = *reason;
    const bool isSteps = arguments.has("steps");
    if (isSteps == arguments.has("spend"))
        return badInput("a grant is --agent A --task T --steps N, or --key K --window W --spend \"5.00 USD\"");
    if (isSteps) {
        const auto steps = arguments.number("steps", 1, 1'000'000'000);
        if (!steps)
            return steps.error();
        command.grant.steps = steps->value_or(0);
        const rules::AgentId agent{fleet.names.find(rules::NameKind::Agent, arguments.valueOr("agent", ""))};
        const rules::TaskId task{fleet.names.find(rules::NameKind::Task, arguments.valueOr("task", ""), agent)};
        if (!agent.isSet() || !task.isSet())
            return Error{ErrorCode::NotFound, "no such task has been seen; name it with --agent A --task T", {}};
        command.subject.signal = Signal::Steps;
        command.subject.root = fleet.rootOf(task);
        return command;
    }
    command.subject.signal = Signal::Spend;
    command.subject.key = rules::KeyId{fleet.names.find(rules::NameKind::Key, arguments.valueOr("key", ""))};
    const auto window = rules::WindowKind::parse(arguments.valueOr("window", ""));
    if (!command.subject.key.isSet() || !window)
        return Error{
            ErrorCode::NotFound, "no such window; name it with --key K --window 24h, as the policy has it", {}};
    command.subject.windowHours = window->hours;
    const auto amount = amountOf(arguments.valueOr("spend", ""), fleet.keyPolicy(command.subject.key).currency);
    if (!amount)
        return amount.error();
    command.grant.spend = *amount;
    return command;
}

ExitCode grant(const Arguments &arguments, Context &context)
{
    const auto hosted = begin(arguments, context);
    if (!hosted)
        return fail(context, arguments, hosted.error());
    const auto command = grantCommand(arguments, context, *hosted->fleet);
    if (!command)
        return fail(context, arguments, command.error());
    const auto done = act(arguments, context, *hosted->host, *command);
    if (!done)
        return fail(context, arguments, done.error());
    if (const auto waits = tellWaiting(arguments, context, *hosted->host, *done))
        return *waits;
    return tellDone(arguments, context, *hosted->host, *done, {}, "Granted. It is in the log as your act.");
}

// ---- stop --------------------------------------------------------------------------------------------------

ExitCode stop(const Arguments &arguments, Context &context)
{
    const bool whole = arguments.has("fleet");
    if (whole == !arguments.positional().empty())
        return fail(context, arguments,
                    badInput(whole ? "name an agent or --fleet, not both"
                                   : "name the agent to stop, or --fleet for all of them: handresetctl stop AGENT"));
    if (!whole && arguments.positional().front().empty())
        return fail(context, arguments, badInput("the agent's name is empty; for all of them say --fleet"));
    const auto to = rungOption(arguments, Rung::Open, Rung::Degraded);
    if (!to)
        return fail(context, arguments, to.error());
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    const auto agent = whole ? std::string() : arguments.positional().front();
    const auto reason = arguments.valueOr("reason", "");
    const auto done = act(arguments, context, **host, rules::StopAgent{agent, *to, context.operatorName, reason});
    if (!done)
        return fail(context, arguments, done.error());
    if (const auto waits = tellWaiting(arguments, context, **host, *done))
        return *waits;
    auto words = (whole ? std::string("Stopped the whole fleet") : "Stopped " + visible(agent)) + ": "
        + std::string(rules::toWord(*to)) + ", trip " + std::to_string(done->trip.value) + '.';
    if (reason.empty())
        words += " Say why when there is time: handresetctl reason " + std::to_string(done->trip.value)
            + " --reason \"…\".";
    return tellDone(arguments, context, **host, *done, done->trip, std::move(words));
}

// ---- Breakers ----------------------------------------------------------------------------------------------

ExitCode actOnBreaker(const Arguments &arguments, Context &context, rules::BreakerEvent event)
{
    const auto reason = arguments.required("reason", kWhyReason);
    if (!reason)
        return fail(context, arguments, reason.error());
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    const auto &tool = arguments.positional().front();
    const auto agent = arguments.valueOr("agent", "");
    const auto done
        = act(arguments, context, **host, rules::ActOnBreaker{tool, agent, event, context.operatorName, *reason});
    if (!done)
        return fail(context, arguments, done.error());
    if (const auto waits = tellWaiting(arguments, context, **host, *done))
        return *waits;
    const auto fleet = engine::snapshotAndWait(**host);
    const rules::BreakerKey key{{fleet->names.find(rules::NameKind::Tool, tool)},
                                {agent.empty() ? 0 : fleet->names.find(rules::NameKind::Agent, agent)}};
    const auto &breaker = fleet->breaker(key);
    const auto meaning = rules::meaningOf(breaker, fleet->toolPolicy(key.agent, key.tool).breaker, fleet->steady);
    JsonWriter json;
    json.number("seq", done->seq.value);
    json.text("tool", tool);
    json.text("agent", agent);
    json.text("state", rules::toWord(breaker.state));
    json.text("meaning", meaning);
    json.text("operator", context.operatorName);
    answer(context, arguments, json, "The breaker of " + visible(tool) + " is " + std::string(meaning) + " now.\n");
    return ExitCode::Done;
}

ExitCode isolate(const Arguments &arguments, Context &context)
{
    return actOnBreaker(arguments, context, rules::BreakerEvent::Isolate);
}

ExitCode release(const Arguments &arguments, Context &context)
{
    return actOnBreaker(arguments, context, rules::BreakerEvent::Release);
}

ExitCode letProbeOut(const Arguments &arguments, Context &context)
{
    return actOnBreaker(arguments, context, rules::BreakerEvent::LetProbeOut);
}

ExitCode reset(const Arguments &arguments, Context &context)
{
    return actOnBreaker(arguments, context, rules::BreakerEvent::Reset);
}

// ---- Queue -------------------------------------------------------------------------------------------------

/// The agent that was named, else the only one that has a task of this name in the queue.
Result<std::string> agentOfQueued(const Arguments &arguments, const rules::Fleet &fleet, const std::string &task)
{
    if (const auto named = arguments.value("agent"))
        return *named;
    std::vector<std::string> agents;
    for (const auto &[id, item] : fleet.queue) {
        if (fleet.names(id) == task)
            agents.push_back(fleet.names(item.agent));
    }
    if (agents.size() == 1)
        return agents.front();
    if (agents.empty())
        return Error{ErrorCode::NotFound, "no such task is in the queue; see: handresetctl queue", {}};
    return badInput("several agents have a task of this name in the queue; name one with --agent A");
}

ExitCode actOnQueue(const Arguments &arguments, Context &context, QueueVerb verb)
{
    const auto hosted = begin(arguments, context);
    if (!hosted)
        return fail(context, arguments, hosted.error());
    const auto &task = arguments.positional().front();
    const auto agent = agentOfQueued(arguments, *hosted->fleet, task);
    if (!agent)
        return fail(context, arguments, agent.error());
    const auto done = act(arguments, context, *hosted->host,
                          rules::ActOnQueue{*agent, task, verb, context.operatorName, arguments.valueOr("reason", "")});
    if (!done)
        return fail(context, arguments, done.error());
    if (const auto waits = tellWaiting(arguments, context, *hosted->host, *done))
        return *waits;
    JsonWriter json;
    json.number("seq", done->seq.value);
    json.text("task", task);
    json.text("agent", *agent);
    json.text("verb", rules::toWord(verb));
    json.number("revision", done->revision.value);
    json.text("operator", context.operatorName);
    constexpr std::array<std::string_view, 4> kDone{"is yours", "went back to the queue", "resumes", "was abandoned"};
    answer(context, arguments, json,
           "The task " + visible(task) + " of " + visible(*agent) + ' '
               + std::string(kDone[static_cast<std::size_t>(verb)]) + ".\n");
    return ExitCode::Done;
}

ExitCode queueTake(const Arguments &arguments, Context &context)
{
    return actOnQueue(arguments, context, QueueVerb::Take);
}

ExitCode queueReturn(const Arguments &arguments, Context &context)
{
    return actOnQueue(arguments, context, QueueVerb::Return);
}

ExitCode queueResume(const Arguments &arguments, Context &context)
{
    return actOnQueue(arguments, context, QueueVerb::Resume);
}

ExitCode queueAbandon(const Arguments &arguments, Context &context)
{
    return actOnQueue(arguments, context, QueueVerb::Abandon);
}

// ---- The list ----------------------------------------------------------------------------------------------

constexpr Option kReason{"reason", "R", "why; the log keeps it"};
constexpr std::array kAckOptions{Option{"note", "N", "a word for the next reader"}};
constexpr std::array kReasonOptions{Option{"reason", "R", "why it was stopped; at least 10 characters"}};
constexpr std::array kRearmOptions{
    Option{"reason", "R", "why it may go on; at least 10 characters, not a copy of the last one"},
    Option{"cause", "C", "what had happened: loop, injection, wrong limit, …"},
    Option{"to", "RUNG", "degraded (the default: a probation that you lift later) or closed"},
    Option{"grant", "N", "how much more: steps, an amount (5.00, \"5.00 USD\"), or calls of a volume"},
    Option{"revision", "N", "that you saw; refused when the agent has moved since"},
    Option{"queue", "VERB", "what becomes of its queued tasks: resume, abandon or stay (the default)"}};
constexpr std::array kGrantOptions{
    Option{"agent", "A", "whose task"},
    Option{"task", "T", "that may make more model calls"},
    Option{"steps", "N", "how many more than it has used"},
    Option{"key", "K", "that may spend more"},
    Option{"window", "W", "1h, 24h, 7d, 30d, as the policy has it"},
    Option{"spend", "AMOUNT", "how much more until that window ends: 5.00, \"5.00 USD\""},
    kReason};
constexpr std::array kStopOptions{Option{"fleet", "", "every agent"},
                                  Option{"to", "RUNG", "open (the default) or degraded"},
                                  Option{"reason", "R", "why; it may follow later"}};
constexpr std::array kBreakerOptions{kReason,
                                     Option{"agent", "A", "where policy gives each agent a breaker of its own"}};
constexpr std::array kQueueOptions{Option{"agent", "A", "whose task, where several have one of this name"}, kReason};

constexpr std::string_view kBreakerActFields = "seq, tool, agent, state, meaning, operator";
constexpr std::string_view kQueueActFields = "seq, task, agent, verb, revision, operator";

constexpr std::array kVerbs{
    Verb{{"ack", "TRIP", 1, 1, kAckOptions},
         "says that somebody has seen a trip; changes no rung",
         kActFields,
         &acknowledge},
    Verb{{"rearm", "TRIP", 1, 1, kRearmOptions},
         "ends a trip, as your decision; acknowledge it first",
         kActFields,
         &rearm},
    Verb{{"grant", "", 0, 0, kGrantOptions},
         "more steps for a task, or more money for a key's window",
         kActFields,
         &grant},
    Verb{{"stop", "[AGENT]", 0, 1, kStopOptions}, "stops an agent or the fleet, at once", kActFields, &stop},
    Verb{{"reason", "TRIP", 1, 1, kReasonOptions}, "gives the reason of a stop afterwards", kActFields, &giveReason},
    Verb{{"isolate", "TOOL", 1, 1, kBreakerOptions},
         "holds a tool's breaker OPEN until it is released",
         kBreakerActFields,
         &isolate},
    Verb{{"release", "TOOL", 1, 1, kBreakerOptions},
         "ends an isolation: the next ask is the probe",
         kBreakerActFields,
         &release},
    Verb{{"probe", "TOOL", 1, 1, kBreakerOptions},
         "lets one probe out of an OPEN breaker",
         kBreakerActFields,
         &letProbeOut},
    Verb{{"reset", "TOOL", 1, 1, kBreakerOptions}, "closes a breaker by hand", kBreakerActFields, &reset},
    Verb{{"queue take", "TASK", 1, 1, kQueueOptions}, "takes a queued task over", kQueueActFields, &queueTake},
    Verb{{"queue return", "TASK", 1, 1, kQueueOptions}, "puts it back", kQueueActFields, &queueReturn},
    Verb{{"queue resume", "TASK", 1, 1, kQueueOptions}, "lets it go on", kQueueActFields, &queueResume},
    Verb{{"queue abandon", "TASK", 1, 1, kQueueOptions}, "ends it for good", kQueueActFields, &queueAbandon},
};

} // namespace

std::span<const Verb> actVerbs() noexcept
{
    return kVerbs;
}

} // namespace handreset::ctl

// The verbs that read the log: its events, and the state as of any point. Looking writes nothing.
#include "app/ctl/fleet_lists.h"
#include "app/ctl/store_access.h"
#include "app/ctl/table.h"
#include "app/ctl/time_argument.h"
#include "app/ctl/verbs.h"
#include "model/engine/host_wait.h"
#include "model/rules/sha256.h"
#include "model/rules/words_of_event.h"
#include "model/rules/words_of_time.h"

#include <algorithm>
#include <array>
#include <utility>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::int64_t kUsualEvents = 50;
constexpr std::int64_t kMostEvents = 1'000'000;

/// Which events are asked for.
Result<store::Store::Filter> eventFilter(const Arguments &arguments, const rules::Fleet &fleet)
{
    store::Store::Filter filter;
    const auto last = arguments.number("last", 1, kMostEvents);
    if (!last)
        return last.error();
    const auto since = arguments.number("since", 0, INT64_MAX - 1);
    if (!since)
        return since.error();
    if (*since) {
        filter.first = rules::Seq{static_cast<std::uint64_t>(**since) + 1};
        filter.newestFirst = last->has_value(); // without --last the oldest first, so that a reader can go on
    }
    filter.limit = static_cast<std::size_t>(last->value_or(*since ? kMostEvents : kUsualEvents));
    if (const auto agent = arguments.value("agent")) {
        filter.agent = rules::AgentId{fleet.names.find(rules::NameKind::Agent, *agent)};
        if (!filter.agent.isSet())
            return Error{
                ErrorCode::NotFound, "no agent \"" + *agent + "\" has been seen; see: handresetctl agents", {}};
    }
    for (const auto &kind : arguments.values("kind")) {
        const auto found = std::ranges::find(rules::kEventWords, kind);
        if (found == rules::kEventWords.end()) {
            std::string known;
            for (const auto word : rules::kEventWords)
                known += (known.empty() ? "" : ", ") + std::string(word);
            return Error{ErrorCode::BadInput, "there is no kind \"" + kind + "\"; the kinds are " + known, {}};
        }
        filter.kinds.push_back(static_cast<std::uint8_t>(found - rules::kEventWords.begin()));
    }
    return filter;
}

std::string eventsText(const std::vector<rules::Event> &events, const rules::Fleet &fleet)
{
    Table table({{"SEQ", Align::Right},
                 {"TIME"},
                 {"AGENT", Align::Left, 24},
                 {"TASK", Align::Left, 24},
                 {"WHAT"},
                 {"", Align::Left, kWidestText}});
    for (const auto &event : events) {
        const auto words = rules::wordsOf(event, fleet);
        table.add({std::to_string(event.seq.value), rules::utcStamp(event.ruleTime), fleet.names(event.agent),
                   fleet.names(event.task), words.word, words.sentence});
    }
    return table.isEmpty() ? "No such event.\n" : table.toString();
}

/// From the store, or through the host that has it.
Result<std::vector<rules::Event>> eventsOf(LoadedStore &loaded, const store::Store::Filter &filter)
{
    if (loaded.store != nullptr)
        return loaded.store->find(filter);
    engine::EventQuery query;
    query.first = filter.first;
    query.last = filter.last;
    query.agent = filter.agent;
    query.kinds = filter.kinds;
    query.newestFirst = filter.newestFirst;
    query.limit = filter.limit;
    return engine::readEventsAndWait(*loaded.host, std::move(query));
}

ExitCode showEvents(const Arguments &arguments, Context &context)
{
    auto loaded = loadStore(context, arguments);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    const auto filter = eventFilter(arguments, loaded->fleet);
    if (!filter)
        return fail(context, arguments, filter.error());
    auto events = eventsOf(*loaded, *filter);
    if (!events)
        return fail(context, arguments, events.error());
    if (filter->newestFirst)
        std::ranges::reverse(*events);
    JsonWriter json;
    json.number("last_seq", loaded->fleet.seq.value);
    json.beginArray("events");
    if (arguments.wantsJson()) {
        for (const auto &event : *events)
            json.rawElement(rules::eventToJson(event, loaded->fleet.names));
    }
    json.end();
    answer(context, arguments, json, arguments.wantsJson() ? std::string() : eventsText(*events, loaded->fleet));
    return ExitCode::Done;
}

// ---- at ----------------------------------------------------------------------------------------------------

Result<rules::Seq> seqOf(LoadedStore &loaded, const LogPoint &point)
{
    if (const auto *time = std::get_if<rules::Instant>(&point)) {
        auto seq = loaded.store != nullptr ? loaded.store->seqAt(*time) : engine::seqAtAndWait(*loaded.host, *time);
        if (seq && !seq->isSet())
            return Error{ErrorCode::NotFound, "the log begins later; its first event is: handresetctl at 1", {}};
        return seq;
    }
    const auto seq = std::get<rules::Seq>(point);
    const auto last = loaded.fleet.seq;
    if (!seq.isSet() || seq > last)
        return Error{ErrorCode::NotFound,
                     "the log holds events 1 to " + std::to_string(last.value) + ", not " + std::to_string(seq.value),
                     {}};
    return seq;
}

Result<std::shared_ptr<const rules::Fleet>> stateOf(LoadedStore &loaded, rules::Seq seq)
{
    if (loaded.store == nullptr)
        return engine::stateAtAndWait(*loaded.host, seq);
    auto fleet = loaded.store->asOf(seq);
    if (!fleet)
        return fleet.error();
    return std::make_shared<const rules::Fleet>(std::move(*fleet));
}

std::string asOfText(const Look &look)
{
    return "As of event " + std::to_string(look.fleet.seq.value) + ", " + rules::utcStamp(look.fleet.ruleTime) + "\n\n"
        + statusText(look) + '\n' + agentsText(look) + '\n' + tripsText(look, true) + '\n' + breakersText(look) + '\n'
        + queueText(look);
}

ExitCode showStateAt(const Arguments &arguments, Context &context)
{
    const auto point = parsePoint(arguments.positional().front());
    if (!point)
        return fail(context, arguments, point.error());
    auto loaded = loadStore(context, arguments);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    const auto seq = seqOf(*loaded, *point);
    if (!seq)
        return fail(context, arguments, seq.error());
    const auto state = stateOf(*loaded, *seq);
    if (!state)
        return fail(context, arguments, state.error());
    const auto &fleet = *state;
    const Look look{*fleet, {fleet->ruleTime, fleet->steady}};
    JsonWriter json;
    json.number("seq", fleet->seq.value);
    json.instant("rule_time", fleet->ruleTime);
    json.beginObject("status");
    writeStatus(json, look);
    json.end();
    json.text("state_sha256", rules::toHex(rules::sha256(rules::encodeFleet(*fleet))));
    writeAgents(json, look);
    writeTrips(json, look, true);
    writeBreakers(json, look);
    writeQueue(json, look);
    answer(context, arguments, json, asOfText(look));
    return ExitCode::Done;
}

constexpr std::array kEventsOptions{
    Option{"agent", "A", "only this agent's"},
    Option{"kind", "K", "only this kind: trip_fired, trip_rearmed, call_asked, …", true},
    Option{"last", "N", "the newest N; 50 is the default without --since"},
    Option{"since", "SEQ", "only what came after this sequence number, oldest first"},
};

constexpr std::array kVerbs{
    Verb{{"events", "", 0, 0, kEventsOptions},
         "the log, oldest first",
         "last_seq, events [{seq, kind, rule_time, source_time, agent, task, row, is {the kind's own fields that are "
         "not at their default}}]",
         &showEvents},
    Verb{{"at", "TIME|SEQ", 1, 1, {}},
         "the state as of a time or a sequence number",
         "seq, rule_time, state_sha256, status {as of the verb status}, agents, trips (active), breakers, queue: lists "
         "as of those verbs",
         &showStateAt,
         "A time is ISO 8601 with its zone: 2026-11-30T02:14:07Z."},
};

} // namespace

std::span<const Verb> logVerbs() noexcept
{
    return kVerbs;
}

} // namespace handreset::ctl

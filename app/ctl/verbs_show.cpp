// The verbs that show a fleet as it is. Looking writes nothing.
#include "app/ctl/fleet_lists.h"
#include "app/ctl/store_access.h"
#include "app/ctl/table.h"
#include "app/ctl/verbs.h"
#include "model/link/linked_host.h"

#include <QFileInfo>

#include <array>

namespace handreset::ctl {

namespace {

using WriteJson = void (*)(JsonWriter &, const Look &);
using Text = std::string (*)(const Look &);

ExitCode show(const Arguments &arguments, Context &context, WriteJson write, Text text)
{
    const auto loaded = loadStore(context, arguments);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    const Look look{loaded->fleet, loaded->now};
    JsonWriter json;
    write(json, look);
    answer(context, arguments, json, text(look));
    return ExitCode::Done;
}

ExitCode showStatus(const Arguments &arguments, Context &context)
{
    const auto loaded = loadStore(context, arguments);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    const Look look{loaded->fleet, loaded->now};
    const auto path = arguments.has("connect")
        ? arguments.valueOr("connect", "")
        : QFileInfo(storePath(arguments).value()).absoluteFilePath().toStdString();
    JsonWriter json;
    json.text("store", path);
    json.flag("hosted", loaded->host != nullptr);
    const auto *linked = dynamic_cast<const link::LinkedHost *>(loaded->host.get());
    const auto certificate = linked != nullptr ? linked->state().certificate : std::string();
    json.text("certificate", certificate);
    const auto health = loaded->host != nullptr ? loaded->host->status() : engine::HostStatus{};
    const bool isRefusing = loaded->host != nullptr && health.health != engine::StoreHealth::Writable;
    json.flag("refusing_everything", isRefusing);
    json.text("trouble", health.trouble);
    writeStatus(json, look);
    const auto *host = loaded->host != nullptr ? ", its host is running"
        : loaded->fleet.recorded               ? ""
                                               : ", no host is running: no agent can ask";
    answer(context, arguments, json,
           (isRefusing ? "EVERYTHING IS REFUSED: " + visible(health.trouble, 600) + '\n' : std::string()) + "store     "
               + path + host + '\n'
               + (certificate.empty() ? std::string() : "network   its certificate is " + certificate + '\n')
               + statusText(look));
    return ExitCode::Done;
}

ExitCode showAgents(const Arguments &arguments, Context &context)
{
    return show(arguments, context, &writeAgents, &agentsText);
}

ExitCode showBreakers(const Arguments &arguments, Context &context)
{
    return show(arguments, context, &writeBreakers, &breakersText);
}

ExitCode showQueue(const Arguments &arguments, Context &context)
{
    return show(arguments, context, &writeQueue, &queueText);
}

ExitCode showOneTrip(const Arguments &arguments, Context &context, const Look &look)
{
    const auto &named = arguments.positional().front();
    const auto number = wholeNumber(named);
    const auto *trip = number && *number > 0 ? look.fleet.trip({static_cast<std::uint64_t>(*number)}) : nullptr;
    if (trip == nullptr)
        return fail(
            context, arguments,
            {rules::ErrorCode::NotFound, "there is no trip \"" + named + "\" at hand; see: handresetctl trips", {}});
    JsonWriter json;
    writeTrip(json, look, *trip);
    json.text("detail", trip->evidence.detail);
    json.text("arguments", trip->evidence.arguments);
    json.text("destination", trip->evidence.destination);
    answer(context, arguments, json, tripText(look, *trip));
    return ExitCode::Done;
}

ExitCode showTrips(const Arguments &arguments, Context &context)
{
    const auto loaded = loadStore(context, arguments);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    const Look look{loaded->fleet, loaded->now};
    if (!arguments.positional().empty())
        return showOneTrip(arguments, context, look);
    const bool onlyActive = arguments.has("active");
    JsonWriter json;
    writeTrips(json, look, onlyActive);
    answer(context, arguments, json, tripsText(look, onlyActive));
    return ExitCode::Done;
}

constexpr std::array kTripsOptions{Option{"active", "", "without those that ended"}};

// The lists' fields stand once, in fleet_lists.h; the help joins them here.
constexpr std::array kVerbs{
    Verb{{"status", "", 0, 0, {}},
         "the fleet in a few lines",
         kStatusFields,
         &showStatus,
         "With --json also \"store\", the file, \"hosted\": whether a host of its own answers, "
         "\"refusing_everything\" and \"trouble\": what its host says of it, and "
         "\"certificate\": the fingerprint under which that host is known on the network."},
    Verb{{"agents", "", 0, 0, {}},
         "the agents: rung, counts, cost",
         kAgentFields,
         &showAgents,
         "--json: {\"agents\": [{…}]}, each with the fields below."},
    Verb{{"breakers", "", 0, 0, {}},
         "the tools' breakers",
         kBreakerFields,
         &showBreakers,
         "--json: {\"breakers\": [{…}]}, each with the fields below."},
    Verb{{"trips", "[TRIP]", 0, 1, kTripsOptions},
         "the trips, newest first; one trip with its evidence",
         kTripFields,
         &showTrips,
         "--json: {\"trips\": [{…}]}, each with the fields below. With TRIP that one's fields alone, and detail, "
         "arguments, destination."},
    Verb{{"queue", "", 0, 0, {}},
         "the tasks that stopped agents left",
         kQueueFields,
         &showQueue,
         "--json: {\"queue\": [{…}]}, each with the fields below. To act: queue take, return, resume, abandon."},
};

} // namespace

std::span<const Verb> showVerbs() noexcept
{
    return kVerbs;
}

} // namespace handreset::ctl

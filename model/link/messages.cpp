#include "model/link/messages.h"

#include "model/rules/codec.h"

#include <algorithm>
#include <utility>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;

std::string encode(const ToHost &message)
{
    return rules::encodeCbor(message);
}

std::string encode(const ToClient &message)
{
    return rules::encodeCbor(message);
}

rules::Result<ToHost> decodeToHost(std::string_view bytes)
{
    return rules::decodeCbor<ToHost>(bytes);
}

rules::Result<ToClient> decodeToClient(std::string_view bytes)
{
    return rules::decodeCbor<ToClient>(bytes);
}

WireError toWire(const Error &error)
{
    return {static_cast<std::uint8_t>(error.code), error.message, error.context};
}

WireEvent toWire(rules::Event event)
{
    return {event.seq,
            event.ruleTime,
            event.steady,
            event.sourceTime,
            event.agent,
            event.task,
            event.row,
            std::move(event.payload),
            std::move(event.arguments)};
}

std::vector<WireEvent> toWire(std::vector<rules::Event> events)
{
    std::vector<WireEvent> wire;
    wire.reserve(events.size());
    for (rules::Event &event : events)
        wire.push_back(toWire(std::move(event)));
    return wire;
}

HostBeat toWire(const engine::HostStatus &status)
{
    return {static_cast<std::uint8_t>(status.health), status.trouble, status.committed, status.lastBeat, status.queued};
}

ActAnswer toWire(std::uint64_t number, const engine::Reply &reply)
{
    ActAnswer answer;
    answer.number = number;
    answer.committed = reply.committed;
    if (const auto *done = std::get_if<rules::ActDone>(&reply.outcome))
        answer.done = WireActDone{done->seq, done->trip, done->revision, done->request};
    else if (const auto *error = std::get_if<Error>(&reply.outcome))
        answer.error = toWire(*error);
    return answer;
}

Error fromWire(WireError error)
{
    // What a newer host tells in a code of its own is a failure all the same.
    constexpr auto last = static_cast<std::uint8_t>(ErrorCode::Cancelled);
    const auto code = error.code <= last ? static_cast<ErrorCode>(error.code) : ErrorCode::Unavailable;
    return {code, std::move(error.message), std::move(error.context)};
}

std::vector<rules::Event> fromWire(std::vector<WireEvent> events)
{
    std::vector<rules::Event> out;
    out.reserve(events.size());
    for (WireEvent &event : events) {
        out.push_back({event.seq, event.ruleTime, event.steady, event.sourceTime, event.agent, event.task, event.row,
                       std::move(event.payload), std::move(event.arguments)});
    }
    return out;
}

engine::HostStatus fromWire(HostBeat beat)
{
    // A state that this program does not know is none in which it may call the host healthy.
    constexpr auto last = static_cast<std::uint8_t>(engine::StoreHealth::Refused);
    const auto health
        = beat.health <= last ? static_cast<engine::StoreHealth>(beat.health) : engine::StoreHealth::Failing;
    return {health, std::move(beat.trouble), beat.committed, beat.lastBeat, beat.queued};
}

engine::Reply fromWire(ActAnswer answer)
{
    engine::Reply reply;
    reply.committed = answer.committed;
    if (answer.error)
        reply.outcome = fromWire(*std::move(answer.error));
    else if (answer.done)
        reply.outcome
            = rules::ActDone{answer.done->seq, answer.done->trip, answer.done->revision, answer.done->request};
    return reply;
}

} // namespace handreset::link

#include "model/rules/event.h"

#include "model/rules/act.h"
#include "model/rules/codec.h"
#include "model/rules/json_text.h"
#include "model/rules/overloaded.h"

#include <type_traits>

namespace handreset::rules {

namespace {

std::int64_t number(TripId id)
{
    return static_cast<std::int64_t>(id.value);
}

/// Decodes the alternative of this index, found by walking the variant's list once.
template <std::size_t Index = 0>
Result<Payload> decodeAlternative(std::size_t kind, std::string_view bytes)
{
    if constexpr (Index == kEventKinds) {
        return Error{ErrorCode::BadInput, "event of a kind that this version does not know; use a newer version",
                     "kind " + std::to_string(kind)};
    } else {
        if (kind != Index)
            return decodeAlternative<Index + 1>(kind, bytes);
        auto decoded = decodeCbor<std::variant_alternative_t<Index, Payload>>(bytes);
        if (!decoded)
            return decoded.error();
        return Payload(std::in_place_index<Index>, std::move(*decoded));
    }
}

void member(std::string &out, std::string_view name, std::string_view text)
{
    out += ",\"";
    out += name;
    out += "\":";
    appendJsonString(out, text);
}

/// The names behind a payload's numbers.
template <class P>
void writeNames(std::string &out, const P &payload, const NameTable &names)
{
    const auto write = [&out, &names](std::string_view field, auto id) {
        if (id.isSet())
            member(out, field, names(id));
    };
    if constexpr (requires { payload.tool; })
        write("tool", payload.tool);
    if constexpr (requires { payload.breaker.tool; })
        write("tool", payload.breaker.tool);
    if constexpr (requires { payload.endpoint; })
        write("endpoint", payload.endpoint);
    if constexpr (requires { payload.model; })
        write("model", payload.model);
    if constexpr (requires { names(payload.key); })
        write("key", payload.key);
    if constexpr (requires { payload.session; })
        write("session", payload.session);
    if constexpr (requires { payload.by; }) {
        if constexpr (std::is_same_v<std::decay_t<decltype(payload.by)>, OperatorId>)
            write("operator", payload.by);
    }
    if constexpr (requires { payload.who; })
        write("who", payload.who);
    if constexpr (requires { payload.approvedBy; })
        write("second_person", payload.approvedBy);
    if constexpr (requires { payload.subject; }) {
        write("tool", payload.subject.tool);
        write("key", payload.subject.key);
        write("endpoint", payload.subject.endpoint);
        member(out, "signal", toWord(payload.subject.signal));
    }
}

std::string hexOf(std::string_view bytes)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        out += kDigits[value >> 4U];
        out += kDigits[value & 15U];
    }
    return out;
}

/// Bytes in hexadecimal, and the act as an object, so that a reader can see what was signed.
void writeSigned(std::string &out, const ActSigned &payload)
{
    const auto &one = payload.act;
    out += "{\"by\":";
    appendJsonString(out, one.by);
    out += ",\"at\":";
    writeJson(out, one.at);
    for (const auto &[name, text] : {std::pair{"store_id", one.storeId},
                                     {"machine", one.machine},
                                     {"session", one.session},
                                     {"channel", payload.origin.channel},
                                     {"nonce", hexOf(one.nonce)},
                                     {"signature", hexOf(one.signature)}})
        member(out, name, text);
    if (one.breakGlass)
        out += ",\"break_glass\":true";
    if (const auto act = decodeAct(one.act)) {
        member(out, "act", actWord(*act));
        out += ",\"asks\":";
        std::visit([&out](const auto &held) { writeJson(out, held, JsonFields::NotDefault); }, *act);
    }
    out += '}';
}

} // namespace

std::int64_t subjectOf(const Event &event) noexcept
{
    return std::visit(Overloaded{
                          [](const CallAsked &p) { return static_cast<std::int64_t>(p.tool.value); },
                          [](const CallFinished &p) { return static_cast<std::int64_t>(p.tool.value); },
                          [](const BreakerMoved &p) { return static_cast<std::int64_t>(p.breaker.tool.value); },
                          [](const RefusalsCounted &p) { return static_cast<std::int64_t>(p.tool.value); },
                          [&event](const TripFired &) { return static_cast<std::int64_t>(event.seq.value); },
                          [](const TripFiredAgain &p) { return number(p.trip); },
                          [](const TripOpened &p) { return number(p.trip); },
                          [](const TripAcknowledged &p) { return number(p.trip); },
                          [](const TripRearmed &p) { return number(p.trip); },
                          [](const ReasonGiven &p) { return number(p.trip); },
                          [](const ActRefused &p) { return number(p.trip); },
                          [](const ApprovalRequested &p) { return number(p.trip); },
                          [](const PassGiven &p) { return static_cast<std::int64_t>(p.tool.value); },
                          [](const auto &) { return std::int64_t{0}; },
                      },
                      event.payload);
}

void encodePayload(std::string &out, const Payload &payload)
{
    std::visit([&out](const auto &alternative) { encodeCborTo(out, alternative); }, payload);
}

Result<Payload> decodePayload(std::uint8_t kind, std::string_view bytes)
{
    return decodeAlternative(kind, bytes);
}

std::string eventToJson(const Event &event, const NameTable &names)
{
    std::string out = "{\"seq\":" + std::to_string(event.seq.value);
    member(out, "kind", event.kindWord());
    out += ",\"rule_time\":";
    writeJson(out, event.ruleTime);
    if (event.sourceTime) {
        out += ",\"source_time\":";
        writeJson(out, *event.sourceTime);
    }
    if (event.agent.isSet())
        member(out, "agent", names(event.agent));
    if (event.task.isSet())
        member(out, "task", names(event.task));
    if (event.row != 0)
        out += ",\"row\":" + std::to_string(event.row);
    std::visit(
        [&out, &names](const auto &payload) {
            writeNames(out, payload, names);
            out += ",\"is\":";
            if constexpr (std::is_same_v<std::decay_t<decltype(payload)>, ActSigned>)
                writeSigned(out, payload);
            else
                writeJson(out, payload, JsonFields::NotDefault);
        },
        event.payload);
    if (!event.arguments.empty())
        member(out, "arguments", event.arguments);
    out += '}';
    return out;
}

} // namespace handreset::rules

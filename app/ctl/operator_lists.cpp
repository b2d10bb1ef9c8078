#include "app/ctl/operator_lists.h"

#include "app/ctl/signing.h"
#include "app/ctl/table.h"
#include "model/engine/root_guard.h"
#include "model/rules/act_changes.h"
#include "model/rules/words_of_time.h"

#include <algorithm>

namespace handreset::ctl {

namespace {

std::optional<rules::Act> actOf(const rules::ActRequest &request)
{
    auto act = rules::decodeAct(request.act.act);
    return act ? std::optional(std::move(*act)) : std::nullopt;
}

std::string aboutText(const rules::Fleet &fleet, rules::AgentId agent, rules::TripId trip)
{
    auto text = agent.isSet() ? fleet.names(agent) : std::string("the fleet");
    return trip.isSet() ? text + ", trip " + std::to_string(trip.value) : text;
}

} // namespace

void writeOperators(JsonWriter &json, const rules::Fleet &fleet)
{
    json.beginArray("operators");
    for (const auto &[id, one] : fleet.operators) {
        json.beginObject();
        json.text("name", fleet.names(id));
        json.text("role", rules::toWord(one.role));
        json.flag("active", one.isActive());
        json.text("key", keyText(one.key));
        json.text("fingerprint", rules::fingerprintOf(one.key));
        json.flag("root", one.enrolledBy == id);
        json.instant("enrolled_at", one.enrolledAt);
        json.text("enrolled_by", fleet.names(one.enrolledBy));
        json.instant("key_since", one.keySince);
        json.instant("retired_at", one.retiredAt);
        json.text("retired_by", fleet.names(one.retiredBy));
        json.end();
    }
    json.end();
}

std::string operatorsText(const rules::Fleet &fleet)
{
    if (fleet.operators.empty())
        return fleet.recorded ? "A store of recorded runs has no operators.\n"
                              : "No operator is enrolled: every act counts, whoever does it. Enrol the first one: "
                                "handresetctl operator enrol NAME\n";
    Table table({{"OPERATOR"}, {"ROLE"}, {"KEY"}, {"ENROLLED"}, {"BY"}, {"STATE"}});
    for (const auto &[id, one] : fleet.operators)
        table.add({fleet.names(id), std::string(rules::toWord(one.role)), rules::fingerprintOf(one.key),
                   rules::utcStamp(one.enrolledAt),
                   one.enrolledBy == id ? "themselves, the first" : fleet.names(one.enrolledBy),
                   one.isActive() ? "active" : "retired " + rules::utcStamp(*one.retiredAt)});
    auto text = table.toString();
    if (fleet.approvers() < 2)
        text
            += "There is one approver: what takes two persons can only be done by breaking the glass. Enrol another.\n";
    return text;
}

void writeRequests(JsonWriter &json, const rules::Fleet &fleet)
{
    json.beginArray("requests");
    for (const auto &[id, request] : fleet.requests) {
        const auto act = actOf(request);
        json.beginObject();
        json.number("request", id.value);
        json.text("act", act ? rules::actWord(*act) : std::string());
        json.text("by", fleet.names(request.by));
        json.text("machine", request.act.machine);
        json.text("agent", fleet.names(request.agent));
        json.number("trip", request.trip.value);
        json.text("why", request.why);
        json.text("reason", act ? rules::reasonOf(*act) : std::string_view());
        json.beginArray("changes");
        if (act) {
            for (const auto &line : rules::changesOf(fleet, *act))
                json.element(line);
        }
        json.end();
        json.instant("requested_at", request.requestedAt);
        json.instant("expires", request.expires);
        json.end();
    }
    json.end();
}

std::string requestText(const rules::Fleet &fleet, rules::Seq id, const rules::ActRequest &request)
{
    const auto act = actOf(request);
    std::string text = "Request " + std::to_string(id.value) + ": " + (act ? rules::actWord(*act) : std::string("?"))
        + ", " + visible(aboutText(fleet, request.agent, request.trip)) + "\n  asked by  "
        + visible(fleet.names(request.by)) + " on " + visible(request.act.machine) + ", until "
        + rules::utcStamp(request.expires) + "\n  two, for  " + visible(request.why, 200) + "\n  reason    "
        + (act ? visible(rules::reasonOf(*act), 400) : std::string()) + '\n';
    if (act) {
        for (const auto &line : rules::changesOf(fleet, *act))
            text += "  change    " + visible(line, 400) + '\n';
    }
    return text;
}

std::string requestsText(const rules::Fleet &fleet, rules::Now)
{
    std::string text;
    for (const auto &[id, request] : fleet.requests)
        text += requestText(fleet, id, request) + '\n';
    if (text.empty())
        return "Nothing waits for a second person.\n";
    return text + "The second person: handresetctl approve REQUEST, or decline REQUEST --reason R.\n";
}

void writeReviews(JsonWriter &json, const rules::Fleet &fleet)
{
    json.beginArray("reviews");
    for (const auto &[id, review] : fleet.reviews) {
        json.beginObject();
        json.number("review", id.value);
        json.text("act", review.act);
        json.text("by", fleet.names(review.by));
        json.text("agent", fleet.names(review.agent));
        json.text("why", review.why);
        json.text("reason", review.reason);
        json.instant("at", review.at);
        json.end();
    }
    json.end();
}

std::string reviewsText(const rules::Fleet &fleet)
{
    if (fleet.reviews.empty())
        return "No review is open.\n";
    Table table({{"REVIEW", Align::Right}, {"TIME"}, {"ACT"}, {"BY"}, {"AGENT"}, {"REASON", Align::Left, kWidestText}});
    for (const auto &[id, review] : fleet.reviews)
        table.add({std::to_string(id.value), rules::utcStamp(review.at), review.act, fleet.names(review.by),
                   fleet.names(review.agent), review.reason});
    return table.toString() + "Another person than the one who acted: handresetctl close-review REVIEW --reason R.\n";
}

} // namespace handreset::ctl

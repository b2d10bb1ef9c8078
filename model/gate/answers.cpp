#include "model/gate/answers.h"

#include "model/rules/client_id.h"
#include "model/rules/json_text.h"
#include "model/rules/matrix.h"
#include "model/rules/words.h"
#include "model/rules/words_of_time.h"

#include <charconv>
#include <set>

namespace handreset::gate {

using rules::appendJsonString;
using rules::toWord;

namespace {

/// `,"name":` or `{"name":`, as the text stands.
void appendName(std::string &out, std::string_view name)
{
    if (out.back() != '{')
        out += ',';
    appendJsonString(out, name);
    out += ':';
}

void appendText(std::string &out, std::string_view name, std::string_view text)
{
    appendName(out, name);
    appendJsonString(out, text);
}

void appendNumber(std::string &out, std::string_view name, std::uint64_t number)
{
    appendName(out, name);
    out += std::to_string(number);
}

void appendRetry(std::string &out, const rules::Refusal &refusal)
{
    appendName(out, "retry");
    if (refusal.retry == rules::RetryKind::Never || refusal.retry == rules::RetryKind::AfterHuman) {
        appendJsonString(out, toWord(refusal.retry));
        return;
    }
    out += '{';
    appendName(out, toWord(refusal.retry));
    out += std::to_string(refusal.retryAfter) + '}';
}

void appendReason(std::string &out, const rules::Refusal &refusal, std::string_view tool)
{
    appendName(out, "reason");
    out += '{';
    appendText(out, "source", refusal.source == rules::RefusalSource::None ? "store" : toWord(refusal.source));
    if (refusal.trip.isSet())
        appendNumber(out, "trip", refusal.trip.value);
    if (refusal.breaker.isSet())
        appendText(out, "breaker", tool);
    appendText(out, "text", refusal.text);
    appendRetry(out, refusal);
    out += '}';
}

void appendTrip(std::string &out, const rules::Fleet &fleet, const rules::Trip &trip, rules::AgentId reader)
{
    out += out.back() == '[' ? "{" : ",{";
    appendNumber(out, "trip", trip.id.value);
    appendText(out, "signal", toWord(trip.subject.signal));
    appendText(out, "rung", toWord(trip.rung));
    appendText(out, "reaches", toWord(trip.reach));
    if (trip.root.isSet() && fleet.task(trip.root).agent == reader) // another agent's names are none of its business
        appendText(out, "task", fleet.names(trip.root));
    appendText(out, "measured", trip.evidence.measured);
    appendText(out, "limit", trip.evidence.limit);
    appendText(out, "fired_at", rules::utcStamp(trip.firedAt));
    appendText(out, "rearm", trip.latch == rules::LatchState::HeldByClock ? "clock" : "human");
    out += '}';
}

void appendLimit(std::string &out, const rules::MatrixLine &line)
{
    out += out.back() == '[' ? "{" : ",{";
    appendText(out, "signal", toWord(line.signal));
    if (!line.where.empty())
        appendText(out, "where", line.where);
    appendText(out, "coverage", toWord(line.coverage));
    if (!line.limit.empty())
        appendText(out, "limit", line.limit);
    if (!line.used.empty())
        appendText(out, "used", line.used);
    if (const auto used = rules::Decimal::parse(line.used), limit = rules::Decimal::parse(line.limit); used && limit)
        appendText(out, "left", std::max(*limit - *used, rules::Decimal{}).toString(0));
    if (!line.unit.empty())
        appendText(out, "unit", line.unit);
    appendText(out, "action", toWord(line.action));
    if (!line.why.empty())
        appendText(out, "why", line.why);
    out += '}';
}

} // namespace

std::string decisionJson(const rules::Decision &decision, std::string_view clientId, std::string_view tool)
{
    std::string out = "{";
    appendName(out, "id");
    if (!clientId.empty())
        appendJsonString(out, clientId);
    else if (decision.id.isSet())
        appendJsonString(out, std::string(rules::kHostsId) + std::to_string(decision.id.value));
    else
        out += "null";
    appendText(out, "decision", decision.allow ? "allow" : "deny");
    appendText(out, "rung", toWord(decision.rung));
    appendName(out, "writes");
    out += decision.writes ? "true" : "false";
    if (!decision.model.empty())
        appendText(out, "model", decision.model);
    if (decision.probe) {
        appendName(out, "probe");
        out += "true";
    }
    if (!decision.allow)
        appendReason(out, decision.reason, tool);
    out += '}';
    return out;
}

std::string agentJson(const rules::Fleet &fleet, std::string_view agent, rules::Now now)
{
    const rules::AgentId id{fleet.names.find(rules::NameKind::Agent, agent)};
    std::string out = "{";
    appendText(out, "agent", agent);
    appendText(out, "rung", toWord(fleet.agent(id).rung));
    appendNumber(out, "revision", fleet.agent(id).revision.value);
    appendName(out, "trips");
    out += '[';
    for (const auto &[number, trip] : fleet.trips) {
        const bool isOfTask = id.isSet() && trip.reach == rules::Reach::Task && fleet.task(trip.root).agent == id;
        if (id.isSet() && (isOfTask || fleet.reachesAgent(trip, id)))
            appendTrip(out, fleet, trip, id);
    }
    out += ']';
    appendName(out, "limits");
    out += '[';
    if (id.isSet()) {
        for (const auto &line : rules::matrixOf(fleet, id, now))
            appendLimit(out, line);
    }
    out += "]}";
    return out;
}

AskName askNamed(std::string_view id)
{
    if (!id.starts_with(rules::kHostsId))
        return {{}, std::string(id)};
    const auto digits = id.substr(rules::kHostsId.size());
    std::uint64_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool isWhole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    return {isWhole ? rules::AskId{number} : rules::AskId{}, std::string(id)};
}

} // namespace handreset::gate

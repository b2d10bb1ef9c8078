#include "model/rules/words_of_event.h"

#include "model/rules/act.h"
#include "model/rules/breaker.h"
#include "model/rules/overloaded.h"

#include <string_view>
#include <type_traits>

namespace handreset::rules {

namespace {

[[nodiscard]] std::string joined(std::string_view a, std::string_view separator, std::string_view b)
{
    std::string text(a);
    if (!a.empty() && !b.empty())
        text += separator;
    text += b;
    return text;
}

[[nodiscard]] std::string byWhom(OperatorId by, const NameTable &names)
{
    return by ? "by " + names(by) : std::string("by the clock");
}

/// What a model call is charged, and where the amount comes from; empty where nothing is.
std::string costWords(const StepOutcome &outcome)
{
    const std::string amount = "cost " + outcome.cost.toString(2);
    switch (outcome.costSource) {
    case CostSource::None:
        return outcome.cost.isZero() ? std::string() : amount;
    case CostSource::Reported:
        return amount + " as reported";
    case CostSource::Priced:
        return amount + " by the price table";
    case CostSource::Unpriced:
        return amount + ", an estimate: the model has no price";
    case CostSource::NoResult:
        return amount + ", as reserved: no result came";
    }
    return amount;
}

/// "closed → degraded": where a row of the breaker's table leads to; empty for one that does not move.
[[nodiscard]] std::string transitionWords(std::uint8_t row)
{
    const BreakerRow *const found = rowOfId(kBreakerTable, row);
    return found && found->moves ? "to " + std::string(toWord(found->to)) : std::string();
}

/// Makes the words of one event; lives for one call of `wordsOf`.
struct Teller {
    const Event &event;
    const Fleet &fleet;
    const NameTable &names = fleet.names;

    [[nodiscard]] EventWords refusal(std::string subject, const Refusal &refusal) const
    {
        std::string text = refusal.text.empty() ? std::string(toWord(refusal.source)) : refusal.text;
        return {"refused", std::move(subject), std::move(text), Weight::Refused};
    }

    [[nodiscard]] EventWords ofTrip(std::string word, TripId id, std::string tail, Weight weight) const
    {
        const Trip *const trip = fleet.trip(id);
        std::string title = trip ? tripTitle(trip->subject, names) : "trip " + std::to_string(id.value);
        return {std::move(word), std::move(title), std::move(tail), weight};
    }

    EventWords operator()(const StoreCreated &e) const
    {
        return {"created",
                {},
                "the store of the fleet \"" + e.fleet + '"' + (e.isUnsigned ? ", unsigned" : ""),
                Weight::ByOperator};
    }
    EventWords operator()(const HostStarted &e) const
    {
        std::string text = joined("version " + e.version, ", by ", e.operatorName);
        if (e.kind != HostKind::Passing)
            text = joined("the " + std::string(toWord(e.kind)), ", ", text);
        return {"host started", {}, std::move(text), Weight::Moved};
    }
    EventWords operator()(const Named &e) const
    {
        return {"named", e.text, std::string(toWord(e.kind)), Weight::Ordinary};
    }
    EventWords operator()(const PolicyApplied &e) const
    {
        return {"policy", e.file,
                joined("version " + std::to_string(e.version) + ' ' + byWhom(e.by, names)
                           + (e.approvedBy ? " and " + names(e.approvedBy) : std::string()),
                       ": ", e.reason),
                Weight::ByOperator};
    }
    EventWords operator()(const StepAsked &e) const
    {
        std::string subject = e.model ? names(e.model) : names(e.endpoint);
        if (e.answer == Answer::Deny)
            return refusal(std::move(subject), e.refusal);
        // Which step it was is known where the fleet is as of this event; later it has counted on.
        const auto number = fleet.seq == event.seq
            ? "step " + std::to_string(fleet.counters.root(fleet.rootOf(event.task)).steps)
            : std::string("a step");
        const std::string cost = e.outcome ? costWords(*e.outcome) : std::string();
        return {"allowed", std::move(subject), joined(number + (e.degraded ? ", degraded" : ""), ", ", cost),
                Weight::Ordinary};
    }
    EventWords operator()(const StepFinished &e) const
    {
        std::string text = e.outcome.ok ? "model call done" : "model call failed";
        if (e.outcome.status != 0 && !e.outcome.ok)
            text += ", status " + std::to_string(e.outcome.status);
        text = joined(text, ", ", costWords(e.outcome));
        return {e.late ? "late" : "result", names(e.outcome.model), joined(text, ": ", e.outcome.error), Weight::Ordinary};
    }
    EventWords operator()(const CallAsked &e) const
    {
        if (e.answer == Answer::Deny)
            return refusal(names(e.tool), e.refusal);
        const std::string moved = transitionWords(event.row);
        return {"allowed", names(e.tool), joined(e.probe ? "as the probe" : "tool call", ", ", moved),
                moved.empty() ? Weight::Ordinary : Weight::Moved};
    }
    EventWords operator()(const CallFinished &e) const
    {
        const std::string moved = transitionWords(event.row);
        const std::string text = joined(joined(toWord(e.outcome), ", ", moved), ": ", e.error);
        return {event.row == kLateRow ? "late" : "result", names(e.tool), text,
                moved.empty() ? Weight::Ordinary : Weight::Moved};
    }
    EventWords operator()(const RefusalsCounted &e) const
    {
        EventWords words = refusal(names(e.tool), e.refusal);
        words.sentence = joined(std::to_string(e.count) + (e.count == 1 ? " ask" : " asks"), ": ", words.sentence);
        return words;
    }
    EventWords operator()(const TripFired &e) const
    {
        std::string text = joined(e.evidence.measured, " against ", e.evidence.limit);
        text = joined(text, ", ", e.by ? "by " + names(e.by) : std::string());
        text = joined(text, ", ", toWord(e.rung));
        return {"trip", tripTitle(e.subject, names), joined(text, ": ", e.reason),
                e.by ? Weight::ByOperator : Weight::Trip};
    }
    EventWords operator()(const TripFiredAgain &e) const
    {
        return ofTrip("fired again", e.trip, e.measured, Weight::Refused);
    }
    EventWords operator()(const TripOpened &e) const { return ofTrip("trip opened", e.trip, e.measured, Weight::Trip); }
    EventWords operator()(const WatchNoted &e) const
    {
        return {"watch", std::string(toWord(e.signal)), "would have tripped at " + e.watch + ": " + e.measured,
                Weight::Moved};
    }
    EventWords operator()(const TripAcknowledged &e) const
    {
        return ofTrip("acknowledged", e.trip, joined(byWhom(e.by, names), ": ", e.note), Weight::ByOperator);
    }
    EventWords operator()(const TripRearmed &e) const
    {
        std::string text = "to " + std::string(toWord(e.to)) + ' ' + byWhom(e.by, names);
        if (e.approvedBy)
            text += " and " + names(e.approvedBy);
        if (e.by) // else the cause is the clock, and was said
            text = joined(text, ", ", e.cause);
        return ofTrip("re-armed", e.trip, joined(text, ": ", e.reason), e.by ? Weight::ByOperator : Weight::Moved);
    }
    EventWords operator()(const Granted &e) const
    {
        std::string text = e.grant.steps != 0 ? std::to_string(e.grant.steps) + " more steps" : std::string();
        if (!e.grant.spend.isZero())
            text = joined(text, ", ", e.grant.spend.toString(2) + " more to spend");
        if (e.grant.volumeCalls != 0)
            text = joined(text, ", ", std::to_string(e.grant.volumeCalls) + " more calls");
        if (!e.grant.volumeValue.isZero())
            text = joined(text, ", ", e.grant.volumeValue.toString(2) + " more value");
        return {"granted", tripTitle(e.subject, names), joined(text + ' ' + byWhom(e.by, names), ": ", e.reason),
                Weight::ByOperator};
    }
    EventWords operator()(const ReasonGiven &e) const
    {
        return ofTrip("reason", e.trip, joined(byWhom(e.by, names), ": ", e.reason), Weight::ByOperator);
    }
    EventWords operator()(const BreakerMoved &e) const
    {
        const std::string moved = transitionWords(event.row);
        if (e.event == BreakerEvent::LeaseOver)
            return {"lease over", names(e.breaker.tool), joined("the probe never settled", ", ", moved), Weight::Moved};
        return {std::string(toWord(e.event)), names(e.breaker.tool),
                joined(joined(byWhom(e.by, names), ", ", moved), ": ", e.reason), Weight::ByOperator};
    }
    EventWords operator()(const QueueActed &e) const
    {
        return {"queue " + std::string(toWord(e.verb)),
                {},
                joined(byWhom(e.by, names), ": ", e.reason),
                Weight::ByOperator};
    }
    EventWords operator()(const TaskNoted &e) const { return {"note", {}, e.text, Weight::Moved}; }
    EventWords operator()(const TaskLabelled &e) const { return {"label", {}, e.labels, Weight::Ordinary}; }
    EventWords operator()(const TaskEnded &e) const
    {
        return {e.by ? "abandoned" : "ended",
                {},
                joined(e.outcome, " ", e.by ? byWhom(e.by, names) : std::string()),
                e.by ? Weight::ByOperator : Weight::Ordinary};
    }
    EventWords operator()(const ResultMissing &e) const
    {
        return {"no result", {}, e.forgotten ? "forgotten after a day" : "the reservation was charged", Weight::Moved};
    }
    EventWords operator()(const ClockJumped &e) const
    {
        return {"clock jumped", {},
                std::to_string(e.by.micros / 1'000'000) + " s" + (e.overReboot ? ", over a reboot" : "")
                    + "; what the clock would lift waits for a person",
                Weight::Trip};
    }
    EventWords operator()(const ClockConfirmed &e) const
    {
        return {"clock confirmed", {}, joined(byWhom(e.by, names), ": ", e.reason), Weight::ByOperator};
    }
    EventWords operator()(const ActRefused &e) const
    {
        return {e.act + " refused", e.trip ? "trip " + std::to_string(e.trip.value) : std::string(),
                joined(e.why, ", ", byWhom(e.by, names)), Weight::ByOperator};
    }
    EventWords operator()(const ActSigned &e) const
    {
        const auto act = decodeAct(e.act.act);
        std::string text = (act ? actWord(*act) : std::string("an act")) + " by " + e.act.by;
        text = joined(text, ", on ", e.act.machine);
        return {"signed",
                {},
                joined(text, ", over ", e.origin.channel) + (e.act.breakGlass ? ", glass broken" : ""),
                Weight::Moved};
    }
    EventWords operator()(const OperatorEnrolled &e) const
    {
        return {"operator enrolled", names(e.who),
                joined("as " + std::string(toWord(e.role)) + ' ' + byWhom(e.by, names), ": ", e.reason),
                Weight::ByOperator};
    }
    EventWords operator()(const OperatorRetired &e) const
    {
        return {"operator retired", names(e.who), joined(byWhom(e.by, names), ": ", e.reason), Weight::ByOperator};
    }
    EventWords operator()(const KeyRotated &e) const
    {
        return {"key rotated", names(e.who), joined(byWhom(e.by, names), ": ", e.reason), Weight::ByOperator};
    }
    EventWords operator()(const ApprovalRequested &e) const
    {
        return {"approval asked", e.trip ? "trip " + std::to_string(e.trip.value) : std::string(),
                joined(e.act + ' ' + byWhom(e.by, names) + ", " + e.why, ": ", e.reason), Weight::ByOperator};
    }
    EventWords operator()(const RequestEnded &e) const
    {
        std::string text = e.by ? byWhom(e.by, names) : std::string();
        text = joined(text, ", from ", e.closeness);
        return {"request " + std::string(toWord(e.how)), "request " + std::to_string(e.request.value),
                joined(text, ": ", e.reason), e.by ? Weight::ByOperator : Weight::Moved};
    }
    EventWords operator()(const PassGiven &e) const
    {
        return {"pass given", names(e.tool),
                joined("for the call refused at " + std::to_string(e.ask.value) + ' ' + byWhom(e.by, names)
                           + (e.approvedBy ? " and " + names(e.approvedBy) : std::string()),
                       ": ", e.reason),
                Weight::ByOperator};
    }
    EventWords operator()(const GlassBroken &e) const
    {
        return {"glass broken",
                {},
                joined(e.act + ' ' + byWhom(e.by, names) + " alone, " + e.why, ": ", e.reason),
                Weight::Trip};
    }
    EventWords operator()(const ReviewClosed &e) const
    {
        return {"review closed", "review " + std::to_string(e.review.value),
                joined(byWhom(e.by, names), ": ", e.reason), Weight::ByOperator};
    }
    EventWords operator()(const TokenAdded &e) const
    {
        return {"token added", e.feed.empty() ? std::string() : "feed " + e.feed,
                joined("number " + std::to_string(event.seq.value) + ' ' + byWhom(e.by, names), ": ", e.reason),
                Weight::ByOperator};
    }
    EventWords operator()(const TokenRevoked &e) const
    {
        return {"token revoked", "token " + std::to_string(e.token.value),
                joined(byWhom(e.by, names), ": ", e.reason), Weight::ByOperator};
    }
    EventWords operator()(const AskRefusedAgain &e) const
    {
        return {"refused again", "ask " + std::to_string(e.ask.value),
                "asked once more under the id " + e.id + ": " + e.refusal.text, Weight::Moved};
    }
    EventWords operator()(const StoreTrusted &e) const
    {
        return {e.act, {}, joined(byWhom(e.by, names), ": ", e.reason), Weight::ByOperator};
    }
};

} // namespace

EventWords wordsOf(const Event &event, const Fleet &fleet)
{
    return std::visit(Teller{event, fleet}, event.payload);
}

std::string tripTitle(const TripSubject &subject, const NameTable &names)
{
    std::string title(toWord(subject.signal));
    switch (subject.signal) {
    case Signal::Spend: {
        WindowKind window;
        window.hours = subject.windowHours;
        return title + ' ' + window.toString();
    }
    case Signal::Provider:
        return joined(title, " ", names(subject.endpoint));
    case Signal::Envelope:
        title = joined(title, " ", names(subject.tool));
        break;
    case Signal::Operator:
        return "stop to " + std::string(toWord(subject.rung));
    case Signal::Steps:
    case Signal::Repetition:
    case Signal::Probation:
    case Signal::Tamper:
        break;
    }
    std::string cap(toWord(subject.cap));
    for (char &c : cap) {
        if (c == '_')
            c = ' ';
    }
    return joined(title, " ", cap);
}

std::string tripMeasured(const Trip &trip)
{
    if (trip.subject.signal == Signal::Operator)
        return trip.reason.empty() ? std::string("a person's stop, reason not given yet") : trip.reason;
    if (trip.evidence.limit.empty())
        return joined(trip.evidence.measured, ": ", trip.evidence.detail);
    return trip.evidence.measured + " against " + trip.evidence.limit;
}

} // namespace handreset::rules

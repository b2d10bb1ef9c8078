#include "model/live/requests_from_fleet.h"

#include "model/engine/root_guard.h"
#include "model/live/rows_from_fleet.h"
#include "model/rules/act.h"
#include "model/rules/policy_diff.h"
#include "model/rules/policy_text.h"
#include "model/rules/words_of_event.h"
#include "model/rules/words_of_time.h"

#include <variant>

namespace handreset::live {

using namespace rules;

namespace {

constexpr qsizetype kMostChanges = 60; ///< lines; a policy may change more

[[nodiscard]] QString line(const char *head, const QString &what)
{
    return QString::fromLatin1(head) + QStringLiteral(": ") + what;
}

[[nodiscard]] QString grantWords(const Grant &grant)
{
    QStringList parts;
    if (grant.steps != 0)
        parts.append(QStringLiteral("%1 more steps").arg(grant.steps));
    if (!(grant.spend == Decimal{}))
        parts.append(QStringLiteral("%1 more to spend until the window ends").arg(toText(grant.spend.toString(2))));
    if (grant.volumeCalls != 0)
        parts.append(QStringLiteral("%1 more calls").arg(grant.volumeCalls));
    if (!(grant.volumeValue == Decimal{}))
        parts.append(QStringLiteral("%1 more of value").arg(toText(grant.volumeValue.toString(2))));
    return parts.join(QStringLiteral(", "));
}

[[nodiscard]] QString keyWords(const PublicKey &key)
{
    return toText(engine::fingerprintOf(key));
}

/// Says what would be different, act by act.
struct Changes {
    const Fleet &fleet;
    QStringList lines = {};

    void tripLines(const Trip &trip)
    {
        lines.append(line("trip", toText(tripTitle(trip.subject, fleet.names))));
        lines.append(line("measured", toText(tripMeasured(trip))));
        if (trip.evidence.tool)
            lines.append(
                line("the call",
                     toText(fleet.names(trip.evidence.tool)) + QLatin1Char(' ') + toText(trip.evidence.arguments)));
    }
    void operator()(const Rearm &act)
    {
        if (const Trip *trip = fleet.trip(act.trip)) {
            lines.append(line("rung it holds",
                              QStringLiteral("%1 → %2").arg(toText(toWord(trip->rung)), toText(toWord(act.to)))));
            tripLines(*trip);
        }
        if (!act.grant.empty())
            lines.append(line("grant", grantWords(act.grant)));
        for (const auto &[task, verb] : act.queue)
            lines.append(
                line("queued task", QStringLiteral("%1: %2").arg(toText(fleet.names(task)), toText(toWord(verb)))));
        if (!act.cause.empty())
            lines.append(line("cause", toText(act.cause)));
    }
    void operator()(const GrantMore &act)
    {
        lines.append(line("limit", toText(tripTitle(act.subject, fleet.names))));
        lines.append(line("grant", grantWords(act.grant)));
    }
    void operator()(const ApplyPolicy &act)
    {
        const auto reading = readPolicy(act.text, act.file);
        if (!reading.accepted() || !fleet.policy) {
            lines.append(QStringLiteral("the policy cannot be read: it would be refused"));
            return;
        }
        for (const auto &change : policyDiff(*fleet.policy, *reading.policy))
            lines.append(toText(change.toString()));
        if (lines.isEmpty())
            lines.append(QStringLiteral("nothing that holds: words and order alone"));
    }
    void operator()(const EnrolOperator &act)
    {
        lines.append(
            line("operator", QStringLiteral("nobody → %1, %2").arg(toText(act.name), toText(toWord(act.role)))));
        lines.append(line("key", keyWords(act.key)));
    }
    void operator()(const RetireOperator &act)
    {
        const auto *who = fleet.activeOperator(OperatorId{fleet.names.find(NameKind::Operator, act.name)});
        lines.append(line(
            "operator",
            QStringLiteral("%1, %2 → retired").arg(toText(act.name), who ? toText(toWord(who->role)) : QString())));
    }
    void operator()(const RotateKey &act)
    {
        const auto *who = fleet.activeOperator(OperatorId{fleet.names.find(NameKind::Operator, act.name)});
        lines.append(line("key of", toText(act.name)));
        lines.append(QStringLiteral("%1 → %2").arg(who ? keyWords(who->key) : QString(), keyWords(act.key)));
    }
    void operator()(const GivePass &act)
    {
        const auto found = fleet.refusedCalls.find(act.ask);
        if (found == fleet.refusedCalls.end())
            return;
        lines.append(QStringLiteral("this one call may pass the envelope, once, for 15 minutes"));
        lines.append(line("agent", toText(fleet.names(found->second.agent))));
        lines.append(line("task", toText(fleet.names(found->second.task))));
        lines.append(line("tool", toText(fleet.names(found->second.tool))));
        const Trip *trip = fleet.trip(found->second.trip);
        if (trip && trip->evidence.tool == found->second.tool) {
            lines.append(line("arguments", toText(trip->evidence.arguments)));
            lines.append(line("measured", toText(tripMeasured(*trip))));
        }
    }
    template <class Other>
    void operator()(const Other &)
    {}
};

[[nodiscard]] QString aboutWords(const Fleet &fleet, AgentId agent, TripId id)
{
    QString words = agent ? toText(fleet.names(agent)) : QStringLiteral("the fleet");
    if (const Trip *trip = fleet.trip(id))
        words += QStringLiteral(", ") + toText(tripTitle(trip->subject, fleet.names));
    return words;
}

[[nodiscard]] RequestState stateOf(RequestEnd how)
{
    switch (how) {
    case RequestEnd::Approved:
        return RequestState::Approved;
    case RequestEnd::Declined:
        return RequestState::Declined;
    case RequestEnd::Withdrawn:
        return RequestState::Withdrawn;
    case RequestEnd::Expired:
        return RequestState::Expired;
    case RequestEnd::Void:
        break;
    }
    return RequestState::Void;
}

[[nodiscard]] QString stateWord(RequestState state)
{
    switch (state) {
    case RequestState::Waiting:
        return QStringLiteral("waits");
    case RequestState::Approved:
        return QStringLiteral("approved");
    case RequestState::Declined:
        return QStringLiteral("declined");
    case RequestState::Withdrawn:
        return QStringLiteral("withdrawn");
    case RequestState::Expired:
        return QStringLiteral("expired");
    case RequestState::Void:
        return QStringLiteral("void");
    case RequestState::OpenReview:
        return QStringLiteral("glass broken, to review");
    case RequestState::Reviewed:
        break;
    }
    return QStringLiteral("reviewed");
}

} // namespace

QString stateWords(const RequestRow &row)
{
    QString words = stateWord(row.state);
    if (row.isOpen())
        return words;
    if (!row.endedBy.isEmpty())
        words += QStringLiteral(" by ") + row.endedBy;
    if (!row.closeness.isEmpty())
        words += QStringLiteral(", from ") + row.closeness;
    if (!row.endReason.isEmpty())
        words += QStringLiteral(": ") + row.endReason;
    return words;
}

RequestRow requestRow(const Fleet &fleet, Seq seq, const ActRequest &request)
{
    RequestRow row;
    row.seq = seq;
    row.agent = request.agent;
    row.trip = request.trip;
    row.about = aboutWords(fleet, request.agent, request.trip);
    row.by = toText(fleet.names(request.by));
    row.machine = toText(request.act.machine);
    row.session = toText(request.act.session);
    row.why = toText(request.why);
    row.at = request.requestedAt;
    row.expires = request.expires;
    const auto act = decodeAct(request.act.act);
    if (!act) { // of a newer version than this desk
        row.act = QStringLiteral("an act");
        row.changes = {QStringLiteral("this desk does not know the act: %1").arg(toText(act.error().message))};
        return row;
    }
    row.act = toText(actWord(*act));
    row.reason = toText(reasonOf(*act));
    Changes changes{fleet};
    std::visit(changes, *act);
    row.changes = std::move(changes.lines);
    if (const auto more = row.changes.size() - kMostChanges; more > 0) {
        row.changes.resize(kMostChanges);
        row.changes.append(QStringLiteral("and %1 more").arg(more));
    }
    return row;
}

RequestRow reviewRow(const Fleet &fleet, Seq seq, const OpenReview &review)
{
    RequestRow row;
    row.seq = seq;
    row.state = RequestState::OpenReview;
    row.act = toText(review.act);
    row.agent = review.agent;
    row.about = aboutWords(fleet, review.agent, {});
    row.by = toText(fleet.names(review.by));
    row.why = toText(review.why);
    row.reason = toText(review.reason);
    row.at = review.at;
    return row;
}

void end(RequestRow &row, const Fleet &fleet, const RequestEnded &ended)
{
    row.state = stateOf(ended.how);
    row.endedBy = toText(fleet.names(ended.by));
    row.endReason = toText(ended.reason);
    row.closeness = toText(ended.closeness);
}

void end(RequestRow &row, const Fleet &fleet, const ReviewClosed &closed)
{
    row.state = RequestState::Reviewed;
    row.endedBy = toText(fleet.names(closed.by));
    row.endReason = toText(closed.reason);
}

OperatorsNow operatorsNow(const Fleet &fleet)
{
    OperatorsNow now;
    now.isSigned = !fleet.isUnsigned && !fleet.recorded;
    now.approvers = static_cast<int>(fleet.approvers());
    now.unlock = fleet.policy ? fleet.policy->approval.unlock : Duration{};
    for (const auto &[id, one] : fleet.operators)
        now.operators.push_back({toText(fleet.names(id)), one.role, one.isActive()});
    return now;
}

} // namespace handreset::live

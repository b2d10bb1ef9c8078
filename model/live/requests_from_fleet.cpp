#include "model/live/requests_from_fleet.h"

#include "model/live/rows_from_fleet.h"
#include "model/rules/act.h"
#include "model/rules/act_changes.h"
#include "model/rules/authority.h"
#include "model/rules/words_of_event.h"

#include <variant>

namespace handreset::live {

using namespace rules;

namespace {

constexpr qsizetype kMostChanges = 60; ///< lines; a policy may change more

/// What the command line says of it too.
[[nodiscard]] QStringList changesOfAct(const Fleet &fleet, const Act &act)
{
    QStringList lines;
    for (const std::string &line : changesOf(fleet, act))
        lines.append(toText(line));
    return lines;
}

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
    row.what = digestOf(request);
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
    row.changes = changesOfAct(fleet, *act);
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
    now.signedAs = fleet.signedAs();
    now.approvers = static_cast<int>(fleet.approvers());
    now.unlock = fleet.policy ? fleet.policy->approval.unlock : Duration{};
    for (const auto &[id, one] : fleet.operators)
        now.operators.push_back({toText(fleet.names(id)), one.role, one.isActive()});
    return now;
}

} // namespace handreset::live

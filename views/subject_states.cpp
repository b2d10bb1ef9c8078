#include "views/subject_states.h"

#include "model/live/desk_session.h"
#include "model/rules/words_of_time.h"
#include "views/agent_words.h"
#include "views/key_words.h"
#include "views/plural.h"

#include <QCoreApplication>

#include <algorithm>

namespace handreset::views {

namespace {

[[nodiscard]] QString tr(const char *text)
{
    return QCoreApplication::translate("subject", text);
}

[[nodiscard]] qint64 toMs(rules::Instant at)
{
    return at.micros / 1'000;
}

/// Over what the graph's edges are counted.
[[nodiscard]] QString countedSpan(const live::BreakerDetail &breaker, rules::Now now)
{
    const bool whole = breaker.takenSince + live::kLanesShown <= now.wall;
    return whole ? tr("in the last 15 minutes")
                 : tr("since %1").arg(QString::fromStdString(rules::utcClock(breaker.takenSince)));
}

[[nodiscard]] QStringList ladderNotes(const live::SubjectDetail &detail)
{
    QStringList notes;
    if (!detail.trips.empty()) {
        const auto first = std::min_element(detail.trips.begin(), detail.trips.end(), [](const auto &a, const auto &b) {
            return a.trip.firedAt < b.trip.firedAt;
        });
        notes.append(tr("first out: %1, %2")
                         .arg(first->title, QString::fromStdString(rules::utcClock(first->trip.firedAt))));
    }
    QString history = tr("re-armed %1 in 24 h").arg(counted(detail.rearmsIn24h, tr("time"), tr("times")));
    if (!detail.lastRearmLasted.isEmpty())
        history += QStringLiteral(", ") + detail.lastRearmLasted;
    if (!detail.focus.fleet) // each agent has a history of its own
        notes.append(history);
    if (detail.inFlight.empty()) {
        notes.append(tr("in flight: nothing"));
    } else {
        QStringList summaries;
        for (const live::InFlight &flight : detail.inFlight)
            summaries.append(flight.summary);
        notes.append(tr("in flight: %1").arg(summaries.join(QStringLiteral(", "))));
    }
    return notes;
}

/// When the clock lifts it, to the minute: its sign stands before it.
[[nodiscard]] QString clockAlone(const rules::Trip &trip)
{
    if (!trip.endsAt)
        return tr("by itself");
    const QString clock = QString::fromStdString(rules::utcClock(*trip.endsAt)); // "00:00:00 UTC"
    return clock.left(5) + clock.mid(8);
}

[[nodiscard]] Tone toneOf(live::LaneSpan::Tone tone)
{
    switch (tone) {
    case live::LaneSpan::Tone::Degraded:
        return Tone::Degraded;
    case live::LaneSpan::Tone::Probing:
        return Tone::Probing;
    case live::LaneSpan::Tone::Open:
        break;
    }
    return Tone::Open;
}

[[nodiscard]] QString toneWord(live::LaneSpan::Tone tone)
{
    switch (tone) {
    case live::LaneSpan::Tone::Degraded:
        return tr("degraded");
    case live::LaneSpan::Tone::Probing:
        return tr("HALF_OPEN, one probe");
    case live::LaneSpan::Tone::Open:
        break;
    }
    return tr("open");
}

} // namespace

LadderState ladderState(const live::SubjectDetail &detail, rules::TripId selected, bool stale)
{
    LadderState state;
    state.present = detail.agent.rung;
    state.meanings = {tr("all tools"),
                      detail.degradedModel.isEmpty() ? tr("write tools off")
                                                     : tr("%1 only; write tools off").arg(detail.degradedModel),
                      tr("no call goes out; tasks wait")};
    for (const live::TripDetail &trip : detail.trips) {
        // The signal stands alone beside who lifts it; what it is about goes into the line below.
        const QString signal = QString::fromUtf8(rules::toWord(trip.trip.subject.signal).data());
        const bool isSpend = trip.trip.subject.signal == rules::Signal::Spend;
        const bool own = isSpend || !trip.title.startsWith(signal);
        const QString rest = own ? QString() : trip.title.mid(signal.size()).trimmed();
        QStringList about;
        if (trip.ofTask)
            about.append(tr("task %1 alone").arg(trip.task));
        if (!rest.isEmpty())
            about.append(rest);
        const bool byClock = trip.trip.latch == rules::LatchState::HeldByClock;
        state.latches.push_back({.order = trip.trip.order,
                                 .signal = rest.isEmpty() ? trip.title : signal,
                                 .whoLifts = trip.whoLifts,
                                 .byClock = byClock,
                                 .detail = trip.measured,
                                 .rung = trip.trip.rung,
                                 .selected = trip.trip.id == selected,
                                 .about = about.join(QStringLiteral(": ")),
                                 .shortWho = byClock ? clockAlone(trip.trip) : QString()});
    }
    state.notes = ladderNotes(detail);
    state.stale = stale;
    return state;
}

GraphOverlay graphOverlay(const live::BreakerDetail &breaker, rules::Now now, rules::Steady hostSteady, bool stale)
{
    GraphOverlay overlay;
    overlay.currentNode = breaker.row.isUnknown() ? -1 : static_cast<int>(breaker.breaker.state);
    overlay.possibleRows = breaker.possible;
    overlay.span = countedSpan(breaker, now);
    overlay.stale = stale;
    overlay.isolated = breaker.row.isolated;
    overlay.pips = GraphOverlay::Pips{0, breaker.row.failureCount, breaker.row.threshold};
    for (std::size_t row = 1; row < breaker.taken.size(); ++row) {
        if (breaker.taken[row] > 0)
            overlay.counts[{static_cast<std::uint8_t>(row), -1}] = breaker.taken[row];
    }
    const std::uint8_t last = breaker.breaker.lastRow;
    if (last != 0)
        overlay.last = GraphOverlay::Last{last, -1, toMs(now.wall) - toMs(breaker.breaker.changedAt)};
    if (breaker.breaker.state == rules::BreakerState::Open && !breaker.row.isolated) {
        GraphOverlay::Cooldown cooldown;
        cooldown.callsDone = breaker.breaker.rejectedWhileOpen;
        cooldown.callsNeeded = breaker.policy.cooldownCalls.value_or(0);
        cooldown.secondsTotal = breaker.policy.cooldownSeconds.value_or(0);
        const std::int64_t gone = (hostSteady - breaker.breaker.openedAt).micros / 1'000'000;
        cooldown.secondsLeft = std::clamp<std::int64_t>(cooldown.secondsTotal - gone, 0, cooldown.secondsTotal);
        cooldown.due = breaker.row.due;
        overlay.cooldown = cooldown;
    }
    return overlay;
}

LaneStripState laneState(const live::SubjectDetail &detail)
{
    LaneStripState state;
    state.toMs = toMs(detail.lanesUntil);
    state.fromMs = toMs(detail.lanesUntil - live::kLanesShown);
    state.axis = relativeAxis(state.fromMs, state.toMs, detail.recorded ? tr("end") : QString());
    for (const live::Lane &lane : detail.lanes) {
        Lane shown{.name = lane.name,
                   .kind = {},
                   .spans = {},
                   .markers = {},
                   .ticks = {},
                   .knownFromMs = toMs(lane.knownFrom)};
        for (const live::LaneSpan &span : lane.spans)
            shown.spans.push_back({toMs(span.from), toMs(span.to), toneOf(span.tone), toneWord(span.tone)});
        for (const live::LaneMark &mark : lane.marks)
            shown.markers.push_back({toMs(mark.at), mark.order, tr("trip %1").arg(mark.order)});
        state.lanes.push_back(std::move(shown));
    }
    return state;
}

bool holdsTask(const live::TripDetail &trip, rules::TaskId task)
{
    return !trip.ofTask || trip.trip.tree() == task;
}

std::vector<const live::QueuedTask *> tasksToDecide(const live::SubjectDetail &detail,
                                                    const std::vector<const live::TripDetail *> &chosen)
{
    std::vector<const live::QueuedTask *> tasks;
    for (const live::QueuedTask &task : detail.queue) {
        const bool held = std::ranges::any_of(chosen, [&](const auto *trip) { return holdsTask(*trip, task.task); });
        if (held && !task.byClock)
            tasks.push_back(&task);
    }
    return tasks;
}

rules::RearmFacts rearmFacts(const live::DeskSession &session, const live::SubjectDetail &detail,
                             const std::vector<const live::TripDetail *> &chosen, rules::Revision seen)
{
    const live::Freshness &freshness = session.freshness();
    rules::RearmFacts facts;
    facts.tripsChosen = static_cast<std::int64_t>(chosen.size());
    for (const live::TripDetail *trip : chosen) {
        facts.approvalAsked = facts.approvalAsked || trip->asksApproval;
        if (!trip->trip.acknowledgedAt) {
            facts.unacknowledged.push_back(trip->title.toStdString());
        } else if (!facts.acknowledged || facts.acknowledged->at < *trip->trip.acknowledgedAt) {
            facts.acknowledged = rules::AcknowledgedBy{trip->acknowledgedBy.toStdString(), *trip->trip.acknowledgedAt};
        }
    }
    facts.seen = seen;
    facts.present = detail.agent.revision;
    if (freshness.hasData) {
        facts.beatAge = freshness.age;
        facts.writable = freshness.writable();
        facts.storeTrouble = freshness.host.trouble;
    }
    facts.lastCommit = detail.ruleTime;
    facts.queuedTasks = static_cast<std::int64_t>(tasksToDecide(detail, chosen).size());
    facts.operatorName = session.operatorName().toStdString();
    facts.isUnsigned = detail.isUnsigned;
    facts.live = !detail.recorded && freshness.host.health != engine::StoreHealth::ReadOnly;
    return facts;
}

std::vector<rules::Permissive> permissivesHere(const live::DeskSession &session, const rules::RearmFacts &facts,
                                               const QString &secondPerson)
{
    auto all = rules::permissivesOf(facts);
    if (!session.operators().isSigned)
        return all;
    const auto role = session.role();
    for (rules::Permissive &one : all) {
        if (one.name == "you may") {
            one.met = role && *role >= rules::Role::Responder ? rules::Met::Yes : rules::Met::No;
            one.value = (session.operatorName() + QStringLiteral(", ") + roleWords(session)).toStdString();
        } else if (one.name == "second person" && !secondPerson.isEmpty()) {
            const bool anybody = session.operators().approvers > (role == rules::Role::Approver ? 1 : 0);
            one.met = anybody ? rules::Met::Yes : rules::Met::No;
            one.value = anybody ? "any approver but you" : "no other approver is enrolled: only break glass";
            one.limit = secondPerson.toStdString();
        }
    }
    return all;
}

} // namespace handreset::views

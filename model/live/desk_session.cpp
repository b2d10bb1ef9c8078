#include "model/live/desk_session.h"

#include "model/live/rows_from_fleet.h"
#include "model/rules/permissives.h"

#include <QMetaObject>
#include <QSet>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace handreset::live {

using namespace rules;

namespace {

/// Committed but not seen back within this time: "unconfirmed" (console, "Re-arm" 5).
constexpr Duration kConfirmDue = seconds(5);
constexpr std::chrono::milliseconds kRetryStop{1'000};
constexpr std::size_t kStopsKept = 50; ///< with what was in flight at them

template <class Row>
[[nodiscard]] QSet<RowKey> keysOf(const std::vector<Row> &rows)
{
    QSet<RowKey> keys;
    for (const Row &row : rows)
        keys.insert(row.key());
    return keys;
}

} // namespace

/// Where the host's thread leaves its answers. It may outlive the session; then nobody reads it.
class DeskSession::Mailbox {
public:
    explicit Mailbox(DeskSession *session) : m_session(session) {}
    void deliver(quint64 number, const engine::Reply &reply)
    {
        const std::lock_guard lock(m_mutex);
        if (DeskSession *session = m_session)
            QMetaObject::invokeMethod(
                session, [session, number, reply] { session->answered(number, reply); }, Qt::QueuedConnection);
    }
    void close()
    {
        const std::lock_guard lock(m_mutex);
        m_session = nullptr;
    }

private:
    std::mutex m_mutex;
    DeskSession *m_session;
};

DeskSession::DeskSession(engine::Host &host, const engine::Clock &clock, QString operatorName, QObject *parent)
    : QObject(parent), m_host(host), m_clock(clock), m_operator(std::move(operatorName)),
      m_agents([this] { return present(); }), m_breakers([this] { return present(); }),
      m_trips([this] { return present(); }), m_queue([this] { return present(); }), m_events([this] { return present(); }),
      m_mailbox(std::make_shared<Mailbox>(this)), m_follower(host, clock)
{
    connect(&m_follower, &FleetFollower::published, this, &DeskSession::show);
    connect(&m_follower, &FleetFollower::beatSeen, this, &DeskSession::heard);
    connect(&m_second, &QTimer::timeout, this, &DeskSession::tick);
}

DeskSession::~DeskSession()
{
    m_mailbox->close();
}

void DeskSession::start()
{
    m_follower.start();
    m_second.start(std::chrono::seconds(1));
}

void DeskSession::setFocus(const Focus &focus)
{
    if (m_focus == focus)
        return;
    m_focus = focus;
    m_subject.reset();
    m_follower.setFocus(focus);
    Q_EMIT subjectChanged();
}

// ---- What is shown -----------------------------------------------------------------------------------------

void DeskSession::show(const PublicationPointer &publication)
{
    if (publication->fresh)
        showFresh(*publication);
    std::vector<TripRow> appeared;
    std::vector<TripRow> worsened;
    for (const TripRow &row : publication->trips) {
        if (!m_sawFirst || row.stage != TripStage::Unacknowledged)
            continue;
        const TripRow *known = m_trips.rowOf(row.key());
        if (!known)
            appeared.push_back(row);
        else if (known->stage == TripStage::Acknowledged || row.rung > known->rung)
            worsened.push_back(row);
    }
    m_sawFirst = true;
    m_counts = publication->counts;
    m_published = publication->seq;
    m_agents.update(publication->agents, {});
    m_breakers.update(publication->breakers, {});
    m_trips.update(publication->trips, publication->tripsGone);
    m_queue.update(publication->queue, publication->queueGone);
    m_events.add(publication->events);
    const bool subjectMoved = publication->subject && publication->subject->focus == m_focus;
    if (subjectMoved)
        m_subject = publication->subject;
    confirmUpTo(publication->seq);
    if (!m_freshness.hasData)
        judgeFreshness(); // the first sign of life may have come before the first data
    Q_EMIT updated();
    if (subjectMoved)
        Q_EMIT subjectChanged();
    keepStops(*publication);
    if (!worsened.empty())
        Q_EMIT tripsWorsened(worsened);
    if (!appeared.empty())
        Q_EMIT tripsAppeared(appeared);
    m_follower.consumed();
}

void DeskSession::showFresh(const Publication &publication)
{
    m_agents.keepOnly(keysOf(publication.agents));
    m_breakers.keepOnly(keysOf(publication.breakers));
    m_trips.keepOnly(keysOf(publication.trips));
    m_queue.keepOnly(keysOf(publication.queue));
}

void DeskSession::keepStops(const Publication &publication)
{
    if (publication.stops.empty())
        return;
    m_stopsSeen.insert(m_stopsSeen.end(), publication.stops.begin(), publication.stops.end());
    if (m_stopsSeen.size() > kStopsKept)
        m_stopsSeen.erase(m_stopsSeen.begin(), m_stopsSeen.end() - static_cast<std::ptrdiff_t>(kStopsKept));
    Q_EMIT stopsSeen();
}

const StopSeen *DeskSession::stopSeen(TripId trip) const
{
    const auto found = std::ranges::find(m_stopsSeen, trip, &StopSeen::trip);
    return found == m_stopsSeen.end() ? nullptr : &*found;
}

void DeskSession::heard(const Beat &beat)
{
    m_freshness.host = beat.status;
    if (beat.status.health == engine::StoreHealth::Writable)
        m_lastGoodBeat = beat.seenAt.steady;
    judgeFreshness();
}

void DeskSession::judgeFreshness()
{
    m_freshness.hasData = m_sawFirst && m_lastGoodBeat.has_value();
    m_freshness.age = m_lastGoodBeat ? m_clock.now().steady - *m_lastGoodBeat : Duration{};
    m_freshness.stale = !m_freshness.hasData || m_freshness.age >= kBeatDue;
    Q_EMIT freshnessChanged();
}

void DeskSession::tick()
{
    judgeFreshness();
    m_agents.tick();
    m_trips.tick();
    m_queue.tick();
    const Steady now = m_clock.now().steady;
    QList<quint64> late;
    for (auto it = m_acts.constBegin(); it != m_acts.constEnd(); ++it) {
        if (it->state.stage == ActStage::Committed && now - it->committedAt >= kConfirmDue)
            late.append(it.key());
    }
    for (const quint64 number : std::as_const(late))
        move(number, ActStage::Unconfirmed);
}

// ---- Acts --------------------------------------------------------------------------------------------------

quint64 DeskSession::submit(Command command, ActState act, RowKey queueRow)
{
    act.number = ++m_lastAct;
    m_acts.insert(act.number, {act, std::move(command), {}, queueRow});
    Q_EMIT actMoved(act);
    send(act.number);
    return act.number;
}

void DeskSession::send(quint64 number)
{
    m_host.submit(m_acts[number].command, [mailbox = m_mailbox, number](const engine::Reply &reply) {
        mailbox->deliver(number, reply);
    });
}

void DeskSession::answered(quint64 number, const engine::Reply &reply)
{
    Pending &pending = m_acts[number];
    if (const auto *done = std::get_if<ActDone>(&reply.outcome)) {
        pending.state.seq = done->seq;
        pending.state.revision = done->revision;
        pending.state.trouble.clear();
        if (done->trip)
            pending.state.trip = done->trip;
        pending.committedAt = m_clock.now().steady;
        move(number, ActStage::Committed);
        confirmUpTo(m_published);
        return;
    }
    const auto *error = std::get_if<Error>(&reply.outcome);
    pending.state.trouble = error ? toText(error->message) : QStringLiteral("the host gave no answer");
    const bool unreachable = !error || error->code == ErrorCode::Unavailable;
    if (unreachable && pending.state.kind == ActKind::Stop) {
        pending.state.trouble = QStringLiteral("NOT in force, trying again: ") + pending.state.trouble;
        move(number, ActStage::Requested);
        QTimer::singleShot(kRetryStop, this, [this, number] { send(number); });
        return;
    }
    move(number, unreachable ? ActStage::Failed : ActStage::Refused);
}

void DeskSession::move(quint64 number, ActStage stage)
{
    Pending &pending = m_acts[number];
    pending.state.stage = stage;
    if (pending.state.isOver())
        pending.command = Tick{}; // reasons and names need not stay
    const RowKey queueRow = pending.queueRow;
    const ActState state = pending.state; // a slot may act again and move the hash
    if (stage == ActStage::Confirmed)
        settleOwn(state.trip, queueRow);
    Q_EMIT actMoved(state);
}

/// Changes wait while a person points at a table; what that person did is not to be waited for.
void DeskSession::settleOwn(TripId trip, RowKey queueRow)
{
    if (trip)
        m_trips.settleHeld(trip.value);
    if (queueRow != 0)
        m_queue.settleHeld(queueRow);
}

void DeskSession::confirmUpTo(Seq seq)
{
    QList<quint64> confirmed;
    for (auto it = m_acts.constBegin(); it != m_acts.constEnd(); ++it) {
        const bool waits = it->state.stage == ActStage::Committed || it->state.stage == ActStage::Unconfirmed;
        if (waits && it->state.seq <= seq)
            confirmed.append(it.key());
    }
    for (const quint64 number : std::as_const(confirmed))
        move(number, ActStage::Confirmed);
}

std::optional<ActState> DeskSession::act(quint64 number) const
{
    const auto found = m_acts.constFind(number);
    return found == m_acts.constEnd() ? std::nullopt : std::optional(found->state);
}

quint64 DeskSession::acknowledge(TripId trip, const QString &note)
{
    const TripRow *row = m_trips.rowOf(trip.value);
    ActState act{.kind = ActKind::Acknowledge, .trip = trip};
    act.words = row ? QStringLiteral("acknowledge %1 of %2").arg(row->title, row->agentName)
                    : QStringLiteral("acknowledge trip %1").arg(trip.value);
    act.agent = row ? row->agent : AgentId{};
    return submit(Acknowledge{trip, m_operator.toStdString(), note.toStdString()}, act);
}

quint64 DeskSession::rearm(Rearm rearm, const QString &what, AgentId agent)
{
    rearm.by = m_operator.toStdString();
    const ActState act{.kind = ActKind::Rearm, .words = what, .agent = agent, .trip = rearm.trip};
    return submit(std::move(rearm), act);
}

quint64 DeskSession::stop(const AgentRow &agent, Rung to)
{
    const ActState act{.kind = ActKind::Stop,
                       .words = QStringLiteral("stop %1 to %2").arg(agent.name, toText(toWord(to))),
                       .agent = agent.id};
    return submit(StopAgent{agent.name.toStdString(), to, m_operator.toStdString(), {}}, act);
}

quint64 DeskSession::stopFleet()
{
    const ActState act{.kind = ActKind::Stop, .words = QStringLiteral("stop the fleet to open")};
    return submit(StopAgent{.agent = {}, .to = Rung::Open, .by = m_operator.toStdString(), .reason = {}}, act);
}

quint64 DeskSession::giveReason(TripId trip, const QString &reason)
{
    const ActState act{.kind = ActKind::Reason, .words = QStringLiteral("reason of the stop"), .trip = trip};
    return submit(GiveReason{trip, m_operator.toStdString(), reason.toStdString()}, act);
}

quint64 DeskSession::actOnBreaker(const BreakerRow &breaker, BreakerEvent event, const QString &reason)
{
    const ActState act{.kind = ActKind::Breaker,
                       .words = QStringLiteral("%1 %2").arg(toText(toWord(event)), breaker.tool)};
    return submit(ActOnBreaker{breaker.tool.toStdString(), breaker.agent.toStdString(), event,
                               m_operator.toStdString(), reason.toStdString()},
                  act);
}

quint64 DeskSession::actOnQueue(const QueueRow &item, QueueVerb verb, const QString &reason)
{
    const ActState act{.kind = ActKind::Queue,
                       .words = QStringLiteral("%1 %2 of %3").arg(toText(toWord(verb)), item.taskName, item.agentName),
                       .agent = item.agent};
    return submit(ActOnQueue{item.agentName.toStdString(), item.taskName.toStdString(), verb, m_operator.toStdString(),
                             reason.toStdString()},
                  act, item.key());
}

quint64 DeskSession::grant(const GrantOption &what, const Grant &grant, AgentId agent, const QString &reason)
{
    const ActState act{.kind = ActKind::Grant, .words = QStringLiteral("grant for %1").arg(what.title), .agent = agent};
    return submit(GrantMore{what.subject, grant, m_operator.toStdString(), reason.toStdString()}, act);
}

quint64 DeskSession::confirmTime(const QString &reason)
{
    const ActState act{.kind = ActKind::Word, .words = QStringLiteral("confirm the time")};
    return submit(ConfirmTime{m_operator.toStdString(), reason.toStdString()}, act);
}

quint64 DeskSession::trustStore(const QString &reason)
{
    const ActState act{.kind = ActKind::Word, .words = QStringLiteral("trust the store again")};
    return submit(TrustStore{"clear-sentinel", m_operator.toStdString(), reason.toStdString()}, act);
}

} // namespace handreset::live

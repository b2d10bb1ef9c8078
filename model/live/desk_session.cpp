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
/// A stop that the host did not answer goes out again under its old signature, while the key is locked, for this long.
constexpr Duration kSameSignature = kActFresh - minutes(1);

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
    : QObject(parent),
      m_host(host),
      m_clock(clock),
      m_operator(std::move(operatorName)),
      m_agents([this] { return present(); }),
      m_breakers([this] { return present(); }),
      m_trips([this] { return present(); }),
      m_queue([this] { return present(); }),
      m_events([this] { return present(); }),
      m_requests([this] { return hostTime(); }),
      m_audit([this] { return present(); }),
      m_key(clock),
      m_mailbox(std::make_shared<Mailbox>(this)),
      m_follower(host, clock)
{
    connect(&m_follower, &FleetFollower::published, this, &DeskSession::show);
    connect(&m_follower, &FleetFollower::beatSeen, this, &DeskSession::heard);
    connect(&m_second, &QTimer::timeout, this, &DeskSession::tick);
    connect(&m_key, &OperatorKey::unlocked, this, &DeskSession::sendWaiting);
    connect(&m_key, &OperatorKey::changed, this, &DeskSession::freshnessChanged);
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
    m_audit.add(publication->acts);
    showOperators(*publication);
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
    showRequests(*publication);
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

void DeskSession::showOperators(const Publication &publication)
{
    if (!publication.operators)
        return;
    m_operators = *publication.operators;
    m_key.setLength(m_operators.unlock);
    m_key.setStore(m_operators.isSigned ? m_counts.storeId : QString(), m_operator);
}

void DeskSession::showRequests(const Publication &publication)
{
    std::vector<RequestRow> rows = publication.requests;
    if (publication.fresh) { // what is not among them ended while nobody followed
        const QSet<RowKey> open = keysOf(rows);
        for (const auto &[key, was] : m_openRequests) {
            if (open.contains(key))
                continue;
            RequestRow row = was;
            row.state = row.state == RequestState::Waiting ? RequestState::Void : RequestState::Reviewed;
            row.endReason = QStringLiteral("it ended while the link was cut; the log tells how");
            rows.push_back(std::move(row));
        }
    }
    std::vector<RequestRow> appeared;
    for (const RequestRow &row : rows) {
        const bool isNew = m_requests.rowOf(row.key()) == nullptr;
        if (isNew && (row.state == RequestState::OpenReview || whyNotApprove(row).isEmpty()))
            appeared.push_back(row);
    }
    m_requests.update(rows, {});
    for (const RequestRow &row : rows) {
        if (row.isOpen())
            m_openRequests.insert_or_assign(row.key(), row);
        else
            m_openRequests.erase(row.key());
        settleRequest(row);
    }
    if (!rows.empty())
        Q_EMIT updated();
    if (!appeared.empty())
        Q_EMIT requestsAppeared(appeared);
}

/// What became of a request of this desk's own.
void DeskSession::settleRequest(const RequestRow &row)
{
    for (const quint64 number : numbersAt(ActStage::Waiting)) {
        Pending &pending = m_acts[number];
        if (pending.state.request != row.seq)
            continue;
        pending.state.requestUntil = row.expires;
        if (!row.isOpen())
            pending.state.trouble = stateWords(row);
        if (row.isOpen())
            move(number, ActStage::Waiting);
        else
            move(number, row.state == RequestState::Approved ? ActStage::Confirmed : ActStage::Refused);
    }
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
    if (beat.status.health == engine::StoreHealth::Writable) {
        m_lastGoodBeat = beat.seenAt.steady;
        m_hostSaid = beat.status.lastBeat;
        m_hostHeardAt = beat.seenAt.steady;
    }
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
    m_requests.tick();
    m_key.tick();
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

quint64 DeskSession::submit(Act what, ActState act, RowKey queueRow)
{
    act.number = ++m_lastAct;
    m_acts.insert(act.number, {act, std::move(what), {}, queueRow, {}, {}});
    Q_EMIT actMoved(act);
    send(act.number);
    return act.number;
}

void DeskSession::send(quint64 number)
{
    const Pending &pending = m_acts[number];
    if (!pending.act)
        return;
    if (m_operators.isSigned)
        sendSigned(number);
    else
        deliver(number, std::visit([](const auto &act) { return Command(act); }, *pending.act));
}

void DeskSession::sendSigned(quint64 number)
{
    Pending &pending = m_acts[number];
    const Steady now = m_clock.now().steady;
    if (m_key.state() == OperatorKey::State::Unlocked) {
        auto made = m_key.sign(*pending.act, hostTime(), m_operators.signedAs);
        if (!made)
            return askForKey(number);
        pending.sent = std::move(*made);
        pending.signedAt = now;
    } else if (!pending.sent || now - pending.signedAt > kSameSignature) {
        return askForKey(number);
    }
    if (pending.state.stage == ActStage::NeedsKey)
        move(number, ActStage::Requested);
    deliver(number, *m_acts[number].sent);
}

void DeskSession::deliver(quint64 number, Command command)
{
    m_host.submit(std::move(command),
                  [mailbox = m_mailbox, number](const engine::Reply &reply) { mailbox->deliver(number, reply); });
}

void DeskSession::askForKey(quint64 number)
{
    if (m_key.state() == OperatorKey::State::None)
        m_key.lookAgain();
    if (m_key.state() == OperatorKey::State::None) {
        m_acts[number].state.trouble = QStringLiteral(
            "no key of yours for this store lies here, so nobody can sign it: nothing was sent. To get one: "
            "handresetctl operator enrol");
        move(number, ActStage::Failed);
        return;
    }
    move(number, ActStage::NeedsKey);
    Q_EMIT keyAsked();
}

void DeskSession::sendWaiting()
{
    for (const quint64 number : numbersAt(ActStage::NeedsKey))
        send(number);
}

bool DeskSession::waitsForKey() const
{
    return !numbersAt(ActStage::NeedsKey).isEmpty();
}

QStringList DeskSession::waitingForKey() const
{
    QStringList words;
    for (const quint64 number : numbersAt(ActStage::NeedsKey))
        words.append(m_acts[number].state.words);
    return words;
}

void DeskSession::cancelWaitingForKey()
{
    for (const quint64 number : numbersAt(ActStage::NeedsKey)) {
        m_acts[number].state.trouble = QStringLiteral("the key stayed locked: nothing was sent.");
        move(number, ActStage::Failed);
    }
}

QList<quint64> DeskSession::numbersAt(ActStage stage) const
{
    QList<quint64> numbers;
    for (auto it = m_acts.constBegin(); it != m_acts.constEnd(); ++it) {
        if (it->state.stage == stage)
            numbers.append(it.key());
    }
    std::ranges::sort(numbers);
    return numbers;
}

Instant DeskSession::hostTime() const
{
    if (m_hostSaid.wall.micros == 0) // of a host that cannot write the time stands still: it is a copy, or it failed
        return m_clock.now().wall;
    return m_hostSaid.wall + (m_clock.now().steady - m_hostHeardAt);
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
        if (done->request.isSet()) {
            pending.state.request = done->request;
            const RequestRow *row = m_requests.rowOf(done->request.value); // it may have come before the answer
            move(number, ActStage::Waiting);
            if (row)
                settleRequest(*row);
            return;
        }
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
    if (pending.state.isOver() || stage == ActStage::Waiting)
        pending.act.reset(); // reasons and names need not stay
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

// ---- Who acts ----------------------------------------------------------------------------------------------

const QString &DeskSession::operatorName() const
{
    return m_operators.isSigned && !m_key.name().isEmpty() ? m_key.name() : m_operator;
}

std::optional<Role> DeskSession::role() const
{
    const OperatorRow *who = m_operators.isSigned ? m_operators.named(operatorName()) : nullptr;
    return who && who->isActive ? std::optional(who->role) : std::nullopt;
}

QString DeskSession::whyNotApprove(const RequestRow &request) const
{
    if (request.state == RequestState::OpenReview)
        return request.by == operatorName()
            ? QStringLiteral("another person than the one who broke the glass closes it")
            : role() != Role::Approver ? QStringLiteral("an approver closes it, and you are none")
                                       : QString();
    if (request.state != RequestState::Waiting)
        return QStringLiteral("it waits no more: ") + stateWords(request);
    if (request.by == operatorName())
        return QStringLiteral("you asked for it: the second person is another one");
    if (!role())
        return QStringLiteral("you are no operator of this store");
    return *role() == Role::Approver
        ? QString()
        : QStringLiteral("the second person is an approver, and you are a %1").arg(toText(toWord(*role())));
}

int DeskSession::requestsForMe() const
{
    int count = 0;
    for (const auto &[key, row] : m_openRequests)
        count += row.state == RequestState::Waiting && whyNotApprove(row).isEmpty() ? 1 : 0;
    return count;
}

const RequestRow *DeskSession::requestOn(TripId trip) const
{
    for (const auto &[key, row] : m_openRequests) {
        if (row.state == RequestState::Waiting && row.trip == trip && trip.isSet())
            return &row;
    }
    return nullptr;
}

void DeskSession::setLink(const LinkNow &link)
{
    if (m_freshness.link == link)
        return;
    m_freshness.link = link;
    Q_EMIT freshnessChanged();
}

quint64 DeskSession::approve(const RequestRow &request, const QString &note)
{
    const ActState act{.kind = ActKind::Approval,
                       .words = QStringLiteral("approve %1 of %2").arg(request.act, request.about),
                       .agent = request.agent};
    return submit(Approve{request.seq, operatorName().toStdString(), note.toStdString(), request.what}, act);
}

quint64 DeskSession::endRequest(const RequestRow &request, const QString &reason)
{
    const bool isOwn = request.by == operatorName();
    const ActState act{.kind = ActKind::Approval,
                       .words = (isOwn ? QStringLiteral("withdraw %1 of %2") : QStringLiteral("decline %1 of %2"))
                                    .arg(request.act, request.about),
                       .agent = request.agent};
    return submit(EndRequest{request.seq, operatorName().toStdString(), reason.toStdString()}, act);
}

quint64 DeskSession::closeReview(const RequestRow &review, const QString &reason)
{
    const ActState act{.kind = ActKind::Approval,
                       .words = QStringLiteral("close the review of %1 by %2").arg(review.act, review.by),
                       .agent = review.agent};
    return submit(CloseReview{review.seq, operatorName().toStdString(), reason.toStdString()}, act);
}

// ---- Acts, one by one --------------------------------------------------------------------------------------

quint64 DeskSession::acknowledge(TripId trip, const QString &note)
{
    const TripRow *row = m_trips.rowOf(trip.value);
    ActState act{.kind = ActKind::Acknowledge, .trip = trip};
    act.words = row ? QStringLiteral("acknowledge %1 of %2").arg(row->title, row->agentName)
                    : QStringLiteral("acknowledge trip %1").arg(trip.value);
    act.agent = row ? row->agent : AgentId{};
    return submit(Acknowledge{trip, operatorName().toStdString(), note.toStdString()}, act);
}

quint64 DeskSession::rearm(Rearm rearm, const QString &what, AgentId agent)
{
    rearm.by = operatorName().toStdString();
    const ActState act{.kind = ActKind::Rearm, .words = what, .agent = agent, .trip = rearm.trip};
    return submit(std::move(rearm), act);
}

quint64 DeskSession::stop(const AgentRow &agent, Rung to)
{
    const ActState act{.kind = ActKind::Stop,
                       .words = QStringLiteral("stop %1 to %2").arg(agent.name, toText(toWord(to))),
                       .agent = agent.id};
    return submit(StopAgent{agent.name.toStdString(), to, operatorName().toStdString(), {}}, act);
}

quint64 DeskSession::stopFleet()
{
    const ActState act{.kind = ActKind::Stop, .words = QStringLiteral("stop the fleet to open")};
    return submit(StopAgent{.agent = {}, .to = Rung::Open, .by = operatorName().toStdString(), .reason = {}}, act);
}

quint64 DeskSession::giveReason(TripId trip, const QString &reason)
{
    const ActState act{.kind = ActKind::Reason, .words = QStringLiteral("reason of the stop"), .trip = trip};
    return submit(GiveReason{trip, operatorName().toStdString(), reason.toStdString()}, act);
}

quint64 DeskSession::actOnBreaker(const BreakerRow &breaker, BreakerEvent event, const QString &reason)
{
    const ActState act{.kind = ActKind::Breaker,
                       .words = QStringLiteral("%1 %2").arg(toText(toWord(event)), breaker.tool)};
    return submit(ActOnBreaker{breaker.tool.toStdString(), breaker.agent.toStdString(), event,
                               operatorName().toStdString(), reason.toStdString()},
                  act);
}

quint64 DeskSession::actOnQueue(const QueueRow &item, QueueVerb verb, const QString &reason)
{
    const ActState act{.kind = ActKind::Queue,
                       .words = QStringLiteral("%1 %2 of %3").arg(toText(toWord(verb)), item.taskName, item.agentName),
                       .agent = item.agent};
    return submit(ActOnQueue{item.agentName.toStdString(), item.taskName.toStdString(), verb,
                             operatorName().toStdString(), reason.toStdString()},
                  act, item.key());
}

quint64 DeskSession::grant(const GrantOption &what, const Grant &grant, AgentId agent, const QString &reason)
{
    const ActState act{.kind = ActKind::Grant, .words = QStringLiteral("grant for %1").arg(what.title), .agent = agent};
    return submit(GrantMore{what.subject, grant, operatorName().toStdString(), reason.toStdString()}, act);
}

quint64 DeskSession::confirmTime(const QString &reason)
{
    const ActState act{.kind = ActKind::Word, .words = QStringLiteral("confirm the time")};
    return submit(ConfirmTime{operatorName().toStdString(), reason.toStdString()}, act);
}

quint64 DeskSession::trustStore(const QString &reason)
{
    const ActState act{.kind = ActKind::Word, .words = QStringLiteral("trust the store again")};
    return submit(TrustStore{"clear-sentinel", operatorName().toStdString(), reason.toStdString()}, act);
}

} // namespace handreset::live

#include "model/live/fold_worker.h"

#include "model/live/requests_from_fleet.h"
#include "model/live/rows_from_fleet.h"
#include "model/live/subject_from_fleet.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace handreset::live {

using namespace rules;

namespace {

constexpr Duration kLeastPause = milliseconds(50); ///< 20 publications a second at most
constexpr int kMostOutstanding = 2;
constexpr int kMostOutstandingUrgent = 8;
constexpr std::size_t kMostEvents = 2'000; ///< in one publication
constexpr std::size_t kRecentKept = 4'000;
constexpr std::size_t kLastEventsShown = 12;
constexpr std::size_t kLastCallsShown = 5;

[[nodiscard]] bool isUrgent(Weight weight)
{
    return weight == Weight::Trip || weight == Weight::ByOperator;
}

[[nodiscard]] std::int64_t hourOf(Instant at)
{
    return at.micros / hours(1).micros;
}

} // namespace

FoldWorker::FoldWorker(const engine::Clock &clock) : m_clock(clock)
{
    m_trailing.setParent(this); // timers must move to the thread with their worker
    m_second.setParent(this);
    m_trailing.setSingleShot(true);
    connect(&m_trailing, &QTimer::timeout, this, &FoldWorker::publish);
    connect(&m_second, &QTimer::timeout, this, &FoldWorker::tick);
}

void FoldWorker::begin()
{
    m_second.start(std::chrono::seconds(1));
}

void FoldWorker::drain()
{
    for (InboxItem &item : m_inbox->takeAll()) {
        if (auto *fleet = std::get_if<std::shared_ptr<const Fleet>>(&item))
            take(std::move(*fleet));
        else if (const auto *commit = std::get_if<std::shared_ptr<const engine::Commit>>(&item))
            take(**commit);
        else if (const auto *status = std::get_if<engine::HostStatus>(&item))
            take(*status);
        else
            take(std::get<HistoryRead>(std::move(item)));
    }
    if (m_somethingNew)
        publishSoon(m_urgent);
}

void FoldWorker::setFocus(const Focus &focus)
{
    m_focus = focus;
    m_breakerShown = focus.breaker;
    m_sentSubject.reset();
    if (m_hasFleet)
        publishSoon(true);
}

void FoldWorker::consumed()
{
    m_outstanding = std::max(0, m_outstanding - 1);
    if (m_somethingNew && !m_trailing.isActive())
        publishSoon(m_urgent);
}

void FoldWorker::take(std::shared_ptr<const Fleet> snapshot)
{
    m_fleet = *snapshot;
    m_hasFleet = true;
    m_fresh = true;
    m_waitingForHistory = true;
    m_beforeHistory.clear();
    m_traffic.clear();
    m_recent.clear();
    m_events.clear();
    m_acts.clear();
    m_actsFromLog = {};
    m_touched.clear();
    m_sentSubject.reset();
    lookAtRequests();
    m_hour = hourOf(m_clock.now().wall);
    touchAll();
    m_urgent = true;
    m_somethingNew = true;
}

void FoldWorker::take(const engine::Commit &commit)
{
    hostSaid(commit.at);
    if (!m_hasFleet)
        return;
    for (const Event &event : commit.events) {
        if (event.seq <= m_fleet.seq)
            continue;
        if (!fold(event)) {
            m_hasFleet = false;
            return;
        }
    }
}

bool FoldWorker::fold(const Event &event)
{
    if (const auto applied = apply(m_fleet, event, &m_touched); !applied) {
        Q_EMIT lost(toText(applied.error().message));
        return false;
    }
    const auto *fired = std::get_if<TripFired>(&event.payload);
    if (fired && fired->subject.signal == Signal::Operator)
        m_stops.push_back({TripId{event.seq.value}, event.ruleTime, inFlightOf(m_fleet, fired->subject.agent)});
    EventRow row = eventRow(m_fleet, event);
    m_actsFromLog.take(m_fleet, event, true, row);
    if (!row.by.isEmpty())
        m_acts.push_back(row);
    foldRequest(event);
    m_urgent = m_urgent || isUrgent(row.weight);
    m_somethingNew = true;
    remember(event, row);
    m_events.push_back(std::move(row));
    if (m_waitingForHistory)
        m_beforeHistory.push_back(event);
    else
        m_traffic.take(event);
    return true;
}

/// What waits: all of it after a snapshot. What ended while nobody followed is gone; the log tells of it.
void FoldWorker::lookAtRequests()
{
    m_open.clear();
    m_requests.clear();
    for (const auto &[seq, request] : m_fleet.requests)
        changed(requestRow(m_fleet, seq, request));
    for (const auto &[seq, review] : m_fleet.reviews)
        changed(reviewRow(m_fleet, seq, review));
}

void FoldWorker::foldRequest(const Event &event)
{
    const auto ends = [&](Seq seq, const auto &ended) {
        const auto found = m_open.find(seq);
        if (found == m_open.end())
            return;
        end(found->second, m_fleet, ended);
        m_requests.push_back(found->second);
        m_open.erase(found);
    };
    if (const auto found = m_fleet.requests.find(event.seq); found != m_fleet.requests.end())
        changed(requestRow(m_fleet, event.seq, found->second));
    else if (const auto review = m_fleet.reviews.find(event.seq); review != m_fleet.reviews.end())
        changed(reviewRow(m_fleet, event.seq, review->second));
    else if (const auto *ended = std::get_if<RequestEnded>(&event.payload))
        ends(ended->request, *ended);
    else if (const auto *closed = std::get_if<ReviewClosed>(&event.payload))
        ends(closed->review, *closed);
}

void FoldWorker::changed(RequestRow row)
{
    m_requests.push_back(row);
    m_open.insert_or_assign(row.seq, std::move(row));
}

void FoldWorker::remember(const Event &event, EventRow row)
{
    const auto breaker = breakerOf(event);
    m_recent.push_back({event.agent, event.task, breaker ? breaker->tool : ToolId{}, std::move(row)});
    if (m_recent.size() > kRecentKept)
        m_recent.pop_front();
}

void FoldWorker::take(const engine::HostStatus &status)
{
    hostSaid(status.lastBeat);
    Q_EMIT beat({status, m_clock.now()});
}

void FoldWorker::takeActs(const HistoryRead &history)
{
    if (!m_hasFleet)
        return;
    ActsFromLog acts;
    std::vector<EventRow> rows;
    for (auto event = history.events.rbegin(); event != history.events.rend(); ++event) {
        EventRow row = eventRow(m_fleet, *event);
        acts.take(m_fleet, *event, false, row);
        if (!row.by.isEmpty())
            rows.push_back(std::move(row));
    }
    m_acts.insert(m_acts.begin(), rows.begin(), rows.end());
    m_somethingNew = true;
}

void FoldWorker::take(HistoryRead history)
{
    if (history.isOfActs)
        return takeActs(history);
    if (!m_waitingForHistory)
        return;
    m_waitingForHistory = false;
    std::reverse(history.events.begin(), history.events.end());
    std::deque<RecentEvent> newer = std::exchange(m_recent, {});
    std::vector<EventRow> rows;
    for (const Event &event : history.events) {
        m_traffic.take(event);
        EventRow row = eventRow(m_fleet, event);
        rows.push_back(row);
        remember(event, std::move(row));
    }
    m_recent.insert(m_recent.end(), newer.begin(), newer.end());
    m_events.insert(m_events.begin(), rows.begin(), rows.end());
    for (const Event &event : std::exchange(m_beforeHistory, {}))
        m_traffic.take(event);
    for (const auto &[key, record] : m_fleet.breakers)
        m_touched.breakers.insert(key);
    m_somethingNew = true;
}

void FoldWorker::tick()
{
    if (!m_hasFleet)
        return;
    const std::int64_t hour = hourOf(hostNow().wall);
    if (hour != m_hour) // windows may have ended: what was used of them is nothing again
        touchAll();
    m_hour = hour;
    for (const auto &[key, record] : m_fleet.breakers) {
        if (record.breaker.state != BreakerState::Closed)
            m_touched.breakers.insert(key);
    }
    publishSoon(false);
}

void FoldWorker::touchAll()
{
    for (std::size_t i = 0; i < m_fleet.agents.size(); ++i)
        m_touched.agents.insert(AgentId{static_cast<std::uint32_t>(i + 1)});
    for (const auto &[key, record] : m_fleet.breakers)
        m_touched.breakers.insert(key);
    for (const auto &[id, trip] : m_fleet.trips)
        m_touched.trips.insert(id);
    for (const Trip &trip : m_fleet.endedTrips)
        m_touched.trips.insert(trip.id);
    for (const auto &[task, item] : m_fleet.queue)
        m_touched.queue.insert(task);
}

void FoldWorker::publishSoon(bool urgent)
{
    const int most = urgent ? kMostOutstandingUrgent : kMostOutstanding;
    m_somethingNew = true;
    if (m_outstanding >= most)
        return; // `consumed` comes back to it
    const Duration since = m_clock.now().steady - m_lastPublished;
    if (urgent || since >= kLeastPause) {
        publish();
    } else if (!m_trailing.isActive()) {
        const std::int64_t left = (kLeastPause - since).micros / 1'000 + 1;
        m_trailing.start(std::chrono::milliseconds(left));
    }
}

void FoldWorker::publish()
{
    m_trailing.stop();
    if (!m_hasFleet)
        return;
    auto out = std::make_shared<Publication>();
    out->seq = m_fleet.seq;
    out->fresh = std::exchange(m_fresh, false);
    out->counts = headerCounts(m_fleet);
    fillRows(*out);
    m_lastPublished = m_clock.now().steady;
    m_urgent = false;
    m_somethingNew = false;
    ++m_outstanding;
    Q_EMIT published(out);
}

void FoldWorker::fillRows(Publication &out)
{
    if (out.fresh) {
        m_sentAgents.clear();
        m_sentBreakers.clear();
        m_sentTrips.clear();
        m_sentQueue.clear();
    }
    if (m_touched.everything || m_touched.policy)
        touchAll();
    for (const TaskId task : m_touched.tasks)
        m_touched.agents.insert(m_fleet.task(task).agent);
    for (const TaskId task : m_touched.queue)
        m_touched.agents.insert(m_fleet.task(task).agent);
    fillTrips(out);
    fillAgents(out);
    fillBreakers(out);
    fillQueue(out);
    fillOperators(out);
    fillSubject(out);
    if (m_events.size() > kMostEvents) {
        m_eventsLeftOut += static_cast<qint64>(m_events.size() - kMostEvents);
        m_events.erase(m_events.begin(), m_events.end() - static_cast<std::ptrdiff_t>(kMostEvents));
    }
    out.stops = std::exchange(m_stops, {});
    out.events = std::exchange(m_events, {});
    out.acts = std::exchange(m_acts, {});
    out.requests = std::exchange(m_requests, {});
    out.eventsLeftOut = std::exchange(m_eventsLeftOut, 0);
    m_touched.clear();
}

void FoldWorker::fillAgents(Publication &out)
{
    const Now now = hostNow();
    for (const AgentId id : m_touched.agents) {
        if (!id || id.value > m_fleet.agents.size())
            continue;
        AgentRow row = agentRow(m_fleet, id, now);
        AgentRow &sent = m_sentAgents[row.key()];
        if (sent == row)
            continue;
        sent = row;
        out.agents.push_back(std::move(row));
    }
}

void FoldWorker::fillBreakers(Publication &out)
{
    const Now now = hostNow();
    for (const BreakerKey &key : m_touched.breakers) {
        BreakerRow row = breakerRow(m_fleet, key, now);
        row.traffic = m_traffic.of(key).slots(now.wall);
        const auto [sent, isNew] = m_sentBreakers.try_emplace(row.key());
        if (!isNew && sent->second == row)
            continue;
        sent->second = row;
        out.breakers.push_back(std::move(row));
    }
}

void FoldWorker::fillTrips(Publication &out)
{
    for (const TripId id : m_touched.trips) {
        const Trip *const trip = m_fleet.trip(id);
        if (!trip)
            continue;
        out.trips.push_back(tripRow(m_fleet, *trip));
        m_sentTrips.insert(out.trips.back().key());
        // Who else is reached learns it from its own row.
        m_touched.agents.insert(trip->agent);
        m_touched.agents.insert(trip->subject.agent);
        m_touched.agents.insert(m_fleet.task(trip->subject.root).agent);
    }
    if (m_sentTrips.size() <= m_fleet.trips.size() + m_fleet.endedTrips.size() + 64)
        return;
    for (auto it = m_sentTrips.begin(); it != m_sentTrips.end();) {
        if (m_fleet.trip(TripId{*it})) {
            ++it;
            continue;
        }
        out.tripsGone.push_back(*it);
        it = m_sentTrips.erase(it);
    }
}

void FoldWorker::fillQueue(Publication &out)
{
    for (const TaskId task : m_touched.queue) {
        QueueRow row = queueRow(m_fleet, task);
        if (m_fleet.queue.contains(task)) {
            m_sentQueue.insert(row.key());
            out.queue.push_back(std::move(row));
        } else if (m_sentQueue.erase(row.key()) != 0) {
            out.queueGone.push_back(row.key());
        }
    }
    // A note of a queued task belongs to its row too.
    for (const TaskId task : m_touched.tasks) {
        if (m_fleet.queue.contains(task) && !m_touched.queue.contains(task))
            out.queue.push_back(queueRow(m_fleet, task));
    }
}

void FoldWorker::fillOperators(Publication &out)
{
    OperatorsNow now = operatorsNow(m_fleet);
    if (!out.fresh && now == m_sentOperators)
        return;
    m_sentOperators = now;
    out.operators = std::make_shared<const OperatorsNow>(std::move(now));
}

void FoldWorker::fillSubject(Publication &out)
{
    if (!m_focus.isSet())
        return;
    // Once on show, a breaker stays, whatever becomes the more urgent one: a person may be at work on it.
    Focus looked = m_focus;
    if (looked.agent)
        looked.breaker = m_breakerShown;
    auto detail = std::make_shared<SubjectDetail>(subjectDetail(m_fleet, looked, m_traffic, hostNow()));
    detail->focus = m_focus;
    if (m_focus.agent && detail->breaker)
        m_breakerShown = detail->breaker->row.id;
    addRecent(*detail);
    if (m_sentSubject && *m_sentSubject == *detail)
        return;
    m_sentSubject = detail;
    out.subject = std::move(detail);
}

void FoldWorker::addRecent(SubjectDetail &detail) const
{
    for (auto it = m_recent.rbegin(); it != m_recent.rend() && detail.lastEvents.size() < kLastEventsShown; ++it) {
        const bool mine = m_focus.hasSwitch() ? it->agent == m_focus.agent : it->tool == m_focus.breaker.tool;
        if (mine)
            detail.lastEvents.push_back(it->row);
    }
    for (TripDetail &trip : detail.trips) {
        const TaskId task = trip.trip.task;
        for (auto it = m_recent.rbegin(); it != m_recent.rend() && trip.lastCalls.size() < kLastCallsShown; ++it) {
            if (task && it->task == task && it->row.seq.value <= trip.trip.id.value && it->row.weight <= Weight::Refused)
                trip.lastCalls.push_back(QStringLiteral("%1 %2 %3").arg(it->row.word, it->row.subject, it->row.sentence));
        }
    }
}

void FoldWorker::hostSaid(Now now)
{
    m_hostSaid = now;
    m_heardAt = m_clock.now();
}

Now FoldWorker::hostNow() const
{
    if (m_fleet.recorded) // its time stands where its last event left it
        return {m_fleet.ruleTime, m_fleet.steady};
    if (m_hostSaid.wall.micros == 0) // nothing was heard: the log's own end is the best there is
        return {m_clock.now().wall, m_fleet.steady};
    const Duration since = m_clock.now().steady - m_heardAt.steady;
    return {m_hostSaid.wall + since, m_hostSaid.steady + since};
}

} // namespace handreset::live

// The follower's own thread: folds the commits with the same apply as the host, and publishes differences. At most 20
// publications a second; trips, stops and every operator's act at once; the newest value always arrives.
// Thread: everything on the follower's thread, except `inbox()`, which any thread may use.
// Failure: an event that does not fold means that something was missed: `lost` is emitted and a new snapshot must come.
#pragma once

#include "model/engine/host_clock.h"
#include "model/live/acts_from_log.h"
#include "model/live/breaker_traffic.h"
#include "model/live/inbox.h"
#include "model/live/publication.h"
#include "model/rules/fleet.h"

#include <QObject>
#include <QTimer>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace handreset::live {

/// A sign of life of the host, and when it was seen by the desk's own clock.
struct Beat {
    engine::HostStatus status;
    rules::Now seenAt;
};

class FoldWorker : public QObject {
    Q_OBJECT

public:
    /// `clock` must outlive it.
    explicit FoldWorker(const engine::Clock &clock);

    [[nodiscard]] const std::shared_ptr<Inbox> &inbox() const { return m_inbox; }

    /// Takes all that was posted.
    void drain();
    void setFocus(const handreset::live::Focus &focus);
    /// The desk has shown one publication: the next may come.
    void consumed();
    /// Starts the timers; on the follower's thread.
    void begin();

Q_SIGNALS:
    void published(const handreset::live::PublicationPointer &publication);
    void beat(const handreset::live::Beat &beat);
    void lost(const QString &why);

private:
    struct RecentEvent {
        rules::AgentId agent;
        rules::TaskId task;
        rules::ToolId tool;
        EventRow row;
    };

    void take(std::shared_ptr<const rules::Fleet> snapshot);
    void take(const engine::Commit &commit);
    void take(const engine::HostStatus &status);
    void take(HistoryRead history);
    void takeActs(const HistoryRead &history);
    [[nodiscard]] bool fold(const rules::Event &event);
    void foldRequest(const rules::Event &event);
    void lookAtRequests();
    void changed(RequestRow row);
    void remember(const rules::Event &event, EventRow row);
    void tick();
    void publishSoon(bool urgent);
    void publish();
    void fillRows(Publication &out);
    void fillAgents(Publication &out);
    void fillBreakers(Publication &out);
    void fillTrips(Publication &out);
    void fillQueue(Publication &out);
    void fillOperators(Publication &out);
    void fillSubject(Publication &out);
    void addRecent(SubjectDetail &detail) const;
    void touchAll();
    void hostSaid(rules::Now now);
    /// The host's own time, as far as it can be known here.
    [[nodiscard]] rules::Now hostNow() const;

    const engine::Clock &m_clock;
    std::shared_ptr<Inbox> m_inbox = std::make_shared<Inbox>();
    QTimer m_trailing;
    QTimer m_second;
    rules::Fleet m_fleet;
    bool m_hasFleet = false;
    bool m_fresh = false;
    bool m_waitingForHistory = false;
    bool m_urgent = false;
    bool m_somethingNew = false;
    int m_outstanding = 0; ///< publications that the desk has not shown yet
    rules::Steady m_lastPublished;
    rules::Now m_hostSaid;  ///< the host's time when it last spoke
    rules::Now m_heardAt;   ///< the desk's time then
    std::int64_t m_hour = 0;
    Focus m_focus;
    rules::BreakerKey m_breakerShown; ///< beside the focused agent, since it is in focus
    TrafficBook m_traffic;
    std::vector<rules::Event> m_beforeHistory; ///< live events that wait until the older ones are in the book
    rules::Touched m_touched;
    std::vector<StopSeen> m_stops; ///< not yet published
    std::vector<EventRow> m_events;
    ActsFromLog m_actsFromLog;
    std::vector<EventRow> m_acts;            ///< not yet published
    std::map<rules::Seq, RequestRow> m_open; ///< requests and reviews
    std::vector<RequestRow> m_requests;      ///< not yet published
    OperatorsNow m_sentOperators;
    qint64 m_eventsLeftOut = 0;
    std::deque<RecentEvent> m_recent; ///< oldest first
    std::unordered_map<RowKey, AgentRow> m_sentAgents;
    std::unordered_map<RowKey, BreakerRow> m_sentBreakers;
    std::unordered_set<RowKey> m_sentTrips;
    std::unordered_set<RowKey> m_sentQueue;
    std::shared_ptr<const SubjectDetail> m_sentSubject;
};

} // namespace handreset::live

Q_DECLARE_METATYPE(handreset::live::Beat)

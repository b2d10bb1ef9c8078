// The one object that every page of the desk uses: the live models, what the subject's page shows, how fresh it is, and
// the operator's acts with what became of them.
// Thread: GUI. Ownership: owns follower and models; host and clock must outlive it. Failure: a host that does not answer
// makes the session stale, never empty; an act that fails says so in `actMoved` and is never tried again by itself,
// except a stop, which is tried until it is in force.
#pragma once

#include "model/engine/host.h"
#include "model/engine/host_clock.h"
#include "model/live/acts.h"
#include "model/live/agent_model.h"
#include "model/live/breaker_model.h"
#include "model/live/event_model.h"
#include "model/live/fleet_follower.h"
#include "model/live/publication.h"
#include "model/live/queue_model.h"
#include "model/live/trip_model.h"
#include "model/rules/command.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace handreset::live {

/// How fresh what is shown is.
struct Freshness {
    bool hasData = false;
    bool stale = true;
    rules::Duration age;             ///< since the last sign of life
    engine::HostStatus host;
    [[nodiscard]] bool writable() const { return hasData && host.health == engine::StoreHealth::Writable; }
};

class DeskSession : public QObject {
    Q_OBJECT

public:
    /// `operatorName` signs every act.
    DeskSession(engine::Host &host, const engine::Clock &clock, QString operatorName, QObject *parent = nullptr);
    ~DeskSession() override;

    /// Begins to follow.
    void start();

    [[nodiscard]] AgentModel &agents() { return m_agents; }
    [[nodiscard]] const AgentModel &agents() const { return m_agents; }
    [[nodiscard]] BreakerModel &breakers() { return m_breakers; }
    [[nodiscard]] const BreakerModel &breakers() const { return m_breakers; }
    [[nodiscard]] TripModel &trips() { return m_trips; }
    [[nodiscard]] const TripModel &trips() const { return m_trips; }
    [[nodiscard]] QueueModel &queue() { return m_queue; }
    [[nodiscard]] const QueueModel &queue() const { return m_queue; }
    [[nodiscard]] EventModel &events() { return m_events; }
    [[nodiscard]] const EventModel &events() const { return m_events; }
    [[nodiscard]] const HeaderCounts &counts() const { return m_counts; }
    [[nodiscard]] const QString &operatorName() const { return m_operator; }
    [[nodiscard]] rules::Now now() const { return m_clock.now(); }
    /// What ages are counted from: now, or a recorded store's own last time.
    [[nodiscard]] rules::Instant present() const { return m_counts.recorded ? m_counts.lastTime : now().wall; }
    [[nodiscard]] const Freshness &freshness() const { return m_freshness; }
    [[nodiscard]] rules::Seq publishedSeq() const { return m_published; }

    /// What the subject's page looks at. The detail follows by `subjectChanged`.
    void setFocus(const Focus &focus);
    [[nodiscard]] const Focus &focus() const { return m_focus; }
    /// Null until the first detail of the present focus has come.
    [[nodiscard]] std::shared_ptr<const SubjectDetail> subject() const { return m_subject; }

    // Acts. Each returns its number at once; what becomes of it comes by `actMoved`, the request itself included.
    quint64 acknowledge(rules::TripId trip, const QString &note = {});
    quint64 rearm(rules::Rearm rearm, const QString &what, rules::AgentId agent);
    quint64 stop(const AgentRow &agent, rules::Rung to);
    /// Every agent, and those that come, to open.
    quint64 stopFleet();
    quint64 giveReason(rules::TripId trip, const QString &reason);
    quint64 actOnBreaker(const BreakerRow &breaker, rules::BreakerEvent act, const QString &reason);
    quint64 actOnQueue(const QueueRow &item, rules::QueueVerb verb, const QString &reason);
    quint64 grant(const GrantOption &what, const rules::Grant &grant, rules::AgentId agent, const QString &reason);
    /// A person's word that the clock is right after it jumped.
    quint64 confirmTime(const QString &reason);
    /// A person's word on a store that failed; the host verifies it first, which may take a while.
    quint64 trustStore(const QString &reason);
    /// What was in flight when this stop came into force; null: not known here.
    [[nodiscard]] const StopSeen *stopSeen(rules::TripId trip) const;
    /// None for a number that was never given.
    [[nodiscard]] std::optional<ActState> act(quint64 number) const;

Q_SIGNALS:
    /// Models and counts are up to date with the last publication.
    void updated();
    void subjectChanged();
    /// At least once a second, and at once when fresh becomes stale or back.
    void freshnessChanged();
    void actMoved(const handreset::live::ActState &act);
    /// Trips that were not there before: to announce.
    void tripsAppeared(const std::vector<handreset::live::TripRow> &trips);
    /// Known trips that got worse, and so are to be acknowledged again: to announce.
    void tripsWorsened(const std::vector<handreset::live::TripRow> &trips);
    /// What was in flight at a stop is known from now on.
    void stopsSeen();

private:
    class Mailbox;

    quint64 submit(rules::Command command, ActState act, RowKey queueRow = 0);
    void send(quint64 number);
    void answered(quint64 number, const engine::Reply &reply);
    void move(quint64 number, ActStage stage);
    void show(const PublicationPointer &publication);
    void showFresh(const Publication &publication);
    void keepStops(const Publication &publication);
    void confirmUpTo(rules::Seq seq);
    void heard(const Beat &beat);
    void tick();
    void judgeFreshness();

    struct Pending {
        ActState state;
        rules::Command command;
        rules::Steady committedAt;
        RowKey queueRow = 0; ///< of an act on the queue
    };

    void settleOwn(rules::TripId trip, RowKey queueRow);

    engine::Host &m_host;
    const engine::Clock &m_clock;
    QString m_operator;
    AgentModel m_agents;
    BreakerModel m_breakers;
    TripModel m_trips;
    QueueModel m_queue;
    EventModel m_events;
    HeaderCounts m_counts;
    Freshness m_freshness;
    std::optional<rules::Steady> m_lastGoodBeat; ///< by the desk's clock
    rules::Seq m_published;
    bool m_sawFirst = false;
    Focus m_focus;
    std::shared_ptr<const SubjectDetail> m_subject;
    std::vector<StopSeen> m_stopsSeen; ///< the last ones
    QHash<quint64, Pending> m_acts;
    quint64 m_lastAct = 0;
    QTimer m_second;
    std::shared_ptr<Mailbox> m_mailbox;
    FleetFollower m_follower; ///< last: it publishes into all of the above
};

} // namespace handreset::live

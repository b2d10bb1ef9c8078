// The one object that every page of the desk uses: the live models, what the subject's page shows, how fresh it is, the
// operator's key, and the operator's acts with what became of them. Where the store asks for signatures each act is
// signed before it is sent; with the key locked it waits in the stage NeedsKey, and `keyAsked` says so.
// Thread: GUI. Ownership: owns follower, models and key; host and clock must outlive it. Failure: a host that does not
// answer makes the session stale, never empty; an act that fails says so in `actMoved` and is never tried again by
// itself, except a stop, which is tried until it is in force.
#pragma once

#include "model/engine/host.h"
#include "model/engine/host_clock.h"
#include "model/live/acts.h"
#include "model/live/agent_model.h"
#include "model/live/audit_model.h"
#include "model/live/breaker_model.h"
#include "model/live/event_model.h"
#include "model/live/fleet_follower.h"
#include "model/live/operator_key.h"
#include "model/live/publication.h"
#include "model/live/queue_model.h"
#include "model/live/request_model.h"
#include "model/live/trip_model.h"
#include "model/rules/act.h"
#include "model/rules/command.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace handreset::live {

/// The connection to a host in another process or on another machine.
struct LinkNow {
    QString host; ///< "ops.example.net:7431", or the store; empty: hosted here
    bool isUp = false;
    QString trouble; ///< why it is cut
    bool operator==(const LinkNow &) const = default;
};

/// How fresh what is shown is.
struct Freshness {
    bool hasData = false;
    bool stale = true;
    rules::Duration age;             ///< since the last sign of life
    engine::HostStatus host;
    LinkNow link;
    [[nodiscard]] bool writable() const { return hasData && host.health == engine::StoreHealth::Writable; }
};

class DeskSession : public QObject {
    Q_OBJECT

public:
    /// `operatorName`: who acts where no signature is asked for; and whose key is taken where several lie here.
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
    [[nodiscard]] RequestModel &requests() { return m_requests; }
    [[nodiscard]] const RequestModel &requests() const { return m_requests; }
    [[nodiscard]] AuditModel &audit() { return m_audit; }
    [[nodiscard]] const AuditModel &audit() const { return m_audit; }
    [[nodiscard]] const HeaderCounts &counts() const { return m_counts; }

    // Who acts
    [[nodiscard]] const OperatorsNow &operators() const { return m_operators; }
    [[nodiscard]] OperatorKey &key() { return m_key; }
    [[nodiscard]] const OperatorKey &key() const { return m_key; }
    /// The key's owner where acts are signed.
    [[nodiscard]] const QString &operatorName() const;
    /// None where acts are not signed, and for who is no operator, or none any more.
    [[nodiscard]] std::optional<rules::Role> role() const;
    /// Why this person may not be the second one of this request, in words; empty where they may.
    [[nodiscard]] QString whyNotApprove(const RequestRow &request) const;
    /// How many requests wait for this person's word.
    [[nodiscard]] int requestsForMe() const;
    /// The request on this trip that waits; null: none.
    [[nodiscard]] const RequestRow *requestOn(rules::TripId trip) const;

    [[nodiscard]] const LinkNow &link() const { return m_freshness.link; }
    void setLink(const LinkNow &link);
    [[nodiscard]] rules::Now now() const { return m_clock.now(); }
    /// What ages are counted from: the host's now, or a recorded store's own last time.
    [[nodiscard]] rules::Instant present() const { return m_counts.recorded ? m_counts.lastTime : hostTime(); }
    /// The host's time line, from its last good beat on: never this machine's own wall clock, which may be wrong, unless
    /// no host was heard.
    [[nodiscard]] rules::Instant hostTime() const;
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
    quint64 approve(const RequestRow &request, const QString &note);
    /// Of one's own: withdrawn; of another's: declined.
    quint64 endRequest(const RequestRow &request, const QString &reason);
    quint64 closeReview(const RequestRow &review, const QString &reason);
    /// True while acts wait for the key.
    [[nodiscard]] bool waitsForKey() const;
    /// The words of what waits for the key, the oldest first.
    [[nodiscard]] QStringList waitingForKey() const;
    /// The person does not want to unlock the key: what waits for it is not sent.
    void cancelWaitingForKey();
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
    /// An act waits for the key to be unlocked.
    void keyAsked();
    /// Requests that were not there before and wait for this person, or glass that was broken: to announce.
    void requestsAppeared(const std::vector<handreset::live::RequestRow> &requests);
    /// Trips that were not there before: to announce.
    void tripsAppeared(const std::vector<handreset::live::TripRow> &trips);
    /// Known trips that got worse, and so are to be acknowledged again: to announce.
    void tripsWorsened(const std::vector<handreset::live::TripRow> &trips);
    /// What was in flight at a stop is known from now on.
    void stopsSeen();

private:
    class Mailbox;

    quint64 submit(rules::Act what, ActState act, RowKey queueRow = 0);
    void send(quint64 number);
    void sendSigned(quint64 number);
    void deliver(quint64 number, rules::Command command);
    void askForKey(quint64 number);
    void sendWaiting();
    [[nodiscard]] QList<quint64> numbersAt(ActStage stage) const;
    void showOperators(const Publication &publication);
    void showRequests(const Publication &publication);
    void settleRequest(const RequestRow &row);
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
        std::optional<rules::Act> act; ///< none any more once it is over
        rules::Steady committedAt;
        RowKey queueRow = 0; ///< of an act on the queue
        std::optional<rules::Signed> sent; ///< under its last signature
        rules::Steady signedAt;
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
    RequestModel m_requests;
    AuditModel m_audit;
    OperatorKey m_key;
    OperatorsNow m_operators;
    std::map<RowKey, RequestRow> m_openRequests; ///< and open reviews; those of `m_requests` that wait
    HeaderCounts m_counts;
    Freshness m_freshness;
    std::optional<rules::Steady> m_lastGoodBeat; ///< by the desk's clock
    rules::Now m_hostSaid;                       ///< the host's time at its last good beat; wall 0: none came yet
    rules::Steady m_hostHeardAt;                 ///< by the desk's clock
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

// Follows a host for the desk: takes its commits on the host's thread, has them folded on a thread of its own, and brings
// the differences to the desk's thread by queued signals.
// Threads: made and used on the desk's (GUI) thread; the host calls it on its own. Ownership: owns its thread; the host
// and the clock must outlive it. Failure: when something was missed it asks for a new snapshot by itself and says so.
#pragma once

#include "model/engine/host.h"
#include "model/live/fold_worker.h"

#include <QObject>
#include <QThread>

#include <memory>

namespace handreset::live {

class FleetFollower : public QObject, private engine::Follower {
    Q_OBJECT

public:
    FleetFollower(engine::Host &host, const engine::Clock &clock, QObject *parent = nullptr);
    ~FleetFollower() override;

    /// Begins to follow; publications come from now on.
    void start();
    /// What `Publication::subject` is about.
    void setFocus(const Focus &focus);
    /// The last publication has been shown. Until it is told, at most two more come.
    void consumed();

Q_SIGNALS:
    void published(const handreset::live::PublicationPointer &publication);
    void beatSeen(const handreset::live::Beat &beat);
    /// Something was missed and is being fetched anew.
    void lost(const QString &why);

private:
    void snapshot(std::shared_ptr<const rules::Fleet> fleet) override;
    void committed(std::shared_ptr<const engine::Commit> commit) override;
    void beat(const engine::HostStatus &status) override;
    void post(InboxItem item);
    void askForHistory(rules::Seq upTo);
    void askForHistory(engine::EventQuery query, bool isOfActs);

    engine::Host &m_host;
    QThread m_thread;
    FoldWorker *m_worker; ///< lives on m_thread; deleted when that ends
    std::shared_ptr<Inbox> m_inbox;
    bool m_started = false;
};

} // namespace handreset::live

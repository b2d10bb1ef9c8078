// Sends the re-arms of several trips, one act each, the next only when the one before is committed, and tells what
// became of them. It never tries again by itself. GUI thread; owned by its Qt parent; the session outlives it.
#pragma once

#include "model/live/acts.h"
#include "model/rules/command.h"

#include <QObject>
#include <QString>

#include <vector>

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

struct PlannedRearm {
    rules::Rearm act;
    QString title;       ///< of the trip
    rules::AgentId whose; ///< whose revision the act names; none: the fleet's
};

class RearmSender : public QObject {
    Q_OBJECT

public:
    explicit RearmSender(live::DeskSession &session, QObject *parent = nullptr);

    void send(std::vector<PlannedRearm> plan, rules::AgentId agent, const QString &agentName);
    [[nodiscard]] bool isBusy() const { return m_current != 0; }

Q_SIGNALS:
    /// "envelope: requested"; one line for the person who waits.
    void progressed(const QString &words);
    /// All committed, and the last one seen back from the decision loop.
    void confirmed();
    /// All committed, but not seen back within 5 s.
    void unconfirmed();
    /// One of them is in the log, and moved this revision.
    void moved(handreset::rules::AgentId whose, handreset::rules::Revision revision);
    /// This one waits for a second person; what became of it follows as `confirmed` or `notDone`. Those after it were
    /// `notTried`: the agent must stay as it is meanwhile.
    void waits(const handreset::live::ActState &act, const QStringList &notTried);
    /// This one was not done, nor those after it, which were `notTried`. `done` names those that were.
    void notDone(const QString &why, const QStringList &done, const QStringList &notTried);

private:
    void sendNext();
    void follow(const live::ActState &act);
    [[nodiscard]] QStringList notTried() const;
    void committed(const live::ActState &act);

    live::DeskSession &m_session;
    std::vector<PlannedRearm> m_plan;
    std::size_t m_next = 0;
    quint64 m_current = 0;
    rules::AgentId m_agent;
    QString m_agentName;
    QStringList m_done;
};

} // namespace handreset::views

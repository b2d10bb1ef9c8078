#include "views/dialogs/rearm_sender.h"

#include "model/live/desk_session.h"

#include <utility>

namespace handreset::views {

using live::ActStage;

RearmSender::RearmSender(live::DeskSession &session, QObject *parent) : QObject(parent), m_session(session)
{
    connect(&session, &live::DeskSession::actMoved, this, &RearmSender::follow);
}

void RearmSender::send(std::vector<PlannedRearm> plan, rules::AgentId agent, const QString &agentName)
{
    m_plan = std::move(plan);
    m_next = 0;
    m_done.clear();
    m_agent = agent;
    m_agentName = agentName;
    sendNext();
}

void RearmSender::sendNext()
{
    const PlannedRearm &planned = m_plan[m_next++];
    Q_EMIT progressed(tr("%1: requested").arg(planned.title));
    m_current = m_session.rearm(planned.act, tr("re-arm of %1, %2").arg(m_agentName, planned.title), m_agent);
}

void RearmSender::follow(const live::ActState &act)
{
    if (act.number != m_current || m_current == 0)
        return;
    const QString &title = m_plan[m_next - 1].title;
    switch (act.stage) {
    case ActStage::NeedsKey:
        Q_EMIT progressed(tr("%1: needs your key, nothing is sent yet").arg(title));
        return;
    case ActStage::Requested:
        return;
    case ActStage::Waiting:
        Q_EMIT waits(act, notTried());
        return;
    case ActStage::Committed:
        committed(act);
        return;
    case ActStage::Confirmed:
        m_current = 0;
        Q_EMIT confirmed();
        return;
    case ActStage::Unconfirmed:
        m_current = 0;
        Q_EMIT unconfirmed();
        return;
    case ActStage::Refused:
    case ActStage::Failed:
        m_current = 0;
        Q_EMIT notDone(QStringLiteral("%1: %2").arg(title, act.trouble), m_done, notTried());
        return;
    }
}

QStringList RearmSender::notTried() const
{
    QStringList titles;
    for (std::size_t i = m_next; i < m_plan.size(); ++i)
        titles.append(m_plan[i].title);
    return titles;
}

void RearmSender::committed(const live::ActState &act)
{
    const PlannedRearm &was = m_plan[m_next - 1];
    m_done.append(was.title);
    Q_EMIT moved(was.whose, act.revision);
    if (m_next == m_plan.size()) {
        Q_EMIT progressed(tr("%1: committed, waiting for the decision loop").arg(was.title));
        return;
    }
    // Our own act moved the revision; whatever else moved it meanwhile makes the next one refused.
    if (m_plan[m_next].whose == was.whose)
        m_plan[m_next].act.revision = act.revision;
    sendNext();
}

} // namespace handreset::views

#include "views/agent_words.h"

#include "model/rules/words_of_time.h"
#include "views/age_words.h"
#include "views/plural.h"

#include <QCoreApplication>

namespace handreset::views {

using rules::Rung;

namespace {

[[nodiscard]] QString tr(const char *text)
{
    return QCoreApplication::translate("agent", text);
}

[[nodiscard]] QString tasks(qint64 count)
{
    return counted(count, tr("task"), tr("tasks"));
}

} // namespace

QString agentState(const live::AgentRow &row)
{
    if (row.rung == Rung::Open)
        return tr("open");
    if (row.rung == Rung::Degraded)
        return tr("degraded");
    if (row.stoppedTasks == 0)
        return tr("closed");
    return (row.worst() == Rung::Open ? tr("%1 stopped") : tr("%1 degraded")).arg(tasks(row.stoppedTasks));
}

QString agentMeaning(const live::AgentRow &row)
{
    if (row.rung == Rung::Open)
        return tr("open: no call goes out");
    if (row.rung == Rung::Degraded)
        return tr("degraded: cheaper model, write tools refused");
    if (row.stoppedTasks == 0)
        return tr("closed: all calls pass");
    return (row.worst() == Rung::Open ? tr("closed, but %1 stopped") : tr("closed, but %1 degraded"))
        .arg(tasks(row.stoppedTasks));
}

QString agentSince(const live::AgentRow &row, rules::Instant now)
{
    // Where tasks alone are stopped the agent's own switch has not moved: the trip has the time.
    if (row.rung == Rung::Closed && row.worstSince)
        return QString::fromStdString(rules::shortLength(now - *row.worstSince));
    const rules::Instant since = row.rungSince.micros != 0 ? row.rungSince : row.lastSeen;
    return QString::fromStdString(rules::shortLength(now - since));
}

QString agentFooter(const live::AgentRow &row)
{
    QStringList parts;
    if (row.toAcknowledge > 0)
        parts.append(tr("to acknowledge"));
    else if (row.acknowledgedAt)
        parts.append(tr("%1, acknowledged %2")
                         .arg(row.acknowledgedBy, QString::fromStdString(rules::utcClock(*row.acknowledgedAt))));
    if (row.queued > 0)
        parts.append(tr("%1 in the queue").arg(row.queued));
    if (row.endsAt)
        parts.append(tr("back by the clock at %1").arg(QString::fromStdString(rules::utcClock(*row.endsAt))));
    if (row.observedOnly)
        parts.append(tr("observed, not enforced"));
    return parts.join(QStringLiteral(" · "));
}

QString agentReading(const live::AgentRow &row, rules::Instant now)
{
    if (row.liveTasks > 0 && !row.reading.isEmpty())
        return row.reading;
    if (row.liveTasks > 0)
        return tasks(row.liveTasks);
    return row.lastSeen.micros == 0 || row.observedOnly
        ? row.reading
        : tr("idle %1").arg(QString::fromStdString(rules::shortLength(now - row.lastSeen)));
}

QString staleWords(qint64 ageMs)
{
    return ageMs <= 0 ? tr("no data yet") : tr("stale %1").arg(ageWords(ageMs));
}

} // namespace handreset::views

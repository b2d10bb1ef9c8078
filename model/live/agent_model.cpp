#include "model/live/agent_model.h"

#include "model/live/columns.h"

#include <tuple>

namespace handreset::live {

using rules::Rung;

namespace {

[[nodiscard]] QString rungText(const AgentRow &row)
{
    if (row.rung == Rung::Closed && row.stoppedTasks > 0)
        return QStringLiteral("closed, %1 %2 %3")
            .arg(QString::number(row.stoppedTasks),
                 row.stoppedTasks == 1 ? QStringLiteral("task") : QStringLiteral("tasks"),
                 row.worst() == Rung::Open ? QStringLiteral("stopped") : QStringLiteral("degraded"));
    return words(std::string(rules::toWord(row.rung)));
}

[[nodiscard]] QString heldBy(const AgentRow &row)
{
    QStringList titles;
    for (const TripMark &trip : row.trips)
        titles.append(trip.title);
    return titles.join(QStringLiteral(", "));
}

[[nodiscard]] Emphasis emphasisOf(Rung rung)
{
    return rung == Rung::Open ? Emphasis::Open : rung == Rung::Degraded ? Emphasis::Degraded : Emphasis::Quiet;
}

[[nodiscard]] std::vector<Column<AgentRow>> columns()
{
    using R = AgentRow;
    return {
        textColumn<R>(QStringLiteral("agent"), [](const R &r) { return r.name; }),
        {.title = QStringLiteral("switch"),
         .text = [](const R &r, rules::Instant) { return rungText(r); },
         .compare = by<R>([](const R &r) { return std::pair(r.rung, r.stoppedTasks); })},
        textColumn<R>(QStringLiteral("held by"), heldBy),
        {.title = QStringLiteral("used of limit"),
         .number = true,
         .text = [](const R &r, rules::Instant) { return r.reading; },
         .compare = by<R>([](const R &r) { return r.fullest; })},
        countColumn<R>(QStringLiteral("tasks"), [](const R &r) { return r.liveTasks; }),
        countColumn<R>(QStringLiteral("refused"), [](const R &r) { return r.refused; }),
        countColumn<R>(QStringLiteral("queue"), [](const R &r) { return r.queued; }),
        ageColumn<R>(QStringLiteral("last asked"), [](const R &r) { return r.lastSeen; }),
    };
}

} // namespace

AgentModel::AgentModel(WallClock clock, QObject *parent) : RowModel(columns(), std::move(clock), parent) {}

QVariant AgentModel::extra(const AgentRow &row, int column, int role) const
{
    if (role == MarkRole && column == NameColumn)
        return row.rung == Rung::Open ? MarkOpen : row.rung == Rung::Degraded ? MarkDegraded : MarkClosed;
    if (role != EmphasisRole)
        return {};
    if (column == NameColumn)
        return static_cast<int>(row.worst() == Rung::Closed ? Emphasis::Normal : Emphasis::Strong);
    if (column == RungColumn)
        return static_cast<int>(emphasisOf(row.worst()));
    const bool nothing = (column == RefusedColumn && row.refused == 0) || (column == QueueColumn && row.queued == 0);
    return static_cast<int>(nothing || column == SeenColumn ? Emphasis::Quiet : Emphasis::Normal);
}

std::weak_ordering AgentModel::natural(const AgentRow &a, const AgentRow &b) const
{
    const auto urgency = [](const AgentRow &r) { return std::tuple(r.rung, r.worst(), !r.trips.empty(), r.toAcknowledge > 0); };
    if (const auto order = urgency(b) <=> urgency(a); order != 0)
        return order;
    return compareTexts(a.name, b.name);
}

QString AgentModel::searched(const AgentRow &row) const
{
    return row.name + QLatin1Char(' ') + rungText(row) + QLatin1Char(' ') + heldBy(row) + QLatin1Char(' ') + row.account;
}

} // namespace handreset::live

#include "model/live/trip_model.h"

#include "model/live/columns.h"

namespace handreset::live {

using rules::Rung;

namespace {

[[nodiscard]] QString stageText(const TripRow &row)
{
    QString text = row.stage == TripStage::Unacknowledged ? QStringLiteral("to acknowledge")
        : row.stage == TripStage::Acknowledged            ? QStringLiteral("acknowledged")
                                                          : QStringLiteral("re-armed");
    if (row.stage != TripStage::Rearmed && row.flapping)
        text += QStringLiteral(", flapping");
    if (row.stage != TripStage::Rearmed && row.byClock && row.endsAt)
        text += QStringLiteral(" · ") + words(rules::utcClock(*row.endsAt)).left(5) + QStringLiteral(" UTC");
    return text;
}

[[nodiscard]] QString measuredText(const TripRow &row)
{
    return row.firings > 1 ? row.measured + QStringLiteral(" × %1").arg(row.firings) : row.measured;
}

[[nodiscard]] std::vector<Column<TripRow>> columns()
{
    using R = TripRow;
    return {
        {.title = QString(),
         .text = [](const R &, rules::Instant) { return QString(); },
         .compare = by<R>([](const R &r) { return r.order; })},
        textColumn<R>(QStringLiteral("signal"), [](const R &r) { return r.title; }),
        textColumn<R>(QStringLiteral("agent"), [](const R &r) { return r.agentName; }),
        textColumn<R>(QStringLiteral("task"), [](const R &r) { return r.task; }),
        textColumn<R>(QStringLiteral("measured against limit"), measuredText),
        ageColumn<R>(QStringLiteral("age"), [](const R &r) { return r.firedAt; }),
        {.title = QStringLiteral("state"),
         .text = [](const R &r, rules::Instant) { return stageText(r); },
         .compare = by<R>([](const R &r) { return r.stage; })},
        textColumn<R>(QStringLiteral("owner"), [](const R &r) { return r.owner; }),
    };
}

} // namespace

TripModel::TripModel(WallClock clock, QObject *parent) : RowModel(columns(), std::move(clock), parent) {}

QVariant TripModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::ToolTipRole && orientation == Qt::Horizontal && section == OrderColumn)
        return QStringLiteral("order within the incident: 1 came first");
    return RowModel::headerData(section, orientation, role);
}

QVariant TripModel::extra(const TripRow &row, int column, int role) const
{
    const bool active = row.stage != TripStage::Rearmed;
    if (role == Qt::ToolTipRole && column == StageColumn && active && row.byClock && row.endsAt)
        return QStringLiteral("the clock lifts it at ") + words(rules::utcClock(*row.endsAt));
    if (role == OrderRole && column == OrderColumn)
        return row.order;
    if (role == MarkRole && column == SignalColumn)
        return !active ? MarkClosed : row.rung == Rung::Open ? MarkOpen : MarkDegraded;
    if (role != EmphasisRole)
        return {};
    if (!active)
        return static_cast<int>(Emphasis::Quiet);
    if (column == SignalColumn)
        return static_cast<int>(row.rung == Rung::Open ? Emphasis::Open : Emphasis::Degraded);
    if (column == AgentColumn || (column == StageColumn && row.stage == TripStage::Unacknowledged))
        return static_cast<int>(Emphasis::Strong);
    return static_cast<int>(column == AgeColumn || column == TaskColumn ? Emphasis::Quiet : Emphasis::Normal);
}

std::weak_ordering TripModel::natural(const TripRow &a, const TripRow &b) const
{
    if (const auto order = a.stage <=> b.stage; order != 0)
        return order;
    return b.firedAt <=> a.firedAt;
}

QString TripModel::searched(const TripRow &row) const
{
    return QStringList{row.title, row.agentName, row.task, row.measured, stageText(row), row.owner}.join(QLatin1Char(' '));
}

} // namespace handreset::live

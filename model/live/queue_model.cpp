#include "model/live/queue_model.h"

#include "model/live/columns.h"

namespace handreset::live {

namespace {

[[nodiscard]] QString stateText(const QueueRow &row)
{
    if (!row.waiting)
        return QStringLiteral("runs, degraded");
    return row.byClock ? QStringLiteral("waits for the clock") : QStringLiteral("waits for a person");
}

[[nodiscard]] QString ownerText(const QueueRow &row)
{
    return row.owner.isEmpty() ? QStringLiteral("nobody") : row.owner;
}

[[nodiscard]] std::vector<Column<QueueRow>> columns()
{
    using R = QueueRow;
    return {
        textColumn<R>(QStringLiteral("task"), [](const R &r) { return r.taskName; }),
        textColumn<R>(QStringLiteral("agent"), [](const R &r) { return r.agentName; }),
        textColumn<R>(QStringLiteral("trip"), [](const R &r) { return r.tripTitle; }),
        ageColumn<R>(QStringLiteral("age"), [](const R &r) { return r.since; }),
        textColumn<R>(QStringLiteral("state"), stateText),
        textColumn<R>(QStringLiteral("owner"), ownerText),
        textColumn<R>(QStringLiteral("diagnosis handed over"), [](const R &r) { return r.note; }),
    };
}

} // namespace

QueueModel::QueueModel(WallClock clock, QObject *parent) : RowModel(columns(), std::move(clock), parent) {}

QVariant QueueModel::extra(const QueueRow &row, int column, int role) const
{
    if (role == MarkRole && column == TaskColumn)
        return row.waiting ? MarkOpen : MarkDegraded;
    if (role != EmphasisRole)
        return {};
    if (column == TaskColumn)
        return static_cast<int>(Emphasis::Strong);
    if (column == StateColumn)
        return static_cast<int>(row.waiting ? Emphasis::Normal : Emphasis::Degraded);
    const bool quiet = column == AgeColumn || (column == OwnerColumn && row.owner.isEmpty());
    return static_cast<int>(quiet ? Emphasis::Quiet : Emphasis::Normal);
}

std::weak_ordering QueueModel::natural(const QueueRow &a, const QueueRow &b) const
{
    if (a.waiting != b.waiting)
        return a.waiting ? std::weak_ordering::less : std::weak_ordering::greater;
    return a.since <=> b.since;
}

QString QueueModel::searched(const QueueRow &row) const
{
    return QStringList{row.taskName, row.agentName, row.tripTitle, stateText(row), ownerText(row), row.note}.join(
        QLatin1Char(' '));
}

} // namespace handreset::live

#include "model/live/breaker_model.h"

#include "model/live/columns.h"

#include <QList>

namespace handreset::live {

using rules::BreakerState;

namespace {

[[nodiscard]] int urgencyOf(const BreakerRow &row)
{
    return row.state == BreakerState::Open ? (row.isolated ? 1 : 3) : row.state == BreakerState::HalfOpen ? 2 : 0;
}

[[nodiscard]] QString toolText(const BreakerRow &row)
{
    return row.agent.isEmpty() ? row.tool : row.tool + QStringLiteral(" · ") + row.agent;
}

[[nodiscard]] std::vector<Column<BreakerRow>> columns()
{
    using R = BreakerRow;
    return {
        textColumn<R>(QStringLiteral("tool"), toolText),
        {.title = QStringLiteral("state"),
         .text = [](const R &r, rules::Instant) { return r.meaning; },
         .compare = by<R>(urgencyOf)},
        textColumn<R>(QStringLiteral("what ends it"), [](const R &r) { return r.whatEndsIt; }),
        {.title = QStringLiteral("failures"),
         .number = true,
         .text = [](const R &r,
                    rules::Instant) { return QStringLiteral("%1 / %2").arg(r.failureCount).arg(r.threshold); },
         .compare = by<R>([](const R &r) { return r.failureCount; })},
        {.title = QStringLiteral("last hour"),
         .text = [](const R &, rules::Instant) { return QString(); },
         .compare = by<R>([](const R &r) { return r.traffic; })},
        countColumn<R>(QStringLiteral("refused"), [](const R &r) { return r.refused; }),
        {.title = QStringLiteral("used by"),
         .text = [](const R &r, rules::Instant) { return r.usedByWords(); },
         .compare = by<R>([](const R &r) { return r.users; })},
    };
}

[[nodiscard]] int markOf(const BreakerRow &row)
{
    if (row.isolated)
        return KeyedTableModel::MarkIsolated;
    if (row.isUnknown())
        return KeyedTableModel::MarkNoData;
    return row.state == BreakerState::Open   ? KeyedTableModel::MarkOpen
        : row.state == BreakerState::HalfOpen ? KeyedTableModel::MarkHalfOpen
                                              : KeyedTableModel::MarkClosed;
}

} // namespace

BreakerModel::BreakerModel(WallClock clock, QObject *parent) : RowModel(columns(), std::move(clock), parent) {}

QVariant BreakerModel::extra(const BreakerRow &row, int column, int role) const
{
    if (role == MarkRole && column == ToolColumn)
        return markOf(row);
    if (role == TrafficRole && column == TrafficColumn)
        return QVariant::fromValue(QList<int>(row.traffic.begin(), row.traffic.end()));
    if (role == Qt::ToolTipRole && column == UsedByColumn) {
        const qsizetype rest = row.users - row.usedBy.size();
        const QString names = row.usedBy.join(QStringLiteral(", "));
        return rest > 0 ? QStringLiteral("%1 and %2 more").arg(names, QString::number(rest)) : names;
    }
    if (role != EmphasisRole)
        return {};
    if (column == ToolColumn)
        return static_cast<int>(Emphasis::Strong);
    if (column == StateColumn)
        return static_cast<int>(row.state == BreakerState::Open   ? Emphasis::Open
                                : row.state == BreakerState::HalfOpen ? Emphasis::Probing
                                                                      : Emphasis::Quiet);
    const bool quiet = column == UsedByColumn || (column == RefusedColumn && row.refused == 0);
    return static_cast<int>(quiet ? Emphasis::Quiet : Emphasis::Normal);
}

std::weak_ordering BreakerModel::natural(const BreakerRow &a, const BreakerRow &b) const
{
    if (const auto order = urgencyOf(b) <=> urgencyOf(a); order != 0)
        return order;
    return compareTexts(toolText(a), toolText(b));
}

QString BreakerModel::searched(const BreakerRow &row) const
{
    return toolText(row) + QLatin1Char(' ') + row.meaning + QLatin1Char(' ') + row.usedBy.join(QLatin1Char(' '));
}

} // namespace handreset::live

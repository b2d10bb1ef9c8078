#include "model/live/request_model.h"

#include "model/live/columns.h"

namespace handreset::live {

namespace {

[[nodiscard]] std::vector<Column<RequestRow>> columns()
{
    using R = RequestRow;
    return {
        textColumn<R>(QStringLiteral("what"), [](const R &r) { return r.act; }),
        textColumn<R>(QStringLiteral("about"), [](const R &r) { return r.about; }),
        textColumn<R>(QStringLiteral("asked by"), [](const R &r) { return r.by; }),
        textColumn<R>(QStringLiteral("machine"), [](const R &r) { return r.machine; }),
        textColumn<R>(QStringLiteral("why two"), [](const R &r) { return r.why; }),
        textColumn<R>(QStringLiteral("reason"), [](const R &r) { return r.reason; }),
        {.title = QStringLiteral("expires in"),
         .number = true,
         .ages = true,
         .text =
             [](const R &r, rules::Instant now) {
                 if (!r.expires || r.state != RequestState::Waiting)
                     return QString();
                 return now < *r.expires ? words(rules::shortLength(*r.expires - now)) : QStringLiteral("now");
             },
         .compare = by<R>([](const R &r) { return r.expires.value_or(rules::Instant{}); })},
        textColumn<R>(QStringLiteral("state"), stateWords),
    };
}

} // namespace

RequestModel::RequestModel(WallClock clock, QObject *parent) : RowModel(columns(), std::move(clock), parent) {}

QVariant RequestModel::extra(const RequestRow &row, int column, int role) const
{
    if (role != EmphasisRole)
        return {};
    if (!row.isOpen())
        return static_cast<int>(Emphasis::Quiet);
    if (column == ActColumn)
        return static_cast<int>(row.state == RequestState::OpenReview ? Emphasis::Open : Emphasis::Strong);
    if (column == StateColumn)
        return static_cast<int>(row.state == RequestState::OpenReview ? Emphasis::Open : Emphasis::Operator);
    return static_cast<int>(Emphasis::Normal);
}

std::weak_ordering RequestModel::natural(const RequestRow &a, const RequestRow &b) const
{
    if (a.isOpen() != b.isOpen())
        return a.isOpen() ? std::weak_ordering::less : std::weak_ordering::greater;
    return a.isOpen() ? a.at <=> b.at : b.at <=> a.at;
}

QString RequestModel::searched(const RequestRow &row) const
{
    return QStringList{row.act, row.about, row.by, row.machine, row.why, row.reason, stateWords(row)}.join(
        QLatin1Char(' '));
}

} // namespace handreset::live

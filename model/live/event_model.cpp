#include "model/live/event_model.h"

#include "model/live/columns.h"

namespace handreset::live {

using rules::Weight;

namespace {

[[nodiscard]] std::vector<Column<EventRow>> columns()
{
    using R = EventRow;
    return {
        {.title = QStringLiteral("number"),
         .number = true,
         .text = [](const R &r, rules::Instant) { return QString::number(r.seq.value); },
         .compare = by<R>([](const R &r) { return r.seq; })},
        {.title = QStringLiteral("time"),
         .number = true,
         .text = [](const R &r, rules::Instant) { return words(rules::utcClockMillis(r.at)); },
         .compare = by<R>([](const R &r) { return r.at; })},
        textColumn<R>(QStringLiteral("what"), [](const R &r) { return r.word; }),
        textColumn<R>(QStringLiteral("agent"), [](const R &r) { return r.agent; }),
        textColumn<R>(QStringLiteral("task"), [](const R &r) { return r.task; }),
        textColumn<R>(QStringLiteral("about"), [](const R &r) { return r.subject; }),
        textColumn<R>(QStringLiteral("in words"), [](const R &r) { return r.sentence; }),
    };
}

[[nodiscard]] Emphasis emphasisOf(Weight weight)
{
    switch (weight) {
    case Weight::Trip:
        return Emphasis::Open;
    case Weight::ByOperator:
        return Emphasis::Operator;
    case Weight::Refused:
    case Weight::Moved:
        return Emphasis::Strong;
    case Weight::Ordinary:
        break;
    }
    return Emphasis::Quiet;
}

} // namespace

EventModel::EventModel(WallClock clock, QObject *parent) : RowModel(columns(), std::move(clock), parent) {}

void EventModel::add(const std::vector<EventRow> &events)
{
    for (const EventRow &event : events)
        m_known.insert(event.key());
    std::vector<RowKey> gone;
    while (m_known.size() > kKept) {
        gone.push_back(*m_known.begin());
        m_known.erase(m_known.begin());
    }
    update(events, gone);
}

QVariant EventModel::extra(const EventRow &row, int column, int role) const
{
    if (role == Qt::ToolTipRole && column == TimeColumn)
        return words(rules::utcStamp(row.at));
    if (role != EmphasisRole)
        return {};
    if (column == WordColumn)
        return static_cast<int>(emphasisOf(row.weight));
    const bool quiet = column == SeqColumn || column == TimeColumn || column == TaskColumn
        || row.weight == Weight::Ordinary;
    return static_cast<int>(quiet ? Emphasis::Quiet : Emphasis::Normal);
}

std::weak_ordering EventModel::natural(const EventRow &a, const EventRow &b) const
{
    return b.seq <=> a.seq;
}

bool EventModel::isNoise(const EventRow &row) const
{
    static const std::uint8_t named = [] {
        rules::Event event;
        event.payload = rules::Named{};
        return event.kind();
    }();
    return row.kind == named;
}

QString EventModel::searched(const EventRow &row) const
{
    return QStringList{row.word, row.agent, row.task, row.subject, row.sentence}.join(QLatin1Char(' '));
}

} // namespace handreset::live

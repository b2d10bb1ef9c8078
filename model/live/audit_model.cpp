#include "model/live/audit_model.h"

#include "model/live/columns.h"

namespace handreset::live {

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
         .text = [](const R &r, rules::Instant) { return words(rules::utcClock(r.at)); },
         .compare = by<R>([](const R &r) { return r.at; })},
        textColumn<R>(QStringLiteral("operator"), [](const R &r) { return r.by; }),
        textColumn<R>(QStringLiteral("act"), [](const R &r) { return r.word; }),
        textColumn<R>(QStringLiteral("agent"), [](const R &r) { return r.agent; }),
        textColumn<R>(QStringLiteral("in words"),
                      [](const R &r) {
                          return r.subject.isEmpty() ? r.sentence : r.subject + QStringLiteral(": ") + r.sentence;
                      }),
        textColumn<R>(QStringLiteral("machine"), [](const R &r) { return r.machine; }),
        textColumn<R>(QStringLiteral("result"), [](const R &r) { return r.result; }),
        textColumn<R>(QStringLiteral("proof"), [](const R &r) { return r.proof; }),
    };
}

} // namespace

AuditModel::AuditModel(WallClock clock, QObject *parent) : RowModel(columns(), std::move(clock), parent) {}

void AuditModel::add(const std::vector<EventRow> &acts)
{
    for (const EventRow &act : acts) {
        m_known.insert(act.key());
        if (m_persons.contains(act.by))
            continue;
        m_persons.append(act.by);
        m_persons.sort(Qt::CaseInsensitive);
    }
    std::vector<RowKey> gone;
    while (m_known.size() > kKept) {
        gone.push_back(*m_known.begin());
        m_known.erase(m_known.begin());
    }
    update(acts, gone);
}

QVariant AuditModel::extra(const EventRow &row, int column, int role) const
{
    if (role == Qt::ToolTipRole && column == TimeColumn)
        return words(rules::utcStamp(row.at));
    if (role != EmphasisRole)
        return {};
    if (column == ProofColumn) {
        const bool isWrong = row.proof.startsWith(QStringLiteral("SIGNATURE"));
        return static_cast<int>(isWrong ? Emphasis::Open : Emphasis::Quiet);
    }
    if (column == WordColumn)
        return static_cast<int>(Emphasis::Operator);
    if (column == ResultColumn)
        return static_cast<int>(row.result == QStringLiteral("refused") ? Emphasis::Strong : Emphasis::Normal);
    const bool isQuiet = column == SeqColumn || column == TimeColumn || column == MachineColumn;
    return static_cast<int>(isQuiet ? Emphasis::Quiet : Emphasis::Normal);
}

std::weak_ordering AuditModel::natural(const EventRow &a, const EventRow &b) const
{
    return b.seq <=> a.seq;
}

QString AuditModel::searched(const EventRow &row) const
{
    return QStringList{row.by,       row.word,    row.agent,  row.task, row.subject,
                       row.sentence, row.machine, row.result, row.proof}
        .join(QLatin1Char(' '));
}

} // namespace handreset::live

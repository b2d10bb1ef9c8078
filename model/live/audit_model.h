// Operators' acts, the newest first, with what proves them; bounded, the whole stands in the store. GUI thread.
#pragma once

#include "model/live/row_model.h"

#include <set>

namespace handreset::live {

class AuditModel : public RowModel<EventRow> {
    Q_OBJECT

public:
    enum Column : int {
        SeqColumn,
        TimeColumn,
        ByColumn,
        WordColumn,
        AgentColumn,
        SentenceColumn,
        MachineColumn,
        ResultColumn,
        ProofColumn,
        ColumnCount
    };

    /// This many newest acts stay at hand.
    static constexpr std::size_t kKept = 5'000;

    explicit AuditModel(WallClock clock, QObject *parent = nullptr);

    /// As EventModel::add.
    void add(const std::vector<EventRow> &acts);
    /// Everybody who acted, in order.
    [[nodiscard]] const QStringList &persons() const { return m_persons; }

protected:
    [[nodiscard]] QVariant extra(const EventRow &row, int column, int role) const override;
    [[nodiscard]] std::weak_ordering natural(const EventRow &a, const EventRow &b) const override;
    [[nodiscard]] QString searched(const EventRow &row) const override;

private:
    std::set<RowKey> m_known; ///< ascending: the oldest go first
    QStringList m_persons;
};

} // namespace handreset::live

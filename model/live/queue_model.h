// Tasks that trips took from their agents, those that wait longest first. GUI thread.
#pragma once

#include "model/live/row_model.h"

namespace handreset::live {

class QueueModel : public RowModel<QueueRow> {
    Q_OBJECT

public:
    enum Column : int { TaskColumn, AgentColumn, TripColumn, AgeColumn, StateColumn, OwnerColumn, NoteColumn, ColumnCount };

    explicit QueueModel(WallClock clock, QObject *parent = nullptr);

protected:
    [[nodiscard]] QVariant extra(const QueueRow &row, int column, int role) const override;
    [[nodiscard]] std::weak_ordering natural(const QueueRow &a, const QueueRow &b) const override;
    [[nodiscard]] QString searched(const QueueRow &row) const override;
};

} // namespace handreset::live

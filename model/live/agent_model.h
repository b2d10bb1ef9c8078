// The agents of the fleet, the abnormal first; for the board's tiles and its dense table. GUI thread.
#pragma once

#include "model/live/row_model.h"

namespace handreset::live {

class AgentModel : public RowModel<AgentRow> {
    Q_OBJECT

public:
    enum Column : int { NameColumn, RungColumn, HeldByColumn, ReadingColumn, TasksColumn, RefusedColumn, QueueColumn, SeenColumn, ColumnCount };

    explicit AgentModel(WallClock clock, QObject *parent = nullptr);

protected:
    [[nodiscard]] QVariant extra(const AgentRow &row, int column, int role) const override;
    [[nodiscard]] std::weak_ordering natural(const AgentRow &a, const AgentRow &b) const override;
    [[nodiscard]] QString searched(const AgentRow &row) const override;
};

} // namespace handreset::live

// The inbox: one row a trip, what nobody has acknowledged first. GUI thread.
#pragma once

#include "model/live/row_model.h"

namespace handreset::live {

class TripModel : public RowModel<TripRow> {
    Q_OBJECT

public:
    enum Column : int { OrderColumn, SignalColumn, AgentColumn, TaskColumn, MeasuredColumn, AgeColumn, StageColumn, OwnerColumn, ColumnCount };

    explicit TripModel(WallClock clock, QObject *parent = nullptr);

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    [[nodiscard]] QVariant extra(const TripRow &row, int column, int role) const override;
    [[nodiscard]] std::weak_ordering natural(const TripRow &a, const TripRow &b) const override;
    [[nodiscard]] QString searched(const TripRow &row) const override;
};

} // namespace handreset::live

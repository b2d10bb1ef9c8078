// The breakers of the fleet's tools, the abnormal first. GUI thread.
#pragma once

#include "model/live/row_model.h"

namespace handreset::live {

class BreakerModel : public RowModel<BreakerRow> {
    Q_OBJECT

public:
    enum Column : int { ToolColumn, StateColumn, EndsColumn, FailuresColumn, TrafficColumn, RefusedColumn, UsedByColumn, ColumnCount };

    explicit BreakerModel(WallClock clock, QObject *parent = nullptr);

protected:
    [[nodiscard]] QVariant extra(const BreakerRow &row, int column, int role) const override;
    [[nodiscard]] std::weak_ordering natural(const BreakerRow &a, const BreakerRow &b) const override;
    [[nodiscard]] QString searched(const BreakerRow &row) const override;
};

} // namespace handreset::live

// What waits for a second person or for a review, those first that end first; then what was decided. GUI thread.
#pragma once

#include "model/live/request_row.h"
#include "model/live/row_model.h"

namespace handreset::live {

class RequestModel : public RowModel<RequestRow> {
    Q_OBJECT

public:
    enum Column : int {
        ActColumn,
        AboutColumn,
        ByColumn,
        MachineColumn,
        WhyColumn,
        ReasonColumn,
        ExpiresColumn,
        StateColumn,
        ColumnCount
    };

    explicit RequestModel(WallClock clock, QObject *parent = nullptr);

protected:
    [[nodiscard]] QVariant extra(const RequestRow &row, int column, int role) const override;
    [[nodiscard]] std::weak_ordering natural(const RequestRow &a, const RequestRow &b) const override;
    [[nodiscard]] QString searched(const RequestRow &row) const override;
};

} // namespace handreset::live

// The reason of a stop that was made without one, given afterwards by whoever knows it. GUI thread; owned by its Qt
// parent; the session outlives it.
#pragma once

#include "model/live/subject_detail.h"
#include "views/dialogs/reason_dialog.h"

namespace handreset::views {

class StopReasonDialog : public ReasonDialog {
    Q_OBJECT

public:
    StopReasonDialog(live::DeskSession &session, const live::TripDetail &stop, QWidget *parent = nullptr);

protected:
    [[nodiscard]] quint64 send(const QString &reason) override;

private:
    rules::TripId m_stop;
};

} // namespace handreset::views

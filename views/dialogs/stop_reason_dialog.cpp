#include "views/dialogs/stop_reason_dialog.h"

#include "model/live/desk_session.h"

namespace handreset::views {

StopReasonDialog::StopReasonDialog(live::DeskSession &session, const live::TripDetail &stop, QWidget *parent)
    : ReasonDialog(session, tr("Give the reason of the stop"), tr("Give the reason"), parent), m_stop(stop.trip.id)
{
    setObjectName(QStringLiteral("stopReasonDialog"));
    addParagraph(tr("Stopped by %1. The stop is in force either way; your name stands beside the reason in the log.")
                     .arg(stop.madeBy));
}

quint64 StopReasonDialog::send(const QString &reason)
{
    return session().giveReason(m_stop, reason);
}

} // namespace handreset::views

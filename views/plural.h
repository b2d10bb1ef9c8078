// Counts with their noun: "1 task", "3 tasks". Pure; any thread.
#pragma once

#include <QString>

namespace handreset::views {

/// The number and the form of the noun that goes with it.
[[nodiscard]] inline QString counted(qint64 count, const QString &one, const QString &many)
{
    return QString::number(count) + QLatin1Char(' ') + (count == 1 ? one : many);
}

} // namespace handreset::views

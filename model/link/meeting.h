// What a host on the network tells anybody who connects: its certificate, its time, and which store it has. Before a
// person compares and pins the fingerprint, and so that a pass is made for the right store on the host's own time.
// Blocks: on any thread but a GUI's. Failure: Unavailable with the reason.
#pragma once

#include "model/rules/instant.h"
#include "model/rules/result.h"

#include <QString>

#include <chrono>
#include <string>

namespace handreset::link {

struct Meeting {
    QString fingerprint; ///< of the certificate, "AB:CD:…"; nobody has vouched for it yet
    rules::Instant hostTime;
    std::string storeId; ///< empty: it has none yet
};

/// `address` as `addressIn` takes it.
[[nodiscard]] rules::Result<Meeting> meet(const QString &address, std::chrono::milliseconds within);

} // namespace handreset::link

// The certificates of hosts that this person has compared and accepted, one line an address. Any thread; no state.
// Failure: an Error; a file that cannot be read is never taken for an empty one.
#pragma once

#include "model/rules/result.h"

#include <QString>

#include <optional>

namespace handreset::link {

/// $HANDRESET_KNOWN_HOSTS, else <data>/handreset/known_hosts.
[[nodiscard]] QString knownHostsFile();
/// The fingerprint that was accepted for this address; nothing: none yet.
[[nodiscard]] rules::Result<std::optional<QString>> acceptedFingerprint(const QString &file, const QString &address);
/// Accepts it from now on, in place of an earlier one.
[[nodiscard]] rules::Result<void> acceptFingerprint(const QString &file, const QString &address, const QString &fingerprint);

} // namespace handreset::link

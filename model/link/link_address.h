// Where a host is reached: "address:port" as people write it, and a certificate's fingerprint. Pure; any thread.
#pragma once

#include "model/rules/result.h"
#include "model/rules/sha256.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace handreset::link {

struct NetworkAddress {
    QString host; ///< a name or a number; IPv6 without brackets
    std::uint16_t port = 0;
};

/// BadInput for what is no "address:port"; an IPv6 address stands in brackets.
[[nodiscard]] rules::Result<NetworkAddress> addressIn(const QString &text);

/// "AB:CD:…", 32 bytes.
[[nodiscard]] QString fingerprintText(const rules::Digest &fingerprint);
/// Nothing unless it is 32 bytes in hexadecimal, with or without colons, in large or small letters.
[[nodiscard]] std::optional<rules::Digest> fingerprintIn(const QString &text);

} // namespace handreset::link

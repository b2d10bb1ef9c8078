// The certificate under which a host is known on the network: self-signed, made once, kept for its user alone. Desks
// pin its fingerprint, so it is never made anew while the old one is there, not even where that one is damaged. Any
// thread; no state. Failure: an Error that says what is wrong and what to do.
#pragma once

#include "model/rules/result.h"
#include "model/rules/sha256.h"

#include <QSslCertificate>
#include <QSslKey>
#include <QString>

namespace handreset::link {

struct Certificate {
    QSslCertificate certificate;
    QSslKey key;
    /// SHA-256 of the certificate's DER form: what desks pin.
    [[nodiscard]] rules::Digest fingerprint() const;
};

/// The fingerprint of any certificate.
[[nodiscard]] rules::Digest fingerprintOf(const QSslCertificate &certificate);

/// The one in `folder`; made at first (P-256, valid for ten years), the folder too.
[[nodiscard]] rules::Result<Certificate> certificateIn(const QString &folder);

} // namespace handreset::link

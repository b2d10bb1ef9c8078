#include "app/ctl/network_host.h"

#include "app/ctl/signing.h"
#include "model/link/known_hosts.h"
#include "model/link/link_address.h"
#include "model/link/linked_host.h"
#include "model/link/meeting.h"

#include <chrono>
#include <optional>
#include <utility>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::chrono::seconds kWithin{10};
constexpr rules::Duration kRunLasts = rules::hours(1); ///< a pass for one run of the command line

/// Nothing where the certificate is the accepted one; it is accepted now where the person names it.
std::optional<Error> judgeCertificate(const Arguments &arguments, const QString &address, const QString &seen)
{
    const QString file = link::knownHostsFile();
    if (const auto given = arguments.value("fingerprint")) {
        const auto wanted = link::fingerprintIn(QString::fromStdString(*given));
        if (!wanted)
            return Error{ErrorCode::BadInput, "--fingerprint is 32 bytes in hexadecimal, as the host tells it", {}};
        if (link::fingerprintText(*wanted) != seen)
            return Error{ErrorCode::Refused,
                         "who answers there has another certificate: " + seen.toStdString() + "; nothing was sent",
                         {}};
        const auto accepted = link::acceptFingerprint(file, address, seen);
        return accepted ? std::nullopt : std::optional(accepted.error());
    }
    const auto known = link::acceptedFingerprint(file, address);
    if (!known)
        return known.error();
    if (!*known)
        return Error{
            ErrorCode::Refused,
            "this host is not known here yet; its certificate is\n  " + seen.toStdString()
                + "\nCompare it with what the host itself tells (in its log, and by handresetctl status there), then "
                  "say: --fingerprint "
                + seen.toStdString(),
            {}};
    if (**known != seen)
        return Error{
            ErrorCode::Refused,
            "who answers there has ANOTHER certificate than the accepted one: " + seen.toStdString() + ", not "
                + (*known)->toStdString()
                + ". Somebody may stand between you and the host; nothing was sent. If the host has a new one and you "
                  "have compared it: --fingerprint "
                + seen.toStdString(),
            {}};
    return std::nullopt;
}

} // namespace

Result<std::unique_ptr<engine::Host>> hostOnNetwork(Context &context, const Arguments &arguments)
{
    const QString address = QString::fromStdString(arguments.valueOr("connect", ""));
    const auto met = link::meet(address, kWithin);
    if (!met)
        return met.error();
    if (auto refused = judgeCertificate(arguments, address, met->fingerprint))
        return *refused;
    const auto signer = unlockedSigner(arguments, context, met->storeId);
    if (!signer)
        return signer.error();
    link::LinkedHostOptions options;
    options.address = address;
    options.fingerprint = met->fingerprint;
    options.pass = link::beginShift((*signer)->key(), met->storeId, (*signer)->seat().name, met->hostTime + kRunLasts);
    auto host = std::make_unique<link::LinkedHost>(std::move(options));
    if (auto up = host->waitUntilUp(kWithin); !up)
        return up.error();
    return std::unique_ptr<engine::Host>(std::move(host));
}

} // namespace handreset::ctl

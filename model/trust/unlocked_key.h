// A key that was unlocked, for a time: then, or on `lock`, it is wiped, and the passphrase is asked for anew. Time is
// passed in. Thread: one object belongs to one thread at a time.
#pragma once

#include "model/rules/result.h"
#include "model/trust/key_file.h"
#include "model/trust/signer.h"

#include <optional>

namespace handreset::trust {

class UnlockedKey {
public:
    /// Opens the present key of the seat's operator, until `now` + `length`. Fails as KeyFiles::open.
    [[nodiscard]] static rules::Result<UnlockedKey> unlock(const KeyFiles &files, SignerSeat seat,
                                                           const Passphrase &passphrase, rules::Steady now,
                                                           rules::Duration length);
    UnlockedKey(Signer signer, rules::Steady until);

    /// Wipes the key where its time is over; zero when it is locked. Call it now and then, so that a desk that nobody
    /// touches does not hold the key on.
    rules::Duration remaining(rules::Steady now);
    /// Refused when it is locked.
    [[nodiscard]] rules::Result<rules::Signed> sign(rules::Act act, rules::Steady now, rules::Instant hostTime,
                                                    bool breakGlass = false);
    /// As Signer::signFor.
    void signFor(std::string fleet)
    {
        if (m_signer)
            m_signer->signFor(std::move(fleet));
    }
    void lock() noexcept { m_signer.reset(); }
    [[nodiscard]] bool isLocked() const noexcept { return !m_signer.has_value(); }

private:
    std::optional<Signer> m_signer;
    rules::Steady m_until;
};

} // namespace handreset::trust

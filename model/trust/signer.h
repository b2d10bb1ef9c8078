// Puts an operator's signature under acts. Thread: any; `sign` may be called by several at once. Ownership: holds the
// secret key; can be moved, never copied.
#pragma once

#include "model/rules/command.h"
#include "model/trust/secret_key.h"

#include <string>

namespace handreset::trust {

/// Who signs, for which store, and where.
struct SignerSeat {
    std::string storeId;
    std::string name;    ///< of the operator
    std::string machine; ///< as this machine calls itself
    std::string session; ///< one run of the desk or the command line

    /// On this machine, in a session that begins now.
    [[nodiscard]] static SignerSeat here(std::string storeId, std::string name);
};

class Signer {
public:
    Signer(SecretKey key, SignerSeat seat);
    /// What acts are signed for from here on: Fleet::signedAs; else the seat's store.
    void signFor(std::string fleet) { m_fleet = std::move(fleet); }

    [[nodiscard]] const rules::PublicKey &publicKey() const noexcept { return m_key.publicKey(); }
    [[nodiscard]] const SignerSeat &seat() const noexcept { return m_seat; }
    /// To begin a shift with.
    [[nodiscard]] const SecretKey &key() const noexcept { return m_key; }
    /// The act under a signature of its own: two of the same act are two acts. `hostTime` is the host's, as its last
    /// beat told it, for a signed act is fresh for minutes only. Whoever the act names, it is this operator's.
    [[nodiscard]] rules::Signed sign(rules::Act act, rules::Instant hostTime, bool breakGlass = false) const;

private:
    SecretKey m_key;
    SignerSeat m_seat;
    std::string m_fleet;
};

} // namespace handreset::trust

// The secret half of an operator's Ed25519 key (RFC 8032). It never leaves this room: others get signatures. Thread:
// any; `sign` may be called by several at once. Ownership: can be moved, never copied; wiped when it goes.
#pragma once

#include "model/rules/operator.h"
#include "model/trust/secret_bytes.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace handreset::trust {

/// Bytes of the seed that the whole key follows from.
inline constexpr std::size_t kSeedSize = 32;

class SecretKey {
public:
    /// A new key, of the system's randomness.
    [[nodiscard]] static SecretKey generate();
    /// The key that follows from a seed of kSeedSize bytes.
    [[nodiscard]] static SecretKey fromSeed(const SecretBytes &seed);

    [[nodiscard]] const rules::PublicKey &publicKey() const noexcept { return m_publicKey; }
    /// rules::kSignatureSize bytes; empty from a key that was moved away.
    [[nodiscard]] std::string sign(std::string_view bytes) const;
    /// What is sealed on the disk; for `sealKey` only.
    [[nodiscard]] SecretBytes seed() const;

private:
    SecretKey() = default;

    SecretBytes m_secret; ///< as libsodium wants it: seed and public key
    rules::PublicKey m_publicKey{};
};

} // namespace handreset::trust

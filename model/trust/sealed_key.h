// An operator's key as it lies on the disk: a small text, useless without the passphrase. Argon2id (RFC 9106) makes a
// key of the passphrase, XChaCha20-Poly1305 seals the seed with it, and everything else that the text says is bound to
// the seal. Pure but for randomness; any thread. `sealKey` and `openKey` take the time and the memory that Hardness
// asks for: not on a thread that draws.
#pragma once

#include "model/rules/operator.h"
#include "model/rules/result.h"
#include "model/trust/passphrase.h"
#include "model/trust/secret_key.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace handreset::trust {

/// Whose key it is: one for each store that a human is an operator of.
struct KeyOwner {
    std::string storeId; ///< 32 hexadecimal digits
    std::string name;    ///< of the operator
    bool operator==(const KeyOwner &) const = default;
};

/// What one guess of the passphrase costs.
struct Hardness {
    std::uint64_t passes = 0;
    std::size_t memory = 0; ///< bytes
    bool operator==(const Hardness &) const = default;

    /// libsodium's "moderate": 3 passes over 256 MiB, about a second.
    [[nodiscard]] static Hardness moderate() noexcept;
    /// The least that Argon2id knows. For tests.
    [[nodiscard]] static Hardness least() noexcept;
};

/// What can be read without the passphrase. Only after `openKey` is it known to be true.
struct SealedKey {
    KeyOwner owner;
    rules::PublicKey publicKey{};
    Hardness hardness;
    std::string salt;
    std::string nonce;
    std::string sealed; ///< the seed under the seal
};

/// Longest text of a sealed key, in bytes.
inline constexpr std::size_t kMostSealedText = 8192;

/// BadInput for an owner who cannot have a key: no store's id, no name, one that is too long or not UTF-8.
[[nodiscard]] rules::Result<void> checkOwner(const KeyOwner &owner);

/// The text of the file. Unavailable where there is not as much memory as `hardness` asks for.
[[nodiscard]] rules::Result<std::string> sealKey(const SecretKey &key, const Passphrase &passphrase,
                                                 const KeyOwner &owner, Hardness hardness);
/// Unavailable for a damaged text, a newer form, and what asks for more than a key of ours ever would.
[[nodiscard]] rules::Result<SealedKey> readSealedKey(std::string_view text);
/// Refused for the wrong passphrase.
[[nodiscard]] rules::Result<SecretKey> openKey(const SealedKey &sealed, const Passphrase &passphrase);

} // namespace handreset::trust

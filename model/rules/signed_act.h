// An operator's act under that operator's signature, and what is signed (spec 3.4, 4). The secret half of a key never
// comes here: model/trust signs, the rules only check. Pure values; any thread.
#pragma once

#include "model/rules/instant.h"
#include "model/rules/operator.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace handreset::rules {

/// A signed act is taken for this long, either way from the host's time; its nonce is kept for longer.
inline constexpr Duration kActFresh = minutes(5);
/// Bytes of a nonce, and of a signature.
inline constexpr std::size_t kNonceSize = 16;
inline constexpr std::size_t kSignatureSize = 64;

/// What stands under the signature. `at` is on the host's time line, as the signer knew it from the host's last beat,
/// so that a wrong clock of the signer's machine keeps nobody from acting and lets nothing old in.
struct SignedAct {
    std::string storeId; ///< the fleet that it is for
    std::string by;      ///< the operator's name
    std::string nonce;   ///< kNonceSize random bytes, used once
    Instant at;
    std::string machine; ///< where it was signed, as the signer says
    std::string session; ///< the signer's run of the desk or the command line
    bool breakGlass = false; ///< acts alone where two persons are asked for; root on the host only
    std::string act;     ///< `encodeAct`
    std::string signature; ///< kSignatureSize bytes, over `bytesToSign`
    bool operator==(const SignedAct &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "store_id", self.storeId);
        v(2, "by", self.by);
        v(3, "nonce", self.nonce);
        v(4, "at", self.at);
        v(5, "machine", self.machine);
        v(6, "session", self.session);
        v(7, "break_glass", self.breakGlass);
        v(8, "act", self.act);
        v(9, "signature", self.signature);
    }
};

/// How the act reached the host, as the host itself saw it.
struct ActOrigin {
    std::string channel; ///< "embedded", "socket uid 1000", "tls 10.0.0.7"; empty: not known
    bool isRoot = false; ///< by the system's administrator on the host itself
    bool operator==(const ActOrigin &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "channel", self.channel);
        v(2, "root", self.isRoot);
    }
};

/// What the operator's key signs: a fixed head and everything but the signature itself.
[[nodiscard]] std::string bytesToSign(const SignedAct &act);

/// False for what is no point of the curve, or one of the few that signatures fit without a secret.
[[nodiscard]] bool isUsableKey(const PublicKey &key) noexcept;
/// True when `signature` is this key's over `bytes` (Ed25519, RFC 8032; keys of small order are refused).
[[nodiscard]] bool signatureFits(std::string_view bytes, std::string_view signature, const PublicKey &key) noexcept;

} // namespace handreset::rules

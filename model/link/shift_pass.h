// What lets an operator look at a fleet over the network for one shift, without asking for the passphrase at every
// reconnection: the operator's key signs, once, the public half of a key that the desk made for this shift. The desk
// then answers each challenge of the host with the shift's key. A pass lets its holder look, nothing else: every act
// needs the operator's own signature (spec 5, "challenge and signature"). Any thread; no state.
#pragma once

#include "model/rules/operator.h"
#include "model/rules/result.h"
#include "model/rules/sha256.h"
#include "model/trust/secret_key.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace handreset::link {

/// A pass holds no longer than this.
inline constexpr rules::Duration kLongestShift = rules::hours(12);
/// How far the clocks of host and desk may be apart before a pass that was just made seems to hold for too long.
inline constexpr rules::Duration kClockSlack = rules::minutes(5);
/// Bytes of a challenge.
inline constexpr std::size_t kChallengeSize = 32;

struct ShiftPass {
    std::string storeId;         ///< the fleet that it is for
    std::string name;            ///< the operator's
    rules::PublicKey shiftKey{}; ///< of the key that the desk made for this shift
    rules::Instant until;
    std::string signature; ///< the operator's, over `bytesToSign`
    bool operator==(const ShiftPass &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "store_id", self.storeId);
        v(2, "name", self.name);
        v(3, "shift_key", self.shiftKey);
        v(4, "until", self.until);
        v(5, "signature", self.signature);
    }
};

/// A signature over bytes, by a key that is not shown: the operator's, or the shift's. Any thread.
using Signs = std::function<std::string(std::string_view)>;

/// A pass with the means to prove that it is one's own.
struct HeldPass {
    ShiftPass pass;
    Signs sign; ///< by the shift's key
};

/// Begins a shift: makes its key, and has the operator's sign for it. `until` is on the host's time line, kLongestShift
/// from now at most.
[[nodiscard]] HeldPass beginShift(const trust::SecretKey &operatorKey, std::string storeId, std::string name,
                                  rules::Instant until);

/// What the host asked of this connection: random bytes, and the certificate under which it asks. So an answer that
/// somebody between them passes on fits no other host.
struct Challenge {
    std::string bytes;           ///< kChallengeSize of them
    rules::Digest certificate{}; ///< SHA-256 of it
};

/// What the operator's key signs of a pass, and what the shift's key signs of a challenge.
[[nodiscard]] std::string bytesToSign(const ShiftPass &pass);
[[nodiscard]] std::string bytesToSign(const Challenge &challenge, const ShiftPass &pass);

/// Refused, with words, where the pass is not the operator's own, or not for this store, or over, or the challenge is
/// not answered by its key. Whether the operator is still one is not asked here.
[[nodiscard]] rules::Result<void> checkPass(const ShiftPass &pass, const rules::PublicKey &operatorKey,
                                            std::string_view storeId, rules::Instant now);
[[nodiscard]] rules::Result<void> checkProof(std::string_view proof, const Challenge &challenge, const ShiftPass &pass);

} // namespace handreset::link

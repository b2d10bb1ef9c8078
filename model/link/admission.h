// Who may look over the network: an operator of this store, enrolled and not retired, with a pass that holds. On this
// machine the kernel vouches for the peer and nothing of this is asked. Pure; any thread.
// Failure: Refused with words that tell an operator what to do and a stranger nothing.
#pragma once

#include "model/link/shift_pass.h"
#include "model/rules/fleet.h"
#include "model/rules/operator.h"
#include "model/rules/result.h"

#include <string_view>

namespace handreset::link {

/// True where anybody could be admitted at all. A store without operators is not served over the network.
[[nodiscard]] bool hasOperators(const rules::Fleet &fleet);

/// The key under which the operator was admitted.
[[nodiscard]] rules::Result<rules::PublicKey> admit(const rules::Fleet &fleet, const ShiftPass &pass,
                                                    std::string_view proof, const Challenge &challenge,
                                                    rules::Instant now);

/// Whether who was admitted under this key still may look: the shift may be over, the operator retired, the key
/// another.
[[nodiscard]] rules::Result<void> checkStillAdmitted(const rules::Fleet &fleet, const ShiftPass &pass,
                                                     const rules::PublicKey &key, rules::Instant now);

} // namespace handreset::link

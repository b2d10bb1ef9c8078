#include "model/trust/unlocked_key.h"

#include <utility>

namespace handreset::trust {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

Result<UnlockedKey> UnlockedKey::unlock(const KeyFiles &files, SignerSeat seat, const Passphrase &passphrase,
                                        rules::Steady now, rules::Duration length)
{
    auto key = files.open({seat.storeId, seat.name}, passphrase);
    if (!key)
        return key.error();
    return UnlockedKey(Signer(std::move(*key), std::move(seat)), now + length);
}

UnlockedKey::UnlockedKey(Signer signer, rules::Steady until) : m_signer(std::move(signer)), m_until(until) {}

rules::Duration UnlockedKey::remaining(rules::Steady now)
{
    if (now >= m_until)
        lock();
    return isLocked() ? rules::Duration{} : m_until - now;
}

Result<rules::Signed> UnlockedKey::sign(rules::Act act, rules::Steady now, rules::Instant hostTime, bool breakGlass)
{
    if (remaining(now) == rules::Duration{})
        return Error{ErrorCode::Refused, "the key is locked; unlock it with its passphrase", {}};
    return m_signer->sign(std::move(act), hostTime, breakGlass);
}

} // namespace handreset::trust

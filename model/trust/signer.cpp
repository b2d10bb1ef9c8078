#include "model/trust/signer.h"

#include "model/rules/act.h"
#include "model/trust/text_fields.h"

#include <QString>
#include <QSysInfo>

#include <utility>

namespace handreset::trust {

SignerSeat SignerSeat::here(std::string storeId, std::string name)
{
    return {std::move(storeId), std::move(name), QSysInfo::machineHostName().toStdString(), toHex(randomBytes(8))};
}

Signer::Signer(SecretKey key, SignerSeat seat) : m_key(std::move(key)), m_seat(std::move(seat)), m_fleet(m_seat.storeId) {}

rules::Signed Signer::sign(rules::Act act, rules::Instant hostTime, bool breakGlass) const
{
    rules::setActor(act, m_seat.name);
    rules::Signed made;
    made.act.storeId = m_fleet;
    made.act.by = m_seat.name;
    made.act.nonce = randomBytes(rules::kNonceSize);
    made.act.at = hostTime;
    made.act.machine = m_seat.machine;
    made.act.session = m_seat.session;
    made.act.breakGlass = breakGlass;
    made.act.act = rules::encodeAct(act);
    made.act.signature = m_key.sign(rules::bytesToSign(made.act));
    return made;
}

} // namespace handreset::trust

#include "model/link/shift_pass.h"

#include "model/rules/codec.h"
#include "model/rules/signed_act.h"

#include <memory>
#include <utility>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

/// What is signed of a challenge.
struct Proof {
    std::string challenge;
    rules::Digest certificate{};
    ShiftPass pass;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "challenge", self.challenge);
        v(2, "certificate", self.certificate);
        v(3, "pass", self.pass);
    }
};

Error refused(std::string why)
{
    return {ErrorCode::Refused, std::move(why), {}};
}

} // namespace

// Each begins with a head of its own: no signature for one purpose can be taken for one of another.
std::string bytesToSign(const ShiftPass &pass)
{
    ShiftPass unsignedPass = pass;
    unsignedPass.signature.clear();
    std::string bytes = "handreset shift pass 1\n";
    rules::encodeCborTo(bytes, unsignedPass);
    return bytes;
}

std::string bytesToSign(const Challenge &challenge, const ShiftPass &pass)
{
    std::string bytes = "handreset link proof 1\n";
    rules::encodeCborTo(bytes, Proof{challenge.bytes, challenge.certificate, pass});
    return bytes;
}

HeldPass beginShift(const trust::SecretKey &operatorKey, std::string storeId, std::string name, rules::Instant until)
{
    const auto shiftKey = std::make_shared<const trust::SecretKey>(trust::SecretKey::generate());
    ShiftPass pass{std::move(storeId), std::move(name), shiftKey->publicKey(), until, {}};
    pass.signature = operatorKey.sign(bytesToSign(pass));
    return {std::move(pass), [shiftKey](std::string_view bytes) { return shiftKey->sign(bytes); }};
}

Result<void> checkPass(const ShiftPass &pass, const rules::PublicKey &operatorKey, std::string_view storeId,
                       rules::Instant now)
{
    if (pass.storeId != storeId)
        return refused("The pass is for another store: sign in to this one.");
    if (pass.until <= now)
        return refused("The shift's pass is over: sign in again.");
    if (pass.until > now + kLongestShift + kClockSlack)
        return refused("The pass would hold for more than 12 hours: sign in again, and compare the clocks of the desk "
                       "and the host.");
    if (!rules::signatureFits(bytesToSign(pass), pass.signature, operatorKey))
        return refused("The pass is not signed by the operator's present key: sign in again.");
    return {};
}

Result<void> checkProof(std::string_view proof, const Challenge &challenge, const ShiftPass &pass)
{
    if (!rules::signatureFits(bytesToSign(challenge, pass), proof, pass.shiftKey))
        return refused("The host's challenge was not answered by the pass's key: sign in again.");
    return {};
}

} // namespace handreset::link

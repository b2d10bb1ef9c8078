#include "model/rules/signed_act.h"

#include "model/rules/codec.h"

#include <sodium/crypto_core_ed25519.h>
#include <sodium/crypto_sign.h>

namespace handreset::rules {

static_assert(kSignatureSize == crypto_sign_BYTES);
static_assert(sizeof(PublicKey) == crypto_sign_PUBLICKEYBYTES);

std::string bytesToSign(const SignedAct &act)
{
    auto unsignedAct = act;
    unsignedAct.signature.clear();
    std::string bytes = "handreset act 1\n"; // no signature for another purpose can be taken for one of an act
    encodeCborTo(bytes, unsignedAct);
    return bytes;
}

bool isUsableKey(const PublicKey &key) noexcept
{
    return crypto_core_ed25519_is_valid_point(key.data()) == 1;
}

bool signatureFits(std::string_view bytes, std::string_view signature, const PublicKey &key) noexcept
{
    if (signature.size() != kSignatureSize)
        return false;
    const auto *raw = reinterpret_cast<const unsigned char *>(bytes.data());
    const auto *rawSignature = reinterpret_cast<const unsigned char *>(signature.data());
    return crypto_sign_verify_detached(rawSignature, raw, bytes.size(), key.data()) == 0;
}

} // namespace handreset::rules

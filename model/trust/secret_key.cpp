#include "model/trust/secret_key.h"

#include "model/rules/signed_act.h"

#include <sodium/crypto_sign.h>

namespace handreset::trust {

static_assert(kSeedSize == crypto_sign_SEEDBYTES);
static_assert(sizeof(rules::PublicKey) == crypto_sign_PUBLICKEYBYTES);
static_assert(rules::kSignatureSize == crypto_sign_BYTES);

SecretKey SecretKey::generate()
{
    SecretKey key;
    key.m_secret = SecretBytes(crypto_sign_SECRETKEYBYTES);
    crypto_sign_keypair(key.m_publicKey.data(), key.m_secret.data());
    key.m_secret.freeze();
    return key;
}

SecretKey SecretKey::fromSeed(const SecretBytes &seed)
{
    SecretKey key;
    key.m_secret = SecretBytes(crypto_sign_SECRETKEYBYTES);
    crypto_sign_seed_keypair(key.m_publicKey.data(), key.m_secret.data(), seed.data());
    key.m_secret.freeze();
    return key;
}

std::string SecretKey::sign(std::string_view bytes) const
{
    if (m_secret.size() == 0)
        return {};
    std::string signature(rules::kSignatureSize, '\0');
    crypto_sign_detached(reinterpret_cast<unsigned char *>(signature.data()), nullptr,
                         reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size(), m_secret.data());
    return signature;
}

SecretBytes SecretKey::seed() const
{
    SecretBytes seed(kSeedSize);
    if (m_secret.size() != 0)
        crypto_sign_ed25519_sk_to_seed(seed.data(), m_secret.data());
    return seed;
}

} // namespace handreset::trust

#include "model/trust/token_secret.h"

#include "model/trust/secret_bytes.h"

#include <sodium/utils.h>

namespace handreset::trust {

std::string newTokenSecret()
{
    constexpr std::size_t kBytes = 32;
    constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
    const std::string bytes = randomBytes(kBytes);
    std::string text(sodium_base64_ENCODED_LEN(kBytes, kVariant), '\0');
    sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size(),
                      kVariant);
    text.pop_back(); // the end that C wants
    return std::string(kTokenHead) + text;
}

} // namespace handreset::trust

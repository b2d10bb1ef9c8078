#include "model/rules/operator.h"

#include "model/rules/sha256.h"

namespace handreset::rules {

std::string fingerprintOf(const PublicKey &key)
{
    const auto hex = toHex(sha256({reinterpret_cast<const char *>(key.data()), key.size()}));
    std::string out;
    for (std::size_t at = 0; at < 16; at += 4)
        out += (at == 0 ? "" : " ") + hex.substr(at, 4);
    return out;
}

} // namespace handreset::rules

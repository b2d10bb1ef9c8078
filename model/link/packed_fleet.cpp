#include "model/link/packed_fleet.h"

#include "model/link/frames.h"

#include <zstd.h>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr int kLevel = 1;            // whoever waits for a state waits for this, too
constexpr std::size_t kAround = 256; ///< bytes of the message around the state

Error damaged()
{
    return {ErrorCode::Unavailable, "the host's state came damaged over the link", {}};
}

} // namespace

Result<std::string> packFleet(const rules::Fleet &fleet)
{
    const std::string bytes = rules::encodeFleet(fleet);
    std::string packed(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), kLevel);
    if (ZSTD_isError(size) != 0)
        return Error{
            ErrorCode::Unavailable, std::string("the state could not be packed: ") + ZSTD_getErrorName(size), {}};
    packed.resize(size);
    if (bytes.size() > kMostFleetBytes || packed.size() > kMostToClient - kAround)
        return Error{ErrorCode::Unavailable, "the fleet is too large for the operators' link", {}};
    return packed;
}

Result<rules::Fleet> unpackFleet(std::string_view packed)
{
    const unsigned long long stated = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (stated == ZSTD_CONTENTSIZE_ERROR || stated == ZSTD_CONTENTSIZE_UNKNOWN || stated > kMostFleetBytes)
        return damaged();
    std::string bytes(stated, '\0');
    const std::size_t size = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
    if (ZSTD_isError(size) != 0 || size != stated)
        return damaged();
    return rules::decodeFleet(bytes);
}

} // namespace handreset::link

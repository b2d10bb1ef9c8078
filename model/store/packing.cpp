#include "model/store/packing.h"

#include <zstd.h>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr int kLevel = 1; // the rate of appending goes before the size

} // namespace

Packer::Packer() : m_in(ZSTD_createCCtx(), ZSTD_freeCCtx), m_out(ZSTD_createDCtx(), ZSTD_freeDCtx) {}
Packer::~Packer() = default;
Packer::Packer(Packer &&) noexcept = default;
Packer &Packer::operator=(Packer &&) noexcept = default;

Result<std::string> Packer::pack(std::string_view bytes)
{
    std::string frame(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size
        = ZSTD_compressCCtx(m_in.get(), frame.data(), frame.size(), bytes.data(), bytes.size(), kLevel);
    if (ZSTD_isError(size) != 0)
        return Error{ErrorCode::Unavailable, std::string("compressing failed: ") + ZSTD_getErrorName(size), ""};
    frame.resize(size);
    return frame;
}

Result<std::string> Packer::unpack(std::string_view frame, std::size_t limit)
{
    const unsigned long long stated = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (stated == ZSTD_CONTENTSIZE_ERROR || stated == ZSTD_CONTENTSIZE_UNKNOWN || stated > limit)
        return Error{ErrorCode::Unavailable, "compressed bytes are damaged; run verify", ""};
    std::string bytes(stated, '\0');
    const std::size_t size = ZSTD_decompressDCtx(m_out.get(), bytes.data(), bytes.size(), frame.data(), frame.size());
    if (ZSTD_isError(size) != 0 || size != stated)
        return Error{ErrorCode::Unavailable, "compressed bytes are damaged; run verify", ""};
    return bytes;
}

} // namespace handreset::store

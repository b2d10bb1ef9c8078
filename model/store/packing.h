// Compression by zstd, and back with a bound. Internal to model/store; thread: the store's.
#pragma once

#include "model/rules/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace handreset::store {

class Packer {
public:
    Packer();
    ~Packer();
    Packer(Packer &&) noexcept;
    Packer &operator=(Packer &&) noexcept;

    /// One zstd frame that states its length.
    [[nodiscard]] rules::Result<std::string> pack(std::string_view bytes);
    /// The bytes of one frame; an Error for anything else, and for a stated length above `limit`.
    [[nodiscard]] rules::Result<std::string> unpack(std::string_view frame, std::size_t limit);

private:
    std::unique_ptr<ZSTD_CCtx_s, std::size_t (*)(ZSTD_CCtx_s *)> m_in;
    std::unique_ptr<ZSTD_DCtx_s, std::size_t (*)(ZSTD_DCtx_s *)> m_out;
};

} // namespace handreset::store

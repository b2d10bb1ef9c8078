#include "model/trust/secret_bytes.h"

#include <sodium/core.h>
#include <sodium/randombytes.h>
#include <sodium/utils.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace handreset::trust {

SecretBytes::SecretBytes(std::size_t size)
{
    prepareSodium();
    auto *const bytes = static_cast<unsigned char *>(sodium_malloc(size));
    if (bytes == nullptr)
        throw std::bad_alloc();
    std::memset(bytes, 0, size);
    m_bytes.reset(bytes);
    m_size = size;
}

void SecretBytes::freeze() noexcept
{
    if (m_bytes)
        sodium_mprotect_readonly(m_bytes.get());
}

void SecretBytes::Wipe::operator()(unsigned char *bytes) const noexcept
{
    sodium_free(bytes); // makes it writable again, wipes it, and looks whether somebody wrote past its end
}

void prepareSodium()
{
    static const bool isReady = sodium_init() >= 0;
    if (!isReady)
        std::abort();
}

std::string randomBytes(std::size_t count)
{
    prepareSodium();
    std::string bytes(count, '\0');
    randombytes_buf(bytes.data(), bytes.size());
    return bytes;
}

void wipe(void *bytes, std::size_t size) noexcept
{
    sodium_memzero(bytes, size);
}

} // namespace handreset::trust

// Memory for what nobody else may read: never swapped where the system lets us lock it, never in a core file, wiped
// when it goes. Thread: any; one object belongs to one thread at a time. Failure: std::bad_alloc where there is no
// memory, as with every other allocation.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace handreset::trust {

/// A piece of such memory with a size of its own. Can be moved, never copied.
class SecretBytes {
public:
    SecretBytes() = default;
    /// `size` bytes, zero.
    explicit SecretBytes(std::size_t size);

    [[nodiscard]] unsigned char *data() noexcept { return m_bytes.get(); }
    [[nodiscard]] const unsigned char *data() const noexcept { return m_bytes.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return m_bytes ? m_size : 0; }
    [[nodiscard]] std::span<const unsigned char> span() const noexcept { return {data(), size()}; }
    /// From here on a write to it ends the program: a stray pointer must not change a key.
    void freeze() noexcept;

private:
    struct Wipe {
        void operator()(unsigned char *bytes) const noexcept;
    };
    std::unique_ptr<unsigned char, Wipe> m_bytes;
    std::size_t m_size = 0;
};

/// Makes ready what all of this room stands on; costs nothing after the first time. Ends the program where the system
/// has no randomness: no key made without it could be trusted.
void prepareSodium();

/// Bytes that nobody can guess.
[[nodiscard]] std::string randomBytes(std::size_t count);

/// Overwrites it in a way that no compiler leaves out.
void wipe(void *bytes, std::size_t size) noexcept;

} // namespace handreset::trust

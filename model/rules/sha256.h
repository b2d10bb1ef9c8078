// SHA-256 (FIPS 180-4) by OpenSSL, which uses the processor's instructions. Pure; any thread; a hasher belongs to one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::rules {

using Digest = std::array<std::uint8_t, 32>;

/// Hashes piece by piece; can be used again after `finish`. Where OpenSSL cannot give SHA-256 at all the program ends:
/// no identity and no chain could be trusted any more.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256 &&) noexcept;
    Sha256 &operator=(Sha256 &&) noexcept;

    void add(std::string_view bytes);
    /// Adds a length of eight bytes, then the bytes: two texts hashed so cannot be taken for two others.
    void addSized(std::string_view bytes);
    /// The digest of all that was added; the hasher is then as new.
    [[nodiscard]] Digest finish();

private:
    struct Context;
    std::unique_ptr<Context> m_context;
};

/// The digest of one text.
[[nodiscard]] Digest sha256(std::string_view bytes);

/// 64 small hexadecimal digits.
[[nodiscard]] std::string toHex(const Digest &digest);
/// Nothing unless the text is exactly 64 hexadecimal digits, large or small.
[[nodiscard]] std::optional<Digest> digestFromHex(std::string_view hex);

} // namespace handreset::rules

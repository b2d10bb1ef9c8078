#include "model/rules/sha256.h"

#include <openssl/evp.h>

#include <cstddef>
#include <cstdlib>

namespace handreset::rules {

namespace {

void require(bool isGood)
{
    if (!isGood)
        std::abort();
}

/// Fetched once: a look-up for each hash costs as much as the hash (OpenSSL 3).
const EVP_MD *algorithm()
{
    static const EVP_MD *const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    require(fetched != nullptr);
    return fetched;
}

std::optional<std::uint8_t> digitOf(char c)
{
    if (c >= '0' && c <= '9')
        return static_cast<std::uint8_t>(c - '0');
    if (c >= 'a' && c <= 'f')
        return static_cast<std::uint8_t>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F')
        return static_cast<std::uint8_t>(c - 'A' + 10);
    return std::nullopt;
}

} // namespace

struct Sha256::Context {
    EVP_MD_CTX *evp = EVP_MD_CTX_new();

    Context() { start(); }
    ~Context() { EVP_MD_CTX_free(evp); }
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;
    void start() { require(evp != nullptr && EVP_DigestInit_ex2(evp, algorithm(), nullptr) == 1); }
};

Sha256::Sha256() : m_context(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256 &&) noexcept = default;
Sha256 &Sha256::operator=(Sha256 &&) noexcept = default;

void Sha256::add(std::string_view bytes)
{
    require(EVP_DigestUpdate(m_context->evp, bytes.data(), bytes.size()) == 1);
}

void Sha256::addSized(std::string_view bytes)
{
    std::array<char, 8> size;
    for (std::size_t i = 0; i < size.size(); ++i)
        size[i] = static_cast<char>(static_cast<std::uint64_t>(bytes.size()) >> (56 - 8 * i) & 0xFF);
    add(std::string_view(size.data(), size.size()));
    add(bytes);
}

Digest Sha256::finish()
{
    Digest digest;
    unsigned size = 0;
    require(EVP_DigestFinal_ex(m_context->evp, digest.data(), &size) == 1 && size == digest.size());
    m_context->start();
    return digest;
}

Digest sha256(std::string_view bytes)
{
    thread_local Sha256 hasher; // only reused memory: it is as new after each digest
    hasher.add(bytes);
    return hasher.finish();
}

std::string toHex(const Digest &digest)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * digest.size());
    for (const std::uint8_t byte : digest) {
        hex.push_back(digits[byte >> 4]);
        hex.push_back(digits[byte & 0xF]);
    }
    return hex;
}

std::optional<Digest> digestFromHex(std::string_view hex)
{
    Digest digest;
    if (hex.size() != 2 * digest.size())
        return std::nullopt;
    for (std::size_t i = 0; i < digest.size(); ++i) {
        const auto high = digitOf(hex[2 * i]);
        const auto low = digitOf(hex[2 * i + 1]);
        if (!high || !low)
            return std::nullopt;
        digest[i] = static_cast<std::uint8_t>(*high << 4 | *low);
    }
    return digest;
}

} // namespace handreset::rules

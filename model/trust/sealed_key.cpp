#include "model/trust/sealed_key.h"

#include "model/rules/names.h"
#include "model/rules/utf8.h"
#include "model/trust/text_fields.h"

#include <sodium/crypto_aead_xchacha20poly1305.h>
#include <sodium/crypto_pwhash.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

namespace handreset::trust {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::string_view kMagic = "handreset-key";
constexpr std::string_view kVersion = "1";
constexpr std::size_t kSaltSize = crypto_pwhash_SALTBYTES;
constexpr std::size_t kNonceBytes = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kSealKeySize = crypto_aead_xchacha20poly1305_ietf_KEYBYTES;
constexpr std::size_t kSealedSize = kSeedSize + crypto_aead_xchacha20poly1305_ietf_ABYTES;
// A file must not be able to make the program take all memory, or calculate for hours.
constexpr std::uint64_t kMostPasses = 32;
constexpr std::size_t kMostMemory = std::size_t{2} * 1024 * 1024 * 1024;

Error damaged()
{
    return {ErrorCode::Unavailable,
            "the key file is damaged: put a copy of it in its place, or have an approver enrol a new key for you",
            {}};
}

/// All that is not under the seal, but bound to it.
std::string headOf(const SealedKey &key)
{
    std::string head;
    const auto line = [&head](std::string_view word, std::string_view value) {
        head += word;
        head += ' ';
        head += value;
        head += '\n';
    };
    line(kMagic, kVersion);
    line("store", key.owner.storeId);
    line("operator", percentEncoded(key.owner.name));
    line("public", toHex(key.publicKey));
    line("argon2id", std::to_string(key.hardness.passes) + " " + std::to_string(key.hardness.memory));
    line("salt", toHex(key.salt));
    line("nonce", toHex(key.nonce));
    return head;
}

std::string textOf(const SealedKey &key)
{
    return withCheckLine(headOf(key) + "sealed " + toHex(key.sealed) + "\n");
}

template <class Number>
std::optional<Number> numberOf(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return {};
    return number;
}

std::optional<Hardness> hardnessOf(std::string_view text)
{
    const auto space = text.find(' ');
    if (space == std::string_view::npos)
        return {};
    const auto passes = numberOf<std::uint64_t>(text.substr(0, space));
    const auto memory = numberOf<std::size_t>(text.substr(space + 1));
    if (!passes || !memory)
        return {};
    return Hardness{*passes, *memory};
}

std::optional<rules::PublicKey> publicKeyOf(std::string_view text)
{
    rules::PublicKey key{};
    const auto bytes = fromHex(text, key.size());
    if (!bytes)
        return {};
    std::memcpy(key.data(), bytes->data(), key.size());
    return key;
}

/// Puts the value there; false where there is none.
template <class Value>
bool set(Value &field, const std::optional<Value> &value)
{
    if (value)
        field = *value;
    return value.has_value();
}

/// The lines behind the first one.
std::optional<SealedKey> fieldsOf(std::string_view text)
{
    SealedKey key;
    const auto next = [&text](std::string_view word) { return takeField(text, word).value_or(std::string_view()); };
    key.owner.storeId = next("store");
    const bool isWhole = set(key.owner.name, percentDecoded(next("operator")))
        && set(key.publicKey, publicKeyOf(next("public"))) && set(key.hardness, hardnessOf(next("argon2id")))
        && set(key.salt, fromHex(next("salt"), kSaltSize)) && set(key.nonce, fromHex(next("nonce"), kNonceBytes))
        && set(key.sealed, fromHex(next("sealed"), kSealedSize));
    if (!isWhole || !text.empty() || !checkOwner(key.owner))
        return {};
    return key;
}

bool isBearable(const Hardness &hardness) noexcept
{
    return hardness.passes >= crypto_pwhash_OPSLIMIT_MIN && hardness.passes <= kMostPasses
        && hardness.memory >= crypto_pwhash_MEMLIMIT_MIN && hardness.memory <= kMostMemory;
}

/// The key of the seal.
Result<SecretBytes> stretch(const Passphrase &passphrase, const SealedKey &key)
{
    SecretBytes stretched(kSealKeySize);
    const auto bytes = passphrase.bytes();
    if (crypto_pwhash(stretched.data(), stretched.size(), reinterpret_cast<const char *>(bytes.data()), bytes.size(),
                      reinterpret_cast<const unsigned char *>(key.salt.data()), key.hardness.passes,
                      key.hardness.memory, crypto_pwhash_ALG_ARGON2ID13)
        != 0)
        return Error{ErrorCode::Unavailable,
                     "there is not enough memory to work with the key file: "
                         + std::to_string(key.hardness.memory >> 20U) + " MiB are needed",
                     {}};
    return stretched;
}

} // namespace

Hardness Hardness::moderate() noexcept
{
    return {crypto_pwhash_OPSLIMIT_MODERATE, crypto_pwhash_MEMLIMIT_MODERATE};
}

Hardness Hardness::least() noexcept
{
    return {crypto_pwhash_OPSLIMIT_MIN, crypto_pwhash_MEMLIMIT_MIN};
}

Result<void> checkOwner(const KeyOwner &owner)
{
    if (!isStoreId(owner.storeId))
        return Error{ErrorCode::BadInput, "a store's id has 32 hexadecimal digits", {}};
    if (owner.name.empty())
        return Error{ErrorCode::BadInput, "an operator has a name", {}};
    if (owner.name.size() > rules::kLongestName)
        return Error{ErrorCode::BadInput,
                     "the operator's name is too long: at most " + std::to_string(rules::kLongestName) + " bytes",
                     {}};
    if (!rules::isUtf8(owner.name))
        return Error{ErrorCode::BadInput, "the operator's name is not UTF-8", {}};
    return {};
}

Result<std::string> sealKey(const SecretKey &key, const Passphrase &passphrase, const KeyOwner &owner,
                            Hardness hardness)
{
    if (auto good = checkOwner(owner); !good)
        return good.error();
    if (!isBearable(hardness))
        return Error{ErrorCode::BadInput, "no key is sealed with so little or so much work", {}};
    SealedKey sealed{owner,
                     key.publicKey(),
                     hardness,
                     randomBytes(kSaltSize),
                     randomBytes(kNonceBytes),
                     std::string(kSealedSize, '\0')};
    const auto stretched = stretch(passphrase, sealed);
    if (!stretched)
        return stretched.error();
    const auto head = headOf(sealed);
    const auto seed = key.seed();
    crypto_aead_xchacha20poly1305_ietf_encrypt(
        reinterpret_cast<unsigned char *>(sealed.sealed.data()), nullptr, seed.data(), seed.size(),
        reinterpret_cast<const unsigned char *>(head.data()), head.size(), nullptr,
        reinterpret_cast<const unsigned char *>(sealed.nonce.data()), stretched->data());
    return textOf(sealed);
}

Result<SealedKey> readSealedKey(std::string_view text)
{
    auto content = withoutCheckLine(text);
    if (!content || text.size() > kMostSealedText)
        return damaged();
    const auto version = takeField(*content, kMagic);
    if (!version)
        return Error{ErrorCode::Unavailable, "this is no key file of Handreset", {}};
    if (*version != kVersion)
        return Error{ErrorCode::Unavailable, "the key file was written by a newer version; use that version", {}};
    auto key = fieldsOf(*content);
    if (!key || textOf(*key) != text)
        return damaged();
    if (!isBearable(key->hardness))
        return Error{ErrorCode::Unavailable,
                     "the key file asks for more memory or time than a key of Handreset ever does; it is not opened",
                     {}};
    return std::move(*key);
}

Result<SecretKey> openKey(const SealedKey &sealed, const Passphrase &passphrase)
{
    const auto stretched = stretch(passphrase, sealed);
    if (!stretched)
        return stretched.error();
    const auto head = headOf(sealed);
    SecretBytes seed(kSeedSize);
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(
            seed.data(), nullptr, nullptr, reinterpret_cast<const unsigned char *>(sealed.sealed.data()),
            sealed.sealed.size(), reinterpret_cast<const unsigned char *>(head.data()), head.size(),
            reinterpret_cast<const unsigned char *>(sealed.nonce.data()), stretched->data())
        != 0)
        // The file is whole, as its last line says: whoever changed it on purpose is told nothing more.
        return Error{ErrorCode::Refused, "the passphrase is wrong", {}};
    auto key = SecretKey::fromSeed(seed);
    if (key.publicKey() != sealed.publicKey)
        return damaged();
    return key;
}

} // namespace handreset::trust

// The log's hash chain: SHA-256, one link a transaction (spec 4). Internal to model/store; thread: the store's.
#pragma once

#include "model/rules/sha256.h"
#include "model/store/event_rows.h"

#include <optional>
#include <string>
#include <string_view>

namespace handreset::store {

/// The hash before the first event.
inline constexpr rules::Digest kGenesis{};

/// Makes one link: over the link before it and, event by event, every column and the arguments, as whole numbers of
/// fixed width and bytes with their length before them. What is stored is what is hashed, in the same units.
class ChainLink {
public:
    void begin(const rules::Digest &previous);
    void add(const EventRow &row, std::string_view arguments);
    [[nodiscard]] rules::Digest finish();

private:
    void flush();

    rules::Sha256 m_hasher;
    std::string m_buffer;
};

/// The link of a transaction at whose end a keyframe stands: the keyframe is part of what the chain holds.
[[nodiscard]] rules::Digest linkWithKeyframe(const rules::Digest &link, const rules::Digest &keyframe);

/// A digest column; nothing unless it has exactly 32 bytes.
[[nodiscard]] std::optional<rules::Digest> digestOf(std::string_view bytes);
[[nodiscard]] std::string_view bytesOf(const rules::Digest &digest) noexcept;

} // namespace handreset::store

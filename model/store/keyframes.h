// Keyframes: the whole fleet at some places of the log, so that "state as of" is a short fold (spec 4).
// Internal to model/store; thread: the store's.
#pragma once

#include "model/rules/fleet.h"
#include "model/store/database.h"
#include "model/store/packing.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace handreset::store {

struct Keyframe {
    rules::Seq seq;
    std::string fleet; ///< as `encodeFleet` wrote it
};

class Keyframes {
public:
    /// The least number of events from one keyframe to the next; a large fleet's stand further apart, so that they take
    /// no more than a quarter of the room that the events take.
    static constexpr std::uint64_t kLeastInterval = 10'000;

    /// Looks where the last one stands.
    [[nodiscard]] rules::Result<void> prepare(Database &database);
    /// True when enough events have come since the last one.
    [[nodiscard]] bool isDue(rules::Seq last) const noexcept;
    /// Makes one, for `write`; gives the hash that the chain is to hold.
    [[nodiscard]] rules::Result<rules::Digest> make(const rules::Fleet &fleet);
    /// Writes what was made within the caller's transaction, behind its link. Only `written` makes it count.
    [[nodiscard]] rules::Result<void> write();
    /// After COMMIT.
    void written() noexcept;
    /// In bulk mode they stand five times further apart.
    void setBulk(bool bulk) noexcept { m_bulk = bulk; }

    /// The last one at or before `seq`, its hash checked; nothing where there is none.
    [[nodiscard]] rules::Result<std::optional<Keyframe>> before(Database &database, rules::Seq seq);
    /// The places of all, ascending.
    [[nodiscard]] static rules::Result<std::vector<rules::Seq>> places(Database &database);

private:
    void note(std::uint64_t seq, std::uint64_t size) noexcept;

    Statement m_insert;
    Packer m_packer;
    std::uint64_t m_last = 0;
    std::uint64_t m_interval = kLeastInterval;
    rules::Seq m_newSeq;
    rules::Instant m_newTime;
    std::string m_newBlob;
    rules::Digest m_newHash{};
    bool m_bulk = false;
};

} // namespace handreset::store

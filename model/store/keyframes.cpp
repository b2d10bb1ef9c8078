#include "model/store/keyframes.h"

#include "model/store/chain.h"

#include <algorithm>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Fleet;
using rules::Result;
using rules::Seq;

namespace {

constexpr std::size_t kLargestFleet = std::size_t{4} << 30;
constexpr std::uint64_t kBytesAnEvent = 40; // a quarter of what an event takes with its share of the tables
constexpr std::uint64_t kBulkFactor = 5;

} // namespace

Result<void> Keyframes::prepare(Database &database)
{
    auto insert = database.prepare("INSERT INTO main.keyframe (seq, rule_time, blob, hash) VALUES (?1, ?2, ?3, ?4)");
    if (!insert)
        return insert.error();
    m_insert = std::move(*insert);
    auto last = database.prepare("SELECT seq, length(blob) FROM main.keyframe ORDER BY seq DESC LIMIT 1");
    if (!last)
        return last.error();
    const auto row = last->step();
    if (!row)
        return row.error();
    if (*row)
        note(static_cast<std::uint64_t>(last->integer(0)), static_cast<std::uint64_t>(last->integer(1)));
    return {};
}

bool Keyframes::isDue(Seq last) const noexcept
{
    return last.value - m_last >= m_interval * (m_bulk ? kBulkFactor : 1);
}

Result<rules::Digest> Keyframes::make(const Fleet &fleet)
{
    const std::string bytes = rules::encodeFleet(fleet);
    auto blob = m_packer.pack(bytes);
    if (!blob)
        return blob.error();
    m_newSeq = fleet.seq;
    m_newTime = fleet.ruleTime;
    m_newBlob = std::move(*blob);
    m_newHash = rules::sha256(bytes);
    return m_newHash;
}

Result<void> Keyframes::write()
{
    return m_insert.run(m_newSeq, m_newTime, Blob{m_newBlob}, Blob{bytesOf(m_newHash)});
}

void Keyframes::written() noexcept
{
    note(m_newSeq.value, m_newBlob.size());
    m_newBlob = {};
}

void Keyframes::note(std::uint64_t seq, std::uint64_t size) noexcept
{
    m_last = seq;
    m_interval = std::max(kLeastInterval, size / kBytesAnEvent);
}

Result<std::optional<Keyframe>> Keyframes::before(Database &database, Seq seq)
{
    auto select
        = database.prepare("SELECT seq, blob, hash FROM main.keyframe WHERE seq <= ?1 ORDER BY seq DESC LIMIT 1");
    if (!select)
        return select.error();
    select->bind(columnOf(seq));
    const auto row = select->step();
    if (!row)
        return row.error();
    if (!*row)
        return std::optional<Keyframe>();
    Keyframe found;
    found.seq = Seq{static_cast<std::uint64_t>(select->integer(0))};
    auto bytes = m_packer.unpack(select->bytes(1), kLargestFleet);
    if (!bytes || digestOf(select->bytes(2)) != rules::sha256(*bytes))
        return Error{ErrorCode::Unavailable, "a keyframe is damaged; nothing was repaired: run verify",
                     "keyframe " + std::to_string(found.seq.value)};
    found.fleet = std::move(*bytes);
    return std::optional<Keyframe>(std::move(found));
}

Result<std::vector<Seq>> Keyframes::places(Database &database)
{
    auto select = database.prepare("SELECT seq FROM main.keyframe ORDER BY seq");
    if (!select)
        return select.error();
    std::vector<Seq> places;
    for (;;) {
        const auto row = select->step();
        if (!row)
            return row.error();
        if (!*row)
            return places;
        places.push_back(Seq{static_cast<std::uint64_t>(select->integer(0))});
    }
}

} // namespace handreset::store

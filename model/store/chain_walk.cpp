#include "model/store/chain_walk.h"

#include <algorithm>
#include <string>
#include <utility>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Fleet;
using rules::Result;
using rules::Seq;

Result<void> ChainWalk::begin(Database &database, const Place &before)
{
    auto batches = database.prepare("SELECT b.last_seq, b.hash, k.hash FROM main.batch AS b "
                                    "LEFT JOIN main.keyframe AS k ON k.seq = b.last_seq "
                                    "WHERE b.last_seq > ?1 ORDER BY b.last_seq");
    if (!batches)
        return batches.error();
    m_batches = std::move(*batches);
    m_batches.bind(columnOf(before.seq));
    m_link.begin(before.hash);
    return advance();
}

Result<void> ChainWalk::advance()
{
    m_next = {};
    m_keyframe.reset();
    const auto isThere = m_batches.step();
    if (!isThere)
        return isThere.error();
    if (!*isThere)
        return {};
    m_next.seq = Seq{static_cast<std::uint64_t>(m_batches.integer(0))};
    m_next.hash = digestOf(m_batches.bytes(1)).value_or(kGenesis);
    if (!m_batches.isNull(2))
        m_keyframe = digestOf(m_batches.bytes(2)).value_or(kGenesis);
    return {};
}

Result<std::optional<ChainWalk::Closed>> ChainWalk::take(const EventRow &row, std::string_view arguments)
{
    m_link.add(row, arguments);
    if (!m_next.seq.isSet() || row.seq < m_next.seq.value)
        return std::optional<Closed>();
    auto made = m_link.finish();
    if (m_keyframe)
        made = linkWithKeyframe(made, *m_keyframe);
    const Closed closed{m_next, made == m_next.hash && row.seq == m_next.seq.value, m_keyframe};
    m_link.begin(closed.stored.hash);
    if (auto moved = advance(); !moved)
        return moved.error();
    return std::optional(closed);
}

Result<Place> transactionBefore(Database &database, Seq seq)
{
    auto select
        = database.prepare("SELECT last_seq, hash FROM main.batch WHERE last_seq < ?1 ORDER BY last_seq DESC LIMIT 1");
    if (!select)
        return select.error();
    select->bind(columnOf(seq));
    const auto isThere = select->step();
    if (!isThere)
        return isThere.error();
    if (!*isThere)
        return Place{{}, kGenesis};
    return Place{Seq{static_cast<std::uint64_t>(select->integer(0))}, digestOf(select->bytes(1)).value_or(kGenesis)};
}

namespace {

Error damaged(std::string what, Seq seq)
{
    return {ErrorCode::Unavailable,
            "the log is damaged: " + std::move(what) + "; run verify, and put a backup in its place",
            "event " + std::to_string(seq.value)};
}

/// One pass from the transaction of the keyframe to the one of the event that is wanted.
class Fold {
public:
    /// `isProving`: keyframes on the way must be what is folded here, for nobody has vouched for them yet.
    Fold(Fleet &fleet, Seq wanted, bool isProving)
        : m_fleet(fleet), m_from(fleet.seq), m_wanted(wanted), m_isProving(isProving)
    {}

    Result<void> run(Database &database)
    {
        const auto before = transactionBefore(database, m_from);
        if (!before)
            return before.error();
        if (auto begun = m_chain.begin(database, *before); !begun)
            return begun;
        auto events = EventReader::range(database, before->seq.next(), Seq{~0ULL});
        if (!events)
            return events.error();
        auto arguments = ArgumentReader::range(database, before->seq.next(), Seq{~0ULL});
        if (!arguments)
            return arguments.error();
        for (m_at = before->seq; m_at < m_wanted || !m_isClosed;) {
            const auto isThere = events->next();
            if (!isThere)
                return isThere.error();
            if (!*isThere)
                return damaged("events are missing at its end", m_at);
            const auto row = events->row();
            if (!row)
                return row.error();
            if (auto taken = take(*row, *arguments); !taken)
                return taken;
        }
        return {};
    }

private:
    Result<void> take(const EventRow &row, ArgumentReader &arguments)
    {
        if (row.seq != m_at.value + 1)
            return damaged("events are missing", m_at.next());
        m_at = Seq{row.seq};
        const auto text = arguments.take(row.seq);
        if (!text)
            return text.error();
        const auto closed = m_chain.take(row, text->value_or(std::string()));
        if (!closed)
            return closed.error();
        m_isClosed = closed->has_value();
        if (m_isClosed && !(*closed)->fits)
            return damaged(
                "it does not match its hash chain at the transaction that ends here, so somebody changed it or "
                "the keyframe there",
                m_at);
        if (m_at <= m_from || m_at > m_wanted)
            return {};
        const auto event = eventOf(row);
        if (!event)
            return event.error();
        if (auto applied = rules::apply(m_fleet, *event); !applied)
            return applied;
        const bool isForged = m_isProving && m_isClosed && (*closed)->keyframe
            && *(*closed)->keyframe != rules::sha256(rules::encodeFleet(m_fleet));
        return isForged ? damaged("the keyframe here is not the fold of the log, so somebody forged it", m_at)
                        : Result<void>();
    }

    Fleet &m_fleet;
    const Seq m_from;
    const Seq m_wanted;
    const bool m_isProving;
    ChainWalk m_chain;
    Seq m_at;
    bool m_isClosed = true; ///< no transaction is open
};

Result<Fleet> fleetBefore(Database &database, Keyframes &keyframes, Seq seq)
{
    const auto keyframe = keyframes.before(database, seq);
    if (!keyframe)
        return keyframe.error();
    auto fleet = *keyframe ? rules::decodeFleet((*keyframe)->fleet) : Result<Fleet>(Fleet());
    if (fleet && *keyframe && fleet->seq != (*keyframe)->seq)
        return damaged("a keyframe is of another place", (*keyframe)->seq);
    return fleet;
}

} // namespace

Result<Fleet> foldAlongChain(Database &database, Keyframes &keyframes, Seq seq, Seq trusted, bool isKnownSigned)
{
    auto fleet = fleetBefore(database, keyframes, seq);
    // The keyframe's own word is not enough: who forges one leaves the operators out.
    const bool isSigned = fleet && (isKnownSigned || !fleet->operators.empty() || fleet->rootKey);
    if (isSigned && fleet->seq > trusted)
        fleet = fleetBefore(database, keyframes, std::min(seq, trusted));
    if (!fleet)
        return fleet.error();
    if (auto folded = Fold(*fleet, seq, isSigned && seq > trusted).run(database); !folded)
        return folded.error();
    return fleet;
}

} // namespace handreset::store

// Follows the hash chain beside the events that it was made over, and folds what it follows. Internal to model/store;
// thread: the store's.
#pragma once

#include "model/rules/fleet.h"
#include "model/store/chain.h"
#include "model/store/database.h"
#include "model/store/keyframes.h"
#include "model/store/mark.h"

#include <optional>

namespace handreset::store {

/// The links of the transactions from one on.
class ChainWalk {
public:
    /// A transaction whose end was reached.
    struct Closed {
        Place stored;
        bool fits = false; ///< the link that was made again is the stored one
        std::optional<rules::Digest> keyframe; ///< of the keyframe that stands there
    };

    /// Begins behind the transaction that ends with `before`; behind none: at the first.
    [[nodiscard]] rules::Result<void> begin(Database &database, const Place &before);
    /// Where the present transaction ends; not set: no further one is in the store.
    [[nodiscard]] rules::Seq nextEnd() const noexcept { return m_next.seq; }
    /// Takes the next event. At the end of its transaction: what was found.
    [[nodiscard]] rules::Result<std::optional<Closed>> take(const EventRow &row, std::string_view arguments);

private:
    [[nodiscard]] rules::Result<void> advance();

    Statement m_batches;
    ChainLink m_link;
    Place m_next;
    std::optional<rules::Digest> m_keyframe; ///< of the keyframe at m_next
};

/// The transaction that ends before `seq`; none: not set, with the hash before the first event.
[[nodiscard]] rules::Result<Place> transactionBefore(Database &database, rules::Seq seq);

/// The state as of `seq`: the keyframe before it and the fold from there, every transaction on the way, the keyframe's
/// included, held against its link. Unavailable where one does not fit: somebody changed the file. In a signed store a
/// keyframe behind `trusted` is not believed: whoever forges events with their links can forge it too, so the fold goes
/// from an earlier one, or from the beginning.
[[nodiscard]] rules::Result<rules::Fleet> foldAlongChain(Database &database, Keyframes &keyframes, rules::Seq seq,
                                                         rules::Seq trusted, bool isKnownSigned);

} // namespace handreset::store

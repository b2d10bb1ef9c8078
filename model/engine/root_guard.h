// Holds a signed store against what this host keeps of it outside: the key of its first operator, and how far its log
// had come (spec 4). Without it, who can write the store's folder could put an older copy back together with its mark, or
// make themselves the first operator. Thread: the host's, or a command line's own. Failure: an Error that says what is
// wrong and what to do; nothing is changed then.
#pragma once

#include "model/rules/fleet.h"
#include "model/rules/result.h"
#include "model/store/store.h"
#include "model/trust/root_pin.h"

#include <QString>

#include <optional>
#include <string>

namespace handreset::engine {

class RootGuard {
public:
    /// `folder` empty: trust::pinFolder().
    RootGuard(const QString &storePath, QString folder);

    /// Before the store is loaded: its witness, where there is one, must have seen no other log.
    [[nodiscard]] rules::Result<void> witness(store::Store &store);
    /// After: the first operator must be the one that is pinned, and a pinned store signed.
    [[nodiscard]] rules::Result<void> judge(const rules::Fleet &fleet) const;
    /// The same, and more: a signed store that this host has never seen, or of whose age it has kept nothing, is not
    /// hosted. A copy may be looked at all the same.
    [[nodiscard]] rules::Result<void> judgeToHost(const rules::Fleet &fleet);
    /// True while the store is signed and nothing is kept of it yet.
    [[nodiscard]] bool isDue(const rules::Fleet &fleet) const noexcept { return fleet.rootKey && !m_isPinned; }
    /// Keeps the root and the log's end: the store has just become a signed one, or a human says that it is the right one.
    [[nodiscard]] rules::Result<void> pin(store::Store &store, const rules::Fleet &fleet, bool replace);
    /// A new store was made at this place: what was kept of an older one is of no use.
    void forget() const;

private:
    [[nodiscard]] rules::Result<void> judgeBy(const std::optional<trust::RootPin> &pin, const rules::Fleet &fleet) const;

    QString m_folder;
    QString m_witness;
    bool m_hasWitness = false;
    bool m_isPinned = false;
};

} // namespace handreset::engine

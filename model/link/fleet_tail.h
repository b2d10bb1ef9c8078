// The fleet as the link's clients see it: the host's commits folded once more, beside the frames that carry them. So a
// new client's state costs the host's thread nothing, and a commit is encoded once for all. Thread: the link's.
// Failure: an event that does not fold means that something was missed: the host must be followed anew.
#pragma once

#include "model/engine/host.h"
#include "model/rules/fleet.h"
#include "model/rules/result.h"

#include <QByteArray>

#include <memory>
#include <optional>
#include <vector>

namespace handreset::link {

/// These events as messages of bounded length; a transaction that is longer comes in several.
[[nodiscard]] std::vector<QByteArray> tailFrames(std::vector<rules::Event> events, rules::Now at);

class FleetTail {
public:
    void take(std::shared_ptr<const rules::Fleet> snapshot);
    /// Follows the commit; nobody needs to be told.
    [[nodiscard]] rules::Result<void> fold(const engine::Commit &commit);
    /// The frames for whoever follows; an Error where it does not go on from where this is.
    [[nodiscard]] rules::Result<std::vector<QByteArray>> take(const engine::Commit &commit);
    void take(const engine::HostStatus &status);
    /// Commits are missing: there is no fleet until the next snapshot.
    void forget();

    /// None before the first snapshot.
    [[nodiscard]] const rules::Fleet *fleet() const noexcept { return m_fleet ? &*m_fleet : nullptr; }
    /// The present state as one message; made once for all who ask at the same place of the log.
    [[nodiscard]] rules::Result<QByteArray> wholeState();
    /// The host's last beat as a message; empty before the first.
    [[nodiscard]] const QByteArray &lastBeat() const noexcept { return m_lastBeat; }

private:
    std::optional<rules::Fleet> m_fleet;
    QByteArray m_wholeState; ///< empty: not made since the fleet last moved
    QByteArray m_lastBeat;
};

} // namespace handreset::link

// One agent's history without a live index: each event names the one before it, and one of 32 stands in a small index.
// Internal to model/store; thread: the store's.
#pragma once

#include "model/rules/ids.h"
#include "model/store/event_rows.h"

#include <functional>

namespace handreset::store {

/// Which stretch of whose history, and from which end.
struct AgentStretch {
    rules::AgentId agent;
    rules::Seq head; ///< the agent's last event
    rules::Seq first;
    rules::Seq last;
    bool newestFirst = true;
};

/// Calls `each` with the sequence numbers of the agent's events in the stretch, until it returns false or an Error.
[[nodiscard]] rules::Result<void> walkAgent(Database &database, const AgentStretch &stretch,
                                            const std::function<rules::Result<bool>(rules::Seq)> &each);

} // namespace handreset::store

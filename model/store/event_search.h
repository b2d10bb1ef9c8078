// Finding events by what they are about. Internal to model/store; thread: the store's.
#pragma once

#include "model/store/event_rows.h"
#include "model/store/store.h"

#include <vector>

namespace handreset::store {

/// The events that match, in the order that the filter asks for. By agent along its own history, trips and transitions
/// by their small index, the rest by walking the log.
[[nodiscard]] rules::Result<std::vector<rules::Event>> searchEvents(Database &database, const Store::Filter &filter,
                                                                    const AgentHeads &heads);
/// The stored arguments of this event, "" where it has none.
[[nodiscard]] rules::Result<std::string> storedArguments(Database &database, rules::Seq seq);

} // namespace handreset::store

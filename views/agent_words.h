// An agent's state in the few words of tiles and titles. Pure; GUI thread (translated).
#pragma once

#include "model/live/rows.h"

#include <QString>

namespace handreset::views {

/// "open", "degraded", "2 tasks stopped", "closed".
[[nodiscard]] QString agentState(const live::AgentRow &row);
/// "open: no call goes out", "degraded: cheaper model, write tools refused", "closed: all calls pass".
[[nodiscard]] QString agentMeaning(const live::AgentRow &row);
/// Since when it is in that state, short: "14 min".
[[nodiscard]] QString agentSince(const live::AgentRow &row, rules::Instant now);
/// "1 in the queue · to acknowledge", "ana, acknowledged 02:03 · back at 00:00".
[[nodiscard]] QString agentFooter(const live::AgentRow &row);
/// What a quiet tile says at its right: the fullest limit, its tasks, or how long it has been idle.
[[nodiscard]] QString agentReading(const live::AgentRow &row, rules::Instant now);
/// "stale 12 s".
[[nodiscard]] QString staleWords(qint64 ageMs);

} // namespace handreset::views

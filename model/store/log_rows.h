// The log row by row as it stands, for readers that look at few kinds and fields in long stretches (what-if): only what
// is looked at is decoded. Thread and lifetime: the store's that gave it. Failure: as Error, and then no further rows.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::store {

/// Kinds of events as bits, by their place in rules::Payload.
using KindSet = std::uint64_t;
inline constexpr KindSet kAllKinds = ~KindSet{0};

/// The columns of one event. `payload` is what `rules::decodePayload` takes, and lasts until the next row.
struct LogRow {
    rules::Seq seq;
    std::uint8_t kind = 0; ///< the place in rules::Payload
    rules::Instant ruleTime;
    std::optional<rules::Instant> sourceTime;
    rules::AgentId agent;
    rules::TaskId task;
    std::string_view payload;
};

class LogRows {
public:
    virtual ~LogRows() = default;
    /// The next row, ascending; false at the end.
    [[nodiscard]] virtual rules::Result<bool> next(LogRow &row) = 0;
    /// The arguments kept at this event; empty where none are. An ask that says "same as earlier" names the other
    /// event.
    [[nodiscard]] virtual rules::Result<std::string> argumentsAt(rules::Seq seq) = 0;
};

} // namespace handreset::store

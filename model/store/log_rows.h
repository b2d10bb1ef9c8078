// The log row by row as it stands, for readers that look at few kinds and fields in long stretches (what-if): only what
// is looked at is decoded. Thread: the store's.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::store {

/// Kinds of events as bits, by their place in rules::Payload.
using KindSet = std::uint64_t;
inline constexpr KindSet kAllKinds = ~KindSet{0};

/// The columns of one event. `payload` is what `rules::decodePayload` takes, and lasts as long as the call.
struct LogRow {
    rules::Seq seq;
    std::uint8_t kind = 0; ///< the place in rules::Payload
    /// In a store of recorded runs the source's own time, where the line had one; else the time it was decided at.
    std::optional<rules::Instant> at;
    rules::AgentId agent;
    rules::TaskId task;
    std::string_view payload;
};

/// The arguments of calls, for whoever is at a row.
class LogArguments {
public:
    virtual ~LogArguments() = default;
    /// The arguments kept at this event; empty where none are. An ask that says "same as earlier" names the other
    /// event.
    [[nodiscard]] virtual rules::Result<std::string> argumentsAt(rules::Seq seq) = 0;
};

/// Takes one row; false: no further ones are wanted. An Error ends the reading and is its result.
using EachRow = std::function<rules::Result<bool>(const LogRow &row, LogArguments &arguments)>;

} // namespace handreset::store

// Which events are operators' acts, whose, from where, and what proves it: for the audit page. Thread: one object
// belongs to one thread; it is fed the log's events in order.
#pragma once

#include "model/live/rows.h"
#include "model/rules/event.h"
#include "model/rules/fleet.h"

#include <cstdint>
#include <vector>

namespace handreset::live {

/// The kinds that can be an operator's act, for a read of the log.
[[nodiscard]] std::vector<std::uint8_t> kindsOfActs();

class ActsFromLog {
public:
    /// Fills in what `row` says of the act, where the event is one. `isFolded`: this desk has folded the event, so that
    /// a signature that did not fit would have been refused; else the signature is held against the operator's key
    /// here. `fleet` is the state just after the event, or a later one.
    void take(const rules::Fleet &fleet, const rules::Event &event, bool isFolded, EventRow &row);

private:
    /// The last signed act, until what it did has followed.
    struct LastSigned {
        rules::Seq seq;
        rules::Instant at;
        QString by;
        QString machine;
        QString proof;
    };
    LastSigned m_last;
};

} // namespace handreset::live

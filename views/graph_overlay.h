// What is going on in a machine right now, to be laid over its graph. A pure value; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <QString>

namespace handreset::views {

struct GraphOverlay {
    int currentNode = -1; ///< index into the graph's nodes; -1: no data, never drawn as any state

    /// The transition that was taken last.
    struct Last {
        std::uint8_t row = 0;
        int from = -1;    ///< the node it left, for a row that starts in several; -1: unknown
        qint64 ageMs = 0; ///< as of now; the page gives it anew each second
        bool operator==(const Last &) const = default;
    };
    std::optional<Last> last;

    /// How often each (row, from node) was taken in `span`. A row that starts in one node only may be
    /// counted under from = -1.
    std::map<std::pair<std::uint8_t, int>, qint64> counts;
    QString span; ///< "in the last 15 minutes"; empty: not said

    /// The rows that can be taken next. Nothing: every row that leaves the present node.
    std::optional<std::set<std::uint8_t>> possibleRows;

    /// Runs along the edge of `row`. Both calls and seconds must be met where both are needed.
    struct Cooldown {
        std::uint8_t row = 7;
        qint64 callsDone = 0;
        qint64 callsNeeded = 0;  ///< 0: not in calls
        qint64 secondsLeft = 0;
        qint64 secondsTotal = 0; ///< 0: not in seconds
        bool due = false;        ///< met: it waits for a call
        bool operator==(const Cooldown &) const = default;
    };
    std::optional<Cooldown> cooldown;

    /// Failures up to the threshold, below the node.
    struct Pips {
        int node = 0;
        qint64 count = 0;
        qint64 threshold = 0;
        bool operator==(const Pips &) const = default;
    };
    std::optional<Pips> pips;

    bool isolated = false; ///< the present node has a padlock
    bool stale = false;    ///< all this is old: hatched, and no state filled

    bool operator==(const GraphOverlay &) const = default;
};

} // namespace handreset::views

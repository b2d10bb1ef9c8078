// A transition table as a graph of words: what the state graph draws and `diagram` writes. Pure values; any thread.
#pragma once

#include "model/rules/transition.h"

#include <cstdint>
#include <string>
#include <vector>

namespace handreset::rules {

struct GraphNode {
    std::string name;    ///< "HALF_OPEN"
    std::string meaning; ///< "one probe": always shown with the name
    bool operator==(const GraphNode &) const = default;
};

/// One transition between two nodes. A row of several states or events is one edge per pair of states.
struct GraphEdge {
    std::uint8_t row = 0;
    std::int32_t from = 0; ///< index of a node
    std::int32_t to = 0;   ///< the same as `from` for a self-transition
    std::string event;     ///< "failure"; several joined by ", "
    std::string guard;     ///< "count + 1 ≥ threshold"; empty for "else"
    std::string answer;    ///< "allow as probe"; empty where nobody asks
    std::string changes;   ///< what changes, in words
    Authority authority = Authority::Machine;
    bool operator==(const GraphEdge &) const = default;

    /// "failure [count + 1 ≥ threshold]".
    [[nodiscard]] std::string label() const;
};

struct Graph {
    std::string title;
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges; ///< in the order of the table
    bool operator==(const Graph &) const = default;
};

/// The breaker's graph: CLOSED, OPEN, HALF_OPEN.
[[nodiscard]] Graph breakerGraph();
/// One latch's graph: clear, held by the clock, held by a human.
[[nodiscard]] Graph latchGraph();

} // namespace handreset::rules

// A graph as text, for `handresetctl diagram` and for the tables in the documents. Same graph, same bytes.
// Pure values; any thread.
#pragma once

#include "model/rules/graph.h"

#include <string>

namespace handreset::rules {

/// A Markdown table, one line per row of the transition table: #, from, event, guard, to, answer, what changes, by.
/// A row that starts in every state says "any"; one that stays where it is says "the same". Ends in a line feed.
[[nodiscard]] std::string diagramMarkdown(const Graph &graph);

/// A Graphviz digraph (dot), one edge per pair of states; operators' edges are dashed. Ends in a line feed.
[[nodiscard]] std::string diagramGraphviz(const Graph &graph);

/// A Mermaid state diagram (stateDiagram-v2), one edge per pair of states. Colons and semicolons in labels become
/// commas, since Mermaid ends a label at either. Ends in a line feed.
[[nodiscard]] std::string diagramMermaid(const Graph &graph);

} // namespace handreset::rules

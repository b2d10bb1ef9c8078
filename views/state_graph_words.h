// The words of the state graph: labels, tooltips, accessible names. Pure functions; GUI thread.
#pragma once

#include "model/rules/graph.h"
#include "views/graph_overlay.h"

#include <string_view>

#include <QString>
#include <QStringList>

namespace handreset::views {

/// How much of an edge's label there is room for.
enum class LabelDetail { Whole, WithoutGuard, Event };

/// A word of the rules in the operator's language.
[[nodiscard]] QString rulesWord(std::string_view word);

/// "failure [count + 1 ≥ 3]", "ask → reject". `threshold` takes the place of the word; 0 leaves the word.
[[nodiscard]] QString edgeLabel(const rules::GraphEdge &edge, LabelDetail detail, qint64 threshold);

/// How often this edge was taken; nothing where only the sum over several edges of its row is known.
[[nodiscard]] std::optional<qint64> edgeCount(const rules::Graph &graph, const rules::GraphEdge &edge,
                                              const GraphOverlay &overlay);
/// True when the edge is the transition that was taken last.
[[nodiscard]] bool isLast(const rules::Graph &graph, const rules::GraphEdge &edge, const GraphOverlay &overlay);
/// True when the edge can be taken next.
[[nodiscard]] bool isPossible(const rules::GraphEdge &edge, const GraphOverlay &overlay);

/// "1 of 2 rejections, 8 s left"; "due, waiting for a call"; empty without a cooldown.
[[nodiscard]] QString cooldownWords(const GraphOverlay &overlay);
/// How much of the cooldown is over, 0 to 1: the lesser where two must be met.
[[nodiscard]] double cooldownShare(const GraphOverlay::Cooldown &cooldown);

/// All that an edge or a node says, in one line and as a tooltip's lines.
[[nodiscard]] QString edgeName(const rules::Graph &graph, const rules::GraphEdge &edge, const GraphOverlay &overlay);
[[nodiscard]] QStringList edgeDetails(const rules::Graph &graph, const rules::GraphEdge &edge, const GraphOverlay &overlay);
[[nodiscard]] QString nodeName(const rules::Graph &graph, int node, const GraphOverlay &overlay);
[[nodiscard]] QStringList nodeDetails(const rules::Graph &graph, int node, const GraphOverlay &overlay);

} // namespace handreset::views

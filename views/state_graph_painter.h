// Paints a placed state graph with its overlay. Stateless; GUI thread.
#pragma once

#include "model/rules/graph.h"
#include "views/graph_overlay.h"
#include "views/palette.h"
#include "views/state_graph_layout.h"

class QPainter;

namespace handreset::views {

/// All that one painting needs; the references outlive it.
struct GraphPainting {
    const rules::Graph &graph;
    const PlacedGraph &placed;
    const GraphOverlay &overlay;
    const Colours &colours;
    int hoveredLine = -1; ///< index into the placed lines
    int hoveredNode = -1;
};

void paintGraph(QPainter &painter, const GraphPainting &painting, const QRectF &area);

} // namespace handreset::views

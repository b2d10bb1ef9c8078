// Where everything of a state graph stands: fixed positions beside the table for our two machines, a circle for any
// other. Depends on the graph and the size alone, never on what happens. Pure functions; GUI thread (fonts).
#pragma once

#include "model/rules/graph.h"

#include <cstddef>
#include <vector>

#include <QPainterPath>
#include <QRectF>
#include <QString>

namespace handreset::views {

/// The edges between two nodes that one hand moves (machine and clock, or an operator) share a curve.
struct PlacedCurve {
    int from = 0;
    int to = 0;
    bool byOperator = false;
    QPainterPath path; ///< from the border of `from` to the border of `to`
    std::vector<std::size_t> edges;
};

/// The label of one edge.
struct PlacedLine {
    std::size_t edge = 0;
    std::size_t curve = 0;
    QString text;
    Qt::Alignment align;
    QRectF box;   ///< the text with room for its count
    QRectF room;  ///< the whole width that its block has
};

struct PlacedGraph {
    std::vector<QRectF> nodes;
    std::vector<PlacedCurve> curves;
    std::vector<PlacedLine> lines;
    QRectF pips;     ///< below the first node
    QRectF cooldown; ///< the words of the cooldown; its ring stands on the curve
};

/// The least size at which no label meets another.
constexpr QSizeF kLeastGraphSize{520, 262};

/// `threshold` stands in the guards' words; 0: unknown.
[[nodiscard]] PlacedGraph placeGraph(const rules::Graph &graph, const QSizeF &size, qint64 threshold);

} // namespace handreset::views

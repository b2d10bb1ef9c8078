#include "views/state_graph_layout.h"

#include "views/state_graph_words.h"
#include "views/typography.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <QFontMetricsF>

namespace handreset::views {

namespace {

constexpr double kLine = 14;
constexpr double kCountRoom = 29; // "  999×"; where a count is longer, the guard gives way when it is painted

enum class Hand { Machine, Operator, Both };

/// How one curve runs: where on the nodes' boxes it starts and ends (0 to 1 of width and height), and how far its
/// control points stand off, in pixels.
struct CurvePlan {
    int from;
    int to;
    bool byOperator;
    QPointF start;
    QPointF end;
    QPointF startPull;
    QPointF endPull;
};

/// A block of labels: those of the edges from one node to another.
struct BlockPlan {
    int from;
    int to;
    Hand hand;
    QRectF room; ///< the height is not looked at
    Qt::Alignment align;
};

struct Plan {
    std::vector<QRectF> nodes;
    std::vector<CurvePlan> curves;
    std::vector<BlockPlan> blocks;
    QRectF pips;
    QRectF cooldown;
};

QPointF on(const QRectF &box, const QPointF &share)
{
    return {box.left() + box.width() * share.x(), box.top() + box.height() * share.y()};
}

bool isByOperator(const rules::GraphEdge &edge)
{
    // An operator's act that moves nothing belongs to the same loop as the rest that moves nothing.
    return edge.authority == rules::Authority::Operator && edge.from != edge.to;
}

QPainterPath pathOf(const CurvePlan &curve, const std::vector<QRectF> &nodes)
{
    const QPointF start = on(nodes[static_cast<std::size_t>(curve.from)], curve.start);
    const QPointF end = on(nodes[static_cast<std::size_t>(curve.to)], curve.end);
    QPainterPath path(start);
    path.cubicTo(start + curve.startPull, end + curve.endPull, end);
    return path;
}

/// The curve of a plan between two nodes, by hand.
QPainterPath curveIn(const Plan &plan, int from, int to, bool byOperator)
{
    for (const CurvePlan &curve : plan.curves) {
        if (curve.from == from && curve.to == to && curve.byOperator == byOperator)
            return pathOf(curve, plan.nodes);
    }
    return {};
}

/// How far left or right a curve reaches between two heights; `otherwise` where it is not there.
double reach(const QPainterPath &path, double top, double bottom, bool leftmost, double otherwise)
{
    std::optional<double> found;
    constexpr int steps = 60;
    for (int i = 0; i <= steps; ++i) {
        const QPointF at = path.pointAtPercent(static_cast<double>(i) / steps);
        if (at.y() < top - 3 || at.y() > bottom + 3)
            continue;
        found = !found ? at.x() : leftmost ? std::min(*found, at.x()) : std::max(*found, at.x());
    }
    return found.value_or(otherwise);
}

/// A room for labels centred upon the middle of a curve.
QRectF upon(const QPainterPath &path, double share, double width)
{
    const QPointF at = path.pointAtPercent(share);
    return {at.x() - width / 2, at.y() - kLine / 2, width, kLine};
}

/// CLOSED at the left, OPEN at the right, HALF_OPEN below between them; own loops at the outer sides.
Plan planBreaker(const QSizeF &size)
{
    const double w = size.width();
    const double h = size.height();
    const double nodeWidth = std::clamp(w * 0.25, 120.0, 168.0);
    const double nodeHeight = std::clamp(h * 0.175, 44.0, 64.0);
    const double top = 28 + (h - kLeastGraphSize.height()) * 0.06;
    const QRectF closed(22, top, nodeWidth, nodeHeight);
    const QRectF open(w - 22 - nodeWidth, top, nodeWidth, nodeHeight);
    const QRectF half((w - nodeWidth) / 2 + 4, h - nodeHeight - 3, nodeWidth, nodeHeight);
    const double drop = half.top() - closed.bottom();
    const double bow = (12 + nodeHeight * 0.16) / 0.75; // its highest point stands just below its label

    Plan plan;
    plan.nodes = {closed, open, half};
    plan.curves = {
        {0, 0, false, {0, 0.25}, {0, 0.75}, {-22, -6}, {-22, 6}},
        {0, 1, false, {1, 0.16}, {0, 0.16}, {w * 0.09, -bow}, {-w * 0.09, -bow}},
        {0, 1, true, {1, 0.44}, {0, 0.44}, {30, 0}, {-30, 0}},
        {1, 0, true, {0, 0.86}, {1, 0.86}, {-30, 0}, {30, 0}},
        {1, 1, false, {1, 0.25}, {1, 0.75}, {22, -6}, {22, 6}},
        {1, 2, false, {0.10, 1}, {0.74, 0}, {0, drop * 0.8}, {0, -drop * 0.3}},
        {1, 2, true, {0.03, 1}, {0.64, 0}, {0, drop * 0.8}, {0, -drop * 0.3}},
        {2, 2, false, {0, 0.3}, {0, 0.8}, {-22, -6}, {-22, 6}},
        {2, 1, false, {1, 0.45}, {0.22, 1}, {w * 0.09, 0}, {0, drop * 0.6}},
        {2, 1, true, {1, 0.75}, {0.29, 1}, {w * 0.13, 0}, {0, drop * 0.6}},
        {2, 0, false, {0.12, 0}, {0.93, 1}, {-6, -drop * 0.3}, {0, drop * 0.75}},
        {2, 0, true, {0.22, 0}, {0.985, 1}, {-6, -drop * 0.3}, {0, drop * 0.75}},
    };
    const double between = open.left() - closed.right();
    const double belowClosed = closed.bottom() + 24;
    const double belowOpen = open.bottom() + 6;
    const double rightColumn = open.left() + nodeWidth * 0.29 + 9;
    const double leftColumn = closed.left() + nodeWidth * 0.93 - 8;
    // Each block stands close to its curve, wherever the size has put that.
    const double middle = closed.bottom() + std::max(16.0, drop * 0.16);
    const double middleEnd = middle + 4 * kLine + 2;
    const double middleLeft = reach(curveIn(plan, 2, 0, true), middle, middleEnd, false, closed.right()) + 10;
    const double middleRight = reach(curveIn(plan, 1, 2, true), middle, middleEnd, true, half.right()) - 10;
    const double failing = std::max(belowOpen + 4 * kLine + 8, h * 0.6);
    const double failingLeft = reach(curveIn(plan, 2, 1, true), failing, failing + 4 * kLine, false, rightColumn) + 9;
    const double closing = std::max(belowClosed + 5 * kLine + 7, h * 0.6);
    const double closingRight = reach(curveIn(plan, 2, 0, false), closing, closing + 2 * kLine, true, half.left()) - 9;
    plan.blocks = {
        {0, 1, Hand::Machine, {closed.right() - 10, closed.top() - 28, between + 20, 0}, Qt::AlignHCenter},
        {0, 1, Hand::Operator, {closed.right() + 12, closed.top() + nodeHeight * 0.44 - 7, between - 24, 0}, Qt::AlignHCenter},
        {1, 0, Hand::Operator, {closed.right() + 12, closed.top() + nodeHeight * 0.86 - 7, between - 24, 0}, Qt::AlignHCenter},
        {0, 0, Hand::Both, {0, belowClosed, leftColumn, 0}, Qt::AlignLeft},
        {1, 1, Hand::Both, {rightColumn, belowOpen, w - rightColumn, 0}, Qt::AlignLeft},
        {1, 2, Hand::Both, {middleLeft, middle + kLine + 2, middleRight - middleLeft, 0}, Qt::AlignRight},
        {2, 1, Hand::Both, {failingLeft, failing, w - failingLeft, 0}, Qt::AlignLeft},
        {2, 0, Hand::Both, {0, closing, closingRight, 0}, Qt::AlignRight},
        {2, 2, Hand::Both, {10, h - 4 * kLine - 1, half.left() - 36, 0}, Qt::AlignRight},
    };
    plan.pips = {closed.left(), closed.bottom() + 5, leftColumn - closed.left(), 15};
    plan.cooldown = {middleLeft, middle, middleRight - middleLeft, kLine};
    return plan;
}

/// clear at the left, held by the clock above and held by a human below at the right.
Plan planLatch(const QSizeF &size)
{
    const double w = size.width();
    const double h = size.height();
    const double nodeWidth = std::clamp(w * 0.29, 146.0, 176.0);
    const double nodeHeight = std::clamp(h * 0.175, 44.0, 64.0);
    const QRectF clear(22, (h - nodeHeight) / 2, nodeWidth - 20, nodeHeight);
    const QRectF clock(w - 24 - nodeWidth, 22, nodeWidth, nodeHeight);
    const QRectF human(w - 24 - nodeWidth, h - nodeHeight - 46, nodeWidth, nodeHeight);
    const double across = clock.left() - clear.right();
    const double drop = human.top() - clock.bottom();

    Plan plan;
    plan.nodes = {clear, clock, human};
    plan.curves = {
        {0, 0, false, {0, 0.25}, {0, 0.75}, {-22, -6}, {-22, 6}},
        {0, 1, false, {0.6, 0}, {0, 0.35}, {0, -clear.top() * 0.5}, {-across * 0.8, 0}},
        {1, 0, false, {0, 0.72}, {0.92, 0}, {-across * 0.6, 0}, {0, -20}},
        {1, 0, true, {0.1, 1}, {1, 0.3}, {0, 24}, {across * 0.5, 0}},
        {1, 1, false, {1, 0.25}, {1, 0.75}, {22, -6}, {22, 6}},
        {1, 2, true, {0.2, 1}, {0.2, 0}, {0, drop * 0.3}, {0, -drop * 0.3}},
        {0, 2, false, {0.6, 1}, {0, 0.65}, {0, h * 0.18}, {-across * 0.8, 0}},
        {2, 0, true, {0, 0.25}, {1, 0.7}, {-across * 0.4, 0}, {across * 0.5, 0}},
        {2, 2, false, {1, 0.25}, {1, 0.75}, {22, -6}, {22, 6}},
    };
    const double left = clear.left() + clear.width() * 0.6;
    const double right = clock.left() + nodeWidth * 0.2 + 8;
    plan.blocks = {
        {0, 1, Hand::Both, {left, clock.top() + nodeHeight * 0.35 - 18, clock.left() - left - 6, 0}, Qt::AlignRight},
        {1, 0, Hand::Machine, upon(curveIn(plan, 1, 0, false), 0.5, across * 0.8), Qt::AlignHCenter},
        {1, 0, Hand::Operator, upon(curveIn(plan, 1, 0, true), 0.6, across * 0.8), Qt::AlignHCenter},
        {0, 0, Hand::Both, {0, clear.bottom() + 4, left - 8, 0}, Qt::AlignLeft},
        {1, 1, Hand::Both, {right, clock.bottom() + 5, w - right, 0}, Qt::AlignLeft},
        {1, 2, Hand::Both, {right, human.top() - kLine - 8, w - right, 0}, Qt::AlignLeft},
        {2, 0, Hand::Operator, upon(curveIn(plan, 2, 0, true), 0.5, across * 0.8), Qt::AlignHCenter},
        {0, 2, Hand::Both, {left, human.top() + nodeHeight * 0.65 + 4, human.left() - left - 6, 0}, Qt::AlignRight},
        {2, 2, Hand::Both, {human.left(), human.bottom() + 3, w - human.left(), 0}, Qt::AlignLeft},
    };
    return plan;
}

/// Any other graph: nodes on a circle, labels beside the middle of their curves.
Plan planCircle(const rules::Graph &graph, const QSizeF &size)
{
    Plan plan;
    const double nodeWidth = 130;
    const double nodeHeight = 48;
    const QPointF centre(size.width() / 2, size.height() / 2);
    const auto count = static_cast<double>(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const double angle = 2 * 3.14159265 * static_cast<double>(i) / count - 3.14159265 / 2;
        const QPointF at = centre + QPointF(std::cos(angle) * (size.width() - nodeWidth - 60) / 2,
                                            std::sin(angle) * (size.height() - nodeHeight - 20) / 2);
        plan.nodes.push_back({at.x() - nodeWidth / 2, at.y() - nodeHeight / 2, nodeWidth, nodeHeight});
    }
    for (const rules::GraphEdge &edge : graph.edges) {
        const auto known = [&](const CurvePlan &c) { return c.from == edge.from && c.to == edge.to; };
        if (std::any_of(plan.curves.begin(), plan.curves.end(), known))
            continue;
        const QRectF &from = plan.nodes[static_cast<std::size_t>(edge.from)];
        const QRectF &to = plan.nodes[static_cast<std::size_t>(edge.to)];
        const QPointF middle = (from.center() + to.center()) / 2;
        if (edge.from == edge.to)
            plan.curves.push_back({edge.from, edge.to, false, {1, 0.25}, {1, 0.75}, {22, -6}, {22, 6}});
        else
            plan.curves.push_back({edge.from, edge.to, false, {0.5, 0.5}, {0.5, 0.5}, {0, 0}, {0, 0}});
        const QPointF at = edge.from == edge.to ? QPointF(from.left(), from.bottom() + 3) : middle;
        plan.blocks.push_back({edge.from, edge.to, Hand::Both, {at.x(), at.y(), 180, 0}, Qt::AlignLeft});
    }
    return plan;
}

/// The index of the curve that carries this edge; a curve of the other hand where it has none of its own.
std::optional<std::size_t> curveOf(const std::vector<PlacedCurve> &curves, const rules::GraphEdge &edge)
{
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        if (curves[i].from != edge.from || curves[i].to != edge.to)
            continue;
        if (curves[i].byOperator == isByOperator(edge))
            return i;
        found = i;
    }
    return found;
}

bool holds(const BlockPlan &block, const rules::GraphEdge &edge)
{
    if (block.from != edge.from || block.to != edge.to)
        return false;
    return block.hand == Hand::Both || (block.hand == Hand::Operator) == isByOperator(edge);
}

/// The longest label that fits the block, and where it stands.
PlacedLine placeLine(const rules::GraphEdge &edge, const BlockPlan &block, double y, qint64 threshold)
{
    const QFontMetricsF metrics(textFont(TextSize::Caption));
    PlacedLine line;
    line.align = block.align;
    line.room = {block.room.left(), y, block.room.width(), kLine};
    line.text = edgeLabel(edge, LabelDetail::Whole, threshold);
    if (metrics.horizontalAdvance(line.text) + kCountRoom > block.room.width())
        line.text = edgeLabel(edge, LabelDetail::WithoutGuard, threshold);
    line.text = metrics.elidedText(line.text, Qt::ElideRight, std::max(block.room.width() - kCountRoom, 30.0));
    const double width = std::min(metrics.horizontalAdvance(line.text) + kCountRoom, block.room.width());
    double x = line.room.left();
    if (block.align & Qt::AlignRight)
        x = line.room.right() - width;
    else if (block.align & Qt::AlignHCenter)
        x = line.room.center().x() - width / 2;
    line.box = {x, y, width, kLine};
    return line;
}

void placeLines(PlacedGraph &placed, const rules::Graph &graph, const Plan &plan, qint64 threshold)
{
    for (const BlockPlan &block : plan.blocks) {
        double y = block.room.top();
        // What the machine does by itself first, what people may do below it.
        for (const bool byOperator : {false, true}) {
            for (std::size_t e = 0; e < graph.edges.size(); ++e) {
                const rules::GraphEdge &edge = graph.edges[e];
                const std::optional<std::size_t> curve = curveOf(placed.curves, edge);
                if (!curve || !holds(block, edge) || (edge.authority == rules::Authority::Operator) != byOperator)
                    continue;
                PlacedLine line = placeLine(edge, block, y, threshold);
                line.edge = e;
                line.curve = *curve;
                placed.lines.push_back(line);
                placed.curves[*curve].edges.push_back(e);
                y += kLine;
            }
        }
    }
}

} // namespace

PlacedGraph placeGraph(const rules::Graph &graph, const QSizeF &size, qint64 threshold)
{
    const QSizeF area = size.expandedTo(kLeastGraphSize);
    const auto isCalled = [&](const char *first, const char *second) {
        return graph.nodes.size() == 3 && graph.nodes[0].name == first && graph.nodes[1].name == second;
    };
    const Plan plan = isCalled("CLOSED", "OPEN")            ? planBreaker(area)
        : isCalled("clear", "held by the clock") ? planLatch(area)
                                                 : planCircle(graph, area);
    PlacedGraph placed;
    placed.nodes = plan.nodes;
    placed.pips = plan.pips;
    placed.cooldown = plan.cooldown;
    for (const CurvePlan &curve : plan.curves)
        placed.curves.push_back({curve.from, curve.to, curve.byOperator, pathOf(curve, plan.nodes), {}});
    placeLines(placed, graph, plan, threshold);
    return placed;
}

} // namespace handreset::views

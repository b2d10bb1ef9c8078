#include "views/state_graph.h"

#include "views/state_graph_painter.h"
#include "views/state_graph_words.h"
#include "views/typography.h"

#include <QPainter>
#include <QPainterPathStroker>

namespace handreset::views {

namespace {

constexpr double kCurveBand = 10;

} // namespace

StateGraph::StateGraph(const rules::Graph &graph, QWidget *parent)
    : PaintedItems(parent)
    , m_graph(graph)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(rulesWord(graph.title));
    arrange();
}

void StateGraph::setGraph(const rules::Graph &graph)
{
    m_graph = graph;
    setAccessibleName(rulesWord(graph.title));
    arrange();
    itemsChanged();
}

void StateGraph::setOverlay(const GraphOverlay &overlay)
{
    if (overlay == m_overlay)
        return;
    const qint64 before = m_overlay.pips ? m_overlay.pips->threshold : 0;
    m_overlay = overlay;
    if ((overlay.pips ? overlay.pips->threshold : 0) != before) // it stands in a label; a policy edit, not an event
        arrange();
    update();
}

void StateGraph::arrange()
{
    m_placed = placeGraph(m_graph, size(), m_overlay.pips ? m_overlay.pips->threshold : 0);
}

void StateGraph::resizeEvent(QResizeEvent *event)
{
    PaintedItems::resizeEvent(event);
    arrange();
}

int StateGraph::itemCount() const
{
    return static_cast<int>(m_placed.nodes.size() + m_placed.lines.size());
}

QRectF StateGraph::itemRect(int item) const
{
    if (item < 0 || item >= itemCount())
        return {};
    const auto index = static_cast<std::size_t>(item);
    return index < m_placed.nodes.size() ? m_placed.nodes[index] : m_placed.lines[index - m_placed.nodes.size()].box;
}

const rules::GraphEdge &StateGraph::edgeOfItem(int item) const
{
    return m_graph.edges[m_placed.lines[static_cast<std::size_t>(item) - m_placed.nodes.size()].edge];
}

QString StateGraph::itemName(int item) const
{
    if (item < static_cast<int>(m_placed.nodes.size()))
        return nodeName(m_graph, item, m_overlay);
    return edgeName(m_graph, edgeOfItem(item), m_overlay);
}

QStringList StateGraph::itemDetails(int item) const
{
    if (item < static_cast<int>(m_placed.nodes.size()))
        return nodeDetails(m_graph, item, m_overlay);
    return edgeDetails(m_graph, edgeOfItem(item), m_overlay);
}

bool StateGraph::isItemActivatable(int item) const
{
    return item >= static_cast<int>(m_placed.nodes.size()) && item < itemCount();
}

void StateGraph::itemActivated(int item)
{
    const rules::GraphEdge &edge = edgeOfItem(item);
    Q_EMIT edgeActivated(edge.row, edge.from);
}

int StateGraph::itemOnCurve(std::size_t curve) const
{
    int found = -1;
    int rank = -1;
    for (std::size_t i = 0; i < m_placed.lines.size(); ++i) {
        if (m_placed.lines[i].curve != curve)
            continue;
        const rules::GraphEdge &edge = m_graph.edges[m_placed.lines[i].edge];
        const int own = isLast(m_graph, edge, m_overlay) ? 2 : isPossible(edge, m_overlay) ? 1 : 0;
        if (own > rank) {
            rank = own;
            found = static_cast<int>(m_placed.nodes.size() + i);
        }
    }
    return found;
}

int StateGraph::itemAt(const QPointF &point) const
{
    const int boxed = PaintedItems::itemAt(point);
    if (boxed >= 0)
        return boxed;
    QPainterPathStroker stroker;
    stroker.setWidth(kCurveBand);
    for (std::size_t i = 0; i < m_placed.curves.size(); ++i) {
        if (stroker.createStroke(m_placed.curves[i].path).contains(point))
            return itemOnCurve(i);
    }
    return -1;
}

void StateGraph::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int nodes = static_cast<int>(m_placed.nodes.size());
    const int hovered = hoveredItem();
    paintGraph(painter,
               {m_graph, m_placed, m_overlay, coloursOf(*this), hovered >= nodes ? hovered - nodes : -1,
                hovered >= 0 && hovered < nodes ? hovered : -1},
               rect());
    if (hasFocus() && focusedItem() >= 0)
        paintFocusRing(painter, itemRect(focusedItem()).adjusted(-2, -1, 2, 1), focusedItem() < nodes ? kRadius : 4);
}

} // namespace handreset::views

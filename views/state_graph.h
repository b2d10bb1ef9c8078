// The live state graph: every state and every transition of a machine, drawn from the table that the engine obeys,
// with what is going on laid over it. It is laid out when the graph or the size changes, never while events arrive,
// and it holds no clock: ages come with the overlay. GUI thread; owned by its Qt parent.
#pragma once

#include "model/rules/graph.h"
#include "views/graph_overlay.h"
#include "views/painted_items.h"
#include "views/state_graph_layout.h"

namespace handreset::views {

class StateGraph : public PaintedItems {
    Q_OBJECT

public:
    explicit StateGraph(const rules::Graph &graph, QWidget *parent = nullptr);

    void setGraph(const rules::Graph &graph);
    void setOverlay(const GraphOverlay &overlay);
    [[nodiscard]] const rules::Graph &graph() const { return m_graph; }
    [[nodiscard]] const GraphOverlay &overlay() const { return m_overlay; }
    [[nodiscard]] const PlacedGraph &placed() const { return m_placed; }

    /// Items: first the nodes, then the edges by their labels.
    [[nodiscard]] int itemCount() const override;
    [[nodiscard]] QRectF itemRect(int item) const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QStringList itemDetails(int item) const override;
    [[nodiscard]] bool isItemActivatable(int item) const override;
    /// Labels and nodes by their boxes, curves by a band around them.
    [[nodiscard]] int itemAt(const QPointF &point) const override;

    [[nodiscard]] QSize sizeHint() const override { return {560, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return kLeastGraphSize.toSize(); }

Q_SIGNALS:
    /// An edge was clicked: list the events of this row that left this node.
    void edgeActivated(int row, int fromNode);

protected:
    void itemActivated(int item) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrange();
    [[nodiscard]] const rules::GraphEdge &edgeOfItem(int item) const;
    /// Of the edges on one curve the one that a click on the curve means.
    [[nodiscard]] int itemOnCurve(std::size_t curve) const;

    rules::Graph m_graph;
    GraphOverlay m_overlay;
    PlacedGraph m_placed;
};

} // namespace handreset::views

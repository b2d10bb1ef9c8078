// A grid of tiles that reflows: as many equal columns as fit, each row as high as its highest tile. GUI thread; owned
// by the widget it lays out.
#pragma once

#include <vector>

#include <QLayout>

namespace handreset::views {

class FlowGridLayout : public QLayout {
    Q_OBJECT

public:
    /// Tiles are never narrower than `leastTileWidth` (unless the widget itself is), and share the width evenly.
    explicit FlowGridLayout(int leastTileWidth, int gap = 12, QWidget *parent = nullptr);
    ~FlowGridLayout() override;

    void addItem(QLayoutItem *item) override;
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem *itemAt(int index) const override;
    [[nodiscard]] QLayoutItem *takeAt(int index) override;
    /// Puts the widget before the tile at `index`; at the end where there is none.
    void insertWidget(int index, QWidget *widget);

    [[nodiscard]] Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect &rect) override;
    /// How many columns fit `width`.
    [[nodiscard]] int columnsFor(int width) const;

private:
    int arrange(const QRect &rect, bool apply) const;
    [[nodiscard]] std::vector<QLayoutItem *> shownItems() const;

    std::vector<QLayoutItem *> m_items; ///< owned, as QLayout's contract has it
    int m_leastTileWidth;
    int m_gap;
};

} // namespace handreset::views

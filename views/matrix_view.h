// The matrix of one agent: one decision a line — signal, where, how much of the limit is used, what happens, who re-arms,
// and whether it is enforced. GUI thread; owned by its Qt parent.
#pragma once

#include "model/rules/matrix.h"
#include "views/painted_items.h"

#include <vector>

namespace handreset::views {

class MatrixView : public PaintedItems {
    Q_OBJECT

public:
    explicit MatrixView(QWidget *parent = nullptr);

    void setLines(std::vector<rules::MatrixLine> lines);

    [[nodiscard]] int itemCount() const override { return static_cast<int>(m_lines.size()); }
    [[nodiscard]] QRectF itemRect(int item) const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QStringList itemDetails(int item) const override;
    [[nodiscard]] bool isItemActivatable(int item) const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// A line that tripped was chosen: show its evidence.
    void tripActivated(handreset::rules::TripId trip);

protected:
    void itemActivated(int item) override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct Columns;

    [[nodiscard]] Columns columns() const;
    [[nodiscard]] double lineHeight() const;
    void paintHead(QPainter &painter, const Columns &at) const;
    void paintLine(QPainter &painter, const Columns &at, int item) const;
    void paintUsed(QPainter &painter, const Columns &at, const QRectF &line, const rules::MatrixLine &value) const;

    std::vector<rules::MatrixLine> m_lines;
};

} // namespace handreset::views

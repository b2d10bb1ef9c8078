// Paints the rows of the live tables: each row a flat card, text plain and elided in the middle, marks, numbers of trips
// and bars of traffic. Nothing that an agent wrote is ever interpreted. GUI thread; owned by its view.
#pragma once

#include <QStyledItemDelegate>

namespace handreset::views {

class RowDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override;

    /// All rows hatched: what they show is old.
    void setStale(bool stale) { m_stale = stale; }

private:
    bool m_stale = false;
};

} // namespace handreset::views

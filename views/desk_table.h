// A live table: S and Shift+S sort as a click on the header does; selection follows the subject, the order stands still
// while the pointer is in it or a menu is open, a chip says how many changes wait, and copying gives TSV. GUI thread;
// owned by its Qt parent; the model outlives it.
#pragma once

#include "model/live/keyed_table_model.h"

#include <QTableView>

#include <vector>

class QPushButton;

namespace handreset::views {

class RowDelegate;

/// What stands where a filter lets no row pass; empty where none was typed or nothing is there at all.
[[nodiscard]] QString nothingMatches(const live::KeyedTableModel &model);

class DeskTable : public QTableView {
    Q_OBJECT

public:
    explicit DeskTable(live::KeyedTableModel &model, QWidget *parent = nullptr);

    /// The selected row's identity; 0 while none is selected.
    [[nodiscard]] qulonglong currentKey() const;
    void selectKey(qulonglong key);
    /// Widths in pixels by column; 0 means: shares what is left with the others that say 0. The wider ones of given
    /// width give way in a narrow table, and grow in a very wide one.
    void setWidths(std::vector<int> widths);
    /// Columns that go away first where the table is narrow, in that order.
    void setSpareColumns(std::vector<int> columns);
    void setStale(bool stale);
    /// The height at which every row is seen.
    [[nodiscard]] int wholeHeight() const;
    /// Says how many changes wait, and brings them; stands where it is put, hidden while none waits.
    [[nodiscard]] QPushButton *heldChip() const { return m_heldChip; }
    /// An open menu holds the order as the pointer does.
    void setMenuOpen(bool open);

Q_SIGNALS:
    /// Enter, or a double click.
    void keyActivated(qulonglong key);
    void currentKeyChanged(qulonglong key);

protected:
    bool viewportEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void rowsAboutToBeRemoved(const QModelIndex &parent, int start, int end) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
    void sortByHeader(int column);
    void sortByNextColumn();
    void reverseSort();
    void showHeld(int held);
    void holdWhilePointed();
    void layOut();
    void copySelection() const;

    live::KeyedTableModel &m_model;
    RowDelegate *m_delegate;
    QPushButton *m_heldChip;
    std::vector<int> m_widths;
    std::vector<int> m_spare;
    bool m_pointed = false;
    bool m_menuOpen = false;
};

} // namespace handreset::views

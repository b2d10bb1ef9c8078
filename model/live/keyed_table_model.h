// The base of every live table: rows known by identity, one sort index of our own, a filter, and an order that can be
// held still while a person points at it. Never resets: rows come, go and move one by one, so that selection, focus,
// an open menu and a tooltip follow their subject.
// GUI thread. Rows live in the derived model, in slots that keep their place; this class knows only slots and order.
#pragma once

#include "model/live/text_filter.h"

#include <QAbstractTableModel>

#include <functional>
#include <vector>

namespace handreset::live {

/// What colour and weight a cell asks for; views map it to their palette.
enum class Emphasis : int { Normal, Quiet, Strong, Open, Degraded, Probing, Operator };

class KeyedTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        KeyRole = Qt::UserRole + 1, ///< qulonglong: the row's identity
        EmphasisRole,               ///< int: an Emphasis
        MarkRole,                   ///< int: a mark of the view's (see `MarkHint`); invalid: none
        OrderRole,                  ///< int: ①②③; invalid: none
        NumberRole,                 ///< bool: fixed width, right-aligned
        TrafficRole,                ///< QList<int>: bars; invalid: none
    };
    /// What mark a cell carries.
    enum MarkHint { MarkClosed, MarkDegraded, MarkOpen, MarkHalfOpen, MarkIsolated, MarkNoData };

    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    void sort(int column, Qt::SortOrder order) override;
    [[nodiscard]] int sortColumn() const { return m_sortColumn; }
    [[nodiscard]] Qt::SortOrder sortOrder() const { return m_sortOrder; }

    void setFilter(TextFilter filter);
    [[nodiscard]] const TextFilter &filter() const { return m_filter; }

    /// An exact choice beside the typed filter: "mine". Both must let a row pass.
    [[nodiscard]] virtual bool isNarrowed() const = 0;
    virtual void showAll() = 0;

    /// While frozen, values change where they stand, and no row comes, goes or moves.
    void setFrozen(bool frozen);
    [[nodiscard]] bool isFrozen() const { return m_frozen; }
    /// How many rows wait to come, go or move.
    [[nodiscard]] int heldChanges() const { return static_cast<int>(m_held.size()); }
    /// How many rows pass, as if nothing were held.
    [[nodiscard]] int passingRows() const;
    /// What was held of this row alone comes now: the person did it, and waits to see it.
    void settleHeld(qulonglong key);
    /// All rows, those that the filter hides too.
    [[nodiscard]] int allRows() const { return m_alive; }

    /// Where the row of this identity stands; invalid while it is hidden or unknown.
    [[nodiscard]] QModelIndex indexOf(qulonglong key, int column = 0) const;
    [[nodiscard]] qulonglong keyAt(int row) const;

Q_SIGNALS:
    void heldChangesChanged(int held);
    /// Rows came or went, or the filter changed.
    void shownChanged(int shown, int all);

protected:
    [[nodiscard]] int slotAt(int row) const { return m_order[static_cast<std::size_t>(row)]; }
    /// Strict and total: by the present column and order, ties by identity.
    [[nodiscard]] virtual bool before(int slotA, int slotB) const = 0;
    [[nodiscard]] virtual bool accepts(int slot) const = 0;
    [[nodiscard]] virtual bool isAlive(int slot) const = 0;
    [[nodiscard]] virtual int slotOfKey(qulonglong key) const = 0;
    [[nodiscard]] virtual qulonglong keyOfSlot(int slot) const = 0;
    /// The slot is out of the order and may be used again.
    virtual void released(int slot) = 0;

    /// Values of these slots changed; `dirty` (new, gone, or with another place) is settled now, or held while frozen.
    void settle(const std::vector<int> &changed, const std::vector<int> &dirty, int alive);
    /// What passes was chosen anew: all rows are settled, those held too.
    void choiceMoved();
    /// The column's text moved without a change of its rows (ages).
    void touchColumn(int column);

private:
    void settleDirty(std::vector<int> dirty);
    void settleAll();
    void become(std::vector<int> order);
    void removeMissing(const std::vector<char> &wanted);
    void moveTo(const std::vector<int> &kept);
    void insertNew(const std::vector<int> &order);
    void rememberPlaces();
    void tellChanged(const std::vector<int> &changedSlots);

    std::vector<int> m_order; ///< row → slot
    std::vector<int> m_place; ///< slot → row, or -1
    std::vector<int> m_held;  ///< dirty slots while frozen
    TextFilter m_filter;
    int m_sortColumn = -1; ///< -1: the model's natural order
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    int m_alive = 0;
    bool m_frozen = false;
};

} // namespace handreset::live

// A live table of one type of row: columns as values, rows in slots keyed by identity. GUI thread.
#pragma once

#include "model/live/keyed_table_model.h"
#include "model/live/rows.h"

#include <QHash>
#include <QVariant>

#include <compare>
#include <functional>
#include <utility>
#include <vector>

namespace handreset::live {

/// The present moment for ages, as the desk's clock has it.
using WallClock = std::function<rules::Instant()>;

/// One column of a table of `Row`.
template <class Row>
struct Column {
    QString title;
    bool number = false; ///< fixed width, right-aligned
    bool ages = false;   ///< its text moves with time
    std::function<QString(const Row &, rules::Instant now)> text;
    std::function<std::weak_ordering(const Row &, const Row &)> compare;
};

template <class Row>
class RowModel : public KeyedTableModel {
public:
    RowModel(std::vector<Column<Row>> columns, WallClock clock, QObject *parent)
        : KeyedTableModel(parent), m_columns(std::move(columns)), m_clock(std::move(clock))
    {
    }

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const Column<Row> &column = m_columns[static_cast<std::size_t>(section)];
        if (role == Qt::DisplayRole)
            return column.title;
        if (role == Qt::TextAlignmentRole)
            return QVariant::fromValue<int>((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        return {};
    }

    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override
    {
        if (!index.isValid() || index.row() >= rowCount())
            return {};
        const Row &row = rowAt(index.row());
        const Column<Row> &column = m_columns[static_cast<std::size_t>(index.column())];
        switch (role) {
        case Qt::DisplayRole:
            return column.text(row, m_clock());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue<int>((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case KeyRole:
            return QVariant::fromValue<qulonglong>(row.key());
        case NumberRole:
            return column.number;
        default:
            return extra(row, index.column(), role);
        }
    }

    /// The row that stands there; valid until the next update.
    [[nodiscard]] const Row &rowAt(int row) const { return m_rows[static_cast<std::size_t>(slotAt(row))]; }
    /// The row of this identity, hidden ones too; null when there is none.
    [[nodiscard]] const Row *rowOf(RowKey key) const
    {
        const int slot = slotOfKey(key);
        return slot < 0 ? nullptr : &m_rows[static_cast<std::size_t>(slot)];
    }

    /// Shows only rows that `passes` accepts, whatever is typed beside it; exact where the filter looks at words.
    void narrow(std::function<bool(const Row &)> passes)
    {
        m_narrowing = std::move(passes);
        choiceMoved();
    }
    [[nodiscard]] bool isNarrowed() const override { return m_narrowing != nullptr; }
    void showAll() override { narrow(nullptr); }

    /// The present moment, by the desk's clock.
    [[nodiscard]] rules::Instant present() const { return m_clock(); }

    /// Takes changed and new rows, and the identities that are gone.
    void update(const std::vector<Row> &rows, const std::vector<RowKey> &gone)
    {
        std::vector<int> changed;
        std::vector<int> dirty;
        for (const Row &row : rows)
            take(row, changed, dirty);
        for (const RowKey key : gone) {
            if (const auto found = m_slotOf.constFind(key); found != m_slotOf.constEnd()) {
                m_isAlive[static_cast<std::size_t>(*found)] = 0;
                dirty.push_back(*found);
                m_slotOf.erase(found);
            }
        }
        settle(changed, dirty, static_cast<int>(m_slotOf.size()));
    }

    /// Drops every row that `keep` does not name.
    void keepOnly(const QSet<RowKey> &keep)
    {
        std::vector<RowKey> gone;
        for (auto it = m_slotOf.constBegin(); it != m_slotOf.constEnd(); ++it) {
            if (!keep.contains(it.key()))
                gone.push_back(it.key());
        }
        update({}, gone);
    }

    /// Ages have moved on.
    void tick()
    {
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            if (m_columns[i].ages)
                touchColumn(static_cast<int>(i));
        }
    }

protected:
    /// Roles beside text: emphasis, mark, order, tooltip.
    [[nodiscard]] virtual QVariant extra(const Row &row, int column, int role) const = 0;
    /// The order while no column is chosen; ties are broken by identity.
    [[nodiscard]] virtual std::weak_ordering natural(const Row &a, const Row &b) const = 0;
    /// A row that only a filter which names it lets pass.
    [[nodiscard]] virtual bool isNoise(const Row &) const { return false; }
    /// What the filter looks at.
    [[nodiscard]] virtual QString searched(const Row &row) const = 0;

    [[nodiscard]] bool before(int slotA, int slotB) const override
    {
        const Row &a = m_rows[static_cast<std::size_t>(slotA)];
        const Row &b = m_rows[static_cast<std::size_t>(slotB)];
        std::weak_ordering order = std::weak_ordering::equivalent;
        if (sortColumn() >= 0 && sortColumn() < columnCount()) {
            order = m_columns[static_cast<std::size_t>(sortColumn())].compare(a, b);
            if (sortOrder() == Qt::DescendingOrder)
                order = 0 <=> order;
        }
        if (order == 0)
            order = natural(a, b);
        return order == 0 ? a.key() < b.key() : order < 0;
    }
    [[nodiscard]] bool accepts(int slot) const override { return passes(m_rows[static_cast<std::size_t>(slot)]); }
    [[nodiscard]] bool isAlive(int slot) const override
    {
        return static_cast<std::size_t>(slot) < m_isAlive.size() && m_isAlive[static_cast<std::size_t>(slot)] != 0;
    }
    [[nodiscard]] int slotOfKey(qulonglong key) const override { return m_slotOf.value(key, -1); }
    [[nodiscard]] qulonglong keyOfSlot(int slot) const override { return m_rows[static_cast<std::size_t>(slot)].key(); }
    void released(int slot) override { m_free.push_back(slot); }

private:
    void take(const Row &row, std::vector<int> &changed, std::vector<int> &dirty)
    {
        const auto found = m_slotOf.constFind(row.key());
        if (found == m_slotOf.constEnd()) {
            dirty.push_back(add(row));
            return;
        }
        Row &present = m_rows[static_cast<std::size_t>(*found)];
        if (present == row)
            return;
        const bool moves = hasOtherPlace(present, row);
        present = row;
        changed.push_back(*found);
        if (moves)
            dirty.push_back(*found);
    }

    [[nodiscard]] bool passes(const Row &row) const
    {
        return (!m_narrowing || m_narrowing(row))
            && (filter().isEmpty() ? !isNoise(row) : filter().accepts(searched(row)));
    }

    [[nodiscard]] bool hasOtherPlace(const Row &was, const Row &is) const
    {
        if (passes(was) != passes(is))
            return true;
        const bool byColumn = sortColumn() >= 0 && sortColumn() < columnCount();
        return (byColumn && m_columns[static_cast<std::size_t>(sortColumn())].compare(was, is) != 0)
            || natural(was, is) != 0;
    }

    [[nodiscard]] int add(const Row &row)
    {
        int slot = static_cast<int>(m_rows.size());
        if (m_free.empty()) {
            m_rows.push_back(row);
            m_isAlive.push_back(1);
        } else {
            slot = m_free.back();
            m_free.pop_back();
            m_rows[static_cast<std::size_t>(slot)] = row;
            m_isAlive[static_cast<std::size_t>(slot)] = 1;
        }
        m_slotOf.insert(row.key(), slot);
        return slot;
    }

    std::vector<Column<Row>> m_columns;
    WallClock m_clock;
    std::function<bool(const Row &)> m_narrowing; ///< none: all
    std::vector<Row> m_rows; ///< by slot
    std::vector<char> m_isAlive;
    std::vector<int> m_free;
    QHash<RowKey, int> m_slotOf;
};

} // namespace handreset::live

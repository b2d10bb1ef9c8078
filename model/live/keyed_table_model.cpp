#include "model/live/keyed_table_model.h"

#include <algorithm>

namespace handreset::live {

namespace {

/// More ranges than this are told as one: a view repaints its viewport once either way.
constexpr std::size_t kMostRanges = 64;

} // namespace

int KeyedTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

void KeyedTableModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    settleAll();
}

void KeyedTableModel::setFilter(TextFilter filter)
{
    m_filter = std::move(filter);
    choiceMoved();
}

void KeyedTableModel::choiceMoved()
{
    settleAll();
    Q_EMIT shownChanged(rowCount(), m_alive);
}

void KeyedTableModel::setFrozen(bool frozen)
{
    if (m_frozen == frozen)
        return;
    m_frozen = frozen;
    if (!frozen && !m_held.empty()) {
        settleDirty(std::exchange(m_held, {}));
        Q_EMIT heldChangesChanged(0);
        Q_EMIT shownChanged(rowCount(), m_alive);
    }
}

int KeyedTableModel::passingRows() const
{
    int passing = rowCount();
    for (const int slot : m_held) {
        const bool stands
            = static_cast<std::size_t>(slot) < m_place.size() && m_place[static_cast<std::size_t>(slot)] >= 0;
        const bool passes = isAlive(slot) && accepts(slot);
        passing += (passes ? 1 : 0) - (stands ? 1 : 0);
    }
    return passing;
}

void KeyedTableModel::settleHeld(qulonglong key)
{
    // A row that is gone has no slot of its key any more.
    const auto found = std::ranges::find_if(m_held, [&](int slot) { return keyOfSlot(slot) == key; });
    if (found == m_held.end())
        return;
    const int slot = *found;
    m_held.erase(found);
    settleDirty({slot});
    Q_EMIT heldChangesChanged(heldChanges());
    Q_EMIT shownChanged(rowCount(), m_alive);
}

QModelIndex KeyedTableModel::indexOf(qulonglong key, int column) const
{
    const int slot = slotOfKey(key);
    if (slot < 0 || static_cast<std::size_t>(slot) >= m_place.size())
        return {};
    int row = m_place[static_cast<std::size_t>(slot)];
    // Asked while rows come or go, those behind them have moved already, but do not know their places yet.
    if (row >= 0 && (row >= rowCount() || slotAt(row) != slot))
        row = static_cast<int>(std::find(m_order.begin(), m_order.end(), slot) - m_order.begin());
    return row < 0 || row >= rowCount() ? QModelIndex() : index(row, column);
}

qulonglong KeyedTableModel::keyAt(int row) const
{
    return row >= 0 && row < rowCount() ? keyOfSlot(slotAt(row)) : 0;
}

void KeyedTableModel::settle(const std::vector<int> &changed, const std::vector<int> &dirty, int alive)
{
    const bool countMoved = m_alive != alive;
    m_alive = alive;
    if (!dirty.empty() && m_frozen) {
        m_held.insert(m_held.end(), dirty.begin(), dirty.end());
        std::sort(m_held.begin(), m_held.end());
        m_held.erase(std::unique(m_held.begin(), m_held.end()), m_held.end());
        Q_EMIT heldChangesChanged(heldChanges());
    } else if (!dirty.empty()) {
        settleDirty(dirty);
    }
    tellChanged(changed);
    if (countMoved || !dirty.empty())
        Q_EMIT shownChanged(rowCount(), m_alive);
}

void KeyedTableModel::settleDirty(std::vector<int> dirty)
{
    std::sort(dirty.begin(), dirty.end());
    dirty.erase(std::unique(dirty.begin(), dirty.end()), dirty.end());
    // Rows that the filter hides have a place too (-1): every slot is known here.
    if (!dirty.empty() && static_cast<std::size_t>(dirty.back()) >= m_place.size())
        m_place.resize(static_cast<std::size_t>(dirty.back()) + 1, -1);
    std::vector<char> isDirty(m_place.size(), 0);
    std::vector<int> placed;
    std::vector<int> gone;
    for (const int slot : dirty) {
        isDirty[static_cast<std::size_t>(slot)] = 1;
        if (!isAlive(slot))
            gone.push_back(slot);
        else if (accepts(slot))
            placed.push_back(slot);
    }
    const auto less = [this](int a, int b) { return before(a, b); };
    std::sort(placed.begin(), placed.end(), less);
    std::vector<int> kept;
    kept.reserve(m_order.size());
    for (const int slot : m_order) {
        if (isDirty[static_cast<std::size_t>(slot)] == 0)
            kept.push_back(slot);
    }
    std::vector<int> order;
    order.reserve(kept.size() + placed.size());
    std::merge(kept.begin(), kept.end(), placed.begin(), placed.end(), std::back_inserter(order), less);
    become(std::move(order));
    for (const int slot : gone)
        released(slot);
}

void KeyedTableModel::settleAll()
{
    // The person asked for another order: what was held comes with it.
    std::vector<int> dirty = std::exchange(m_held, {});
    const bool hadHeld = !dirty.empty();
    dirty.insert(dirty.end(), m_order.begin(), m_order.end());
    for (int slot = 0; slot < static_cast<int>(m_place.size()); ++slot) {
        if (isAlive(slot))
            dirty.push_back(slot);
    }
    settleDirty(std::move(dirty));
    if (hadHeld)
        Q_EMIT heldChangesChanged(0);
}

void KeyedTableModel::become(std::vector<int> order)
{
    if (order == m_order)
        return;
    std::vector<char> wanted(m_place.size(), 0);
    for (const int slot : order)
        wanted[static_cast<std::size_t>(slot)] = 1;
    removeMissing(wanted);
    std::vector<int> kept;
    kept.reserve(m_order.size());
    for (const int slot : order) {
        if (m_place[static_cast<std::size_t>(slot)] >= 0)
            kept.push_back(slot);
    }
    moveTo(kept);
    insertNew(order);
}

void KeyedTableModel::removeMissing(const std::vector<char> &wanted)
{
    const auto missing = [&](int row) { return wanted[static_cast<std::size_t>(slotAt(row))] == 0; };
    bool removed = false;
    for (int last = rowCount() - 1; last >= 0; --last) {
        if (!missing(last))
            continue;
        int first = last;
        while (first > 0 && missing(first - 1))
            --first;
        beginRemoveRows({}, first, last);
        for (int row = first; row <= last; ++row)
            m_place[static_cast<std::size_t>(slotAt(row))] = -1;
        m_order.erase(m_order.begin() + first, m_order.begin() + last + 1);
        endRemoveRows();
        removed = true;
        last = first;
    }
    if (removed)
        rememberPlaces();
}

void KeyedTableModel::moveTo(const std::vector<int> &kept)
{
    if (kept == m_order)
        return;
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList from = persistentIndexList();
    std::vector<int> slotsOf;
    slotsOf.reserve(static_cast<std::size_t>(from.size()));
    for (const QModelIndex &old : from)
        slotsOf.push_back(slotAt(old.row()));
    m_order = kept;
    rememberPlaces();
    QModelIndexList to;
    to.reserve(from.size());
    for (qsizetype i = 0; i < from.size(); ++i) {
        const int slot = slotsOf[static_cast<std::size_t>(i)];
        to.append(index(m_place[static_cast<std::size_t>(slot)], from.at(i).column()));
    }
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void KeyedTableModel::insertNew(const std::vector<int> &order)
{
    // Before row `first` everything already stands as in `order`, so each run goes in at its final place.
    bool inserted = false;
    for (std::size_t first = 0; first < order.size(); ++first) {
        if (m_place[static_cast<std::size_t>(order[first])] >= 0)
            continue;
        std::size_t last = first;
        while (last + 1 < order.size() && m_place[static_cast<std::size_t>(order[last + 1])] < 0)
            ++last;
        beginInsertRows({}, static_cast<int>(first), static_cast<int>(last));
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(last) + 1;
        m_order.insert(m_order.begin() + static_cast<std::ptrdiff_t>(first), begin, end);
        for (std::size_t row = first; row <= last; ++row)
            m_place[static_cast<std::size_t>(order[row])] = static_cast<int>(row);
        endInsertRows();
        inserted = true;
        first = last;
    }
    if (inserted)
        rememberPlaces();
}

void KeyedTableModel::rememberPlaces()
{
    for (std::size_t row = 0; row < m_order.size(); ++row)
        m_place[static_cast<std::size_t>(m_order[row])] = static_cast<int>(row);
}

void KeyedTableModel::tellChanged(const std::vector<int> &changedSlots)
{
    std::vector<int> rows;
    for (const int slot : changedSlots) {
        const int row = static_cast<std::size_t>(slot) < m_place.size() ? m_place[static_cast<std::size_t>(slot)] : -1;
        if (row >= 0)
            rows.push_back(row);
    }
    if (rows.empty())
        return;
    std::sort(rows.begin(), rows.end());
    std::vector<std::pair<int, int>> ranges;
    for (const int row : rows) {
        if (!ranges.empty() && row <= ranges.back().second + 1)
            ranges.back().second = row;
        else
            ranges.emplace_back(row, row);
    }
    if (ranges.size() > kMostRanges)
        ranges = {{rows.front(), rows.back()}};
    for (const auto &[first, last] : ranges)
        Q_EMIT dataChanged(index(first, 0), index(last, columnCount() - 1));
}

void KeyedTableModel::touchColumn(int column)
{
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, column), index(rowCount() - 1, column), {Qt::DisplayRole});
}

} // namespace handreset::live

#include "views/flow_grid_layout.h"

#include <algorithm>
#include <iterator>

#include <QWidget>

namespace handreset::views {

FlowGridLayout::FlowGridLayout(int leastTileWidth, int gap, QWidget *parent)
    : QLayout(parent)
    , m_leastTileWidth(std::max(leastTileWidth, 1))
    , m_gap(std::max(gap, 0))
{
    setContentsMargins(0, 0, 0, 0);
}

FlowGridLayout::~FlowGridLayout()
{
    qDeleteAll(m_items);
}

void FlowGridLayout::addItem(QLayoutItem *item)
{
    m_items.push_back(item);
}

int FlowGridLayout::count() const
{
    return static_cast<int>(m_items.size());
}

QLayoutItem *FlowGridLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem *FlowGridLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem *item = m_items[static_cast<std::size_t>(index)];
    m_items.erase(m_items.begin() + index);
    return item;
}

void FlowGridLayout::insertWidget(int index, QWidget *widget)
{
    addWidget(widget); // lets QLayout adopt it, at the end
    if (index < 0 || index >= count() - 1)
        return;
    QLayoutItem *item = m_items.back();
    m_items.pop_back();
    m_items.insert(m_items.begin() + index, item);
    invalidate();
}

int FlowGridLayout::columnsFor(int width) const
{
    return std::max(1, (width + m_gap) / (m_leastTileWidth + m_gap));
}

std::vector<QLayoutItem *> FlowGridLayout::shownItems() const
{
    std::vector<QLayoutItem *> shown;
    std::copy_if(m_items.begin(), m_items.end(), std::back_inserter(shown),
                 [](const QLayoutItem *item) { return !item->isEmpty(); });
    return shown;
}

/// Lays out, or only measures; returns the height used.
int FlowGridLayout::arrange(const QRect &rect, bool apply) const
{
    const QMargins margins = contentsMargins();
    const QRect area = rect.marginsRemoved(margins);
    const std::vector<QLayoutItem *> items = shownItems();
    const int columns = columnsFor(area.width());
    int y = area.y();
    for (std::size_t first = 0; first < items.size(); first += static_cast<std::size_t>(columns)) {
        const std::size_t end = std::min(items.size(), first + static_cast<std::size_t>(columns));
        // Edges are shared out by rounding the column's borders, so that no pixel is left over at the right.
        const auto left = [&](std::size_t column) {
            return area.x() + static_cast<int>(column) * (area.width() + m_gap) / columns;
        };
        const auto widthOf = [&](std::size_t column) { return left(column + 1) - m_gap - left(column); };
        int height = 0;
        for (std::size_t i = first; i < end; ++i) {
            const int width = widthOf(i - first);
            height = std::max(height, items[i]->hasHeightForWidth() ? items[i]->heightForWidth(width)
                                                                    : items[i]->sizeHint().height());
        }
        for (std::size_t i = first; apply && i < end; ++i)
            items[i]->setGeometry({left(i - first), y, widthOf(i - first), height});
        y += height + m_gap;
    }
    const int used = items.empty() ? 0 : y - m_gap - area.y();
    return used + margins.top() + margins.bottom();
}

int FlowGridLayout::heightForWidth(int width) const
{
    return arrange(QRect(0, 0, width, 0), false);
}

QSize FlowGridLayout::sizeHint() const
{
    const int width = 3 * m_leastTileWidth + 2 * m_gap;
    return {width, heightForWidth(width)};
}

QSize FlowGridLayout::minimumSize() const
{
    int height = 0;
    for (const QLayoutItem *item : m_items)
        height = std::max(height, item->minimumSize().height());
    const QMargins margins = contentsMargins();
    return {m_leastTileWidth + margins.left() + margins.right(), height + margins.top() + margins.bottom()};
}

void FlowGridLayout::setGeometry(const QRect &rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

} // namespace handreset::views

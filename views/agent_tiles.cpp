#include "views/agent_tiles.h"

#include "views/agent_words.h"
#include "views/desk_table.h"
#include "views/live_tones.h"
#include "views/plain_text.h"
#include "views/typography.h"

#include <QPainter>
#include <QPaintEvent>

#include <algorithm>
#include <cmath>

namespace handreset::views {

namespace {

constexpr int kDenseAbove = 60;    ///< agents; more than these get smaller tiles
constexpr int kBigWidth = 260;
constexpr double kBigHeight = 132;
constexpr double kBigGap = 12;

void drawLine(QPainter &painter, const QRectF &box, const QFont &font, const QColor &ink, const QString &text,
              Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter)
{
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(box, static_cast<int>(alignment | Qt::TextSingleLine),
                     elidedMiddle(visibleText(text), QFontMetricsF(font), box.width()));
}

} // namespace

AgentTiles::AgentTiles(live::AgentModel &model, QWidget *parent) : PaintedItems(parent), m_model(model)
{
    setObjectName(QStringLiteral("agentTiles"));
    setAccessibleName(tr("agents"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&model, &QAbstractItemModel::rowsInserted, this, &AgentTiles::rowsMoved);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, &AgentTiles::rowsMoved);
    connect(&model, &QAbstractItemModel::layoutChanged, this, &AgentTiles::rowsMoved);
    connect(&model, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &first, const QModelIndex &last) {
        const int was = m_abnormal;
        countAbnormal();
        if (was != m_abnormal) {
            rowsMoved();
            return;
        }
        QRectF touched;
        for (int row = first.row(); row <= last.row() && row <= first.row() + 500; ++row)
            touched |= itemRect(row);
        if (last.row() > first.row() + 500)
            update();
        else
            update(touched.toAlignedRect());
    });
    connect(this, &PaintedItems::itemFocused, this, [this](int item) {
        m_current = m_model.rowAt(item).id;
        Q_EMIT currentMoved();
    });
    countAbnormal();
}

void AgentTiles::setStale(bool stale, qint64 ageMs)
{
    if (stale == m_stale && (!stale || ageMs / 1'000 == m_ageMs / 1'000))
        return;
    m_stale = stale;
    m_ageMs = ageMs;
    update();
}

rules::AgentId AgentTiles::current() const
{
    return focusedItem() >= 0 ? m_model.rowAt(focusedItem()).id : rules::AgentId{};
}

void AgentTiles::setCurrent(rules::AgentId agent)
{
    m_current = agent;
    setFocusedItem(m_model.indexOf(agent.value).row());
}

void AgentTiles::countAbnormal()
{
    const auto isAbnormal = [this](int row) {
        const live::AgentRow &agent = m_model.rowAt(row);
        return agent.worst() != rules::Rung::Closed || !agent.trips.empty();
    };
    int count = 0;
    while (count < m_model.rowCount() && isAbnormal(count))
        ++count;
    m_abnormal = count;
}

void AgentTiles::rowsMoved()
{
    countAbnormal();
    // The ring follows the agent, not the place; without a tile of its own the agent has none.
    itemsChanged(m_model.indexOf(m_current.value).row());
    updateGeometry();
    Q_EMIT heightMoved();
}

bool AgentTiles::isDense() const
{
    return m_model.rowCount() > kDenseAbove;
}

AgentTiles::Grid AgentTiles::bigGrid(int width) const
{
    const int columns = std::max(1, static_cast<int>((width + kBigGap) / (kBigWidth + kBigGap)));
    return {columns, (width - kBigGap * (columns - 1)) / columns, kBigHeight, kBigGap};
}

AgentTiles::Grid AgentTiles::smallGrid(int width) const
{
    if (!isDense()) {
        Grid grid = bigGrid(width);
        grid.height = 42;
        grid.gap = 10;
        grid.width = (width - grid.gap * (grid.columns - 1)) / grid.columns;
        return grid;
    }
    const double gap = 4;
    const int columns = std::max(1, static_cast<int>((width + gap) / (190 + gap)));
    return {columns, (width - gap * (columns - 1)) / columns, 28, gap};
}

int AgentTiles::wholeHeight(int width) const
{
    const auto heightOf = [](int count, const Grid &grid) {
        const int rows = (count + grid.columns - 1) / grid.columns;
        return rows * (grid.height + grid.gap);
    };
    if (m_model.rowCount() == 0 && !nothingMatches(m_model).isEmpty())
        return minimumSizeHint().height();
    const int normal = m_model.rowCount() - m_abnormal;
    return static_cast<int>(
        std::ceil(heightOf(m_abnormal, bigGrid(width)) + heightOf(normal, smallGrid(width)) + 2));
}

int AgentTiles::itemCount() const
{
    return m_model.rowCount();
}

QRectF AgentTiles::itemRect(int item) const
{
    const Grid big = bigGrid(width());
    if (item < m_abnormal) {
        const int row = item / big.columns;
        const int column = item % big.columns;
        return {column * (big.width + big.gap), row * (big.height + big.gap) + 1, big.width, big.height};
    }
    const Grid small = smallGrid(width());
    const int bigRows = (m_abnormal + big.columns - 1) / big.columns;
    const int place = item - m_abnormal;
    return {(place % small.columns) * (small.width + small.gap),
            bigRows * (big.height + big.gap) + (place / small.columns) * (small.height + small.gap) + 1, small.width,
            small.height};
}

int AgentTiles::itemAt(const QPointF &point) const
{
    const Grid big = bigGrid(width());
    const Grid small = smallGrid(width());
    const int bigRows = (m_abnormal + big.columns - 1) / big.columns;
    const double split = bigRows * (big.height + big.gap);
    const Grid &grid = point.y() < split ? big : small;
    const int first = point.y() < split ? 0 : m_abnormal;
    const double y = point.y() < split ? point.y() : point.y() - split;
    const int item = first + static_cast<int>(y / (grid.height + grid.gap)) * grid.columns
        + std::min(grid.columns - 1, static_cast<int>(point.x() / (grid.width + grid.gap)));
    return item >= 0 && item < itemCount() && itemRect(item).contains(point) ? item : -1;
}

QString AgentTiles::itemName(int item) const
{
    const live::AgentRow &row = m_model.rowAt(item);
    QString name = row.name + QStringLiteral(", ") + agentState(row);
    for (const live::TripMark &trip : row.trips)
        name += QStringLiteral(", ") + trip.title + QLatin1Char(' ') + trip.measured;
    return m_stale ? name + tr(", stale") : name;
}

QStringList AgentTiles::itemDetails(int item) const
{
    const live::AgentRow &row = m_model.rowAt(item);
    QStringList lines{row.name, agentState(row)};
    for (const live::TripMark &trip : row.trips)
        lines.append(tr("%1 %2: %3").arg(trip.order).arg(trip.title, trip.measured));
    if (!row.reading.isEmpty())
        lines.append(row.reading);
    lines.append(tr("%1 steps, %2 calls, %3 refused").arg(row.steps).arg(row.calls).arg(row.refused));
    return lines;
}

QSize AgentTiles::sizeHint() const
{
    return {800, wholeHeight(std::max(width(), 240))};
}

void AgentTiles::itemActivated(int item)
{
    Q_EMIT agentActivated(m_model.rowAt(item).id);
}

void AgentTiles::resizeEvent(QResizeEvent *event)
{
    PaintedItems::resizeEvent(event);
    Q_EMIT heightMoved();
}

void AgentTiles::enterEvent(QEnterEvent *event)
{
    m_model.setFrozen(true);
    PaintedItems::enterEvent(event);
}

void AgentTiles::leaveEvent(QEvent *event)
{
    m_model.setFrozen(false);
    PaintedItems::leaveEvent(event);
}

bool AgentTiles::focusNextPrevChild(bool next)
{
    return QWidget::focusNextPrevChild(next);
}

void AgentTiles::paintEvent(QPaintEvent *event)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF exposed = event->rect();
    if (itemCount() == 0)
        drawLine(painter, QRectF(rect()).adjusted(2, 0, -2, 0), textFont(TextSize::Text), coloursOf(*this).secondary,
                 nothingMatches(m_model));
    for (int item = 0; item < m_abnormal; ++item) {
        if (itemRect(item).intersects(exposed))
            paintBig(painter, item);
    }
    // The small ones are found by arithmetic: there may be ten thousand.
    const Grid small = smallGrid(width());
    if (m_abnormal < itemCount()) {
        const double top = itemRect(m_abnormal).top();
        const int firstRow = std::max(0, static_cast<int>((exposed.top() - top) / (small.height + small.gap)));
        const int first = m_abnormal + firstRow * small.columns;
        for (int item = first; item < itemCount() && itemRect(item).top() <= exposed.bottom(); ++item)
            paintSmall(painter, item);
    }
    // The keys act on it wherever the keyboard is: it is always marked.
    if (focusedItem() >= 0)
        paintFocusRing(painter, itemRect(focusedItem()).adjusted(1, 1, -1, -1), kRadius, !hasFocus());
}

void AgentTiles::paintBig(QPainter &painter, int item) const
{
    const Colours &colours = coloursOf(*this);
    const live::AgentRow &row = m_model.rowAt(item);
    const QRectF tile = itemRect(item);
    const Tone tone = m_stale ? Tone::Normal : toneOfRung(row.worst());
    const QColor ink = tone == Tone::Normal ? colours.secondary : toneColour(colours, tone);
    painter.setPen(QPen(tone == Tone::Normal ? colours.line : ink, tone == Tone::Normal ? 1 : 1.6));
    painter.setBrush(colours.card);
    painter.drawRoundedRect(tile.adjusted(0.8, 0.8, -0.8, -0.8), kRadius, kRadius);
    if (m_stale)
        paintStaleHatch(painter, tile, kRadius, colours);

    const QRectF inner = tile.adjusted(kGap - 2, 12, -(kGap - 2), -10);
    paintMark(painter, {inner.left(), inner.top() + 1, 16, 16}, markOf(row.rung), colours);
    const QString word = m_stale ? staleWords(m_ageMs) : agentState(row) + QStringLiteral(" · ") + agentSince(row, m_model.present());
    const QFont wordFont = textFont(TextSize::Secondary, QFont::DemiBold);
    const double wordWidth = std::min(inner.width() * 0.62, QFontMetricsF(wordFont).horizontalAdvance(word) + 1);
    drawLine(painter, {inner.left() + 26, inner.top() - 2, inner.width() - wordWidth - 36, 22},
             textFont(TextSize::Text, QFont::DemiBold), colours.text, row.name);
    drawLine(painter, {inner.right() - wordWidth, inner.top() - 2, wordWidth, 22}, wordFont, ink, word,
             Qt::AlignRight | Qt::AlignVCenter);
    paintTrips(painter, inner.adjusted(0, 26, 0, -18), row);
    drawLine(painter, {inner.left(), inner.bottom() - 16, inner.width(), 16}, textFont(TextSize::Caption),
             colours.secondary, agentFooter(row));
}

void AgentTiles::paintTrips(QPainter &painter, const QRectF &box, const live::AgentRow &row) const
{
    const Colours &colours = coloursOf(*this);
    if (row.trips.empty())
        return;
    // The trip that makes the rung what it is comes first; the others are named below it.
    const auto worst = std::max_element(row.trips.begin(), row.trips.end(),
                                        [](const auto &a, const auto &b) { return a.rung < b.rung; });
    paintOrder(painter, {box.left(), box.top() + 1, 16, 16}, worst->order, colours.text);
    drawLine(painter, {box.left() + 22, box.top(), box.width() - 22, 18}, textFont(TextSize::Secondary, QFont::DemiBold),
             colours.text, worst->title);
    drawLine(painter, {box.left() + 22, box.top() + 18, box.width() - 22, 18}, textFont(TextSize::Secondary), colours.text,
             worst->measured);
    double x = box.left();
    const QFont font = textFont(TextSize::Secondary);
    for (const live::TripMark &trip : row.trips) {
        if (trip.id == worst->id)
            continue;
        const QString title = visibleText(trip.title);
        const double needed = 22 + QFontMetricsF(font).horizontalAdvance(title) + 10;
        if (x + needed > box.right())
            break;
        paintOrder(painter, {x, box.top() + 39, 16, 16}, trip.order, colours.secondary);
        drawLine(painter, {x + 22, box.top() + 38, needed - 22, 18}, font, colours.secondary, title);
        x += needed;
    }
}

void AgentTiles::paintSmall(QPainter &painter, int item) const
{
    const Colours &colours = coloursOf(*this);
    const live::AgentRow &row = m_model.rowAt(item);
    const QRectF tile = itemRect(item);
    const bool dense = isDense();
    const double radius = dense ? 4 : kSmallRadius;
    // While the order is held still, what turned abnormal waits in its small tile, but is seen.
    const Tone tone = m_stale ? Tone::Normal : toneOfRung(row.worst());
    painter.setPen(QPen(tone == Tone::Normal ? colours.line : toneColour(colours, tone), 1));
    painter.setBrush(colours.card);
    painter.drawRoundedRect(tile.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    if (m_stale)
        paintStaleHatch(painter, tile, radius, colours);
    const double side = dense ? 10 : 14;
    const QRectF inner = tile.adjusted(dense ? 8 : 12, 0, dense ? -8 : -12, 0);
    paintMark(painter, {inner.left(), inner.center().y() - side / 2, side, side}, markOf(row.rung), colours);
    const QString reading = agentReading(row, m_model.present());
    const QFont small = textFont(dense ? TextSize::Caption : TextSize::Secondary);
    const double readingWidth = std::min(inner.width() * 0.5, QFontMetricsF(small).horizontalAdvance(reading) + 1);
    const double left = inner.left() + side + (dense ? 6 : 10);
    drawLine(painter, {left, inner.top(), inner.right() - readingWidth - 8 - left, inner.height()},
             textFont(dense ? TextSize::Secondary : TextSize::Text), colours.text, row.name);
    drawLine(painter, {inner.right() - readingWidth, inner.top(), readingWidth, inner.height()}, small,
             colours.secondary, reading, Qt::AlignRight | Qt::AlignVCenter);
}

} // namespace handreset::views

#include "views/row_delegate.h"

#include "views/live_tones.h"
#include "views/plain_text.h"
#include "views/spark_bars.h"
#include "views/typography.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QTableView>
#include <QToolTip>

namespace handreset::views {

namespace {

using Model = live::KeyedTableModel;

constexpr double kRowGap = 6; ///< between two rows' cards
constexpr int kMarkSide = 14;
constexpr int kPadding = 12;

[[nodiscard]] live::Emphasis emphasisOf(const QModelIndex &index)
{
    return static_cast<live::Emphasis>(index.data(Model::EmphasisRole).toInt());
}

[[nodiscard]] QFont fontOf(const QModelIndex &index)
{
    const auto weight = emphasisWeight(emphasisOf(index));
    return index.data(Model::NumberRole).toBool() ? numberFont(TextSize::Text, weight) : textFont(TextSize::Text, weight);
}

/// The card of the whole row; each cell paints the part that lies in it.
[[nodiscard]] QRectF rowCard(const QStyleOptionViewItem &option)
{
    const auto *table = qobject_cast<const QTableView *>(option.widget);
    const double width = table ? table->viewport()->width() : option.rect.width();
    return {0.5, option.rect.top() + 0.5, width - 1, option.rect.height() - kRowGap - 1};
}

void paintCard(QPainter &painter, const QStyleOptionViewItem &option, bool stale, const Colours &colours)
{
    const QRectF card = rowCard(option);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter.setPen(QPen(selected ? colours.probing : colours.line, 1));
    painter.setBrush(selected ? colours.raised : colours.card);
    painter.drawRoundedRect(card, kSmallRadius, kSmallRadius);
    if (stale)
        paintStaleHatch(painter, card, kSmallRadius, colours);
}

void paintText(QPainter &painter, const QRectF &box, const QModelIndex &index, const Colours &colours)
{
    const QFont font = fontOf(index);
    const QString text = elidedMiddle(visibleText(index.data().toString()), QFontMetricsF(font), box.width());
    const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
    painter.setFont(font);
    painter.setPen(emphasisColour(colours, emphasisOf(index)));
    painter.drawText(box, static_cast<int>(alignment | Qt::TextSingleLine), text);
}

} // namespace

void RowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const Colours &colours = coloursOf(option.palette);
    painter->save();
    painter->setClipRect(option.rect);
    painter->setRenderHint(QPainter::Antialiasing);
    paintCard(*painter, option, m_stale, colours);
    QRectF box = QRectF(option.rect).adjusted(index.column() == 0 ? kPadding : kPadding / 2.0, 0, -kPadding / 2.0, -kRowGap);
    if (const QVariant mark = index.data(Model::MarkRole); mark.isValid()) {
        const QRectF place(box.left(), box.center().y() - kMarkSide / 2.0, kMarkSide, kMarkSide);
        paintMark(*painter, place, markOfHint(mark.toInt()), colours);
        box.setLeft(place.right() + 10);
    }
    if (const QVariant order = index.data(Model::OrderRole); order.isValid()) {
        const QRectF place(box.left(), box.center().y() - 9, 18, 18);
        const bool strong = emphasisOf(index) != live::Emphasis::Quiet;
        paintOrder(*painter, place, order.toInt(), strong ? colours.text : colours.secondary);
        box.setLeft(place.right() + 6);
    }
    if (const QVariant traffic = index.data(Model::TrafficRole); traffic.isValid()) {
        std::vector<SparkBar> bars;
        for (const int calls : traffic.value<QList<int>>())
            bars.push_back({static_cast<double>(calls), 0});
        paintSpark(*painter, box.adjusted(0, 9, 0, -9), bars, colours);
    } else {
        paintText(*painter, box, index, colours);
    }
    painter->restore();
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    const QFontMetricsF metrics(fontOf(index));
    const int mark = index.data(Model::MarkRole).isValid() ? kMarkSide + 10 : 0;
    return {static_cast<int>(metrics.horizontalAdvance(visibleText(index.data().toString()))) + mark + kPadding * 2,
            40 + static_cast<int>(kRowGap)};
}

bool RowDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                            const QModelIndex &index)
{
    if (event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QString tip = index.data(Qt::ToolTipRole).toString();
    if (tip.isEmpty())
        tip = index.data().toString();
    QToolTip::showText(event->globalPos(), plainTooltip(tip), view->viewport(), option.rect);
    return true;
}

} // namespace handreset::views

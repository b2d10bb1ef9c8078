#include "views/desk_table.h"

#include "views/palette.h"
#include "views/plain_text.h"
#include "views/plural.h"
#include "views/row_delegate.h"
#include "views/typography.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace handreset::views {

namespace {

constexpr int kRowHeight = 46;
constexpr int kLeastShare = 130; ///< a column that shares the rest is never narrower than this while others may go
constexpr int kGoodShare = 260;  ///< below this the wide columns of given width give way
constexpr int kAmpleShare = 480; ///< above this they get their part
constexpr int kWideColumn = 100; ///< narrower ones hold numbers and marks, and keep their width

/// By what the wide columns, `wide` pixels together, are multiplied, where `sharers` others share `rest`.
[[nodiscard]] double stretchOf(int wide, int rest, int sharers)
{
    if (wide == 0 || sharers == 0)
        return 1;
    const int lacking = sharers * kGoodShare - rest;
    const int ample = rest - sharers * kAmpleShare;
    if (lacking > 0)
        return std::max(0.7, 1 - static_cast<double>(lacking) / wide);
    return ample > 0 ? std::min(1.7, 1 + ample * 0.6 / wide) : 1;
}

} // namespace

QString nothingMatches(const live::KeyedTableModel &model)
{
    if (model.allRows() == 0)
        return {};
    if (!model.filter().isEmpty())
        return DeskTable::tr("Nothing matches %1; Esc clears the filter.").arg(visibleText(model.filter().typed(), 80));
    return model.isNarrowed() ? DeskTable::tr("Nothing of what was asked for is there; Esc shows all.") : QString();
}

DeskTable::DeskTable(live::KeyedTableModel &model, QWidget *parent)
    : QTableView(parent), m_model(model), m_delegate(new RowDelegate(this)), m_heldChip(new QPushButton(this))
{
    setModel(&model);
    setItemDelegate(m_delegate);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setShowGrid(false);
    setFrameShape(NoFrame);
    setTabKeyNavigation(false);
    setMouseTracking(true);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    QPalette plain;
    plain.setColor(QPalette::Highlight, Qt::transparent); // the delegate marks the selected card itself
    setPalette(plain);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    horizontalHeader()->setSectionsClickable(true);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSortIndicatorShown(true);
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    horizontalHeader()->setMinimumSectionSize(24);
    m_heldChip->setObjectName(QStringLiteral("heldChip"));
    m_heldChip->setFocusPolicy(Qt::NoFocus);
    m_heldChip->setToolTip(
        plainTooltip(tr("So many changes are held: the order waits while the pointer is here, so that no "
                        "row moves away from under it. A click brings them.")));
    m_heldChip->hide();
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &DeskTable::sortByHeader);
    connect(&model, &live::KeyedTableModel::heldChangesChanged, this, &DeskTable::showHeld);
    connect(m_heldChip, &QPushButton::clicked, this, [this] {
        m_model.setFrozen(false); // once; the pointer holds it again from here
        holdWhilePointed();
    });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex &index) {
        Q_EMIT keyActivated(m_model.keyAt(index.row()));
    });
}

qulonglong DeskTable::currentKey() const
{
    return currentIndex().isValid() ? m_model.keyAt(currentIndex().row()) : 0;
}

void DeskTable::selectKey(qulonglong key)
{
    if (const QModelIndex index = m_model.indexOf(key); index.isValid()) {
        setCurrentIndex(index);
        scrollTo(index);
    }
}

void DeskTable::setWidths(std::vector<int> widths)
{
    m_widths = std::move(widths);
    layOut();
}

void DeskTable::setSpareColumns(std::vector<int> columns)
{
    m_spare = std::move(columns);
    layOut();
}

void DeskTable::setStale(bool stale)
{
    m_delegate->setStale(stale);
    viewport()->update();
}

int DeskTable::wholeHeight() const
{
    const bool told = m_model.rowCount() == 0 && !nothingMatches(m_model).isEmpty();
    return horizontalHeader()->sizeHint().height() + (told ? 1 : m_model.rowCount()) * kRowHeight + 2;
}

void DeskTable::setMenuOpen(bool open)
{
    m_menuOpen = open;
    holdWhilePointed();
}

bool DeskTable::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) {
        m_pointed = event->type() == QEvent::Enter;
        holdWhilePointed();
    }
    return QTableView::viewportEvent(event);
}

void DeskTable::holdWhilePointed()
{
    m_model.setFrozen(m_pointed || m_menuOpen);
}

void DeskTable::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return;
    }
    if (event->key() == Qt::Key_S
        && (event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::ShiftModifier)) {
        if (event->modifiers() == Qt::ShiftModifier)
            reverseSort();
        else
            sortByNextColumn();
        return;
    }
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && currentKey() != 0) {
        Q_EMIT keyActivated(currentKey());
        return;
    }
    // Letters are the page's keys, not a search.
    if (event->text().isEmpty() || !event->text().at(0).isPrint() || event->key() == Qt::Key_Space)
        QTableView::keyPressEvent(event);
    else
        event->ignore();
}

void DeskTable::rowsAboutToBeRemoved(const QModelIndex &parent, int start, int end)
{
    // Qt would select the neighbour, and the next key would act on what nobody has chosen.
    const int row = currentIndex().row();
    if (currentIndex().isValid() && row >= start && row <= end)
        selectionModel()->clear();
    QTableView::rowsAboutToBeRemoved(parent, start, end);
}

void DeskTable::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    // The keyboard's focus makes a row current without selecting it; here the two are one.
    if (current.isValid() && !selectionModel()->isSelected(current))
        selectionModel()->select(current, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    Q_EMIT currentKeyChanged(currentKey());
}

void DeskTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    layOut();
    showHeld(m_model.heldChanges());
}

void DeskTable::sortByHeader(int column)
{
    m_model.sort(column, horizontalHeader()->sortIndicatorOrder());
}

/// One column after the other that is shown, then the table's own order again.
void DeskTable::sortByNextColumn()
{
    int column = m_model.sortColumn() + 1;
    while (column < m_model.columnCount() && isColumnHidden(column))
        ++column;
    horizontalHeader()->setSortIndicator(column < m_model.columnCount() ? column : -1, Qt::AscendingOrder);
    scrollTo(currentIndex());
}

void DeskTable::reverseSort()
{
    const bool ascending = m_model.sortOrder() == Qt::AscendingOrder;
    if (m_model.sortColumn() >= 0)
        horizontalHeader()->setSortIndicator(m_model.sortColumn(),
                                             ascending ? Qt::DescendingOrder : Qt::AscendingOrder);
    scrollTo(currentIndex());
}

void DeskTable::showHeld(int held)
{
    m_heldChip->setVisible(held > 0);
    if (held <= 0)
        return;
    m_heldChip->setText(tr("%1 held").arg(held)); // short: it stands beside buttons in narrow windows
    m_heldChip->setAccessibleName(tr("%1 held").arg(counted(held, tr("change"), tr("changes"))));
    if (m_heldChip->parentWidget() != this) // a page has put it beside its words
        return;
    m_heldChip->adjustSize();
    m_heldChip->move(width() - m_heldChip->width() - 12, horizontalHeader()->height() + 4);
    m_heldChip->raise();
}

/// A filter that lets nothing pass is not an empty table.
void DeskTable::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    const QString words = m_model.rowCount() == 0 ? nothingMatches(m_model) : QString();
    if (words.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setFont(textFont(TextSize::Text));
    painter.setPen(coloursOf(*this).secondary);
    const QRect line(kGap, 0, viewport()->width() - 2 * kGap, kRowHeight);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     elidedMiddle(words, QFontMetricsF(painter.font()), line.width()));
}

void DeskTable::layOut()
{
    if (m_widths.empty())
        return;
    std::vector<bool> shown(m_widths.size(), true);
    const auto needed = [&] {
        int sum = 0;
        bool shares = false;
        for (std::size_t i = 0; i < m_widths.size(); ++i) {
            sum += !shown[i] ? 0 : m_widths[i] > 0 ? m_widths[i] : kLeastShare;
            shares = shares || (shown[i] && m_widths[i] == 0);
        }
        return shares ? sum : sum * 9 / 10; // without one that shares the rest, the wide ones take it, or lack it
    };
    const int room = viewport()->width();
    for (const int spare : m_spare) {
        if (needed() <= room)
            break;
        shown[static_cast<std::size_t>(spare)] = false;
    }
    int rest = room;
    int wide = 0;
    int sharers = 0;
    for (std::size_t i = 0; i < m_widths.size(); ++i) {
        rest -= shown[i] ? m_widths[i] : 0;
        wide += shown[i] && m_widths[i] >= kWideColumn ? m_widths[i] : 0;
        sharers += shown[i] && m_widths[i] == 0 ? 1 : 0;
    }
    const double stretch
        = sharers == 0 && wide > 0 ? static_cast<double>(wide + rest) / wide : stretchOf(wide, rest, sharers);
    const auto widthOf = [&](std::size_t i) {
        return m_widths[i] >= kWideColumn ? static_cast<int>(m_widths[i] * stretch) : m_widths[i];
    };
    rest = room;
    int last = 0;
    for (std::size_t i = 0; i < m_widths.size(); ++i) {
        rest -= shown[i] ? widthOf(i) : 0;
        last = shown[i] ? static_cast<int>(i) : last;
    }
    for (std::size_t i = 0; i < m_widths.size(); ++i) {
        const int column = static_cast<int>(i);
        setColumnHidden(column, !shown[i]);
        if (shown[i])
            setColumnWidth(column, m_widths[i] > 0 ? widthOf(i) : std::max(60, rest / std::max(1, sharers)));
    }
    if (sharers == 0 && wide > 0) // what rounding left: a row's card is as wide as the table
        setColumnWidth(last, columnWidth(last) + rest);
}

void DeskTable::copySelection() const
{
    if (!currentIndex().isValid())
        return;
    QStringList cells;
    for (int column = 0; column < m_model.columnCount(); ++column) {
        if (!isColumnHidden(column))
            cells.append(visibleText(m_model.index(currentIndex().row(), column).data().toString()));
    }
    QApplication::clipboard()->setText(cells.join(QLatin1Char('\t')));
}

} // namespace handreset::views

#include "views/pages/list_page.h"

#include "model/live/desk_session.h"
#include "views/desk_table.h"
#include "views/empty_state.h"
#include "views/page_header.h"
#include "views/plain_text.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace handreset::views {

namespace {

constexpr qsizetype kChipLetters = 48;

} // namespace

ListPage::ListPage(live::DeskSession &session, live::KeyedTableModel &model, const QString &title,
                   const QString &filterHint, EmptyState *empty, QWidget *parent)
    : Page(parent),
      m_session(session),
      m_model(model),
      m_middle(new QHBoxLayout),
      m_stack(new QStackedLayout),
      m_header(new PageHeader(title, filterHint, this)),
      m_table(new DeskTable(model, this)),
      m_empty(empty),
      m_chip(new QPushButton(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(m_header);
    m_middle->setSpacing(16);
    m_middle->addLayout(m_stack, 1);
    layout->addLayout(m_middle, 1);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    m_chip->setObjectName(QStringLiteral("narrowedChip"));
    m_chip->setFocusPolicy(Qt::NoFocus);
    m_chip->setToolTip(plainTooltip(tr("Esc or a click shows all")));
    m_chip->hide();
    m_header->besideTitle()->addWidget(m_chip);
    m_header->besideTitle()->addWidget(m_table->heldChip());
    connect(m_chip, &QPushButton::clicked, this, &ListPage::showAll);
    connect(&session, &live::DeskSession::updated, this, &ListPage::showUpdate);
    connect(&session, &live::DeskSession::freshnessChanged, this, &ListPage::showFreshness);
    connect(m_header, &PageHeader::filterChanged, this, [this](const live::TextFilter &filter) {
        m_model.setFilter(filter);
        showUpdate();
    });
    connect(m_header, &PageHeader::filterLeft, this, &ListPage::enter);
    connect(m_table, &DeskTable::currentKeyChanged, this, [this] { showSelection(); });
}

void ListPage::enter()
{
    if (m_table->currentKey() == 0 && m_model.rowCount() > 0)
        m_table->selectKey(m_model.keyAt(0));
    m_table->setFocus(Qt::OtherFocusReason);
    showUpdate();
}

void ListPage::focusFilter()
{
    m_header->focusFilter();
}

bool ListPage::leave()
{
    return m_header->leaveFilter() || showAll();
}

void ListPage::narrowed(const QString &what)
{
    m_chip->setText(visibleText(what, kChipLetters).replace(QLatin1Char('&'), QStringLiteral("&&"))
                    + QStringLiteral("  ✕"));
    m_chip->setAccessibleName(tr("only %1; show all").arg(what));
    m_chip->show();
    showUpdate();
}

bool ListPage::showAll()
{
    if (!m_model.isNarrowed())
        return false;
    m_model.showAll();
    m_chip->hide();
    enter();
    return true;
}

void ListPage::showFreshness()
{
    m_table->setStale(m_session.freshness().stale);
    showUpdate();
}

QString ListPage::shownWords() const
{
    // What is held counts as if it were not: the chip says that it waits.
    const int passing = m_model.passingRows();
    const bool filtered = !m_model.filter().isEmpty();
    if ((!filtered && !m_model.isNarrowed()) || passing == m_model.allRows())
        return {};
    return (filtered ? tr("%1 of %2 match the filter") : tr("%1 of %2 are shown")).arg(passing).arg(m_model.allRows());
}

void ListPage::showUpdate()
{
    m_stack->setCurrentIndex(m_model.allRows() == 0 ? 1 : 0);
    const auto trouble = dataTrouble(m_session.freshness());
    m_empty->setTrouble(trouble);
    // An empty inbox that fills while the keyboard waits on it: the first row is selected. Where rows were, one that
    // leaves takes the selection with it, so that no key acts on its neighbour.
    const bool fills = m_model.rowCount() > 0 && !m_hadRows;
    m_hadRows = m_model.rowCount() > 0;
    if (fills && isVisible() && m_table->currentKey() == 0 && m_table->hasFocus())
        m_table->selectKey(m_model.keyAt(0));
    const QString shown = shownWords();
    m_header->setWords(m_model.allRows() == 0 && trouble ? tr("no data") : shown.isEmpty() ? words() : shown);
    showSelection();
}

} // namespace handreset::views

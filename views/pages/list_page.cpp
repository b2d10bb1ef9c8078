#include "views/pages/list_page.h"

#include "model/live/desk_session.h"
#include "views/desk_table.h"
#include "views/empty_state.h"
#include "views/page_header.h"

#include <QStackedLayout>
#include <QVBoxLayout>

namespace handreset::views {

ListPage::ListPage(live::DeskSession &session, live::KeyedTableModel &model, const QString &title,
                   const QString &filterHint, EmptyState *empty, QWidget *parent)
    : Page(parent), m_session(session), m_model(model), m_stack(new QStackedLayout),
      m_header(new PageHeader(title, filterHint, this)), m_table(new DeskTable(model, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(m_header);
    layout->addLayout(m_stack, 1);
    m_stack->addWidget(m_table);
    m_stack->addWidget(empty);
    connect(&session, &live::DeskSession::updated, this, &ListPage::showUpdate);
    connect(&session, &live::DeskSession::freshnessChanged, this,
            [this] { m_table->setStale(m_session.freshness().stale); });
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
    return m_header->leaveFilter();
}

QString ListPage::shownWords() const
{
    return m_model.rowCount() == m_model.allRows()
        ? QString()
        : tr("%1 of %2 match the filter").arg(m_model.rowCount()).arg(m_model.allRows());
}

void ListPage::showUpdate()
{
    m_stack->setCurrentIndex(m_model.allRows() == 0 ? 1 : 0);
    // An empty inbox that fills while the keyboard waits on it: the first row is selected.
    if (isVisible() && m_table->currentKey() == 0 && m_model.rowCount() > 0 && m_table->hasFocus())
        m_table->selectKey(m_model.keyAt(0));
    const QString shown = shownWords();
    m_header->setWords(shown.isEmpty() ? words() : shown);
    showSelection();
}

} // namespace handreset::views

#include "views/pages/board_page.h"

#include "model/live/desk_session.h"
#include "views/agent_tiles.h"
#include "views/data_trouble.h"
#include "views/desk_table.h"
#include "views/empty_state.h"
#include "views/page_header.h"
#include "views/pill.h"
#include "views/plain_label.h"
#include "views/plain_text.h"
#include "views/plural.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace handreset::views {

namespace {

/// A section's name with quiet words beside it.
[[nodiscard]] QWidget *sectionLine(const QString &title, PlainLabel *words, QWidget *parent)
{
    auto *line = new QWidget(parent);
    auto *layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, kStep, 0, 0);
    layout->setSpacing(kGap);
    auto *name = new PlainLabel(title, line);
    name->setLook(TextSize::Text, QFont::DemiBold);
    name->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    words->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    layout->addWidget(name);
    layout->addWidget(words, 1);
    return line;
}

} // namespace

BoardPage::BoardPage(live::DeskSession &session, QWidget *parent)
    : Page(parent),
      m_session(session),
      m_stack(new QStackedLayout(this)),
      m_empty(new EmptyState(tr("No agent has asked yet"),
                             tr("Each agent appears here with its kill switch, and each tool with its breaker, the "
                                "abnormal first. To see it live, let the demo fleet run:"),
                             QStringLiteral("app/run --demo"), this)),
      m_header(new PageHeader(tr("Board"), tr("Filter: agent, tool, signal, re:…   /"), this)),
      m_tiles(new AgentTiles(session.agents(), this)),
      m_scroll(new QScrollArea(this)),
      m_tools(new DeskTable(session.breakers(), this)),
      m_agentsWords(new PlainLabel(this)),
      m_held(new Pill(Pill::Kind::Count, {}, this)),
      m_toolsWords(new PlainLabel(this))
{
    m_stack->addWidget(makeContent());
    m_stack->addWidget(m_empty);
    connect(&session, &live::DeskSession::updated, this, &BoardPage::showCounts);
    connect(&session, &live::DeskSession::freshnessChanged, this, &BoardPage::showFreshness);
    connect(m_header, &PageHeader::filterChanged, this, [this](const live::TextFilter &filter) {
        m_session.agents().setFilter(filter);
        m_session.breakers().setFilter(filter);
        showCounts();
    });
    connect(m_header, &PageHeader::filterLeft, this, &BoardPage::enter);
    connect(m_tiles, &AgentTiles::agentActivated, this,
            [this](rules::AgentId id) { Q_EMIT subjectRequested({.agent = id, .breaker = {}}); });
    connect(&session.agents(), &live::KeyedTableModel::heldChangesChanged, this, [this](int held) {
        m_held->setContent(Pill::Kind::Count, tr("%1 held").arg(counted(held, tr("change"), tr("changes"))));
        m_held->setVisible(held > 0);
    });
    connect(m_tiles, &AgentTiles::heightMoved, this, &BoardPage::shareHeight);
    connect(m_tiles, &PaintedItems::itemFocused, this, [this](int item) {
        const QRect tile = m_tiles->itemRect(item).toAlignedRect();
        m_scroll->ensureVisible(tile.center().x(), tile.center().y(), 0, tile.height() / 2 + 8);
    });
    connect(m_tools, &DeskTable::keyActivated, this, &BoardPage::openBreaker);
    showCounts();
    showTrouble();
}

QWidget *BoardPage::makeContent()
{
    auto *content = new QWidget(this);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(24, 16, 20, 16);
    layout->setSpacing(kStep * 2);
    layout->addWidget(m_header);
    m_agentsLine = sectionLine(tr("Agents"), m_agentsWords, content);
    m_held->setObjectName(QStringLiteral("heldTiles"));
    m_held->setToolTip(plainTooltip(tr("The order waits while the pointer is here: the tiles keep their places.")));
    m_held->hide();
    static_cast<QHBoxLayout *>(m_agentsLine->layout())->insertWidget(1, m_held);
    layout->addWidget(m_agentsLine);
    m_scroll->setWidget(m_tiles);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_tiles->setAutoFillBackground(false);
    layout->addWidget(m_scroll);
    m_toolsLine = sectionLine(tr("Tools"), m_toolsWords, content);
    static_cast<QHBoxLayout *>(m_toolsLine->layout())->insertWidget(1, m_tools->heldChip());
    m_tools->heldChip()->setFixedHeight(20);
    layout->addWidget(m_toolsLine);
    m_tools->setObjectName(QStringLiteral("toolsTable"));
    m_tools->setAccessibleName(tr("tools and their breakers"));
    using Model = live::BreakerModel;
    m_tools->setWidths({220, 230, 0, 80, 160, 80, 160});
    m_tools->setSpareColumns({Model::UsedByColumn, Model::TrafficColumn, Model::EndsColumn});
    layout->addWidget(m_tools);
    layout->addStretch(0);
    m_layout = layout;
    return content;
}

QList<KeyHelp> BoardPage::keys() const
{
    return {{tr("arrows"), tr("walk the tiles")},
            {tr("Tab"), tr("from the agents to the tools")},
            {tr("Enter"), tr("open the agent or the tool")},
            {QStringLiteral("① ② ③"), tr("order within the incident: 1 came first")},
            {tr("A"), tr("acknowledge the agent's trips")},
            {tr("R"), tr("re-arm the agent")}};
}

void BoardPage::enter()
{
    m_tiles->setFocus(Qt::OtherFocusReason);
    if (m_tiles->focusedItem() < 0 && m_tiles->itemCount() > 0)
        m_tiles->setFocusedItem(0);
}

std::optional<rules::AgentId> BoardPage::agent() const
{
    const rules::AgentId id = m_tiles->current();
    return id ? std::optional(id) : std::nullopt;
}

void BoardPage::acknowledge()
{
    const live::AgentRow *row = m_session.agents().rowOf(m_tiles->current().value);
    if (!row)
        return;
    const std::vector<live::TripMark> trips = row->trips; // the row may move while acts go out
    for (const live::TripMark &trip : trips) {
        if (!trip.acknowledged)
            m_session.acknowledge(trip.id);
    }
}

void BoardPage::rearm()
{
    if (const auto id = agent())
        Q_EMIT rearmRequested(*id, {});
}

void BoardPage::focusFilter()
{
    m_header->focusFilter();
}

bool BoardPage::leave()
{
    return m_header->leaveFilter();
}

void BoardPage::openBreaker(qulonglong key)
{
    if (const live::BreakerRow *row = m_session.breakers().rowOf(key))
        Q_EMIT subjectRequested({.agent = {}, .breaker = row->id});
}

void BoardPage::showCounts()
{
    const live::HeaderCounts &counts = m_session.counts();
    const bool empty = counts.agents == 0 && counts.breakers == 0;
    const bool fills = !empty && m_stack->currentIndex() != 0;
    m_stack->setCurrentIndex(empty ? 1 : 0);
    // The tiles could not take the keyboard while they were hidden; from one who types nobody takes it.
    if (fills && isVisible() && !qobject_cast<QLineEdit *>(window()->focusWidget()))
        enter();
    m_header->setWords(counted(counts.agents, tr("agent"), tr("agents")) + QStringLiteral(", ")
                       + counted(counts.breakers, tr("tool"), tr("tools")) + tr(". Abnormal first; the rest is quiet."));
    const auto shownOf = [this](const live::KeyedTableModel &model) {
        return model.filter().isEmpty() || model.passingRows() == model.allRows()
            ? QString()
            : tr("%1 of %2 match the filter").arg(model.passingRows()).arg(model.allRows());
    };
    m_agentsWords->setPlain(shownOf(m_session.agents()));
    const QString tools = shownOf(m_session.breakers());
    m_toolsWords->setPlain(tools.isEmpty() ? tr("one breaker each") : tools);
    showTrouble();
    shareHeight();
}

void BoardPage::showFreshness()
{
    const live::Freshness &freshness = m_session.freshness();
    m_tiles->setStale(freshness.stale, freshness.age.micros / 1'000);
    m_tools->setStale(freshness.stale);
    showTrouble();
}

/// Empty because nothing is there, or because nothing could be read.
void BoardPage::showTrouble()
{
    auto trouble = dataTrouble(m_session.freshness());
    const rules::Rung fleet = m_session.counts().fleetRung;
    if (!trouble && fleet != rules::Rung::Closed)
        trouble = DataTrouble{fleet == rules::Rung::Open ? tr("The fleet is stopped") : tr("The fleet is degraded"),
                              tr("No agent has asked yet. What comes meets the fleet's switch, until a person "
                                 "lifts it: its trip stands on the page Trips (Ctrl+2)."),
                              {}};
    m_empty->setTrouble(trouble);
}

void BoardPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    shareHeight();
}

/// Neither half is higher than its content, so that few agents leave the room to the tools and the reverse.
void BoardPage::shareHeight()
{
    const int tiles = m_tiles->wholeHeight(m_scroll->viewport()->width());
    m_tiles->setMinimumHeight(tiles);
    m_scroll->setMaximumHeight(tiles + 2);
    m_tools->setMaximumHeight(m_tools->wholeHeight());
    m_tools->setMinimumHeight(std::min(m_tools->wholeHeight(), 46 * 3));
    m_scroll->setMinimumHeight(std::min(tiles + 2, 130));
    // Stretched by what each wants; what neither does stands below both, never between them.
    const int taken = m_header->sizeHint().height() + m_agentsLine->sizeHint().height()
        + m_toolsLine->sizeHint().height() + m_layout->contentsMargins().top() + m_layout->contentsMargins().bottom()
        + 5 * m_layout->spacing();
    const int room = std::max(0, height() - taken);
    const int rest = std::max(0, room - m_scroll->maximumHeight() - m_tools->maximumHeight());
    m_layout->setStretchFactor(m_scroll, rest > 0 ? m_scroll->maximumHeight() : 3);
    m_layout->setStretchFactor(m_tools, rest > 0 ? m_tools->maximumHeight() : 2);
    m_layout->setStretch(m_layout->count() - 1, rest);
}

} // namespace handreset::views

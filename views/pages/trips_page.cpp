#include "views/pages/trips_page.h"

#include "model/live/desk_session.h"
#include "views/action_button.h"
#include "views/desk_table.h"
#include "views/empty_state.h"
#include "views/page_header.h"

#include <QHBoxLayout>

namespace handreset::views {

TripsPage::TripsPage(live::DeskSession &session, QWidget *parent)
    : ListPage(session, session.trips(), tr("Trips"), tr("Filter: signal, agent, task, re:…   /"),
               new EmptyState(tr("Nothing has tripped"),
                              tr("A trip is the latched record that a limit was reached: one row each, with what was "
                                 "measured against which limit, and who has seen it. Only a person re-arms steps, "
                                 "repetition and envelope. To see some, let the demo fleet run:"),
                              QStringLiteral("app/run --demo")),
               parent),
      m_acknowledge(new ActionButton(tr("Acknowledge"), QStringLiteral("A"), ButtonRole::Plain, this)),
      m_rearm(new ActionButton(tr("Re-arm…"), QStringLiteral("R"), ButtonRole::Primary, this))
{
    m_acknowledge->setObjectName(QStringLiteral("acknowledgeButton"));
    m_rearm->setObjectName(QStringLiteral("rearmButton"));
    header().line()->insertWidget(2, m_acknowledge);
    header().line()->insertWidget(3, m_rearm);
    table().setObjectName(QStringLiteral("tripsTable"));
    table().setAccessibleName(tr("trips"));
    using Model = live::TripModel;
    table().setWidths({46, 220, 140, 100, 0, 76, 240, 110});
    table().setSpareColumns({Model::TaskColumn, Model::OwnerColumn, Model::AgeColumn});
    connect(m_acknowledge, &QPushButton::clicked, this, &TripsPage::acknowledge);
    connect(m_rearm, &QPushButton::clicked, this, &TripsPage::rearm);
    connect(&table(), &DeskTable::keyActivated, this, &TripsPage::open);
    showSelection();
}

QList<KeyHelp> TripsPage::keys() const
{
    return {{tr("Up, Down"), tr("choose a trip")},
            {QStringLiteral("① ② ③"), tr("order within the incident: 1 came first")},
            {tr("A"), tr("acknowledge it")},
            {tr("Enter"), tr("open its evidence")},
            {tr("R"), tr("re-arm it")},
            {tr("G"), tr("grant its agent more: steps, or an allowance until the window ends")},
            {tr("Ctrl+C"), tr("copy the row")}};
}

const live::TripRow *TripsPage::selected() const
{
    return session().trips().rowOf(table().currentKey());
}

std::optional<rules::AgentId> TripsPage::agent() const
{
    const live::TripRow *row = selected();
    return row && row->agent ? std::optional(row->agent) : std::nullopt;
}

void TripsPage::acknowledge()
{
    const live::TripRow *row = selected();
    if (row && row->stage == live::TripStage::Unacknowledged)
        session().acknowledge(row->id);
    else
        sayWhyNot(row);
}

void TripsPage::rearm()
{
    const live::TripRow *row = selected();
    if (row && row->stage != live::TripStage::Rearmed)
        Q_EMIT rearmRequested(row->agent, row->id); // without an agent it is the fleet's
    else
        sayWhyNot(row);
}

void TripsPage::grant()
{
    const live::TripRow *row = selected();
    if (row && row->agent)
        Q_EMIT grantRequested(row->agent, row->id);
    else
        Page::grant();
}

void TripsPage::sayWhyNot(const live::TripRow *row)
{
    if (!row)
        Q_EMIT said(tr("No trip is selected."));
    else if (row->stage == live::TripStage::Rearmed)
        Q_EMIT said(tr("%1 was re-armed already, by %2.").arg(row->title, row->owner));
    else
        Q_EMIT said(tr("%1 was acknowledged already, by %2.").arg(row->title, row->owner));
}

void TripsPage::open(qulonglong key)
{
    if (const live::TripRow *row = session().trips().rowOf(key))
        Q_EMIT tripRequested(row->agent, row->id);
}

QString TripsPage::words() const
{
    const live::HeaderCounts &counts = session().counts();
    if (counts.trips == 0)
        return tr("none active");
    return tr("%1 active, %2 to acknowledge").arg(counts.trips).arg(counts.unacknowledged);
}

void TripsPage::showSelection()
{
    const live::TripRow *row = selected();
    m_acknowledge->setEnabled(row && row->stage == live::TripStage::Unacknowledged);
    m_rearm->setEnabled(row && row->stage != live::TripStage::Rearmed);
}

} // namespace handreset::views

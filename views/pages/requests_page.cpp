#include "views/pages/requests_page.h"

#include "model/live/desk_session.h"
#include "views/desk_table.h"
#include "views/empty_state.h"
#include "views/page_header.h"
#include "views/request_panel.h"

#include <QHBoxLayout>

namespace handreset::views {

RequestsPage::RequestsPage(live::DeskSession &session, QWidget *parent)
    : ListPage(
        session, session.requests(), tr("Requests"), tr("Filter: what, agent, person, re:…   /"),
        new EmptyState(tr("Nothing waits for a second person"),
                       tr("Where the policy asks for two persons (an envelope's re-arm, a pass, a looser policy, "
                          "the fleet's stop, operators), what one asks for waits here until an approver has seen "
                          "it, and ends by itself in time. Who broke the glass stays here until it was reviewed. "
                          "To let others in:"),
                       QStringLiteral("handresetctl operator enrol NAME --role approver")),
        parent),
      m_panel(new RequestPanel(session, this))
{
    table().setObjectName(QStringLiteral("requestsTable"));
    table().setAccessibleName(tr("requests"));
    using Model = live::RequestModel;
    table().setWidths({99, 0, 90, 90, 150, 150, 90, 190}); // what is asked keeps its width beside the panel
    table().setSpareColumns(
        {Model::WhyColumn, Model::ReasonColumn, Model::MachineColumn, Model::StateColumn, Model::ByColumn});
    besideTable()->addWidget(m_panel);
    showSelection();
}

QList<KeyHelp> RequestsPage::keys() const
{
    return {{tr("Up, Down"), tr("choose a request")},
            {tr("Tab, Space"), tr("to the buttons beside it; hold Space to approve. Enter never approves")},
            {tr("Ctrl+C"), tr("copy the row")}};
}

std::optional<rules::AgentId> RequestsPage::agent() const
{
    const live::RequestRow *row = selected();
    return row && row->agent ? std::optional(row->agent) : std::nullopt;
}

void RequestsPage::select(rules::Seq request)
{
    table().selectKey(request.value);
    showSelection();
}

const live::RequestRow *RequestsPage::selected() const
{
    return session().requests().rowOf(table().currentKey());
}

QString RequestsPage::words() const
{
    const live::HeaderCounts &counts = session().counts();
    QString words = counts.requests == 0
        ? tr("none waits")
        : tr("%1 wait, %2 for you").arg(counts.requests).arg(session().requestsForMe());
    if (counts.reviews > 0)
        words += tr(", %1 to review").arg(counts.reviews);
    return words;
}

void RequestsPage::showSelection()
{
    m_panel->show(selected());
}

} // namespace handreset::views

#include "views/pages/events_page.h"

#include "model/live/desk_session.h"
#include "model/rules/graph.h"
#include "views/age_words.h"
#include "views/desk_table.h"
#include "views/empty_state.h"
#include "views/page_header.h"
#include "views/state_graph_words.h"

#include <algorithm>

namespace handreset::views {

EventsPage::EventsPage(live::DeskSession &session, QWidget *parent)
    : ListPage(session, session.events(), tr("Events"), tr("Filter: word, agent, task, tool, re:…   /"),
               new EmptyState(tr("The log is empty"),
                              tr("Every ask, refusal, trip and act of an operator is an event of the log. They appear here "
                                 "as they are committed. The whole log:"),
                              QStringLiteral("handresetctl events")),
               parent)
{
    table().setObjectName(QStringLiteral("eventsTable"));
    table().setAccessibleName(tr("events"));
    using Model = live::EventModel;
    table().setWidths({90, 190, 120, 130, 110, 190, 0});
    table().setSpareColumns({Model::SeqColumn, Model::TaskColumn, Model::SubjectColumn});
}

QList<KeyHelp> EventsPage::keys() const
{
    return {{tr("Up, Down"), tr("choose an event")}, {tr("Ctrl+C"), tr("copy the row")}};
}

void EventsPage::showTransitions(const live::BreakerRow &breaker, std::uint8_t row)
{
    header().setFilterText({});
    session().events().narrow([breaker = breaker.key(), row](const live::EventRow &event) {
        return event.breaker == breaker && event.row == row;
    });
    // The log keeps the row, not the state that it left: of a row of several states all are listed.
    const rules::Graph graph = rules::breakerGraph();
    const auto edge = std::ranges::find(graph.edges, row, &rules::GraphEdge::row);
    const QString label = edge == graph.edges.end() ? QString() : rulesWord(edge->label());
    narrowed(tr("%1, row %2: %3").arg(breaker.tool, QString::number(row), label));
}

QString EventsPage::words() const
{
    const auto total = static_cast<qint64>(session().counts().seq.value);
    const auto shown = static_cast<qint64>(session().events().allRows());
    return shown >= total ? tr("all %1 of the log").arg(countWords(total))
                          : tr("the newest %1 of %2 in the log").arg(countWords(shown), countWords(total));
}

} // namespace handreset::views

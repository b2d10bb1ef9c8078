#include "views/pages/events_page.h"

#include "model/live/desk_session.h"
#include "views/age_words.h"
#include "views/desk_table.h"
#include "views/empty_state.h"
#include "views/page_header.h"

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
    table().setWidths({90, 150, 130, 140, 110, 190, 0});
    table().setSpareColumns({Model::SeqColumn, Model::TaskColumn, Model::SubjectColumn});
}

QList<KeyHelp> EventsPage::keys() const
{
    return {{tr("Up, Down"), tr("choose an event")}, {tr("Ctrl+C"), tr("copy the row")}};
}

void EventsPage::showMatching(const QString &filter)
{
    header().setFilterText(filter);
}

QString EventsPage::words() const
{
    const auto total = static_cast<qint64>(session().counts().seq.value);
    const auto shown = static_cast<qint64>(session().events().allRows());
    return shown >= total ? tr("all %1 of the log").arg(countWords(total))
                          : tr("the newest %1 of %2 in the log").arg(countWords(shown), countWords(total));
}

} // namespace handreset::views

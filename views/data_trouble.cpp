#include "views/data_trouble.h"

#include "model/live/desk_session.h"
#include "views/age_words.h"
#include "views/plain_text.h"

#include <QCoreApplication>

namespace handreset::views {

namespace {

[[nodiscard]] QString tr(const char *text)
{
    return QCoreApplication::translate("trouble", text);
}

} // namespace

std::optional<DataTrouble> dataTrouble(const live::Freshness &freshness)
{
    const QString why = visibleText(QString::fromStdString(freshness.host.trouble));
    switch (freshness.host.health) {
    case engine::StoreHealth::Refused: // its words say what to do
        return DataTrouble{
            tr("No data: the store is refused"),
            why + QStringLiteral("\n\n")
                + tr("Every ask of an agent is denied meanwhile. What stands in the store is not shown here, "
                     "so that nobody takes it for the present."),
            {}};
    case engine::StoreHealth::Failing:
        return DataTrouble{tr("No data: the store cannot be written"),
                           why + QStringLiteral("\n\n")
                               + tr("Every ask of an agent is denied meanwhile, and nothing new can appear here."),
                           {}};
    case engine::StoreHealth::ReadOnly:
    case engine::StoreHealth::Writable:
        break;
    }
    const live::LinkNow &link = freshness.link;
    if (!link.host.isEmpty() && !link.isUp && (freshness.stale || !freshness.hasData))
        return DataTrouble{tr("No data: the link to %1 is cut").arg(visibleText(link.host)),
                           tr("What the agents do now is not known here; their host refuses and allows without this "
                              "desk. It tries again "
                              "by itself and then catches up; a stop is tried until it is in force. Why it is cut:")
                               + QStringLiteral("\n\n") + visibleText(link.trouble),
                           {}};
    if (!freshness.hasData)
        return DataTrouble{
            tr("No data yet"),
            tr("The store has not been read since the desk was opened: whether there is something to show "
               "is not known. A large store takes a while. If this stays, close the desk and check it:"),
            QStringLiteral("handresetctl verify")};
    if (freshness.stale)
        return DataTrouble{
            tr("No data: the host is silent"),
            tr("Its last sign of life is %1 old: whether there is something to show is not known. A stop is "
               "tried until it is in force. If this stays, close the desk and check the store:")
                .arg(ageWords(freshness.age.micros / 1'000)),
            QStringLiteral("handresetctl verify")};
    return std::nullopt;
}

} // namespace handreset::views

#include "views/dialogs/host_word_dialog.h"

#include "model/live/desk_session.h"
#include "model/rules/words_of_time.h"

namespace handreset::views {

using engine::StoreHealth;

std::optional<HostWord> hostWordAsked(const live::DeskSession &session)
{
    const StoreHealth health = session.freshness().host.health;
    if (health == StoreHealth::Failing || health == StoreHealth::Refused)
        return HostWord::TrustStore;
    if (health == StoreHealth::Writable && session.freshness().hasData && !session.counts().clockTrusted)
        return HostWord::ConfirmTime;
    return std::nullopt;
}

HostWordDialog::HostWordDialog(live::DeskSession &session, HostWord word, QWidget *parent)
    : ReasonDialog(session, word == HostWord::ConfirmTime ? tr("Confirm the time") : tr("Trust the store"),
                   word == HostWord::ConfirmTime ? tr("The time is right") : tr("Verify and trust"), parent),
      m_word(word)
{
    setObjectName(QStringLiteral("hostWordDialog"));
    const engine::HostStatus &host = session.freshness().host;
    if (word == HostWord::ConfirmTime) {
        addParagraph(tr("The host's clock went forward by more than a minute at once. A jump can never re-arm anything "
                        "early: what comes back by the clock (spend at the window's end, provider after its cooldown) "
                        "waits for a person. Limits and refusals hold as before."));
        addParagraph(tr("The host's clock said %1 at its last sign of life. Compare it with another clock first.")
                         .arg(QString::fromStdString(rules::utcStamp(host.lastBeat.wall))));
        return;
    }
    addParagraph(QString::fromStdString(host.trouble));
    addParagraph(
        tr("With your word the host verifies the whole log, which may take a while. Only when it is clean does it "
           "decide again; stops and trips that could not be written come into force with it. Until then "
           "everything stays refused."));
}

quint64 HostWordDialog::send(const QString &reason)
{
    return m_word == HostWord::ConfirmTime ? session().confirmTime(reason) : session().trustStore(reason);
}

QString HostWordDialog::remedy() const
{
    return m_word == HostWord::ConfirmTime ? QString()
                                           : tr("Mend what it names (room on the disk, the file's rights), then try "
                                                "again here; or close the desk and put a "
                                                "backup in the store's place.");
}

} // namespace handreset::views

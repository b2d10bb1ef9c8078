#include "views/dialogs/unlock_dialog.h"

#include "model/live/desk_session.h"
#include "model/rules/words_of_time.h"
#include "views/plain_label.h"

#include <QVBoxLayout>

#include <utility>

namespace handreset::views {

UnlockDialog::UnlockDialog(live::DeskSession &session, QWidget *parent)
    : PassphraseDialog(tr("Unlock your key"), tr("Unlock"), session.key().names(), session.key().name(), parent),
      m_session(session),
      m_waiting(new PlainLabel(this))
{
    setObjectName(QStringLiteral("unlockDialog"));
    m_waiting->setObjectName(QStringLiteral("waitingWords"));
    m_waiting->setLook(TextSize::Text, QFont::DemiBold, Shade::Operator);
    body()->addWidget(m_waiting);
    const rules::Duration length = session.operators().unlock;
    addWords(length > rules::Duration{} ? tr("It stays unlocked for %1, as the policy says; Ctrl+L locks it at once.")
                                              .arg(QString::fromStdString(rules::lengthWords(length)))
                                        : tr("The policy lets it sign one act; the next one asks anew."));
    connect(this, &PassphraseDialog::tried, this,
            [this](const QString &name, const std::shared_ptr<trust::Passphrase> &passphrase) {
                m_session.key().unlock(name, std::move(*passphrase));
            });
    connect(&session.key(), &live::OperatorKey::unlocked, this, &QDialog::accept);
    connect(&session.key(), &live::OperatorKey::failed, this, &PassphraseDialog::refused);
    connect(&session, &live::DeskSession::actMoved, this, &UnlockDialog::showWaiting);
    showWaiting();
}

void UnlockDialog::showWaiting()
{
    const QStringList waiting = m_session.waitingForKey();
    m_waiting->setVisible(!waiting.isEmpty());
    m_waiting->setPlain(tr("Not sent yet, waits for your signature: %1").arg(waiting.join(QStringLiteral("; "))));
}

void UnlockDialog::done(int result)
{
    if (result == Rejected) {
        m_session.key().abandon();
        m_session.cancelWaitingForKey();
    }
    QDialog::done(result);
}

} // namespace handreset::views

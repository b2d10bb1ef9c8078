#include "views/dialogs/unlock_dialog.h"

#include "model/live/desk_session.h"
#include "model/rules/words_of_time.h"
#include "views/desk_style.h"
#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QAccessible>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace handreset::views {

namespace {

constexpr int kWidth = 460;

} // namespace

UnlockDialog::UnlockDialog(live::DeskSession &session, QWidget *parent)
    : QDialog(parent),
      m_session(session),
      m_waiting(new PlainLabel(this)),
      m_operator(new QComboBox(this)),
      m_passphrase(new QLineEdit(this)),
      m_words(new PlainLabel(this)),
      m_unlock(new QPushButton(tr("Unlock"), this))
{
    setObjectName(QStringLiteral("unlockDialog"));
    setWindowTitle(tr("Unlock your key"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *page = new QVBoxLayout(this);
    page->setContentsMargins(24, 20, 24, 16);
    page->setSpacing(10);
    auto *head = new PlainLabel(tr("Unlock your key"), this);
    head->setLook(TextSize::Title, QFont::DemiBold);
    page->addWidget(head);
    m_waiting->setObjectName(QStringLiteral("waitingWords"));
    m_waiting->setLook(TextSize::Text, QFont::DemiBold, Shade::Operator);
    page->addWidget(m_waiting);
    const rules::Duration length = session.operators().unlock;
    auto *policy = new PlainLabel(length > rules::Duration{}
                                      ? tr("It stays unlocked for %1, as the policy says; Ctrl+L locks it at once.")
                                            .arg(QString::fromStdString(rules::lengthWords(length)))
                                      : tr("The policy lets it sign one act; the next one asks anew."),
                                  this);
    policy->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    page->addWidget(policy);
    m_operator->setObjectName(QStringLiteral("operatorCombo"));
    m_operator->setAccessibleName(tr("operator"));
    session.key().lookAgain();
    for (const QString &name : session.key().names())
        m_operator->addItem(visibleText(name), name);
    m_operator->setCurrentIndex(m_operator->findData(session.key().name()));
    page->addWidget(m_operator);
    m_passphrase->setObjectName(QStringLiteral("passphraseEdit"));
    m_passphrase->setAccessibleName(tr("passphrase of the key"));
    m_passphrase->setPlaceholderText(tr("passphrase"));
    m_passphrase->setEchoMode(QLineEdit::Password);
    m_passphrase->setMinimumWidth(kWidth);
    page->addWidget(m_passphrase);
    m_words->setObjectName(QStringLiteral("unlockWords"));
    page->addWidget(m_words);
    auto *foot = new QHBoxLayout;
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("cancelButton"));
    cancel->setAutoDefault(false);
    m_unlock->setObjectName(QStringLiteral("unlockButton"));
    m_unlock->setDefault(true);
    setButtonRole(*m_unlock, ButtonRole::Primary);
    foot->addWidget(cancel);
    foot->addStretch(1);
    foot->addWidget(m_unlock);
    page->addLayout(foot);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_unlock, &QPushButton::clicked, this, &UnlockDialog::tryIt);
    connect(&session.key(), &live::OperatorKey::unlocked, this, &QDialog::accept);
    connect(&session.key(), &live::OperatorKey::failed, this, [this](const QString &why) {
        setTrying(false);
        say(why, true);
        m_passphrase->setFocus(Qt::OtherFocusReason);
    });
    connect(&session, &live::DeskSession::actMoved, this, &UnlockDialog::showWaiting);
    showWaiting();
    m_passphrase->setFocus(Qt::OtherFocusReason);
}

void UnlockDialog::showWaiting()
{
    const QStringList waiting = m_session.waitingForKey();
    m_waiting->setVisible(!waiting.isEmpty());
    m_waiting->setPlain(tr("Not sent yet, waits for your signature: %1").arg(waiting.join(QStringLiteral("; "))));
}

void UnlockDialog::tryIt()
{
    QString typed = m_passphrase->text();
    m_passphrase->setText({}); // the field forgets it: from here on nobody else holds it, and it can be wiped
    auto passphrase = trust::Passphrase::take(std::move(typed));
    if (!passphrase)
        return say(QString::fromStdString(passphrase.error().message), true);
    setTrying(true);
    say(tr("trying the passphrase…"), false);
    m_session.key().unlock(m_operator->currentData().toString(), std::move(*passphrase));
}

void UnlockDialog::setTrying(bool isTrying)
{
    for (QWidget *each : std::initializer_list<QWidget *>{m_operator, m_passphrase, m_unlock})
        each->setEnabled(!isTrying);
}

void UnlockDialog::say(const QString &words, bool loud)
{
    m_words->setPlain(words);
    m_words->setLook(TextSize::Text, QFont::DemiBold, loud ? Shade::Open : Shade::Secondary);
    if (loud && QAccessible::isActive()) {
        QAccessibleEvent told(m_words, QAccessible::Alert);
        QAccessible::updateAccessibility(&told);
    }
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

#include "views/dialogs/passphrase_dialog.h"

#include "views/desk_style.h"
#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QAccessible>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace handreset::views {

namespace {

constexpr int kWidth = 460;

} // namespace

PassphraseDialog::PassphraseDialog(const QString &title, const QString &verb, const QStringList &names,
                                   const QString &chosen, QWidget *parent)
    : QDialog(parent),
      m_body(new QVBoxLayout),
      m_operator(new QComboBox(this)),
      m_passphrase(new QLineEdit(this)),
      m_words(new PlainLabel(this)),
      m_do(new QPushButton(verb, this))
{
    setWindowTitle(visibleText(title));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *page = new QVBoxLayout(this);
    page->setContentsMargins(24, 20, 24, 16);
    page->setSpacing(10);
    auto *head = new PlainLabel(title, this);
    head->setLook(TextSize::Title, QFont::DemiBold);
    page->addWidget(head);
    m_body->setSpacing(8);
    page->addLayout(m_body);
    m_operator->setObjectName(QStringLiteral("operatorCombo"));
    m_operator->setAccessibleName(tr("operator"));
    for (const QString &name : names)
        m_operator->addItem(visibleText(name), name);
    m_operator->setCurrentIndex(std::max(0, m_operator->findData(chosen)));
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
    m_do->setObjectName(QStringLiteral("unlockButton"));
    m_do->setDefault(true);
    setButtonRole(*m_do, ButtonRole::Primary);
    foot->addWidget(cancel);
    foot->addStretch(1);
    foot->addWidget(m_do);
    page->addLayout(foot);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_do, &QPushButton::clicked, this, &PassphraseDialog::tryIt);
    m_passphrase->setFocus(Qt::OtherFocusReason);
}

void PassphraseDialog::addWords(const QString &untrusted)
{
    auto *label = new QLabel(this);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setText(visibleText(untrusted, 600));
    m_body->addWidget(label);
}

void PassphraseDialog::tryIt()
{
    QString typed = m_passphrase->text();
    m_passphrase->setText({}); // the field forgets it: from here on nobody else holds it, and it can be wiped
    auto passphrase = trust::Passphrase::take(std::move(typed));
    if (!passphrase)
        return say(QString::fromStdString(passphrase.error().message), true);
    setTrying(true);
    say(tr("trying the passphrase…"), false);
    Q_EMIT tried(m_operator->currentData().toString(),
                 std::make_shared<trust::Passphrase>(std::move(passphrase).value()));
}

void PassphraseDialog::refused(const QString &why)
{
    setTrying(false);
    say(why, true);
    m_passphrase->setFocus(Qt::OtherFocusReason);
}

void PassphraseDialog::setTrying(bool isTrying)
{
    for (QWidget *each : std::initializer_list<QWidget *>{m_operator, m_passphrase, m_do})
        each->setEnabled(!isTrying);
}

void PassphraseDialog::say(const QString &words, bool loud)
{
    m_words->setPlain(words);
    m_words->setLook(TextSize::Text, QFont::DemiBold, loud ? Shade::Open : Shade::Secondary);
    if (loud && QAccessible::isActive()) {
        QAccessibleEvent told(m_words, QAccessible::Alert);
        QAccessible::updateAccessibility(&told);
    }
}

} // namespace handreset::views

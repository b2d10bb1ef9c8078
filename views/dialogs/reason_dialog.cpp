#include "views/dialogs/reason_dialog.h"

#include "model/live/desk_session.h"
#include "views/desk_style.h"
#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace handreset::views {

namespace {

constexpr int kLeastReason = 10; ///< characters (spec 3.4)
constexpr int kMostParagraph = 600;

} // namespace

ReasonDialog::ReasonDialog(live::DeskSession &session, const QString &title, const QString &verb, QWidget *parent)
    : QDialog(parent),
      m_session(session),
      m_body(new QVBoxLayout),
      m_reason(new QLineEdit(this)),
      m_missing(new PlainLabel(this)),
      m_result(new PlainLabel(this)),
      m_remedy(new PlainLabel(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
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
    auto *why = new PlainLabel(tr("Reason, in words"), this);
    why->setLook(TextSize::Text, QFont::DemiBold);
    page->addWidget(why);
    m_reason->setObjectName(QStringLiteral("reasonEdit"));
    m_reason->setAccessibleName(tr("reason"));
    m_reason->setMinimumWidth(520);
    page->addWidget(m_reason);
    m_missing->setObjectName(QStringLiteral("missingWords"));
    m_missing->setLook(TextSize::Caption, QFont::Normal, Shade::Secondary);
    page->addWidget(m_missing);
    m_result->setObjectName(QStringLiteral("resultWords"));
    m_result->hide();
    m_remedy->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    m_remedy->hide();
    page->addWidget(m_result);
    page->addWidget(m_remedy);
    auto *foot = new QHBoxLayout;
    m_cancel->setObjectName(QStringLiteral("cancelButton"));
    m_do->setObjectName(QStringLiteral("doButton"));
    setButtonRole(*m_do, ButtonRole::Primary);
    foot->addWidget(m_cancel);
    foot->addStretch(1);
    foot->addWidget(m_do);
    page->addLayout(foot);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_do, &QPushButton::clicked, this, &ReasonDialog::act);
    connect(m_reason, &QLineEdit::textChanged, this, &ReasonDialog::showState);
    connect(&session, &live::DeskSession::actMoved, this, &ReasonDialog::showAct);
}

void ReasonDialog::addParagraph(const QString &untrusted)
{
    auto *label = new QLabel(this);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setText(visibleText(untrusted, kMostParagraph));
    m_body->addWidget(label);
}

void ReasonDialog::showState()
{
    const auto left = kLeastReason - m_reason->text().trimmed().size();
    QString missing = problem();
    if (missing.isEmpty() && left > 0)
        missing = tr("at least 10 characters, %1 more").arg(left);
    m_missing->setPlain(missing);
    m_do->setEnabled(missing.isEmpty() && m_act == 0);
}

void ReasonDialog::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    showState();
    m_cancel->setFocus(Qt::OtherFocusReason);
}

void ReasonDialog::act()
{
    say(tr("requested…"), false);
    m_act = send(m_reason->text().trimmed());
    showState();
}

void ReasonDialog::showAct(const live::ActState &act)
{
    const bool isOnItsWay = act.stage == live::ActStage::Requested || act.stage == live::ActStage::NeedsKey;
    if (m_act == 0 || act.number != m_act || isOnItsWay)
        return;
    m_act = 0;
    if (act.stage != live::ActStage::Refused && act.stage != live::ActStage::Failed) {
        accept(); // the line at the window's foot says the rest
        return;
    }
    say(tr("NOT done: %1 Your words are kept; it is not tried again by itself.").arg(act.trouble), true);
    m_remedy->setPlain(remedy());
    m_remedy->setVisible(!remedy().isEmpty());
    showState();
}

void ReasonDialog::say(const QString &words, bool loud)
{
    m_result->setPlain(words);
    m_result->setLook(TextSize::Text, QFont::DemiBold, loud ? Shade::Open : Shade::Secondary);
    m_result->show();
}

void ReasonDialog::keyPressEvent(QKeyEvent *event)
{
    // What has the focus has had its chance: Enter in a field neither acts nor loses the words.
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)
        QDialog::keyPressEvent(event);
}

} // namespace handreset::views

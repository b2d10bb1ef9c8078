#include "views/reason_line.h"

#include "model/live/desk_session.h"
#include "views/plain_label.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

namespace handreset::views {

ReasonLine::ReasonLine(live::DeskSession &session, int least, const QString &fieldName, const QString &placeholder,
                       QWidget *parent)
    : QWidget(parent),
      m_least(least),
      m_question(new PlainLabel(this)),
      m_field(new QLineEdit(this)),
      m_trouble(new PlainLabel(this)),
      m_leave(new QPushButton(tr("Leave"), this))
{
    m_question->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_field->setObjectName(fieldName);
    m_field->setPlaceholderText(placeholder);
    m_field->setAccessibleName(tr("reason"));
    m_trouble->setObjectName(fieldName + QStringLiteral("Trouble"));
    m_trouble->setLook(TextSize::Secondary, QFont::DemiBold, Shade::Degraded);
    m_trouble->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_trouble->hide();
    m_leave->setObjectName(fieldName + QStringLiteral("Leave"));
    m_leave->setAccessibleName(tr("leave the reason unsaid"));
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(12);
    line->addWidget(m_question);
    line->addWidget(m_field, 2);
    line->addWidget(m_trouble, 1);
    line->addWidget(m_leave);
    hide();
    connect(m_field, &QLineEdit::returnPressed, this, &ReasonLine::send);
    connect(m_field, &QLineEdit::textEdited, this, [this] { say({}); });
    connect(m_leave, &QPushButton::clicked, this, &ReasonLine::leave);
    connect(&session, &live::DeskSession::actMoved, this, &ReasonLine::showAct);
}

void ReasonLine::ask(const QString &question)
{
    m_question->setPlain(question);
    m_act = 0;
    m_field->setReadOnly(false);
    say({});
    show();
    m_field->setFocus(Qt::OtherFocusReason);
}

void ReasonLine::follow(quint64 act)
{
    m_act = act;
    m_field->setReadOnly(true);
}

void ReasonLine::leave()
{
    m_act = 0;
    m_field->clear();
    say({});
    hide();
    Q_EMIT left();
}

void ReasonLine::send()
{
    const QString reason = m_field->text().trimmed();
    if (m_act != 0)
        return;
    if (reason.size() < m_least)
        say(m_least == 1 ? tr("say why, in words")
                         : tr("at least %1 characters, %2 more").arg(m_least).arg(m_least - reason.size()));
    else
        Q_EMIT given(reason);
}

void ReasonLine::showAct(const live::ActState &act)
{
    if (act.number != m_act || m_act == 0)
        return;
    switch (act.stage) {
    case live::ActStage::NeedsKey:
    case live::ActStage::Requested:
        return;
    case live::ActStage::Waiting:
    case live::ActStage::Committed:
    case live::ActStage::Confirmed:
    case live::ActStage::Unconfirmed:
        m_act = 0;
        m_field->clear();
        m_field->setReadOnly(false);
        hide();
        Q_EMIT accepted();
        return;
    case live::ActStage::Refused:
    case live::ActStage::Failed:
        m_act = 0;
        m_field->setReadOnly(false);
        say(tr("NOT done: %1").arg(act.trouble));
        m_field->setFocus(Qt::OtherFocusReason);
        return;
    }
}

void ReasonLine::say(const QString &trouble)
{
    m_trouble->setPlain(trouble);
    m_trouble->setVisible(!trouble.isEmpty());
    if (!trouble.isEmpty() && QAccessible::isActive()) {
        QAccessibleEvent told(m_trouble, QAccessible::Alert);
        QAccessible::updateAccessibility(&told);
    }
}

} // namespace handreset::views

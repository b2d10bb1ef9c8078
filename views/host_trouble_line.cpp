#include "views/host_trouble_line.h"

#include "model/live/desk_session.h"
#include "views/plain_label.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace handreset::views {

HostTroubleLine::HostTroubleLine(live::DeskSession &session, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_words(new PlainLabel(this)),
      m_more(new PlainLabel(this)),
      m_button(new QPushButton(this))
{
    setObjectName(QStringLiteral("hostTroubleLine"));
    setFixedHeight(44);
    m_words->setLook(TextSize::Text, QFont::DemiBold, Shade::Open);
    m_words->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_more->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    m_button->setObjectName(QStringLiteral("hostWordButton"));
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(24, 0, 20, 0);
    line->setSpacing(12);
    line->addWidget(m_words);
    line->addWidget(m_more, 1);
    line->addWidget(m_button);
    hide();
    connect(m_button, &QPushButton::clicked, this, &HostTroubleLine::openDialog);
    connect(&session, &live::DeskSession::updated, this, &HostTroubleLine::showHost);
    connect(&session, &live::DeskSession::freshnessChanged, this, &HostTroubleLine::showHost);
}

void HostTroubleLine::showHost()
{
    const auto asked = hostWordAsked(m_session);
    if (asked == HostWord::TrustStore) {
        m_words->setPlain(tr("The store is not trusted: everything is refused."));
        m_more->setPlain(QString::fromStdString(m_session.freshness().host.trouble));
        m_button->setText(tr("Trust the store…"));
    } else if (asked == HostWord::ConfirmTime) {
        m_words->setPlain(tr("The clock jumped: nothing comes back by the clock."));
        m_more->setPlain(tr("Windows and cooldowns wait until a person confirms the time."));
        m_button->setText(tr("Confirm the time…"));
    }
    if (asked == m_asked)
        return;
    m_asked = asked;
    setVisible(asked.has_value());
    Q_EMIT changed();
}

void HostTroubleLine::openDialog()
{
    if (m_asked)
        (new HostWordDialog(m_session, *m_asked, window()))->open();
}

} // namespace handreset::views

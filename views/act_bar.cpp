#include "views/act_bar.h"

#include "model/live/desk_session.h"
#include "views/desk_style.h"
#include "views/marks.h"
#include "views/plain_label.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>

namespace handreset::views {

using live::ActKind;
using live::ActStage;

ActBar::ActBar(live::DeskSession &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_words(new PlainLabel(this)), m_more(new PlainLabel(this)),
      m_show(new QPushButton(tr("Show"), this)), m_stopAgain(new QPushButton(tr("Stop again"), this)),
      m_reasonWords(new PlainLabel(this)), m_reason(new QLineEdit(this))
{
    setObjectName(QStringLiteral("actBar"));
    setFixedHeight(44);
    m_words->setObjectName(QStringLiteral("actWords"));
    m_words->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_more->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    m_show->setObjectName(QStringLiteral("showTripButton"));
    m_show->setFocusPolicy(Qt::TabFocus);
    m_stopAgain->setObjectName(QStringLiteral("stopAgainButton"));
    setButtonRole(*m_stopAgain, ButtonRole::Stop);
    m_reasonWords->setPlain(tr("Why?"));
    m_reasonWords->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_reason->setObjectName(QStringLiteral("stopReasonEdit"));
    m_reason->setPlaceholderText(tr("Reason of the stop; Enter sends it. The stop is in force either way."));
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(24, 0, 20, 0);
    line->setSpacing(12);
    line->addWidget(m_words);
    line->addWidget(m_more, 1);
    line->addWidget(m_show);
    line->addWidget(m_stopAgain);
    line->addWidget(m_reasonWords);
    line->addWidget(m_reason, 2);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_show, m_stopAgain, m_reasonWords, m_reason})
        widget->hide();
    hide();
    connect(&session, &live::DeskSession::actMoved, this, &ActBar::showAct);
    connect(&session, &live::DeskSession::tripsAppeared, this, &ActBar::showTrips);
    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT tripRequested(m_tripAgent, m_trip); });
    connect(m_stopAgain, &QPushButton::clicked, this, [this] { Q_EMIT stopAgainRequested(m_act.agent); });
    connect(m_reason, &QLineEdit::returnPressed, this, &ActBar::sendReason);
}

void ActBar::tell(const QString &words)
{
    shown(words, {}, false);
}

void ActBar::shown(const QString &words, const QString &more, bool loud)
{
    m_words->setPlain(words);
    m_words->setLook(TextSize::Text, QFont::DemiBold, loud ? Shade::Open : Shade::Text);
    m_more->setPlain(more);
    m_show->hide();
    m_stopAgain->hide();
    m_hatched = false;
    show();
    update();
    if (QAccessible::isActive()) {
        QAccessibleEvent told(m_words, QAccessible::Alert);
        QAccessible::updateAccessibility(&told);
    }
}

void ActBar::showAct(const live::ActState &act)
{
    if (act.number < m_act.number)
        return; // a newer one is on show
    m_act = act;
    switch (act.stage) {
    case ActStage::Requested:
        shown(act.words, act.trouble.isEmpty() ? tr("requested…") : act.trouble, !act.trouble.isEmpty());
        break;
    case ActStage::Committed:
        shown(act.words, tr("requested, committed; not seen back yet…"), false);
        break;
    case ActStage::Confirmed:
        shown(act.words, tr("requested, committed, confirmed by the decision loop"), false);
        break;
    case ActStage::Unconfirmed:
        shown(act.words, tr("committed, UNCONFIRMED: the decision loop has not published it"), true);
        m_hatched = true;
        m_stopAgain->setVisible(act.agent.isSet());
        break;
    case ActStage::Refused:
        shown(tr("NOT done: %1").arg(act.words), act.trouble, true);
        break;
    case ActStage::Failed:
        shown(tr("NOT done: %1").arg(act.words), act.trouble + tr(" It is not tried again by itself."), true);
        break;
    }
    if (act.kind == ActKind::Stop && act.stage == ActStage::Committed)
        askReason(act);
}

void ActBar::askReason(const live::ActState &stop)
{
    m_reasonFor = stop.trip;
    m_reason->clear();
    m_reasonWords->show();
    m_reason->show();
    m_reason->setFocus(Qt::OtherFocusReason);
}

void ActBar::sendReason()
{
    if (m_reason->text().trimmed().isEmpty())
        return;
    m_session.giveReason(m_reasonFor, m_reason->text().trimmed());
    m_reasonWords->hide();
    m_reason->hide();
}

void ActBar::showTrips(const std::vector<live::TripRow> &trips)
{
    // A stop that this desk made is news to nobody here.
    const live::TripRow *first = nullptr;
    for (const live::TripRow &trip : trips) {
        const bool own = trip.signal == rules::Signal::Operator || trip.signal == rules::Signal::Probation;
        if (!own && (!first || trip.rung > first->rung))
            first = &trip;
    }
    if (!first)
        return;
    m_tripAgent = first->agent;
    m_trip = first->id;
    QString more = first->measured;
    if (trips.size() > 1)
        more += tr(", and %1 more").arg(trips.size() - 1);
    shown(tr("%1 tripped: %2").arg(first->agentName, first->title), more, true);
    m_show->show();
}

void ActBar::paintEvent(QPaintEvent *)
{
    const Colours &colours = coloursOf(*this);
    QPainter painter(this);
    painter.fillRect(rect(), colours.raised);
    if (m_hatched)
        paintStaleHatch(painter, rect(), 0, colours);
    painter.fillRect(0, 0, width(), 1, colours.line);
}

} // namespace handreset::views

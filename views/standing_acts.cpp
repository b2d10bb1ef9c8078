#include "views/standing_acts.h"

#include "model/live/desk_session.h"
#include "views/desk_style.h"
#include "views/marks.h"
#include "views/plain_label.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace handreset::views {

using live::ActKind;
using live::ActStage;

namespace {

[[nodiscard]] bool isNotInForce(const live::ActState &act)
{
    return act.kind == ActKind::Stop && act.stage == ActStage::Requested && !act.trouble.isEmpty();
}

} // namespace

StandingActRow::StandingActRow(const live::ActState &act, QWidget *parent)
    : QWidget(parent),
      m_act(act),
      m_words(new PlainLabel(this)),
      m_more(new PlainLabel(this)),
      m_stopAgain(new QPushButton(tr("Stop again"), this)),
      m_dismiss(new QPushButton(tr("Dismiss"), this))
{
    setFixedHeight(40);
    m_words->setObjectName(QStringLiteral("standingWords"));
    m_words->setLook(TextSize::Text, QFont::DemiBold, Shade::Open);
    m_words->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_more->setObjectName(QStringLiteral("standingMore"));
    m_more->setLook(TextSize::Secondary, QFont::DemiBold);
    m_stopAgain->setObjectName(QStringLiteral("stopAgainButton"));
    setButtonRole(*m_stopAgain, ButtonRole::Stop);
    m_dismiss->setObjectName(QStringLiteral("dismissButton"));
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(24, 0, 20, 0);
    line->setSpacing(12);
    line->addWidget(m_words);
    line->addWidget(m_more, 1);
    line->addWidget(m_stopAgain);
    line->addWidget(m_dismiss);
    connect(m_stopAgain, &QPushButton::clicked, this, [this] { Q_EMIT stopAgainRequested(m_act.agent); });
    connect(m_dismiss, &QPushButton::clicked, this, [this] { Q_EMIT dismissed(m_act.number); });
    setAct(act);
}

void StandingActRow::setAct(const live::ActState &act)
{
    m_act = act;
    m_words->setPlain(act.words);
    m_more->setPlain(isNotInForce(act) ? act.trouble
                                       : tr("committed, UNCONFIRMED: the decision loop has not published it"));
    m_stopAgain->setVisible(!isNotInForce(act) && act.agent.isSet()); // what is still being tried needs no second one
    m_dismiss->setAccessibleName(tr("dismiss: %1").arg(m_words->plain()));
}

void StandingActRow::paintEvent(QPaintEvent *)
{
    const Colours &colours = coloursOf(*this);
    QPainter painter(this);
    paintStaleHatch(painter, rect(), 0, colours);
    painter.fillRect(0, height() - 1, width(), 1, colours.line);
}

StandingActs::StandingActs(live::DeskSession &session, QWidget *parent) : QWidget(parent), m_list(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("standingActs"));
    m_list->setContentsMargins(0, 0, 0, 0);
    m_list->setSpacing(0);
    hide();
    connect(&session, &live::DeskSession::actMoved, this, &StandingActs::showAct);
}

bool StandingActs::holds(quint64 number) const
{
    return std::ranges::any_of(m_rows, [&](const StandingActRow *row) { return row->act().number == number; });
}

void StandingActs::showAct(const live::ActState &act)
{
    const bool stands = isNotInForce(act) || act.stage == ActStage::Unconfirmed;
    if (!stands) {
        m_dismissed.remove(act.number);
        remove(act.number);
        return;
    }
    if (m_dismissed.contains(act.number))
        return;
    const auto found = std::ranges::find_if(m_rows, [&](const auto *row) { return row->act().number == act.number; });
    if (found != m_rows.end()) {
        (*found)->setAct(act);
        return;
    }
    auto *row = new StandingActRow(act, this);
    connect(row, &StandingActRow::stopAgainRequested, this, &StandingActs::stopAgainRequested);
    connect(row, &StandingActRow::dismissed, this, &StandingActs::dismiss);
    m_rows.push_back(row);
    m_list->addWidget(row);
    show();
    Q_EMIT changed();
    if (QAccessible::isActive()) {
        QAccessibleEvent told(row, QAccessible::Alert);
        QAccessible::updateAccessibility(&told);
    }
}

void StandingActs::dismiss(quint64 number)
{
    m_dismissed.insert(number);
    remove(number);
}

void StandingActs::remove(quint64 number)
{
    const auto found = std::ranges::find_if(m_rows, [&](const auto *row) { return row->act().number == number; });
    if (found == m_rows.end())
        return;
    (*found)->hide();
    (*found)->deleteLater();
    m_rows.erase(found);
    setVisible(!m_rows.empty());
    Q_EMIT changed();
}

} // namespace handreset::views

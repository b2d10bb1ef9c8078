#include "views/act_bar.h"

#include "model/live/desk_session.h"
#include "model/rules/words_of_time.h"
#include "views/desk_style.h"
#include "views/host_trouble_line.h"
#include "views/plain_label.h"
#include "views/reason_line.h"
#include "views/standing_acts.h"

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

constexpr int kLeastReason = 10; ///< characters (spec 3.4)

/// "nothing is in force yet: waits for a second person, request 812, until 02:24 UTC".
[[nodiscard]] QString waitingWords(const live::ActState &act)
{
    const QString request = QString::number(act.request.value);
    if (!act.requestUntil)
        return ActBar::tr("nothing is in force yet: waits for a second person, request %1").arg(request);
    return ActBar::tr("nothing is in force yet: waits for a second person, request %1, until %2 UTC")
        .arg(request, QString::fromStdString(rules::utcClock(*act.requestUntil)).left(5));
}

} // namespace

ActBar::ActBar(live::DeskSession &session, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_host(new HostTroubleLine(session, this)),
      m_standing(new StandingActs(session, this)),
      m_news(new QWidget(this)),
      m_words(new PlainLabel(m_news)),
      m_more(new PlainLabel(m_news)),
      m_show(new QPushButton(tr("Show"), m_news)),
      m_why(new QWidget(this)),
      m_inFlight(new PlainLabel(m_why)),
      m_reason(new ReasonLine(session, kLeastReason, QStringLiteral("stopReasonEdit"),
                              tr("Reason of the stop; Enter sends it. The stop is in force either way."), m_why))
{
    setObjectName(QStringLiteral("actBar"));
    makeNews();
    m_inFlight->setObjectName(QStringLiteral("stopInFlightWords"));
    m_inFlight->setLook(TextSize::Secondary, QFont::DemiBold);
    auto *why = new QVBoxLayout(m_why);
    why->setContentsMargins(24, 0, 20, 6);
    why->setSpacing(2);
    why->addWidget(m_inFlight);
    why->addWidget(m_reason);
    auto *lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 1, 0, 0);
    lines->setSpacing(0);
    for (QWidget *line : std::initializer_list<QWidget *>{m_host, m_standing, m_news, m_why})
        lines->addWidget(line);
    m_why->hide();
    settle();
    connect(&session, &live::DeskSession::actMoved, this, &ActBar::showAct);
    connect(&session, &live::DeskSession::tripsAppeared, this, [this](const auto &trips) { showTrips(trips, false); });
    connect(&session, &live::DeskSession::tripsWorsened, this, [this](const auto &trips) { showTrips(trips, true); });
    connect(&session, &live::DeskSession::requestsAppeared, this, &ActBar::showRequests);
    connect(&session, &live::DeskSession::stopsSeen, this, &ActBar::showInFlight);
    connect(m_host, &HostTroubleLine::changed, this, &ActBar::settle);
    connect(m_standing, &StandingActs::changed, this, &ActBar::settle);
    connect(m_standing, &StandingActs::stopAgainRequested, this, &ActBar::stopAgainRequested);
    connect(m_reason, &ReasonLine::given, this, [this](const QString &reason) {
        m_reason->follow(m_session.giveReason(m_unexplained.front().trip, reason));
    });
    connect(m_reason, &ReasonLine::accepted, this, &ActBar::askNext);
    connect(m_reason, &ReasonLine::left, this, &ActBar::askNext);
}

void ActBar::makeNews()
{
    m_news->setFixedHeight(43);
    m_words->setObjectName(QStringLiteral("actWords"));
    m_words->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_more->setObjectName(QStringLiteral("actMore"));
    m_more->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    m_show->setObjectName(QStringLiteral("showTripButton"));
    m_show->setFocusPolicy(Qt::TabFocus);
    m_show->hide();
    auto *line = new QHBoxLayout(m_news);
    line->setContentsMargins(24, 0, 20, 0);
    line->setSpacing(12);
    line->addWidget(m_words);
    line->addWidget(m_more, 1);
    line->addWidget(m_show);
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (m_request.isSet())
            Q_EMIT requestRequested(m_request);
        else
            Q_EMIT tripRequested(m_tripAgent, m_trip);
    });
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
    m_hasNews = true;
    settle();
    if (QAccessible::isActive()) {
        QAccessibleEvent told(m_words, QAccessible::Alert);
        QAccessible::updateAccessibility(&told);
    }
}

void ActBar::settle()
{
    m_news->setVisible(m_hasNews);
    m_why->setVisible(!m_unexplained.empty());
    const bool any = !m_host->isHidden() || !m_standing->isEmpty() || m_hasNews || !m_unexplained.empty();
    setVisible(any);
    update();
}

void ActBar::showAct(const live::ActState &act)
{
    if (act.kind == ActKind::Stop && act.stage == ActStage::Committed)
        askReason(act);
    m_standing->showAct(act); // whichever of the two hears of it first
    if (act.number < m_act.number)
        return; // a newer one is on show
    const bool wasOnShow = act.number == m_act.number;
    m_act = act;
    if (m_standing->holds(act.number)) { // it has a line of its own
        m_hasNews = m_hasNews && !wasOnShow;
        settle();
        return;
    }
    switch (act.stage) {
    case ActStage::NeedsKey:
        shown(act.words,
              act.trouble.isEmpty() ? tr("needs your key: nothing is sent yet")
                                    : tr("needs your key again. %1").arg(act.trouble), // its signature is too old
              act.kind == ActKind::Stop);
        break;
    case ActStage::Waiting:
        shown(act.words, waitingWords(act), false);
        break;
    case ActStage::Requested:
        if (act.trouble.isEmpty()) // else it was dismissed
            shown(act.words, tr("requested…"), false);
        break;
    case ActStage::Committed:
        shown(act.words, tr("requested, committed; not seen back yet…"), false);
        break;
    case ActStage::Confirmed:
        shown(act.words, tr("requested, committed, confirmed by the decision loop"), false);
        break;
    case ActStage::Unconfirmed:
        break; // dismissed
    case ActStage::Refused:
        shown(tr("NOT done: %1").arg(act.words), act.trouble, true);
        break;
    case ActStage::Failed:
        shown(tr("NOT done: %1").arg(act.words), act.trouble + tr(" It is not tried again by itself."), true);
        break;
    }
}

// ---- Why a stop was made -----------------------------------------------------------------------------------

void ActBar::askReason(const live::ActState &stop)
{
    if (std::ranges::any_of(m_unexplained, [&](const live::ActState &other) { return other.trip == stop.trip; }))
        return;
    m_unexplained.push_back(stop);
    if (m_unexplained.size() > 1)
        return; // one question at a time: its words are not taken away
    showInFlight();
    settle();
    m_reason->ask(tr("Why did you %1?").arg(stop.words));
}

void ActBar::askNext()
{
    m_unexplained.pop_front();
    settle();
    if (m_unexplained.empty())
        return;
    showInFlight();
    m_reason->ask(tr("Why did you %1?").arg(m_unexplained.front().words));
}

void ActBar::showInFlight()
{
    if (m_unexplained.empty())
        return;
    const live::StopSeen *seen = m_session.stopSeen(m_unexplained.front().trip);
    m_inFlight->setVisible(seen != nullptr);
    if (!seen)
        return;
    QStringList calls;
    for (const live::InFlight &flight : seen->inFlight.latest)
        calls.append(tr("%1 (allowed %2 before)")
                         .arg(flight.summary, QString::fromStdString(rules::shortLength(seen->at - flight.askedAt))));
    const int more = seen->inFlight.count - static_cast<int>(calls.size());
    if (more > 0)
        calls.append(tr("and %1 more").arg(more));
    m_inFlight->setPlain(calls.isEmpty()
                             ? tr("In flight at the stop: nothing.")
                             : tr("In flight at the stop, may still happen: %1").arg(calls.join(QStringLiteral(", "))));
}

// ---- News of trips -----------------------------------------------------------------------------------------

void ActBar::showTrips(const std::vector<live::TripRow> &trips, bool worse)
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
    m_request = {};
    QString more = first->measured;
    if (trips.size() > 1)
        more += tr(", and %1 more").arg(trips.size() - 1);
    shown((worse ? tr("%1 got worse: %2, to acknowledge again") : tr("%1 tripped: %2"))
              .arg(first->agentName, first->title),
          more, true);
    m_show->show();
}

void ActBar::showRequests(const std::vector<live::RequestRow> &requests)
{
    const auto glass = std::ranges::find(requests, live::RequestState::OpenReview, &live::RequestRow::state);
    const live::RequestRow &first = glass == requests.end() ? requests.front() : *glass;
    m_request = first.seq;
    QString more = first.why;
    if (requests.size() > 1)
        more += tr(", and %1 more").arg(requests.size() - 1);
    const QString words = first.state == live::RequestState::OpenReview ? tr("GLASS BROKEN: %1 of %2 by %3 alone")
                                                                        : tr("Waits for you: %1 of %2, asked by %3");
    shown(words.arg(first.act, first.about, first.by), more, true);
    m_show->show();
}

void ActBar::paintEvent(QPaintEvent *)
{
    const Colours &colours = coloursOf(*this);
    QPainter painter(this);
    painter.fillRect(rect(), colours.raised);
    painter.fillRect(0, 0, width(), 1, colours.line);
}

} // namespace handreset::views

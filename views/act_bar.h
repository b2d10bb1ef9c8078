// The lines at the foot of the window: what the host waits for a person's word for; acts that are not in force or not
// confirmed, until they are; what the last act has come to, or new trips as they come; and the reason of a stop, asked
// afterwards, with what was in flight. News is never a dialogue box. GUI thread; owned by its Qt parent; the session
// outlives it.
#pragma once

#include "model/live/acts.h"
#include "model/live/request_row.h"
#include "model/live/rows.h"

#include <QWidget>

#include <deque>
#include <vector>

class QPushButton;

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class HostTroubleLine;
class PlainLabel;
class ReasonLine;
class StandingActs;

class ActBar : public QWidget {
    Q_OBJECT

public:
    explicit ActBar(live::DeskSession &session, QWidget *parent = nullptr);

    /// One line of news that is not an act: "a new store was made at …".
    void tell(const QString &words);

Q_SIGNALS:
    /// "Show" of a new trip; the agent is none for the fleet's.
    void tripRequested(handreset::rules::AgentId agent, handreset::rules::TripId trip);
    /// "Show" of a request, or of broken glass.
    void requestRequested(handreset::rules::Seq request);
    /// The one key to stop again what is not confirmed.
    void stopAgainRequested(handreset::rules::AgentId agent);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void makeNews();
    void showAct(const live::ActState &act);
    void showTrips(const std::vector<live::TripRow> &trips, bool worse);
    void showRequests(const std::vector<live::RequestRow> &requests);
    void askReason(const live::ActState &stop);
    void askNext();
    void showInFlight();
    void shown(const QString &words, const QString &more, bool loud);
    void settle();

    live::DeskSession &m_session;
    live::ActState m_act;
    rules::AgentId m_tripAgent;
    rules::TripId m_trip;
    rules::Seq m_request;                     ///< that "Show" is about; none: the trip
    std::deque<live::ActState> m_unexplained; ///< stops without a reason; the first is asked about
    bool m_hasNews = false;
    HostTroubleLine *m_host;
    StandingActs *m_standing;
    QWidget *m_news;
    PlainLabel *m_words;
    PlainLabel *m_more;
    QPushButton *m_show;
    QWidget *m_why;
    PlainLabel *m_inFlight;
    ReasonLine *m_reason;
};

} // namespace handreset::views

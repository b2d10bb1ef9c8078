// The line at the foot of the window: what the last act has come to (requested, committed, confirmed), the reason of a
// stop asked afterwards, and new trips as they come. News is never a dialogue box. GUI thread; owned by its Qt parent;
// the session outlives it.
#pragma once

#include "model/live/acts.h"
#include "model/live/rows.h"

#include <QWidget>

#include <vector>

class QLineEdit;
class QPushButton;

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class PlainLabel;

class ActBar : public QWidget {
    Q_OBJECT

public:
    explicit ActBar(live::DeskSession &session, QWidget *parent = nullptr);

    /// One line of news that is not an act: "a new store was made at …".
    void tell(const QString &words);

Q_SIGNALS:
    /// "Show" of a new trip.
    void tripRequested(handreset::rules::AgentId agent, handreset::rules::TripId trip);
    /// The one key to stop again what is not confirmed.
    void stopAgainRequested(handreset::rules::AgentId agent);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void showAct(const live::ActState &act);
    void showTrips(const std::vector<live::TripRow> &trips);
    void askReason(const live::ActState &stop);
    void sendReason();
    void shown(const QString &words, const QString &more, bool loud);

    live::DeskSession &m_session;
    live::ActState m_act;
    rules::AgentId m_tripAgent;
    rules::TripId m_trip;
    rules::TripId m_reasonFor;
    bool m_hatched = false;
    PlainLabel *m_words;
    PlainLabel *m_more;
    QPushButton *m_show;
    QPushButton *m_stopAgain;
    PlainLabel *m_reasonWords;
    QLineEdit *m_reason;
};

} // namespace handreset::views

// One tool's breaker: its live graph, what ends its cooldown, and an operator's acts on it with their reason. GUI thread;
// owned by its Qt parent; the session outlives it.
#pragma once

#include "model/live/subject_detail.h"
#include "model/rules/breaker.h"
#include "views/card.h"

#include <utility>
#include <vector>

class QComboBox;
class QPushButton;

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class PlainLabel;
class ReasonLine;
class StateGraph;

class BreakerCard : public Card {
    Q_OBJECT

public:
    explicit BreakerCard(live::DeskSession &session, QWidget *parent = nullptr);

    /// The chosen breaker, and those that may be chosen beside it.
    void setDetail(const live::SubjectDetail &detail, bool stale);

Q_SIGNALS:
    void breakerChosen(const handreset::rules::BreakerKey &key);
    /// An edge was clicked: its events should be listed.
    void rowActivated(int row);

private:
    void makeActs();
    void showChoice(const live::SubjectDetail &detail);
    void showActs(const live::BreakerDetail &breaker);
    void ask(rules::BreakerEvent act);
    void send(const QString &reason);

    live::DeskSession &m_session;
    QComboBox *m_choice;
    StateGraph *m_graph;
    PlainLabel *m_none;
    QWidget *m_acts;
    std::vector<std::pair<rules::BreakerEvent, QPushButton *>> m_buttons;
    ReasonLine *m_reason;
    rules::BreakerEvent m_asked = rules::BreakerEvent::Isolate;
    live::BreakerRow m_askedFor;
    live::BreakerRow m_shown;
    std::vector<rules::BreakerKey> m_choices;
};

} // namespace handreset::views

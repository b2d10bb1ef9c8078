// Acts that are not what they should be: a stop that is not in force yet, an act that nobody has seen back. One line
// each; it stays until that is resolved or a person dismisses it, whatever else happens meanwhile. GUI thread; owned by
// its Qt parent; the session outlives it.
#pragma once

#include "model/live/acts.h"

#include <QSet>
#include <QWidget>

#include <vector>

class QPushButton;
class QVBoxLayout;

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class PlainLabel;

/// One such act.
class StandingActRow : public QWidget {
    Q_OBJECT

public:
    explicit StandingActRow(const live::ActState &act, QWidget *parent = nullptr);

    void setAct(const live::ActState &act);
    [[nodiscard]] const live::ActState &act() const { return m_act; }

Q_SIGNALS:
    void stopAgainRequested(handreset::rules::AgentId agent);
    void dismissed(quint64 number);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    live::ActState m_act;
    PlainLabel *m_words;
    PlainLabel *m_more;
    QPushButton *m_stopAgain;
    QPushButton *m_dismiss;
};

class StandingActs : public QWidget {
    Q_OBJECT

public:
    explicit StandingActs(live::DeskSession &session, QWidget *parent = nullptr);

    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
    /// True when this act has a line here.
    [[nodiscard]] bool holds(quint64 number) const;
    /// Takes the act's line up, changes it, or takes it away.
    void showAct(const live::ActState &act);

Q_SIGNALS:
    void stopAgainRequested(handreset::rules::AgentId agent);
    void changed();

private:
    void remove(quint64 number);
    void dismiss(quint64 number);

    QVBoxLayout *m_list;
    std::vector<StandingActRow *> m_rows; ///< the oldest first
    QSet<quint64> m_dismissed;
};

} // namespace handreset::views

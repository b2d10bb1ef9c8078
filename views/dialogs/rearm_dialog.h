// The re-arm of one agent, or of the fleet, read from top to bottom as the decision is made (console, "Re-arm"): what
// it is and will be; each trip with its evidence and a tick; what is still missing; cause and reason; what the act does
// not do; Cancel with the focus, and far from it the button to hold. Enter never re-arms. GUI thread; owned by its Qt
// parent; the session outlives it. Failure: nothing is written, the words stay, what is new is marked; it never tries
// again by itself.
#pragma once

#include "model/live/subject_detail.h"
#include "views/dialogs/rearm_sender.h"

#include <QDialog>

#include <memory>
#include <vector>

class QComboBox;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class HoldButton;
class MarkLabel;
class PermissiveList;
class PlainLabel;
class QueueChoice;
class RearmTripRow;

class RearmDialog : public QDialog {
    Q_OBJECT

public:
    /// The session's focus must be the agent, or the fleet. `ticked`: the trip that asked; none: all that a person may
    /// lift. `holdClock`: milliseconds for the hold button, for tests.
    RearmDialog(live::DeskSession &session, const std::shared_ptr<const live::SubjectDetail> &detail,
                rules::TripId ticked, QWidget *parent = nullptr, std::function<qint64()> holdClock = {});

    /// What is seen is the present from now on; marks of what was new stay until the next change.
    void lookAgain();
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void showEvent(QShowEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void makeHead(QVBoxLayout &page);
    void makeTrips(QVBoxLayout &page);
    void makePermissives(QVBoxLayout &page);
    void makeWords(QVBoxLayout &page);
    void makeFoot(QVBoxLayout &outer, std::function<qint64()> holdClock);
    void showSubject();
    void showTrips();
    void showQueue();
    void orderTabs();
    void showState();
    void ownActMoved(const live::ActState &act);
    void confirm();
    void ownRearmMoved(rules::AgentId whose, rules::Revision revision);
    void waits(const live::ActState &act, const QStringList &notTried);
    /// What asks for a second person for what is ticked; empty: nothing does.
    [[nodiscard]] QString secondPerson() const;
    /// A request on what is ticked that waits already, in words; empty: none.
    [[nodiscard]] QString waitingRequest() const;
    void notDone(const QString &why, const QStringList &done, const QStringList &notTried);
    void say(const QString &words, bool loud);
    [[nodiscard]] std::vector<const live::TripDetail *> ticked() const;
    [[nodiscard]] std::vector<PlannedRearm> plan() const;
    void decideTasks(std::vector<PlannedRearm> &plan) const;
    [[nodiscard]] QString afterWords() const;
    [[nodiscard]] QString fleetWords() const;
    [[nodiscard]] QString restWords(rules::TripId lifted) const;
    /// The worst trip that will still hold the switch when what is ticked is lifted, and `besides`; null: none.
    [[nodiscard]] const live::TripDetail *holderAfter(rules::TripId besides) const;
    [[nodiscard]] bool isElsewhere(const live::TripDetail &trip) const;
    [[nodiscard]] QString reasonProblem() const;
    [[nodiscard]] bool grantMissing() const;
    [[nodiscard]] bool isChanged() const;
    [[nodiscard]] bool mayConfirm() const;
    void suggestTarget();

    live::DeskSession &m_session;
    std::shared_ptr<const live::SubjectDetail> m_seen; ///< what the person has looked at
    std::shared_ptr<const live::SubjectDetail> m_now;
    rules::Revision m_ownRevision; ///< up to here, all since `m_seen` were acts of ours from within this dialogue
    RearmSender m_sender;
    bool m_targetChosen = false;
    QWidget *m_content = nullptr;
    MarkLabel *m_mark = nullptr;
    PlainLabel *m_revision = nullptr;
    PlainLabel *m_after = nullptr;
    PlainLabel *m_fleet = nullptr; ///< whom the act lets go; the fleet's only
    QWidget *m_changedLine = nullptr;
    PlainLabel *m_changedWords = nullptr;
    QPushButton *m_lookAgain = nullptr;
    QVBoxLayout *m_tripList = nullptr;
    std::vector<RearmTripRow *> m_trips;
    PermissiveList *m_permissives = nullptr;
    QPushButton *m_acknowledge = nullptr;
    QVBoxLayout *m_queueList = nullptr;
    std::vector<QueueChoice *> m_choices;
    std::vector<PlainLabel *> m_lastEvents;
    QComboBox *m_target = nullptr;
    QComboBox *m_cause = nullptr;
    QLineEdit *m_reason = nullptr;
    PlainLabel *m_reasonProblem = nullptr;
    PlainLabel *m_notDone = nullptr; ///< what the act does not do
    PlainLabel *m_result = nullptr;
    QPushButton *m_cancel = nullptr;
    QLineEdit *m_name = nullptr;
    HoldButton *m_hold = nullptr;
};

/// The causes to choose from; the words go into the log.
[[nodiscard]] QStringList rearmCauses();

} // namespace handreset::views

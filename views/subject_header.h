// The head of the subject's page: who it is, its state with its meaning, and the acts. GUI thread; owned by its Qt parent.
#pragma once

#include "model/live/subject_detail.h"

#include <QWidget>

namespace handreset::views {

class ActionButton;
class MarkLabel;
class PlainLabel;

class SubjectHeader : public QWidget {
    Q_OBJECT

public:
    explicit SubjectHeader(QWidget *parent = nullptr);

    void setAgent(const live::SubjectDetail &detail, bool canAcknowledge, bool stale, qint64 ageMs);
    void setBreaker(const live::BreakerDetail &detail, bool stale, qint64 ageMs);

Q_SIGNALS:
    void acknowledgeRequested();
    void grantRequested();
    void rearmRequested();
    void stopRequested();

private:
    void showStale(bool stale, qint64 ageMs);

    MarkLabel *m_mark;
    PlainLabel *m_name;
    PlainLabel *m_state;
    PlainLabel *m_since;
    PlainLabel *m_more;
    ActionButton *m_acknowledge;
    ActionButton *m_grant;
    ActionButton *m_rearm;
    ActionButton *m_stop;
};

} // namespace handreset::views

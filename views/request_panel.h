// One request beside its list: who asks for what and why, what would change, and the acts of the person who looks at
// it: approve by holding a button, decline or withdraw with a reason, close the review of broken glass. What cannot be
// done says why. GUI thread; owned by its Qt parent; the session outlives it. Failure: the words stay until the host
// has accepted them; the line at the window's foot says what became of the act.
#pragma once

#include "model/live/request_row.h"

#include <QWidget>

#include <functional>
#include <optional>

class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace handreset::live {
class DeskSession;
struct ActState;
} // namespace handreset::live

namespace handreset::views {

class HoldButton;
class PlainLabel;

class RequestPanel : public QWidget {
    Q_OBJECT

public:
    explicit RequestPanel(live::DeskSession &session, QWidget *parent = nullptr);

    /// None: nothing is selected.
    void show(const live::RequestRow *request);

private:
    void approve();
    void endIt();
    void showState();
    void showAct(const live::ActState &act);
    [[nodiscard]] QString placeWords() const;
    [[nodiscard]] QString why() const;
    [[nodiscard]] bool isOwn() const;

    live::DeskSession &m_session;
    std::optional<live::RequestRow> m_request;
    quint64 m_act = 0; ///< on its way; 0: none
    PlainLabel *m_title;
    PlainLabel *m_who;
    PlainLabel *m_place; ///< where two words would come from one place
    PlainLabel *m_whyTwo;
    PlainLabel *m_reason;
    PlainLabel *m_state;
    QPlainTextEdit *m_changes;
    PlainLabel *m_wordsHead;
    QLineEdit *m_words;
    PlainLabel *m_missing;
    QPushButton *m_end;
    HoldButton *m_approve;
};

} // namespace handreset::views

// One line that asks a person why: the question, the field, what is wrong with what was given, and "Leave". The words
// stay until the host has accepted them: a refusal is said beside them. GUI thread; owned by its Qt parent; the session
// outlives it.
#pragma once

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace handreset::live {
class DeskSession;
struct ActState;
} // namespace handreset::live

namespace handreset::views {

class PlainLabel;

class ReasonLine : public QWidget {
    Q_OBJECT

public:
    /// `least`: how many characters the host will ask for.
    ReasonLine(live::DeskSession &session, int least, const QString &fieldName, const QString &placeholder,
               QWidget *parent = nullptr);

    /// Shows the question, with the keyboard in the field. Words that stand there already stay.
    void ask(const QString &question);
    /// The act that the words went with: they stay until it is in the log.
    void follow(quint64 act);
    /// Leaves the question unanswered.
    void leave();
    /// Not hidden by itself; its page may be.
    [[nodiscard]] bool isAsking() const { return !isHidden(); }

Q_SIGNALS:
    /// Enter, with enough words.
    void given(const QString &reason);
    void accepted();
    void left();

private:
    void send();
    void showAct(const live::ActState &act);
    void say(const QString &trouble);

    int m_least;
    quint64 m_act = 0; ///< on its way; 0: none
    PlainLabel *m_question;
    QLineEdit *m_field;
    PlainLabel *m_trouble;
    QPushButton *m_leave;
};

} // namespace handreset::views

// What the small dialogues of an act with a reason share: what it is about, the reason, what is still missing, what
// became of it, Cancel with the focus, and the button that acts. Enter acts only upon that button. The words stay until
// the host has accepted them. GUI thread; owned by its Qt parent; the session outlives it.
#pragma once

#include <QDialog>

class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace handreset::live {
class DeskSession;
struct ActState;
} // namespace handreset::live

namespace handreset::views {

class PlainLabel;

class ReasonDialog : public QDialog {
    Q_OBJECT

protected:
    /// `verb`: what the acting button says.
    ReasonDialog(live::DeskSession &session, const QString &title, const QString &verb, QWidget *parent);

    [[nodiscard]] live::DeskSession &session() { return m_session; }
    /// Where a dialogue puts what it is about.
    [[nodiscard]] QVBoxLayout *body() { return m_body; }
    /// Words of ours or of others that may take several lines.
    void addParagraph(const QString &untrusted);
    /// What is missing besides the reason; empty: nothing.
    [[nodiscard]] virtual QString problem() const { return {}; }
    /// Sends the act and gives its number.
    [[nodiscard]] virtual quint64 send(const QString &reason) = 0;
    /// What a person can do where the host said no.
    [[nodiscard]] virtual QString remedy() const { return {}; }
    void showState();
    void showEvent(QShowEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void act();
    void showAct(const live::ActState &act);
    void say(const QString &words, bool loud);

    live::DeskSession &m_session;
    quint64 m_act = 0; ///< on its way; 0: none
    QVBoxLayout *m_body;
    QLineEdit *m_reason;
    PlainLabel *m_missing;
    PlainLabel *m_result;
    PlainLabel *m_remedy;
    QPushButton *m_cancel;
    QPushButton *m_do;
};

} // namespace handreset::views

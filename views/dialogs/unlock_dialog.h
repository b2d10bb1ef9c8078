// Asks for the passphrase of the operator's key: whose key it is, what waits for it, and what was wrong with the last
// try. Enter unlocks; Esc leaves the key locked, and what waits for it is not sent. GUI thread; owned by its Qt parent;
// the session outlives it. Failure: a wrong passphrase is said in place. The passphrase goes to the key alone and is
// wiped here.
#pragma once

#include <QDialog>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class PlainLabel;

class UnlockDialog : public QDialog {
    Q_OBJECT

public:
    explicit UnlockDialog(live::DeskSession &session, QWidget *parent = nullptr);

    void done(int result) override;

private:
    void showWaiting();
    void tryIt();
    void say(const QString &words, bool loud);
    void setTrying(bool isTrying);

    live::DeskSession &m_session;
    PlainLabel *m_waiting;
    QComboBox *m_operator;
    QLineEdit *m_passphrase;
    PlainLabel *m_words;
    QPushButton *m_unlock;
};

} // namespace handreset::views

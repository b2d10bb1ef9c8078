// The stop of the whole fleet, asked once more: the word is typed, for it reaches every agent. The reason is asked
// afterwards, as of any stop. GUI thread; owned by its Qt parent; the session outlives it.
#pragma once

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class StopFleetDialog : public QDialog {
    Q_OBJECT

public:
    explicit StopFleetDialog(live::DeskSession &session, QWidget *parent = nullptr);

private:
    void stop();
    [[nodiscard]] bool isTyped() const;

    live::DeskSession &m_session;
    QLineEdit *m_word;
    QPushButton *m_stop;
};

} // namespace handreset::views

// The line that says that the host waits for a person's word, because its store failed or its clock jumped, and the
// button to give it. It stands for as long as that is so. GUI thread; owned by its Qt parent; the session outlives it.
#pragma once

#include "views/dialogs/host_word_dialog.h"

#include <QWidget>

class QPushButton;

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class PlainLabel;

class HostTroubleLine : public QWidget {
    Q_OBJECT

public:
    explicit HostTroubleLine(live::DeskSession &session, QWidget *parent = nullptr);

Q_SIGNALS:
    void changed();

private:
    void showHost();
    void openDialog();

    live::DeskSession &m_session;
    std::optional<HostWord> m_asked;
    PlainLabel *m_words;
    PlainLabel *m_more;
    QPushButton *m_button;
};

} // namespace handreset::views

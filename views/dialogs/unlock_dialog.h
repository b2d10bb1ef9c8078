// Unlocks the key of the person at this desk. What waits for it is named; left with Esc, the key stays locked and what
// waits is not sent. GUI thread; owned by its Qt parent; the session outlives it.
#pragma once

#include "views/dialogs/passphrase_dialog.h"

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class UnlockDialog : public PassphraseDialog {
    Q_OBJECT

public:
    explicit UnlockDialog(live::DeskSession &session, QWidget *parent = nullptr);

    void done(int result) override;

private:
    void showWaiting();

    live::DeskSession &m_session;
    PlainLabel *m_waiting;
};

} // namespace handreset::views

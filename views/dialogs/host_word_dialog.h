// A person's word that the host waits for: that the clock is right after it jumped, or that a store that failed may be
// trusted again (spec 4). Without it the desk, which holds the store's lock, would lock the command line out of both.
// GUI thread; owned by its Qt parent; the session outlives it. Failure: the host's "no" stands beside the words.
#pragma once

#include "views/dialogs/reason_dialog.h"

#include <cstdint>
#include <optional>

namespace handreset::views {

enum class HostWord : std::uint8_t { ConfirmTime, TrustStore };

/// Which word the host waits for now; none while all is well, or where nothing can be done (a copy, a replay).
[[nodiscard]] std::optional<HostWord> hostWordAsked(const live::DeskSession &session);

class HostWordDialog : public ReasonDialog {
    Q_OBJECT

public:
    HostWordDialog(live::DeskSession &session, HostWord word, QWidget *parent);

protected:
    [[nodiscard]] quint64 send(const QString &reason) override;
    [[nodiscard]] QString remedy() const override;

private:
    HostWord m_word;
};

} // namespace handreset::views

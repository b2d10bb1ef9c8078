// A grant: how many more steps, or an allowance until the window ends, for one limit of one agent, with a reason (spec
// 3.3, 3.4). It raises the limit and lifts no trip. GUI thread; owned by its Qt parent; the session outlives it.
#pragma once

#include "model/live/subject_detail.h"
#include "model/rules/event.h"
#include "views/dialogs/reason_dialog.h"

#include <memory>
#include <optional>

class QComboBox;

namespace handreset::views {

class GrantDialog : public ReasonDialog {
    Q_OBJECT

public:
    /// `detail` must have something to grant. `trip`: whose limit is chosen first; none: the first.
    GrantDialog(live::DeskSession &session, std::shared_ptr<const live::SubjectDetail> detail, rules::TripId trip,
                QWidget *parent);

protected:
    [[nodiscard]] QString problem() const override;
    [[nodiscard]] quint64 send(const QString &reason) override;

private:
    [[nodiscard]] const live::GrantOption &chosen() const;
    [[nodiscard]] std::optional<rules::Grant> grant() const;
    void showOption();

    std::shared_ptr<const live::SubjectDetail> m_detail;
    QComboBox *m_limit;
    PlainLabel *m_used;
    QLineEdit *m_amount;
    PlainLabel *m_unit;
};

/// True when the trip is one of this limit.
[[nodiscard]] bool isOfLimit(const live::GrantOption &option, const rules::TripSubject &trip);

} // namespace handreset::views

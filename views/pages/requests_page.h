// What waits for a second person's word, and what somebody did alone: one row each, with what would change beside it.
// GUI thread; owned by its Qt parent.
#pragma once

#include "views/pages/list_page.h"

namespace handreset::live {
struct RequestRow;
}

namespace handreset::views {

class RequestPanel;

class RequestsPage : public ListPage {
    Q_OBJECT

public:
    explicit RequestsPage(live::DeskSession &session, QWidget *parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Requests"); }
    [[nodiscard]] QList<KeyHelp> keys() const override;
    [[nodiscard]] std::optional<rules::AgentId> agent() const override;
    void select(rules::Seq request);

protected:
    [[nodiscard]] QString words() const override;
    void showSelection() override;

private:
    [[nodiscard]] const live::RequestRow *selected() const;

    RequestPanel *m_panel;
};

} // namespace handreset::views

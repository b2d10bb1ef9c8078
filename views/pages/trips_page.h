// The inbox: one row a trip, with the keys to acknowledge, open and re-arm it. GUI thread; owned by its Qt parent.
#pragma once

#include "views/pages/list_page.h"

namespace handreset::live {
struct TripRow;
}

namespace handreset::views {

class ActionButton;

class TripsPage : public ListPage {
    Q_OBJECT

public:
    explicit TripsPage(live::DeskSession &session, QWidget *parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Trips"); }
    [[nodiscard]] QList<KeyHelp> keys() const override;
    [[nodiscard]] std::optional<rules::AgentId> agent() const override;
    void acknowledge() override;
    void rearm() override;
    void grant() override;

protected:
    [[nodiscard]] QString words() const override;
    void showSelection() override;

private:
    [[nodiscard]] const live::TripRow *selected() const;
    void open(qulonglong key);
    void sayWhyNot(const live::TripRow *row);

    ActionButton *m_acknowledge;
    ActionButton *m_rearm;
};

} // namespace handreset::views

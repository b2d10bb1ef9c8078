// The log's newest events, one row each, as they come. GUI thread; owned by its Qt parent.
#pragma once

#include "views/pages/list_page.h"

namespace handreset::live {
struct BreakerRow;
}

namespace handreset::views {

class EventsPage : public ListPage {
    Q_OBJECT

public:
    explicit EventsPage(live::DeskSession &session, QWidget *parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Events"); }
    [[nodiscard]] QList<KeyHelp> keys() const override;
    /// Only the events in which this breaker took this row of its table.
    void showTransitions(const live::BreakerRow &breaker, std::uint8_t row);

protected:
    [[nodiscard]] QString words() const override;
};

} // namespace handreset::views

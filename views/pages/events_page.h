// The log's newest events, one row each, as they come. GUI thread; owned by its Qt parent.
#pragma once

#include "views/pages/list_page.h"

namespace handreset::views {

class EventsPage : public ListPage {
    Q_OBJECT

public:
    explicit EventsPage(live::DeskSession &session, QWidget *parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Events"); }
    [[nodiscard]] QList<KeyHelp> keys() const override;
    /// Only the events that match; typed into the filter, so that it can be changed.
    void showMatching(const QString &filter);

protected:
    [[nodiscard]] QString words() const override;
};

} // namespace handreset::views

// What a page shows while there is nothing on it: what will stand here, and the command that feeds it. GUI thread; owned
// by its Qt parent.
#pragma once

#include <QWidget>

namespace handreset::views {

class EmptyState : public QWidget {
    Q_OBJECT

public:
    /// `command` can be selected and copied; empty: none.
    EmptyState(const QString &title, const QString &words, const QString &command, QWidget *parent = nullptr);
};

} // namespace handreset::views

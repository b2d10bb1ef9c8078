// What a page shows while there is nothing on it: what will stand here, and the command that feeds it. GUI thread; owned
// by its Qt parent.
#pragma once

#include "views/data_trouble.h"

#include <QWidget>

class QLabel;

namespace handreset::views {

class PlainLabel;

class EmptyState : public QWidget {
    Q_OBJECT

public:
    /// `command` can be selected and copied; empty: none.
    EmptyState(const QString &title, const QString &words, const QString &command, QWidget *parent = nullptr);

    /// Says what is wrong in place of its own words; none: its own again.
    void setTrouble(const std::optional<DataTrouble> &trouble);

private:
    void say(const DataTrouble &said);

    DataTrouble m_own;
    PlainLabel *m_title;
    QLabel *m_words;
    QLabel *m_command;
};

} // namespace handreset::views

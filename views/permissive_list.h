// What must be true before a re-arm, line by line: a tick, a cross or a question mark, and the proof. GUI thread; owned
// by its Qt parent.
#pragma once

#include "model/rules/permissives.h"

#include <QWidget>

#include <vector>

class QGridLayout;

namespace handreset::views {

class PlainLabel;

class PermissiveList : public QWidget {
    Q_OBJECT

public:
    explicit PermissiveList(QWidget *parent = nullptr);

    void setPermissives(const std::vector<rules::Permissive> &permissives);
    [[nodiscard]] bool allMet() const { return rules::allMet(m_shown); }

private:
    struct Line {
        PlainLabel *sign;
        PlainLabel *name;
        PlainLabel *value;
    };

    QGridLayout *m_grid;
    std::vector<Line> m_lines;
    std::vector<rules::Permissive> m_shown;
};

} // namespace handreset::views

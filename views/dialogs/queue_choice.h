// What becomes of one queued task: resume, abandon or stay. Nothing is chosen for the person. GUI thread; owned by its
// Qt parent.
#pragma once

#include "model/live/subject_detail.h"
#include "model/rules/event.h"

#include <QWidget>

#include <optional>

class QButtonGroup;

namespace handreset::views {

class QueueChoice : public QWidget {
    Q_OBJECT

public:
    explicit QueueChoice(const live::QueuedTask &task, QWidget *parent = nullptr);

    [[nodiscard]] rules::TaskId task() const { return m_task; }
    /// None while nothing is chosen.
    [[nodiscard]] std::optional<rules::QueueVerb> choice() const;

Q_SIGNALS:
    void changed();

private:
    rules::TaskId m_task;
    QButtonGroup *m_group;
};

} // namespace handreset::views

// What becomes of one queued task: resume, abandon or stay, with what that means in words. Nothing is chosen for the
// person, and only a click, Space or Enter upon a button chooses: the arrows walk, for `abandon` is final. GUI thread;
// owned by its Qt parent.
#pragma once

#include "model/live/subject_detail.h"
#include "model/rules/event.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QPushButton;

namespace handreset::views {

class PlainLabel;

class QueueChoice : public QWidget {
    Q_OBJECT

public:
    explicit QueueChoice(const live::QueuedTask &task, QWidget *parent = nullptr);

    [[nodiscard]] rules::TaskId task() const { return m_task; }
    /// It keeps its place while no ticked trip holds the task, so that nothing moves under the pointer, but asks
    /// nothing.
    void setAsked(bool asked);
    /// None while nothing is chosen or asked.
    [[nodiscard]] std::optional<rules::QueueVerb> choice() const;
    /// In the order of Tab.
    [[nodiscard]] std::vector<QWidget *> tabStops() const;

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void choose(rules::QueueVerb verb);
    void showChoice();
    void walk(const QObject *from, int step);
    [[nodiscard]] QString consequence() const;

    rules::TaskId m_task;
    QString m_name;
    bool m_asked = true;
    std::optional<rules::QueueVerb> m_choice;
    std::vector<std::pair<rules::QueueVerb, QPushButton *>> m_buttons;
    PlainLabel *m_words;
};

} // namespace handreset::views

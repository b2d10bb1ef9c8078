#include "views/dialogs/queue_choice.h"

#include "views/plain_label.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>

#include <utility>

namespace handreset::views {

using rules::QueueVerb;

QueueChoice::QueueChoice(const live::QueuedTask &task, QWidget *parent)
    : QWidget(parent), m_task(task.task), m_group(new QButtonGroup(this))
{
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(kStep * 2);
    auto *name = new PlainLabel(task.note.isEmpty() ? tr("task %1").arg(task.name)
                                                    : tr("task %1: %2").arg(task.name, task.note),
                                this);
    name->setLook(TextSize::Secondary, QFont::DemiBold);
    line->addWidget(name, 1);
    const std::pair<QueueVerb, QString> verbs[] = {
        {QueueVerb::Resume, tr("resume")}, {QueueVerb::Abandon, tr("abandon")}, {QueueVerb::Stay, tr("stay")}};
    for (const auto &[verb, words] : verbs) {
        auto *button = new QPushButton(words, this);
        button->setCheckable(true);
        button->setAutoDefault(false);
        button->setObjectName(
            QStringLiteral("decide_%1_%2").arg(task.name, QString::fromUtf8(rules::toWord(verb).data())));
        m_group->addButton(button, static_cast<int>(verb));
        line->addWidget(button);
    }
    connect(m_group, &QButtonGroup::idToggled, this, &QueueChoice::changed);
}

std::optional<QueueVerb> QueueChoice::choice() const
{
    const int id = m_group->checkedId();
    return id < 0 ? std::nullopt : std::optional(static_cast<QueueVerb>(id));
}

} // namespace handreset::views

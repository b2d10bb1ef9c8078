#include "views/dialogs/queue_choice.h"

#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QVBoxLayout>

namespace handreset::views {

using rules::QueueVerb;

namespace {

constexpr int kButtonWidth = 112; ///< with the tick: choosing moves no button

[[nodiscard]] QString wordOf(QueueVerb verb)
{
    return verb == QueueVerb::Resume ? QueueChoice::tr("resume")
        : verb == QueueVerb::Abandon ? QueueChoice::tr("abandon")
                                     : QueueChoice::tr("stay");
}

} // namespace

QueueChoice::QueueChoice(const live::QueuedTask &task, QWidget *parent)
    : QWidget(parent), m_task(task.task), m_name(task.name), m_words(new PlainLabel(this))
{
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(kStep * 2);
    QString title = task.agent.isEmpty() ? tr("task %1").arg(task.name) : tr("%1, task %2").arg(task.agent, task.name);
    if (!task.note.isEmpty())
        title = QStringLiteral("%1: %2").arg(title, task.note);
    auto *name = new PlainLabel(title, this);
    name->setLook(TextSize::Secondary, QFont::DemiBold);
    m_words->setObjectName(QStringLiteral("consequence_%1").arg(task.name));
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(name);
    words->addWidget(m_words);
    line->addLayout(words, 1);
    for (const QueueVerb verb : {QueueVerb::Resume, QueueVerb::Abandon, QueueVerb::Stay}) {
        auto *button = new QPushButton(wordOf(verb), this);
        button->setCheckable(true);
        button->setAutoDefault(false);
        button->setFixedWidth(kButtonWidth);
        button->setObjectName(
            QStringLiteral("decide_%1_%2").arg(task.name, QString::fromUtf8(rules::toWord(verb).data())));
        button->installEventFilter(this);
        connect(button, &QPushButton::clicked, this, [this, verb] { choose(verb); });
        m_buttons.emplace_back(verb, button);
        line->addWidget(button);
    }
    showChoice();
}

void QueueChoice::setAsked(bool asked)
{
    if (asked == m_asked)
        return;
    m_asked = asked;
    showChoice();
}

std::optional<QueueVerb> QueueChoice::choice() const
{
    return m_asked ? m_choice : std::nullopt;
}

std::vector<QWidget *> QueueChoice::tabStops() const
{
    std::vector<QWidget *> stops;
    for (const auto &[verb, button] : m_buttons)
        stops.push_back(button);
    return stops;
}

void QueueChoice::choose(QueueVerb verb)
{
    const bool other = m_choice != verb;
    m_choice = verb;
    showChoice(); // also where the chosen one was clicked again: it stays chosen
    if (other)
        Q_EMIT changed();
}

void QueueChoice::showChoice()
{
    for (const auto &[verb, button] : m_buttons) {
        const bool chosen = m_choice == verb;
        button->setChecked(chosen);
        button->setText(chosen ? QStringLiteral("✔ ") + wordOf(verb) : wordOf(verb));
        button->setEnabled(m_asked);
        button->setAccessibleName(chosen ? tr("%1, chosen, task %2").arg(wordOf(verb), visibleText(m_name))
                                         : tr("%1, task %2").arg(wordOf(verb), visibleText(m_name)));
    }
    const bool final = choice() == QueueVerb::Abandon;
    m_words->setPlain(consequence());
    m_words->setLook(TextSize::Caption, final ? QFont::DemiBold : QFont::Normal,
                     final ? Shade::Open : Shade::Secondary);
}

QString QueueChoice::consequence() const
{
    if (!m_asked)
        return tr("asked when a trip that holds it is ticked");
    if (!m_choice)
        return tr("abandon: %1 will be ended for good").arg(m_name);
    if (m_choice == QueueVerb::Resume)
        return tr("%1 may go on after the act").arg(m_name);
    if (m_choice == QueueVerb::Abandon)
        return tr("%1 will be ended for good").arg(m_name);
    return tr("%1 stays in the queue until a person decides").arg(m_name);
}

void QueueChoice::walk(const QObject *from, int step)
{
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        const std::size_t to = i + static_cast<std::size_t>(step);
        if (m_buttons[i].second == from && to < m_buttons.size()) {
            m_buttons[to].second->setFocus(Qt::TabFocusReason);
            return;
        }
    }
}

bool QueueChoice::eventFilter(QObject *object, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(object, event);
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        for (const auto &[verb, button] : m_buttons) {
            if (button == object)
                choose(verb);
        }
        return true;
    case Qt::Key_Left:
        walk(object, -1);
        return true;
    case Qt::Key_Right:
        walk(object, 1);
        return true;
    case Qt::Key_Up: // between rows Tab walks
    case Qt::Key_Down:
        return true;
    default:
        return QWidget::eventFilter(object, event);
    }
}

} // namespace handreset::views

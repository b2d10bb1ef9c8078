#include "views/pages/queue_page.h"

#include "model/live/desk_session.h"
#include "views/action_button.h"
#include "views/desk_table.h"
#include "views/empty_state.h"
#include "views/page_header.h"
#include "views/plural.h"
#include "views/reason_line.h"

#include <QHBoxLayout>
#include <QShortcut>
#include <QVBoxLayout>

namespace handreset::views {

using rules::QueueVerb;

QueuePage::QueuePage(live::DeskSession &session, QWidget *parent)
    : ListPage(
        session, session.queue(), tr("Queue"), tr("Filter: task, agent, owner, re:…   /"),
        new EmptyState(tr("No task waits for a person"),
                       tr("When a kill switch opens, the tasks that were running come here with their diagnosis; "
                          "those of a degraded agent run on and are listed too. To see some, let the demo fleet run:"),
                       QStringLiteral("app/run --demo")),
        parent),
      m_reason(new ReasonLine(session, 1, QStringLiteral("queueReasonEdit"),
                              tr("Reason, in words; Enter sends it, Esc leaves it"), this))
{
    table().setObjectName(QStringLiteral("queueTable"));
    table().setAccessibleName(tr("queue"));
    using Model = live::QueueModel;
    table().setWidths({170, 150, 190, 80, 150, 110, 0});
    table().setSpareColumns({Model::NoteColumn, Model::TripColumn, Model::AgeColumn});
    addVerb(QueueVerb::Take, tr("Take"), QStringLiteral("T"), QStringLiteral("takeButton"));
    addVerb(QueueVerb::Return, tr("Return"), QStringLiteral("U"), QStringLiteral("returnButton"));
    addVerb(QueueVerb::Resume, tr("Resume"), QStringLiteral("E"), QStringLiteral("resumeButton"));
    addVerb(QueueVerb::Abandon, tr("Abandon"), QStringLiteral("B"), QStringLiteral("abandonButton"));
    connect(new QShortcut(QKeySequence(Qt::Key_M), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut),
            &QShortcut::activated, this, [this] { showOnlyOf(this->session().operatorName(), tr("mine")); });
    connect(new QShortcut(QKeySequence(Qt::Key_N), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut),
            &QShortcut::activated, this, [this] { showOnlyOf({}, tr("nobody's")); });
    static_cast<QVBoxLayout *>(layout())->insertWidget(1, m_reason);
    connect(m_reason, &ReasonLine::given, this, &QueuePage::sendReasoned);
    connect(m_reason, &ReasonLine::accepted, this, &QueuePage::backToTable);
    connect(m_reason, &ReasonLine::left, this, &QueuePage::backToTable);
    connect(&table(), &DeskTable::keyActivated, this, [this](qulonglong key) {
        if (const live::QueueRow *row = this->session().queue().rowOf(key))
            Q_EMIT tripRequested(row->agent, row->trip);
    });
    showSelection();
}

QList<KeyHelp> QueuePage::keys() const
{
    return {{tr("T, U"), tr("take the task, return it")},
            {tr("E, B"), tr("resume the task, abandon it (a reason is asked)")},
            {tr("M, N"), tr("mine only, nobody's only; Esc shows all")},
            {tr("Enter"), tr("open its agent")},
            {tr("R"), tr("re-arm its agent")}};
}

void QueuePage::addVerb(QueueVerb verb, const QString &text, const QString &key, const QString &objectName)
{
    auto *button = new ActionButton(text, key, ButtonRole::Plain, this);
    button->setObjectName(objectName);
    header().line()->insertWidget(2 + static_cast<int>(m_verbs.size()), button);
    m_verbs.emplace_back(verb, button);
    connect(button, &QPushButton::clicked, this, [this, verb] { act(verb); });
    connect(new QShortcut(QKeySequence(key), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut),
            &QShortcut::activated, this, [this, verb] { act(verb); });
}

const live::QueueRow *QueuePage::selected() const
{
    return session().queue().rowOf(table().currentKey());
}

std::optional<rules::AgentId> QueuePage::agent() const
{
    const live::QueueRow *row = selected();
    return row ? std::optional(row->agent) : std::nullopt;
}

void QueuePage::rearm()
{
    if (const live::QueueRow *row = selected())
        Q_EMIT rearmRequested(row->agent, row->trip);
}

void QueuePage::act(QueueVerb verb)
{
    const live::QueueRow *row = selected();
    if (!row)
        return;
    if (verb == QueueVerb::Take || verb == QueueVerb::Return) {
        session().actOnQueue(*row, verb, {});
        return;
    }
    m_asked = verb;
    m_askedFor = row->key();
    m_reason->ask((verb == QueueVerb::Resume ? tr("Resume %1:") : tr("Abandon %1:")).arg(row->taskName));
}

void QueuePage::sendReasoned(const QString &reason)
{
    // The task that was asked about, wherever the selection is by now.
    if (const live::QueueRow *row = session().queue().rowOf(m_askedFor)) {
        m_reason->follow(session().actOnQueue(*row, m_asked, reason));
        return;
    }
    Q_EMIT said(tr("NOT done: that task is not in the queue any more."));
    m_reason->leave();
}

void QueuePage::backToTable()
{
    if (isVisible())
        enter();
}

bool QueuePage::leave()
{
    if (!m_reason->isAsking())
        return ListPage::leave();
    m_reason->leave();
    return true;
}

void QueuePage::showOnlyOf(const QString &owner, const QString &words)
{
    session().queue().narrow([owner](const live::QueueRow &row) { return row.owner == owner; });
    narrowed(words);
    enter();
}

QString QueuePage::words() const
{
    return tr("%1 left by agents").arg(counted(session().counts().queue, tr("task"), tr("tasks")));
}

void QueuePage::showSelection()
{
    const live::QueueRow *row = selected();
    for (const auto &[verb, button] : m_verbs) {
        const bool owned = row && !row->owner.isEmpty();
        button->setEnabled(row && (verb == QueueVerb::Take ? !owned : verb == QueueVerb::Return ? owned : true));
    }
}

} // namespace handreset::views

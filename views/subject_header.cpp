#include "views/subject_header.h"

#include "model/rules/words_of_time.h"
#include "views/action_button.h"
#include "views/agent_words.h"
#include "views/live_tones.h"
#include "views/mark_label.h"
#include "views/plain_label.h"
#include "views/plural.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace handreset::views {

namespace {

[[nodiscard]] Shade shadeOf(rules::Rung rung)
{
    return rung == rules::Rung::Open ? Shade::Open : rung == rules::Rung::Degraded ? Shade::Degraded : Shade::Secondary;
}

[[nodiscard]] QString joined(const QStringList &parts)
{
    QStringList filled;
    for (const QString &part : parts) {
        if (!part.isEmpty())
            filled.append(part);
    }
    return filled.join(QStringLiteral(" · "));
}

} // namespace

SubjectHeader::SubjectHeader(QWidget *parent)
    : QWidget(parent),
      m_mark(new MarkLabel(Mark::NoData, 20, this)),
      m_name(new PlainLabel(this)),
      m_state(new PlainLabel(this)),
      m_since(new PlainLabel(this)),
      m_more(new PlainLabel(this)),
      m_acknowledge(new ActionButton(tr("Acknowledge"), QStringLiteral("A"), ButtonRole::Plain, this)),
      m_grant(new ActionButton(tr("Grant…"), QStringLiteral("G"), ButtonRole::Plain, this)),
      m_rearm(new ActionButton(tr("Re-arm…"), QStringLiteral("R"), ButtonRole::Primary, this)),
      m_stop(new ActionButton(tr("Stop"), QStringLiteral("Ctrl+Shift+X"), ButtonRole::Stop, this))
{
    m_acknowledge->setObjectName(QStringLiteral("subjectAcknowledgeButton"));
    m_grant->setObjectName(QStringLiteral("grantButton"));
    m_rearm->setObjectName(QStringLiteral("subjectRearmButton"));
    m_stop->setObjectName(QStringLiteral("stopButton"));
    m_name->setObjectName(QStringLiteral("subjectName"));
    m_state->setObjectName(QStringLiteral("subjectState"));
    m_name->setLook(TextSize::Title, QFont::DemiBold);
    m_name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_state->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_since->setLook(TextSize::Text, QFont::Normal, Shade::Secondary);
    m_since->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_more->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    m_more->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);

    auto *line = new QHBoxLayout;
    line->setSpacing(12);
    line->addWidget(m_mark);
    line->addWidget(m_name);
    line->addWidget(m_state);
    line->addWidget(m_since, 1);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addLayout(line);
    auto *below = new QHBoxLayout;
    below->addSpacing(32);
    below->addWidget(m_more, 1);
    words->addLayout(below);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kStep * 2);
    layout->addLayout(words, 1);
    for (ActionButton *button : {m_acknowledge, m_grant, m_rearm, m_stop})
        layout->addWidget(button, 0, Qt::AlignTop);
    connect(m_acknowledge, &QPushButton::clicked, this, &SubjectHeader::acknowledgeRequested);
    connect(m_grant, &QPushButton::clicked, this, &SubjectHeader::grantRequested);
    connect(m_rearm, &QPushButton::clicked, this, &SubjectHeader::rearmRequested);
    connect(m_stop, &QPushButton::clicked, this, &SubjectHeader::stopRequested);
}

void SubjectHeader::setAgent(const live::SubjectDetail &detail, bool canAcknowledge, bool stale, qint64 ageMs)
{
    const live::AgentRow &agent = detail.agent;
    m_mark->setMark(markOf(agent.rung));
    m_name->setPlain(agent.name);
    m_state->setPlain(agentMeaning(agent));
    m_state->setLook(TextSize::Text, QFont::DemiBold, shadeOf(agent.worst()));
    QStringList since;
    // Where tasks alone are stopped the agent's own switch has not moved: the trip has the time.
    const bool isOfTasks = agent.rung == rules::Rung::Closed && agent.stoppedTasks > 0 && agent.worstSince;
    const rules::Instant from = isOfTasks ? *agent.worstSince : agent.rungSince;
    if (from.micros != 0)
        since.append(tr("for %1").arg(QString::fromStdString(rules::lengthWords(detail.at.wall - from))));
    if (!detail.queue.empty())
        since.append(tr("%1 in the queue").arg(counted(static_cast<qint64>(detail.queue.size()), tr("task"), tr("tasks"))));
    since.append(tr("revision %1").arg(agent.revision.value));
    m_since->setPlain(joined(since));
    const bool isFleet = detail.focus.fleet;
    m_more->setPlain(joined({isFleet ? tr("every agent, and those that come") : tr("key %1").arg(agent.account),
                             detail.coverage, detail.runbook, detail.contact}));
    m_acknowledge->show();
    m_grant->setVisible(!isFleet);
    m_grant->setEnabled(!detail.grants.empty() && !stale);
    m_rearm->show();
    m_stop->setVisible(!isFleet); // one agent at a time; the fleet's stop is: handresetctl stop --fleet
    m_acknowledge->setEnabled(canAcknowledge);
    m_rearm->setEnabled(!detail.trips.empty() && !stale);
    // Only a person's own stop needs no second one: what the clock holds open it also opens again.
    const bool isStopped = std::ranges::any_of(detail.trips, [](const live::TripDetail &one) {
        return one.trip.subject.signal == rules::Signal::Operator && one.trip.rung == rules::Rung::Open;
    });
    m_stop->setEnabled(!isStopped || stale);
    showStale(stale, ageMs);
}

void SubjectHeader::setBreaker(const live::BreakerDetail &detail, bool stale, qint64 ageMs)
{
    const live::BreakerRow &row = detail.row;
    m_mark->setMark(row.isUnknown() ? Mark::NoData : markOf(row.state, row.isolated));
    m_name->setPlain(row.agent.isEmpty() ? row.tool : row.tool + QStringLiteral(" · ") + row.agent);
    m_state->setPlain(row.meaning);
    m_state->setLook(TextSize::Text, QFont::DemiBold,
                     row.state == rules::BreakerState::Closed     ? Shade::Secondary
                         : row.state == rules::BreakerState::Open ? Shade::Open
                                                                  : Shade::Probing);
    m_since->setPlain(row.whatEndsIt);
    m_more->setPlain(
        joined({row.usedBy.isEmpty() ? tr("nobody has asked for it") : tr("used by %1").arg(row.usedByWords()),
                tr("%1 allowed, %2 refused").arg(row.allowed).arg(row.refused)}));
    m_acknowledge->hide();
    m_grant->hide();
    m_rearm->hide();
    m_stop->hide();
    showStale(stale, ageMs);
}

void SubjectHeader::showStale(bool stale, qint64 ageMs)
{
    if (!stale)
        return;
    m_state->setPlain(m_state->plain() + tr(" (as last known; %1)").arg(staleWords(ageMs)));
    m_state->setShade(Shade::Secondary);
}

} // namespace handreset::views

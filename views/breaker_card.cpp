#include "views/breaker_card.h"

#include "model/live/desk_session.h"
#include "model/rules/words_of_time.h"
#include "views/plain_label.h"
#include "views/plain_text.h"
#include "views/reason_line.h"
#include "views/state_graph.h"
#include "views/subject_states.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace handreset::views {

using rules::BreakerEvent;
using rules::BreakerState;

BreakerCard::BreakerCard(live::DeskSession &session, QWidget *parent)
    : Card(tr("Breaker"), parent),
      m_session(session),
      m_choice(new QComboBox(this)),
      m_graph(new StateGraph(rules::breakerGraph(), this)),
      m_none(new PlainLabel(this)),
      m_acts(new QWidget(this)),
      m_reason(
          new ReasonLine(session, 1, QStringLiteral("breakerReasonEdit"), tr("Reason, in words; Enter sends it"), this))
{
    m_choice->setObjectName(QStringLiteral("breakerCombo"));
    m_choice->setAccessibleName(tr("breaker"));
    m_choice->setMaximumWidth(240);
    m_choice->setFixedHeight(28);
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_choice->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    titleLine()->insertWidget(1, m_choice);
    m_graph->setObjectName(QStringLiteral("breakerGraph"));
    m_none->setPlain(tr("It has called no tool yet: its breakers appear here with the first ask."));
    m_none->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    body()->addWidget(m_graph, 1);
    body()->addWidget(m_none);
    makeActs();
    connect(m_choice, &QComboBox::activated, this, [this](int index) {
        if (index >= 0 && static_cast<std::size_t>(index) < m_choices.size())
            Q_EMIT breakerChosen(m_choices[static_cast<std::size_t>(index)]);
    });
    connect(m_graph, &StateGraph::edgeActivated, this, [this](int row) { Q_EMIT rowActivated(row); });
}

void BreakerCard::makeActs()
{
    auto *line = new QHBoxLayout(m_acts);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(kStep);
    const std::pair<BreakerEvent, std::pair<QString, QString>> acts[] = {
        {BreakerEvent::Isolate, {tr("Isolate…"), QStringLiteral("isolateButton")}},
        {BreakerEvent::Release, {tr("Release…"), QStringLiteral("releaseButton")}},
        {BreakerEvent::LetProbeOut, {tr("Let a probe out…"), QStringLiteral("probeButton")}},
        {BreakerEvent::Reset, {tr("Reset…"), QStringLiteral("resetButton")}},
    };
    for (const auto &[act, words] : acts) {
        auto *button = new QPushButton(words.first, m_acts);
        button->setObjectName(words.second);
        button->setFixedHeight(28);
        line->addWidget(button);
        m_buttons.emplace_back(act, button);
        connect(button, &QPushButton::clicked, this, [this, event = act] { ask(event); });
    }
    titleLine()->insertWidget(2, m_acts);
    body()->addWidget(m_reason);
    connect(m_reason, &ReasonLine::given, this, &BreakerCard::send);
    connect(m_reason, &ReasonLine::accepted, m_graph, [this] { m_graph->setFocus(); });
    connect(m_reason, &ReasonLine::left, m_graph, [this] { m_graph->setFocus(); });
}

void BreakerCard::setDetail(const live::SubjectDetail &detail, bool stale)
{
    showChoice(detail);
    const bool some = detail.breaker.has_value();
    m_graph->setVisible(some);
    m_none->setVisible(!some);
    m_acts->setVisible(some);
    setStale(stale);
    if (!some) {
        setCaption({});
        return;
    }
    const live::BreakerDetail &breaker = *detail.breaker;
    m_shown = breaker.row;
    m_graph->setOverlay(graphOverlay(breaker, detail.at, detail.at.steady, stale));
    QString caption = breaker.row.meaning;
    if (!breaker.row.whatEndsIt.isEmpty())
        caption += QStringLiteral(" · ") + breaker.row.whatEndsIt;
    else if (breaker.breaker.changedAt.micros != 0)
        caption += tr(" · last change %1")
                       .arg(QString::fromStdString(rules::utcNear(breaker.breaker.changedAt, detail.at.wall)));
    if (!breaker.probe.isEmpty())
        caption += tr(" · probe out: %1").arg(breaker.probe);
    if (!breaker.isolatedBy.isEmpty())
        caption += tr(" · by %1").arg(breaker.isolatedBy);
    setCaption(caption);
    showActs(breaker);
}

void BreakerCard::showChoice(const live::SubjectDetail &detail)
{
    std::vector<rules::BreakerKey> choices;
    QStringList names;
    for (const live::BreakerRow &row : detail.breakers) {
        choices.push_back(row.id);
        const bool calm = row.state == BreakerState::Closed;
        names.append(visibleText(calm ? row.tool : row.tool + QStringLiteral(" · ")
                             + QString::fromUtf8(rules::toWord(row.state).data())));
    }
    if (choices.empty() && detail.breaker) {
        choices.push_back(detail.breaker->row.id);
        names.append(visibleText(detail.breaker->row.tool));
    }
    const QSignalBlocker blocker(m_choice);
    if (choices != m_choices) {
        m_choice->clear();
        m_choice->addItems(names);
        m_choices = choices;
    } else {
        for (int i = 0; i < names.size(); ++i) {
            if (m_choice->itemText(i) != names[i])
                m_choice->setItemText(i, names[i]);
        }
    }
    for (std::size_t i = 0; detail.breaker && i < choices.size(); ++i) {
        if (choices[i] == detail.breaker->row.id)
            m_choice->setCurrentIndex(static_cast<int>(i));
    }
    m_choice->setVisible(!choices.empty());
}

void BreakerCard::showActs(const live::BreakerDetail &breaker)
{
    const bool closed = breaker.row.state == BreakerState::Closed;
    const bool isolated = breaker.row.isolated;
    for (const auto &[act, button] : m_buttons) {
        switch (act) {
        case BreakerEvent::Isolate:
            button->setVisible(!isolated);
            break;
        case BreakerEvent::Release:
            button->setVisible(isolated);
            break;
        case BreakerEvent::LetProbeOut:
            button->setVisible(breaker.row.state == BreakerState::Open && !isolated);
            break;
        default:
            button->setVisible(!closed && !isolated);
            break;
        }
    }
}

void BreakerCard::ask(BreakerEvent act)
{
    m_asked = act;
    m_askedFor = m_shown;
    m_reason->ask(QStringLiteral("%1 %2:").arg(QString::fromUtf8(rules::toWord(act).data()), m_askedFor.tool));
}

void BreakerCard::send(const QString &reason)
{
    m_reason->follow(m_session.actOnBreaker(m_askedFor, m_asked, reason));
}

} // namespace handreset::views

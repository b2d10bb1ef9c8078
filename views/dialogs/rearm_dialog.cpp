#include "views/dialogs/rearm_dialog.h"

#include "model/live/desk_session.h"
#include "model/rules/words_of_time.h"
#include "views/age_words.h"
#include "views/agent_words.h"
#include "views/dialogs/queue_choice.h"
#include "views/dialogs/rearm_trip_row.h"
#include "views/desk_style.h"
#include "views/hold_button.h"
#include "views/mark_label.h"
#include "views/permissive_list.h"
#include "views/plain_label.h"
#include "views/plain_text.h"
#include "views/plural.h"
#include "views/subject_states.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace handreset::views {

using rules::Rung;

namespace {

constexpr int kLeastReason = 10; ///< characters (spec 3.4)
constexpr std::size_t kLastEvents = 6;
constexpr int kChecksRoom = 9 * 18; ///< for all the lines there can be: a tick moves nothing below them

[[nodiscard]] PlainLabel *smallHead(const QString &words, QWidget *parent)
{
    auto *label = new PlainLabel(words, parent);
    label->setLook(TextSize::Text, QFont::DemiBold);
    return label;
}

[[nodiscard]] const live::TripDetail *tripOf(const live::SubjectDetail &detail, rules::TripId id)
{
    for (const live::TripDetail &trip : detail.trips) {
        if (trip.trip.id == id)
            return &trip;
    }
    return nullptr;
}

} // namespace

QStringList rearmCauses()
{
    return {RearmDialog::tr("false alarm: the behaviour was right"),
            RearmDialog::tr("limit too tight for this task"),
            RearmDialog::tr("wrong data from a person"),
            RearmDialog::tr("wrong data from a tool"),
            RearmDialog::tr("prompt or model fault, mended"),
            RearmDialog::tr("tool or provider fault, mended"),
            RearmDialog::tr("drill"),
            RearmDialog::tr("another cause, see the reason")};
}

RearmDialog::RearmDialog(live::DeskSession &session, const std::shared_ptr<const live::SubjectDetail> &detail,
                         rules::TripId ticked, QWidget *parent, std::function<qint64()> holdClock)
    : QDialog(parent), m_session(session), m_seen(detail), m_now(detail), m_sender(session)
{
    setObjectName(QStringLiteral("rearmDialog"));
    setWindowTitle(tr("Re-arm %1").arg(visibleText(detail->agent.name)));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget(scroll);
    auto *page = new QVBoxLayout(content);
    page->setContentsMargins(24, 20, 24, 12);
    page->setSpacing(10);
    makeHead(*page);
    makeTrips(*page);
    makePermissives(*page);
    makeWords(*page);
    page->addStretch(1);
    m_content = content;
    scroll->setWidget(content);
    outer->addWidget(scroll, 1);
    makeFoot(*outer, std::move(holdClock));
    connect(&session, &live::DeskSession::subjectChanged, this, &RearmDialog::showSubject);
    connect(&session, &live::DeskSession::freshnessChanged, this, &RearmDialog::showState);
    connect(&session, &live::DeskSession::actMoved, this, &RearmDialog::ownActMoved);
    connect(&m_sender, &RearmSender::progressed, this, [this](const QString &words) { say(words, false); });
    connect(&m_sender, &RearmSender::confirmed, this, &QDialog::accept);
    connect(&m_sender, &RearmSender::unconfirmed, this, &QDialog::accept); // the window's bar keeps saying so
    connect(&m_sender, &RearmSender::moved, this, &RearmDialog::ownRearmMoved);
    connect(&m_sender, &RearmSender::waits, this, &RearmDialog::waits);
    connect(&m_sender, &RearmSender::notDone, this, &RearmDialog::notDone);
    showTrips();
    for (RearmTripRow *row : m_trips) {
        const live::TripDetail *trip = tripOf(*m_now, row->id());
        if (isElsewhere(*trip))
            continue;
        row->setTicked(ticked ? row->id() == ticked : trip->trip.latch == rules::LatchState::HeldByHuman);
    }
    suggestTarget();
    showQueue();
    showState();
    m_cancel->setFocus(Qt::OtherFocusReason);
}

// ---- Making ------------------------------------------------------------------------------------------------

void RearmDialog::makeHead(QVBoxLayout &page)
{
    auto *line = new QHBoxLayout;
    line->setSpacing(12);
    m_mark = new MarkLabel(Mark::Closed, 20, this);
    auto *title = new PlainLabel(tr("Re-arm %1").arg(m_seen->agent.name), this);
    title->setLook(TextSize::Title, QFont::DemiBold);
    m_revision = new PlainLabel(this);
    m_revision->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    m_revision->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    line->addWidget(m_mark);
    line->addWidget(title, 1);
    line->addWidget(m_revision);
    page.addLayout(line);
    m_after = new PlainLabel(this);
    m_after->setObjectName(QStringLiteral("afterWords"));
    m_after->setLook(TextSize::Text, QFont::Normal, Shade::Secondary);
    auto *target = new QHBoxLayout;
    target->setSpacing(12);
    m_target = new QComboBox(this);
    m_target->setObjectName(QStringLiteral("targetCombo"));
    m_target->setAccessibleName(tr("rung after the act"));
    m_target->addItem(tr("to degraded, on probation"), static_cast<int>(Rung::Degraded));
    m_target->addItem(tr("to closed"), static_cast<int>(Rung::Closed));
    connect(m_target, &QComboBox::activated, this, [this] {
        m_targetChosen = true;
        showState();
    });
    connect(m_target, &QComboBox::currentIndexChanged, this, &RearmDialog::showState);
    target->addWidget(m_target);
    target->addWidget(m_after, 1);
    page.addLayout(target);
    m_fleet = new PlainLabel(this);
    m_fleet->setObjectName(QStringLiteral("fleetWords"));
    m_fleet->setLook(TextSize::Text, QFont::DemiBold);
    page.addWidget(m_fleet);

    m_changedLine = new QWidget(this);
    auto *changed = new QHBoxLayout(m_changedLine);
    changed->setContentsMargins(0, 0, 0, 0);
    m_changedWords = new PlainLabel(m_changedLine);
    m_changedWords->setObjectName(QStringLiteral("changedWords"));
    m_changedWords->setLook(TextSize::Text, QFont::DemiBold, Shade::Operator);
    m_lookAgain = new QPushButton(tr("I have seen what is new"), m_changedLine);
    m_lookAgain->setObjectName(QStringLiteral("lookAgainButton"));
    m_lookAgain->setAutoDefault(false);
    connect(m_lookAgain, &QPushButton::clicked, this, &RearmDialog::lookAgain);
    changed->addWidget(m_changedWords, 1);
    changed->addWidget(m_lookAgain);
    m_changedLine->hide();
    page.addWidget(m_changedLine);
}

void RearmDialog::makeTrips(QVBoxLayout &page)
{
    m_tripList = new QVBoxLayout;
    m_tripList->setSpacing(kStep * 2);
    page.addLayout(m_tripList);
    m_queueList = new QVBoxLayout;
    m_queueList->setSpacing(6);
    page.addLayout(m_queueList);
}

void RearmDialog::makePermissives(QVBoxLayout &page)
{
    auto *columns = new QHBoxLayout;
    columns->setSpacing(24);
    auto *left = new QVBoxLayout;
    left->setSpacing(6);
    left->addWidget(smallHead(tr("Before it can be done"), this));
    m_permissives = new PermissiveList(this);
    auto *checks = new QVBoxLayout;
    checks->addWidget(m_permissives);
    checks->addStretch(1);
    auto *room = new QHBoxLayout;
    room->setSpacing(0);
    room->addLayout(checks, 1);
    room->addSpacerItem(new QSpacerItem(0, kChecksRoom, QSizePolicy::Fixed, QSizePolicy::Minimum));
    left->addLayout(room);
    m_acknowledge = new QPushButton(tr("Acknowledge what is ticked"), this);
    m_acknowledge->setObjectName(QStringLiteral("dialogAcknowledgeButton"));
    m_acknowledge->setAutoDefault(false);
    QSizePolicy stays = m_acknowledge->sizePolicy();
    stays.setRetainSizeWhenHidden(true);
    m_acknowledge->setSizePolicy(stays);
    connect(m_acknowledge, &QPushButton::clicked, this, [this] {
        for (const live::TripDetail *trip : ticked()) {
            if (!trip->trip.acknowledgedBy)
                m_session.acknowledge(trip->trip.id);
        }
    });
    left->addWidget(m_acknowledge, 0, Qt::AlignLeft);
    left->addStretch(1);
    columns->addLayout(left, 3);
    auto *right = new QVBoxLayout;
    right->setSpacing(kStep);
    right->addWidget(smallHead(tr("Last events"), this));
    for (std::size_t i = 0; i < kLastEvents; ++i) {
        m_lastEvents.push_back(new PlainLabel(this));
        m_lastEvents.back()->setNumberLook(TextSize::Caption, QFont::Normal, Shade::Secondary);
        right->addWidget(m_lastEvents.back());
    }
    right->addStretch(1);
    columns->addLayout(right, 2);
    page.addLayout(columns);
}

void RearmDialog::makeWords(QVBoxLayout &page)
{
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(kGap);
    grid->setVerticalSpacing(kStep);
    grid->addWidget(smallHead(tr("Cause"), this), 0, 0);
    grid->addWidget(smallHead(tr("Reason, in words"), this), 0, 1);
    m_cause = new QComboBox(this);
    m_cause->setObjectName(QStringLiteral("causeCombo"));
    m_cause->setAccessibleName(tr("cause"));
    m_cause->addItem(tr("choose a cause…"));
    m_cause->addItems(rearmCauses());
    m_cause->setMinimumWidth(240);
    connect(m_cause, &QComboBox::currentIndexChanged, this, &RearmDialog::showState);
    grid->addWidget(m_cause, 1, 0);
    m_reason = new QLineEdit(this);
    m_reason->setObjectName(QStringLiteral("reasonEdit"));
    m_reason->setAccessibleName(tr("reason"));
    m_reason->installEventFilter(this);
    connect(m_reason, &QLineEdit::textChanged, this, &RearmDialog::showState);
    grid->addWidget(m_reason, 1, 1);
    m_reasonProblem = new PlainLabel(this);
    m_reasonProblem->setLook(TextSize::Caption, QFont::Normal, Shade::Secondary);
    grid->addWidget(m_reasonProblem, 2, 1);
    grid->setColumnStretch(1, 1);
    page.addLayout(grid);
    m_notDone = new PlainLabel(this);
    m_notDone->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    page.addWidget(m_notDone);
    m_result = new PlainLabel(this);
    m_result->setObjectName(QStringLiteral("resultWords"));
    m_result->hide();
    page.addWidget(m_result);
}

void RearmDialog::makeFoot(QVBoxLayout &outer, std::function<qint64()> holdClock)
{
    auto *line = new QFrame(this);
    line->setFixedHeight(1);
    line->setAutoFillBackground(true);
    line->setBackgroundRole(QPalette::Mid);
    outer.addWidget(line);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(24, 12, 24, 16);
    foot->setSpacing(12);
    m_cancel = new QPushButton(tr("Cancel"), this);
    m_cancel->setObjectName(QStringLiteral("cancelButton"));
    m_cancel->setMinimumWidth(110);
    m_cancel->setDefault(true);
    setButtonRole(*m_cancel, ButtonRole::Primary);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    foot->addWidget(m_cancel);
    auto *words = new PlainLabel(tr("Enter never re-arms."), this);
    words->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    foot->addWidget(words, 1);
    m_name = new QLineEdit(this);
    m_name->setObjectName(QStringLiteral("nameEdit"));
    m_name->setPlaceholderText(m_seen->focus.fleet ? tr("or type: the fleet") : tr("or type the agent's name"));
    m_name->setAccessibleName(m_seen->focus.fleet ? tr("type: the fleet, to re-arm without holding")
                                                  : tr("type the agent's name to re-arm without holding"));
    m_name->setFixedWidth(190);
    m_name->installEventFilter(this);
    connect(m_name, &QLineEdit::textEdited, this, [this](const QString &text) {
        if (text == m_now->agent.name && mayConfirm())
            confirm();
    });
    foot->addWidget(m_name);
    m_hold = new HoldButton(tr("Hold to re-arm"), this, std::move(holdClock));
    m_hold->setObjectName(QStringLiteral("holdButton"));
    m_hold->setMinimumWidth(m_session.operators().isSigned ? 300 : 240); // for either of its words: it must not move
    connect(m_hold, &HoldButton::confirmed, this, &RearmDialog::confirm);
    foot->addWidget(m_hold);
    outer.addLayout(foot);
}

QSize RearmDialog::sizeHint() const
{
    const int foot = 72;
    // Before they are polished, the parts know neither style nor font, and so not their size.
    for (const QWidget *part : m_content->findChildren<QWidget *>())
        part->ensurePolished();
    m_content->layout()->invalidate();
    m_content->layout()->activate();
    return {940, m_content->sizeHint().height() + foot + 24};
}

void RearmDialog::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    // Only now every part has its style, and with it its size.
    if (const QWidget *window = parentWidget())
        resize(sizeHint().boundedTo(window->size() - QSize(80, 40)));
}

// ---- Showing -----------------------------------------------------------------------------------------------

void RearmDialog::showSubject()
{
    const auto detail = m_session.subject();
    if (!detail || detail->agent.id != m_seen->agent.id || detail->focus.fleet != m_seen->focus.fleet)
        return;
    m_now = detail;
    if (m_now->agent.revision <= m_ownRevision)
        m_seen = m_now; // our own acts moved it: nothing else is new
    showTrips();
    showQueue();
    showState();
}

void RearmDialog::showTrips()
{
    for (auto it = m_trips.begin(); it != m_trips.end();) {
        if (tripOf(*m_now, (*it)->id())) {
            ++it;
            continue;
        }
        (*it)->deleteLater();
        (*it)->hide();
        it = m_trips.erase(it);
    }
    for (const live::TripDetail &trip : m_now->trips) {
        const auto found = std::ranges::find(m_trips, trip.trip.id, &RearmTripRow::id);
        const live::TripDetail *const seen = tripOf(*m_seen, trip.trip.id);
        if (found != m_trips.end()) {
            (*found)->setTrip(trip);
            (*found)->setNew(isChanged() && (!seen || seen->trip.rung != trip.trip.rung));
            continue;
        }
        auto *row = new RearmTripRow(trip, this);
        row->setNew(isChanged());
        if (isElsewhere(trip))
            row->setElsewhere(tr("it holds the whole fleet: re-armed on the fleet's own page, from its row in Trips"));
        connect(row, &RearmTripRow::changed, this, [this] {
            suggestTarget();
            showQueue();
            showState();
        });
        m_tripList->addWidget(row);
        m_trips.push_back(row);
    }
    orderTabs();
}

void RearmDialog::showQueue()
{
    // Every task that a trip here holds has its row from the first, so that a tick moves no button.
    std::vector<const live::TripDetail *> all;
    for (const live::TripDetail &trip : m_now->trips) {
        if (!isElsewhere(trip))
            all.push_back(&trip);
    }
    const auto tasks = tasksToDecide(*m_now, all);
    const auto asked = tasksToDecide(*m_now, ticked());
    for (auto it = m_choices.begin(); it != m_choices.end();) {
        const bool stays = std::ranges::any_of(tasks, [&](const auto *task) { return task->task == (*it)->task(); });
        if (!stays) {
            (*it)->deleteLater();
            (*it)->hide();
        }
        it = stays ? it + 1 : m_choices.erase(it);
    }
    for (const live::QueuedTask *task : tasks) {
        if (std::ranges::find(m_choices, task->task, &QueueChoice::task) != m_choices.end())
            continue;
        auto *choice = new QueueChoice(*task, this);
        connect(choice, &QueueChoice::changed, this, &RearmDialog::showState);
        m_queueList->addWidget(choice);
        m_choices.push_back(choice);
    }
    for (QueueChoice *choice : m_choices)
        choice->setAsked(std::ranges::any_of(asked, [&](const auto *task) { return task->task == choice->task(); }));
    orderTabs();
}

/// From top to bottom as it is read; Cancel, where the focus begins, comes last.
void RearmDialog::orderTabs()
{
    if (!m_hold)
        return; // still being made
    std::vector<QWidget *> stops{m_target, m_lookAgain};
    const auto add = [&](const std::vector<QWidget *> &more) { stops.insert(stops.end(), more.begin(), more.end()); };
    for (const RearmTripRow *row : m_trips)
        add(row->tabStops());
    for (const QueueChoice *choice : m_choices)
        add(choice->tabStops());
    add({m_acknowledge, m_cause, m_reason, m_name, m_hold, m_cancel});
    for (std::size_t i = 1; i < stops.size(); ++i)
        setTabOrder(stops[i - 1], stops[i]);
}

void RearmDialog::showState()
{
    if (!m_hold)
        return; // still being made
    const live::Freshness &freshness = m_session.freshness();
    m_mark->setMark(markOf(m_now->agent.rung));
    m_revision->setPlain(tr("revision %1, read %2 ago")
                             .arg(m_seen->agent.revision.value)
                             .arg(QString::fromStdString(rules::lengthWords(freshness.age))));
    m_after->setPlain(afterWords());
    m_fleet->setVisible(m_now->focus.fleet);
    m_fleet->setPlain(fleetWords());
    for (RearmTripRow *row : m_trips)
        row->setRest(restWords(row->id()));
    m_changedLine->setVisible(isChanged());
    if (isChanged())
        m_changedWords->setPlain(tr("Changed meanwhile: revision %1. What is new is marked; your words are kept.")
                                     .arg(m_now->agent.revision.value));
    const auto chosen = ticked();
    rules::RearmFacts facts = rearmFacts(m_session, *m_now, chosen, m_seen->agent.revision);
    facts.decidedTasks = std::ranges::count_if(m_choices, [](const QueueChoice *c) { return c->choice().has_value(); });
    facts.grantMissing = grantMissing();
    const QString second = secondPerson();
    m_permissives->setPermissives(permissivesHere(m_session, facts, second));
    m_hold->setText(second.isEmpty() ? tr("Hold to re-arm") : tr("Hold to ask for a second person"));
    m_acknowledge->setVisible(!facts.unacknowledged.empty());
    m_reasonProblem->setPlain(reasonProblem());
    QStringList notDone;
    if (!m_now->focus.fleet) // each agent has a history of its own
        notDone.append(tr("Re-armed %1 in 24 h").arg(counted(m_now->rearmsIn24h, tr("time"), tr("times"))));
    if (!m_now->lastRearmLasted.isEmpty())
        notDone.append(m_now->lastRearmLasted);
    for (const live::InFlight &flight : m_now->inFlight)
        notDone.append(tr("In flight: %1, allowed %2 ago, no result yet")
                           .arg(flight.summary, QString::fromStdString(rules::shortLength(m_now->at.wall - flight.askedAt))));
    if (m_now->inFlight.empty())
        notDone.append(tr("In flight: nothing"));
    else if (const int more = m_now->inFlightCount - static_cast<int>(m_now->inFlight.size()); more > 0)
        notDone.append(tr("and %1 more in flight").arg(more));
    m_notDone->setPlain(notDone.join(QStringLiteral(". ")) + QLatin1Char('.'));
    for (std::size_t i = 0; i < m_lastEvents.size(); ++i) {
        QString line;
        if (i < m_now->lastEvents.size()) {
            const live::EventRow &event = m_now->lastEvents[i];
            line = QStringLiteral("%1  %2  %3  %4")
                       .arg(QString::fromStdString(rules::utcClock(event.at)).chopped(4), event.word, event.subject, event.sentence);
        }
        m_lastEvents[i]->setPlain(line);
    }
    if (!m_sender.isBusy() && !waitingRequest().isEmpty())
        say(waitingRequest(), false);
    m_hold->setEnabled(mayConfirm());
    m_hold->setToolTip(mayConfirm() ? QString() : plainTooltip(tr("something is still missing above")));
    if (!m_sender.isBusy())
        m_name->setEnabled(mayConfirm());
}

const live::TripDetail *RearmDialog::holderAfter(rules::TripId besides) const
{
    const auto chosen = ticked();
    const live::TripDetail *holder = nullptr;
    for (const live::TripDetail &trip : m_now->trips) {
        const bool lifted = trip.trip.id == besides || std::ranges::find(chosen, &trip) != chosen.end();
        if (!lifted && !trip.ofTask && (!holder || trip.trip.rung > holder->trip.rung))
            holder = &trip;
    }
    return holder;
}

/// What will hold when this trip is lifted together with those that are ticked; empty: nothing.
QString RearmDialog::restWords(rules::TripId lifted) const
{
    const live::TripDetail *holder = holderAfter(lifted);
    const bool toDegraded = static_cast<Rung>(m_target->currentData().toInt()) == Rung::Degraded;
    if (toDegraded && (!holder || holder->trip.rung == Rung::Degraded))
        return tr("degraded, on a new probation");
    return holder
        ? tr("still %1, %2 holds it").arg(QString::fromUtf8(rules::toWord(holder->trip.rung).data()), holder->title)
        : QString();
}

/// The fleet's stop is lifted on the fleet's own dialogue only: what it lets go is more than this agent.
bool RearmDialog::isElsewhere(const live::TripDetail &trip) const
{
    return trip.trip.reach == rules::Reach::Fleet && !m_now->focus.fleet;
}

/// Whom the act lets go, where that is more than one agent.
QString RearmDialog::fleetWords() const
{
    const live::TripDetail *holder = holderAfter({});
    if (holder && holder->trip.rung == Rung::Open)
        return tr("This stop holds the whole fleet, and another still will: no agent goes free.");
    const bool toProbation = holder || static_cast<Rung>(m_target->currentData().toInt()) == Rung::Degraded;
    const int freed = m_now->agentsInAll - m_now->agentsHeldBeside;
    QString words = (toProbation ? tr("This stop holds the whole fleet: %1 degraded")
                                 : tr("This stop holds the whole fleet: %1 free"))
                        .arg(counted(freed, tr("agent goes"), tr("agents go")));
    if (m_now->agentsHeldBeside > 0)
        words += tr(", %1 by other trips").arg(counted(m_now->agentsHeldBeside, tr("stays held"), tr("stay held")));
    return words + QLatin1Char('.');
}

QString RearmDialog::afterWords() const
{
    const auto to = static_cast<Rung>(m_target->currentData().toInt());
    const auto chosen = ticked();
    const live::TripDetail *holding = holderAfter({});
    const Rung rest = holding ? holding->trip.rung : Rung::Closed;
    const QString holder = holding ? holding->title : QString();
    const QString now = agentState(m_now->agent) + tr(" now. ");
    if (chosen.empty())
        return now + tr("Nothing is ticked: nothing would change.");
    if (rest == Rung::Open)
        return now + tr("After this act: still open, %1 holds it.").arg(holder);
    if (to == Rung::Degraded)
        return now
            + tr("After this act: degraded, on probation (%1, write tools off), until a person lifts it.")
                  .arg(m_now->degradedModel.isEmpty() ? tr("its own models") : m_now->degradedModel);
    return rest == Rung::Degraded ? now + tr("After this act: still degraded, %1 holds it.").arg(holder)
                                  : now + tr("After this act: closed, all calls pass.");
}

void RearmDialog::suggestTarget()
{
    if (m_targetChosen)
        return;
    // A probation is lifted, not put on probation again.
    const auto chosen = ticked();
    const bool lifts = !chosen.empty() && std::ranges::all_of(chosen, [](const live::TripDetail *trip) {
        return trip->trip.subject.signal == rules::Signal::Probation;
    });
    m_target->setCurrentIndex(m_target->findData(static_cast<int>(lifts ? Rung::Closed : Rung::Degraded)));
}

QString RearmDialog::reasonProblem() const
{
    const QString reason = m_reason->text().trimmed();
    if (reason.size() < kLeastReason)
        return tr("at least 10 characters, %1 more").arg(kLeastReason - reason.size());
    const auto chosen = ticked();
    const bool copied = std::ranges::any_of(chosen, [&](const live::TripDetail *trip) {
        return !trip->reasonTaken.isEmpty() && trip->reasonTaken.trimmed() == reason;
    });
    return copied ? tr("a copy of the last reason for this agent: say what is different now") : QString();
}

bool RearmDialog::grantMissing() const
{
    return std::ranges::any_of(m_trips, [](const RearmTripRow *row) { return row->isTicked() && !row->grant(); });
}

bool RearmDialog::isChanged() const
{
    return m_now->agent.revision != m_seen->agent.revision;
}

bool RearmDialog::mayConfirm() const
{
    return !m_sender.isBusy() && waitingRequest().isEmpty() && m_permissives->allMet() && m_cause->currentIndex() > 0
        && reasonProblem().isEmpty();
}

std::vector<const live::TripDetail *> RearmDialog::ticked() const
{
    std::vector<const live::TripDetail *> trips;
    for (const RearmTripRow *row : m_trips) {
        const live::TripDetail *trip = tripOf(*m_now, row->id());
        if (row->isTicked() && trip)
            trips.push_back(trip);
    }
    return trips;
}

void RearmDialog::lookAgain()
{
    m_seen = m_now;
    showTrips();
    showState();
    m_reason->setFocus();
}

// ---- Acting ------------------------------------------------------------------------------------------------

void RearmDialog::ownActMoved(const live::ActState &act)
{
    const bool ours = act.kind == live::ActKind::Acknowledge && act.agent == m_seen->agent.id;
    const bool next = act.revision.value == std::max(m_seen->agent.revision.value, m_ownRevision.value) + 1;
    if (ours && act.stage == live::ActStage::Committed && next)
        m_ownRevision = act.revision;
}

/// The host had compared the revision before: nobody else's act stands between what was seen and this one.
void RearmDialog::ownRearmMoved(rules::AgentId whose, rules::Revision revision)
{
    if (whose == m_seen->agent.id)
        m_ownRevision = revision;
}

std::vector<PlannedRearm> RearmDialog::plan() const
{
    std::vector<PlannedRearm> plan;
    for (const RearmTripRow *row : m_trips) {
        const live::TripDetail *trip = tripOf(*m_seen, row->id());
        if (!row->isTicked() || !trip)
            continue;
        rules::Rearm act{.trip = row->id(), .revision = trip->revision, .by = {}, .cause = {}, .reason = {}, .grant = {}, .queue = {}};
        act.cause = m_cause->currentText().toStdString();
        act.reason = m_reason->text().trimmed().toStdString();
        act.to = static_cast<Rung>(m_target->currentData().toInt());
        act.grant = row->grant().value_or(rules::Grant{});
        plan.push_back({std::move(act), trip->title, trip->trip.agent});
    }
    // The agent's own first: an act on the fleet's trip moves every agent's revision, and not the other way about.
    std::ranges::stable_sort(plan, {}, [&](const PlannedRearm &planned) { return planned.whose != m_seen->agent.id; });
    decideTasks(plan);
    return plan;
}

/// What becomes of a task goes with the last trip that holds it: until then it stays.
void RearmDialog::decideTasks(std::vector<PlannedRearm> &plan) const
{
    for (const QueueChoice *choice : m_choices) {
        const auto holder = std::find_if(plan.rbegin(), plan.rend(), [&](const PlannedRearm &planned) {
            const live::TripDetail *trip = tripOf(*m_seen, planned.act.trip);
            return trip && holdsTask(*trip, choice->task());
        });
        if (choice->choice() && holder != plan.rend())
            holder->act.queue.emplace_back(choice->task(), *choice->choice());
    }
}

void RearmDialog::confirm()
{
    if (!mayConfirm())
        return;
    auto acts = plan();
    if (acts.empty())
        return;
    say(tr("requested"), false);
    m_sender.send(std::move(acts), m_now->agent.id, m_now->agent.name);
    showState();
}

QString RearmDialog::secondPerson() const
{
    for (const live::TripDetail *trip : ticked()) {
        if (!trip->secondPerson.isEmpty())
            return trip->secondPerson;
    }
    return {};
}

QString RearmDialog::waitingRequest() const
{
    for (const live::TripDetail *trip : ticked()) {
        const live::RequestRow *request = m_session.requestOn(trip->trip.id);
        if (request)
            return tr("Request %1 on %2, asked by %3, waits for a second person already. Nothing is in force yet.")
                .arg(QString::number(request->seq.value), trip->title, request->by);
    }
    return {};
}

/// The dialogue stays and shows how it ends; closed meanwhile, the request waits on its own page.
void RearmDialog::waits(const live::ActState &act, const QStringList &notTried)
{
    const QString request = QString::number(act.request.value);
    QStringList words;
    words.append(act.requestUntil
                     ? tr("Waits for a second person: request %1, until %2 UTC. Nothing is in force yet.")
                           .arg(request, QString::fromStdString(rules::utcClock(*act.requestUntil)).left(8))
                     : tr("Waits for a second person: request %1. Nothing is in force yet.").arg(request));
    if (!notTried.isEmpty())
        words.append(tr("Not tried: %1; ask for them when this is decided.").arg(notTried.join(QStringLiteral(", "))));
    say(words.join(QLatin1Char(' ')), false);
    m_cancel->setText(tr("Close"));
    showState();
}

void RearmDialog::notDone(const QString &why, const QStringList &done, const QStringList &notTried)
{
    const QString between = QStringLiteral(", ");
    QStringList words;
    if (!done.isEmpty())
        words.append(tr("Re-armed: %1.").arg(done.join(between)));
    words.append(tr("NOT re-armed: %1.").arg(why));
    if (!notTried.isEmpty())
        words.append(tr("Not tried: %1.").arg(notTried.join(between)));
    words.append(tr("Your words are kept; it is not tried again by itself."));
    say(words.join(QLatin1Char(' ')), true);
    m_name->clear();
    m_cancel->setText(tr("Cancel"));
    showSubject();
}

void RearmDialog::say(const QString &words, bool loud)
{
    m_result->setPlain(words);
    m_result->setLook(TextSize::Text, QFont::DemiBold, loud ? Shade::Open : Shade::Secondary);
    m_result->show();
}

void RearmDialog::keyPressEvent(QKeyEvent *event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && !m_cancel->hasFocus())
        return; // Enter never re-arms, and cancels only from Cancel itself: words are not lost by it
    QDialog::keyPressEvent(event);
}

bool RearmDialog::eventFilter(QObject *object, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter)
            return true;
    }
    return QDialog::eventFilter(object, event);
}

} // namespace handreset::views

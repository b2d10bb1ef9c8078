#include "views/pages/subject_page.h"

#include "model/live/desk_session.h"
#include "model/rules/words_of_time.h"
#include "views/breaker_card.h"
#include "views/card.h"
#include "views/dialogs/stop_reason_dialog.h"
#include "views/empty_state.h"
#include "views/evidence_view.h"
#include "views/kill_switch_ladder.h"
#include "views/lane_strip.h"
#include "views/matrix_view.h"
#include "views/permissive_list.h"
#include "views/plain_label.h"
#include "views/subject_header.h"
#include "views/subject_states.h"

#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace handreset::views {

namespace {

constexpr int kStackBelow = 1'080; ///< narrower than this, the cards stand one below the other
constexpr int kUsualHeight = 856;  ///< of the page in a window of 1440 x 900
constexpr int kEvidenceLine = 20;
constexpr std::size_t kEvidenceLines = 8; ///< that the card has room for at the usual height
constexpr std::size_t kLastEvents = 3;
constexpr std::size_t kPermissivesShown = 4;

/// What is missing, then what is met, as far as there is room; the dialogue shows them all.
[[nodiscard]] std::vector<rules::Permissive> missingFirst(std::vector<rules::Permissive> all)
{
    const auto met = std::stable_partition(all.begin(), all.end(), [](const auto &p) { return p.met != rules::Met::Yes; });
    const auto missing = static_cast<std::size_t>(met - all.begin());
    const std::size_t shown = std::max(missing, kPermissivesShown - 1);
    if (all.size() <= shown + 1)
        return all;
    const std::size_t rest = all.size() - shown;
    all.resize(shown);
    all.push_back({.name = std::to_string(rest) + " more", .met = rules::Met::Yes, .value = "all met", .limit = {}, .age = {}});
    return all;
}

} // namespace

SubjectPage::SubjectPage(live::DeskSession &session, QWidget *parent)
    : Page(parent),
      m_session(session),
      m_stack(new QStackedLayout(this)),
      m_empty(
          new EmptyState(tr("No subject is chosen"),
                         tr("Choose an agent or a tool on the board (Ctrl+1) and press Enter: here stand what holds "
                            "its switch, how near each limit is, and what is missing before a re-arm."),
                         {}, this)),
      m_scroll(new QScrollArea(this)),
      m_content(new QWidget(this)),
      m_grid(new QGridLayout),
      m_header(new SubjectHeader(this))
{
    makeCards();
    auto *layout = new QVBoxLayout(m_content);
    layout->setContentsMargins(24, 0, 20, 10);
    m_grid->setSpacing(10);
    layout->addLayout(m_grid, 1);
    m_scroll->setWidget(m_content);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Name and verbs stand above what scrolls: they are never out of sight.
    auto *page = new QWidget(this);
    auto *rows = new QVBoxLayout(page);
    rows->setContentsMargins(0, 10, 0, 0);
    rows->setSpacing(10);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(24, 0, 20, 0);
    head->addWidget(m_header);
    rows->addLayout(head);
    rows->addWidget(m_scroll, 1);
    m_stack->addWidget(page);
    m_stack->addWidget(m_empty);
    connect(m_header, &SubjectHeader::acknowledgeRequested, this, &SubjectPage::acknowledge);
    connect(m_header, &SubjectHeader::grantRequested, this, &SubjectPage::grant);
    connect(m_header, &SubjectHeader::rearmRequested, this, &SubjectPage::rearm);
    connect(m_header, &SubjectHeader::stopRequested, this, [this] {
        if (const auto id = this->agent())
            Q_EMIT stopRequested(*id);
    });
    connect(&session, &live::DeskSession::subjectChanged, this, &SubjectPage::showSubject);
    connect(&session, &live::DeskSession::freshnessChanged, this, &SubjectPage::showSubject);
    arrange(false);
    showSubject();
}

void SubjectPage::makeCards()
{
    m_ladderCard = new Card(tr("Kill switch"), m_content);
    m_ladderCard->setCaption(tr("what holds it, and who can lift it"));
    m_ladder = new KillSwitchLadder(m_ladderCard);
    m_ladder->setObjectName(QStringLiteral("ladder"));
    m_ladderCard->body()->addWidget(m_ladder, 1);
    m_matrixCard = new Card(tr("Matrix"), m_content);
    m_matrixCard->setCaption(tr("one decision a line: which signal, which limit, who re-arms"));
    m_matrix = new MatrixView(m_matrixCard);
    m_matrixCard->body()->addWidget(m_matrix, 1);
    m_breakerCard = new BreakerCard(m_session, m_content);
    m_evidenceCard = new Card(tr("Evidence"), m_content);
    m_evidenceCard->setObjectName(QStringLiteral("evidenceCard"));
    m_evidence = new EvidenceView(m_evidenceCard);
    m_noEvidence = new PlainLabel(tr("Nothing holds the switch. When a limit trips, its evidence stands here."), m_evidenceCard);
    m_noEvidence->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    m_before = new PlainLabel(tr("Before re-arm"), m_evidenceCard);
    m_before->setLook(TextSize::Secondary, QFont::DemiBold);
    m_permissives = new PermissiveList(m_evidenceCard);
    m_evidenceCard->body()->addWidget(m_evidence);
    m_evidenceCard->body()->addWidget(m_noEvidence);
    m_evidenceCard->body()->addWidget(m_before);
    m_evidenceCard->body()->addWidget(m_permissives);
    m_evidenceCard->body()->addStretch(1);
    m_lanesCard = new Card(tr("Last 15 minutes"), m_content);
    m_lanes = new LaneStrip(m_lanesCard);
    m_lanesCard->body()->addWidget(m_lanes);
    m_eventsCard = new Card(tr("Last events"), m_content);
    m_eventsCard->body()->setSpacing(2);
    for (std::size_t i = 0; i < kLastEvents; ++i) {
        m_lastEvents.push_back(new PlainLabel(m_eventsCard));
        m_lastEvents.back()->setNumberLook(TextSize::Caption, QFont::Normal, Shade::Secondary);
        m_eventsCard->body()->addWidget(m_lastEvents.back());
    }
    m_eventsCard->body()->addStretch(1);
    // A decision is taken on one page without scrolling: these cards sit closer than others.
    for (QWidget *card : {static_cast<QWidget *>(m_ladderCard), static_cast<QWidget *>(m_matrixCard),
                          static_cast<QWidget *>(m_breakerCard), static_cast<QWidget *>(m_evidenceCard),
                          static_cast<QWidget *>(m_lanesCard), static_cast<QWidget *>(m_eventsCard)})
        card->layout()->setContentsMargins(kGap, 10, kGap, 10);
    connect(m_ladder, &KillSwitchLadder::latchActivated, this, [this](int latch) {
        if (const auto detail = m_session.subject(); detail && static_cast<std::size_t>(latch) < detail->trips.size())
            select(detail->trips[static_cast<std::size_t>(latch)].trip.id);
    });
    connect(m_evidence, &EvidenceView::reasonRequested, this, [this](rules::TripId stop) {
        const live::TripDetail *trip = selectedTrip();
        if (trip && trip->trip.id == stop)
            (new StopReasonDialog(m_session, *trip, this))->open();
    });
    connect(m_matrix, &MatrixView::tripActivated, this, &SubjectPage::select);
    connect(m_breakerCard, &BreakerCard::breakerChosen, this, [this](const rules::BreakerKey &key) {
        m_session.setFocus({.agent = m_session.focus().agent, .breaker = key});
    });
    connect(m_breakerCard, &BreakerCard::rowActivated, this, [this](int row) {
        if (const auto detail = m_session.subject(); detail && detail->breaker)
            Q_EMIT transitionsRequested(detail->breaker->row, static_cast<std::uint8_t>(row));
    });
}

void SubjectPage::arrange(bool stacked)
{
    if (m_arranged && stacked == m_stacked)
        return;
    m_arranged = true;
    m_stacked = stacked;
    QWidget *const cards[] = {m_ladderCard, m_matrixCard, m_breakerCard, m_evidenceCard, m_lanesCard, m_eventsCard};
    for (QWidget *card : cards)
        m_grid->removeWidget(card);
    for (int column = 0; column < 12; ++column)
        m_grid->setColumnStretch(column, stacked ? (column == 0 ? 1 : 0) : 1);
    for (int row = 0; row < 6; ++row)
        m_grid->setRowStretch(row, 0);
    if (stacked) {
        for (int row = 0; row < 6; ++row)
            m_grid->addWidget(cards[row], row, 0);
        return;
    }
    m_grid->addWidget(m_ladderCard, 0, 0, 1, 4);
    m_grid->addWidget(m_matrixCard, 0, 4, 1, 8);
    m_grid->addWidget(m_breakerCard, 1, 0, 1, 6);
    m_grid->addWidget(m_evidenceCard, 1, 6, 1, 6);
    m_grid->addWidget(m_lanesCard, 2, 0, 1, 8);
    m_grid->addWidget(m_eventsCard, 2, 8, 1, 4);
    m_grid->setRowStretch(0, 1);
    m_grid->setRowStretch(1, 4);
    m_grid->setRowStretch(2, 0);
}

void SubjectPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    arrange(width() < kStackBelow);
    if (const auto detail = m_session.subject(); detail && detail->focus.agent)
        showEvidence(*detail);
}

/// A resize while another page was on show left the cards where they were: the content is laid out again.
void SubjectPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    m_content->layout()->invalidate();
    QCoreApplication::postEvent(m_content, new QEvent(QEvent::LayoutRequest));
}

QList<KeyHelp> SubjectPage::keys() const
{
    return {{tr("Tab, arrows"), tr("walk latches, lines, states and spans")},
            {tr("Enter"), tr("show the evidence of the latch or line")},
            {tr("A"), tr("acknowledge the trip on show")},
            {tr("R"), tr("re-arm the agent")},
            {tr("G"), tr("grant more: steps, or an allowance until the window ends")}};
}

void SubjectPage::enter()
{
    chooseSomething();
    m_ladder->setFocus(Qt::OtherFocusReason);
}

/// Without a subject of its own the page shows the agent that needs eyes first.
void SubjectPage::chooseSomething()
{
    if (!m_session.focus().isSet() && m_session.agents().rowCount() > 0)
        m_session.setFocus({.agent = m_session.agents().rowAt(0).id, .breaker = {}});
}

std::optional<rules::AgentId> SubjectPage::agent() const
{
    const rules::AgentId id = m_session.focus().agent;
    return id ? std::optional(id) : std::nullopt;
}

const live::TripDetail *SubjectPage::selectedTrip() const
{
    const auto detail = m_session.subject();
    if (!detail || detail->trips.empty())
        return nullptr;
    const live::TripDetail *best = &detail->trips.front();
    for (const live::TripDetail &trip : detail->trips) {
        if (trip.trip.id == m_selected)
            return &trip;
        if (trip.trip.rung > best->trip.rung)
            best = &trip;
    }
    return best;
}

void SubjectPage::acknowledge()
{
    const live::TripDetail *trip = selectedTrip();
    if (!trip)
        return;
    if (!trip->trip.acknowledgedBy) {
        m_session.acknowledge(trip->trip.id);
        return;
    }
    for (const live::TripDetail &other : m_session.subject()->trips) {
        if (!other.trip.acknowledgedBy) {
            select(other.trip.id);
            m_session.acknowledge(other.trip.id);
            return;
        }
    }
}

void SubjectPage::rearm()
{
    const live::TripDetail *trip = selectedTrip();
    if (!trip || !m_session.focus().hasSwitch())
        return;
    // The fleet's stop lets go more than this agent: it is decided on as the fleet's.
    const bool ofFleet = trip->trip.reach == rules::Reach::Fleet;
    Q_EMIT rearmRequested(ofFleet ? rules::AgentId{} : m_session.focus().agent, trip->trip.id);
}

void SubjectPage::grant()
{
    const live::TripDetail *trip = selectedTrip();
    if (m_session.focus().agent)
        Q_EMIT grantRequested(m_session.focus().agent, trip ? trip->trip.id : rules::TripId{});
    else
        Page::grant();
}

void SubjectPage::show(const live::Focus &focus)
{
    toTop();
    m_selected = {};
    m_session.setFocus(focus);
}

void SubjectPage::showTrip(rules::AgentId agent, rules::TripId trip)
{
    toTop();
    m_session.setFocus({.agent = agent, .breaker = {}, .fleet = !agent});
    select(trip);
}

/// Another subject begins with its name, wherever the last one was left.
void SubjectPage::toTop()
{
    m_scroll->verticalScrollBar()->setValue(0);
}

void SubjectPage::select(rules::TripId trip)
{
    m_selected = trip;
    showSubject();
}

void SubjectPage::showSubject()
{
    const auto detail = m_session.subject();
    showPage();
    if (!detail)
        return;
    const live::Freshness &freshness = m_session.freshness();
    const qint64 ageMs = freshness.age.micros / 1'000;
    const bool hasSwitch = detail->focus.hasSwitch();
    for (QWidget *card : {static_cast<QWidget *>(m_ladderCard), static_cast<QWidget *>(m_evidenceCard)})
        card->setVisible(hasSwitch);
    m_matrixCard->setVisible(detail->focus.agent.isSet());
    m_breakerCard->setVisible(!detail->focus.fleet);
    if (hasSwitch) {
        bool toAcknowledge = false;
        for (const live::TripDetail &trip : detail->trips)
            toAcknowledge = toAcknowledge || !trip.trip.acknowledgedBy;
        m_header->setAgent(*detail, toAcknowledge, freshness.stale, ageMs);
        showAgent(*detail);
    } else if (detail->breaker) {
        m_header->setBreaker(*detail->breaker, freshness.stale, ageMs);
    }
    m_breakerCard->setDetail(*detail, freshness.stale);
    m_lanesCard->setTitle(detail->recorded ? tr("The last 15 minutes recorded") : tr("Last 15 minutes"));
    m_lanes->setState(laneState(*detail));
    showLastEvents(*detail);
}

/// Nothing that belongs to another subject than the chosen one is ever on show, whatever keeps its own from coming.
void SubjectPage::showPage()
{
    const auto detail = m_session.subject();
    if (detail) {
        if (detail->focus.agent != m_shown.agent || detail->focus.hasSwitch() != m_shown.hasSwitch())
            toTop();
        m_shown = detail->focus;
    }
    const live::Focus &focus = m_session.focus();
    const bool own = m_shown.agent == focus.agent && (focus.agent || m_shown.breaker == focus.breaker);
    m_stack->setCurrentIndex(focus.isSet() && own ? 0 : 1);
    m_empty->setTrouble(dataTrouble(m_session.freshness()));
}

void SubjectPage::showAgent(const live::SubjectDetail &detail)
{
    const bool stale = m_session.freshness().stale;
    const live::TripDetail *trip = selectedTrip();
    m_ladder->setState(ladderState(detail, trip ? trip->trip.id : rules::TripId{}, stale));
    m_matrix->setLines(detail.matrix);
    m_matrixCard->setStale(stale);
    showEvidence(detail);
}

/// On one page without scrolling where the cards stand side by side; one below the other the page scrolls anyway.
std::size_t SubjectPage::evidenceRoom() const
{
    if (m_stacked)
        return kEvidenceLines * 2;
    return kEvidenceLines + static_cast<std::size_t>(std::max(0, height() - kUsualHeight) / kEvidenceLine);
}

void SubjectPage::showEvidence(const live::SubjectDetail &detail)
{
    const live::TripDetail *trip = selectedTrip();
    const bool byClock = trip && trip->trip.latch == rules::LatchState::HeldByClock;
    m_noEvidence->setVisible(!trip);
    m_evidence->setVisible(trip != nullptr);
    m_before->setVisible(trip != nullptr);
    m_permissives->setVisible(trip != nullptr);
    m_evidenceCard->setOrder(trip ? trip->trip.order : 0, trip ? trip->title : QString());
    m_evidenceCard->setCaption(trip ? trip->whoLifts : QString());
    if (!trip) {
        m_evidence->clear();
        return;
    }
    m_evidence->setRoom(evidenceRoom());
    m_evidence->setTrip(*trip);
    m_before->setPlain(byClock ? tr("It comes back by itself. Before a re-arm by hand") : tr("Before re-arm"));
    m_permissives->setPermissives(
        missingFirst(rules::permissivesOf(rearmFacts(m_session, detail, {trip}, detail.agent.revision))));
}

void SubjectPage::showLastEvents(const live::SubjectDetail &detail)
{
    m_eventsCard->setCaption(detail.changedLately);
    for (std::size_t i = 0; i < m_lastEvents.size(); ++i) {
        QString line;
        if (i < detail.lastEvents.size()) {
            const live::EventRow &event = detail.lastEvents[i];
            QStringList parts{QString::fromStdString(rules::utcClock(event.at)).chopped(4), event.word};
            if (!event.subject.isEmpty())
                parts.append(event.subject);
            parts.append(event.sentence);
            line = parts.join(QStringLiteral("  "));
        }
        m_lastEvents[i]->setPlain(line);
    }
}

} // namespace handreset::views

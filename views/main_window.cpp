#include "views/main_window.h"

#include "model/live/desk_session.h"
#include "model/rules/words_of_time.h"
#include "views/act_bar.h"
#include "views/data_trouble.h"
#include "views/desk_table.h"
#include "views/dialogs/grant_dialog.h"
#include "views/dialogs/keys_dialog.h"
#include "views/dialogs/palette_dialog.h"
#include "views/dialogs/rearm_dialog.h"
#include "views/dialogs/stop_fleet_dialog.h"
#include "views/dialogs/unlock_dialog.h"
#include "views/key_words.h"
#include "views/pages/audit_page.h"
#include "views/pages/board_page.h"
#include "views/pages/events_page.h"
#include "views/pages/queue_page.h"
#include "views/pages/requests_page.h"
#include "views/pages/subject_page.h"
#include "views/pages/trips_page.h"
#include "views/plain_text.h"
#include "views/rail.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace handreset::views {

namespace {

constexpr std::chrono::seconds kRingEvery{60};

} // namespace

MainWindow::MainWindow(live::DeskSession &session, const QString &store, QWidget *parent)
    : QMainWindow(parent), m_session(session), m_store(store), m_strip(new HeaderStrip(this)), m_rail(new Rail(this)),
      m_stack(new QStackedWidget(this)), m_acts(new ActBar(session, this))
{
    setObjectName(QStringLiteral("deskWindow"));
    setWindowTitle(QStringLiteral("Handreset"));
    setMinimumSize(1024, 640);
    auto *central = new QWidget(this);
    auto *outer = new QVBoxLayout(central);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(m_strip);
    auto *middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_rail);
    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_stack, 1);
    right->addWidget(m_acts);
    middle->addLayout(right, 1);
    outer->addLayout(middle, 1);
    setCentralWidget(central);

    m_subject = new SubjectPage(session);
    auto *events = new EventsPage(session);
    addPage(new BoardPage(session));
    addPage(new TripsPage(session));
    addPage(m_subject);
    addPage(new QueuePage(session));
    addPage(events);
    m_requests = new RequestsPage(session);
    addPage(m_requests);
    addPage(new AuditPage(session));
    std::vector<RailItem> items;
    for (const Page *page : m_pages)
        items.push_back({page->title(), 0});
    m_rail->setItems(items);
    connect(m_subject, &SubjectPage::transitionsRequested, this,
            [this, events](const live::BreakerRow &breaker, std::uint8_t row) {
                events->showTransitions(breaker, row);
                goTo(Events);
            });
    connect(m_rail, &Rail::pageActivated, this, &MainWindow::goTo);
    connect(m_strip, &HeaderStrip::countActivated, this, [this](HeaderStrip::Count count) {
        goTo(count == HeaderStrip::Count::Queued               ? Queue
                 : count == HeaderStrip::Count::Unacknowledged ? Trips
                 : count == HeaderStrip::Count::Fleet          ? Trips
                 : count == HeaderStrip::Count::Requests       ? Requests
                 : count == HeaderStrip::Count::Reviews        ? Requests
                                                               : Board);
    });
    connect(m_strip, &HeaderStrip::keyActivated, this, &MainWindow::lockOrUnlock);
    connect(m_acts, &ActBar::tripRequested, this, &MainWindow::openTrip);
    connect(m_acts, &ActBar::requestRequested, this, &MainWindow::openRequest);
    connect(&session, &live::DeskSession::keyAsked, this, &MainWindow::openUnlock,
            Qt::QueuedConnection); // the dialogue that asked for the act may close at once
    connect(&m_ring, &QTimer::timeout, this, &MainWindow::ring);
    connect(m_acts, &ActBar::stopAgainRequested, this, &MainWindow::stop);
    connect(&session, &live::DeskSession::updated, this, &MainWindow::showStrip);
    connect(&session, &live::DeskSession::freshnessChanged, this, &MainWindow::showStrip);
    connect(&session, &live::DeskSession::subjectChanged, this, &MainWindow::showAsked);
    makeShortcuts();
    m_rail->setCurrent(Board);
    m_pages[Board]->enter();
    showStrip();
}

void MainWindow::addPage(Page *page)
{
    m_stack->addWidget(page);
    m_pages.push_back(page);
    connect(page, &Page::subjectRequested, this, &MainWindow::openSubject);
    connect(page, &Page::tripRequested, this, &MainWindow::openTrip);
    connect(page, &Page::rearmRequested, this, &MainWindow::openRearm);
    connect(page, &Page::grantRequested, this, &MainWindow::openGrant);
    connect(page, &Page::stopRequested, this, &MainWindow::stop);
    connect(page, &Page::said, this, &MainWindow::tell);
}

void MainWindow::key(const QKeySequence &sequence, const std::function<void()> &then)
{
    connect(new QShortcut(sequence, this), &QShortcut::activated, this, then);
}

void MainWindow::makeShortcuts()
{
    key(Qt::Key_A, [this] { current().acknowledge(); });
    key(Qt::Key_R, [this] { current().rearm(); });
    key(Qt::Key_G, [this] { current().grant(); });
    key(Qt::Key_Slash, [this] { current().focusFilter(); });
    key(Qt::Key_Escape, [this] { back(); });
    key(Qt::CTRL | Qt::SHIFT | Qt::Key_X, [this] { stopSelected(); });
    key(Qt::CTRL | Qt::Key_K, [this] { openPalette(); });
    key(Qt::CTRL | Qt::Key_L, [this] { lockOrUnlock(); });
    key(Qt::Key_F1, [this] { showKeys(); });
}

void MainWindow::showKeys()
{
    QList<KeyHelp> keys = current().keys();
    if (current().findChild<DeskTable *>())
        keys.append({tr("S, Shift+S"), tr("sort the table by its next column; the other way round")});
    if (m_session.operators().isSigned)
        keys.append({tr("Ctrl+L"), tr("unlock your key, or lock it")});
    (new KeysDialog(current().title(), keys, this))->open();
}

void MainWindow::openPalette()
{
    QStringList titles;
    for (const Page *page : m_pages)
        titles.append(page->title());
    auto *palette = new PaletteDialog(m_session, titles, this);
    connect(palette, &PaletteDialog::pageChosen, this, &MainWindow::goTo);
    connect(palette, &PaletteDialog::subjectChosen, this, &MainWindow::openSubject);
    connect(palette, &PaletteDialog::stopFleetChosen, this, [this] { (new StopFleetDialog(m_session, this))->open(); });
    palette->open();
}

Page &MainWindow::current()
{
    return *m_pages[static_cast<std::size_t>(m_stack->currentIndex())];
}

void MainWindow::goTo(int page)
{
    if (page != m_stack->currentIndex())
        m_history.push_back(m_stack->currentIndex());
    m_stack->setCurrentIndex(page);
    m_rail->setCurrent(page);
    current().enter();
}

void MainWindow::back()
{
    if (current().leave() || m_history.empty())
        return;
    const int page = m_history.back();
    m_history.pop_back();
    m_stack->setCurrentIndex(page);
    m_rail->setCurrent(page);
    current().enter();
}

void MainWindow::openSubject(const live::Focus &focus)
{
    m_subject->show(focus);
    goTo(Subject);
}

void MainWindow::openTrip(rules::AgentId agent, rules::TripId trip)
{
    m_subject->showTrip(agent, trip);
    goTo(Subject);
}

void MainWindow::openRequest(rules::Seq request)
{
    goTo(Requests);
    m_requests->select(request);
}

void MainWindow::openUnlock()
{
    if (m_unlock)
        return;
    m_session.key().lookAgain();
    QWidget *over = QApplication::activeModalWidget(); // an act may come from within a dialogue
    m_unlock = new UnlockDialog(m_session, over && isAncestorOf(over) ? over : this);
    // However it goes: where the policy unlocks the key for one act and there are more, or the dialogue that it stood
    // on went away under it, what waits must be asked for again.
    connect(m_unlock, &QObject::destroyed, this, [this] {
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (!m_unlock && m_session.waitsForKey())
                    openUnlock();
            },
            Qt::QueuedConnection);
    });
    m_unlock->open();
}

void MainWindow::lockOrUnlock()
{
    using State = live::OperatorKey::State;
    live::OperatorKey &key = m_session.key();
    if (!m_session.operators().isSigned) {
        tell(tr("This store asks for no signatures: there is no key to unlock."));
        return;
    }
    key.lookAgain();
    if (key.state() == State::Unlocked) {
        key.lock();
        tell(tr("Your key is locked."));
    } else if (key.state() == State::None) {
        tell(noKeyWords());
    } else {
        openUnlock();
    }
}

void MainWindow::openRearm(rules::AgentId agent, rules::TripId ticked)
{
    m_asked = Asked{false, agent, ticked};
    look(agent);
}

void MainWindow::openGrant(rules::AgentId agent, rules::TripId trip)
{
    m_asked = Asked{true, agent, trip};
    look(agent);
}

void MainWindow::look(rules::AgentId agent)
{
    if (m_session.focus().agent != agent || m_session.focus().fleet == agent.isSet())
        m_session.setFocus({.agent = agent, .breaker = {}, .fleet = !agent});
    showAsked();
}

void MainWindow::showAsked()
{
    const auto detail = m_session.subject();
    if (!m_asked || !detail || !detail->focus.hasSwitch() || detail->agent.id != m_asked->agent)
        return; // it comes with the next publication
    const Asked asked = *m_asked;
    m_asked.reset();
    if (asked.isGrant)
        showGrant(detail, asked.trip);
    else
        showRearm(detail, asked.trip);
}

void MainWindow::showRearm(const std::shared_ptr<const live::SubjectDetail> &detail, rules::TripId ticked)
{
    const auto ofFleet = [](const live::TripDetail &trip) { return trip.trip.reach == rules::Reach::Fleet; };
    const bool onlyFleets
        = !detail->focus.fleet && !detail->trips.empty() && std::ranges::all_of(detail->trips, ofFleet);
    if (onlyFleets) // nothing of the agent's own holds it
        openRearm({}, ticked);
    else if (detail->trips.empty())
        tell(tr("Nothing holds %1: there is nothing to re-arm.").arg(detail->agent.name));
    else
        (new RearmDialog(m_session, detail, ticked, this))->open();
}

void MainWindow::showGrant(const std::shared_ptr<const live::SubjectDetail> &detail, rules::TripId trip)
{
    if (detail->grants.empty())
        tell(tr("%1 has no limit that can be raised now: no task runs, and the policy sets no window of spend or "
                "volume.")
                 .arg(detail->agent.name));
    else
        (new GrantDialog(m_session, detail, trip, this))->open();
}

void MainWindow::stopSelected()
{
    if (const auto agent = current().agent())
        stop(*agent);
    else
        tell(tr("No agent is selected: nothing was stopped."));
}

void MainWindow::stop(rules::AgentId agent)
{
    if (const live::AgentRow *row = m_session.agents().rowOf(agent.value))
        m_session.stop(*row, rules::Rung::Open);
}

void MainWindow::tell(const QString &words)
{
    m_acts->tell(words);
}

void MainWindow::showStrip()
{
    const live::HeaderCounts &counts = m_session.counts();
    const live::Freshness &freshness = m_session.freshness();
    HeaderState state;
    state.fleet = counts.fleet;
    state.store = m_store;
    state.anySeen = m_session.agents().allRows() > 0;
    state.troubled = dataTrouble(freshness).has_value();
    state.fleetRung = counts.fleetRung;
    state.stoppedTasks = counts.stoppedTasks;
    state.tasksOpen = counts.taskRung == rules::Rung::Open;
    state.openAgents = counts.open;
    state.degradedAgents = counts.degraded;
    state.trippedBreakers = counts.breakersOpen;
    state.unacknowledged = counts.unacknowledged;
    state.queued = counts.queue;
    state.liveness = freshness.stale ? HeaderState::Liveness::Stale : HeaderState::Liveness::Live;
    if (counts.recorded && !freshness.stale) {
        state.liveness = HeaderState::Liveness::Recorded;
        state.recordedUntil
            = QString::fromStdString(rules::utcStamp(counts.lastTime)).left(16) + QStringLiteral(" UTC");
    }
    state.dataAgeMs = freshness.hasData ? freshness.age.micros / 1'000 : -1;
    showWho(state);
    showLink(state);
    state.clock = QString::fromStdString(rules::utcClock(m_session.hostTime()));
    if (!freshness.host.trouble.empty())
        state.notice = QString::fromStdString(freshness.host.trouble);
    else if (!counts.clockTrusted)
        state.notice = tr("the clock jumped: confirm the time below");
    if (counts.isUnsigned) {
        state.standing = tr("unsigned store: no second person");
        state.standingShort = tr("unsigned");
    } else if (m_session.operators().isSigned && m_session.operators().approvers < 2) {
        state.standing = tr("one approver: no second person, only break glass");
        state.standingShort = tr("one approver");
    }
    if (counts.reviews == 0)
        m_ring.stop();
    else if (!m_ring.isActive())
        m_ring.start(kRingEvery);
    m_strip->setState(state);
    m_rail->setCount(Trips, counts.unacknowledged);
    m_rail->setCount(Queue, counts.queue);
    m_rail->setCount(Requests, state.requests + state.reviews);
}

void MainWindow::showWho(HeaderState &state) const
{
    state.operatorName = m_session.operatorName();
    state.role = m_session.operators().isSigned ? roleWords(m_session) : tr("responder");
    state.requests = m_session.requestsForMe();
    state.reviews = m_session.counts().reviews;
    const KeyWords words = keyWords(m_session);
    state.key = words.whole;
    state.keyShort = words.brief;
    state.keyHelp = words.help;
    state.keyUnlocked = m_session.key().state() == live::OperatorKey::State::Unlocked;
}

void MainWindow::showLink(HeaderState &state) const
{
    const live::LinkNow &link = m_session.link();
    if (link.host.isEmpty())
        return;
    state.linkCut = !link.isUp;
    state.link = (link.isUp ? tr("link to %1: live") : tr("link to %1: cut, trying again")).arg(link.host);
    state.linkShort = link.isUp ? tr("link live") : tr("link cut");
    state.linkHelp = link.isUp ? state.link : state.link + QStringLiteral(": ") + link.trouble;
}

/// Broken glass rings until another person has looked at what was done.
void MainWindow::ring()
{
    QApplication::beep();
    QApplication::alert(this);
}

} // namespace handreset::views

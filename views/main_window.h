// The desk's window: strip, rail, pages and the line at the foot, and the keys that hold everywhere. It composes and
// forwards; what a page shows is the page's. GUI thread; the session outlives it.
#pragma once

#include "model/live/subject_detail.h"
#include "views/header_strip.h"

#include <QMainWindow>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QStackedWidget;

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class ActBar;
class Page;
class Rail;
class RequestsPage;
class SubjectPage;
class UnlockDialog;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    enum PageIndex : int { Board, Trips, Subject, Queue, Events, Requests, Audit };

    /// `store`: what the strip names it.
    MainWindow(live::DeskSession &session, const QString &store, QWidget *parent = nullptr);

    void goTo(int page);
    void openSubject(const live::Focus &focus);
    /// `agent`: none is the fleet.
    void openTrip(rules::AgentId agent, rules::TripId trip);
    /// Opens the re-arm dialogue of this agent (none: the fleet), as soon as its detail is there.
    void openRearm(rules::AgentId agent, rules::TripId ticked);
    /// Opens the grant dialogue of this agent, as soon as its detail is there. `trip`: whose limit is chosen first.
    void openGrant(rules::AgentId agent, rules::TripId trip);
    /// Opens the page of requests with this one selected.
    void openRequest(rules::Seq request);
    /// Asks for the passphrase; does nothing where it is being asked for.
    void openUnlock();
    void tell(const QString &words);

private:
    void addPage(Page *page);
    void makeShortcuts();
    void key(const QKeySequence &sequence, const std::function<void()> &then);
    void openPalette();
    void showKeys();
    void back();
    void stopSelected();
    void stop(rules::AgentId agent);
    void lockOrUnlock();
    void showStrip();
    void showWho(HeaderState &state) const;
    void showLink(HeaderState &state) const;
    void ring();
    void look(rules::AgentId agent);
    void showAsked();
    void showRearm(const std::shared_ptr<const live::SubjectDetail> &detail, rules::TripId ticked);
    void showGrant(const std::shared_ptr<const live::SubjectDetail> &detail, rules::TripId trip);
    [[nodiscard]] Page &current();

    live::DeskSession &m_session;
    QString m_store;
    HeaderStrip *m_strip;
    Rail *m_rail;
    QStackedWidget *m_stack;
    ActBar *m_acts;
    SubjectPage *m_subject = nullptr;
    RequestsPage *m_requests = nullptr;
    QPointer<UnlockDialog> m_unlock;
    QTimer m_ring; ///< while broken glass waits for its review
    std::vector<Page *> m_pages;
    std::vector<int> m_history; ///< pages that Esc goes back to
    /// Which dialogue waits for its subject's detail, and of whom; an agent of none is the fleet.
    struct Asked {
        bool isGrant = false;
        rules::AgentId agent;
        rules::TripId trip;
    };
    std::optional<Asked> m_asked;
};

} // namespace handreset::views

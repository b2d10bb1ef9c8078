// One agent or one tool: what holds its switch and who can lift it, how near each limit is, the breaker's graph, the
// evidence of the selected trip with what is still missing before a re-arm, and the last quarter of an hour. GUI thread;
// owned by its Qt parent; the session outlives it.
#pragma once

#include "views/page.h"

#include <memory>

class QGridLayout;
class QScrollArea;
class QStackedLayout;

namespace handreset::live {
class DeskSession;
struct SubjectDetail;
struct TripDetail;
}

namespace handreset::views {

class BreakerCard;
class Card;
class EmptyState;
class EvidenceView;
class KillSwitchLadder;
class LaneStrip;
class MatrixView;
class PermissiveList;
class PlainLabel;
class SubjectHeader;

class SubjectPage : public Page {
    Q_OBJECT

public:
    explicit SubjectPage(live::DeskSession &session, QWidget *parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Subject"); }
    [[nodiscard]] QList<KeyHelp> keys() const override;
    void enter() override;
    [[nodiscard]] std::optional<rules::AgentId> agent() const override;
    void acknowledge() override;
    void rearm() override;
    void grant() override;

    /// Looks at this subject from now on.
    void show(const live::Focus &focus);
    /// The same, with the evidence of this trip; without an agent it is the fleet's.
    void showTrip(rules::AgentId agent, rules::TripId trip);

Q_SIGNALS:
    /// An edge of the graph was chosen: list the events in which this breaker took this row.
    void transitionsRequested(const handreset::live::BreakerRow &breaker, std::uint8_t row);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void makeCards();
    void arrange(bool stacked);
    void showSubject();
    void showAgent(const live::SubjectDetail &detail);
    void showEvidence(const live::SubjectDetail &detail);
    void showLastEvents(const live::SubjectDetail &detail);
    void chooseSomething();
    void toTop();
    void showPage();
    [[nodiscard]] std::size_t evidenceRoom() const;
    [[nodiscard]] const live::TripDetail *selectedTrip() const;
    void select(rules::TripId trip);

    live::DeskSession &m_session;
    rules::TripId m_selected;
    QStackedLayout *m_stack;
    EmptyState *m_empty;
    QScrollArea *m_scroll;
    QWidget *m_content;
    QGridLayout *m_grid;
    SubjectHeader *m_header;
    Card *m_ladderCard;
    KillSwitchLadder *m_ladder;
    Card *m_matrixCard;
    MatrixView *m_matrix;
    BreakerCard *m_breakerCard;
    Card *m_evidenceCard;
    EvidenceView *m_evidence;
    PlainLabel *m_noEvidence;
    PlainLabel *m_before;
    PermissiveList *m_permissives;
    Card *m_lanesCard;
    LaneStrip *m_lanes;
    Card *m_eventsCard;
    std::vector<PlainLabel *> m_lastEvents;
    live::Focus m_shown; ///< whose detail the cards show
    bool m_stacked = false;
    bool m_arranged = false;
};

} // namespace handreset::views

// The strip on top of every page: is anything wrong, how many, and is what I see live. Takes one value and shows it;
// it holds no clock and reads nothing. GUI thread; owned by its Qt parent.
#pragma once

#include "model/rules/policy.h"
#include "views/marks.h"

#include <cstdint>
#include <vector>

#include <QWidget>

class QAbstractButton;

namespace handreset::views {

class HeaderCountButton;
class PlainLabel;
class Pill;

/// All that the strip shows. Words that come from elsewhere may be anything: they are shown plain.
struct HeaderState {
    enum class Liveness : std::uint8_t { Live, Stale, Replay, Recorded };

    QString fleet;
    QString store;              ///< path or address; empty: not shown
    bool anySeen = true;        ///< some agent has asked since the store was made
    bool troubled
        = false; ///< what is shown may not be all there is: the store is refused, cannot be written, or was not read
    rules::Rung fleetRung = rules::Rung::Closed; ///< the worst of what holds the whole fleet, agents or none
    int openAgents = 0;
    int degradedAgents = 0;
    int stoppedTasks = 0;       ///< tasks alone, of agents that are closed
    bool tasksOpen = true;      ///< some of them are open, not degraded alone
    int trippedBreakers = 0;    ///< OPEN or HALF_OPEN
    int unacknowledged = 0;
    int queued = 0;
    Liveness liveness = Liveness::Stale;
    qint64 dataAgeMs = -1;      ///< below 0: nothing has been read yet
    QString replayAt;           ///< "02:11:52 UTC": the past that is shown while replaying
    QString recordedUntil;      ///< "2026-01-02 10:11 UTC": a recorded store's last time
    QString operatorName;
    QString role;               ///< "responder"
    QString key;                ///< "key locked", "key unlocked, 4:12 left"; empty: acts are not signed here
    QString keyShort;           ///< the same where there is little room
    QString keyHelp;            ///< what a click does, or what to do where there is no key
    bool keyUnlocked = false;
    int requests = 0; ///< that wait for this person's word
    int reviews = 0;  ///< open ones: somebody broke the glass
    QString link;     ///< "link to HOST: live"; empty: hosted here
    QString linkShort;          ///< the same where there is little room: "link live"
    QString linkHelp; ///< why it is cut
    bool linkCut = false;
    QString clock;              ///< "02:14:07 UTC": the present, also while replaying
    QString sound;              ///< "sound on", "muted until 02:30"
    QString notice;             ///< what is wrong now: "disk full"; cut in the strip, whole in the tooltip; empty: none
    QString standing;           ///< what always holds: "unsigned store: no second person"; shown beside any notice
    QString standingShort;      ///< the same where there is little room; empty: no shorter form
};

class HeaderStrip : public QWidget {
    Q_OBJECT

public:
    enum class Count : std::uint8_t {
        Fleet,
        OpenAgents,
        DegradedAgents,
        StoppedTasks,
        TrippedBreakers,
        Unacknowledged,
        Queued,
        Requests,
        Reviews
    };
    Q_ENUM(Count)

    explicit HeaderStrip(QWidget *parent = nullptr);

    void setState(const HeaderState &state);
    [[nodiscard]] const HeaderState &state() const { return m_state; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {640, 44}; }

Q_SIGNALS:
    /// A count was clicked, or activated by key: the page that lists them should open.
    void countActivated(handreset::views::HeaderStrip::Count count);
    void soundActivated();
    /// The key's words were clicked: it is to be unlocked, or locked.
    void keyActivated();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] static QString breakerWords(int count, bool compact);
    void showCounts(bool compact);
    void showLiveness();
    void showNotice(qsizetype longest);
    void showKey(bool compact);
    void showLink(bool compact);
    void fit();

    HeaderState m_state;
    PlainLabel *m_product;
    PlainLabel *m_fleet;
    PlainLabel *m_store;
    std::vector<HeaderCountButton *> m_counts; ///< in the order of Count, then "all closed"
    Pill *m_notice;
    Pill *m_standing;
    Pill *m_live;
    PlainLabel *m_age;
    PlainLabel *m_clock;
    PlainLabel *m_operator;
    Pill *m_link;
    HeaderCountButton *m_key;
    QAbstractButton *m_sound;
};

} // namespace handreset::views

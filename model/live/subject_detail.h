// Everything that the page of one agent or one tool shows, and what a re-arm is decided on. Made on the follower's
// thread; immutable once published; any thread.
#pragma once

#include "model/live/rows.h"
#include "model/rules/breaker.h"
#include "model/rules/matrix.h"
#include "model/rules/trip.h"

#include <QString>

#include <array>
#include <optional>
#include <set>
#include <vector>

namespace handreset::live {

/// What a page looks at: an agent, a breaker, or the whole fleet.
struct Focus {
    rules::AgentId agent;
    rules::BreakerKey breaker; ///< meaningful where `agent` is none; of an agent: the breaker chosen beside it
    bool fleet = false;        ///< the stops of the whole fleet; the others are none then
    bool operator==(const Focus &) const = default;
    [[nodiscard]] bool isSet() const { return fleet || agent.isSet() || breaker.tool.isSet(); }
    /// True where there is a kill switch to show: an agent's, or the fleet's.
    [[nodiscard]] bool hasSwitch() const { return fleet || agent.isSet(); }
};

/// What a re-arm of this trip must bring, else it would trip at once (spec 3.4).
enum class GrantKind : std::uint8_t { None, Steps, Spend, VolumeCalls, VolumeValue };

/// An active trip with its evidence.
struct TripDetail {
    rules::Trip trip;
    QString title;
    QString measured;
    QString whoLifts;   ///< "a person", "two persons", "the clock, 00:00:00 UTC"
    QString madeBy;     ///< of a stop or a probation: "ana at 02:10:33 UTC"
    QString heldBeside; ///< what holds its agent or task when it alone is lifted: "still open, spend, 24h holds it"
    QString task;
    QString tool;
    QString access;       ///< "write"; empty without a tool
    QString acknowledgedBy;
    rules::Revision revision; ///< that a re-arm of it must name: its agent's, or the fleet's
    QString reasonTaken;      ///< that its re-arm may not copy; empty: any will do
    GrantKind grant = GrantKind::None;
    QString grantUnit;    ///< "USD", "steps"
    std::vector<QString> lastCalls; ///< steps: the task's last calls, newest first
    bool ofTask = false;
    bool asksApproval = false; ///< the policy names a second person for it
    QString secondPerson;      ///< why a re-arm of it asks for one, where acts are signed; empty: one person may
    bool operator==(const TripDetail &) const = default;
};

/// A limit that a person may raise, and how far it is used.
struct GrantOption {
    rules::TripSubject subject;
    GrantKind kind = GrantKind::Steps;
    QString title; ///< "spend, 24h, key acme"
    QString used;  ///< "8.20 of 10.00 USD"
    QString unit;
    std::optional<rules::Instant> until; ///< the window's end; none: it does not end by itself
    bool tripped = false;                ///< a trip of it is active; a grant does not lift it
    bool operator==(const GrantOption &) const = default;
};

struct QueuedTask {
    rules::TaskId task;
    QString agent; ///< only where tasks of several agents stand together
    QString name;
    QString note;
    QString owner;
    rules::Instant since;
    bool waiting = true;
    bool byClock = false;
    bool operator==(const QueuedTask &) const = default;
};

/// An allowed ask without a result yet: it may still happen, whatever the switch says.
struct InFlight {
    QString summary;
    rules::Instant askedAt;
    bool operator==(const InFlight &) const = default;
};

struct InFlightNow {
    std::vector<InFlight> latest;
    int count = 0; ///< of all
    bool operator==(const InFlightNow &) const = default;
};

/// A span of one lane; the tone is that of the rung or state.
struct LaneSpan {
    enum class Tone : std::uint8_t { Degraded, Open, Probing };
    rules::Instant from;
    rules::Instant to;
    Tone tone = Tone::Open;
    bool operator==(const LaneSpan &) const = default;
};
struct LaneMark {
    rules::Instant at;
    int order = 1;
    bool operator==(const LaneMark &) const = default;
};
struct Lane {
    QString name;
    std::vector<LaneSpan> spans;
    std::vector<LaneMark> marks;
    rules::Instant knownFrom; ///< before it there is no state to show: it did not exist, or nothing was read of it
    bool operator==(const Lane &) const = default;
};
/// How much of the past the lanes show.
inline constexpr rules::Duration kLanesShown = rules::minutes(15);

/// One breaker as the state graph shows it.
struct BreakerDetail {
    BreakerRow row;
    rules::BreakerPolicy policy;
    rules::Breaker breaker;
    QString isolatedBy;
    QString probe;             ///< who has it: "booking t-17"; empty: no probe is out
    double cooldownShare = 0;  ///< how much of the cooldown is met, 0 to 1
    std::array<qint64, 32> taken{};  ///< by row id: how often since `takenSince`
    rules::Instant takenSince;       ///< where the lanes begin, or later where the desk has not read so far back
    std::set<std::uint8_t> possible; ///< ids of the rows that can be taken next
    std::array<rules::Instant, 32> lastTaken{}; ///< by row id; micros 0: never seen
    bool operator==(const BreakerDetail &) const = default;
};

struct SubjectDetail {
    Focus focus;
    bool found = false;
    AgentRow agent; ///< the fleet as one for its own page; empty for a breaker's
    QString runbook;
    QString contact;
    QString degradedModel;
    QString coverage;            ///< "all five signals enforced"
    std::vector<rules::MatrixLine> matrix;
    std::vector<TripDetail> trips;
    std::vector<GrantOption> grants; ///< what a person may grant it
    std::vector<QueuedTask> queue;
    std::vector<InFlight> inFlight; ///< the latest
    int inFlightCount = 0;          ///< of all
    int rearmsIn24h = 0;
    QString lastRearmLasted;          ///< "the last lasted 4 min"; empty without one
    std::vector<BreakerRow> breakers; ///< of the tools it used: abnormal first
    std::optional<BreakerDetail> breaker; ///< the chosen one
    std::vector<Lane> lanes;
    rules::Instant lanesUntil;
    std::vector<EventRow> lastEvents; ///< newest first
    int agentsInAll = 0;              ///< the fleet's: who a stop of it reaches
    int agentsHeldBeside = 0;    ///< the fleet's: who trips of their own, or of their key or endpoint, hold as well
    QString changedLately;       ///< "policy version 3, 2026-11-30 02:10 UTC"
    bool isUnsigned = false;
    bool recorded = false;
    rules::Instant ruleTime;     ///< of the last event folded
    rules::Now at;               ///< the host's time when this was made
    bool operator==(const SubjectDetail &) const = default;
};

} // namespace handreset::live

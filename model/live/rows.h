// What one row, tile or count of the desk shows, made from the fleet on the follower's thread so that painting costs
// nothing. Plain values, immutable once published; any thread. Texts that agents wrote are as they came: views show
// them as plain text only.
#pragma once

#include "model/rules/breaker.h"
#include "model/rules/event.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/policy.h"
#include "model/rules/words_of_event.h"

#include <QString>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace handreset::live {

/// A row's identity within its model: never the row number.
using RowKey = quint64;

/// One active trip, as a tile or row names it.
struct TripMark {
    rules::TripId id;
    int order = 1; ///< ①②③ within the incident
    QString title; ///< "envelope send_pix value"
    QString measured; ///< "900.00 BRL against 500.00 BRL"
    rules::Rung rung = rules::Rung::Open;
    bool byClock = false;
    bool ofTask = false; ///< it reaches one task, not the agent
    bool acknowledged = false;
    bool operator==(const TripMark &) const = default;
};

struct AgentRow {
    rules::AgentId id;
    QString name;
    QString account; ///< the key
    rules::Rung rung = rules::Rung::Closed;
    rules::Rung worstTask = rules::Rung::Closed; ///< of its tasks alone
    int stoppedTasks = 0;      ///< tasks whose own rung is not closed
    rules::Instant rungSince;
    std::optional<rules::Instant> worstSince; ///< when the worst of `trips` came, the first of several
    std::vector<TripMark> trips; ///< active, in the order of the incident
    int toAcknowledge = 0;
    QString acknowledgedBy;    ///< of the latest acknowledgement among `trips`
    std::optional<rules::Instant> acknowledgedAt;
    std::optional<rules::Instant> endsAt; ///< when the clock lifts all that holds it; none: a person
    int queued = 0;
    QString reading;           ///< the fullest limit in few words: "0.42 of 10 USD"; empty: nothing counted yet
    double fullest = 0;        ///< its share, 0 to 1
    rules::Instant lastSeen;
    rules::Revision revision;
    int liveTasks = 0;
    qint64 steps = 0;
    qint64 calls = 0;
    qint64 refused = 0;
    bool observedOnly = false; ///< a recorded store: nothing could be refused
    bool operator==(const AgentRow &) const = default;

    [[nodiscard]] RowKey key() const { return id.value; }
    /// The worst of the agent's own rung and its tasks': what the eye must be drawn to.
    [[nodiscard]] rules::Rung worst() const { return std::max(rung, worstTask); }
};

/// How many slots of time the traffic bars of a breaker have, and how long each is.
inline constexpr std::size_t kTrafficSlots = 8;
inline constexpr rules::Duration kTrafficSlot = rules::seconds(450);

struct BreakerRow {
    rules::BreakerKey id;
    QString tool;
    QString agent; ///< whose own breaker; empty: the fleet's
    rules::BreakerState state = rules::BreakerState::Closed;
    bool isolated = false;
    bool noTraffic = false;
    bool due = false;    ///< the cooldown is over and nobody asks
    QString meaning;     ///< "OPEN, calls refused"
    QString whatEndsIt;  ///< "1 of 2 rejections, 8 s left"; empty while CLOSED
    qint64 failureCount = 0;
    qint64 threshold = 0;
    qint64 allowed = 0;
    qint64 refused = 0;
    rules::Instant changedAt;
    rules::Instant lastAskAt;
    QStringList usedBy;                       ///< latest first, eight at most
    int users = 0;                            ///< all of them
    std::array<int, kTrafficSlots> traffic{}; ///< asks in the last hour, oldest first
    bool operator==(const BreakerRow &) const = default;

    /// "billing, support"; "billing and 249 more".
    [[nodiscard]] QString usedByWords() const
    {
        if (users <= 2 || usedBy.isEmpty())
            return usedBy.join(QStringLiteral(", "));
        return QStringLiteral("%1 and %2 more").arg(usedBy.front(), QString::number(users - 1));
    }
    /// CLOSED, but only because nobody has asked: never drawn as CLOSED. What a person or the machine has opened is
    /// a state, with traffic or without.
    [[nodiscard]] bool isUnknown() const { return noTraffic && !isolated && state == rules::BreakerState::Closed; }
    [[nodiscard]] static RowKey keyOf(rules::BreakerKey id) { return (RowKey(id.tool.value) << 32) | id.agent.value; }
    [[nodiscard]] RowKey key() const { return keyOf(id); }
};

/// Where a trip stands with the people (console, "Trips").
enum class TripStage : std::uint8_t { Unacknowledged, Acknowledged, Rearmed };

struct TripRow {
    rules::TripId id;
    rules::AgentId agent; ///< none: the fleet
    QString agentName;
    QString task;
    rules::Signal signal = rules::Signal::Steps;
    QString title;
    QString measured;
    int order = 1;
    rules::Rung rung = rules::Rung::Open;
    bool byClock = false;
    TripStage stage = TripStage::Unacknowledged;
    QString owner;      ///< who acknowledged it, or re-armed it; "the clock"
    rules::Instant firedAt;
    std::optional<rules::Instant> endsAt;
    std::optional<rules::Instant> endedAt;
    qint64 firings = 1;
    bool flapping = false;
    bool escalated = false;
    bool operator==(const TripRow &) const = default;

    [[nodiscard]] RowKey key() const { return id.value; }
};

struct QueueRow {
    rules::TaskId task;
    QString taskName;
    rules::AgentId agent;
    QString agentName;
    rules::TripId trip;
    QString tripTitle;
    rules::Instant since;
    bool waiting = true; ///< false: it still runs, degraded
    bool byClock = false;
    QString owner; ///< empty: nobody's
    QString note;  ///< the diagnosis that the agent handed over
    bool operator==(const QueueRow &) const = default;

    [[nodiscard]] RowKey key() const { return task.value; }
};

struct EventRow {
    rules::Seq seq;
    rules::Instant at;
    QString word;
    QString agent;
    QString task;
    QString subject;
    QString sentence;
    rules::Weight weight = rules::Weight::Ordinary;
    std::uint8_t kind = 0;
    std::uint8_t row = 0;
    RowKey breaker = 0; ///< that it moved or asked; 0: none
    QString by;         ///< whose act it is; empty: no operator's, and what follows is empty too
    QString machine;    ///< where it was signed, as the signer says
    QString result;     ///< "in force", "refused", "waits for a second person"
    QString proof;      ///< "verified", "unsigned"
    bool operator==(const EventRow &) const = default;

    [[nodiscard]] RowKey key() const { return seq.value; }
};

/// What the strip says on every page.
struct HeaderCounts {
    QString fleet;
    QString storeId;
    bool isUnsigned = false;
    bool recorded = false;
    bool clockTrusted = true;
    int agents = 0;
    int open = 0;
    int degraded = 0;
    int stoppedTasks = 0; ///< tasks alone, of agents that are closed
    rules::Rung taskRung = rules::Rung::Closed;  ///< the worst of those tasks
    rules::Rung fleetRung = rules::Rung::Closed; ///< the worst of what holds the whole fleet, agents or none
    int breakers = 0;
    int breakersOpen = 0; ///< OPEN or HALF_OPEN
    int unacknowledged = 0;
    int trips = 0;        ///< active
    int queue = 0;
    qint64 policyVersion = 0;
    rules::Seq seq;
    rules::Instant lastTime; ///< of the last event: a recorded store's own present
    int requests = 0;        ///< that wait for a second person
    int reviews = 0;         ///< open ones: somebody broke the glass
    bool operator==(const HeaderCounts &) const = default;
};

} // namespace handreset::live

// Walks the whole log once: density, chain, forms, histories, transitions, keyframes; and folds it again, with its
// projections into a second schema. Internal to model/store; thread: the store's.
#pragma once

#include "model/rules/fleet.h"
#include "model/store/chain.h"
#include "model/store/event_rows.h"
#include "model/store/findings.h"
#include "model/store/keyframes.h"
#include "model/store/machine_check.h"
#include "model/store/projection.h"
#include "model/store/store.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace handreset::store {

class LogCheck {
public:
    LogCheck(Database &database, Findings &findings) : m_database(database), m_findings(findings) {}

    /// Fills events, batches, keyframes and headHash. `schema` holds empty projection tables. An Error when reading
    /// fails or `progress` stops it; what is wrong with the log is a finding.
    [[nodiscard]] rules::Result<void> run(const std::string &schema, const Progress &progress, Verification &out);
    /// Whether every event could be folded, so that the second schema is complete.
    [[nodiscard]] bool isFolded() const noexcept { return m_folds; }

private:
    [[nodiscard]] rules::Result<void> prepare(const std::string &schema);
    [[nodiscard]] rules::Result<void> takeRow(const EventRow &row);
    [[nodiscard]] rules::Result<void> takeEvent(rules::Event event);
    [[nodiscard]] rules::Result<void> nextBatch();
    [[nodiscard]] rules::Result<void> closeLinks(const EventRow &row);
    void checkHistory(const EventRow &row);
    [[nodiscard]] rules::Result<void> checkKeyframe();
    [[nodiscard]] rules::Result<void> flush();
    [[nodiscard]] rules::Result<void> finish(Verification &out);

    Database &m_database;
    Findings &m_findings;
    ArgumentReader m_arguments;
    Statement m_batches;
    std::uint64_t m_batchEnd = 0; ///< of the batch that is being read; 0: none is left
    rules::Digest m_batchHash{};
    std::optional<rules::Digest> m_batchKeyframe; ///< of the keyframe at its end
    ChainLink m_link;
    std::uint64_t m_linked = 0; ///< events in the open link
    rules::Digest m_head{};
    std::uint64_t m_batchCount = 0;
    std::uint64_t m_lastSeq = 0;
    std::uint64_t m_eventCount = 0;
    AgentHeads m_heads;
    MachineCheck m_machines;
    Keyframes m_keyframes;
    std::vector<rules::Seq> m_places; ///< of keyframes, ascending
    std::size_t m_nextPlace = 0;
    std::uint64_t m_keyframeCount = 0;
    rules::Fleet m_fleet;
    Projection m_projection;
    std::vector<rules::Event> m_events;     ///< not yet projected
    std::set<rules::TripId> m_incidents;    ///< whose rows are summed at the end
    bool m_folds = true;
};

} // namespace handreset::store

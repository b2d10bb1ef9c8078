// The store of one fleet: the log and its projections in one SQLite file, opened by one process alone (spec 4).
// Thread: all of one Store on the thread that opened it. Ownership: the file is locked until the Store is destroyed.
// Failure: every function says what is wrong and what to do; nothing is ever recreated or repaired silently.
#pragma once

#include "model/rules/event.h"
#include "model/rules/fleet.h"
#include "model/rules/result.h"
#include "model/store/log_rows.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace handreset::store {

struct InitOptions {
    std::string fleet = "fleet";
    bool recorded = false;
    bool isUnsigned = true;
};

/// Durability of one append (spec 4).
enum class Durability : std::uint8_t {
    Synced,  ///< on disk before it returns: trips, re-arms, stops, transitions, policies
    Ordered, ///< survives the death of any process, not a power cut: plain counters
};

/// What `verify` found. Empty findings: clean.
struct Verification {
    std::uint64_t events = 0;
    std::uint64_t batches = 0;
    std::uint64_t rows = 0; ///< projection rows compared
    std::uint64_t keyframes = 0;
    std::string headHash; ///< hexadecimal
    std::vector<std::string> findings;
    [[nodiscard]] bool clean() const noexcept { return findings.empty(); }
};

/// What a set sentinel does to who opens the store. Stepped over by those who look at it, verify it or clear the sentinel:
/// it stays set.
enum class Sentinel : std::uint8_t { Refuses, SteppedOver };

/// Called now and then with a share from 0 to 1; false stops the work (Error code Cancelled).
using Progress = std::function<bool(double)>;

class Store {
public:
    virtual ~Store() = default;

    /// Makes a new store with its mark and sentinel files. Refuses to touch anything that exists.
    [[nodiscard]] static rules::Result<void> init(const QString &path, const InitOptions &options, rules::Now now);
    /// Opens and checks; takes the exclusive lock. `Unavailable` with the reason and the remedy when refused: missing,
    /// foreign, truncated, newer, malformed, a symbolic link, a network file system, older than its mark, in use,
    /// sentinel set.
    [[nodiscard]] static rules::Result<std::unique_ptr<Store>> open(const QString &path,
                                                                     Sentinel sentinel = Sentinel::Refuses);
    /// Opens a copy for replay: copied aside, untrusted, read-only.
    [[nodiscard]] static rules::Result<std::unique_ptr<Store>> openReadOnly(const QString &path);

    [[nodiscard]] virtual bool isReadOnly() const = 0;
    [[nodiscard]] virtual QString path() const = 0;

    /// A second high-water mark, outside the folder that who writes the store can write: from now on it moves with the
    /// log. False: there is none at `file`. Unavailable: the log is not the one that it has seen.
    [[nodiscard]] virtual rules::Result<bool> useWitness(const QString &file);
    /// Makes it at the log's end, in place of what is there.
    [[nodiscard]] virtual rules::Result<void> makeWitness(const QString &file);

    /// The state at the end of the log: the last keyframe, and the fold from there. In a signed store only a keyframe that
    /// the witness vouches for is believed; where there is none every signature is checked from the first on.
    [[nodiscard]] virtual rules::Result<rules::Fleet> load() = 0;

    /// One transaction: the events, the rows that they touched, the chain's link; then the mark. `after` is the fleet
    /// after the events. Keyframes are written by and by. Nothing is kept of a transaction that fails.
    [[nodiscard]] virtual rules::Result<void> append(std::span<const rules::Event> events, const rules::Fleet &after,
                                                     const rules::Touched &touched, Durability durability)
        = 0;

    /// Events first..last in order, decoded, with their arguments when asked for; stops when `each` returns false.
    [[nodiscard]] virtual rules::Result<void> read(rules::Seq first, rules::Seq last, bool withArguments,
                                                   const std::function<bool(const rules::Event &)> &each)
        = 0;
    [[nodiscard]] virtual rules::Result<std::string> argumentsOf(rules::Seq ask) = 0;
    /// Rows first..last of these kinds in order, as they stand, undecoded. `each` may not write to the store, nor read
    /// rows itself. Unavailable where a store has no such rows, or one is damaged.
    [[nodiscard]] virtual rules::Result<void> eachRow(rules::Seq first, rules::Seq last, KindSet kinds,
                                                      const EachRow &each);
    /// The newest or oldest events that match; 0 and empty mean "all" (as engine::EventQuery).
    struct Filter {
        rules::Seq first{1};
        rules::Seq last{~0ULL};
        rules::AgentId agent;
        rules::TaskId task;
        std::int64_t subject = 0;
        std::vector<std::uint8_t> kinds;
        std::uint8_t row = 0;
        bool newestFirst = true;
        std::size_t limit = 200;
    };
    [[nodiscard]] virtual rules::Result<std::vector<rules::Event>> find(const Filter &filter) = 0;
    [[nodiscard]] virtual rules::Seq lastSeq() const = 0;
    [[nodiscard]] virtual rules::Result<rules::Seq> seqAt(rules::Instant time) = 0;
    /// The state as of `seq`, from the nearest keyframe before it.
    [[nodiscard]] virtual rules::Result<rules::Fleet> asOf(rules::Seq seq) = 0;

    [[nodiscard]] virtual rules::Result<Verification> verify(const Progress &progress) = 0;
    /// A consistent copy of the live store, checked, with its own mark. Refuses an existing target.
    [[nodiscard]] virtual rules::Result<void> backup(const QString &target, const Progress &progress) = 0;
    /// Bulk mode of an import: keyframes stand further apart, and `writeAhead` may be used.
    virtual void beginBulk() = 0;
    /// Bulk mode only: begins to write these events, the next in line, beside the caller. They belong to the transaction
    /// of the next `append`, which is given only those after them (or none) and tells what went wrong. Until then
    /// nothing else may be asked of the store.
    virtual void writeAhead(std::vector<rules::Event> events) = 0;
    /// What was written ahead and not appended is undone.
    [[nodiscard]] virtual rules::Result<void> endBulk(const rules::Fleet &fleet) = 0;
    /// Folds the WAL into the file when the host is idle; its result is logged.
    virtual void checkpoint() = 0;
};

/// The sentinel beside a store: made in advance, so that a trip that cannot be written can still be latched on a full
/// or failing disk (spec 4, "When something dies").
[[nodiscard]] rules::Result<void> setSentinel(const QString &storePath, std::string_view why);
[[nodiscard]] bool sentinelIsSet(const QString &storePath, std::string *why = nullptr);
[[nodiscard]] rules::Result<void> clearSentinel(const QString &storePath);

/// A human's word that a store which its mark refuses is the right one. All other checks must pass, the sentinel's apart:
/// if it is set, it stays so. `record` appends the act; only when that is on the disk is the mark set anew, at the log's
/// end.
[[nodiscard]] rules::Result<void> acceptStore(const QString &storePath,
                                              const std::function<rules::Result<void>(Store &)> &record);

/// The user's data folder's store: $HANDRESET_STORE, else <data>/handreset/fleet.db.
[[nodiscard]] QString defaultStorePath();

} // namespace handreset::store

// The host's thread: takes what is queued, decides it in order on the fleet in memory, commits it in one transaction,
// then answers and publishes; between commits it reads history in slices, ticks and beats (design, "Threads").
// Thread: everything on the host's thread. Ownership: owns the store and the fleet; queue, followers and status outlive
// it. Failure: a write that fails, or an exception, denies everything from then on (spec 4).
#pragma once

#include "model/engine/follower_list.h"
#include "model/engine/history_read.h"
#include "model/engine/host_clock.h"
#include "model/engine/host_queue.h"
#include "model/engine/latched_stops.h"
#include "model/engine/refusal_coalescer.h"
#include "model/engine/root_guard.h"
#include "model/engine/status_board.h"
#include "model/engine/store_probe.h"
#include "model/rules/command.h"
#include "model/store/store.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace handreset::engine {

struct EmbeddedHostOptions;

class HostLoop {
public:
    HostLoop(const EmbeddedHostOptions &options, HostQueue &queue, FollowerList &followers, StatusBoard &status);

    /// Opens and loads the store and writes HostStarted. An Error: there is nothing to host.
    [[nodiscard]] rules::Result<void> open();
    /// Runs until the queue is closed and empty; then stops cleanly.
    void run();

private:
    using Time = std::chrono::steady_clock::time_point;

    /// What was decided since the last commit. The fleet in memory has moved; nobody has been told.
    struct Batch {
        std::vector<rules::Event> events;
        rules::Touched touched;
        bool mustSync = false;
        std::vector<rules::Outcome> outcomes; ///< of m_commands from m_answered on
        std::vector<std::pair<rules::UncountedRefusal, rules::Instant>> uncounted;
        std::vector<rules::CountRefusals> counts; ///< taken from the coalescer
        rules::Now at;
    };

    // Turns
    void turn();
    void decideQueued();
    void decide(const rules::Command &command, bool isAnswered);
    [[nodiscard]] rules::Now onRuleTime(rules::Now now) const;
    [[nodiscard]] rules::Result<void> readPolicyOf(rules::Command &command);
    void decideWhatIsDue();
    void commit();
    void publish(std::vector<rules::Event> events, rules::Now at);
    void answer(std::vector<rules::Outcome> outcomes);
    static void tell(const QueuedCommand &queued, const Reply &reply);
    void welcome();
    /// `whom` calls what it is given with each follower that is meant.
    void snapshotTo(const std::function<void(const std::function<void(Follower &)> &)> &whom);
    void showFleet();
    void readSlices();
    void beatWhenDue();
    void beat();
    void checkpointWhenIdle();
    void finish();
    [[nodiscard]] Time nextTurn() const;

    [[nodiscard]] rules::Result<void> load();
    [[nodiscard]] rules::Command startCommand() const;

    // When the store fails (host_loop_trouble.cpp)
    [[nodiscard]] bool isWritable() const noexcept { return m_health == StoreHealth::Writable; }
    void setHealth(StoreHealth health, std::string trouble);
    void fail(const std::string &why);
    /// False where it could not be set.
    bool writeSentinel();
    /// Keeps a stop that cannot be written; what is told of it.
    [[nodiscard]] rules::Error latch(const rules::StopAgent &stop);
    /// Why a signed stop may not be latched; empty where it may, or where the log cannot tell.
    [[nodiscard]] std::string faultOfStop(const rules::Command &command) const;
    void refuse(const QueuedCommand &queued);
    /// While the store is verified: what is queued is not left waiting but denied. False: stop verifying.
    [[nodiscard]] bool refuseMeanwhile();
    void trust(const rules::Command &command, const rules::TrustStore &act);
    [[nodiscard]] rules::Outcome trustChecked(const rules::Command &command, const rules::TrustStore &act);
    [[nodiscard]] rules::Result<void> verifyAndLoad();
    [[nodiscard]] rules::Outcome recordTrust(const rules::Command &command, const rules::TrustStore &act);

    const EmbeddedHostOptions &m_options;
    HostQueue &m_queue;
    FollowerList &m_followers;
    StatusBoard &m_status;
    const Clock &m_clock;

    std::unique_ptr<store::Store> m_store; ///< none while the sentinel keeps it shut
    RootGuard m_guard;
    StoreProbe m_probe;
    rules::Fleet m_fleet;
    SteadyLine m_line;
    RefusalCoalescer m_coalescer;
    rules::Step m_step; ///< reused, for its memory
    Batch m_batch;
    std::vector<QueuedCommand> m_commands; ///< of the present turn
    std::size_t m_next = 0;                ///< the first of them that was not looked at
    std::size_t m_answered = 0;            ///< the first of them that has no answer; never above m_next

    StoreHealth m_health = StoreHealth::Writable;
    std::string m_trouble;
    std::vector<LatchedStop> m_latched;
    bool m_isStarted = false; ///< HostStarted is in the log

    std::deque<std::unique_ptr<HistoryRead>> m_reads;
    std::deque<Look> m_looks;
    Time m_nextTick;
    Time m_nextBeat;
    Time m_lastCommit;
    std::size_t m_commitsSinceCheckpoint = 0;
    bool m_isClosed = false;
};

} // namespace handreset::engine

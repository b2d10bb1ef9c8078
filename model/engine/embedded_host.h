// The host embedded in this process: one thread with the store, one queue of commands, group commit (design,
// "Threads"). An answer leaves only after the transaction that holds it is committed. Threads: as engine::Host; the
// destructor waits for the host's thread and must not run on it. Ownership: owns store and thread; `clock` must outlive
// it. Failure: `start` says why a store cannot be hosted. Later a write that fails puts the host into
// StoreHealth::Failing: everything is denied and the sentinel is set until TrustStore{"clear-sentinel"} with a reason
// finds the store clean.
#pragma once

#include "model/engine/follower_list.h"
#include "model/engine/host.h"
#include "model/engine/host_clock.h"
#include "model/engine/host_queue.h"
#include "model/engine/status_board.h"
#include "model/store/store.h"

#include <QString>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace handreset::engine {

struct EmbeddedHostOptions {
    using Open = std::function<rules::Result<std::unique_ptr<store::Store>>(const QString &, store::Sentinel)>;

    QString storePath;
    QString pinFolder;                        ///< empty: trust::pinFolder()
    bool readOnly = false;                    ///< a copy for replay: nothing is decided, nothing is written
    std::string version;                      ///< of the program, for the log
    std::string operatorName;                 ///< who started it, for the log
    rules::HostKind kind = rules::HostKind::Passing; ///< what hosts it, for the log
    const Clock *clock = nullptr;             ///< none: the system's
    std::size_t batch = 512;                  ///< commands that share one transaction at most
    std::chrono::milliseconds tickEvery{100}; ///< how late what is due by the clock may be noticed, when nobody asks
    Open open;                                ///< none: Store::open, or openReadOnly. For tests: a store that fails
};

class EmbeddedHost final : public Host {
public:
    /// Opens, checks and loads the store on the host's own thread, and waits for that. An Error says why not. A store
    /// whose sentinel is set is hosted all the same, in StoreHealth::Refused: it can be looked at where it can be read,
    /// and denies everything until a human's word.
    [[nodiscard]] static rules::Result<std::unique_ptr<EmbeddedHost>> start(EmbeddedHostOptions options);
    /// Clean stop: decides what is queued, writes the last counts, cancels reads, folds the WAL, frees the store.
    ~EmbeddedHost() override;

    void submit(rules::Command command, std::function<void(const Reply &)> done) override;
    /// `snapshot` comes again when a store that was refused or failed is trusted anew: it replaces what was before.
    void follow(Follower *follower) override;
    void unfollow(Follower *follower) override;
    [[nodiscard]] HostStatus status() const override;

    void readEvents(EventQuery query, std::function<void(rules::Result<std::vector<rules::Event>>)> done) override;
    void stateAt(rules::Seq seq, std::function<void(rules::Result<std::shared_ptr<const rules::Fleet>>)> done) override;
    void seqAt(rules::Instant time, std::function<void(rules::Result<rules::Seq>)> done) override;

    /// As `submit` for commands of agents that were ready together: they are decided in this order and wake the host
    /// once.
    void submitAll(std::vector<QueuedCommand> commands);
    /// A glance at the fleet on the host's thread, after the commit of what is being decided. It must be short, keep
    /// nothing of the fleet, and not throw.
    void look(Look look);
    /// How long its transactions took. Any thread.
    [[nodiscard]] const Latency &commits() const noexcept { return m_status.commits; }
    /// Work on the store in one piece, on the host's thread between commits: verify, backup. Decisions wait for it.
    void onStore(std::function<void(rules::Result<store::Store *>)> job);

private:
    explicit EmbeddedHost(EmbeddedHostOptions options);
    [[nodiscard]] rules::Result<void> open();

    EmbeddedHostOptions m_options;
    std::unique_ptr<Clock> m_ownClock;
    HostQueue m_queue;
    FollowerList m_followers;
    StatusBoard m_status;
    std::shared_ptr<LastState> m_lastState = std::make_shared<LastState>();
    std::thread m_thread; ///< last: it uses all of the above
};

} // namespace handreset::engine

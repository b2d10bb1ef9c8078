// The one interface behind which a fleet is hosted: embedded in this process, or reached over the operators' link.
// Every page and every verb works the same either way.
// Threads: every function may be called from any thread and never blocks on the store. Callbacks run on the host's
// own thread, in the order of commits; they must be short and must not throw. Ownership: a follower and what a
// callback captures must outlive it, or be held weakly; `unfollow` returns only when no callback to it is running.
// Failure: a host that cannot write answers every ask with a refusal and every act with an Error; it never pretends.
#pragma once

#include "model/rules/command.h"
#include "model/rules/event.h"
#include "model/rules/fleet.h"
#include "model/rules/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace handreset::engine {

/// Where the store stands (spec 4, "When something dies").
enum class StoreHealth : std::uint8_t {
    Writable,
    ReadOnly, ///< opened for replay; nothing can be done
    Failing,  ///< a write failed: everything is denied until a human's word
    Refused,  ///< the sentinel stands, or the store is older than its mark: denied until a human's word
};

struct HostStatus {
    StoreHealth health = StoreHealth::Writable;
    std::string trouble;     ///< what is wrong and what to do; empty while Writable, and the host can be reached
    rules::Seq committed;    ///< the last event that is durable in order
    rules::Now lastBeat;     ///< when the decision loop last ran and could write: the heartbeat
    std::uint64_t queued = 0; ///< commands that wait for their decision
};

/// Answer to one command, given after its transaction is committed.
struct Reply {
    rules::Outcome outcome;
    rules::Seq committed; ///< the log's end after it
};

/// One committed transaction, as followers see it. Immutable and shared.
struct Commit {
    std::vector<rules::Event> events; ///< in order; may be empty (a heartbeat)
    rules::Now at;
};

/// Who follows the log. All calls come on the host's thread.
class Follower {
public:
    virtual ~Follower() = default;
    /// The state at the moment of `follow`; every later commit follows without a gap.
    virtual void snapshot(std::shared_ptr<const rules::Fleet> fleet) = 0;
    virtual void committed(std::shared_ptr<const Commit> commit) = 0;
    /// At least once a second while the host lives, and at once when its health changes.
    virtual void beat(const HostStatus &status) = 0;
};

/// Which events to read: those with first <= seq <= last that match, newest or oldest first.
struct EventQuery {
    rules::Seq first{1};
    rules::Seq last{~0ULL};
    rules::AgentId agent;      ///< none: all
    rules::TaskId task;        ///< none: all
    std::int64_t subject = 0;  ///< 0: all (a trip's or tool's number, as the log's column holds it)
    std::vector<std::uint8_t> kinds; ///< empty: all
    std::uint8_t row = 0;      ///< 0: all
    bool newestFirst = true;
    std::size_t limit = 200;
};

class Host {
public:
    virtual ~Host() = default;

    /// Decides and commits the command, then calls `done`. Never blocks.
    virtual void submit(rules::Command command, std::function<void(const Reply &)> done) = 0;

    virtual void follow(Follower *follower) = 0;
    virtual void unfollow(Follower *follower) = 0;
    [[nodiscard]] virtual HostStatus status() const = 0;

    /// Reads of history; each runs in slices between commits.
    virtual void readEvents(EventQuery query,
                            std::function<void(rules::Result<std::vector<rules::Event>>)> done) = 0;
    /// The state as of a sequence number.
    virtual void stateAt(rules::Seq seq,
                         std::function<void(rules::Result<std::shared_ptr<const rules::Fleet>>)> done) = 0;
    /// The last event at or before a time; zero where the log begins later.
    virtual void seqAt(rules::Instant time, std::function<void(rules::Result<rules::Seq>)> done) = 0;
};

/// The answer of `submit`, waited for. For command lines and tests; never on a GUI thread.
[[nodiscard]] Reply submitAndWait(Host &host, rules::Command command);

} // namespace handreset::engine

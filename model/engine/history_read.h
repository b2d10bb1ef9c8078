// Reads of history as pieces of work: the host does one slice, looks for commands, does the next. So a long read never
// holds up a decision for longer than one slice (design, "Threads"). Threads: made on any thread, then the host's.
// Ownership: the host owns it until it is done. Failure: told to `done`; each read is answered exactly once.
#pragma once

#include "model/engine/host.h"
#include "model/store/store.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace handreset::engine {

class HistoryRead {
public:
    HistoryRead() = default;
    HistoryRead(const HistoryRead &) = delete;
    HistoryRead &operator=(const HistoryRead &) = delete;
    virtual ~HistoryRead() = default;

    /// Does about a millisecond of the work. True when it is answered.
    [[nodiscard]] virtual bool slice(store::Store &store) = 0;
    /// Answers with an error instead: there is no store, or the host stops.
    virtual void cancel(const rules::Error &error) = 0;
};

/// `Host::readEvents`: goes over the log in spans, wider where little matches.
class EventsRead final : public HistoryRead {
public:
    using Done = std::function<void(rules::Result<std::vector<rules::Event>>)>;
    EventsRead(EventQuery query, Done done);
    [[nodiscard]] bool slice(store::Store &store) override;
    void cancel(const rules::Error &error) override { m_done(error); }

private:
    [[nodiscard]] store::Store::Filter nextFilter() const;
    /// True when there is nothing left to look at.
    [[nodiscard]] bool advance(const store::Store::Filter &filter, const std::vector<rules::Event> &found);

    EventQuery m_query; ///< first..last shrinks to what is left
    Done m_done;
    std::vector<rules::Event> m_found;
    std::uint64_t m_span = 1024; ///< sequence numbers a slice
    bool m_isStarted = false;
};

/// The last state that was read from the log: the next one after it is folded on from there, not from a keyframe.
struct LastState {
    std::shared_ptr<const rules::Fleet> fleet;
};

/// `Host::stateAt`. The first slice finds a base; where the last read state serves, further slices fold on from it.
class StateRead final : public HistoryRead {
public:
    using Done = std::function<void(rules::Result<std::shared_ptr<const rules::Fleet>>)>;
    StateRead(rules::Seq seq, std::shared_ptr<LastState> last, Done done);
    [[nodiscard]] bool slice(store::Store &store) override;
    void cancel(const rules::Error &error) override { m_done(error); }

private:
    /// Where to fold on from: the last state when it is near enough, else the store's own.
    [[nodiscard]] rules::Result<void> begin(store::Store &store);
    [[nodiscard]] rules::Result<void> foldOn(store::Store &store);

    rules::Seq m_seq;
    std::shared_ptr<LastState> m_last;
    Done m_done;
    std::optional<rules::Fleet> m_fleet; ///< none before `begin`
};

/// `Host::seqAt`: one look-up.
class SeqRead final : public HistoryRead {
public:
    using Done = std::function<void(rules::Result<rules::Seq>)>;
    SeqRead(rules::Instant time, Done done);
    [[nodiscard]] bool slice(store::Store &store) override;
    void cancel(const rules::Error &error) override { m_done(error); }

private:
    rules::Instant m_time;
    Done m_done;
};

/// Any other work on the store, in one piece: verify, backup.
class StoreJob final : public HistoryRead {
public:
    using Job = std::function<void(rules::Result<store::Store *>)>;
    explicit StoreJob(Job job);
    [[nodiscard]] bool slice(store::Store &store) override;
    void cancel(const rules::Error &error) override { m_job(error); }

private:
    Job m_job;
};

} // namespace handreset::engine

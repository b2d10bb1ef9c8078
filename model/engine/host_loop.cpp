#include "model/engine/host_loop.h"

#include "model/engine/act_under_signature.h"
#include "model/engine/embedded_host.h"
#include "model/engine/policy_of_act.h"
#include "model/rules/authority.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>
#include <variant>

namespace handreset::engine {

namespace {

constexpr std::chrono::milliseconds kBeatEvery{500};
constexpr std::chrono::milliseconds kSlicesFor{1};   ///< reads between two commits
constexpr std::chrono::milliseconds kIdleAfter{200}; ///< without a commit: the WAL is folded
constexpr std::size_t kCommitsToCheckpoint = 1'000;  ///< about 4,000 frames of the WAL (design, "Writing")

} // namespace

HostLoop::HostLoop(const EmbeddedHostOptions &options, HostQueue &queue, FollowerList &followers, StatusBoard &status)
    : m_options(options),
      m_queue(queue),
      m_followers(followers),
      m_status(status),
      m_clock(*options.clock),
      m_guard(options.storePath, options.pinFolder)
{}

rules::Result<void> HostLoop::open()
{
    std::string why;
    const bool isRefused = !m_options.readOnly && store::sentinelIsSet(m_options.storePath, &why);
    auto opened = m_options.open(m_options.storePath,
                                 isRefused ? store::Sentinel::SteppedOver : store::Sentinel::Refuses);
    if (!opened) // missing, foreign, in use…: there is nothing to host
        return opened.error();
    m_store = std::move(opened).value();
    if (const auto loaded = load(); !loaded)
        return loaded;
    if (isRefused) {
        m_latched = stopsIn(why);
        setHealth(StoreHealth::Refused, troubleIn(why));
        return {};
    }
    m_status.change([this](HostStatus &status) { status.committed = m_fleet.seq; });
    if (m_store->isReadOnly()) {
        setHealth(StoreHealth::ReadOnly, "Opened for replay: nothing is decided here.");
    } else {
        decide(startCommand(), false);
        commit();
        m_isStarted = isWritable();
    }
    return {};
}

void HostLoop::run()
{
    while (!m_isClosed) {
        try {
            turn();
        } catch (const std::exception &error) {
            fail(std::string("the host met an error of its own: ") + error.what());
        } catch (...) {
            fail("the host met an error of its own");
        }
    }
    finish();
}

/// What acts are judged by: a live fleet's time does not go back, whatever the clock does.
rules::Now HostLoop::onRuleTime(rules::Now now) const
{
    return m_fleet.recorded ? now : rules::Now{std::max(now.wall, m_fleet.ruleTime), now.steady};
}

void HostLoop::turn()
{
    if (m_next == m_commands.size()) { // else an error broke the last turn off: the rest of it first
        Turn turn = m_queue.take(m_options.batch, nextTurn());
        m_isClosed = turn.isClosed && turn.commands.empty();
        std::ranges::move(turn.reads, std::back_inserter(m_reads));
        std::ranges::move(turn.looks, std::back_inserter(m_looks));
        m_commands = std::move(turn.commands);
        m_next = 0;
        m_answered = 0;
    }
    welcome();
    decideQueued();
    showFleet();
    readSlices();
    checkpointWhenIdle();
    beatWhenDue();
}

HostLoop::Time HostLoop::nextTurn() const
{
    if (!m_reads.empty() || !m_looks.empty())
        return {};
    return isWritable() ? std::min(m_nextTick, m_nextBeat) : m_nextBeat;
}

void HostLoop::decideQueued()
{
    m_batch = {};
    if (isWritable())
        decideWhatIsDue();
    while (m_next < m_commands.size()) {
        QueuedCommand &queued = m_commands[m_next++];
        if (const auto act = actOfKind<rules::TrustStore>(queued.command)) {
            commit();
            if (m_answered == m_next) // the commit failed, and with it everything that was queued so far
                continue;
            trust(queued.command, *act);
        } else if (const auto read = isWritable() ? readPolicyOf(queued.command) : rules::Result<void>(); !read) {
            m_batch.outcomes.emplace_back(read.error());
        } else if (isWritable()) {
            decide(queued.command, true);
        } else {
            refuse(m_commands[m_answered++]);
        }
    }
    commit();
}

/// No stranger's text is read on the thread that decides: an act that is nobody's the rules refuse, and log.
rules::Result<void> HostLoop::readPolicyOf(rules::Command &command)
{
    if (const auto *under = std::get_if<rules::Signed>(&command)) {
        const auto act = actIn(command);
        const auto now = onRuleTime(m_line.now(m_clock)).wall;
        const auto isPolicy = act && std::holds_alternative<rules::ApplyPolicy>(*act);
        if (!isPolicy || !rules::faultOfSigned(m_fleet, under->act, *act, under->origin, now).empty())
            return {};
    }
    return readPolicyOfAct(command);
}

void HostLoop::decideWhatIsDue()
{
    const Time present = std::chrono::steady_clock::now();
    if (present >= m_nextTick) {
        m_nextTick = present + m_options.tickEvery;
        decide(rules::Tick{}, false);
    }
    // By the fleet's clock, not by the loop's: the same asks at the same times leave the same log.
    if (const rules::Instant wall = m_line.now(m_clock).wall; m_coalescer.isDue(wall)) {
        m_batch.counts = m_coalescer.due(wall);
        for (const rules::CountRefusals &count : m_batch.counts)
            decide(count, false);
    }
}

void HostLoop::decide(const rules::Command &command, bool isAnswered)
{
    if (isAnswered) // nobody acts on the signature of another command
        m_fleet.licence.reset();
    m_batch.at = m_line.now(m_clock);
    rules::Moment moment;
    moment.now = m_batch.at;
    rules::run(m_fleet, command, moment, m_step, &m_batch.touched);
    std::ranges::move(m_step.events, std::back_inserter(m_batch.events));
    m_batch.mustSync = m_batch.mustSync || m_step.mustSync;
    if (m_step.uncounted)
        m_batch.uncounted.emplace_back(*std::move(m_step.uncounted), m_batch.at.wall);
    if (isAnswered)
        m_batch.outcomes.push_back(std::move(m_step.outcome));
}

void HostLoop::commit()
{
    if (!m_batch.events.empty()) {
        const auto durability = m_batch.mustSync ? store::Durability::Synced : store::Durability::Ordered;
        const bool isNewlySigned = m_guard.isDue(m_fleet);
        const Time start = std::chrono::steady_clock::now();
        const auto appended = m_store->append(m_batch.events, m_fleet, m_batch.touched, durability);
        m_status.commits.add(
            std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start));
        if (!appended) {
            fail(appended.error().message);
            return;
        }
        if (isNewlySigned) {
            if (const auto pinned = m_guard.pin(*m_store, m_fleet, false); !pinned) {
                fail(pinned.error().message);
                return;
            }
        }
        m_lastCommit = std::chrono::steady_clock::now();
        ++m_commitsSinceCheckpoint;
        m_status.change([&](HostStatus &status) {
            status.committed = m_fleet.seq;
            status.lastBeat = onRuleTime(m_batch.at);
        });
    }
    Batch done = std::exchange(m_batch, {});
    m_coalescer.written(done.counts);
    for (const auto &[refusal, at] : done.uncounted)
        m_coalescer.add(refusal, at);
    if (!done.events.empty()) // first: whoever hears that an act is done finds it done wherever they look
        publish(std::move(done.events), done.at);
    answer(std::move(done.outcomes));
}

void HostLoop::answer(std::vector<rules::Outcome> outcomes)
{
    Reply reply;
    reply.committed = m_fleet.seq;
    for (rules::Outcome &outcome : outcomes) {
        const QueuedCommand &queued = m_commands[m_answered++];
        reply.outcome = std::move(outcome);
        tell(queued, reply);
    }
}

/// What is committed stays so, whatever befalls the one who is told.
void HostLoop::tell(const QueuedCommand &queued, const Reply &reply)
{
    if (!queued.done)
        return;
    try {
        queued.done(reply);
    } catch (...) {}
}

void HostLoop::publish(std::vector<rules::Event> events, rules::Now at)
{
    if (m_followers.isEmpty())
        return;
    const auto commit = std::make_shared<const Commit>(Commit{std::move(events), at});
    m_followers.each([&](Follower &follower) { follower.committed(commit); });
}

void HostLoop::welcome()
{
    snapshotTo([this](const auto &call) { m_followers.welcome(call); });
}

void HostLoop::snapshotTo(const std::function<void(const std::function<void(Follower &)> &)> &whom)
{
    std::shared_ptr<const rules::Fleet> fleet; // one copy for all, and none when nobody is new
    HostStatus status = m_status.read();
    status.queued = m_queue.size();
    whom([&](Follower &follower) {
        if (!fleet)
            fleet = std::make_shared<const rules::Fleet>(m_fleet);
        follower.snapshot(fleet);
        follower.beat(status);
    });
}

void HostLoop::showFleet()
{
    const Time until = std::chrono::steady_clock::now() + kSlicesFor;
    while (!m_looks.empty()) {
        const Look look = std::move(m_looks.front());
        m_looks.pop_front();
        try {
            look(m_fleet, onRuleTime(m_line.now(m_clock)));
        } catch (...) { // whoever looked has an error of their own: the store has none
        }
        if (std::chrono::steady_clock::now() >= until)
            return;
    }
}

void HostLoop::readSlices()
{
    const Time until = std::chrono::steady_clock::now() + kSlicesFor;
    while (!m_reads.empty()) {
        // Taken out first: should a callback throw, the read is not done twice.
        std::unique_ptr<HistoryRead> read = std::move(m_reads.front());
        m_reads.pop_front();
        if (!m_store)
            read->cancel({rules::ErrorCode::Unavailable, m_trouble, {}});
        else if (!read->slice(*m_store))
            m_reads.push_back(std::move(read)); // in turns, so that a short one does not wait for a long one
        if (std::chrono::steady_clock::now() >= until)
            return;
    }
}

void HostLoop::beatWhenDue()
{
    if (std::chrono::steady_clock::now() < m_nextBeat)
        return;
    if (isWritable()) {
        const bool isProved = std::chrono::steady_clock::now() - m_lastCommit < kBeatEvery;
        const std::string trouble = isProved ? std::string() : m_probe.trouble();
        if (trouble.empty())
            m_status.change([now = onRuleTime(m_line.now(m_clock))](HostStatus &status) { status.lastBeat = now; });
        else
            fail(trouble);
    }
    beat();
}

void HostLoop::beat()
{
    m_nextBeat = std::chrono::steady_clock::now() + kBeatEvery;
    HostStatus status = m_status.read();
    status.queued = m_queue.size();
    m_followers.each([&](Follower &follower) { follower.beat(status); });
}

void HostLoop::checkpointWhenIdle()
{
    if (m_commitsSinceCheckpoint == 0 || !isWritable())
        return;
    const bool isIdle = std::chrono::steady_clock::now() - m_lastCommit >= kIdleAfter;
    if (!isIdle && m_commitsSinceCheckpoint < kCommitsToCheckpoint)
        return;
    m_store->checkpoint();
    m_commitsSinceCheckpoint = 0;
}

void HostLoop::finish()
{
    try {
        if (isWritable() && !m_coalescer.empty()) {
            m_batch = {};
            m_batch.counts = m_coalescer.all();
            for (const rules::CountRefusals &count : m_batch.counts)
                decide(count, false);
            commit();
        }
        for (const auto &read : m_reads)
            read->cancel({rules::ErrorCode::Cancelled, "the host stopped", {}});
        m_reads.clear();
        if (isWritable())
            m_store->checkpoint();
    } catch (const std::exception &error) {
        fail(std::string("the host met an error of its own while it stopped: ") + error.what());
    }
    m_store.reset();
}

} // namespace handreset::engine

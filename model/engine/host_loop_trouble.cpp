// What the host does when its store cannot be written, and how a human's word ends it (spec 4, "When something dies").
#include "model/engine/act_under_signature.h"
#include "model/engine/embedded_host.h"
#include "model/engine/host_loop.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace handreset::engine {

namespace {

constexpr std::string_view kRemedy = " Everything is refused until an operator has looked at it and says: "
                                     "at the desk, \"Trust the store\", or, where no desk hosts it, "
                                     "handresetctl clear-sentinel --reason WHY.";

constexpr std::string_view kNoSentinel = " The sentinel could not be set either: ";

rules::Error unavailable(const std::string &message)
{
    return {rules::ErrorCode::Unavailable, message, {}};
}

rules::Decision denied(const std::string &why)
{
    rules::Decision decision;
    decision.reason.retry = rules::RetryKind::AfterHuman;
    decision.reason.text = why;
    return decision;
}

} // namespace

void HostLoop::setHealth(StoreHealth health, std::string trouble)
{
    m_health = health;
    m_trouble = std::move(trouble);
    m_status.change([this](HostStatus &status) {
        status.health = m_health;
        status.trouble = m_trouble;
        status.committed = m_fleet.seq;
    });
}

/// The fleet in memory may be ahead of the log: what could not be written is latched aside, the log's end is loaded,
/// and whoever waits for an answer to it is refused.
void HostLoop::fail(const std::string &why)
{
    const Batch lost = std::exchange(m_batch, {});
    if (m_health != StoreHealth::ReadOnly) {
        std::ranges::move(stopsAmong(lost.events, m_fleet), std::back_inserter(m_latched));
        if (const auto loaded = m_store ? load() : unavailable("closed"); !loaded)
            m_fleet = rules::Fleet(); // nothing that is not in the log is shown as if it were
        setHealth(StoreHealth::Failing, "The store could not be written: " + why + "." + std::string(kRemedy));
        static_cast<void>(writeSentinel()); // its trouble says so
    }
    beat();
    while (m_answered < m_next)
        refuse(m_commands[m_answered++]);
}

bool HostLoop::writeSentinel()
{
    const auto written = store::setSentinel(m_options.storePath, sentinelText(m_trouble, m_latched));
    if (!written && m_trouble.find(kNoSentinel) == std::string::npos)
        setHealth(m_health, m_trouble + std::string(kNoSentinel) + written.error().message);
    return written.ok();
}

/// Asks hear a denial, acts an error. A stop is denied nothing: it is latched, and stands once the store is trusted.
void HostLoop::refuse(const QueuedCommand &queued)
{
    Reply reply;
    reply.committed = m_fleet.seq;
    const rules::Command &command = queued.command;
    if (std::holds_alternative<rules::AskStep>(command) || std::holds_alternative<rules::AskCall>(command)) {
        reply.outcome = denied(m_trouble);
    } else if (const auto stop = actOfKind<rules::StopAgent>(command); stop && m_health != StoreHealth::ReadOnly) {
        const auto fault = faultOfStop(command);
        reply.outcome = fault.empty() ? latch(*stop) : rules::Error{rules::ErrorCode::Refused, fault, "stop"};
    } else {
        reply.outcome = unavailable(m_trouble);
    }
    tell(queued, reply);
}

std::string HostLoop::faultOfStop(const rules::Command &command) const
{
    if (!m_fleet.seq.isSet())
        return {}; // towards open, in doubt
    rules::Fleet copy = m_fleet;
    rules::Step step;
    rules::Moment moment;
    moment.now = SteadyLine(m_fleet, m_clock).now(m_clock);
    rules::run(copy, command, moment, step);
    const auto *error = std::get_if<rules::Error>(&step.outcome);
    return error != nullptr && error->code == rules::ErrorCode::Refused ? error->message : std::string();
}

rules::Error HostLoop::latch(const rules::StopAgent &stop)
{
    const bool isLoaded = m_fleet.seq.isSet();
    if (isLoaded && !stop.agent.empty() && m_fleet.names.find(rules::NameKind::Agent, stop.agent) == 0)
        return {rules::ErrorCode::NotFound, "The log knows no agent \"" + stop.agent + "\". " + m_trouble, "agent"};
    if (const LatchedStop latched = stopOf(stop); std::ranges::find(m_latched, latched) == m_latched.end())
        m_latched.push_back(latched);
    if (!writeSentinel())
        return unavailable("The stop is not in the log, and could not be kept beside the store either: it is gone when "
                           "this process ends. Until then everything is refused. "
                           + m_trouble);
    return unavailable("The stop is not in the log. It is kept beside the store and will stand when the store is trusted "
                       "again; until then everything is refused. "
                       + m_trouble);
}

bool HostLoop::refuseMeanwhile()
{
    Turn turn = m_queue.take(m_options.batch, Time());
    std::ranges::move(turn.reads, std::back_inserter(m_reads));
    std::ranges::move(turn.looks, std::back_inserter(m_looks));
    for (const QueuedCommand &queued : turn.commands)
        refuse(queued);
    if (std::chrono::steady_clock::now() >= m_nextBeat)
        beat();
    return !turn.isClosed;
}

void HostLoop::trust(const rules::Command &command, const rules::TrustStore &act)
{
    const QueuedCommand &queued = m_commands[m_answered++];
    Reply reply;
    reply.outcome = trustChecked(command, act);
    reply.committed = m_fleet.seq;
    if (isWritable() && std::holds_alternative<rules::ActDone>(reply.outcome)) {
        snapshotTo([this](const auto &call) { m_followers.each(call); });
    }
    tell(queued, reply);
}

rules::Outcome HostLoop::trustChecked(const rules::Command &command, const rules::TrustStore &act)
{
    if (isWritable())
        return rules::Error{
            rules::ErrorCode::Refused, "The store is written as it should be: no sentinel to clear.", {}};
    if (m_health == StoreHealth::ReadOnly)
        return unavailable(m_trouble);
    if (act.act != "clear-sentinel") {
        return rules::Error{rules::ErrorCode::BadInput,
                            "This store waits for the act clear-sentinel, not " + act.act + ".", "act"};
    }
    if (const auto clean = verifyAndLoad(); !clean)
        return clean.error();
    return recordTrust(command, act);
}

rules::Result<void> HostLoop::verifyAndLoad()
{
    const auto verified = m_store->verify([this](double) { return refuseMeanwhile(); });
    if (!verified)
        return verified.error();
    if (!verified->clean()) {
        return rules::Error{rules::ErrorCode::Found,
                            "The store is not clean, so nothing was cleared: " + verified->findings.front(),
                            {}};
    }
    return load();
}

/// One transaction holds the human's word and the stops that could not be written before; then the sentinel goes.
rules::Outcome HostLoop::recordTrust(const rules::Command &command, const rules::TrustStore &act)
{
    m_batch = {};
    decide(command, true);
    rules::Outcome outcome = std::move(m_batch.outcomes.front());
    const bool isTrusted = !std::holds_alternative<rules::Error>(outcome);
    if (isTrusted) { // an agent that the log does not know has been allowed nothing: its first ask trips as it did
                     // before
        for (const LatchedStop &stop : m_latched)
            decide(rules::StopAgent{stop.agent, stop.rung, act.by, stop.why}, false);
    }
    m_fleet.licence.reset();
    if (!m_isStarted)
        decide(startCommand(), false);
    const Batch batch = std::exchange(m_batch, {});
    if (const auto appended = m_store->append(batch.events, m_fleet, batch.touched, store::Durability::Synced);
        !appended) {
        fail(appended.error().message);
        return unavailable(m_trouble);
    }
    m_isStarted = true;
    setHealth(m_health, m_trouble);
    if (!isTrusted)
        return outcome;
    if (const auto cleared = store::clearSentinel(m_options.storePath); !cleared)
        return unavailable("The act is in the log, but the sentinel could not be cleared: " + cleared.error().message);
    m_latched.clear();
    setHealth(StoreHealth::Writable, {});
    return outcome;
}

rules::Result<void> HostLoop::load()
{
    if (const auto witnessed = m_guard.witness(*m_store); !witnessed)
        return witnessed;
    auto fleet = m_store->load();
    if (!fleet)
        return fleet.error();
    if (!m_store->isReadOnly()) {
        if (const auto judged = m_guard.judgeToHost(*fleet); !judged)
            return judged;
    }
    m_fleet = std::move(fleet).value();
    m_line = SteadyLine(m_fleet, m_clock);
    m_probe = m_store->isReadOnly() ? StoreProbe() : StoreProbe(m_store->path());
    return {};
}

rules::Command HostLoop::startCommand() const
{
    return rules::StartHost{m_clock.bootId(), m_clock.now().steady.micros, m_options.version, m_options.operatorName,
                            m_options.kind};
}

} // namespace handreset::engine

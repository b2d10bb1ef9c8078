#include "model/engine/embedded_host.h"

#include "model/engine/history_read.h"
#include "model/engine/host_loop.h"

#include <exception>
#include <future>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <variant>

namespace handreset::engine {

namespace {

/// A thread's entry catches all: nothing throws out of it.
rules::Result<void> openGuarded(HostLoop &loop)
{
    try {
        return loop.open();
    } catch (const std::exception &error) {
        return rules::Error{
            rules::ErrorCode::Unavailable, std::string("the store could not be opened: ") + error.what(), {}};
    }
}

/// Root of a user namespace that anybody can make for themselves, also one within another, is nobody's root: only in the
/// system's first one, whose number the kernel has fixed, does user 0 mean root on the host.
bool isHostsRoot()
{
    constexpr ino_t kFirstUserNamespace = 0xEFFFFFFDU;
    struct stat status = {};
    return ::geteuid() == 0 && ::stat("/proc/self/ns/user", &status) == 0 && status.st_ino == kFirstUserNamespace;
}

} // namespace

rules::Result<std::unique_ptr<EmbeddedHost>> EmbeddedHost::start(EmbeddedHostOptions options)
{
    std::unique_ptr<EmbeddedHost> host(new EmbeddedHost(std::move(options)));
    if (const auto opened = host->open(); !opened)
        return opened.error();
    return host;
}

EmbeddedHost::EmbeddedHost(EmbeddedHostOptions options) : m_options(std::move(options))
{
    if (m_options.clock == nullptr) {
        m_ownClock = std::make_unique<SystemClock>();
        m_options.clock = m_ownClock.get();
    }
    if (!m_options.open)
        m_options.open = [readOnly = m_options.readOnly](const QString &path, store::Sentinel sentinel) {
            return readOnly ? store::Store::openReadOnly(path) : store::Store::open(path, sentinel);
        };
}

EmbeddedHost::~EmbeddedHost()
{
    m_queue.close();
    if (m_thread.joinable())
        m_thread.join();
}

rules::Result<void> EmbeddedHost::open()
{
    std::promise<rules::Result<void>> opened;
    auto result = opened.get_future();
    m_thread = std::thread([this, opened = std::move(opened)]() mutable {
        HostLoop loop(m_options, m_queue, m_followers, m_status);
        const auto state = openGuarded(loop);
        opened.set_value(state);
        if (state)
            loop.run();
    });
    return result.get();
}

void EmbeddedHost::submit(rules::Command command, std::function<void(const Reply &)> done)
{
    // What comes over the link has its origin already; anything else was done in this process.
    if (auto *act = std::get_if<rules::Signed>(&command); act != nullptr && act->origin.channel.empty())
        act->origin = {"embedded, uid " + std::to_string(::geteuid()), isHostsRoot()};
    m_queue.pushCommand({std::move(command), std::move(done)});
}

void EmbeddedHost::follow(Follower *follower)
{
    m_followers.add(follower);
    m_queue.wake();
}

void EmbeddedHost::unfollow(Follower *follower)
{
    m_followers.remove(follower);
}

HostStatus EmbeddedHost::status() const
{
    HostStatus status = m_status.read();
    status.queued = m_queue.size();
    return status;
}

void EmbeddedHost::readEvents(EventQuery query, std::function<void(rules::Result<std::vector<rules::Event>>)> done)
{
    m_queue.pushRead(std::make_unique<EventsRead>(std::move(query), std::move(done)));
}

void EmbeddedHost::stateAt(rules::Seq seq, std::function<void(rules::Result<std::shared_ptr<const rules::Fleet>>)> done)
{
    m_queue.pushRead(std::make_unique<StateRead>(seq, m_lastState, std::move(done)));
}

void EmbeddedHost::seqAt(rules::Instant time, std::function<void(rules::Result<rules::Seq>)> done)
{
    m_queue.pushRead(std::make_unique<SeqRead>(time, std::move(done)));
}

void EmbeddedHost::submitAll(std::vector<QueuedCommand> commands)
{
    m_queue.pushCommands(std::move(commands));
}

void EmbeddedHost::look(Look look)
{
    m_queue.pushLook(std::move(look));
}

void EmbeddedHost::onStore(std::function<void(rules::Result<store::Store *>)> job)
{
    m_queue.pushRead(std::make_unique<StoreJob>(std::move(job)));
}

} // namespace handreset::engine

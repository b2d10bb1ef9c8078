#include "app/gate/gate.h"

#include "app/gate/other_host.h"
#include "app/gate/write_probe.h"
#include "model/store/store.h"

#include <QFileInfo>

#include <algorithm>
#include <chrono>
#include <pwd.h>
#include <unistd.h>
#include <utility>

namespace handreset::gate {

using engine::StoreHealth;
using namespace std::chrono_literals;

namespace {

constexpr int kUnreachable = 3; // spec 8
constexpr auto kTryAgain = 500ms;
constexpr auto kLook = 1000ms;
/// The host proves itself twice a second (model/engine/host_loop.cpp).
constexpr std::chrono::microseconds kLeastPatience = 1500ms;
/// What the start is said to take at most from now on, each time that it is looked at.
constexpr auto kStartTakes = 60s;

/// Who runs the gate: the user of the machine.
std::string userName()
{
    const passwd *user = getpwuid(geteuid());
    return user != nullptr ? user->pw_name : std::to_string(geteuid());
}

std::string_view wordOf(StoreHealth health) noexcept
{
    switch (health) {
    case StoreHealth::Writable:
        return "writable";
    case StoreHealth::ReadOnly:
        return "read_only";
    case StoreHealth::Failing:
        return "failing";
    case StoreHealth::Refused:
        return "refused";
    }
    return "unknown";
}

std::chrono::milliseconds patienceOf(const ServiceManager &manager)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(manager.watchdog().value_or(0us));
}

std::int64_t number(rules::Seq seq) noexcept
{
    return static_cast<std::int64_t>(seq.value);
}

} // namespace

Gate::Gate(GateSettings settings, GateLog &log, ServiceManager &manager, QObject *parent)
    : QObject(parent),
      m_settings(std::move(settings)),
      m_log(log),
      m_manager(manager),
      m_path(m_settings.store ? QFileInfo(QString::fromStdString(*m_settings.store)).absoluteFilePath()
                              : store::defaultStorePath()),
      m_heart([this] { return writeTrouble(m_path); })
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &Gate::openStore);
    connect(&m_looking, &QTimer::timeout, this, &Gate::look);
}

Gate::~Gate()
{
    m_again.stop();
    m_looking.stop();
    m_manager.sayStopping();
    if (m_opening)
        m_opening->wait();
    m_service.reset();
    if (!m_host)
        return;
    const auto last = m_host->status();
    m_log.info("stopping", {{"store", m_path.toStdString()}, {"health", wordOf(last.health)}});
    m_host.reset();
    m_log.info("stopped", {{"store", m_path.toStdString()}});
}

void Gate::start()
{
    if (!m_manager.trouble().empty())
        m_log.warning("service_manager", {{"message", m_manager.trouble()}});
    if (m_manager.watchdog().value_or(kLeastPatience) < kLeastPatience)
        m_log.warning("service_manager",
                      {{"message", "WatchdogSec is shorter than two turns of the heartbeat; use 2s or more"}});
    m_log.info("starting",
               {{"version", HANDRESET_VERSION},
                {"store", m_path.toStdString()},
                {"process", static_cast<std::int64_t>(::getpid())}});
    m_since.start();
    m_looking.start(lookEvery());
    m_manager.sayStatus("Opening the store " + m_path.toStdString());
    openStore();
}

/// Often enough for the watchdog, which wants three chances.
std::chrono::milliseconds Gate::lookEvery() const
{
    const auto patience = m_manager.watchdog();
    if (!patience)
        return kLook;
    return std::clamp<std::chrono::milliseconds>(std::chrono::duration_cast<std::chrono::milliseconds>(*patience / 3),
                                                 100ms, kLook);
}

void Gate::openStore()
{
    auto opened = std::make_shared<Opened>();
    m_opening.reset(QThread::create([this, opened] { *opened = open(); }));
    connect(m_opening.get(), &QThread::finished, this, [this, opened] { taken(opened); });
    m_opening->start();
}

/// On the opening thread: touches nothing that the main thread changes meanwhile.
Gate::Opened Gate::open() const
{
    engine::EmbeddedHostOptions options;
    options.storePath = m_path;
    options.version = HANDRESET_VERSION;
    options.operatorName = userName();
    options.kind = rules::HostKind::Gate;
    Opened result;
    auto host = engine::EmbeddedHost::start(std::move(options));
    if (host) {
        result.host = std::move(host).value();
        return result;
    }
    result.error = host.error();
    result.isHeldByAnother = isHostedByAnother(m_path);
    return result;
}

void Gate::taken(const std::shared_ptr<Opened> &opened)
{
    if (opened->host) {
        m_host = std::move(opened->host);
        hosting();
    } else if (opened->isHeldByAnother) {
        m_wasRetried = false;
        waitForStore();
    } else if (!m_wasRetried) {
        // Whoever had it may have let it go between our try and our look.
        m_wasRetried = true;
        m_again.start(0ms);
    } else {
        end(opened->error);
    }
}

/// Said once, however long it takes.
void Gate::waitForStore()
{
    if (!m_isWaiting) {
        m_isWaiting = true;
        m_log.warning("waiting_for_store",
                      {{"store", m_path.toStdString()},
                       {"message", "another process hosts the store; this one waits until that ends"}});
        m_manager.sayStatus("Waiting: another process hosts the store " + m_path.toStdString());
    }
    m_again.start(kTryAgain);
}

void Gate::hosting()
{
    const auto status = m_host->status();
    m_log.info("hosting",
               {{"store", m_path.toStdString()},
                {"events", number(status.committed)},
                {"health", wordOf(status.health)},
                {"milliseconds", static_cast<std::int64_t>(m_since.elapsed())}});
    m_alive.start();
    m_service = std::make_unique<GateService>(*m_host, m_path, m_settings, m_log);
    if (const auto opened = m_service->open(); !opened) {
        end(opened.error());
        return;
    }
    look();
}

void Gate::end(const rules::Error &error)
{
    m_log.error("ended", {{"store", m_path.toStdString()}, {"message", error.message}, {"context", error.context}});
    m_manager.sayStatus(error.message);
    m_looking.stop();
    Q_EMIT ended(kUnreachable);
}

void Gate::look()
{
    if (!m_host) {
        m_manager.askForTime(kStartTakes);
        return;
    }
    const auto status = m_host->status();
    lookAtHealth(status);
    if (!m_isReady) { // a store that is refused is hosted all the same: it answers, and denies
        const auto words = m_health == StoreHealth::Writable ? "Hosting " + m_path.toStdString() : status.trouble;
        m_isReady = m_manager.sayReady(words) || !m_manager.isThere();
    }
    lookAtHeart(status);
    m_service->look();
}

void Gate::lookAtHealth(const engine::HostStatus &status)
{
    if (m_health == status.health)
        return;
    const bool wasTold = m_health.has_value();
    m_health = status.health;
    if (status.health == StoreHealth::Writable) {
        if (wasTold) {
            m_log.info("store_trusted", {{"store", m_path.toStdString()}, {"events", number(status.committed)}});
            m_manager.sayStatus("Hosting " + m_path.toStdString());
        }
        return;
    }
    m_log.error("store_denies_everything",
                {{"store", m_path.toStdString()}, {"health", wordOf(status.health)}, {"message", status.trouble}});
    m_manager.sayStatus(status.trouble);
}

void Gate::lookAtHeart(const engine::HostStatus &status)
{
    if (!m_manager.watchdog())
        return;
    // A store that waits for a human's word does not become better by being started again and again: whoever gives it
    // needs a host that stays. One that fails now is started once more, and is refused then if that did not help.
    if (const bool isOff = status.health == StoreHealth::Refused; isOff != m_isWatchdogOff) {
        if (m_manager.setWatchdog(isOff ? std::chrono::microseconds(0) : *m_manager.watchdog()))
            m_isWatchdogOff = isOff;
    }
    if (m_heart.beats(status)) {
        m_manager.sayAlive();
        m_alive.restart();
        if (std::exchange(m_isSilent, false))
            m_log.info("alive_again", {{"store", m_path.toStdString()}});
        return;
    }
    if (m_isWatchdogOff || m_isSilent || !m_alive.hasExpired(patienceOf(m_manager).count() / 2))
        return; // one turn that is late is nothing to tell
    m_isSilent = true;
    m_log.error("watchdog_withheld", {{"store", m_path.toStdString()}, {"message", m_heart.trouble()}});
}

} // namespace handreset::gate

#include "app/desk/desk_host.h"

#include "model/link/socket_path.h"
#include "model/store/store.h"

#include <QFileInfo>

#include <chrono>
#include <unistd.h>
#include <utility>

namespace handreset::desk {

namespace {

[[nodiscard]] QString text(const rules::Error &error)
{
    return QString::fromStdString(error.context.empty() ? error.message : error.context + ": " + error.message);
}

constexpr std::chrono::seconds kLinkWithin{10};

/// Whether a host serves this store: then it has the file open, and this desk follows it.
[[nodiscard]] bool hasHost(const QString &storePath)
{
    const auto descriptor = link::connectTo(link::socketPathOf(storePath));
    if (descriptor)
        ::close(*descriptor);
    return descriptor.ok();
}

/// A gate that is only restarting must find its store free (spec 4).
[[nodiscard]] rules::Result<std::unique_ptr<store::Store>> openUnlessGates(const QString &path,
                                                                           store::Sentinel sentinel)
{
    auto opened = store::Store::open(path, sentinel);
    if (!opened)
        return opened;
    const auto fleet = (*opened)->load();
    if (fleet && fleet->gateHosted)
        return rules::Error{
            rules::ErrorCode::Refused,
            "handreset-gate hosts this store and does not run now. Start it, and this desk follows it; where "
            "it is gone for good: handreset --host",
            path.toStdString()};
    return opened;
}

} // namespace

DeskHost::DeskHost(const engine::Clock &clock, DeskOptions options, QString operatorName, QObject *parent)
    : QObject(parent), m_clock(clock), m_options(std::move(options)), m_operator(std::move(operatorName))
{
    if (!m_options.connect.isEmpty()) {
        m_network = std::make_unique<NetworkHost>(m_options.connect, m_options.fingerprint, tellsLink());
        connect(m_network.get(), &NetworkHost::failed, this, &DeskHost::failed);
        connect(m_network.get(), &NetworkHost::ready, this, [this] {
            if (m_linked) // a new shift on the same link
                return;
            m_linked = m_network->take();
            Q_EMIT opened({});
        });
        return;
    }
    m_path = m_options.store;
    if (!m_path.isEmpty())
        return;
    if (m_options.demo || !m_options.screenshots.isEmpty()) {
        m_passing = std::make_unique<QTemporaryDir>();
        m_path = m_passing->filePath(QStringLiteral("demo/fleet.db"));
    } else {
        m_path = store::defaultStorePath();
    }
}

DeskHost::~DeskHost()
{
    if (m_opening)
        m_opening->wait();
    m_demo.reset();
    m_server.reset();
    m_linked.reset();
    m_host.reset();
}

engine::Host &DeskHost::host()
{
    if (m_linked)
        return *m_linked;
    return *m_host;
}

QString DeskHost::linkName() const
{
    return m_network ? m_network->address() : m_linked ? tr("this machine's host") : QString();
}

void DeskHost::renewShift()
{
    if (!m_network || !m_linked)
        return;
    m_network->renew(m_linked.get());
    Q_EMIT m_network->passphraseAsked();
}

/// For the link's thread.
std::function<void(const link::LinkState &)> DeskHost::tellsLink()
{
    return [this](const link::LinkState &state) {
        QMetaObject::invokeMethod(
            this, [this, isRefused = state.isRefused] { Q_EMIT linkChanged(isRefused); }, Qt::QueuedConnection);
    };
}

void DeskHost::openAsync()
{
    if (m_network)
        return m_network->start();
    auto opened = std::make_shared<Opened>();
    m_opening.reset(QThread::create([this, opened] { *opened = open(); }));
    connect(m_opening.get(), &QThread::finished, this, [this, opened] { taken(opened); });
    m_opening->start();
}

/// On the opening thread: touches nothing that the GUI thread changes meanwhile.
DeskHost::Opened DeskHost::open()
{
    Opened result;
    if (!QFileInfo::exists(m_path)) {
        if (!m_passing) { // only init makes a store (spec 4): a path that was mistyped is no empty fleet
            result.trouble = tr("There is no store at %1. Look whether the path is right; to make a new store: "
                                "handresetctl init --store %1").arg(m_path);
            return result;
        }
        store::InitOptions init;
        init.fleet = "demo";
        if (const auto made = store::Store::init(m_path, init, m_clock.now()); !made) {
            result.trouble = text(made.error());
            return result;
        }
        result.news = tr("A passing store was made for the demo; it goes when the desk closes.");
    }
    if (hasHost(m_path))
        return follow();
    engine::EmbeddedHostOptions hosting;
    hosting.kind = m_passing ? rules::HostKind::Passing : rules::HostKind::Desk;
    if (!m_options.host)
        hosting.open = openUnlessGates;
    hosting.storePath = m_path;
    hosting.version = HANDRESET_VERSION;
    hosting.operatorName = m_operator.toStdString();
    hosting.clock = &m_clock;
    auto host = engine::EmbeddedHost::start(std::move(hosting));
    if (!host) {
        result.trouble = text(host.error());
        return result;
    }
    result.host = std::move(host).value();
    if (m_options.screenshots.isEmpty())
        serve(result);
    if (m_options.demo && m_options.screenshots.isEmpty())
        startDemo(result);
    return result;
}

void DeskHost::startDemo(Opened &result)
{
    demo::DemoOptions options;
    options.speed = m_options.demoSpeed;
    options.operatorName = m_operator.toStdString();
    options.tell = [this](const std::string &text) {
        QMetaObject::invokeMethod(
            this, [this, text = QString::fromStdString(text)] { demoTells(text); }, Qt::QueuedConnection);
    };
    result.demo = std::make_unique<demo::DemoFleet>(*result.host, std::move(options));
    const auto started
        = result.demo->start([this] { QMetaObject::invokeMethod(this, &DeskHost::demoEnded, Qt::QueuedConnection); });
    if (!started)
        result.news = tr("The demo fleet cannot run: %1").arg(text(started.error()));
}

/// It may be quicker than the window.
void DeskHost::demoTells(const QString &text)
{
    if (m_host)
        Q_EMIT demoTold(text);
    else
        m_demoNews = text;
}

DeskHost::Opened DeskHost::follow()
{
    Opened result;
    if (m_options.demo) {
        result.trouble
            = tr("Another host has %1 open, and a demo plays only in a store that its own desk hosts.").arg(m_path);
        return result;
    }
    link::LinkedHostOptions linking;
    linking.socketPath = link::socketPathOf(m_path);
    linking.onChange = tellsLink();
    auto linked = std::make_unique<link::LinkedHost>(std::move(linking));
    if (const auto up = linked->waitUntilUp(kLinkWithin); !up) {
        result.trouble = text(up.error());
        return result;
    }
    result.linked = std::move(linked);
    result.news = tr("This desk follows the host that has the store open, by its socket.");
    return result;
}

/// Others of this user follow the desk's own host; without that it works all the same.
void DeskHost::serve(Opened &result)
{
    link::LinkServerOptions serving;
    serving.storePath = m_path;
    serving.clock = &m_clock;
    auto server = link::LinkServer::start(*result.host, std::move(serving));
    if (server)
        result.server = std::move(server).value();
    else
        result.news += (result.news.isEmpty() ? QString() : QStringLiteral(" "))
            + tr("Other desks and command lines cannot reach this host: %1").arg(text(server.error()));
}

void DeskHost::taken(const std::shared_ptr<Opened> &result)
{
    m_host = std::move(result->host);
    m_linked = std::move(result->linked);
    m_server = std::move(result->server);
    m_demo = std::move(result->demo);
    if (!m_demoNews.isEmpty())
        result->news += (result->news.isEmpty() ? QString() : QStringLiteral(" ")) + m_demoNews;
    if (m_host || m_linked)
        Q_EMIT opened(result->news);
    else
        Q_EMIT failed(result->trouble);
}

} // namespace handreset::desk

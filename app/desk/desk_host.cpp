#include "app/desk/desk_host.h"

#include "model/store/store.h"

#include <QFileInfo>

#include <utility>

namespace handreset::desk {

namespace {

[[nodiscard]] QString text(const rules::Error &error)
{
    return QString::fromStdString(error.context.empty() ? error.message : error.context + ": " + error.message);
}

} // namespace

DeskHost::DeskHost(const engine::Clock &clock, DeskOptions options, QString operatorName, QObject *parent)
    : QObject(parent), m_clock(clock), m_options(std::move(options)), m_operator(std::move(operatorName))
{
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
    m_host.reset();
}

void DeskHost::openAsync()
{
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
    engine::EmbeddedHostOptions hosting;
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
    if (m_options.demo && m_options.screenshots.isEmpty()) {
        result.demo = std::make_unique<demo::DemoFleet>(
            *result.host, demo::DemoOptions{.speed = m_options.demoSpeed, .operatorName = m_operator.toStdString(), .until = {}});
        const auto started =
            result.demo->start([this] { QMetaObject::invokeMethod(this, &DeskHost::demoEnded, Qt::QueuedConnection); });
        if (!started)
            result.news = tr("The demo fleet cannot run: %1").arg(text(started.error()));
    }
    return result;
}

void DeskHost::taken(const std::shared_ptr<Opened> &result)
{
    m_host = std::move(result->host);
    m_demo = std::move(result->demo);
    if (m_host)
        Q_EMIT opened(result->news);
    else
        Q_EMIT failed(result->trouble);
}

} // namespace handreset::desk

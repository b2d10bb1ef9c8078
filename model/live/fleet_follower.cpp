#include "model/live/fleet_follower.h"

#include "model/live/acts_from_log.h"

#include <utility>

namespace handreset::live {

namespace {

constexpr std::size_t kHistoryAtStart = 2'000;

} // namespace

FleetFollower::FleetFollower(engine::Host &host, const engine::Clock &clock, QObject *parent)
    : QObject(parent), m_host(host), m_worker(new FoldWorker(clock)), m_inbox(m_worker->inbox())
{
    qRegisterMetaType<PublicationPointer>();
    qRegisterMetaType<Beat>();
    m_thread.setObjectName(QStringLiteral("follower"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &FoldWorker::published, this, &FleetFollower::published);
    connect(m_worker, &FoldWorker::beat, this, &FleetFollower::beatSeen);
    connect(m_worker, &FoldWorker::lost, this, [this](const QString &why) {
        Q_EMIT lost(why);
        m_host.follow(this); // a second `follow` brings a new snapshot
    });
}

FleetFollower::~FleetFollower()
{
    if (m_started)
        m_host.unfollow(this);
    m_inbox->close();
    m_thread.quit();
    m_thread.wait();
    if (!m_started)
        delete m_worker;
}

void FleetFollower::start()
{
    if (std::exchange(m_started, true))
        return;
    m_thread.start();
    QMetaObject::invokeMethod(m_worker, &FoldWorker::begin, Qt::QueuedConnection);
    m_host.follow(this);
}

void FleetFollower::setFocus(const Focus &focus)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, focus] { worker->setFocus(focus); }, Qt::QueuedConnection);
}

void FleetFollower::consumed()
{
    QMetaObject::invokeMethod(m_worker, &FoldWorker::consumed, Qt::QueuedConnection);
}

void FleetFollower::snapshot(std::shared_ptr<const rules::Fleet> fleet)
{
    const rules::Seq upTo = fleet->seq;
    post(std::move(fleet));
    askForHistory(upTo);
}

void FleetFollower::committed(std::shared_ptr<const engine::Commit> commit)
{
    post(std::move(commit));
}

void FleetFollower::beat(const engine::HostStatus &status)
{
    post(status);
}

void FleetFollower::post(InboxItem item)
{
    m_inbox->post(std::move(item), m_worker, [worker = m_worker] { worker->drain(); });
}

void FleetFollower::askForHistory(rules::Seq upTo)
{
    engine::EventQuery query;
    query.last = upTo;
    query.limit = kHistoryAtStart;
    askForHistory(query, false);
    query.kinds = kindsOfActs();
    askForHistory(std::move(query), true);
}

void FleetFollower::askForHistory(engine::EventQuery query, bool isOfActs)
{
    const rules::Seq upTo = query.last;
    m_host.readEvents(
        std::move(query),
        [inbox = m_inbox, worker = m_worker, upTo, isOfActs](rules::Result<std::vector<rules::Event>> read) {
            HistoryRead history{upTo, {}, isOfActs};
            if (read)
                history.events = std::move(read).value();
            inbox->post(std::move(history), worker, [worker] { worker->drain(); });
        });
}

} // namespace handreset::live

#include "model/link/link_server.h"

#include "model/link/host_ear.h"
#include "model/link/socket_path.h"
#include "model/link/switchboard.h"

#include <chrono>
#include <future>
#include <utility>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::chrono::seconds kFirstState{30};

} // namespace

Result<std::unique_ptr<LinkServer>> LinkServer::start(engine::Host &host, LinkServerOptions options)
{
    std::unique_ptr<LinkServer> server(new LinkServer(host, std::move(options)));
    if (auto opened = server->open(); !opened)
        return opened.error();
    return server;
}

LinkServer::LinkServer(engine::Host &host, LinkServerOptions options)
    : m_host(host),
      m_options(std::move(options)),
      m_board(new Switchboard(host, m_options)),
      m_ear(std::make_unique<HostEar>(m_board->mailbox(), *m_board, m_options.mostUnheard))
{
    m_thread.setObjectName(QStringLiteral("operators' link"));
    m_board->setFollow([this] { m_host.follow(m_ear.get()); });
    m_board->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_board, &QObject::deleteLater);
    m_thread.start();
}

LinkServer::~LinkServer()
{
    // First the board, which may follow the host anew; then the ear: when that returns, no call to it is running.
    QMetaObject::invokeMethod(
        m_board, [board = m_board] { board->close(); }, Qt::BlockingQueuedConnection);
    m_host.unfollow(m_ear.get());
    m_thread.quit();
    m_thread.wait();
}

Result<void> LinkServer::open()
{
    const auto heard = std::make_shared<std::promise<void>>();
    auto first = heard->get_future();
    m_board->setHeard([heard] { heard->set_value(); });
    m_host.follow(m_ear.get());
    if (first.wait_for(kFirstState) != std::future_status::ready)
        return Error{ErrorCode::Unavailable, "the host does not tell its state, so it cannot be served", {}};
    Result<void> opened;
    QMetaObject::invokeMethod(
        m_board, [&] { opened = m_board->open(); }, Qt::BlockingQueuedConnection);
    return opened;
}

QString LinkServer::socketPath() const
{
    return socketPathOf(m_options.storePath);
}

std::size_t LinkServer::guests() const noexcept
{
    return m_board->guestsSeen();
}

LinkServerStatus LinkServer::status() const
{
    LinkServerStatus status;
    QMetaObject::invokeMethod(
        m_board, [&] { status = m_board->status(); }, Qt::BlockingQueuedConnection);
    return status;
}

} // namespace handreset::link

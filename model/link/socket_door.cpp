#include "model/link/socket_door.h"

#include <QLocalSocket>

#include <cerrno>
#include <chrono>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace handreset::link {

namespace {

constexpr int kAtOnce = 16; ///< then others have their turn
constexpr std::chrono::milliseconds kPause{500};

} // namespace

SocketDoor::SocketDoor(QString path, Enter enter, Refuse refuse, QObject *parent)
    : QObject(parent), m_path(std::move(path)), m_enter(std::move(enter)), m_refuse(std::move(refuse)), m_again(this)
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, [this] { m_notifier->setEnabled(true); });
}

SocketDoor::~SocketDoor()
{
    m_notifier.reset();
    if (m_socket.descriptor < 0)
        return;
    removeSocket(m_path, m_socket);
    ::close(m_socket.descriptor);
}

rules::Result<void> SocketDoor::open()
{
    const auto socket = listenAt(m_path);
    if (!socket)
        return socket.error();
    m_socket = *socket;
    m_notifier = std::make_unique<QSocketNotifier>(m_socket.descriptor, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &SocketDoor::acceptAll);
    return {};
}

void SocketDoor::acceptAll()
{
    for (int i = 0; i < kAtOnce; ++i) {
        const int descriptor = ::accept4(m_socket.descriptor, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (descriptor >= 0) {
            take(descriptor);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            m_notifier->setEnabled(false);
            m_again.start(kPause);
        }
        return;
    }
}

void SocketDoor::take(int descriptor)
{
    const auto peer = peerOf(descriptor);
    auto socket = std::make_unique<QLocalSocket>();
    if (!peer || !socket->setSocketDescriptor(descriptor)) {
        ::close(descriptor);
        return;
    }
    const bool isAllowed = *peer == geteuid() || *peer == 0;
    (isAllowed ? m_enter : m_refuse)(std::move(socket), *peer);
}

} // namespace handreset::link

#include "model/link/wire.h"

#include <QLocalSocket>
#include <QSslSocket>

#include <array>
#include <utility>

namespace handreset::link {

namespace {

constexpr qint64 kReadAtOnce = 64 * 1024;
constexpr qint64 kReadAhead = 1024 * 1024; ///< that Qt may keep for us; the rest waits with the peer

} // namespace

Wire::Wire(std::unique_ptr<QLocalSocket> socket, std::size_t most, QObject *parent)
    : QObject(parent), m_local(socket.release()), m_reader(most)
{
    m_device = m_local;
    m_local->setReadBufferSize(kReadAhead);
    connect(m_local, &QLocalSocket::errorOccurred, this, [this] { end(m_local->errorString()); });
    connect(m_local, &QLocalSocket::disconnected, this, [this] { end(tr("the other side hung up")); });
    begin();
}

Wire::Wire(std::unique_ptr<QSslSocket> socket, std::size_t most, QObject *parent)
    : QObject(parent), m_tls(socket.release()), m_reader(most)
{
    m_device = m_tls;
    m_tls->setReadBufferSize(kReadAhead);
    connect(m_tls, &QSslSocket::encrypted, this, [this] {
        m_tls->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        Q_EMIT ready();
    });
    connect(m_tls, &QSslSocket::errorOccurred, this, [this] { end(m_tls->errorString()); });
    connect(m_tls, &QSslSocket::disconnected, this, [this] { end(tr("the other side hung up")); });
    begin();
}

Wire::~Wire()
{
    m_isEnded = true;
    m_device->disconnect(this);
    if (m_local)
        m_local->abort();
    else
        m_tls->abort();
}

void Wire::begin()
{
    m_device->setParent(this);
    connect(m_device, &QIODevice::readyRead, this, &Wire::readAll);
    if (m_local) // what came before there was a Wire
        QMetaObject::invokeMethod(this, &Wire::readAll, Qt::QueuedConnection);
}

void Wire::send(const QByteArray &frame)
{
    if (!m_isEnded && !m_isLeaving)
        m_device->write(frame);
}

qint64 Wire::waiting() const
{
    return m_device->bytesToWrite() + (m_tls ? m_tls->encryptedBytesToWrite() : 0);
}

void Wire::cut(const QString &why)
{
    if (m_isEnded)
        return;
    end(why);
    if (m_local)
        m_local->abort();
    else
        m_tls->abort();
}

void Wire::cutAfterSending(const QString &why)
{
    if (m_isEnded || std::exchange(m_isLeaving, true))
        return;
    m_why = why;
    if (m_local)
        m_local->disconnectFromServer();
    else
        m_tls->disconnectFromHost();
}

void Wire::readAll()
{
    std::array<char, kReadAtOnce> buffer;
    std::string message;
    while (!m_isEnded && !m_isLeaving) {
        const qint64 got = m_device->read(buffer.data(), kReadAtOnce);
        if (got <= 0)
            return;
        m_lastHeard = std::chrono::steady_clock::now();
        m_reader.feed({buffer.data(), static_cast<std::size_t>(got)});
        while (!m_isEnded && !m_isLeaving && m_reader.next(message))
            Q_EMIT arrived(message);
        if (m_reader.failed()) {
            cut(tr("the other side sent what is no message of the operators' link"));
            return;
        }
    }
}

void Wire::end(const QString &why)
{
    if (std::exchange(m_isEnded, true))
        return;
    Q_EMIT ended(m_isLeaving ? m_why : why);
}

} // namespace handreset::link

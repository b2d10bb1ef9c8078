// One connection, at either end: whole messages in and out over a local socket or TLS. It knows when the peer was last
// heard, and how much waits to be read by it. It bounds what comes in and leaves to its owner what to do about the
// rest. Thread: its owner's, with an event loop. Ownership: owns the socket; may be destroyed within its own signals by
// deleteLater only. Failure: `ended`, once, with the reason; after that nothing comes and nothing goes.
#pragma once

#include "model/link/frames.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

class QIODevice;
class QLocalSocket;
class QSslSocket;

namespace handreset::link {

class Wire : public QObject {
    Q_OBJECT

public:
    using Time = std::chrono::steady_clock::time_point;

    /// A socket that is connected. `most` bounds the messages that come in.
    Wire(std::unique_ptr<QLocalSocket> socket, std::size_t most, QObject *parent = nullptr);
    /// A socket that is connected, or about to be; it tells `ready` when it is encrypted.
    Wire(std::unique_ptr<QSslSocket> socket, std::size_t most, QObject *parent = nullptr);
    ~Wire() override;

    void setMost(std::size_t most) { m_reader.setMost(most); }
    /// Never blocks. `frame` has its length before it (`framed`).
    void send(const QByteArray &frame);
    /// Bytes that were sent and that the system has not taken yet.
    [[nodiscard]] qint64 waiting() const;
    /// When the peer last said anything.
    [[nodiscard]] Time lastHeard() const noexcept { return m_lastHeard; }
    [[nodiscard]] bool isOpen() const noexcept { return !m_isEnded; }
    /// Hangs up at once.
    void cut(const QString &why);
    /// Hangs up when what was sent is gone.
    void cutAfterSending(const QString &why);
    [[nodiscard]] QSslSocket *tls() const noexcept { return m_tls; }

Q_SIGNALS:
    void ready();
    void arrived(const std::string &message);
    void ended(const QString &why);

private:
    void begin();
    void readAll();
    void end(const QString &why);

    QIODevice *m_device = nullptr; ///< one of the two
    QLocalSocket *m_local = nullptr;
    QSslSocket *m_tls = nullptr;
    FrameReader m_reader;
    Time m_lastHeard = std::chrono::steady_clock::now();
    bool m_isEnded = false;
    bool m_isLeaving = false; ///< hangs up after sending; what comes in is not looked at any more
    QString m_why;
};

} // namespace handreset::link

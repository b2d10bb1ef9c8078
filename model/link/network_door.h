// The door to the network, when it was asked for: TLS 1.3 under the host's own certificate. Who comes in here has
// proved nothing yet; so no more than a few may be on their way at once, and no more than a few begin in a moment, and
// the door on this machine stays free. Thread: its owner's, with an event loop. Ownership: the caller takes what came
// in. Failure: `open` says why.
#pragma once

#include "model/link/certificate.h"
#include "model/rules/result.h"

#include <QSslConfiguration>
#include <QTcpServer>
#include <QTimer>

#include <functional>
#include <memory>

class QSslSocket;

namespace handreset::link {

class NetworkDoor : public QTcpServer {
public:
    /// Called with a peer whose handshake has just begun.
    using Enter = std::function<void(std::unique_ptr<QSslSocket>)>;

    NetworkDoor(const Certificate &certificate, Enter enter, QObject *parent = nullptr);
    /// "192.0.2.7:7431", "[2001:db8::7]:7431", "0.0.0.0:7431"; port 0: any free one.
    [[nodiscard]] rules::Result<void> open(const QString &address);

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    Enter m_enter;
    QSslConfiguration m_configuration;
    QTimer m_pause;
    int m_inThisMoment = 0;
};

} // namespace handreset::link

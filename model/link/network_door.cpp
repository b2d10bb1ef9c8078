#include "model/link/network_door.h"

#include "model/link/link_address.h"

#include <QSslKey>
#include <QSslSocket>

#include <chrono>
#include <unistd.h>
#include <utility>

namespace handreset::link {

namespace {

constexpr int kMostInAMoment = 20;
constexpr std::chrono::milliseconds kMoment{200};

} // namespace

NetworkDoor::NetworkDoor(const Certificate &certificate, Enter enter, QObject *parent)
    : QTcpServer(parent), m_enter(std::move(enter)), m_pause(this)
{
    m_configuration.setProtocol(QSsl::TlsV1_3OrLater);
    m_configuration.setLocalCertificate(certificate.certificate);
    m_configuration.setPrivateKey(certificate.key);
    m_configuration.setPeerVerifyMode(QSslSocket::VerifyNone); // operators prove who they are by their keys
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (m_inThisMoment == 0)
            m_pause.stop();
        m_inThisMoment = 0;
        if (isListening())
            resumeAccepting();
    });
    connect(this, &QTcpServer::acceptError, this, [this] { m_pause.start(kMoment); });
}

rules::Result<void> NetworkDoor::open(const QString &address)
{
    const auto place = addressIn(address);
    if (!place)
        return place.error();
    QHostAddress host;
    if (!host.setAddress(place->host)) {
        return rules::Error{rules::ErrorCode::BadInput,
                            "the address to listen at must be one of this machine in numbers, such as 192.0.2.7:7431",
                            address.toStdString()};
    }
    if (!QSslSocket::supportsSsl() || !listen(host, place->port)) {
        const QString why = QSslSocket::supportsSsl() ? errorString() : QStringLiteral("this Qt has no TLS");
        return rules::Error{rules::ErrorCode::Unavailable,
                            "the operators' link cannot listen there: " + why.toStdString(), address.toStdString()};
    }
    return {};
}

void NetworkDoor::incomingConnection(qintptr descriptor)
{
    auto socket = std::make_unique<QSslSocket>();
    if (!socket->setSocketDescriptor(descriptor)) {
        ::close(static_cast<int>(descriptor));
        return;
    }
    if (++m_inThisMoment >= kMostInAMoment)
        pauseAccepting();
    if (!m_pause.isActive())
        m_pause.start(kMoment);
    socket->setSslConfiguration(m_configuration);
    socket->startServerEncryption();
    m_enter(std::move(socket));
}

} // namespace handreset::link

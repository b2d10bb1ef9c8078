#include "model/link/meeting.h"

#include "model/link/certificate.h"
#include "model/link/frames.h"
#include "model/link/link_address.h"
#include "model/link/messages.h"

#include <QDeadlineTimer>
#include <QSslConfiguration>
#include <QSslSocket>

#include <variant>

namespace handreset::link {

namespace {

rules::Error unreachable(const QString &address, const QString &why)
{
    return {rules::ErrorCode::Unavailable, "the host cannot be reached: " + why.toStdString(), address.toStdString()};
}

int left(const QDeadlineTimer &until)
{
    return static_cast<int>(until.remainingTime());
}

} // namespace

rules::Result<Meeting> meet(const QString &address, std::chrono::milliseconds within)
{
    const auto place = addressIn(address);
    if (!place)
        return place.error();
    const QDeadlineTimer until(within);
    QSslSocket socket;
    QSslConfiguration configuration;
    configuration.setProtocol(QSsl::TlsV1_3OrLater);
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone); // whoever asks compares the fingerprint
    socket.setSslConfiguration(configuration);
    socket.connectToHostEncrypted(place->host, place->port);
    if (!socket.waitForEncrypted(left(until)))
        return unreachable(address, socket.errorString());
    FrameReader reader(kMostFromStranger);
    std::string message;
    while (!reader.next(message)) {
        if (reader.failed() || until.hasExpired() || !socket.waitForReadyRead(left(until)))
            return unreachable(address, QStringLiteral("it did not greet"));
        reader.feed(socket.readAll().toStdString());
    }
    const auto read = decodeToClient(message);
    const auto *greeting = read ? std::get_if<Greeting>(&*read) : nullptr;
    if (greeting == nullptr)
        return unreachable(address, QStringLiteral("what answers there is no host of this program"));
    return Meeting{fingerprintText(fingerprintOf(socket.peerCertificate())), greeting->hostTime, greeting->storeId};
}

} // namespace handreset::link

#include "model/link/switchboard.h"

#include "model/link/admission.h"
#include "model/link/link_address.h"

#include <QLocalSocket>
#include <QSslSocket>

#include <algorithm>
#include <string>
#include <utility>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::size_t kMostStrangers = 64;       ///< from the network, on their way in
constexpr std::size_t kMostOfOnePlace = 8;       ///< of them from one address: nobody shuts the door on the others
constexpr std::chrono::seconds kNetworkAgain{5}; ///< where its address could not be had
constexpr std::size_t kKeptForThisMachine = 16;  ///< places that the network cannot take

/// For a peer that gets nothing but a word.
void turnAway(QLocalSocket &socket, const Error &why)
{
    socket.write(framed(encode(ToClient(TurnedAway{toWire(why)}))));
    socket.flush();
}

} // namespace

Switchboard::Switchboard(engine::Host &host, const LinkServerOptions &options)
    : m_options(options),
      m_mailbox(std::make_shared<Mailbox>(this)),
      m_ownClock(options.clock == nullptr ? std::make_unique<engine::SystemClock>() : nullptr),
      m_around{host, m_mailbox,      m_tail,           options.clock == nullptr ? *m_ownClock : *options.clock,
               {},   options.timing, options.outgoing, options.catchUp, {}},
      m_timer(this)
{
    m_around.refused = [this](const rules::ActOrigin &from, const std::string &why) { noteRefused(from, why); };
    connect(&m_timer, &QTimer::timeout, this, &Switchboard::look);
}

Switchboard::~Switchboard() = default;

Result<void> Switchboard::open()
{
    m_socketDoor = std::make_unique<SocketDoor>(
        socketPathOf(m_options.storePath), [this](auto socket, uid_t peer) { enter(std::move(socket), peer); },
        [this](auto socket, uid_t peer) { refuse(std::move(socket), peer); });
    if (auto opened = m_socketDoor->open(); !opened)
        return opened;
    if (!m_options.listen.isEmpty()) {
        auto certificate = certificateIn(m_options.certificateFolder);
        if (!certificate)
            return certificate.error();
        m_certificate = std::move(certificate).value();
        m_around.certificate = m_certificate->fingerprint();
    }
    m_isOpen = true;
    m_lastLook = std::chrono::steady_clock::now();
    m_timer.start(m_options.timing.lookEvery);
    return mindTheNetwork();
}

void Switchboard::close()
{
    m_isOpen = false;
    m_timer.stop();
    m_mailbox->close();
    m_socketDoor.reset();
    m_networkDoor.reset();
    for (Guest *guest : std::exchange(m_guests, {})) {
        guest->disconnect(this);
        delete guest;
    }
}

LinkServerStatus Switchboard::status() const
{
    LinkServerStatus status;
    status.guests = static_cast<std::size_t>(std::ranges::count_if(m_guests, &Guest::isAdmitted));
    status.networkTrouble = m_networkTrouble;
    status.refused = m_refused;
    status.lastRefused = m_lastRefused;
    if (m_certificate)
        status.fingerprint = fingerprintText(m_certificate->fingerprint());
    if (m_networkDoor) {
        const QString host = m_networkDoor->serverAddress().toString();
        status.network = (host.contains(QLatin1Char(':')) ? QStringLiteral("[%1]:%2") : QStringLiteral("%1:%2"))
                             .arg(host, QString::number(m_networkDoor->serverPort()));
    }
    return status;
}

// ---- What the host says --------------------------------------------------------------------------------------------

void Switchboard::snapshotHeard(std::shared_ptr<const rules::Fleet> fleet)
{
    m_tail.take(std::move(fleet));
    for (Guest *guest : std::vector(m_guests))
        guest->takeWholeState();
    if (m_heard)
        std::exchange(m_heard, {})();
    static_cast<void>(mindTheNetwork());
}

void Switchboard::commitHeard(const engine::Commit &commit)
{
    if (m_tail.fleet() == nullptr) // until the next snapshot
        return;
    if (m_guests.empty()) { // nobody to tell
        if (!m_tail.fold(commit))
            missedSome();
        return static_cast<void>(mindTheNetwork());
    }
    const auto frames = m_tail.take(commit);
    if (!frames) {
        missedSome();
        return;
    }
    for (Guest *guest : std::vector(m_guests))
        guest->takeTail(*frames);
    static_cast<void>(mindTheNetwork());
}

void Switchboard::beatHeard(const engine::HostStatus &status)
{
    m_tail.take(status);
    for (Guest *guest : std::vector(m_guests))
        guest->takeBeat();
}

void Switchboard::missedSome()
{
    m_tail.forget();
    m_follow();
}

// ---- Who comes and goes --------------------------------------------------------------------------------------------

void Switchboard::enter(std::unique_ptr<QLocalSocket> socket, uid_t peer)
{
    if (m_guests.size() >= m_options.mostGuests) {
        turnAway(*socket, {ErrorCode::Unavailable, "Too many desks and command lines are connected to this host.", {}});
        return;
    }
    Guest::Entrance entrance;
    entrance.origin = {"socket uid " + std::to_string(peer), peer == 0};
    add(std::make_unique<Wire>(std::move(socket), kMostFromStranger), std::move(entrance)).greet();
}

void Switchboard::noteRefused(const rules::ActOrigin &from, const std::string &why)
{
    ++m_refused;
    m_lastRefused = from.channel + ": " + why;
}

void Switchboard::refuse(std::unique_ptr<QLocalSocket> socket, uid_t peer)
{
    noteRefused({"socket uid " + std::to_string(peer), false}, "neither the host's own user nor root");
    turnAway(
        *socket,
        {ErrorCode::Refused,
         "The operators' socket is for the host's own user and root; user " + std::to_string(peer) + " is neither.",
         {}});
}

void Switchboard::enter(std::unique_ptr<QSslSocket> socket)
{
    const std::size_t most = m_options.mostGuests - std::min(m_options.mostGuests, kKeptForThisMachine);
    const auto fromNetwork = static_cast<std::size_t>(std::ranges::count_if(m_guests, &Guest::isNetwork));
    Guest::Entrance entrance;
    entrance.origin = {"tls " + socket->peerAddress().toString().toStdString(), false};
    entrance.isNetwork = true;
    const bool isFull = fromNetwork >= most || m_guests.size() >= m_options.mostGuests;
    if (isFull || strangers() >= kMostStrangers || strangersFrom(entrance.origin.channel) >= kMostOfOnePlace) {
        noteRefused(entrance.origin, isFull ? "too many are connected" : "too many are on their way in");
        return; // a word would need a handshake
    }
    add(std::make_unique<Wire>(std::move(socket), kMostFromStranger), std::move(entrance));
}

Guest &Switchboard::add(std::unique_ptr<Wire> wire, Guest::Entrance entrance)
{
    auto *guest = new Guest(m_around, std::move(wire), std::move(entrance), this);
    connect(guest, &Guest::left, this, [this, guest] { remove(guest); });
    m_guests.push_back(guest);
    return *guest;
}

void Switchboard::remove(Guest *guest)
{
    std::erase(m_guests, guest);
    guest->deleteLater();
}

Result<void> Switchboard::mindTheNetwork()
{
    const bool isWanted = m_isOpen && m_certificate && m_tail.fleet() != nullptr && hasOperators(*m_tail.fleet());
    if (!isWanted) {
        m_networkDoor.reset();
        if (m_certificate)
            m_networkTrouble = "the store has no operators, so it is not served over the network";
        return {};
    }
    const auto now = std::chrono::steady_clock::now();
    if (m_networkDoor || now < m_networkAgain)
        return {};
    auto door = std::make_unique<NetworkDoor>(*m_certificate, [this](auto socket) { enter(std::move(socket)); });
    if (auto opened = door->open(m_options.listen); !opened) {
        m_networkAgain = now + kNetworkAgain;
        m_networkTrouble = opened.error().message;
        return opened;
    }
    m_networkTrouble.clear();
    m_networkDoor = std::move(door);
    return {};
}

void Switchboard::look()
{
    m_guestsSeen = static_cast<std::size_t>(std::ranges::count_if(m_guests, &Guest::isAdmitted));
    const auto now = std::chrono::steady_clock::now();
    // Who has slept itself does not know who was silent: what came meanwhile is read first.
    if (now - std::exchange(m_lastLook, now) > m_options.timing.silentFor / 2)
        return;
    for (Guest *guest : std::vector(m_guests))
        guest->look(now);
    static_cast<void>(mindTheNetwork());
}

std::size_t Switchboard::strangers() const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(m_guests, [](const Guest *guest) { return guest->isNetwork() && !guest->isAdmitted(); }));
}

std::size_t Switchboard::strangersFrom(const std::string &channel) const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_guests, [&channel](const Guest *guest) {
        return guest->isNetwork() && !guest->isAdmitted() && guest->channel() == channel;
    }));
}

} // namespace handreset::link

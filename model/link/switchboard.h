// Everything of a host's end of the link that runs on the link's own thread: the doors, the clients, the host's tail.
// Thread: made on any, then moved to the link's; `open` and `close` on that one. Ownership: host and clock must outlive
// it. Failure: `open` says why a door could not be opened; what happens to one client never touches the others.
#pragma once

#include "model/link/certificate.h"
#include "model/link/guest.h"
#include "model/link/host_ear.h"
#include "model/link/link_server.h"
#include "model/link/network_door.h"
#include "model/link/socket_door.h"

#include <QObject>
#include <QTimer>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace handreset::link {

class Switchboard : public QObject, public HostEar::Listener {
    Q_OBJECT

public:
    Switchboard(engine::Host &host, const LinkServerOptions &options);
    ~Switchboard() override;

    [[nodiscard]] const std::shared_ptr<Mailbox> &mailbox() const { return m_mailbox; }
    /// How to follow the host anew; set before `open`.
    void setFollow(std::function<void()> follow) { m_follow = std::move(follow); }
    /// Called once, when the host has first told its state.
    void setHeard(std::function<void()> heard) { m_heard = std::move(heard); }
    [[nodiscard]] rules::Result<void> open();
    void close();
    [[nodiscard]] LinkServerStatus status() const;
    /// As of the last look; any thread.
    [[nodiscard]] std::size_t guestsSeen() const noexcept { return m_guestsSeen; }

    void snapshotHeard(std::shared_ptr<const rules::Fleet> fleet) override;
    void commitHeard(const engine::Commit &commit) override;
    void beatHeard(const engine::HostStatus &status) override;
    void missedSome() override;

private:
    void enter(std::unique_ptr<QLocalSocket> socket, uid_t peer);
    void refuse(std::unique_ptr<QLocalSocket> socket, uid_t peer);
    void enter(std::unique_ptr<QSslSocket> socket);
    Guest &add(std::unique_ptr<Wire> wire, Guest::Entrance entrance);
    void remove(Guest *guest);
    /// Opens or closes the network's door, as the fleet has operators or not.
    rules::Result<void> mindTheNetwork();
    void look();
    [[nodiscard]] std::size_t strangers() const;
    [[nodiscard]] std::size_t strangersFrom(const std::string &channel) const;
    void noteRefused(const rules::ActOrigin &from, const std::string &why);

    const LinkServerOptions &m_options;
    std::shared_ptr<Mailbox> m_mailbox;
    std::function<void()> m_follow;
    std::function<void()> m_heard;
    std::unique_ptr<engine::Clock> m_ownClock;
    FleetTail m_tail;
    std::optional<Certificate> m_certificate;
    Guest::Surroundings m_around;
    std::vector<Guest *> m_guests; ///< children
    std::unique_ptr<SocketDoor> m_socketDoor;
    std::unique_ptr<NetworkDoor> m_networkDoor; ///< none while it is closed
    std::string m_networkTrouble;
    Wire::Time m_networkAgain; ///< not tried before
    QTimer m_timer;
    Wire::Time m_lastLook;
    bool m_isOpen = false;
    std::atomic<std::size_t> m_guestsSeen{0};
    std::uint64_t m_refused = 0;
    std::string m_lastRefused;
};

} // namespace handreset::link

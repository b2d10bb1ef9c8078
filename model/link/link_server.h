// The host's end of the operators' link (spec 5): lets operators' desks and command lines follow a host, ask of its
// history, and act. Always on a Unix socket beside the store; over TLS when asked for. It has a thread of its own, so
// that no flood of asks delays it, and it never makes the host's thread wait.
// Threads: made, used and destroyed on any thread but the host's and its own. Ownership: the host, and the clock, must
// outlive it. Failure: `start` says why not. Later each client is on its own; where the network's address cannot be
// listened at, `status` says so.
#pragma once

#include "model/engine/host.h"
#include "model/engine/host_clock.h"
#include "model/link/link_timing.h"
#include "model/rules/result.h"

#include <QString>
#include <QThread>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace handreset::link {

class HostEar;
class Switchboard;

struct LinkServerOptions {
    QString storePath;                    ///< that the host has open
    QString listen;                       ///< "192.0.2.7:7431": over TLS too; empty: not
    QString certificateFolder;            ///< where the TLS certificate is, or is made
    const engine::Clock *clock = nullptr; ///< for the end of shifts; none: the system's
    LinkTiming timing;
    std::size_t mostGuests = 64;
    std::size_t outgoing = std::size_t{32} * 1024 * 1024; ///< bytes that may wait for one client
    std::size_t mostUnheard = 500'000; ///< events that wait for the link's thread: some seconds of the fastest flood
    std::uint64_t catchUp = 20'000; ///< events behind the log's end; farther back, a client gets the whole state anew
};

struct LinkServerStatus {
    std::size_t guests = 0;     ///< who was admitted and is connected
    QString network;            ///< "192.0.2.7:7431"; empty: not served there
    QString fingerprint;        ///< of the TLS certificate, "AB:CD:…"; empty where none was asked for
    std::string networkTrouble; ///< why it is not served over the network though asked for
    std::uint64_t refused = 0;  ///< who was turned away at a door, since the start
    std::string lastRefused;    ///< the last of them: how they came, and why not; empty: nobody
};

class LinkServer {
public:
    /// Serves from when it returns. A store without operators is not served over the network, until it has some.
    [[nodiscard]] static rules::Result<std::unique_ptr<LinkServer>> start(engine::Host &host,
                                                                          LinkServerOptions options);
    /// Every client is cut; the socket's file goes.
    ~LinkServer();
    LinkServer(const LinkServer &) = delete;
    LinkServer &operator=(const LinkServer &) = delete;

    [[nodiscard]] QString socketPath() const;
    /// Asks the link's thread and waits for it.
    [[nodiscard]] LinkServerStatus status() const;
    /// Who was admitted and is connected, as of the link's last look. Waits for nobody.
    [[nodiscard]] std::size_t guests() const noexcept;

private:
    LinkServer(engine::Host &host, LinkServerOptions options);
    [[nodiscard]] rules::Result<void> open();

    engine::Host &m_host;
    const LinkServerOptions m_options;
    QThread m_thread;
    Switchboard *m_board; ///< lives on m_thread
    std::unique_ptr<HostEar> m_ear;
};

} // namespace handreset::link

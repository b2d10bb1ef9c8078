// The operators' end of the link: a host in another process, or on another machine, behind the same interface as one in
// this process. It keeps a fold of its own, so that whoever follows it later costs the link nothing; after a cut it
// connects again by itself and goes on where it was, or with a new snapshot.
// Threads: as engine::Host; callbacks run on the link's own thread, which is "the host's thread" here. The destructor
// waits for that thread and must not run on it. Ownership: owns thread and connection. Every callback is called exactly
// once, with an Error where the link goes before the answer.
// Failure: while the host cannot be reached nothing is sent that looks like a sign of life: no beats come, `status`
// keeps the last beat's time and says what is wrong, acts and questions are answered Unavailable.
#pragma once

#include "model/engine/follower_list.h"
#include "model/engine/host.h"
#include "model/engine/status_board.h"
#include "model/link/link_timing.h"
#include "model/link/shift_pass.h"

#include <QString>
#include <QThread>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace handreset::link {

class LinkClient;
class Mailbox;

/// How the connection stands.
struct LinkState {
    bool isUp = false;      ///< the host answers, and its state is here
    bool isRefused = false; ///< the host, or what answers in its place, turned us away: trying again may not help
    std::string trouble;    ///< why not, and what to do; empty while it is up
    std::string certificate; ///< fingerprint of the one under which the host is known on the network; empty: it is not
    bool operator==(const LinkState &) const = default;
};

struct LinkedHostOptions {
    QString socketPath;           ///< the Unix socket (`socketPathOf` a store); empty: over TLS
    QString address;              ///< "host:port", over TLS
    QString fingerprint;          ///< of the host's certificate, as the host tells it: nothing is said to another
    std::optional<HeldPass> pass; ///< for TLS
    LinkTiming timing;
    /// Called on the link's thread whenever the state of the connection changes; must be short.
    std::function<void(const LinkState &)> onChange;
};

class LinkedHost final : public engine::Host {
public:
    /// Begins to connect; does not wait.
    explicit LinkedHost(LinkedHostOptions options);
    ~LinkedHost() override;
    LinkedHost(const LinkedHost &) = delete;
    LinkedHost &operator=(const LinkedHost &) = delete;

    /// Waits until the host's state is here. The reason where it is not within that time, or where the host turned us
    /// away. Never on a GUI thread.
    [[nodiscard]] rules::Result<void> waitUntilUp(std::chrono::milliseconds within);
    [[nodiscard]] LinkState state() const;
    /// The next shift's pass; it is used from the next connection on, which begins at once where there is none.
    void setPass(HeldPass pass);

    /// Operators' acts only; anything else is refused here as it would be there.
    void submit(rules::Command command, std::function<void(const engine::Reply &)> done) override;
    /// `snapshot` comes when the host has been reached first, and again whenever what was before is void. A transaction
    /// of many megabytes may come as several commits.
    void follow(engine::Follower *follower) override;
    void unfollow(engine::Follower *follower) override;
    [[nodiscard]] engine::HostStatus status() const override;

    /// What was read so comes without the arguments of calls, as from every host.
    void readEvents(engine::EventQuery query,
                    std::function<void(rules::Result<std::vector<rules::Event>>)> done) override;
    void stateAt(rules::Seq seq, std::function<void(rules::Result<std::shared_ptr<const rules::Fleet>>)> done) override;
    void seqAt(rules::Instant time, std::function<void(rules::Result<rules::Seq>)> done) override;

private:
    void stateChanged(const LinkState &state);

    const LinkedHostOptions m_options;
    engine::FollowerList m_followers;
    engine::StatusBoard m_status;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    LinkState m_state;
    QThread m_thread;
    LinkClient *m_client; ///< lives on m_thread
    std::shared_ptr<Mailbox> m_mailbox;
};

} // namespace handreset::link

// One client at the host's end of the link: greeted, admitted, brought up to the log's end, then fed with the tail; its
// acts and questions go to the host and their answers come back. Thread: the link's. Ownership: owns its connection;
// what it stands on (`Surroundings`) must outlive it. Failure: whoever breaks the protocol, does not read, falls silent
// or may not look any more is cut off, told why where it can be told; `left` says so, once.
#pragma once

#include "model/engine/host.h"
#include "model/engine/host_clock.h"
#include "model/link/fleet_tail.h"
#include "model/link/link_timing.h"
#include "model/link/mailbox.h"
#include "model/link/messages.h"
#include "model/link/wire.h"
#include "model/rules/signed_act.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace handreset::link {

class Guest : public QObject {
    Q_OBJECT

public:
    struct Surroundings {
        engine::Host &host;
        std::shared_ptr<Mailbox> mailbox; ///< of the link's thread
        FleetTail &tail;
        const engine::Clock &clock;
        rules::Digest certificate{};
        LinkTiming timing;
        std::size_t outgoing = 0;  ///< bytes that may wait for a client that reads too slowly
        std::uint64_t catchUp = 0; ///< events that are sent one by one after a cut; above: the whole state
        std::function<void(const rules::ActOrigin &from, const std::string &why)> refused; ///< a stranger was
    };
    /// How the peer came in, as the host sees it.
    struct Entrance {
        rules::ActOrigin origin;
        bool isNetwork = false;
    };

    Guest(const Surroundings &surroundings, std::unique_ptr<Wire> wire, Entrance entrance, QObject *parent = nullptr);

    /// The connection stands (over the network: is encrypted).
    void greet();
    [[nodiscard]] bool isAdmitted() const noexcept { return m_place != Place::Stranger; }
    [[nodiscard]] bool isNetwork() const noexcept { return m_entrance.isNetwork; }
    /// "tls 192.0.2.7", "socket uid 1000".
    [[nodiscard]] const std::string &channel() const noexcept { return m_entrance.origin.channel; }

    /// The next frames of the tail.
    void takeTail(const std::vector<QByteArray> &frames);
    /// The host said something new that replaces what was before.
    void takeWholeState();
    void takeBeat();
    /// Now and then: looks at the times.
    void look(Wire::Time now);
    void turnAway(const rules::Error &why);
    /// The same for one that may not come in at all: whoever minds the host hears of it.
    void refuseStranger(const rules::Error &why);

Q_SIGNALS:
    void left(const QString &why);

private:
    enum class Place {
        Stranger,   ///< not admitted
        CatchingUp, ///< what the log has beyond its place is being read
        Live,
    };

    void arrived(const std::string &message);
    void dispatch(ToHost message);
    void hello(const Hello &hello);
    [[nodiscard]] rules::Result<void> mayLook(const Hello &hello);
    void bringUp(const LogPlace &have);
    void readMissing(const LogPlace &have, rules::Seq upTo);
    void missingRead(const LogPlace &have, rules::Seq upTo, rules::Result<std::vector<rules::Event>> read);
    void sendWholeState();

    void take(const SubmitAct &question);
    void take(SubmitSigned question);
    void take(const AskEvents &question);
    void take(const AskState &question);
    void take(const AskSeq &question);
    void submit(std::uint64_t number, rules::Command command);
    void refuse(std::uint64_t number, const rules::Error &why);
    void answerAct(std::uint64_t number, const engine::Reply &reply);
    void answerEvents(std::uint64_t number, rules::Result<std::vector<rules::Event>> read);
    void answerState(std::uint64_t number, rules::Result<std::shared_ptr<const rules::Fleet>> read);
    void answerSeq(std::uint64_t number, rules::Result<rules::Seq> read);
    /// Begins the read at once, or when others are done.
    void readInTurn(std::function<void()> begin);
    void readDone();

    enum class Size { Usual, Large };
    /// A large one was asked for: it may wait beside what else may.
    void send(const QByteArray &frame, Size size = Size::Usual);
    void send(const ToClient &message, Size size = Size::Usual);

    const Surroundings &m_around;
    std::unique_ptr<Wire> m_wire;
    Entrance m_entrance;
    Place m_place = Place::Stranger;
    Challenge m_challenge;
    ShiftPass m_pass;                 ///< of an admitted guest from the network
    rules::PublicKey m_operatorKey{}; ///< under which it was admitted
    Wire::Time m_since;
    Wire::Time m_lastAlive;
    std::vector<QByteArray> m_meanwhile; ///< the tail since it began to catch up
    std::size_t m_meanwhileBytes = 0;
    std::uint64_t m_catchUpNumber = 0; ///< tells an old read's answer from the present one's
    std::size_t m_large = 0;           ///< bytes of large frames that may still wait
    std::size_t m_acts = 0;            ///< submitted, not answered
    std::size_t m_reads = 0;           ///< begun, not answered
    std::deque<std::function<void()>> m_readsWaiting;
};

} // namespace handreset::link

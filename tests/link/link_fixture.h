// What the link's tests share: a store and its host (host_fixture.h), served over the operators' link, clients of it,
// and a peer that says what it likes.
#pragma once

#include "model/link/frames.h"
#include "model/link/link_server.h"
#include "model/link/linked_host.h"
#include "model/link/messages.h"
#include "model/link/socket_path.h"
#include "model/trust/signer.h"
#include "tests/engine/host_fixture.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QLocalSocket>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace handreset::test {

/// Times that a test can wait for.
inline link::LinkTiming shortTiming()
{
    using std::chrono::milliseconds;
    link::LinkTiming timing;
    timing.aliveEvery = milliseconds(100);
    timing.silentFor = milliseconds(1'500);
    timing.greetingWithin = milliseconds(1'500);
    timing.retryFirst = milliseconds(20);
    timing.retryMost = milliseconds(200);
    timing.lookEvery = milliseconds(20);
    return timing;
}

/// A key of an operator, and what it is used for.
struct Person {
    explicit Person(std::string called) : name(std::move(called)) {}

    [[nodiscard]] rules::Signed sign(rules::Act act, const std::string &storeId, rules::Instant at) const
    {
        rules::SignedAct under;
        rules::setActor(act, name);
        under.storeId = storeId;
        under.by = name;
        under.nonce = trust::randomBytes(rules::kNonceSize);
        under.at = at;
        under.machine = "laptop";
        under.session = "s1";
        under.act = rules::encodeAct(act);
        under.signature = key.sign(rules::bytesToSign(under));
        rules::Signed command;
        command.act = std::move(under);
        return command;
    }

    std::string name;
    trust::SecretKey key = trust::SecretKey::generate();
};

class LinkFixture : public HostFixture {
public:
    ~LinkFixture() { unserve(); }

    [[nodiscard]] rules::Result<void> tryServe()
    {
        options.storePath = path();
        options.clock = &clock;
        auto started = link::LinkServer::start(host(), options);
        if (!started)
            return started.error();
        m_server = std::move(started).value();
        return {};
    }
    void serve()
    {
        if (const auto served = tryServe(); !served)
            qFatal("%s", served.error().message.c_str());
    }
    void startAndServe()
    {
        start();
        serve();
    }
    void unserve() { m_server.reset(); }
    /// The host outlives who serves it, whatever a test stops first.
    void stop()
    {
        unserve();
        HostFixture::stop();
    }
    [[nodiscard]] std::string verifyStopped()
    {
        unserve();
        return HostFixture::verifyStopped();
    }
    /// The host dies and another comes in its place.
    void restartServed()
    {
        unserve();
        restart();
        serve();
    }
    [[nodiscard]] link::LinkServer &server() { return *m_server; }
    [[nodiscard]] QString socketPath() const { return link::socketPathOf(path()); }

    [[nodiscard]] std::unique_ptr<link::LinkedHost> client(link::LinkTiming timing = shortTiming()) const
    {
        link::LinkedHostOptions to;
        to.socketPath = socketPath();
        to.timing = timing;
        return std::make_unique<link::LinkedHost>(to);
    }
    [[nodiscard]] std::unique_ptr<link::LinkedHost> connectedClient(link::LinkTiming timing = shortTiming()) const
    {
        auto connected = client(timing);
        if (const auto up = connected->waitUntilUp(std::chrono::seconds(10)); !up)
            qFatal("%s", up.error().message.c_str());
        return connected;
    }
    engine::Reply enrol(const Person &person, const Person &by, rules::Role role = rules::Role::Approver)
    {
        rules::EnrolOperator act;
        act.name = person.name;
        act.role = role;
        act.key = person.key.publicKey();
        act.reason = "the first day of the test";
        return send(by.sign(act, fleet()->storeId, clock.now().wall));
    }

    link::LinkServerOptions options = [] {
        link::LinkServerOptions made;
        made.timing = shortTiming();
        return made;
    }();

private:
    std::unique_ptr<link::LinkServer> m_server;
};

/// A client without manners: what it sends and reads is the test's.
class RawPeer {
public:
    explicit RawPeer(const QString &socketPath)
    {
        const QDeadlineTimer until(5'000);
        auto descriptor = link::connectTo(socketPath);
        while (!descriptor && !until.hasExpired()) { // as many wait at the door as the system lets wait
            std::this_thread::yield();
            descriptor = link::connectTo(socketPath);
        }
        if (!descriptor)
            qFatal("%s", descriptor.error().message.c_str());
        m_socket.setSocketDescriptor(*descriptor);
    }
    void send(const QByteArray &bytes)
    {
        m_socket.write(bytes);
        m_socket.flush();
    }
    void send(const link::ToHost &message) { send(link::framed(link::encode(message))); }
    /// The next message; none when the host has hung up or says nothing for so long.
    std::optional<link::ToClient> next(int within = 5'000)
    {
        std::string message;
        while (!m_reader.next(message)) {
            if (m_socket.bytesAvailable() == 0 && !m_socket.waitForReadyRead(within))
                return std::nullopt;
            const QByteArray bytes = m_socket.readAll();
            m_reader.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        }
        auto read = link::decodeToClient(message);
        return read ? std::optional(std::move(read).value()) : std::nullopt;
    }
    /// The next message of this kind; others are passed over.
    template <class Message>
    std::optional<Message> nextOf(int within = 5'000)
    {
        while (auto message = next(within)) {
            if (auto *wanted = std::get_if<Message>(&*message))
                return std::move(*wanted);
        }
        return std::nullopt;
    }
    /// Greets as a client does, and has the whole state.
    void comeIn()
    {
        QVERIFY(nextOf<link::Greeting>());
        send(link::Hello{link::kLinkVersion, {}, {}, {}});
        QVERIFY(nextOf<link::WholeState>());
    }
    /// True when the host hangs up within this time.
    bool isCut(int within = 5'000)
    {
        QElapsedTimer timer;
        timer.start();
        while (m_socket.state() == QLocalSocket::ConnectedState && timer.elapsed() < within) {
            m_socket.waitForReadyRead(20);
            m_socket.readAll();
        }
        return m_socket.state() != QLocalSocket::ConnectedState;
    }

private:
    QLocalSocket m_socket;
    link::FrameReader m_reader{link::kMostToClient};
};

inline const rules::Error *errorIn(const engine::Reply &reply)
{
    return std::get_if<rules::Error>(&reply.outcome);
}

} // namespace handreset::test

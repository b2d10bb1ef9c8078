#include "model/link/link_client.h"

#include "model/link/certificate.h"
#include "model/link/link_address.h"
#include "model/link/packed_fleet.h"
#include "model/link/socket_path.h"

#include <QLocalSocket>
#include <QSslConfiguration>
#include <QSslSocket>

#include <algorithm>
#include <exception>
#include <unistd.h>
#include <utility>
#include <variant>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;

namespace {

constexpr std::chrono::seconds kHeldAtMost{1}; ///< an answer, for its commit

} // namespace

LinkClient::LinkClient(const LinkedHostOptions &options, engine::FollowerList &followers, engine::StatusBoard &status,
                       Changed changed)
    : m_options(options),
      m_followers(followers),
      m_status(status),
      m_changed(std::move(changed)),
      m_mailbox(std::make_shared<Mailbox>(this)),
      m_pass(options.pass),
      m_retry(this),
      m_timer(this),
      m_pause(options.timing.retryFirst)
{
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &LinkClient::connectNow);
    connect(&m_timer, &QTimer::timeout, this, &LinkClient::look);
}

LinkClient::~LinkClient() = default;

void LinkClient::begin()
{
    m_lastLook = std::chrono::steady_clock::now();
    m_timer.start(m_options.timing.lookEvery);
    connectNow();
}

void LinkClient::close()
{
    m_isClosed = true;
    m_retry.stop();
    m_timer.stop();
    m_isAdmitted = false;
    m_wire.reset();
    release(true);
    m_questions.failAll();
    while (m_mailbox->run()) {} // what those who were answered asked is answered too
    m_mailbox->close();
}

void LinkClient::setPass(HeldPass pass)
{
    m_pass = std::move(pass);
    if (m_isAdmitted || m_isClosed)
        return;
    tell({false, false, "it is being asked with another pass", m_certificate}); // an old refusal is none of this pass
    m_retry.start(0);
}

void LinkClient::welcome()
{
    if (!m_fleet)
        return;
    std::shared_ptr<const rules::Fleet> fleet; // one copy for all, and none when nobody is new
    m_followers.welcome([&](engine::Follower &follower) {
        if (!fleet)
            fleet = std::make_shared<const rules::Fleet>(*m_fleet);
        follower.snapshot(fleet);
        if (m_isBeating)
            follower.beat(m_status.read());
    });
}

// ---- The connection ------------------------------------------------------------------------------------------------

void LinkClient::connectNow()
{
    if (m_isClosed || m_isAdmitted)
        return;
    m_wire.reset();
    m_since = std::chrono::steady_clock::now();
    m_lastAlive = m_since;
    if (m_options.socketPath.isEmpty())
        connectToNetwork();
    else
        connectToSocket();
}

void LinkClient::connectToSocket()
{
    const auto descriptor = connectTo(m_options.socketPath);
    if (!descriptor)
        return down(QString::fromStdString(descriptor.error().message));
    auto socket = std::make_unique<QLocalSocket>();
    if (!socket->setSocketDescriptor(*descriptor)) {
        ::close(*descriptor);
        return down(socket->errorString());
    }
    adopt(std::make_unique<Wire>(std::move(socket), kMostToClient));
}

void LinkClient::connectToNetwork()
{
    const auto place = addressIn(m_options.address);
    if (!place)
        return down(QString::fromStdString(place.error().message), true);
    if (!m_pass)
        return down(tr("nobody has signed in: over the network only operators may look"), true);
    auto socket = std::make_unique<QSslSocket>();
    QSslConfiguration configuration;
    configuration.setProtocol(QSsl::TlsV1_3OrLater);
    // Nobody vouches for the host's own certificate; what it must be is pinned, and looked at before a word is said.
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    socket->setSslConfiguration(configuration);
    QSslSocket *const connecting = socket.get();
    adopt(std::make_unique<Wire>(std::move(socket), kMostFromStranger));
    connect(m_wire.get(), &Wire::ready, this, &LinkClient::checkCertificate);
    connecting->connectToHostEncrypted(place->host, place->port);
}

void LinkClient::adopt(std::unique_ptr<Wire> wire)
{
    m_wire = std::move(wire);
    connect(m_wire.get(), &Wire::arrived, this, &LinkClient::arrived);
    connect(m_wire.get(), &Wire::ended, this,
            [this](const QString &why) { down(why, std::exchange(m_isRefused, false)); });
}

void LinkClient::checkCertificate()
{
    const auto pinned = fingerprintIn(m_options.fingerprint);
    const rules::Digest seen = fingerprintOf(m_wire->tls()->peerCertificate());
    if (pinned && *pinned == seen) {
        m_wire->setMost(kMostToClient);
        return;
    }
    m_isRefused = true;
    m_wire->cut(tr("who answers there has another certificate than the one that was pinned: %1. Compare it with what "
                   "the host itself tells before you trust it")
                    .arg(fingerprintText(seen)));
}

void LinkClient::down(const QString &why, bool isRefused)
{
    if (m_isClosed)
        return;
    const bool wasAdmitted = std::exchange(m_isAdmitted, false);
    m_isBeating = false;
    if (m_wire) { // it may be its own signal that brought us here
        m_wire->disconnect(this);
        m_wire.release()->deleteLater();
    }
    if (wasAdmitted)
        m_pause = m_options.timing.retryFirst;
    m_retry.start(m_pause);
    m_pause = std::min(m_pause * 2, m_options.timing.retryMost);
    tell({false, isRefused, why.toStdString(), m_certificate});
    release(true);
    m_questions.failAll();
}

void LinkClient::look()
{
    const auto now = std::chrono::steady_clock::now();
    const LinkTiming &timing = m_options.timing;
    if (!m_held.empty() && now - m_heldSince > kHeldAtMost)
        release(true);
    m_questions.timeOut(now);
    // Who has slept itself does not know who was silent: what came meanwhile is read first.
    const bool wasAsleep = now - std::exchange(m_lastLook, now) > timing.silentFor / 2;
    if (!m_wire || wasAsleep)
        return;
    if (!m_isAdmitted) {
        if (now - m_since > timing.greetingWithin)
            m_wire->cut(tr("the host did not answer in time"));
        return;
    }
    if (now - m_wire->lastHeard() > timing.silentFor)
        return m_wire->cut(tr("nothing was heard from the host for a while"));
    if (now - m_lastAlive >= timing.aliveEvery) {
        m_lastAlive = now;
        send(Alive{});
    }
}

void LinkClient::send(const ToHost &message)
{
    if (m_wire)
        m_wire->send(framed(encode(message)));
}

void LinkClient::sendQuestion(std::uint64_t number, const ToHost &message)
{
    const std::string bytes = encode(message);
    if (bytes.size() <= kMostToServer)
        return m_wire->send(framed(bytes));
    ActAnswer refused; // of whatever kind the question is: the asker looks for the error first
    refused.number = number;
    refused.error = toWire(Error{ErrorCode::BadInput, "This is too long to be sent over the operators' link.", {}});
    m_questions.answer(number, std::move(refused));
}

void LinkClient::tell(LinkState state)
{
    if (state == m_state)
        return;
    m_state = std::move(state);
    m_changed(m_state);
}

Error LinkClient::unreachable() const
{
    const std::string why = m_state.trouble.empty() ? std::string("it has not answered yet") : m_state.trouble;
    return {ErrorCode::Unavailable, "The host cannot be reached (" + why + "). Nothing was done.", {}};
}

Questions::Time LinkClient::dueTime() const
{
    return std::chrono::steady_clock::now() + m_options.timing.answerWithin;
}

// ---- What the host says --------------------------------------------------------------------------------------------

void LinkClient::arrived(const std::string &message)
{
    try { // a thread's entry catches all
        auto read = decodeToClient(message);
        if (!read)
            return m_wire->cut(
                tr("the host sent what is not understood here: %1").arg(QString::fromStdString(read.error().message)));
        dispatch(std::move(read).value());
    } catch (const std::exception &error) {
        if (m_wire)
            m_wire->cut(tr("this end of the link met an error of its own: %1").arg(QString::fromUtf8(error.what())));
    }
}

void LinkClient::dispatch(ToClient message)
{
    const bool isForStrangers = std::holds_alternative<Greeting>(message) || std::holds_alternative<TurnedAway>(message)
        || std::holds_alternative<Admitted>(message) || std::holds_alternative<Alive>(message);
    if (isForStrangers == m_isAdmitted && !std::holds_alternative<TurnedAway>(message)
        && !std::holds_alternative<Alive>(message))
        return m_wire->cut(tr("the host spoke out of turn"));
    std::visit([this](auto &one) { take(std::move(one)); }, message);
}

void LinkClient::take(const Greeting &greeting)
{
    Hello hello;
    hello.version = kLinkVersion;
    if (greeting.version != kLinkVersion) {
        m_isRefused = true;
        return m_wire->cut(
            tr("the host speaks version %1 of the operators' link and this program version %2: bring the "
               "older one up to date")
                .arg(QString::number(greeting.version), QString::number(kLinkVersion)));
    }
    if (m_fleet && !m_mustBegin)
        hello.have = {m_fleet->storeId, m_fleet->seq, m_fleet->ruleTime, m_fleet->steady};
    if (m_wire->tls() != nullptr && m_pass) {
        const Challenge challenge{greeting.challenge, fingerprintOf(m_wire->tls()->peerCertificate())};
        hello.pass = m_pass->pass;
        hello.proof = m_pass->sign(bytesToSign(challenge, m_pass->pass));
    }
    send(std::move(hello));
}

void LinkClient::take(TurnedAway turnedAway)
{
    m_isRefused = turnedAway.why.code == static_cast<std::uint8_t>(ErrorCode::Refused);
    m_wire->cut(QString::fromStdString(fromWire(std::move(turnedAway.why)).message));
}

void LinkClient::take(const Admitted &admitted)
{
    m_isAdmitted = true;
    m_certificate
        = admitted.certificate == rules::Digest{} ? std::string() : fingerprintText(admitted.certificate).toStdString();
    m_pause = m_options.timing.retryFirst;
    if (m_fleet && m_fleet->storeId != admitted.storeId)
        m_mustBegin = true;
}

void LinkClient::take(const WholeState &whole)
{
    auto fleet = unpackFleet(whole.packed);
    if (!fleet)
        return m_wire->cut(QString::fromStdString(fleet.error().message));
    const auto shown = std::make_shared<const rules::Fleet>(std::move(fleet).value());
    m_fleet = *shown;
    m_mustBegin = false;
    m_status.change([&](engine::HostStatus &status) { status.committed = shown->seq; });
    m_followers.each([&](engine::Follower &follower) { follower.snapshot(shown); });
    fresh();
    release();
}

void LinkClient::take(Tail tail)
{
    auto commit = std::make_shared<engine::Commit>();
    commit->events = fromWire(std::move(tail.events));
    commit->at = tail.at;
    for (const rules::Event &event : commit->events) {
        const bool follows = m_fleet && !m_mustBegin && rules::apply(*m_fleet, event).ok();
        if (follows)
            continue;
        m_mustBegin = true; // part of the commit may be in the fold and with nobody else
        return m_wire->cut(tr("the host's log does not go on from what is here; all of it is fetched anew"));
    }
    if (commit->events.empty())
        return;
    m_status.change([&](engine::HostStatus &status) { status.committed = m_fleet->seq; });
    m_followers.each([&](engine::Follower &follower) { follower.committed(commit); });
    release();
}

void LinkClient::take(HostBeat beat)
{
    const engine::HostStatus said = fromWire(std::move(beat));
    m_status.change([&](engine::HostStatus &status) {
        status = said;
        if (m_fleet)
            status.committed = m_fleet->seq;
    });
    if (m_mustBegin)
        return;
    m_followers.each([&](engine::Follower &follower) { follower.beat(said); });
    m_isBeating = true;
    fresh();
}

/// Whoever is answered and looks must find what was done. The host answers before it publishes, so the answer may be
/// the first to come.
void LinkClient::take(ActAnswer answer)
{
    if (m_held.empty())
        m_heldSince = std::chrono::steady_clock::now();
    m_held.push_back(std::move(answer));
    release();
}

void LinkClient::release(bool all)
{
    std::vector<ActAnswer> ready;
    std::erase_if(m_held, [&](ActAnswer &answer) {
        const bool isReady = all || !m_fleet || m_mustBegin || m_fleet->seq >= answer.committed;
        if (isReady)
            ready.push_back(std::move(answer));
        return isReady;
    });
    for (ActAnswer &answer : ready) {
        const std::uint64_t number = answer.number;
        m_questions.answer(number, std::move(answer));
    }
}

/// The fleet is as the host has it: the link is up.
void LinkClient::fresh()
{
    tell({true, false, {}, m_certificate});
    welcome();
}

} // namespace handreset::link

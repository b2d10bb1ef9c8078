#include "model/link/guest.h"

#include "model/engine/policy_of_act.h"
#include "model/link/admission.h"
#include "model/link/packed_fleet.h"
#include "model/trust/secret_bytes.h"

#include <QPointer>

#include <exception>
#include <string>
#include <utility>
#include <variant>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::size_t kMostActs = 256;
constexpr std::size_t kReadsAtOnce = 8;
constexpr std::size_t kMostReadsWaiting = 256;
constexpr std::uint64_t kMostRows = 10'000;                        ///< of one answer
constexpr std::size_t kMostAnswer = std::size_t{16} * 1024 * 1024; ///< bytes of one answer about events

Error unavailable(std::string why)
{
    return {ErrorCode::Unavailable, std::move(why), {}};
}

rules::Command commandOf(rules::Act act)
{
    return std::visit([](auto &one) { return rules::Command(std::move(one)); }, act);
}

bool isAt(const rules::Event &event, const LogPlace &place)
{
    return event.seq == place.seq && event.ruleTime == place.ruleTime && event.steady == place.steady;
}

} // namespace

Guest::Guest(const Surroundings &surroundings, std::unique_ptr<Wire> wire, Entrance entrance, QObject *parent)
    : QObject(parent),
      m_around(surroundings),
      m_wire(std::move(wire)),
      m_entrance(std::move(entrance)),
      m_since(std::chrono::steady_clock::now()),
      m_lastAlive(m_since)
{
    connect(m_wire.get(), &Wire::ready, this, &Guest::greet);
    connect(m_wire.get(), &Wire::arrived, this, &Guest::arrived);
    connect(m_wire.get(), &Wire::ended, this, &Guest::left);
}

void Guest::greet()
{
    if (m_entrance.isNetwork)
        m_challenge = {trust::randomBytes(kChallengeSize), m_around.certificate};
    const auto *fleet = m_around.tail.fleet();
    send(Greeting{kLinkVersion, m_challenge.bytes, m_around.clock.now().wall,
                  fleet != nullptr ? fleet->storeId : std::string()});
}

void Guest::takeTail(const std::vector<QByteArray> &frames)
{
    if (m_place == Place::Live) {
        for (const QByteArray &frame : frames)
            send(frame);
        return;
    }
    if (m_place != Place::CatchingUp)
        return;
    for (const QByteArray &frame : frames) {
        m_meanwhileBytes += static_cast<std::size_t>(frame.size());
        m_meanwhile.push_back(frame);
    }
    if (m_meanwhileBytes > m_around.outgoing) // the state of this moment is shorter
        sendWholeState();
}

void Guest::takeWholeState()
{
    if (isAdmitted())
        sendWholeState();
}

void Guest::takeBeat()
{
    if (m_place == Place::Live)
        send(m_around.tail.lastBeat());
}

void Guest::look(Wire::Time now)
{
    const LinkTiming &timing = m_around.timing;
    if (!isAdmitted() && now - m_since > timing.greetingWithin)
        return m_wire->cut(tr("the greeting was not answered in time"));
    if (now - m_wire->lastHeard() > timing.silentFor)
        return m_wire->cut(tr("nothing was heard from the client"));
    if (now - m_lastAlive >= timing.aliveEvery) {
        m_lastAlive = now;
        send(Alive{});
    }
    if (!m_entrance.isNetwork || !isAdmitted() || m_around.tail.fleet() == nullptr)
        return;
    const auto still = checkStillAdmitted(*m_around.tail.fleet(), m_pass, m_operatorKey, m_around.clock.now().wall);
    if (!still)
        turnAway(still.error());
}

void Guest::refuseStranger(const Error &why)
{
    if (m_around.refused)
        m_around.refused(m_entrance.origin, why.message);
    turnAway(why);
}

void Guest::turnAway(const Error &why)
{
    send(TurnedAway{toWire(why)});
    m_wire->cutAfterSending(QString::fromStdString(why.message));
}

void Guest::arrived(const std::string &message)
{
    try { // a thread's entry catches all
        auto read = decodeToHost(message);
        if (!read)
            return turnAway({ErrorCode::BadInput, "The message was not understood: " + read.error().message, {}});
        dispatch(std::move(read).value());
    } catch (const std::exception &error) {
        turnAway(unavailable(std::string("The host's end of the link met an error of its own: ") + error.what()));
    }
}

void Guest::dispatch(ToHost message)
{
    if (const auto *greeting = std::get_if<Hello>(&message)) {
        if (isAdmitted())
            return turnAway({ErrorCode::BadInput, "The greeting was answered twice.", {}});
        return hello(*greeting);
    }
    if (!isAdmitted()) {
        if (!std::holds_alternative<Alive>(message))
            turnAway({ErrorCode::Refused, "The greeting must be answered first.", {}});
        return;
    }
    std::visit(
        [this](auto &one) {
            using Message = std::remove_cvref_t<decltype(one)>;
            if constexpr (!std::is_same_v<Message, Hello> && !std::is_same_v<Message, Alive>)
                take(std::move(one));
        },
        message);
}

// ---- Coming in -----------------------------------------------------------------------------------------------------

void Guest::hello(const Hello &hello)
{
    m_around.mailbox->run(); // what the host has said by now is known before anybody is told where the log ends
    if (hello.version != kLinkVersion) {
        return turnAway(unavailable("The host speaks version " + std::to_string(kLinkVersion)
                                    + " of the operators' link and the client version " + std::to_string(hello.version)
                                    + ": bring the older program up to date."));
    }
    if (m_around.tail.fleet() == nullptr)
        return turnAway(unavailable("The host has no state to show yet; try again."));
    if (const auto may = mayLook(hello); !may)
        return refuseStranger(may.error());
    m_wire->setMost(kMostToServer);
    send(Admitted{m_around.tail.fleet()->storeId, m_around.certificate});
    bringUp(hello.have);
}

Result<void> Guest::mayLook(const Hello &hello)
{
    if (!m_entrance.isNetwork)
        return {};
    if (!hello.pass)
        return Error{ErrorCode::Refused, "Sign in: over the network only operators of the store may look.", {}};
    const auto admitted
        = admit(*m_around.tail.fleet(), *hello.pass, hello.proof, m_challenge, m_around.clock.now().wall);
    if (!admitted)
        return admitted.error();
    m_pass = *hello.pass;
    m_operatorKey = *admitted;
    return {};
}

void Guest::bringUp(const LogPlace &have)
{
    const rules::Fleet &fleet = *m_around.tail.fleet();
    const bool isKnown = have.storeId == fleet.storeId && have.seq.isSet() && have.seq <= fleet.seq;
    if (!isKnown || fleet.seq.value - have.seq.value > m_around.catchUp)
        return sendWholeState();
    if (have.seq < fleet.seq)
        return readMissing(have, fleet.seq);
    if (have.ruleTime != fleet.ruleTime || have.steady != fleet.steady)
        return sendWholeState();
    m_place = Place::Live;
    takeBeat();
}

void Guest::readMissing(const LogPlace &have, rules::Seq upTo)
{
    m_place = Place::CatchingUp;
    engine::EventQuery query;
    query.first = have.seq; // that one too: it tells whether this log is the one that the client has
    query.last = upTo;
    query.newestFirst = false;
    query.limit = static_cast<std::size_t>(upTo.value - have.seq.value) + 1;
    m_around.host.readEvents(
        query,
        [mailbox = m_around.mailbox, self = QPointer<Guest>(this), number = ++m_catchUpNumber, have, upTo](auto read) {
            mailbox->post([self, number, have, upTo, read = std::move(read)]() mutable {
                if (self && self->m_place == Place::CatchingUp && self->m_catchUpNumber == number)
                    self->missingRead(have, upTo, std::move(read));
            });
        });
}

void Guest::missingRead(const LogPlace &have, rules::Seq upTo, Result<std::vector<rules::Event>> read)
{
    const bool isWhole = read && read->size() == upTo.value - have.seq.value + 1 && isAt(read->front(), have);
    if (!isWhole) // another log, or one that does not reach back so far any more
        return sendWholeState();
    read->erase(read->begin());
    const rules::Now at{read->back().ruleTime, read->back().steady};
    for (const QByteArray &frame : tailFrames(std::move(read).value(), at))
        send(frame);
    m_meanwhileBytes = 0;
    for (const QByteArray &frame : std::exchange(m_meanwhile, {}))
        send(frame);
    m_place = Place::Live;
    takeBeat();
}

void Guest::sendWholeState()
{
    m_meanwhile.clear();
    m_meanwhileBytes = 0;
    const auto whole = m_around.tail.wholeState();
    if (!whole)
        return turnAway(whole.error());
    send(*whole, Size::Large);
    m_place = Place::Live;
    takeBeat();
}

// ---- Acts and questions --------------------------------------------------------------------------------------------

void Guest::take(const SubmitAct &question)
{
    if (m_entrance.isNetwork && m_around.refused)
        m_around.refused(m_entrance.origin, "an act without a signature");
    if (m_entrance.isNetwork)
        return refuse(question.number,
                      {ErrorCode::Refused, "Over the network every act must be signed. Nothing was done.", {}});
    auto act = rules::decodeAct(question.act);
    if (!act) {
        return refuse(question.number,
                      {ErrorCode::BadInput,
                       "Over the operators' link only operators' acts are taken, and this is none "
                       "that the host knows. Nothing was done.",
                       act.error().message});
    }
    submit(question.number, commandOf(std::move(act).value()));
}

void Guest::take(SubmitSigned question)
{
    rules::Signed command;
    command.act = std::move(question.act);
    command.origin = m_entrance.origin; // as it is seen here, whatever the client may say
    submit(question.number, std::move(command));
}

void Guest::submit(std::uint64_t number, rules::Command command)
{
    if (m_acts >= kMostActs)
        return refuse(number, unavailable("Too many acts of this client wait for their answers. Nothing was done."));
    if (const auto read = engine::readPolicyOfAct(command); !read)
        return refuse(number, read.error());
    ++m_acts;
    m_around.host.submit(
        std::move(command),
        [mailbox = m_around.mailbox, self = QPointer<Guest>(this), number](const engine::Reply &reply) {
            mailbox->post([self, number, reply] {
                if (self)
                    self->answerAct(number, reply);
            });
        });
}

void Guest::refuse(std::uint64_t number, const Error &why)
{
    const auto *fleet = m_around.tail.fleet();
    send(toWire(number, engine::Reply{why, fleet != nullptr ? fleet->seq : rules::Seq()}));
}

void Guest::answerAct(std::uint64_t number, const engine::Reply &reply)
{
    --m_acts;
    send(toWire(number, reply));
}

void Guest::take(const AskEvents &question)
{
    const std::uint64_t number = question.number;
    if (question.limit > kMostRows) {
        return answerEvents(
            number, Error{ErrorCode::BadInput, "At most 10,000 events are read at once over the link.", "limit"});
    }
    if (question.kinds.size() > rules::kEventKinds)
        return answerEvents(number, Error{ErrorCode::BadInput, "There are not so many kinds of events.", "kinds"});
    engine::EventQuery query{question.first, question.last,        question.agent,
                             question.task,  question.subject,     question.kinds,
                             question.row,   question.newestFirst, static_cast<std::size_t>(question.limit)};
    readInTurn([this, number, query = std::move(query)] {
        m_around.host.readEvents(query, [mailbox = m_around.mailbox, self = QPointer<Guest>(this), number](auto read) {
            mailbox->post([self, number, read = std::move(read)]() mutable {
                if (!self)
                    return;
                self->answerEvents(number, std::move(read));
                self->readDone();
            });
        });
    });
}

void Guest::take(const AskState &question)
{
    readInTurn([this, question] {
        m_around.host.stateAt(
            question.seq,
            [mailbox = m_around.mailbox, self = QPointer<Guest>(this), number = question.number](auto read) {
                mailbox->post([self, number, read = std::move(read)] {
                    if (!self)
                        return;
                    self->answerState(number, read);
                    self->readDone();
                });
            });
    });
}

void Guest::take(const AskSeq &question)
{
    readInTurn([this, question] {
        m_around.host.seqAt(
            question.time,
            [mailbox = m_around.mailbox, self = QPointer<Guest>(this), number = question.number](auto read) {
                mailbox->post([self, number, read = std::move(read)] {
                    if (!self)
                        return;
                    self->answerSeq(number, read);
                    self->readDone();
                });
            });
    });
}

void Guest::readInTurn(std::function<void()> begin)
{
    if (m_readsWaiting.size() >= kMostReadsWaiting)
        return turnAway(unavailable("The client asks more than it waits for."));
    m_readsWaiting.push_back(std::move(begin));
    if (m_reads < kReadsAtOnce) {
        ++m_reads;
        const auto next = std::move(m_readsWaiting.front());
        m_readsWaiting.pop_front();
        next();
    }
}

void Guest::readDone()
{
    --m_reads;
    if (m_readsWaiting.empty() || !m_wire->isOpen())
        return;
    ++m_reads;
    const auto next = std::move(m_readsWaiting.front());
    m_readsWaiting.pop_front();
    next();
}

void Guest::answerEvents(std::uint64_t number, Result<std::vector<rules::Event>> read)
{
    EventsAnswer answer;
    answer.number = number;
    if (read)
        answer.events = toWire(std::move(read).value());
    else
        answer.error = toWire(read.error());
    std::string bytes = encode(ToClient(answer));
    while (bytes.size() > kMostAnswer && answer.events.size() > 1) {
        answer.events.resize(answer.events.size() / 2);
        answer.isCut = true;
        bytes = encode(ToClient(answer));
    }
    send(framed(bytes), Size::Large);
}

void Guest::answerState(std::uint64_t number, Result<std::shared_ptr<const rules::Fleet>> read)
{
    StateAnswer answer;
    answer.number = number;
    auto packed = read ? packFleet(**read) : Result<std::string>(read.error());
    if (packed)
        answer.packed = std::move(packed).value();
    else
        answer.error = toWire(packed.error());
    send(std::move(answer), Size::Large);
}

void Guest::answerSeq(std::uint64_t number, Result<rules::Seq> read)
{
    SeqAnswer answer;
    answer.number = number;
    if (read)
        answer.seq = *read;
    else
        answer.error = toWire(read.error());
    send(std::move(answer));
}

// ---- Sending -------------------------------------------------------------------------------------------------------

void Guest::send(const QByteArray &frame, Size size)
{
    if (frame.isEmpty() || !m_wire->isOpen())
        return;
    const auto waiting = static_cast<std::size_t>(m_wire->waiting());
    if (waiting < m_around.outgoing / 2)
        m_large = 0;
    const auto bytes = static_cast<std::size_t>(frame.size());
    if (size == Size::Large && m_large + bytes <= 2 * kMostToClient)
        m_large += bytes;
    if (waiting + bytes > m_around.outgoing + m_large)
        return m_wire->cut(tr("the client does not read what it is sent"));
    m_wire->send(frame);
}

void Guest::send(const ToClient &message, Size size)
{
    send(framed(encode(message)), size);
}

} // namespace handreset::link

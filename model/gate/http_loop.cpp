#include "model/gate/http_loop.h"

#include "model/gate/answer_box.h"
#include "model/gate/connection_table.h"
#include "model/gate/entrance.h"
#include "model/gate/http_answer.h"

#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <list>
#include <vector>

namespace handreset::gate {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::milliseconds;
using Clock = Connection::Clock;
using Phase = HttpConversation::Phase;

namespace {

/// Answers to pipelined requests are sent together, up to about this.
constexpr std::size_t kSendAtOnce = std::size_t{64} * 1024;
/// A request that has been arriving for this long may be cut for a new client when nothing idle is left.
constexpr milliseconds kArrivingLong{200};

} // namespace

class HttpLoop::Inside {
public:
    Inside(const Limits &limits, std::size_t most, Handler handler, std::function<void()> afterReady,
           Counters &counters);

    void listenOn(int descriptor, Door door);
    void run();
    void stop();

private:
    // Who comes in
    void admit(int descriptor, Door door);
    bool giveWay();

    // One connection. Each of these may end it; `isOpen` tells.
    void read(Connection &connection);
    void wasRead(Connection &connection, const error_code &error, std::size_t count);
    void pump(Connection &connection);
    bool dispatch(Connection &connection);
    void sayReadyLater();
    void deliver(AnswerBox::Late &late);
    void account(Connection &connection);
    bool send(Connection &connection);
    void waitUntilWritable(Connection &connection);
    void settle(Connection &connection);
    void linger(Connection &connection);
    void drop(Connection &connection);
    [[nodiscard]] milliseconds timeFor(const Connection &connection) const;

    // Time
    void waitForTick();
    void tick();
    void expire(Connection &connection);
    void refuse(Connection &connection, std::string_view text);

    void takeAnswers();
    void beginStop();
    void endIfDone();

    const Limits m_limits;
    const std::size_t m_most;
    Handler m_handler;
    std::function<void()> m_afterReady;
    Counters &m_counters;
    asio::io_context m_io{1};
    asio::executor_work_guard<asio::io_context::executor_type> m_work{m_io.get_executor()};
    asio::steady_timer m_timer{m_io};
    std::shared_ptr<AnswerBox> m_box;
    std::list<Entrance> m_entrances;
    ConnectionTable m_table{m_io, m_limits};
    std::vector<AnswerBox::Late> m_taken;
    std::uint64_t m_lastTicket = 0;
    std::size_t m_held = 0; ///< by all bodies that are arriving
    milliseconds m_tick;
    Clock::time_point m_stopDeadline;
    bool m_isTicking = false;
    bool m_isStopping = false;
    bool m_isSaying = false; ///< that a lot is over: posted, not done
};

HttpLoop::Inside::Inside(const Limits &limits, std::size_t most, Handler handler, std::function<void()> afterReady,
                         Counters &counters)
    : m_limits(limits),
      m_most(most),
      m_handler(std::move(handler)),
      m_afterReady(std::move(afterReady)),
      m_counters(counters)
{
    m_box = std::make_shared<AnswerBox>([this] { asio::post(m_io, [this] { takeAnswers(); }); });
    const milliseconds shortest = std::min({limits.idle, limits.wholeHead, limits.wholeBody, limits.answering,
                                            limits.writing, limits.lingering, limits.closing});
    m_tick = std::clamp(shortest / 8, milliseconds(2), milliseconds(250));
}

void HttpLoop::Inside::listenOn(int descriptor, Door door)
{
    m_entrances.emplace_back(
        m_io, descriptor, door, [this](int connected, Door by) { admit(connected, by); },
        [this] {
            Counters::add(m_counters.acceptFailures);
            giveWay(); // a descriptor for the next try
        });
}

void HttpLoop::Inside::run()
{
    while (!m_io.stopped()) {
        try {
            m_io.run();
        } catch (...) { // memory ran out, say: whom it befell is dropped in time, the others are served
            Counters::add(m_counters.faults);
        }
    }
    m_box->close();
    for (Connection *const connection : m_table.select([](const Connection &) { return true; }))
        drop(*connection);
}

void HttpLoop::Inside::stop()
{
    asio::post(m_io, [this] { beginStop(); });
}

// ---- Who comes in

void HttpLoop::Inside::admit(int descriptor, Door door)
{
    Counters::add(m_counters.accepted);
    if (m_table.open() >= m_most && !giveWay()) {
        Counters::add(m_counters.refused);
        ::close(descriptor);
        return;
    }
    ucred peer{};
    if (door == Door::Tcp) {
        const int on = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    } else if (socklen_t size = sizeof(peer); getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        ::close(descriptor);
        return;
    }
    Connection *added = nullptr;
    try {
        added = &m_table.add();
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    Connection &connection = *added;
    Counters::add(m_counters.open);
    connection.talk.begin(door, peer.uid);
    error_code error;
    // The family matters to nobody here: the descriptor is connected, and its address is never asked for.
    connection.socket.assign(asio::generic::stream_protocol(door == Door::Unix ? AF_UNIX : AF_INET, 0), descriptor,
                             error);
    if (error) {
        ::close(descriptor);
        drop(connection);
        return;
    }
    settle(connection);
    waitForTick();
}

/// Ends the connection that is needed least: the request that has been arriving for longer than any agent's takes, so
/// that who opens half requests by the thousand pushes out their own; else the oldest idle one.
bool HttpLoop::Inside::giveWay()
{
    Connection *oldest = m_table.oldest(Kind::Arriving);
    if (oldest == nullptr || Clock::now() - oldest->since < std::min(kArrivingLong, m_limits.wholeHead / 2))
        oldest = m_table.oldest(Kind::Spare);
    if (oldest == nullptr)
        return false;
    Counters::add(m_counters.gaveWay);
    drop(*oldest);
    return true;
}

// ---- One connection

void HttpLoop::Inside::read(Connection &connection)
{
    if (connection.isReading)
        return;
    connection.isReading = true;
    const std::span<char> space = connection.talk.space();
    connection.socket.async_receive(
        asio::buffer(space.data(), space.size()),
        [this, slot = connection.slot, generation = connection.generation](const error_code &error, std::size_t count) {
            if (Connection *const reader = m_table.find(slot, generation))
                wasRead(*reader, error, count);
        });
}

void HttpLoop::Inside::wasRead(Connection &connection, const error_code &error, std::size_t count)
{
    connection.isReading = false;
    if (!error) {
        connection.talk.received(count);
        connection.thrownAway += connection.isLingering ? count : 0;
        if (!connection.isLingering)
            pump(connection);
        else if (connection.thrownAway > m_limits.lingerBytes)
            drop(connection);
        else
            read(connection);
        return;
    }
    connection.hasFinished = true;
    // Who has finished sending may still read: what waits to be sent goes on.
    if (connection.isBlocked && error == asio::error::eof)
        return;
    if (connection.phase == Phase::Head || connection.phase == Phase::Body)
        Counters::add(m_counters.brokenOff);
    drop(connection);
}

/// Works on what was received, and asks the handler, until something is missing; then sends all that this gave.
void HttpLoop::Inside::pump(Connection &connection)
{
    const std::uint64_t refused = connection.talk.refused();
    while (connection.talk.work() == Phase::Answer && connection.ticket == 0) {
        if (connection.isBlocked || (connection.talk.output().size() > kSendAtOnce && !send(connection)))
            break;
        if (!dispatch(connection))
            break;
    }
    account(connection);
    if (connection.talk.phase() == Phase::Body && m_held > m_limits.bodiesTogether) {
        connection.talk.refuse({503, "busy", "Too many bodies are arriving at once."});
        account(connection);
    }
    if (connection.talk.refused() != refused)
        Counters::add(m_counters.badRequests);
    settle(connection);
}

void HttpLoop::Inside::account(Connection &connection)
{
    const std::size_t held = connection.isOpen ? connection.talk.held() : 0;
    m_held += held - connection.held; // wraps, and wraps back
    connection.held = held;
}

/// Asks the handler. True when the answer was there at once.
bool HttpLoop::Inside::dispatch(Connection &connection)
{
    Counters::add(m_counters.requests);
    connection.ticket = ++m_lastTicket;
    connection.phase = Phase::Ended; // so that settle sees a change, also when it is idle again by then
    m_box->beginCall({connection.ticket, connection.slot});
    std::optional<Answer> answer;
    try {
        m_handler(connection.talk.takeRequest(), Responder(m_box, connection.ticket, connection.slot));
        answer = m_box->endCall();
    } catch (...) {
        Counters::add(m_counters.faults);
        answer = m_box->endCall();
        answer = errorAnswer(500, "internal", "The request could not be worked on.");
        answer->close = true;
    }
    if (!answer) {
        sayReadyLater();
        return false;
    }
    connection.ticket = 0;
    answer->close |= m_isStopping;
    connection.talk.answer(*answer);
    return true;
}

/// What is posted now comes after everything that is ready by now.
void HttpLoop::Inside::sayReadyLater()
{
    if (!m_afterReady || m_isSaying)
        return;
    m_isSaying = true;
    asio::post(m_io, [this] {
        m_isSaying = false;
        m_afterReady();
    });
}

void HttpLoop::Inside::takeAnswers()
{
    m_box->takeAll(m_taken);
    for (AnswerBox::Late &late : m_taken)
        deliver(late);
    m_taken.clear();
}

void HttpLoop::Inside::deliver(AnswerBox::Late &late)
{
    Connection *const waiting = m_table.waitingFor(late.ticket.number, late.ticket.slot);
    if (waiting == nullptr)
        return;
    waiting->ticket = 0;
    waiting->phase = Phase::Ended;
    late.answer.close |= m_isStopping;
    waiting->talk.answer(late.answer);
    pump(*waiting);
}

/// Sends what waits. True when all of it has left and the connection is still there.
bool HttpLoop::Inside::send(Connection &connection)
{
    std::string &output = connection.talk.output();
    std::size_t sent = 0;
    while (sent < output.size()) {
        const ssize_t count = ::send(connection.socket.native_handle(), output.data() + sent, output.size() - sent,
                                     MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0) {
            sent += static_cast<std::size_t>(count);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            output.erase(0, sent);
            waitUntilWritable(connection);
            return false;
        } else if (errno != EINTR) {
            Counters::add(m_counters.brokenOff);
            drop(connection);
            return false;
        }
    }
    output.clear();
    if (output.capacity() > 2 * kSendAtOnce) // the memory of a rare long answer is given back
        output = std::string();
    connection.isStuck = false;
    return true;
}

void HttpLoop::Inside::waitUntilWritable(Connection &connection)
{
    connection.isBlocked = true;
    connection.socket.async_wait(
        asio::socket_base::wait_write,
        [this, slot = connection.slot, generation = connection.generation](const error_code &error) {
            Connection *const writer = m_table.find(slot, generation);
            if (writer == nullptr)
                return;
            if (error) {
                drop(*writer);
                return;
            }
            writer->isBlocked = false;
            pump(*writer);
        });
}

/// Sends what waits, then does what the conversation's phase asks for, and notes since when.
void HttpLoop::Inside::settle(Connection &connection)
{
    if (!connection.isOpen)
        return;
    if (!connection.isBlocked && !send(connection) && !connection.isOpen)
        return;
    if (connection.isBlocked) {
        // The time to write runs from the first stop, however little the client takes each time.
        if (!connection.isStuck) {
            connection.isStuck = true;
            connection.phase = Phase::Ended;
            m_table.note(connection, Kind::Busy);
            connection.deadline = connection.since + m_limits.writing;
        }
        return;
    }
    const Phase phase = connection.talk.phase();
    if (phase == Phase::Ended) {
        linger(connection);
        return;
    }
    if (phase != Phase::Answer)
        read(connection);
    if (connection.phase == phase)
        return;
    connection.phase = phase;
    m_table.note(connection, phase == Phase::Answer ? Kind::Busy : phase == Phase::Idle ? Kind::Spare : Kind::Arriving);
    connection.deadline = connection.since + timeFor(connection);
}

milliseconds HttpLoop::Inside::timeFor(const Connection &connection) const
{
    switch (connection.phase) {
    case Phase::Idle:
        return m_limits.idle;
    case Phase::Head:
        return m_limits.wholeHead;
    case Phase::Body:
        return m_limits.wholeBody;
    case Phase::Answer:
        return m_limits.answering;
    case Phase::Ended:
        return m_limits.lingering;
    }
    return m_limits.idle;
}

/// Half-closes and reads on: closing on bytes that nobody has read would reset the connection, and the client would
/// lose the answer that tells it why (RFC 9112, 9.6).
void HttpLoop::Inside::linger(Connection &connection)
{
    if (connection.isLingering)
        return;
    if (connection.hasFinished) {
        drop(connection);
        return;
    }
    ::shutdown(connection.socket.native_handle(), SHUT_WR);
    connection.isLingering = true;
    connection.phase = Phase::Ended;
    m_table.note(connection, Kind::Spare);
    connection.deadline = connection.since + timeFor(connection);
    read(connection);
}

void HttpLoop::Inside::drop(Connection &connection)
{
    if (!connection.isOpen)
        return;
    error_code ignored;
    connection.socket.close(ignored);
    m_table.remove(connection);
    account(connection);
    m_counters.open.fetch_sub(1, std::memory_order_relaxed);
    endIfDone();
}

// ---- Time

/// One timer for all: a deadline is noticed up to a tick late, and costs nothing when it is met.
void HttpLoop::Inside::waitForTick()
{
    if (m_isTicking)
        return;
    m_isTicking = true;
    m_timer.expires_after(m_tick);
    m_timer.async_wait([this](const error_code &error) {
        m_isTicking = false;
        if (!error)
            tick();
    });
}

void HttpLoop::Inside::tick()
{
    if (m_isStopping || m_table.open() > 0)
        waitForTick(); // first, so that there is a next one whatever happens in this one
    const Clock::time_point now = Clock::now();
    for (Connection *const connection : m_table.select([now](const Connection &each) { return each.deadline <= now; }))
        expire(*connection);
    if (m_isStopping && now >= m_stopDeadline)
        m_io.stop();
}

void HttpLoop::Inside::refuse(Connection &connection, std::string_view text)
{
    Counters::add(m_counters.badRequests);
    connection.talk.refuse({408, "timeout", text});
    account(connection);
    settle(connection);
}

void HttpLoop::Inside::expire(Connection &connection)
{
    if (connection.isBlocked) {
        Counters::add(m_counters.writeTimeouts);
        drop(connection);
        return;
    }
    switch (connection.phase) {
    case Phase::Idle:
        Counters::add(m_counters.idleTimeouts);
        drop(connection);
        break;
    case Phase::Head:
        Counters::add(m_counters.headTimeouts);
        refuse(connection, "The head took too long.");
        break;
    case Phase::Body:
        Counters::add(m_counters.bodyTimeouts);
        refuse(connection, "The body took too long.");
        break;
    case Phase::Answer: {
        Counters::add(m_counters.answerTimeouts);
        connection.ticket = 0;
        Answer late = errorAnswer(503, "no_answer", "The answer took too long.");
        late.close = true;
        connection.talk.answer(late);
        settle(connection);
        break;
    }
    case Phase::Ended:
        drop(connection);
        break;
    }
}

// ---- The end

void HttpLoop::Inside::beginStop()
{
    if (m_isStopping)
        return;
    m_isStopping = true;
    m_stopDeadline = Clock::now() + m_limits.closing;
    for (Entrance &entrance : m_entrances)
        entrance.close();
    for (Connection *const connection :
         m_table.select([](const Connection &each) { return each.kind != Kind::Busy && !each.isLingering; }))
        drop(*connection);
    waitForTick();
    endIfDone();
}

void HttpLoop::Inside::endIfDone()
{
    if (m_isStopping && m_table.open() == 0)
        m_io.stop();
}

// ---- The door

HttpLoop::HttpLoop(const Limits &limits, std::size_t mostConnections, Handler handler, std::function<void()> afterReady,
                   Counters &counters)
    : m_inside(std::make_unique<Inside>(limits, mostConnections, std::move(handler), std::move(afterReady), counters))
{}

HttpLoop::~HttpLoop() = default;

void HttpLoop::listenOn(int descriptor, Door door)
{
    m_inside->listenOn(descriptor, door);
}

void HttpLoop::run()
{
    m_inside->run();
}

void HttpLoop::stop()
{
    m_inside->stop();
}

} // namespace handreset::gate

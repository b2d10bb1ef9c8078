#include "model/gate/http_server.h"

#include "model/gate/answer_box.h"
#include "model/gate/http_answer.h"
#include "model/gate/http_counters.h"
#include "model/gate/http_loop.h"
#include "model/gate/listening_socket.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace handreset::gate {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

/// No more connections than descriptors, less some for the rest of the process: a server that runs out of them can
/// neither accept nor open a file.
std::size_t mostConnectionsUnder(const Limits &limits)
{
    rlimit allowed{};
    std::size_t most = std::max<std::size_t>(limits.connections, 1);
    if (getrlimit(RLIMIT_NOFILE, &allowed) == 0 && allowed.rlim_cur != RLIM_INFINITY) {
        const auto descriptors = static_cast<std::size_t>(allowed.rlim_cur);
        most = std::min(most, descriptors > limits.spareDescriptors ? descriptors - limits.spareDescriptors : 1);
    }
    return most;
}

} // namespace

Responder::Responder(std::shared_ptr<AnswerBox> box, std::uint64_t ticket, std::uint32_t slot) noexcept
    : m_box(std::move(box)), m_ticket(ticket), m_slot(slot)
{}

Responder &Responder::operator=(Responder &&other) noexcept
{
    if (this != &other) {
        giveUp();
        m_box = std::move(other.m_box);
        m_ticket = other.m_ticket;
        m_slot = other.m_slot;
    }
    return *this;
}

Responder::~Responder()
{
    giveUp();
}

void Responder::operator()(Answer answer)
{
    if (const auto box = std::exchange(m_box, nullptr))
        box->put({m_ticket, m_slot}, std::move(answer));
}

void Responder::giveUp() noexcept
{
    if (m_box)
        (*this)(errorAnswer(500, "internal", "The request was not answered."));
}

struct HttpServer::Inside {
    ~Inside() { shut(); }
    Result<void> open();
    void shut();

    ServerOptions options;
    std::size_t most = 0;
    Counters counters;
    std::uint16_t port = 0;
    ListeningSocket file;
    std::unique_ptr<HttpLoop> loop;
    std::thread thread;
};

Result<void> HttpServer::Inside::open()
{
    if (options.listen) {
        const auto socket = listenAtLoopback(options.listen->address, options.listen->port);
        if (!socket)
            return socket.error();
        port = socket->port;
        loop->listenOn(socket->descriptor, Door::Tcp);
    }
    if (!options.socketPath.empty()) {
        const auto socket = listenAtPath(options.socketPath, options.socketMode);
        if (!socket)
            return socket.error();
        file = *socket;
        loop->listenOn(socket->descriptor, Door::Unix);
    }
    thread = std::thread([this] {
        pthread_setname_np(pthread_self(), "agents-door");
        loop->run();
    });
    return {};
}

void HttpServer::Inside::shut()
{
    // The file goes first, so that nobody finds a door that is about to shut.
    if (file.descriptor >= 0)
        removeSocketFile(options.socketPath, std::exchange(file, {}));
    if (!thread.joinable())
        return;
    loop->stop();
    thread.join();
}

HttpServer::HttpServer(std::unique_ptr<Inside> inside) : m_inside(std::move(inside)) {}

HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::start(ServerOptions options, Handler handler,
                                                      std::function<void()> afterReady)
{
    if (options.socketPath.empty() && !options.listen)
        return Error{ErrorCode::BadInput, "the agents' door has neither a socket nor an address to listen at", {}};
    try {
        auto made = std::make_unique<Inside>();
        made->options = std::move(options);
        made->most = mostConnectionsUnder(made->options.limits);
        made->loop = std::make_unique<HttpLoop>(made->options.limits, made->most, std::move(handler),
                                                std::move(afterReady), made->counters);
        if (const auto open = made->open(); !open)
            return open.error();
        return std::unique_ptr<HttpServer>(new HttpServer(std::move(made)));
    } catch (const std::exception &failure) { // no descriptor for the loop, or no thread
        return Error{ErrorCode::Unavailable, std::string("the agents' door cannot be opened: ") + failure.what(), {}};
    }
}

std::uint16_t HttpServer::port() const noexcept
{
    return m_inside->port;
}

std::size_t HttpServer::mostConnections() const noexcept
{
    return m_inside->most;
}

Stats HttpServer::stats() const noexcept
{
    const Counters &counters = m_inside->counters;
    const auto value
        = [](const std::atomic<std::uint64_t> &counter) { return counter.load(std::memory_order_relaxed); };
    return {.open = value(counters.open),
            .accepted = value(counters.accepted),
            .requests = value(counters.requests),
            .badRequests = value(counters.badRequests),
            .refused = value(counters.refused),
            .gaveWay = value(counters.gaveWay),
            .idleTimeouts = value(counters.idleTimeouts),
            .headTimeouts = value(counters.headTimeouts),
            .bodyTimeouts = value(counters.bodyTimeouts),
            .answerTimeouts = value(counters.answerTimeouts),
            .writeTimeouts = value(counters.writeTimeouts),
            .brokenOff = value(counters.brokenOff),
            .acceptFailures = value(counters.acceptFailures),
            .faults = value(counters.faults)};
}

void HttpServer::close()
{
    m_inside->shut();
}

} // namespace handreset::gate

// Requests a second through the bare HTTP server of the agents' door: bench_http [--smoke] [--sync MICROSECONDS]
//
// The handler hands each request to another thread, which answers all that wait at once, as a host answers a group
// commit; with --sync it sleeps for as long before each group, as a sync of the disk would take. The clients are one
// more thread of this process, on the same processors; each sends its next request when its answer is there.
#include "model/gate/http_server.h"
#include "tests/bench/measure.h"
#include "tests/gate/raw_client.h"

#include <sys/epoll.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

using namespace handreset;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::RawClient;

namespace {

/// Answers in groups, from a thread of its own.
class Groups {
public:
    explicit Groups(std::chrono::microseconds sync) : m_sync(sync), m_thread([this] { run(); }) {}
    ~Groups()
    {
        {
            const std::scoped_lock lock(m_mutex);
            m_ends = true;
        }
        m_change.notify_one();
        m_thread.join();
    }
    void add(gate::Responder &&respond)
    {
        const std::scoped_lock lock(m_mutex);
        m_waiting.push_back(std::move(respond));
        if (m_waiting.size() == 1)
            m_change.notify_one();
    }

private:
    void run()
    {
        std::vector<gate::Responder> taken;
        std::unique_lock lock(m_mutex);
        while (true) {
            m_change.wait(lock, [this] { return m_ends || !m_waiting.empty(); });
            if (m_ends)
                return;
            taken.swap(m_waiting);
            lock.unlock();
            if (m_sync.count() > 0)
                std::this_thread::sleep_for(m_sync);
            for (gate::Responder &respond : taken)
                respond({.body = R"({"id":"0123456789abcdef","decision":"allow","rung":"autonomous","writes":true})"});
            taken.clear();
            lock.lock();
        }
    }

    const std::chrono::microseconds m_sync;
    std::mutex m_mutex;
    std::condition_variable m_change;
    std::vector<gate::Responder> m_waiting;
    bool m_ends = false;
    std::thread m_thread;
};

struct Figures {
    double perSecond = 0;
    double perCoreSecond = 0; ///< of the server's and the clients' work: what a busy machine does not blur
    double p50 = 0;           ///< microseconds
    double p99 = 0;
};

Figures measure(std::vector<RawClient> &clients, std::chrono::milliseconds time)
{
    const std::string body
        = R"({"agent":"a1","task":"t1","tool":"search","arguments":{"q":"circuit breakers","n":10}})";
    const std::string request
        = "POST /v1/calls HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer 0123456789abcdef0123\r\n"
          "Content-Type: application/json\r\nContent-Length: "
        + std::to_string(body.size()) + "\r\n\r\n" + body;
    const int poll = epoll_create1(EPOLL_CLOEXEC);
    std::vector<Clock::time_point> asked(clients.size());
    std::vector<double> took;
    took.reserve(2'000'000);
    for (std::size_t i = 0; i < clients.size(); ++i) {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u64 = i;
        epoll_ctl(poll, EPOLL_CTL_ADD, clients[i].descriptor(), &event);
        asked[i] = Clock::now();
        clients[i].send(request);
    }
    const auto start = Clock::now();
    const double spent = bench::coreSeconds();
    std::vector<epoll_event> events(clients.size());
    char buffer[4096];
    for (auto now = start; now - start < time;) {
        const int count = epoll_wait(poll, events.data(), static_cast<int>(events.size()), 1000);
        now = Clock::now();
        for (int i = 0; i < count; ++i) {
            const std::size_t client = events[static_cast<std::size_t>(i)].data.u64;
            if (::recv(clients[client].descriptor(), buffer, sizeof(buffer), 0)
                <= 0) { // answers are short: one piece each
                std::fprintf(stderr, "bench_http: a connection was lost\n");
                std::exit(1);
            }
            took.push_back(std::chrono::duration<double, std::micro>(now - asked[client]).count());
            asked[client] = now;
            clients[client].send(request);
        }
    }
    const double worked = bench::coreSeconds() - spent;
    ::close(poll);
    std::sort(took.begin(), took.end());
    if (took.empty())
        return {};
    const auto requests = static_cast<double>(took.size());
    return {requests / std::chrono::duration<double>(time).count(), requests / worked, took[took.size() / 2],
            took[took.size() * 99 / 100]};
}

} // namespace

int main(int argc, char **argv)
{
    std::chrono::milliseconds time = 2s;
    std::chrono::microseconds sync{0};
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--smoke")
            time = 50ms;
        else if (std::string_view(argv[i]) == "--sync" && i + 1 < argc)
            sync = std::chrono::microseconds(std::atoi(argv[++i]));
    }
    Groups groups(sync);
    gate::ServerOptions options;
    options.socketPath = "/tmp/bench_http." + std::to_string(::getpid()) + ".sock";
    options.listen.emplace();
    const auto server = gate::HttpServer::start(
        options, [&groups](const gate::Request &, gate::Responder respond) { groups.add(std::move(respond)); });
    if (!server) {
        std::fprintf(stderr, "bench_http: %s\n", server.error().message.c_str());
        return 1;
    }
    std::printf("clients  door  requests/s  /core s  p50 us  p99 us\n");
    for (const std::size_t count : {1U, 16U, 64U, 256U}) {
        for (const bool overTcp : {true, false}) {
            std::vector<RawClient> clients;
            for (std::size_t i = 0; i < count; ++i)
                clients.push_back(overTcp ? RawClient::toPort(server.value()->port())
                                          : RawClient::toPath(options.socketPath));
            const Figures figures = measure(clients, time);
            std::printf("%7zu  %4s  %10.0f  %7.0f  %6.0f  %6.0f\n", count, overTcp ? "tcp" : "unix", figures.perSecond,
                        figures.perCoreSecond, figures.p50, figures.p99);
        }
    }
    return 0;
}

#include "gate_stand_in.h"

#include "handreset_json.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace handreset::test {

using namespace std::chrono_literals;

std::string Request::field(std::string_view name) const
{
    const auto object = client::readJson(body);
    const auto *value = object ? object->field(name) : nullptr;
    return value != nullptr ? value->text : std::string();
}

std::string answerText(int status, const std::string &body, const std::string &head)
{
    const auto length = status == 204 ? std::string() : "Content-Length: " + std::to_string(body.size()) + "\r\n";
    return "HTTP/1.1 " + std::to_string(status) + " Told\r\n" + head + length + "\r\n" + body;
}

Behaviour allow(std::string_view rung, std::string_view more)
{
    return [rung = std::string(rung), more = std::string(more)](const Request &request) {
        return Move{answerText(200,
                               R"({"id":")" + request.field("id") + R"(","decision":"allow","rung":")" + rung
                                   + R"(","writes":true)" + more + '}')};
    };
}

Behaviour deny(std::string_view rung, std::string_view source, std::string_view retry)
{
    return raw(answerText(200,
                          R"({"id":null,"decision":"deny","rung":")" + std::string(rung)
                              + R"(","writes":false,"model":"small","reason":{"source":")" + std::string(source)
                              + R"(","trip":7,"breaker":"send","text":"for the test","retry":)" + std::string(retry)
                              + "}}"));
}

Behaviour status(int code, const std::string &head)
{
    return raw(
        answerText(code, R"({"error":{"code":"told","message":"as told","field":"arguments","offset":17}})", head));
}

Behaviour raw(std::string data)
{
    return [data = std::move(data)](const Request &) { return Move{data}; };
}

Behaviour drop()
{
    return [](const Request &) { return Move{{}, true}; };
}

Behaviour cut()
{
    return [](const Request &request) {
        auto data = allow()(request).data;
        return Move{data.substr(0, data.size() - 10), true};
    };
}

Behaviour trickle()
{
    return [](const Request &request) { return Move{allow()(request).data, false, 0ms, true}; };
}

Behaviour slow(std::chrono::milliseconds length)
{
    return [length](const Request &request) { return Move{allow()(request).data, false, length}; };
}

GateStandIn::GateStandIn(bool overTcp) : m_overTcp(overTcp)
{
    std::array<char, 32> folder{"/tmp/handreset-XXXXXX"};
    if (!overTcp && mkdtemp(folder.data()) == nullptr)
        throw std::runtime_error("no folder for a socket");
    m_path = std::string(folder.data()) + "/agents.sock";
    start();
}

GateStandIn::~GateStandIn()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_stopping.notify_all();
    stop();
    for (auto &thread : m_threads)
        thread.join();
    if (!m_overTcp)
        ::rmdir(m_path.substr(0, m_path.rfind('/')).c_str());
}

std::string GateStandIn::address() const
{
    return m_overTcp ? "http://127.0.0.1:" + std::to_string(m_port) : "unix:" + m_path;
}

void GateStandIn::start()
{
    sockaddr_storage storage{};
    socklen_t size = 0;
    if (m_overTcp) {
        auto *place = reinterpret_cast<sockaddr_in *>(&storage);
        place->sin_family = AF_INET;
        place->sin_port = htons(static_cast<std::uint16_t>(m_port));
        place->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        size = sizeof(sockaddr_in);
    } else {
        auto *place = reinterpret_cast<sockaddr_un *>(&storage);
        place->sun_family = AF_UNIX;
        m_path.copy(place->sun_path, sizeof place->sun_path - 1);
        size = sizeof(sockaddr_un);
    }
    m_listener = ::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(m_listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(m_listener, reinterpret_cast<sockaddr *>(&storage), size) != 0 || ::listen(m_listener, 64) != 0)
        throw std::runtime_error("the stand-in cannot listen");
    if (m_overTcp) {
        ::getsockname(m_listener, reinterpret_cast<sockaddr *>(&storage), &size);
        m_port = ntohs(reinterpret_cast<sockaddr_in *>(&storage)->sin_port);
    }
    const std::lock_guard lock(m_mutex);
    m_threads.emplace_back([this, listener = m_listener] { accept(listener); });
}

void GateStandIn::stop()
{
    // Its thread sits in accept(); this wakes it, and it closes the descriptor.
    ::shutdown(std::exchange(m_listener, -1), SHUT_RDWR);
    if (!m_overTcp)
        ::unlink(m_path.c_str());
    hangUp();
}

void GateStandIn::hangUp()
{
    const std::lock_guard lock(m_mutex);
    for (const int connection : m_open)
        ::shutdown(connection, SHUT_RDWR);
}

void GateStandIn::script(std::vector<Behaviour> behaviours)
{
    const std::lock_guard lock(m_mutex);
    m_script.assign(behaviours.begin(), behaviours.end());
}

void GateStandIn::otherwise(Behaviour behaviour)
{
    const std::lock_guard lock(m_mutex);
    m_otherwise = std::move(behaviour);
}

void GateStandIn::results(Behaviour behaviour)
{
    const std::lock_guard lock(m_mutex);
    m_results = std::move(behaviour);
}

std::vector<Request> GateStandIn::requests() const
{
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

std::vector<Request> GateStandIn::asks() const
{
    auto found = requests();
    found.erase(std::remove_if(found.begin(), found.end(),
                               [](const Request &r) { return r.path != "/v1/steps" && r.path != "/v1/calls"; }),
                found.end());
    return found;
}

std::vector<Request> GateStandIn::posts(std::string_view ending) const
{
    auto found = requests();
    found.erase(std::remove_if(found.begin(), found.end(),
                               [&](const Request &r) {
                                   return r.path.size() < ending.size()
                                       || r.path.compare(r.path.size() - ending.size(), ending.size(), ending) != 0;
                               }),
                found.end());
    return found;
}

int GateStandIn::connections() const
{
    const std::lock_guard lock(m_mutex);
    return m_connections;
}

void GateStandIn::accept(int listener)
{
    for (;;) {
        const int connection = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0)
            break;
        const std::lock_guard lock(m_mutex);
        ++m_connections;
        m_open.push_back(connection);
        m_threads.emplace_back([this, connection] { serve(connection); });
    }
    ::close(listener);
}

void GateStandIn::serve(int connection)
{
    std::string data;
    while (answerOne(connection, data)) {}
    const std::lock_guard lock(m_mutex);
    m_open.erase(std::find(m_open.begin(), m_open.end(), connection));
    ::close(connection);
}

bool GateStandIn::answerOne(int connection, std::string &data)
{
    const auto readMore = [&] {
        std::array<char, 65536> buffer;
        const auto got = ::recv(connection, buffer.data(), buffer.size(), 0);
        data.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        return got > 0;
    };
    auto end = data.find("\r\n\r\n");
    for (; end == std::string::npos; end = data.find("\r\n\r\n"))
        if (!readMore())
            return false;
    Request request;
    request.head = data.substr(0, end);
    const auto first = request.head.substr(0, request.head.find("\r\n"));
    request.method = first.substr(0, first.find(' '));
    request.path = first.substr(request.method.size() + 1, first.rfind(' ') - request.method.size() - 1);
    const auto at = request.head.find("Content-Length: ");
    const auto length = at == std::string::npos ? 0U : std::stoul(request.head.substr(at + 16));
    while (data.size() < end + 4 + length)
        if (!readMore())
            return false;
    request.body = data.substr(end + 4, length);
    data.erase(0, end + 4 + length);

    const auto move = behaviourFor(request)(request);
    if (move.before > 0ms) {
        std::unique_lock lock(m_mutex);
        m_stopping.wait_for(lock, move.before, [this] { return m_ends; });
    }
    const std::size_t step = move.trickles ? 1 : move.data.size();
    for (std::size_t sent = 0; sent < move.data.size(); sent += step) {
        if (::send(connection, move.data.data() + sent, step, MSG_NOSIGNAL) < 0)
            return false;
        if (move.trickles)
            std::this_thread::sleep_for(50ms);
    }
    return !move.closes;
}

Behaviour GateStandIn::behaviourFor(const Request &request)
{
    const std::lock_guard lock(m_mutex);
    m_requests.push_back(request);
    if (request.path != "/v1/steps" && request.path != "/v1/calls")
        return m_results ? m_results : request.method == "POST" ? raw(answerText(204)) : status(404);
    if (m_script.empty())
        return m_otherwise;
    auto behaviour = std::move(m_script.front());
    m_script.pop_front();
    return behaviour;
}

} // namespace handreset::test

// A gate for the C++ client's tests: it says what the test tells it to say, and misbehaves where it is told to.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace handreset::test {

struct Request {
    std::string method;
    std::string path;
    std::string head;
    std::string body;

    /// The text or number in this field of the body; empty: none.
    [[nodiscard]] std::string field(std::string_view name) const;
};

/// What goes out for a request.
struct Move {
    std::string data;
    bool closes = false;
    std::chrono::milliseconds before{0};
    bool trickles = false; ///< a byte at a time, 50 ms apart
};

using Behaviour = std::function<Move(const Request &)>;

[[nodiscard]] std::string answerText(int status, const std::string &body = {}, const std::string &head = {});
[[nodiscard]] Behaviour allow(std::string_view rung = "closed", std::string_view more = {});
[[nodiscard]] Behaviour deny(std::string_view rung = "closed", std::string_view source = "breaker",
                             std::string_view retry = "\"never\"");
[[nodiscard]] Behaviour status(int code, const std::string &head = {});
[[nodiscard]] Behaviour raw(std::string data);
[[nodiscard]] Behaviour drop();
[[nodiscard]] Behaviour cut();
[[nodiscard]] Behaviour trickle();
[[nodiscard]] Behaviour slow(std::chrono::milliseconds length);

/// Serves on a Unix socket or on loopback TCP, a thread for each connection.
class GateStandIn {
public:
    explicit GateStandIn(bool overTcp = false);
    ~GateStandIn();
    GateStandIn(const GateStandIn &) = delete;
    GateStandIn &operator=(const GateStandIn &) = delete;

    [[nodiscard]] std::string address() const;
    void start();
    /// Dies: the listener and every connection are gone.
    void stop();
    /// Closes the connections, as a gate does with idle ones.
    void hangUp();
    /// What to do with the next asks; then `otherwise`.
    void script(std::vector<Behaviour> behaviours);
    void otherwise(Behaviour behaviour);
    /// What to do with everything but asks; nothing: 204.
    void results(Behaviour behaviour);

    [[nodiscard]] std::vector<Request> requests() const;
    [[nodiscard]] std::vector<Request> asks() const;
    [[nodiscard]] std::vector<Request> posts(std::string_view ending = "/result") const;
    [[nodiscard]] int connections() const;

private:
    void accept(int listener);
    void serve(int connection);
    bool answerOne(int connection, std::string &data);
    Behaviour behaviourFor(const Request &request);

    const bool m_overTcp;
    std::string m_path;
    int m_port = 0;
    int m_listener = -1;
    mutable std::mutex m_mutex;
    std::deque<Behaviour> m_script;
    Behaviour m_otherwise = allow();
    Behaviour m_results;
    std::vector<Request> m_requests;
    std::vector<int> m_open;
    std::list<std::thread> m_threads;
    int m_connections = 0;
    std::condition_variable m_stopping;
    bool m_ends = false;
};

} // namespace handreset::test

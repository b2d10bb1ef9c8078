// The I/O thread's half of the server: accepts, reads, sends and keeps time for all connections; what the bytes mean is
// each connection's conversation. Boost.Asio is behind this header, in http_loop.cpp alone.
// Thread: `run` is the I/O thread; `stop` any; the rest before `run`. Ownership: `counters` must outlive it.
#pragma once

#include "model/gate/http_counters.h"
#include "model/gate/http_limits.h"
#include "model/gate/http_server.h"

#include <cstddef>
#include <functional>
#include <memory>

namespace handreset::gate {

class HttpLoop {
public:
    /// `afterReady` as HttpServer::start has it.
    HttpLoop(const Limits &limits, std::size_t mostConnections, Handler handler, std::function<void()> afterReady,
             Counters &counters);
    ~HttpLoop();
    HttpLoop(const HttpLoop &) = delete;
    HttpLoop &operator=(const HttpLoop &) = delete;

    /// Takes over the descriptor.
    void listenOn(int descriptor, Door door);
    /// Until it was stopped and the last answer has left, or the time for that is over.
    void run();
    void stop();

private:
    class Inside;
    std::unique_ptr<Inside> m_inside;
};

} // namespace handreset::gate

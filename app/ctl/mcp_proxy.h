// The MCP proxy at work (spec 6): one loop over the client's two streams, the server's two, signals, and the gate's
// thread. What goes where is feeds::McpRelay's to say; here bytes are moved.
// The thread that runs it is blocked for the connection's length. Memory is bounded: who sends faster than the other
// side reads, or makes more calls than the gate decides, is not read for a while.
#pragma once

#include "app/ctl/mcp_gate_thread.h"
#include "app/ctl/mcp_pipe.h"
#include "app/ctl/mcp_server_process.h"
#include "model/feeds/mcp_line_cutter.h"
#include "model/feeds/mcp_relay.h"

#include <chrono>
#include <ostream>
#include <string>
#include <string_view>

namespace handreset::ctl {

/// Descriptors of the proxy's own making; closed as they go.
class OwnDescriptor {
public:
    explicit OwnDescriptor(int descriptor) noexcept : m_descriptor(descriptor) {}
    OwnDescriptor(const OwnDescriptor &) = delete;
    OwnDescriptor &operator=(const OwnDescriptor &) = delete;
    ~OwnDescriptor();
    [[nodiscard]] int get() const noexcept { return m_descriptor; }

private:
    int m_descriptor;
};

/// The client's standard streams; the proxy's own where it is started as a server.
struct McpClientStreams {
    int in;
    int out;
};

class McpProxy {
public:
    /// `signals` is a signalfd for SIGCHLD and what is passed on to the server; `notices` hears of what was dropped.
    McpProxy(McpClientStreams client, McpServerProcess server, GateClient &gate, int signals, std::ostream &notices);
    ~McpProxy() = default;
    McpProxy(const McpProxy &) = delete;
    McpProxy &operator=(const McpProxy &) = delete;

    /// Until the server has ended. Returns its exit code.
    [[nodiscard]] int run();

private:
    using Clock = std::chrono::steady_clock;

    /// Lines from the client: nothing of them passes unread.
    class FromClient final : public feeds::McpLineSink {
    public:
        explicit FromClient(McpProxy &proxy) : m_proxy(proxy) {}
        void line(std::string_view line) override;
        void piece(std::string_view) override {} // dropped
        void tooLong(const feeds::McpIdFinder &ids) override;

    private:
        McpProxy &m_proxy;
    };
    /// Lines from the server: all of them pass.
    class FromServer final : public feeds::McpLineSink {
    public:
        explicit FromServer(McpProxy &proxy) : m_proxy(proxy) {}
        void line(std::string_view line) override;
        void piece(std::string_view bytes) override;
        void tooLong(const feeds::McpIdFinder &ids) override;

    private:
        McpProxy &m_proxy;
    };

    void turn();
    [[nodiscard]] bool isOver();
    [[nodiscard]] bool readsClient();
    void readClient();
    void readServer();
    void writeServer();
    void writeClient();
    void takeSignals();
    void takeDecisions();
    void closeServerWhenSaid();
    void perform(feeds::mcp::Actions actions);
    void toClient(std::string_view line);
    void clientIsGone();

    McpClientStreams m_client;
    McpServerProcess m_server;
    const int m_signals;
    std::ostream &m_notices;
    OwnDescriptor m_wake;
    feeds::McpRelay m_relay;
    McpGateThread m_gate;
    McpOutbound m_toServer;
    McpOutbound m_toClient;
    std::string m_later;            ///< our own lines, while one of the server's is only partly out
    bool m_isWithinLine = false;    ///< the server's line so far has no end
    bool m_clientIsDone = false;    ///< its stream has ended
    bool m_clientIsGone = false;    ///< nobody reads our output
    bool m_clientWentFirst = false; ///< or a signal told the server to end
    Clock::time_point m_lastNews{}; ///< from the server
    FromClient m_fromClient{*this};
    FromServer m_fromServer{*this};
    feeds::McpLineCutter m_clientLines{m_fromClient};
    feeds::McpLineCutter m_serverLines{m_fromServer};
};

} // namespace handreset::ctl

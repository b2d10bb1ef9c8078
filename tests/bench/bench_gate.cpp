// What the gate takes in a second at its agents' door, over HTTP, each answer after its commit, beside Redis with
// `appendfsync always` and a bare counter script, in the same run (the target `bench_gate`). The gate is the real
// program in a process of its own; so is Redis, where redis-server is at hand. `--smoke` shows only that it runs.
#include "model/engine/embedded_host.h"
#include "model/engine/host_wait.h"
#include "model/rules/policy_text.h"
#include "model/rules/sha256.h"
#include "model/store/store.h"
#include "model/trust/token_secret.h"
#include "tests/bench/load.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QThread>

#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

using namespace handreset;
using bench::Load;
using bench::Protocol;
using bench::Server;

namespace {

constexpr std::size_t kAgents = 64;
constexpr std::uint64_t kTurns = 41; ///< of a task: twenty asks, their results, its end

[[noreturn]] void end(const std::string &why)
{
    std::fprintf(stderr, "bench_gate: %s\n", why.c_str());
    std::exit(1);
}

/// The median time of a write of one page that is synced: what no durable answer can beat.
std::chrono::microseconds syncOf(const QString &folder)
{
    const int file = ::open(QFile::encodeName(folder + QStringLiteral("/sync")).constData(), O_RDWR | O_CREAT, 0600);
    const std::string page(4096, 'x');
    std::vector<std::chrono::microseconds> took;
    for (int n = 0; n < 200; ++n) {
        const auto start = std::chrono::steady_clock::now();
        if (::pwrite(file, page.data(), page.size(), n % 64 * 4096) < 0 || ::fdatasync(file) != 0)
            end("the disk cannot be written");
        took.push_back(std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start));
    }
    ::close(file);
    std::sort(took.begin(), took.end());
    return took[took.size() / 2];
}

/// The gate with a store of its own and a token for each of many agents.
class Gate {
public:
    explicit Gate(const QString &program)
    {
        const QString store = m_folder.filePath(QStringLiteral("fleet/fleet.db"));
        makeStore(store);
        m_server.path = m_folder.filePath(QStringLiteral("agents.sock")).toStdString();
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(program,
                        {QStringLiteral("--store"), store, QStringLiteral("--socket"),
                         QString::fromStdString(m_server.path), QStringLiteral("--agent-rate"), QStringLiteral("0"),
                         QStringLiteral("--log-level"), QStringLiteral("error")});
        for (int n = 0; n < 500 && !bench::isListening(m_server); ++n)
            QThread::msleep(10);
    }
    ~Gate()
    {
        m_process.terminate();
        m_process.waitForFinished(30'000);
    }

    [[nodiscard]] const Server &server() const { return m_server; }
    /// Tasks as agents do them: a step, its result, twenty times, then the task's end. Each is a commit's part.
    [[nodiscard]] Protocol steps() const
    {
        return protocol([this](std::size_t connection, std::uint64_t number) {
            return request(connection, number, "/v1/steps", R"(,"model":"m","endpoint":"e")", R"({"ok":true,"cost":0.01})");
        });
    }
    /// The same with calls of a write tool whose volume is reserved: each ask must be on the disk before it is answered.
    [[nodiscard]] Protocol syncedCalls() const
    {
        return protocol([this](std::size_t connection, std::uint64_t number) {
            return request(connection, number, "/v1/calls",
                           R"(,"tool":"pay","arguments":{"amount":1,"n":)" + std::to_string(number) + '}',
                           R"({"outcome":"success"})");
        });
    }

private:
    void makeStore(const QString &path)
    {
        if (const auto made = store::Store::init(path, {}, engine::SystemClock().now()); !made)
            end(made.error().message);
        engine::EmbeddedHostOptions options;
        options.storePath = path;
        options.version = "bench";
        options.operatorName = "bench";
        auto host = engine::EmbeddedHost::start(std::move(options));
        if (!host)
            end(host.error().message);
        rules::ApplyPolicy apply;
        apply.text
            = "schema = 1\nundeclared = \"write\"\n[defaults]\nsteps = { limit = 1000000 }\n"
              "repetition = { limit = 1000000 }\nspend = [{ window = \"24h\", limit = \"900000000.00 USD\" }]\n"
              "[tools.pay]\naccess = \"write\"\nvalue = { pointer = \"/amount\", currency = \"USD\", max = \"2.00\" }\n"
              "volume = { per = \"24h\", calls = 1000000000, value = \"900000000.00\" }\n";
        apply.file = "bench.toml";
        apply.policy = std::make_shared<const rules::Policy>(*rules::readPolicy(apply.text, apply.file).policy);
        apply.by = "bench";
        apply.reason = "limits that nobody reaches";
        static_cast<void>(engine::submitAndWait(**host, std::move(apply)));
        for (std::size_t n = 0; n < kAgents; ++n) {
            m_tokens.push_back(trust::newTokenSecret());
            static_cast<void>(engine::submitAndWait(
                **host,
                rules::AddToken{"agent-" + std::to_string(n), {}, rules::sha256(m_tokens.back()), "bench", {}}));
        }
    }
    [[nodiscard]] std::string request(std::size_t connection, std::uint64_t number, const std::string &call,
                                      const std::string &more, const std::string &result) const
    {
        const auto agent = connection % kAgents;
        const auto turn = number % kTurns;
        const auto task = call.substr(4, 1) + std::to_string(connection) + '-' + std::to_string(number / kTurns);
        const auto who = R"({"agent":"agent-)" + std::to_string(agent) + '"';
        if (turn == kTurns - 1)
            return post("/v1/tasks/" + task + "/end", agent, who + '}');
        const auto id = task + '-' + std::to_string(turn / 2);
        if (turn % 2 == 1)
            return post(call + '/' + id + "/result", agent, result);
        return post(call, agent, who + R"(,"task":")" + task + R"(","id":")" + id + '"' + more + '}');
    }
    [[nodiscard]] std::string post(const std::string &path, std::size_t agent, const std::string &body) const
    {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + m_tokens[agent]
            + "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    }
    [[nodiscard]] static Protocol protocol(std::function<std::string(std::size_t, std::uint64_t)> ask)
    {
        return {std::move(ask),
                [](std::string_view bytes) -> std::size_t {
                    const auto head = bytes.find("\r\n\r\n");
                    if (head == std::string_view::npos)
                        return 0;
                    constexpr std::string_view kField = "Content-Length: ";
                    const auto at = bytes.find(kField);
                    std::size_t length = 0;
                    if (at > head) // a 204 has none
                        return head + 4;
                    std::from_chars(bytes.data() + at + kField.size(), bytes.data() + head, length);
                    return bytes.size() >= head + 4 + length ? head + 4 + length : 0;
                },
                [](std::string_view answer) {
                    return answer.starts_with("HTTP/1.1 204")
                        || (answer.starts_with("HTTP/1.1 200")
                            && answer.find(R"("decision":"allow")") != std::string_view::npos);
                }};
    }

    QTemporaryDir m_folder;
    Server m_server;
    std::vector<std::string> m_tokens;
    QProcess m_process;
};

/// Redis 7 that syncs every write, and a counter script; nothing where it is not installed.
class Redis {
public:
    [[nodiscard]] static bool isThere()
    {
        return !QStandardPaths::findExecutable(QStringLiteral("redis-server")).isEmpty();
    }
    Redis()
    {
        m_server.path = m_folder.filePath(QStringLiteral("redis.sock")).toStdString();
        m_process.start(QStringLiteral("redis-server"),
                        {QStringLiteral("--port"), QStringLiteral("0"), QStringLiteral("--unixsocket"),
                         QString::fromStdString(m_server.path), QStringLiteral("--appendonly"), QStringLiteral("yes"),
                         QStringLiteral("--appendfsync"), QStringLiteral("always"), QStringLiteral("--save"), QString(),
                         QStringLiteral("--dir"), m_folder.path()});
        for (int n = 0; n < 500 && !bench::isListening(m_server); ++n)
            QThread::msleep(10);
        QThread::msleep(200);
    }
    ~Redis()
    {
        m_process.terminate();
        m_process.waitForFinished(30'000);
    }
    [[nodiscard]] const Server &server() const { return m_server; }
    [[nodiscard]] static Protocol counter()
    {
        const auto bulk
            = [](const std::string &text) { return '$' + std::to_string(text.size()) + "\r\n" + text + "\r\n"; };
        const std::string script = "local n = redis.call('INCR', KEYS[1]) if n > 1000000000 then return 0 end return n";
        return {[bulk, script](std::size_t connection, std::uint64_t) {
                    return "*4\r\n" + bulk("EVAL") + bulk(script) + bulk("1") + bulk("c" + std::to_string(connection));
                },
                [](std::string_view bytes) -> std::size_t {
                    const auto line = bytes.find("\r\n");
                    return line == std::string_view::npos ? 0 : line + 2;
                },
                [](std::string_view answer) { return answer.starts_with(':'); }};
    }

private:
    QTemporaryDir m_folder;
    Server m_server;
    QProcess m_process;
};

void tell(const char *what, std::size_t clients, const Load &load, const std::optional<Load> &peer)
{
    if (!load.fault.empty())
        end(std::string(what) + ": " + load.fault);
    std::printf("%-24s %4zu  %9.0f/s  p50 %7lld us  p99 %7lld us  worst %7lld us", what, clients, load.perSecond,
                static_cast<long long>(load.p50.count()), static_cast<long long>(load.p99.count()),
                static_cast<long long>(load.worst.count()));
    if (peer && peer->fault.empty())
        std::printf("  Redis %9.0f/s  ratio %5.2f", peer->perSecond, load.perSecond / peer->perSecond);
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const bool isSmoke = argc > 1 && std::string_view(argv[1]) == "--smoke";
    const double seconds = isSmoke ? 0.2 : 4;
    std::vector<std::size_t> clients
        = isSmoke ? std::vector<std::size_t>{1, 16} : std::vector<std::size_t>{1, 16, 64, 256};
    if (!isSmoke && argc > 1) // bench_gate 64 256: these numbers of clients only
        clients.clear();
    for (int i = 1; !isSmoke && i < argc; ++i)
        clients.push_back(static_cast<std::size_t>(std::max(1, std::atoi(argv[i]))));
    const QTemporaryDir folder;
    const auto sync = syncOf(folder.path());
    std::printf("one synced page: %lld us (median)\n", static_cast<long long>(sync.count()));
    if (!Redis::isThere())
        std::printf("redis-server is not installed: no peer\n");
    for (const auto count : clients) {
        std::optional<Load> peer;
        if (Redis::isThere()) {
            const Redis redis;
            peer = bench::loadOf(redis.server(), Redis::counter(), count, seconds);
        }
        const Gate gate(QStringLiteral(HANDRESET_GATE));
        tell("steps", count, bench::loadOf(gate.server(), gate.steps(), count, seconds), peer);
        const auto synced = bench::loadOf(gate.server(), gate.syncedCalls(), count, seconds);
        tell("calls, each synced", count, synced, peer);
        if (count == 1)
            std::printf("%-24s       p50 is %.2f of one synced page\n", "",
                        static_cast<double>(synced.p50.count()) / static_cast<double>(sync.count()));
    }
    return 0;
}

// The running server of the agents' door: order, threads, time limits, full tables of descriptors, and its end.
#include "tests/gate/server_fixture.h"

#include <QFile>
#include <QTest>

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <fcntl.h>
#include <thread>

using namespace handreset;
using namespace std::chrono_literals;
using gate::Door;
using gate::Limits;
using test::RawClient;
using test::ServerFixture;

namespace {

const std::string kGet = "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n";

std::string post(const std::string &body)
{
    return "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// The status that one request gets on a new connection; -1: no answer within `most`.
int ask(const ServerFixture &server, Door door = Door::Tcp, std::chrono::milliseconds most = 10s)
{
    const RawClient client = server.client(door);
    client.send(kGet);
    return test::readAnswer(client, most).status;
}

/// A thread that answers what it is given, all that waits at once.
class Answerer {
public:
    Answerer() : m_thread([this] { run(); }) {}
    ~Answerer()
    {
        {
            const std::scoped_lock lock(m_mutex);
            m_ends = true;
        }
        m_change.notify_one();
        m_thread.join();
    }
    gate::Handler handler()
    {
        return [this](gate::Request request, gate::Responder respond) {
            const std::scoped_lock lock(m_mutex);
            m_waiting.emplace_back(std::move(request.target), std::move(respond));
            m_change.notify_one();
        };
    }
    void hold(bool holds)
    {
        const std::scoped_lock lock(m_mutex);
        m_holds = holds;
        m_change.notify_one();
    }
    std::size_t waiting()
    {
        const std::scoped_lock lock(m_mutex);
        return m_waiting.size();
    }

private:
    void run()
    {
        std::unique_lock lock(m_mutex);
        while (true) {
            m_change.wait(lock, [this] { return m_ends || (!m_waiting.empty() && !m_holds); });
            if (m_ends)
                return;
            auto taken = std::exchange(m_waiting, {});
            lock.unlock();
            for (auto &[target, respond] : taken)
                respond({.body = target});
            taken.clear();
            lock.lock();
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_change;
    std::deque<std::pair<std::string, gate::Responder>> m_waiting;
    bool m_holds = false;
    bool m_ends = false;
    std::thread m_thread;
};

double processorSeconds()
{
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

} // namespace

class TestHttpServer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itStartsOnlyWhereItMay();
    void theSocketFileIsItsOwn();
    void requestsBringWhoAsks();
    void pipelinedRequestsAreAnsweredInOrderFromAnotherThread();
    void oneRequestOfAConnectionAtATime();
    void aRequestIsAnsweredOnce();
    void aResponderThatIsForgottenAnswers500();
    void aHandlerThatThrowsAnswers500();
    void aClientThatHalfClosesIsAnswered();
    void aClientThatLeavesWhileItsAnswerWaitsHarmsNobody();
    void aClientThatNeverReadsIsDropped();
    void aHandlerThatTakesTooLongIsAnsweredFor();
    void anIdleConnectionIsClosed();
    void theOldestIdleConnectionGivesWay();
    void nobodyGivesWayWhileAllAreAnswered();
    void aRefusedUploadStillLearnsWhy();
    void bodiesTogetherAreBounded();
    void slowHeadsAreEndedInTime();
    void aByteASecondIsEndedInTimeWhileOthersAreServed();
    void descriptorsThatRunOutNeitherSpinNorStop();
    void descriptorsAreNotInherited();
    void closingLetsAnswersLeave();
    void closingDoesNotWaitForEver();
    void answersAfterTheEndGoNowhere();
    void manyClientsAtOnce();
};

void TestHttpServer::itStartsOnlyWhereItMay()
{
    const gate::Handler none = [](const gate::Request &, gate::Responder) {};
    QVERIFY(!gate::HttpServer::start({}, none));
    for (const char *const address : {"0.0.0.0", "192.0.2.1", "::", "evil.example", ""}) {
        gate::ServerOptions options;
        options.listen = gate::ListenAddress{address, 0};
        const auto server = gate::HttpServer::start(options, none);
        QVERIFY2(!server && server.error().code == rules::ErrorCode::BadInput, address);
    }
    for (const char *const address : {"127.0.0.1", "localhost", "127.0.0.3"}) {
        gate::ServerOptions options;
        options.listen = gate::ListenAddress{address, 0};
        const auto server = gate::HttpServer::start(options, none);
        QVERIFY2(server && server.value()->port() != 0, address);
        options.listen->port = server.value()->port();
        QVERIFY2(!gate::HttpServer::start(options, none), "two listen at one address");
    }
    gate::ServerOptions options;
    options.socketPath = "/no/such/folder/agents.sock";
    QVERIFY(!gate::HttpServer::start(options, none));
}

void TestHttpServer::theSocketFileIsItsOwn()
{
    const QTemporaryDir folder;
    const gate::Handler none = [](const gate::Request &, gate::Responder) {};
    gate::ServerOptions options;
    options.socketPath = folder.filePath(QStringLiteral("a.sock")).toStdString();
    const auto start = [&] { return gate::HttpServer::start(options, none); };
    struct stat status = {};
    {
        const auto server = start();
        QVERIFY(server);
        QVERIFY(lstat(options.socketPath.c_str(), &status) == 0 && S_ISSOCK(status.st_mode));
        QCOMPARE(status.st_mode & 0777U, 0660U); // whatever the umask is
        QVERIFY2(!start(), "somebody answers there");
    }
    QVERIFY2(lstat(options.socketPath.c_str(), &status) != 0, "it takes its file away");

    // A file, a folder and a symbolic link stay what they are.
    QFile file(QString::fromStdString(options.socketPath));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    QVERIFY(!start());
    QVERIFY(file.remove());
    QVERIFY(symlink("/tmp", options.socketPath.c_str()) == 0);
    QVERIFY(!start());
    QVERIFY(lstat(options.socketPath.c_str(), &status) == 0 && S_ISLNK(status.st_mode));
    QVERIFY(unlink(options.socketPath.c_str()) == 0);

    // One that was left behind is replaced.
    const int left = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    options.socketPath.copy(address.sun_path, sizeof(address.sun_path) - 1);
    QVERIFY(::bind(left, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) == 0);
    ::close(left);
    const auto again = start();
    QVERIFY(again);

    // What somebody else has put there meanwhile is not taken away.
    QVERIFY(unlink(options.socketPath.c_str()) == 0);
    QVERIFY(file.open(QIODevice::WriteOnly));
    again.value()->close();
    QVERIFY(file.exists());
}

void TestHttpServer::requestsBringWhoAsks()
{
    std::mutex mutex;
    std::vector<gate::Request> seen;
    const ServerFixture server({}, [&](gate::Request request, gate::Responder respond) {
        const std::scoped_lock lock(mutex);
        seen.push_back(std::move(request));
        respond({.status = 204});
    });
    QVERIFY(server.isUp());
    QCOMPARE(ask(server, Door::Unix), 204);
    QCOMPARE(ask(server, Door::Tcp), 204);
    const std::scoped_lock lock(mutex);
    QCOMPARE(seen.size(), 2U);
    QVERIFY(seen[0].overUnixSocket && seen[0].peerUid == geteuid());
    QVERIFY(!seen[1].overUnixSocket && seen[1].peerUid == 0);
    QVERIFY(seen[1].authorization.empty() && seen[1].body.empty() && seen[1].method == "GET" && seen[1].target == "/x");
}

void TestHttpServer::pipelinedRequestsAreAnsweredInOrderFromAnotherThread()
{
    Answerer answerer;
    const ServerFixture server({}, answerer.handler());
    for (const Door door : {Door::Tcp, Door::Unix}) {
        std::string requests;
        for (int i = 0; i < 100; ++i)
            requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        const RawClient client = server.client(door);
        client.send(requests);
        client.finish();
        std::string got;
        QVERIFY(client.read(got, 20s) == RawClient::End::Closed);
        const auto answers = test::parseAnswers(got);
        QCOMPARE(answers.size(), 100U);
        for (std::size_t i = 0; i < answers.size(); ++i)
            QCOMPARE(answers[i].body, "/" + std::to_string(i));
    }
}

void TestHttpServer::oneRequestOfAConnectionAtATime()
{
    Answerer answerer;
    answerer.hold(true);
    const ServerFixture server({}, answerer.handler());
    const RawClient client = server.client();
    client.send(kGet + kGet + kGet);
    QTRY_COMPARE(answerer.waiting(), 1U);
    QTest::qWait(50); // time in which a second would have come
    QCOMPARE(answerer.waiting(), 1U);
    answerer.hold(false);
    client.finish();
    std::string got;
    QVERIFY(client.read(got, 10s) == RawClient::End::Closed);
    QCOMPARE(test::statusesOf(test::parseAnswers(got)), std::string("200 200 200"));
}

void TestHttpServer::aRequestIsAnsweredOnce()
{
    const ServerFixture server({}, [](const gate::Request &, gate::Responder respond) {
        respond({.body = "first"});
        respond({.body = "second"});
        gate::Responder moved = std::move(respond);
        moved({.body = "third"});
    });
    const RawClient client = server.client();
    client.send(kGet + kGet);
    client.finish();
    std::string got;
    client.read(got, 10s);
    const auto answers = test::parseAnswers(got);
    QCOMPARE(answers.size(), 2U);
    QCOMPARE(answers[0].body, std::string("first"));
    QCOMPARE(answers[1].body, std::string("first"));
}

void TestHttpServer::aResponderThatIsForgottenAnswers500()
{
    const ServerFixture server({}, [](const gate::Request &, gate::Responder respond) {
        std::thread([forgotten = std::move(respond)] {}).join();
    });
    QCOMPARE(ask(server), 500);
    const ServerFixture other({}, [](const gate::Request &, gate::Responder) {});
    QCOMPARE(ask(other), 500);
}

void TestHttpServer::aHandlerThatThrowsAnswers500()
{
    const ServerFixture server({}, [](const gate::Request &, gate::Responder) { throw std::runtime_error("oh"); });
    QCOMPARE(ask(server), 500);
    QCOMPARE(ask(server), 500);
    QTRY_COMPARE(server->stats().faults, 2U);
}

void TestHttpServer::aClientThatHalfClosesIsAnswered()
{
    Answerer answerer;
    answerer.hold(true);
    const ServerFixture server({}, answerer.handler());
    for (const Door door : {Door::Tcp, Door::Unix}) {
        answerer.hold(true);
        const RawClient client = server.client(door);
        client.send(post("hello"));
        client.finish();
        QTRY_COMPARE(answerer.waiting(), 1U);
        answerer.hold(false);
        std::string got;
        QVERIFY(client.read(got, 10s) == RawClient::End::Closed);
        QCOMPARE(test::statusesOf(test::parseAnswers(got)), std::string("200"));
    }
}

void TestHttpServer::aClientThatLeavesWhileItsAnswerWaitsHarmsNobody()
{
    Answerer answerer;
    answerer.hold(true);
    const ServerFixture server({}, answerer.handler());
    std::vector<RawClient> clients;
    for (int i = 0; i < 50; ++i) {
        clients.push_back(server.client(i % 2 == 0 ? Door::Tcp : Door::Unix));
        clients.back().send(kGet + kGet);
    }
    QTRY_COMPARE(answerer.waiting(), 50U);
    for (std::size_t i = 0; i < clients.size(); ++i)
        i % 3 == 0 ? clients[i].reset() : clients[i].close();
    answerer.hold(false);
    QCOMPARE(ask(server), 200);
    QTRY_COMPARE(server->stats().open, 0U);
}

void TestHttpServer::aClientThatNeverReadsIsDropped()
{
    Limits limits;
    limits.writing = 300ms;
    const ServerFixture server(limits, [](const gate::Request &, gate::Responder respond) {
        respond({.body = std::string(std::size_t{64} * 1024, 'x')});
    });
    for (const Door door : {Door::Tcp, Door::Unix}) {
        const auto before = server->stats();
        const RawClient client = server.client(door);
        const int flags = fcntl(client.descriptor(), F_GETFL);
        fcntl(client.descriptor(), F_SETFL, flags | O_NONBLOCK);
        for (int i = 0; i < 1000; ++i) // 64 MiB of answers, if anybody took them
            client.send(kGet);
        QTRY_COMPARE(server->stats().writeTimeouts, before.writeTimeouts + 1);
        QVERIFY(server->stats().requests - before.requests < 900);
        QTRY_COMPARE(server->stats().open, 0U);
    }
    QCOMPARE(ask(server), 200);
}

void TestHttpServer::aHandlerThatTakesTooLongIsAnsweredFor()
{
    Limits limits;
    limits.answering = 100ms;
    Answerer answerer;
    answerer.hold(true);
    const ServerFixture server(limits, answerer.handler());
    const RawClient client = server.client();
    client.send(kGet + kGet);
    std::string got;
    QVERIFY(client.read(got, 10s) == RawClient::End::Closed);
    QCOMPARE(test::statusesOf(test::parseAnswers(got)), std::string("503"));
    answerer.hold(false); // its answer comes now, and fits nobody
    QCOMPARE(server->stats().answerTimeouts, 1U);
    QTRY_COMPARE(answerer.waiting(), 0U);
}

void TestHttpServer::anIdleConnectionIsClosed()
{
    Limits limits;
    limits.idle = 100ms;
    const ServerFixture server(limits);
    const RawClient silent = server.client();
    const RawClient asked = server.client(Door::Unix);
    asked.send(kGet);
    std::string nothing;
    std::string answer;
    QVERIFY(silent.read(nothing, 10s) == RawClient::End::Closed);
    QVERIFY(asked.read(answer, 10s) == RawClient::End::Closed);
    QVERIFY(nothing.empty());
    QCOMPARE(test::statusesOf(test::parseAnswers(answer)), std::string("200"));
    QCOMPARE(server->stats().idleTimeouts, 2U);
}

void TestHttpServer::theOldestIdleConnectionGivesWay()
{
    Limits limits;
    limits.connections = 8;
    const ServerFixture server(limits);
    const auto isServed
        = [](const RawClient &client) { return client.send(kGet) && test::readAnswer(client, 10s).status == 200; };
    std::vector<RawClient> clients;
    for (int i = 0; i < 8; ++i) {
        clients.push_back(server.client());
        QVERIFY(isServed(clients.back()));
    }
    QVERIFY(isServed(clients[0])); // now the second is the oldest
    QCOMPARE(server->stats().open, 8U);
    QCOMPARE(ask(server), 200);
    std::string rest;
    QVERIFY(clients[1].read(rest, 10s) != RawClient::End::TimedOut);
    for (std::size_t i = 0; i < clients.size(); ++i)
        QCOMPARE(isServed(clients[i]), i != 1);
    QCOMPARE(server->stats().gaveWay, 1U);
}

void TestHttpServer::nobodyGivesWayWhileAllAreAnswered()
{
    Limits limits;
    limits.connections = 4;
    Answerer answerer;
    answerer.hold(true);
    const ServerFixture server(limits, answerer.handler());
    std::vector<RawClient> clients;
    for (int i = 0; i < 4; ++i) {
        clients.push_back(server.client());
        clients.back().send(kGet);
    }
    QTRY_COMPARE(answerer.waiting(), 4U);
    QCOMPARE(ask(server), -1);
    QCOMPARE(server->stats().refused, 1U);
    answerer.hold(false);
    for (const RawClient &client : clients) {
        std::string got;
        client.finish();
        client.read(got, 10s);
        QCOMPARE(test::statusesOf(test::parseAnswers(got)), std::string("200"));
    }
}

void TestHttpServer::aRefusedUploadStillLearnsWhy()
{
    const ServerFixture server;
    for (const Door door : {Door::Tcp, Door::Unix}) {
        const RawClient client = server.client(door);
        client.send("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n");
        client.send(std::string(900'000, 'x'));
        std::string got;
        QVERIFY(client.read(got, 10s) == RawClient::End::Closed);
        QCOMPARE(test::statusesOf(test::parseAnswers(got)), std::string("413"));
    }
}

void TestHttpServer::bodiesTogetherAreBounded()
{
    Limits limits;
    limits.bodiesTogether = std::size_t{1024} * 1024;
    const ServerFixture server(limits);
    const std::string request = post(std::string(200'000, 'x'));
    std::vector<RawClient> clients;
    for (int i = 0; i < 20; ++i) {
        clients.push_back(server.client(i % 2 == 0 ? Door::Tcp : Door::Unix));
        clients.back().send(std::string_view(request).substr(0, request.size() - 1));
    }
    QTRY_VERIFY(server->stats().badRequests >= 10);
    QTest::qWait(50);
    int served = 0;
    int refused = 0;
    for (const RawClient &client : clients) {
        client.send("x");
        const int status = test::readAnswer(client, 10s).status;
        served += status == 200 ? 1 : 0;
        refused += status == 503 ? 1 : 0;
    }
    QCOMPARE(served + refused, 20);
    QVERIFY2(served >= 3 && served <= 10, std::to_string(served).c_str());
    QCOMPARE(ask(server), 200); // what was held is given back
    const RawClient again = server.client();
    again.send(request);
    QCOMPARE(test::readAnswer(again, 10s).status, 200);
}

void TestHttpServer::slowHeadsAreEndedInTime()
{
    Limits limits;
    limits.wholeHead = 1s;
    const ServerFixture server(limits);
    std::vector<RawClient> clients;
    for (int i = 0; i < 500; ++i) {
        clients.push_back(server.client(i % 2 == 0 ? Door::Tcp : Door::Unix));
        QVERIFY(clients.back().isOpen());
        clients.back().send("GET /x HTTP/1.1\r\nHost: local");
    }
    QCOMPARE(ask(server), 200);
    for (const RawClient &client : clients) {
        std::string got;
        QVERIFY(client.read(got, 20s) == RawClient::End::Closed);
        QCOMPARE(test::statusesOf(test::parseAnswers(got)), std::string("408"));
    }
    clients.clear();
    QCOMPARE(server->stats().headTimeouts, 500U);
    QTRY_COMPARE(server->stats().open, 0U);
}

void TestHttpServer::aByteASecondIsEndedInTimeWhileOthersAreServed()
{
    rlimit allowed{};
    getrlimit(RLIMIT_NOFILE, &allowed);
    if (allowed.rlim_max < 2400)
        QSKIP("too few descriptors for 1,000 clients and their server in one process");
    const rlimit more{std::max<rlim_t>(allowed.rlim_cur, 2400), allowed.rlim_max};
    QVERIFY(setrlimit(RLIMIT_NOFILE, &more) == 0);
    {
        // A tenth of the time of service, and bytes that come ten times as fast.
        Limits limits;
        limits.wholeHead = 500ms;
        limits.wholeBody = 1s;
        limits.lingering = 200ms;
        const ServerFixture server(limits);
        const std::string bytes = post(std::string(1000, 'x'));
        std::vector<RawClient> clients;
        for (int i = 0; i < 1000; ++i) {
            clients.push_back(server.client(i % 2 == 0 ? Door::Tcp : Door::Unix));
            QVERIFY(clients.back().isOpen());
            if (i % 4 < 2) // half of them are slow in their bodies
                clients.back().send(bytes.substr(0, bytes.size() - 1000));
        }
        const auto start = std::chrono::steady_clock::now();
        std::chrono::steady_clock::duration worst{};
        std::size_t turn = 0;
        do {
            for (const RawClient &client : clients)
                client.send(bytes.substr(turn, 1));
            ++turn;
            const auto asked = std::chrono::steady_clock::now();
            QCOMPARE(ask(server, turn % 2 == 0 ? Door::Tcp : Door::Unix), 200);
            worst = std::max(worst, std::chrono::steady_clock::now() - asked);
            QTest::qWait(100);
        } while (server->stats().open > 10 && std::chrono::steady_clock::now() - start < 30s);
        const auto stats = server->stats();
        QVERIFY(stats.open <= 10);
        QCOMPARE(stats.headTimeouts + stats.bodyTimeouts, 1000U);
        using std::chrono::duration_cast;
        using std::chrono::milliseconds;
        qInfo("1,000 slow clients ended after %lld ms; another waited %lld ms at most",
              static_cast<long long>(duration_cast<milliseconds>(std::chrono::steady_clock::now() - start).count()),
              static_cast<long long>(duration_cast<milliseconds>(worst).count()));
    }
    QVERIFY(setrlimit(RLIMIT_NOFILE, &allowed) == 0);
}

void TestHttpServer::descriptorsThatRunOutNeitherSpinNorStop()
{
    rlimit allowed{};
    getrlimit(RLIMIT_NOFILE, &allowed);
    {
        const ServerFixture server;
        std::vector<RawClient> clients;
        clients.reserve(20);
        for (int i = 0; i < 20; ++i)
            clients.push_back(server.client());
        QTRY_COMPARE(server->stats().open, 20U);
        for (const RawClient &client : clients)
            client.send("G"); // none of them is idle
        QTest::qWait(50);
        const int next = ::dup(0);
        ::close(next);
        // One descriptor is left: for the client's end, none for the server's.
        const rlimit few{static_cast<rlim_t>(next) + 1, allowed.rlim_max};
        QVERIFY(setrlimit(RLIMIT_NOFILE, &few) == 0);
        const RawClient late = server.client();
        QVERIFY(late.isOpen()); // the kernel takes it; accepting it is the server's
        late.send(kGet);
        const double before = processorSeconds();
        QTest::qWait(500);
        const double used = processorSeconds() - before;
        QVERIFY(setrlimit(RLIMIT_NOFILE, &allowed) == 0);
        QVERIFY2(used < 0.2, std::to_string(used).c_str());
        QVERIFY(server->stats().acceptFailures >= 1);
        std::string got;
        late.read(got, 10s, 12);
        QVERIFY(got.starts_with("HTTP/1.1 200"));
    }
    QVERIFY(setrlimit(RLIMIT_NOFILE, &allowed) == 0);
}

void TestHttpServer::descriptorsAreNotInherited()
{
    const ServerFixture server;
    const RawClient first = server.client();
    const RawClient second = server.client(Door::Unix);
    QTRY_COMPARE(server->stats().open, 2U);
    for (int descriptor = 3; descriptor < 256; ++descriptor) {
        sockaddr_storage address{};
        socklen_t length = sizeof(address);
        if (getsockname(descriptor, reinterpret_cast<sockaddr *>(&address), &length) == 0)
            QVERIFY2((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0, std::to_string(descriptor).c_str());
    }
}

void TestHttpServer::closingLetsAnswersLeave()
{
    Answerer answerer;
    answerer.hold(true);
    ServerFixture server({}, answerer.handler());
    const RawClient waits = server.client();
    waits.send(kGet);
    const RawClient idles = server.client(Door::Unix);
    QTRY_COMPARE(answerer.waiting(), 1U);
    QTRY_COMPARE(server->stats().open, 2U);
    std::thread closes([&] { server->close(); });
    std::string got;
    QVERIFY(idles.read(got, 10s) == RawClient::End::Closed); // so it has begun to close
    answerer.hold(false);
    QVERIFY(waits.read(got, 10s) == RawClient::End::Closed);
    closes.join();
    const auto answers = test::parseAnswers(got);
    QCOMPARE(test::statusesOf(answers), std::string("200"));
    QVERIFY(answers[0].head.find("\r\nConnection: close\r\n") != std::string::npos);
    QVERIFY(!RawClient::toPath(server.path()).isOpen());
    QCOMPARE(server->stats().requests, 1U); // asked after its end, it still tells
}

void TestHttpServer::closingDoesNotWaitForEver()
{
    Limits limits;
    limits.closing = 200ms;
    Answerer answerer;
    answerer.hold(true);
    ServerFixture server(limits, answerer.handler());
    const RawClient waits = server.client();
    waits.send(kGet);
    QTRY_COMPARE(answerer.waiting(), 1U);
    const auto start = std::chrono::steady_clock::now();
    server->close();
    server->close();
    QVERIFY(std::chrono::steady_clock::now() - start < 5s);
    std::string got;
    QVERIFY(waits.read(got, 10s) != RawClient::End::TimedOut);
}

void TestHttpServer::answersAfterTheEndGoNowhere()
{
    std::mutex mutex;
    std::vector<gate::Responder> kept;
    Limits limits;
    limits.closing = 50ms;
    ServerFixture server(limits, [&](const gate::Request &, gate::Responder respond) {
        const std::scoped_lock lock(mutex);
        kept.push_back(std::move(respond));
    });
    const RawClient client = server.client();
    client.send(kGet);
    QTRY_COMPARE(server->stats().requests, 1U);
    server.stop();
    const std::scoped_lock lock(mutex);
    QCOMPARE(kept.size(), 1U);
    kept[0]({.body = "late"});
    gate::Responder none;
    none({});
}

void TestHttpServer::manyClientsAtOnce()
{
    Answerer answerer;
    const ServerFixture server({}, answerer.handler());
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    threads.reserve(8);
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            const RawClient client = server.client(i % 2 == 0 ? Door::Tcp : Door::Unix);
            for (int n = 0; n < 500; ++n) {
                const std::string target = "/" + std::to_string(i) + "/" + std::to_string(n);
                client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
                wrong += test::readAnswer(client, 20s).body == target ? 0 : 1;
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    QCOMPARE(wrong.load(), 0);
    QCOMPARE(server->stats().requests, 4000U);
}

QTEST_GUILESS_MAIN(TestHttpServer)
#include "tst_http_server.moc"

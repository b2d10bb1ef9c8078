// The agents' door, from the socket to the store (spec 5; threats: another agent's token, the agent re-arms itself,
// flood). Every exchange goes over a real socket to a real host.
#include "tests/gate/door_fixture.h"

#include "model/link/link_server.h"
#include "model/link/linked_host.h"
#include "model/link/socket_path.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <thread>

using namespace handreset;
using test::DoorFixture;
using test::HttpAnswer;
using test::HttpClient;

class TestAgentsDoor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsAndCallsAreDecided();
    void resultsAreTakenOnce();
    void aRefusedCallSaysWhatWouldEndIt();
    void degradedNamesTheModel();
    void notesAndEnds();
    void agentsSeeTheirLimits();
    void aRepeatCountsOnceOverARestart();
    void aDenyByTheSwitchStaysADeny();
    void wrongCredentials_data();
    void wrongCredentials();
    void revokedTokensEndAtOnce();
    void noOperatorsVerbIsHere_data();
    void noOperatorsVerbIsHere();
    void wrongRequests_data();
    void wrongRequests();
    void oneAgentThatFloodsWaits();
    void madeUpNamesAreBounded();
    void longBodiesCountAsSeveral();
    void aFailingStoreDenies();
    void probesAndMetrics();
    void metricsAreBoundedAndEscaped();
    void anAgentOverTcp();
    void aStopInAFloodIsInForce();
    void hostileNamesAreOpaque();
};

namespace {

const std::string kPolicy = test::policyText(
    "steps = { limit = 3 }\ndegraded_model = \"small\"\n",
    "[tools.search]\naccess = \"read\"\nbreaker = { failure_threshold = 1, cooldown_seconds = 30 }\n"
    "[tools.send_pix]\naccess = \"write\"\nvalue = { pointer = \"/amount\", currency = \"BRL\", max = \"500.00\" }\n");

std::string step(const std::string &task, const std::string &more = {}, const std::string &agent = "a1")
{
    return R"({"agent":")" + agent + R"(","task":")" + task + '"' + more + '}';
}

std::string call(const std::string &tool, const std::string &arguments, const std::string &more = {},
                 const std::string &task = "t1")
{
    return R"({"agent":"a1","task":")" + task + R"(","tool":")" + tool + R"(","arguments":)" + arguments + more + '}';
}

std::string idOf(const HttpAnswer &answer)
{
    return DoorFixture::jsonOf(answer)[u"id"].toString().toStdString();
}

bool isAllowed(const HttpAnswer &answer)
{
    return answer.status == 200 && DoorFixture::jsonOf(answer)[u"decision"].toString() == QStringLiteral("allow");
}

bool isDenied(const HttpAnswer &answer)
{
    return answer.status == 200 && DoorFixture::jsonOf(answer)[u"decision"].toString() == QStringLiteral("deny");
}

} // namespace

void TestAgentsDoor::stepsAndCallsAreDecided()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    for (int n = 0; n < 3; ++n) {
        const auto answer = agent->post("/v1/steps", step("t1"));
        QVERIFY2(isAllowed(answer), answer.body.c_str());
        QVERIFY(idOf(answer).starts_with("ask-"));
        QCOMPARE(DoorFixture::jsonOf(answer)[u"rung"].toString(), QStringLiteral("closed"));
        QVERIFY(DoorFixture::jsonOf(answer)[u"writes"].toBool());
    }
    const auto trips = agent->post("/v1/steps", step("t1"));
    QVERIFY2(isDenied(trips), trips.body.c_str());
    const auto reason = DoorFixture::jsonOf(trips)[u"reason"].toObject();
    QCOMPARE(reason[u"source"].toString(), QStringLiteral("steps"));
    QCOMPARE(reason[u"retry"].toString(), QStringLiteral("after_human"));
    QVERIFY(reason[u"trip"].toInteger() > 0);
    QCOMPARE(fleet.count<rules::TripFired>(), std::size_t{1});
    QVERIFY(isAllowed(agent->post("/v1/calls", call("search", R"({"q":"x"})", {}, "t2"))));
    QCOMPARE(fleet.verifyStopped(), std::string());
}

void TestAgentsDoor::resultsAreTakenOnce()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    const auto own = idOf(agent->post("/v1/steps", step("t1")));
    QCOMPARE(agent->post("/v1/steps/" + own + "/result", R"({"ok":true,"cost":"0.10 USD","tokens_in":5})").status, 204);
    QVERIFY(isAllowed(agent->post("/v1/calls", call("search", "{}", R"(,"id":"mine")"))));
    QCOMPARE(agent->post("/v1/calls/mine/result", R"({"outcome":"failure","error":"timeout"})").status, 204);
    QVERIFY(isDenied(agent->post("/v1/calls", call("search", R"({"n":1})")))); // its breaker opened
    QCOMPARE(agent->post("/v1/calls/nobodys/result", R"({"outcome":"success"})").status, 404);
    QCOMPARE(agent->post("/v1/steps/ask-99999999/result", R"({"ok":true})").status, 404);
    const auto other = idOf(agent->post("/v1/steps", step("t2")));
    QCOMPARE(agent->post("/v1/calls/" + other + "/result", R"({"outcome":"success"})").status, 422);
    QCOMPARE(fleet.verifyStopped(), std::string());
}

void TestAgentsDoor::aRefusedCallSaysWhatWouldEndIt()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    QVERIFY(isAllowed(agent->post("/v1/calls", call("search", "{}", R"(,"id":"one")"))));
    agent->post("/v1/calls/one/result", R"({"outcome":"failure"})");
    const auto refused = agent->post("/v1/calls", call("search", "{}", R"(,"id":"two")"));
    QVERIFY2(isDenied(refused), refused.body.c_str());
    QCOMPARE(idOf(refused), std::string("two"));
    const auto reason = DoorFixture::jsonOf(refused)[u"reason"].toObject();
    QCOMPARE(reason[u"source"].toString(), QStringLiteral("breaker"));
    QCOMPARE(reason[u"breaker"].toString(), QStringLiteral("search"));
    QCOMPARE(reason[u"retry"].toObject()[u"after_seconds"].toInt(), 30);
    const auto value = agent->post("/v1/calls", call("send_pix", R"({"amount":900})"));
    QCOMPARE(DoorFixture::jsonOf(value)[u"reason"].toObject()[u"source"].toString(), QStringLiteral("envelope"));
}

void TestAgentsDoor::degradedNamesTheModel()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    QVERIFY(isAllowed(agent->post("/v1/steps", step("t1"))));
    fleet.send(rules::StopAgent{"a1", rules::Rung::Degraded, "ana", "looks odd"});
    const auto answer = agent->post("/v1/steps", step("t1"));
    QVERIFY2(isAllowed(answer), answer.body.c_str());
    QCOMPARE(DoorFixture::jsonOf(answer)[u"model"].toString(), QStringLiteral("small"));
    QCOMPARE(DoorFixture::jsonOf(answer)[u"writes"].toBool(), false);
    QVERIFY(isDenied(agent->post("/v1/calls", call("send_pix", R"({"amount":1})"))));
    QVERIFY(isDenied(agent->post("/v1/steps", step("t1", R"(,"model":"large")"))));
}

void TestAgentsDoor::notesAndEnds()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    QCOMPARE(agent->post("/v1/tasks/t%2F1/note", R"({"agent":"a1","text":"x"})").status, 404); // it never asked
    QVERIFY(isAllowed(agent->post("/v1/steps", step("t/1"))));
    QCOMPARE(agent->post("/v1/tasks/t%2F1/note", R"({"agent":"a1","text":"the invoice is missing"})").status, 204);
    QCOMPARE(agent->post("/v1/tasks/t%2F1/end", R"({"agent":"a1","outcome":"done"})").status, 204);
    QVERIFY(isDenied(agent->post("/v1/steps", step("t/1")))); // an ended task's id is never used again
    QCOMPARE(fleet.count<rules::TaskNoted>(), std::size_t{1});
    QCOMPARE(fleet.count<rules::TaskEnded>(), std::size_t{1});
}

void TestAgentsDoor::agentsSeeTheirLimits()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    for (int n = 0; n < 4; ++n)
        agent->post("/v1/steps", step("t1"));
    const auto answer = agent->get("/v1/agents/a1");
    QCOMPARE(answer.status, 200);
    const auto json = DoorFixture::jsonOf(answer);
    QCOMPARE(json[u"agent"].toString(), QStringLiteral("a1"));
    QCOMPARE(json[u"trips"].toArray().size(), 1);
    QCOMPARE(json[u"trips"][0][u"signal"].toString(), QStringLiteral("steps"));
    QVERIFY(json[u"limits"].toArray().size() >= 5);
    QCOMPARE(agent->get("/v1/agents/a2").status, 403);
    QCOMPARE(agent->request("HEAD", "/healthz", {}).body, std::string());
}

void TestAgentsDoor::aRepeatCountsOnceOverARestart()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    auto agent = fleet.client();
    const auto token = agent->token;
    const auto body = step("t1", R"(,"id":"one")");
    QVERIFY(isAllowed(agent->post("/v1/steps", body)));
    QVERIFY(isAllowed(agent->post("/v1/steps", body)));
    agent->leave();
    fleet.closeDoor();
    fleet.restart();
    fleet.openDoor();
    agent = std::make_unique<HttpClient>(fleet.socketPath());
    agent->token = token; // the log knows it
    QVERIFY(isAllowed(agent->post("/v1/steps", body)));
    QCOMPARE(fleet.count<rules::StepAsked>(), std::size_t{1});
    QCOMPARE(agent->post("/v1/steps", step("t1", R"(,"model":"m","id":"one")")).status, 409);
    QCOMPARE(agent->post("/v1/steps/one/result", R"({"ok":true})").status, 204);
    QCOMPARE(agent->post("/v1/steps", body).status, 409);
}

void TestAgentsDoor::aDenyByTheSwitchStaysADeny()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    QVERIFY(isAllowed(agent->post("/v1/steps", step("t1"))));
    const auto stopped = fleet.send(rules::StopAgent{"a1", rules::Rung::Open, "ana", "looks odd"});
    const auto trip = std::get<rules::ActDone>(stopped.outcome).trip;
    const auto body = step("t9", R"(,"id":"late")");
    const auto denied = agent->post("/v1/steps", body);
    QVERIFY(isDenied(denied));
    fleet.send(rules::Acknowledge{trip, "ana", {}});
    fleet.send(rules::Rearm{.trip = trip, .by = "ana", .reason = "it was looked at", .to = rules::Rung::Closed});
    QVERIFY(isAllowed(agent->post("/v1/steps", step("t9"))));
    QCOMPARE(agent->post("/v1/steps", body).body, denied.body);
    QCOMPARE(agent->post("/v1/steps", step("t9", R"(,"model":"m","id":"late")")).status, 409);
    QCOMPARE(agent->post("/v1/steps", step("t8", R"(,"id":"late")")).status, 409);
    QCOMPARE(agent->post("/v1/calls", call("search", "{}", R"(,"id":"late")", "t9")).status, 409);
    QCOMPARE(agent->post("/v1/tasks/t9/end", R"({"agent":"a1"})").status, 204);
    QVERIFY(isAllowed(agent->post("/v1/steps", step("t10", R"(,"id":"late")")))); // free again with its task's end
}

void TestAgentsDoor::wrongCredentials_data()
{
    QTest::addColumn<QString>("who");
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("status");
    struct Exchange {
        const char *method;
        const char *target;
        const char *body;
    };
    const Exchange routes[]{
        {"POST", "/v1/steps", R"({"agent":"a1","task":"t1"})"},
        {"POST", "/v1/steps/ask-1/result", R"({"ok":true})"},
        {"POST", "/v1/calls", R"({"agent":"a1","task":"t1","tool":"search","arguments":{}})"},
        {"POST", "/v1/calls/ask-1/result", R"({"outcome":"success"})"},
        {"POST", "/v1/tasks/t1/note", R"({"agent":"a1","text":"x"})"},
        {"POST", "/v1/tasks/t1/end", R"({"agent":"a1"})"},
        {"GET", "/v1/agents/a1", ""},
    };
    for (const auto &route : routes) {
        for (const auto *who : {"nobody", "made up", "a feed", "revoked", "cut short", "basic"}) {
            const int status = std::string_view(who) == "a feed" ? 403 : 401;
            QTest::addRow("%s %s as %s", route.method, route.target, who)
                << QString::fromLatin1(who) << QString::fromLatin1(route.method) << QString::fromLatin1(route.target)
                << QString::fromLatin1(route.body) << status;
        }
        QTest::addRow("%s %s as another agent", route.method, route.target)
            << QStringLiteral("another") << QString::fromLatin1(route.method) << QString::fromLatin1(route.target)
            << QString::fromLatin1(route.body) << 403;
    }
}

void TestAgentsDoor::wrongCredentials()
{
    QFETCH(QString, who);
    QFETCH(QString, method);
    QFETCH(QString, target);
    QFETCH(QString, body);
    QFETCH(int, status);
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    HttpClient client(fleet.socketPath());
    if (who == QStringLiteral("made up")) {
        client.token = trust::newTokenSecret();
    } else if (who == QStringLiteral("a feed")) {
        client.token = fleet.tokenOf({}, "otlp");
    } else if (who == QStringLiteral("revoked")) {
        client.token = fleet.tokenOf("a1");
        fleet.send(rules::RevokeToken{fleet.lastToken, "ana", {}});
    } else if (who == QStringLiteral("cut short")) {
        client.token = fleet.tokenOf("a1");
        client.token.pop_back();
    } else if (who == QStringLiteral("another")) {
        client.token = fleet.tokenOf("a2");
    }
    // An ask of the agent that is spoken for, in the place of the made up one.
    const auto isCall = target.contains(QStringLiteral("/calls"));
    const auto ask = isCall ? fleet.call("search", "{}").id : fleet.step("t1").id;
    target.replace(QStringLiteral("ask-1/"), QStringLiteral("ask-%1/").arg(ask.value));
    const auto asks = fleet.count<rules::StepAsked>() + fleet.count<rules::CallAsked>();
    HttpAnswer answer;
    if (who == QStringLiteral("basic")) {
        const auto text = body.toStdString();
        client.sendRaw(
            method.toStdString() + ' ' + target.toStdString()
            + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic YTpi\r\nContent-Type: application/json\r\n"
              "Content-Length: "
            + std::to_string(text.size()) + "\r\n\r\n" + text);
        answer = client.receive();
    } else {
        answer = client.request(method.toStdString(), target.toStdString(), body.toStdString());
    }
    QCOMPARE(answer.status, status);
    QCOMPARE(fleet.count<rules::StepAsked>() + fleet.count<rules::CallAsked>(), asks);
    QCOMPARE(fleet.count<rules::StepFinished>() + fleet.count<rules::CallFinished>(), std::size_t{0});
    QCOMPARE(fleet.count<rules::TaskNoted>() + fleet.count<rules::TaskEnded>(), std::size_t{0});
    fleet.door().look();
    QTRY_COMPARE(fleet.count<rules::ActRefused>(), std::size_t{1});
    const auto log = fleet.log();
    const auto &refused = std::get<rules::ActRefused>(log.back().payload);
    QCOMPARE(refused.act, std::string("agents' door"));
    QVERIFY2(refused.why.starts_with("1 request: "), refused.why.c_str());
}

void TestAgentsDoor::revokedTokensEndAtOnce()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    QVERIFY(isAllowed(agent->post("/v1/steps", step("t1"))));
    fleet.send(rules::RevokeToken{fleet.lastToken, "ana", {}});
    QCOMPARE(agent->post("/v1/steps", step("t1")).status, 401); // on the connection that it had
}

void TestAgentsDoor::noOperatorsVerbIsHere_data()
{
    QTest::addColumn<QString>("target");
    for (const auto *verb : {"ack",      "rearm",    "approve",      "pass",         "stop",           "release",
                             "isolate",  "probe",    "reset",        "policy",       "policy/apply",   "operators",
                             "requests", "tokens",   "queue/resume", "confirm-time", "clear-sentinel", "accept-store",
                             "grant",    "breakers", "trips",        "events"})
        QTest::newRow(verb) << QStringLiteral("/v1/") + QString::fromLatin1(verb);
}

void TestAgentsDoor::noOperatorsVerbIsHere()
{
    QFETCH(QString, target);
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    for (const auto *method : {"POST", "GET", "PUT", "DELETE", "PATCH"}) {
        const auto answer = agent->request(method, target.toStdString(), R"({"trip":1,"reason":"let me go on"})");
        QVERIFY2(answer.status == 404 || answer.status == 405 || answer.status == 501,
                 std::to_string(answer.status).c_str());
    }
}

void TestAgentsDoor::wrongRequests_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("status");
    const auto row
        = [](const char *name, const char *method, const char *target, const char *type, const char *body, int status) {
              QTest::newRow(name) << QString::fromLatin1(method) << QString::fromLatin1(target)
                                  << QString::fromLatin1(type) << QString::fromUtf8(body) << status;
          };
    row("no JSON type", "POST", "/v1/steps", "text/plain", R"({"agent":"a1","task":"t"})", 415);
    row("form", "POST", "/v1/steps", "application/x-www-form-urlencoded", "agent=a1", 415);
    row("JSON with a charset", "POST", "/v1/steps", "Application/JSON; charset=utf-8", R"({"agent":"a1","task":"t"})",
        200);
    row("broken JSON", "POST", "/v1/steps", "application/json", "{", 400);
    row("wrong field", "POST", "/v1/steps", "application/json", R"({"agent":"a1","task":7})", 422);
    row("GET of an ask", "GET", "/v1/steps", "", "", 405);
    row("POST of an agent", "POST", "/v1/agents/a1", "application/json", "{}", 405);
    row("POST of health", "POST", "/healthz", "application/json", "{}", 405);
    row("no such path", "GET", "/v2/steps", "", "", 404);
    row("too short a path", "POST", "/v1/steps//result", "application/json", "{}", 404);
    row("a path in a name", "POST", "/v1/tasks/a/b/note", "application/json", "{}", 404);
    row("broken escape", "POST", "/v1/tasks/a%2/note", "application/json", "{}", 400);
    row("NUL in a path", "POST", "/v1/tasks/a%00/note", "application/json", "{}", 400);
    row("no UTF-8 in a path", "POST", "/v1/tasks/a%FF/note", "application/json", "{}", 400);
    row("an unknown parent", "POST", "/v1/steps", "application/json", R"({"agent":"a1","task":"t","parent":"p"})", 422);
}

void TestAgentsDoor::wrongRequests()
{
    QFETCH(QString, method);
    QFETCH(QString, target);
    QFETCH(QString, type);
    QFETCH(QString, body);
    QFETCH(int, status);
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    const auto answer
        = agent->request(method.toStdString(), target.toStdString(), body.toStdString(), type.toStdString());
    QCOMPARE(answer.status, status);
    if (status >= 400)
        QVERIFY2(answer.says(R"({"error":{"code":)"), answer.body.c_str());
    if (status == 405)
        QVERIFY(answer.head.find("Allow: ") != std::string::npos);
}

void TestAgentsDoor::oneAgentThatFloodsWaits()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.options.requestsPerSecond = 1;
    fleet.options.burst = 5;
    fleet.openDoor();
    const auto noisy = fleet.client("a1");
    int waits = 0;
    for (int n = 0; n < 20; ++n) {
        const auto answer = noisy->post("/v1/steps", step("t" + std::to_string(n)));
        if (answer.status == 429) {
            ++waits;
            QVERIFY2(answer.head.find("Retry-After: 1") != std::string::npos, answer.head.c_str());
        }
    }
    QVERIFY(waits >= 10);
    const auto quiet = fleet.client("a2");
    QVERIFY(isAllowed(quiet->post("/v1/steps", step("t", {}, "a2"))));
}

void TestAgentsDoor::madeUpNamesAreBounded()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.options.requestsPerSecond = 1'000'000;
    fleet.options.burst = 1'000'000;
    fleet.openDoor();
    const auto noisy = fleet.client("a1");
    int refused = 0;
    for (int n = 0; n < 5'500; ++n)
        refused += noisy->post("/v1/steps", step("t" + std::to_string(n))).status == 429 ? 1 : 0;
    QVERIFY2(refused > 100, std::to_string(refused).c_str());
    QVERIFY(fleet.fleet()->tasks.size() < 5'400);
    QVERIFY(isAllowed(noisy->post("/v1/steps", step("t1")))); // what is known is asked about as before
    const auto quiet = fleet.client("a2");
    QVERIFY(isAllowed(quiet->post("/v1/steps", step("t", {}, "a2"))));
}

void TestAgentsDoor::longBodiesCountAsSeveral()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.options.requestsPerSecond = 1;
    fleet.options.burst = 100;
    fleet.openDoor();
    const auto agent = fleet.client();
    const auto large = call("search", '"' + std::string(200'000, 'x') + '"'); // of the size of 49 requests
    QCOMPARE(agent->post("/v1/calls", large).status, 200);
    agent->post("/v1/calls", large);
    QCOMPARE(agent->post("/v1/calls", large).status, 429);
}

void TestAgentsDoor::aFailingStoreDenies()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    QVERIFY(isAllowed(agent->post("/v1/steps", step("t1"))));
    QCOMPARE(agent->get("/readyz").status, 200);
    fleet.script->failFrom = fleet.script->appends + 1;
    for (int n = 0; n < 3; ++n) {
        const auto answer = agent->post("/v1/steps", step("t1"));
        QCOMPARE(answer.status, 503);
        QVERIFY(answer.body.find("fleet.db") == std::string::npos); // no path of this machine for an agent
    }
    QCOMPARE(agent->get("/readyz").status, 503);
    QCOMPARE(agent->get("/healthz").status, 200);
    QCOMPARE(agent->get("/v1/agents/a1").status, 503); // no rung of before is told as of now
    QVERIFY(agent->get("/metrics").says("handreset_store_writable 0"));
}

void TestAgentsDoor::probesAndMetrics()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.options.logBytes = [] { return std::uint64_t{12345}; };
    fleet.options.linkClients = [] { return std::size_t{2}; };
    fleet.openDoor();
    const auto agent = fleet.client();
    for (int n = 0; n < 4; ++n)
        agent->post("/v1/steps", step("t1"));
    agent->post("/v1/calls", call("search", "{}", {}, "t2"));
    HttpClient scraper(fleet.socketPath());
    const auto answer = scraper.get("/metrics");
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.head.find("text/plain; version=0.0.4") != std::string::npos);
    for (const auto *line : {R"(handreset_decisions_total{kind="step",answer="allow",source=""} 3)",
                             R"(handreset_decisions_total{kind="step",answer="deny",source="steps"} 1)",
                             R"(handreset_decisions_total{kind="call",answer="allow",source=""} 1)",
                             R"(handreset_breaker_state{breaker="search",state="CLOSED"} 1)",
                             R"(handreset_agent_rung{agent="a1",state="closed"} 1)",
                             R"(handreset_trips_active{signal="steps"} 1)", "handreset_store_bytes 12345",
                             "handreset_link_clients 2", R"(handreset_decision_seconds_count{kind="step"} 4)",
                             "handreset_commit_seconds_count", "handreset_store_writable 1"})
        QVERIFY2(answer.says(line), (std::string(line) + " is not in\n" + answer.body).c_str());
    for (const auto &part : QString::fromStdString(answer.body).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        static const QRegularExpression kLine(
            QStringLiteral(R"(^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{([a-z]+="[^"]*",?)+\})? [0-9.]+)$)"));
        QVERIFY2(kLine.match(part).hasMatch(), qPrintable(part));
    }
}

void TestAgentsDoor::metricsAreBoundedAndEscaped()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    for (int n = 0; n < 1'000; ++n)
        fleet.step("t", "agent-" + std::to_string(n));
    fleet.step("t", "\"} evil 1\n\\ \xe2\x80\xae" + std::string(400, 'x'));
    fleet.send(rules::StopAgent{"agent-777", rules::Rung::Open, "ana", "for the test"});
    HttpClient scraper(fleet.socketPath());
    const auto answer = scraper.get("/metrics");
    QVERIFY(answer.body.size() < 200'000);
    QVERIFY(answer.says(R"(handreset_agent_rung{agent="agent-777",state="open"} 1)"));
    QVERIFY(answer.says(R"(handreset_agents{rung="closed"} 1000)"));
    QVERIFY(answer.body.find("\n evil") == std::string::npos && answer.body.find("} evil 1\n") == std::string::npos);
}

void TestAgentsDoor::anAgentOverTcp()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    HttpClient agent(fleet.door().port());
    agent.token = fleet.tokenOf("a1");
    QVERIFY(isAllowed(agent.post("/v1/steps", step("t1"))));
}

void TestAgentsDoor::aStopInAFloodIsInForce()
{
    constexpr int kAgents = 16;
    const int kStops = qEnvironmentVariableIsSet("HANDRESET_LONG") ? 200 : 20;
    DoorFixture fleet;
    fleet.usePolicy(test::policyText("steps = { limit = 1000000 }"));
    fleet.options.requestsPerSecond = 0;
    fleet.openDoor();
    // The stops come as a desk's would: over the operators' link, by a client that follows the flood.
    link::LinkServerOptions serving;
    serving.storePath = fleet.path();
    serving.clock = &fleet.clock;
    auto server = link::LinkServer::start(fleet.host(), std::move(serving));
    QVERIFY(server.ok());
    link::LinkedHostOptions linking;
    linking.socketPath = link::socketPathOf(fleet.path());
    link::LinkedHost desk(std::move(linking));
    QVERIFY(desk.waitUntilUp(std::chrono::seconds(10)).ok());
    std::atomic<bool> isOver = false;
    std::atomic<std::uint64_t> answers = 0;
    std::vector<std::thread> flood;
    for (int n = 0; n < kAgents; ++n) {
        const auto name = "noise-" + std::to_string(n);
        flood.emplace_back([&, name, token = fleet.tokenOf(name)] {
            HttpClient client(fleet.socketPath());
            client.token = token;
            while (!isOver) {
                if (client.post("/v1/steps", step("t", {}, name)).status == 200)
                    ++answers;
            }
        });
    }
    std::vector<std::chrono::microseconds> took;
    for (int n = 0; n < kStops; ++n) {
        const auto name = "victim-" + std::to_string(n);
        std::atomic<bool> isStopped = false;
        std::atomic<int> allowedAfter = 0;
        HttpClient client(fleet.socketPath());
        client.token = fleet.tokenOf(name);
        const auto repeated = step("t", R"(,"id":"same")", name);
        const auto first = client.post("/v1/steps", repeated);
        if (!isAllowed(first))
            qFatal("%d %s", first.status, first.body.c_str());
        std::thread victim([&] {
            bool wasStopped = false;
            for (int more = 0; more < 20;) {
                wasStopped = isStopped;
                const bool isAllowedNow
                    = isAllowed(client.post("/v1/steps", more % 2 == 0 ? step("t", {}, name) : repeated));
                if (wasStopped) {
                    ++more;
                    allowedAfter += isAllowedNow ? 1 : 0;
                }
            }
        });
        const auto start = std::chrono::steady_clock::now();
        const auto reply = engine::submitAndWait(desk, rules::StopAgent{name, rules::Rung::Open, "ana", "it floods"});
        took.push_back(std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start));
        isStopped = true;
        victim.join();
        QVERIFY(std::holds_alternative<rules::ActDone>(reply.outcome));
        QCOMPARE(allowedAfter.load(), 0);
    }
    isOver = true;
    for (auto &thread : flood)
        thread.join();
    std::sort(took.begin(), took.end());
    const auto slow = took[took.size() * 99 / 100];
    qInfo("%d stops over the link in a flood: median %lld us, p99 %lld us, worst %lld us; %llu answers meanwhile",
          kStops, static_cast<long long>(took[took.size() / 2].count()), static_cast<long long>(slow.count()),
          static_cast<long long>(took.back().count()), static_cast<unsigned long long>(answers.load()));
    QVERIFY(slow < std::chrono::milliseconds(250));
}

void TestAgentsDoor::hostileNamesAreOpaque()
{
    DoorFixture fleet;
    fleet.usePolicy(kPolicy);
    fleet.openDoor();
    const auto agent = fleet.client();
    const auto answer = agent->post(
        "/v1/calls",
        R"({"agent":"a1","task":"'; DROP TABLE event; --","tool":"../../etc/passwd","arguments":"{%s}${x}"})");
    QVERIFY2(isAllowed(answer), answer.body.c_str());
    QCOMPARE(fleet.verifyStopped(), std::string());
}

QTEST_GUILESS_MAIN(TestAgentsDoor)
#include "tst_agents_door.moc"

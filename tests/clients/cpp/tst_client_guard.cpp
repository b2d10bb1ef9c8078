// The C++ client's Guard over real sockets, with a gate that behaves as it should and as it should not.
#include "gate_stand_in.h"
#include "handreset_guard.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <set>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

using namespace handreset::client;
using namespace handreset::test;
using namespace std::chrono_literals;

namespace {

using Times = std::vector<std::chrono::milliseconds>;

/// Where how long an answer takes is not what is tested: the machine may be busy.
constexpr auto kPatient = 10s;
/// Where an answer that never comes is waited for.
constexpr auto kBrief = 800ms;

Options optionsFor(const GateStandIn &gate, std::chrono::milliseconds timeout = kPatient)
{
    Options options;
    options.agent = "billing";
    options.task = "t1";
    options.address = gate.address();
    options.token = "secret";
    options.timeout = timeout;
    options.tools["look_up"] = Access::Read;
    return options;
}

Options leasing(Options options, std::chrono::milliseconds lease = 30s)
{
    options.offline = Offline::Lease;
    options.lease = lease;
    return options;
}

/// With ' for ", because moc 6.4 loses its way in raw strings.
std::string json(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

std::string lastResult(const GateStandIn &gate)
{
    const auto posts = gate.posts();
    return posts.empty() ? "none" : posts.back().body;
}

/// The refusal that the ask meets; an allow where there is none.
template <class Ask>
Decision refusalOf(const Ask &ask)
{
    try {
        ask();
    } catch (const Denied &denied) {
        return denied.decision();
    }
    Decision allowed;
    allowed.allowed = true;
    return allowed;
}

/// A gate that was waited for in vain once is left alone for 250 ms.
void letThePausePass()
{
    QTest::qSleep(300);
}

Decision refusedCall(Guard &guard, const std::string &tool)
{
    return refusalOf([&] { (void)guard.call(tool); });
}

} // namespace

class TestClientGuard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aStepAndItsResult();
    void degradedItTellsTheModel();
    void leavingAStepTells();
    void aResultIsToldOnce();
    void aCallAndItsResult();
    void leavingACallTells();
    void aRefusalReportsNothing();
    void aRefusalWithinIsNobodysFailure();
    void anErrorWhileARefusalIsHandledIsAFailure();
    void triesWithinOneCall();
    void oneFailureWhenAllAreUsedUp();
    void ourOwnMistakeIsNotTriedAgain();
    void theSecondTryCarriesTheSameId_data();
    void theSecondTryCarriesTheSameId();
    void twoBadAnswersAreNoAnswer_data() { theSecondTryCarriesTheSameId_data(); }
    void twoBadAnswersAreNoAnswer();
    void connectionsAreKeptAndOpenedAgain();
    void aWrongRequestIsAnError();
    void theStoreCannotBeWritten();
    void aFloodIsToldWhenToComeBack();
    void neverContacted();
    void aLeaseAndItsEnd();
    void openStaysOpenWhileTheGateIsAway();
    void resultsWaitInOrder();
    void aResultThatIsInAlready();
    void aResultThatTheGateCanNeverTake();
    void aWrongResultIsToldToTheProgram();
    void anAskWhoseAnswerWasLostIsTakenBack();
    void whatWasMadeOnALeaseIsCounted();
    void whatIsNotCountedIsSaid();
    void aLateAskIsSentUntilItIsIn();
    void aGateThatHangsCostsItsFirstMissOnly();
    void notesEndsAndLooks();
    void aTaskThatTheGateDoesNotKnow();
    void aLookTooManyIsNoMistake();
    void theEnvironmentAndWhatIsMissing();
    void threadsShareAGuard();
    void aForkedChildHasItsOwnConnections();
};

void TestClientGuard::aStepAndItsResult()
{
    GateStandIn gate;
    auto options = optionsFor(gate);
    options.session = "s1";
    options.parent = "p1";
    Guard guard(options);
    {
        auto step = guard.step({"eu", "large", "0.05 USD"});
        QCOMPARE(step.model(), std::string("large"));
        StepResult result;
        result.status = 200;
        result.cost = "0.070";
        result.currency = "USD";
        result.tokensIn = 0;
        result.tokensOut = 12;
        result.retryAfter = 1000000;
        step.result(result);
    }
    const auto requests = gate.requests();
    QCOMPARE(requests.size(), std::size_t(2));
    const auto id = requests[0].field("id");
    QCOMPARE(requests[0].body,
             json("{'endpoint':'eu','model':'large','estimated_cost':'0.05 "
                  "USD','agent':'billing','task':'t1','session':'s1','parent':'p1','id':'")
                 + id + "\"}");
    QVERIFY(id.size() == 32);
    QVERIFY(requests[0].head.find("\r\nAuthorization: Bearer secret\r\n") != std::string::npos);
    QCOMPARE(requests[1].path, "/v1/steps/" + id + "/result");
    QCOMPARE(requests[1].body,
             json("{'ok':true,'status':200,'cost':'0.070','currency':'USD','tokens_in':0,'tokens_out':12,'retry_after':"
                  "86400}"));
}

void TestClientGuard::degradedItTellsTheModel()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    gate.otherwise(allow("degraded", json(",'model':'small'")));
    QCOMPARE(guard.step().model(), std::string("small"));
    gate.otherwise(deny("degraded", "rung", "\"after_human\""));
    const auto refusal = refusalOf([&] { (void)guard.step({"", "large", ""}); });
    QCOMPARE(refusal.model, std::string("small"));
    QVERIFY(refusal.rung == Rung::Degraded);
    QVERIFY(guard.rung() == Rung::Degraded);
}

void TestClientGuard::leavingAStepTells()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    (void)guard.step();
    QCOMPARE(lastResult(gate), json("{'ok':true}"));
    try {
        const auto step = guard.step();
        throw std::runtime_error("with a secret");
    } catch (const std::runtime_error &) {}
    QCOMPARE(lastResult(gate), json("{'ok':false,'error':'exception'}"));
}

void TestClientGuard::aResultIsToldOnce()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    {
        auto step = guard.step();
        step.result({});
        QVERIFY_THROWS_EXCEPTION(std::logic_error, step.result({}));
    }
    QCOMPARE(gate.posts().size(), std::size_t(1));
}

void TestClientGuard::aCallAndItsResult()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    (void)guard.call("send", json("{'to':'Zo\\u00eb','n':[1,null,1.50]}"));
    const auto requests = gate.requests();
    QCOMPARE(requests[0].path, std::string("/v1/calls"));
    QVERIFY(requests[0].body.find(json("'tool':'send','arguments':{'to':'Zo\\u00eb','n':[1,null,1.50]}"))
            != std::string::npos);
    QCOMPARE(requests[1].path, "/v1/calls/" + requests[0].field("id") + "/result");
    QCOMPARE(requests[1].body, json("{'outcome':'success'}"));
    for (const auto &wrong :
         {json(""), json("{"), json("{'a':1},'agent':'another'"), json("{'a':1,'a':2}"), json("NaN")})
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, (void)guard.call("send", wrong));
    QCOMPARE(gate.requests().size(), std::size_t(2));
}

void TestClientGuard::leavingACallTells()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    try {
        const auto call = guard.call("send");
        throw 1;
    } catch (int) {}
    QCOMPARE(lastResult(gate), json("{'outcome':'failure','error':'exception'}"));
    try {
        auto call = guard.call("send");
        call.neutral("bad date");
        throw 1;
    } catch (int) {}
    QCOMPARE(lastResult(gate), json("{'outcome':'neutral','error':'bad date'}"));
    {
        auto call = guard.call("send");
        call.setChanged(false);
        call.failure("HTTP 503");
    }
    QCOMPARE(lastResult(gate), json("{'outcome':'failure','error':'HTTP 503','changed':false}"));
    {
        auto call = guard.call("send");
        const auto moved = std::move(call);
    }
    QCOMPARE(gate.posts().size(), std::size_t(4));
}

void TestClientGuard::aRefusalReportsNothing()
{
    GateStandIn gate;
    gate.otherwise(deny("closed", "breaker", json("{'after_calls':1}")));
    Guard guard(optionsFor(gate));
    for (int n = 0; n < 3; ++n) {
        const auto refusal = refusedCall(guard, "send");
        QCOMPARE(refusal.breaker, std::string("send"));
        QCOMPARE(refusal.trip, std::string("7"));
    }
    QCOMPARE(gate.requests().size(), std::size_t(3));
}

void TestClientGuard::aRefusalWithinIsNobodysFailure()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    gate.script({allow(), allow(), deny()});
    QVERIFY(!refusalOf([&] {
                 const auto step = guard.step();
                 const auto call = guard.call("plan");
                 (void)guard.call("send");
             }).allowed);
    const auto posts = gate.posts();
    QCOMPARE(posts.size(), std::size_t(2));
    QCOMPARE(posts[0].body, json("{'outcome':'neutral','error':'exception'}"));
    QCOMPARE(posts[1].body, json("{'ok':true}"));
}

void TestClientGuard::anErrorWhileARefusalIsHandledIsAFailure()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    gate.script({deny()});
    try {
        (void)guard.call("send");
        QFAIL("not refused");
    } catch (const Denied &) { // it lives on while it is handled
        try {
            const auto call = guard.call("other");
            throw std::runtime_error("the tool's own");
        } catch (const std::runtime_error &) {}
    }
    QCOMPARE(lastResult(gate), json("{'outcome':'failure','error':'exception'}"));
}

void TestClientGuard::triesWithinOneCall()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    int made = 0;
    Times slept;
    RetryPlan plan;
    plan.sleep = [&](std::chrono::milliseconds length) { slept.push_back(length); };
    const auto answer = guard.run(
        "send", json("{'a':1}"),
        [&] {
            if (++made < 3)
                throw std::runtime_error("down");
            return std::string("done");
        },
        plan);
    QCOMPARE(answer, std::string("done"));
    QCOMPARE(made, 3);
    QVERIFY((slept == Times{100ms, 200ms}));
    QCOMPARE(gate.asks().size(), std::size_t(1));
    QCOMPARE(gate.posts().size(), std::size_t(1));
    QCOMPARE(lastResult(gate), json("{'outcome':'success'}"));
}

void TestClientGuard::oneFailureWhenAllAreUsedUp()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    int made = 0;
    RetryPlan plan;
    plan.sleep = [](std::chrono::milliseconds) {};
    const auto down = [&] {
        ++made;
        throw std::runtime_error("down");
    };
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, guard.run("send", "{}", down, plan));
    QCOMPARE(made, 3);
    QCOMPARE(gate.posts().size(), std::size_t(1));
    QCOMPARE(lastResult(gate), json("{'outcome':'failure','error':'std::runtime_error'}"));
    gate.otherwise(deny());
    QVERIFY_THROWS_EXCEPTION(Denied, guard.run("send", "{}", down, plan));
    QCOMPARE(made, 3); // the tool was not touched
    QCOMPARE(gate.posts().size(), std::size_t(1));
}

void TestClientGuard::ourOwnMistakeIsNotTriedAgain()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    int made = 0;
    RetryPlan plan;
    plan.isOurMistake
        = [](const std::exception &e) { return dynamic_cast<const std::invalid_argument *>(&e) != nullptr; };
    const auto wrong = [&] {
        ++made;
        throw std::invalid_argument("no such room");
    };
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, guard.run("send", "{}", wrong, plan));
    QCOMPARE(lastResult(gate), json("{'outcome':'neutral','error':'std::invalid_argument'}"));
    gate.script({allow(), deny()});
    const auto refused = [&] {
        ++made;
        (void)guard.call("other");
    };
    QVERIFY_THROWS_EXCEPTION(Denied, guard.run("send", "{}", refused, plan));
    QCOMPARE(made, 2);
    QCOMPARE(lastResult(gate), json("{'outcome':'neutral','error':'exception'}"));
}

void TestClientGuard::theSecondTryCarriesTheSameId_data()
{
    QTest::addColumn<Behaviour>("bad");
    QTest::addColumn<bool>("overTcp");
    const std::vector<std::pair<const char *, Behaviour>> kinds{
        {"drop", drop()},
        {"cut", cut()},
        {"trickle", trickle()},
        {"slow", slow(10s)},
        {"500", status(500)},
        {"408", status(408)},
        {"garbage", raw(std::string("\0\xff not http\r\n\r\n", 15))},
        {"huge", raw("HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n" + std::string(400000, 'x'))},
        {"redirect", raw(answerText(302, {}, "Location: http://127.0.0.1:1/\r\n"))},
        {"another's", raw(answerText(200, json("{'id':'another','decision':'allow','rung':'closed','writes':true}")))},
        {"not JSON", raw(answerText(200, "allow"))}};
    for (const auto &[name, bad] : kinds)
        for (const bool overTcp : {false, true})
            QTest::addRow("%s over %s", name, overTcp ? "TCP" : "a Unix socket") << bad << overTcp;
}

void TestClientGuard::theSecondTryCarriesTheSameId()
{
    QFETCH(Behaviour, bad);
    QFETCH(bool, overTcp);
    GateStandIn gate(overTcp);
    gate.script({bad, allow()});
    Guard guard(optionsFor(gate, kBrief));
    QVERIFY(!guard.call("send").decision().offline);
    const auto asks = gate.asks();
    QCOMPARE(asks.size(), std::size_t(2));
    QCOMPARE(asks[0].body, asks[1].body);
    QTRY_COMPARE(gate.posts().size(), std::size_t(1));
}

void TestClientGuard::twoBadAnswersAreNoAnswer()
{
    QFETCH(Behaviour, bad);
    QFETCH(bool, overTcp);
    GateStandIn gate(overTcp);
    Guard guard(leasing(optionsFor(gate, kBrief)));
    (void)guard.call("send");
    gate.script({bad, bad, bad}); // the first may hit a kept connection, which is no try
    const auto begun = std::chrono::steady_clock::now();
    const auto refusal = refusedCall(guard, "send");
    QVERIFY(std::chrono::steady_clock::now() - begun < 2 * kBrief + 2s);
    QVERIFY(!refusal.allowed && refusal.offline);
}

void TestClientGuard::connectionsAreKeptAndOpenedAgain()
{
    GateStandIn gate;
    auto options = optionsFor(gate);
    options.tries = 1;
    Guard guard(options);
    for (int n = 0; n < 5; ++n)
        (void)guard.call("send");
    QCOMPARE(gate.connections(), 1);
    gate.hangUp();
    QVERIFY(!guard.call("send").decision().offline);
    gate.script({drop(), allow()}); // it closes just as the request comes
    QVERIFY(!guard.call("send").decision().offline);
    QCOMPARE(gate.connections(), 3);
    std::set<std::string> ids;
    for (const auto &ask : gate.asks())
        ids.insert(ask.field("id"));
    QCOMPARE(ids.size(), std::size_t(7));
}

void TestClientGuard::aWrongRequestIsAnError()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    for (const int code : {400, 401, 403, 404, 409, 413, 415, 422}) {
        gate.otherwise(status(code));
        try {
            (void)guard.call("send");
            QFAIL("not refused");
        } catch (const WrongRequest &wrong) {
            QCOMPARE(wrong.status(), code);
            QCOMPARE(wrong.error().field, std::string("arguments"));
            QCOMPARE(wrong.error().offset, 17LL);
            QVERIFY(std::string(wrong.what()).find("as told, field arguments, byte 17") != std::string::npos);
        }
    }
    QVERIFY(gate.posts().empty());
    const auto asked = gate.asks().size();
    const auto large = '"' + std::string(300000, 'x') + '"';
    QVERIFY_THROWS_EXCEPTION(WrongRequest, (void)guard.call("send", large));
    QCOMPARE(gate.asks().size(), asked); // said before it is sent
}

void TestClientGuard::theStoreCannotBeWritten()
{
    GateStandIn gate;
    Guard guard(leasing(optionsFor(gate)));
    (void)guard.call("look_up");
    gate.otherwise(status(503, "Retry-After: 5\r\n"));
    const auto refusal = refusedCall(guard, "look_up");
    QVERIFY(!refusal.allowed && !refusal.offline && refusal.rung == Rung::Open);
    QCOMPARE(refusal.retry.amount, 5.0);
    QCOMPARE(gate.asks().size(), std::size_t(2)); // an answer is not tried again
    gate.stop();
    QVERIFY(!refusedCall(guard, "look_up").allowed); // and no lease outlives it
}

void TestClientGuard::aFloodIsToldWhenToComeBack()
{
    GateStandIn gate;
    gate.otherwise(status(429, "Retry-After: 3\r\n"));
    Guard guard(optionsFor(gate));
    const auto refusal = refusedCall(guard, "send");
    QVERIFY(!refusal.allowed && refusal.retry.kind == Retry::Kind::AfterSeconds);
    QCOMPARE(refusal.retry.amount, 3.0);
    QVERIFY(gate.posts().empty());
}

void TestClientGuard::neverContacted()
{
    GateStandIn gate;
    gate.stop();
    Guard guard(leasing(optionsFor(gate)));
    QVERIFY(!refusalOf([&] { (void)guard.step(); }).allowed);
    for (const auto *tool : {"look_up", "send"})
        QVERIFY(refusedCall(guard, tool).text.find("never answered") != std::string::npos);
    QCOMPARE(guard.unsent(), std::size_t(0)); // nothing was sent, so there is nothing to take back
    QVERIFY_THROWS_EXCEPTION(Unreached, (void)guard.look());
}

void TestClientGuard::aLeaseAndItsEnd()
{
    GateStandIn gate;
    Guard guard(leasing(optionsFor(gate), 2s));
    (void)guard.call("look_up");
    (void)guard.call("send");
    gate.stop();
    QVERIFY(guard.call("look_up").decision().offline);
    QVERIFY(!refusedCall(guard, "send").allowed);
    QTest::qSleep(2100);
    QVERIFY(refusedCall(guard, "look_up").text.find("lease") != std::string::npos);
}

void TestClientGuard::openStaysOpenWhileTheGateIsAway()
{
    GateStandIn gate;
    Guard guard(leasing(optionsFor(gate)));
    (void)guard.call("look_up");
    gate.script({deny("open", "steps", "\"after_human\"")});
    QVERIFY(!refusalOf([&] { (void)guard.step(); }).allowed);
    gate.stop();
    QVERIFY(refusedCall(guard, "look_up").text.find("open") != std::string::npos);
    gate.start();
    QVERIFY(!guard.call("look_up").decision().offline);
}

void TestClientGuard::resultsWaitInOrder()
{
    GateStandIn gate;
    Guard guard(leasing(optionsFor(gate)));
    {
        const auto first = guard.call("look_up", "1");
        const auto second = guard.call("look_up", "2");
        gate.stop();
    }
    QCOMPARE(guard.unsent(), std::size_t(2));
    QVERIFY(!guard.note("the gate was away"));
    gate.start();
    (void)guard.call("look_up", "3");
    QCOMPARE(guard.unsent(), std::size_t(0));
    const auto requests = gate.requests();
    QCOMPARE(requests[2].path, "/v1/calls/" + requests[1].field("id") + "/result"); // the later scope went first
    QCOMPARE(requests[3].path, "/v1/calls/" + requests[0].field("id") + "/result");
    QCOMPARE(requests[4].path, std::string("/v1/tasks/t1/note"));
    QCOMPARE(requests[5].path, std::string("/v1/calls")); // told before the next ask is judged
}

void TestClientGuard::aResultThatIsInAlready()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    gate.results(drop());
    (void)guard.call("send");
    QCOMPARE(guard.unsent(), std::size_t(1));
    gate.results(status(409));
    QVERIFY(guard.flush());
    gate.results(status(503));
    (void)guard.call("send");
    QCOMPARE(guard.unsent(), std::size_t(1));
    gate.results(nullptr);
    QVERIFY(guard.flush());
}

void TestClientGuard::aResultThatTheGateCanNeverTake()
{
    GateStandIn gate;
    auto options = optionsFor(gate);
    int warned = 0;
    options.warn = [&](const std::string &) { ++warned; };
    Guard guard(options);
    gate.results(status(500));
    (void)guard.call("send");
    QVERIFY(!guard.call("send").decision().offline); // it holds up neither asks
    for (int n = 0; n < 100; ++n)
        guard.flush();
    gate.results(nullptr);
    QVERIFY(guard.flush()); // nor the others
    QCOMPARE(guard.lost(), std::size_t(1));
    QCOMPARE(warned, 1);
}

void TestClientGuard::aWrongResultIsToldToTheProgram()
{
    GateStandIn gate;
    auto options = optionsFor(gate);
    std::string warned;
    options.warn = [&](const std::string &text) { warned = text; };
    Guard guard(options);
    gate.results(status(422));
    (void)guard.call("send");
    QVERIFY(warned.find("422 told: as told") != std::string::npos);
    QCOMPARE(guard.unsent(), std::size_t(0));
    QVERIFY_THROWS_EXCEPTION(WrongRequest, guard.note("x"));
}

void TestClientGuard::anAskWhoseAnswerWasLostIsTakenBack()
{
    GateStandIn gate;
    auto options = optionsFor(gate);
    bool warned = false;
    options.warn = [&](const std::string &) { warned = true; };
    Guard guard(options);
    gate.script({drop(), drop()});
    QVERIFY(!refusedCall(guard, "send").allowed);
    gate.results(status(404)); // the gate may never have heard of it
    QVERIFY(guard.flush());
    QVERIFY(!warned);
    QCOMPARE(gate.posts()[0].path, "/v1/calls/" + gate.asks()[0].field("id") + "/result");
    QVERIFY(gate.posts()[0].body.find(json("'outcome':'neutral'")) != std::string::npos);
    gate.script({drop(), drop(), drop()}); // the first one meets the kept connection
    QVERIFY(!refusalOf([&] { (void)guard.step(); }).allowed);
    guard.flush();
    QVERIFY(lastResult(gate).find(json("'ok':false,'status':499")) != std::string::npos);
    // Of what was refused or called wrong nothing is taken back.
    gate.script({deny(), status(422), status(429), status(503)});
    for (int n = 0; n < 4; ++n)
        QVERIFY_THROWS_EXCEPTION(GuardError, (void)guard.call("send"));
    QCOMPARE(guard.unsent(), std::size_t(0));
}

void TestClientGuard::whatWasMadeOnALeaseIsCounted()
{
    GateStandIn gate;
    Guard guard(leasing(optionsFor(gate)));
    (void)guard.step({"", "large", ""});
    (void)guard.call("look_up");
    gate.stop();
    std::vector<std::string> ids;
    ids.push_back(guard.call("look_up", "[1]").decision().id);
    {
        auto step = guard.step({"", "large", ""});
        ids.push_back(step.decision().id);
        StepResult result;
        result.tokensIn = 5;
        step.result(result);
    }
    QCOMPARE(guard.unsent(), std::size_t(2));
    const auto before = gate.requests().size();
    gate.start();
    QVERIFY(guard.flush());
    const auto requests = gate.requests();
    QCOMPARE(requests.size(), before + 4);
    QCOMPARE(requests[before].path, std::string("/v1/calls"));
    QCOMPARE(requests[before].field("id"), ids[0]);
    QVERIFY(requests[before].body.find(json("'tool':'look_up','arguments':[1],'agent':'billing','task':'t1'"))
            != std::string::npos);
    QCOMPARE(requests[before + 1].path, "/v1/calls/" + ids[0] + "/result");
    QCOMPARE(requests[before + 2].path, std::string("/v1/steps"));
    QCOMPARE(requests[before + 2].field("id"), ids[1]);
    QCOMPARE(requests[before + 3].path, "/v1/steps/" + ids[1] + "/result");
    QCOMPARE(requests[before + 3].body, json("{'ok':true,'tokens_in':5}"));
    QCOMPARE(guard.uncounted(), std::size_t(0));
    QCOMPARE(guard.lost(), std::size_t(0));
}

void TestClientGuard::whatIsNotCountedIsSaid()
{
    GateStandIn gate;
    auto options = leasing(optionsFor(gate));
    std::vector<std::string> warned;
    options.warn = [&](const std::string &text) { warned.push_back(text); };
    Guard guard(options);
    (void)guard.call("look_up");
    const auto told = gate.posts().size();
    gate.stop();
    for (int n = 0; n < 5; ++n)
        (void)guard.call("look_up", std::to_string(n));
    QCOMPARE(guard.unsent(), std::size_t(5));
    gate.start();
    gate.script({status(503), deny("open", "steps", "\"after_human\""), status(422), status(409), status(409)});
    QVERIFY(!guard.flush()); // the store cannot be written: later
    QVERIFY(warned.empty());
    gate.results(status(404)); // of two the gate says that they are in, and does not know them; the last it counts
    QVERIFY(guard.flush() && guard.flush());
    QCOMPARE(guard.uncounted(), std::size_t(4));
    QCOMPARE(guard.lost(), std::size_t(0));
    QCOMPARE(warned.size(), std::size_t(5));
    QVERIFY(warned[0].find("a call that was made on a lease is not counted") != std::string::npos);
    QVERIFY(warned[0].find("steps: ") != std::string::npos);
    QCOMPARE(gate.posts().size(), told + 3); // what was refused has no result
}

void TestClientGuard::aLateAskIsSentUntilItIsIn()
{
    GateStandIn gate;
    Guard guard(leasing(optionsFor(gate)));
    (void)guard.call("look_up");
    gate.stop();
    (void)guard.call("look_up", "1");
    const auto asked = gate.asks().size();
    gate.start();
    gate.results(drop());
    QVERIFY(!guard.flush()); // the ask is in, its result is not
    gate.results(nullptr);
    gate.otherwise(deny()); // would be a refusal, if it were asked for again
    QVERIFY(guard.flush());
    QCOMPARE(gate.asks().size(), asked + 1);
    QCOMPARE(guard.uncounted(), std::size_t(0));
}

void TestClientGuard::aGateThatHangsCostsItsFirstMissOnly()
{
    GateStandIn gate;
    Guard guard(leasing(optionsFor(gate, kBrief)));
    (void)guard.call("look_up");
    QTRY_VERIFY(guard.flush());
    gate.otherwise(slow(30s));
    gate.results(slow(30s));
    const auto told = gate.posts().size();
    const auto begun = std::chrono::steady_clock::now();
    for (int n = 0; n < 50; ++n)
        QVERIFY(guard.call("look_up").decision().offline);
    QVERIFY(std::chrono::steady_clock::now() - begun < 2 * kBrief + 2s);
    QCOMPARE(gate.posts().size(), told);
    QCOMPARE(guard.unsent(), std::size_t(50));
    QVERIFY(refusedCall(guard, "send").text.find("no answer within 800 ms") != std::string::npos);
    gate.otherwise(allow());
    gate.results(nullptr);
    letThePausePass();
    QTRY_VERIFY(refusedCall(guard, "send").allowed);
    QTRY_VERIFY(guard.flush());
    QCOMPARE(guard.uncounted(), std::size_t(0));
}

void TestClientGuard::aTaskThatTheGateDoesNotKnow()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    gate.otherwise(deny("open", "rung", "\"after_human\""));
    gate.results(status(404));
    QVERIFY(!refusalOf([&] { (void)guard.step(); }).allowed);
    QVERIFY(!guard.note("I was about to pay"));
    QVERIFY(!guard.end("failure"));
    QCOMPARE(guard.unsent(), std::size_t(0));
    gate.results(status(403));
    QVERIFY_THROWS_EXCEPTION(WrongRequest, guard.note("x"));
}

void TestClientGuard::aLookTooManyIsNoMistake()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    gate.results(status(429, "Retry-After: 7\r\n"));
    try {
        (void)guard.look();
        QFAIL("not refused");
    } catch (const TooMany &tooMany) {
        QCOMPARE(tooMany.retryAfter().value_or(0), 7.0);
        QCOMPARE(std::string(tooMany.what()), std::string("asked too often: as told"));
    }
    gate.results(status(503, "Retry-After: 5\r\n"));
    try {
        (void)guard.look();
        QFAIL("not refused");
    } catch (const Unreached &unreached) {
        QCOMPARE(unreached.retryAfter().value_or(0), 5.0);
        QVERIFY(dynamic_cast<const TooMany *>(&unreached) == nullptr);
    }
}

void TestClientGuard::notesEndsAndLooks()
{
    GateStandIn gate;
    auto options = optionsFor(gate);
    options.task = "a/b ?";
    Guard guard(options);
    QVERIFY(guard.note("stuck at \"the invoice\""));
    QVERIFY(guard.end("failure"));
    QCOMPARE(gate.requests()[0].path, std::string("/v1/tasks/a%2Fb%20%3F/note"));
    QCOMPARE(gate.requests()[0].body, json("{'agent':'billing','text':'stuck at \\'the invoice\\''}"));
    QCOMPARE(gate.requests()[1].body, json("{'agent':'billing','outcome':'failure'}"));
    gate.results(raw(answerText(200, json("{'rung':'open'}"))));
    QCOMPARE(guard.look(), json("{'rung':'open'}"));
    QCOMPARE(gate.requests()[2].method, std::string("GET"));
    gate.results(status(403));
    QVERIFY_THROWS_EXCEPTION(WrongRequest, (void)guard.look());
    gate.results(raw(answerText(200, "[]")));
    QVERIFY_THROWS_EXCEPTION(Unreached, (void)guard.look());
}

void TestClientGuard::theEnvironmentAndWhatIsMissing()
{
    GateStandIn gate;
    qputenv("HANDRESET_GATE", QByteArray::fromStdString(gate.address()));
    qputenv("HANDRESET_TOKEN", "t");
    qputenv("HANDRESET_AGENT", "a");
    qputenv("HANDRESET_TASK", "k");
    Options patient;
    patient.timeout = kPatient;
    {
        Guard guard(patient);
        (void)guard.step();
    }
    QCOMPARE(gate.requests()[0].field("agent"), std::string("a"));
    QCOMPARE(gate.requests()[0].field("task"), std::string("k"));
    for (const auto *name : {"HANDRESET_GATE", "HANDRESET_TOKEN", "HANDRESET_AGENT", "HANDRESET_TASK"})
        qunsetenv(name);
    QCOMPARE(Options().timeout, 250ms);
    QCOMPARE(Options().tries, 2);
    const auto fails = [&](auto change) {
        auto options = optionsFor(gate);
        change(options);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Guard{options});
    };
    const auto whyNot = [&](auto change) -> std::string {
        auto options = optionsFor(gate);
        change(options);
        try {
            Guard guard(options);
        } catch (const std::invalid_argument &error) {
            return error.what();
        }
        return {};
    };
    QVERIFY(whyNot([](Options &o) { o.address.clear(); }).find("HANDRESET_GATE") != std::string::npos);
    qputenv("HANDRESET_GATE", "nowhere");
    QVERIFY(whyNot([](Options &o) { o.address.clear(); }).find("HANDRESET_GATE: ") == 0);
    qunsetenv("HANDRESET_GATE");
    fails([](Options &o) { o.tokenFile = "/no/such"; });
    fails([](Options &o) { o.agent.clear(); });
    fails([](Options &o) { o.token.clear(); });
    fails([](Options &o) { o.token = "a\r\nb"; });
    fails([](Options &o) { o.address.clear(); });
    fails([](Options &o) { o.timeout = 0ms; });
    fails([](Options &o) { o.tries = 0; });
    fails([](Options &o) { o.lease = 0ms; });
    auto options = optionsFor(gate);
    options.task.clear();
    QVERIFY(Guard(options).task() != Guard(options).task());
}

void TestClientGuard::threadsShareAGuard()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    threads.reserve(8);
    for (int n = 0; n < 8; ++n)
        threads.emplace_back([&] {
            for (int k = 0; k < 20; ++k)
                try {
                    (void)guard.call("send", std::to_string(k));
                } catch (const std::exception &) {
                    ++wrong;
                }
        });
    for (auto &thread : threads)
        thread.join();
    QCOMPARE(wrong.load(), 0);
    QCOMPARE(gate.asks().size(), std::size_t(160));
    QCOMPARE(gate.posts().size(), std::size_t(160));
    QVERIFY(gate.connections() <= 16);
}

void TestClientGuard::aForkedChildHasItsOwnConnections()
{
    GateStandIn gate;
    Guard guard(optionsFor(gate));
    (void)guard.call("send");
    const pid_t child = ::fork();
    if (child == 0) {
        bool good = false;
        try {
            (void)guard.call("send", json("'child'"));
            good = true;
        } catch (...) { // NOLINT(bugprone-empty-catch): told by the exit code
        }
        ::_exit(good ? 0 : 1);
    }
    int state = -1;
    QCOMPARE(::waitpid(child, &state, 0), child);
    QCOMPARE(state, 0);
    (void)guard.call("send");
    QCOMPARE(gate.connections(), 2);
    QCOMPARE(gate.posts().size(), std::size_t(3));
}

QTEST_GUILESS_MAIN(TestClientGuard)
#include "tst_client_guard.moc"

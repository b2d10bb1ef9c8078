// The C++ client against a gate that really runs: tests/clients/with_real_gate starts one and says where it is. Without
// it there is nothing to test.
#include "handreset_guard.h"

#include <QTest>

#include <stdexcept>

using namespace handreset::client;
using namespace std::chrono_literals;

class TestClientRealGate : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aStepItsResultANoteAndTheEnd();
    void aBreakerOpensAndLetsAProbeOut();
    void repetitionDegradesAndOnlyReadsGoOn();
    void whatIsWrongIsSaid();
    void aLookMovesNothing();
    void amountsAreNumbers();
    void aTaskThatTheGateDoesNotKnow();

private:
    [[nodiscard]] Options options() const
    {
        Options options;
        options.agent = "booking";
        options.address = qgetenv("HANDRESET_TEST_GATE").toStdString();
        options.token = qgetenv("HANDRESET_TEST_TOKEN").toStdString();
        options.timeout = 10s; // how long an answer may take is not what is tested
        return options;
    }
};

void TestClientRealGate::initTestCase()
{
    if (!qEnvironmentVariableIsSet("HANDRESET_TEST_GATE"))
        QSKIP("no gate runs for this test");
}

void TestClientRealGate::aStepItsResultANoteAndTheEnd()
{
    Guard guard(options());
    {
        auto step = guard.step({"eu", "large", "0.05 USD"});
        QVERIFY(step.decision().rung == Rung::Closed && !step.decision().offline);
        QCOMPARE(step.model(), std::string("large"));
        StepResult result;
        result.status = 200;
        result.model = "large";
        result.cost = "0.01";
        result.currency = "USD";
        result.tokensIn = 0;
        result.tokensOut = 5;
        step.result(result);
    }
    QVERIFY(guard.note("all is well"));
    QVERIFY(guard.end());
    QVERIFY_THROWS_EXCEPTION(GuardError, (void)guard.step()); // an ended task's name is never used again
    QCOMPARE(guard.unsent(), std::size_t(0));
}

void TestClientRealGate::aBreakerOpensAndLetsAProbeOut()
{
    int made = 0;
    RetryPlan plan;
    plan.sleep = [](std::chrono::milliseconds) {};
    std::string outcomes;
    for (int run = 0; run < 7; ++run) {
        Guard guard(options()); // a task of its own
        try {
            guard.run(
                "book_room", R"({"room": 204})",
                [&] {
                    if (++made <= 9)
                        throw std::runtime_error("down");
                },
                plan);
            outcomes += 's';
        } catch (const Denied &refusal) {
            QCOMPARE(refusal.decision().breaker, std::string("book_room"));
            outcomes += 'r';
        } catch (const std::runtime_error &) {
            outcomes += 'f';
        }
    }
    QCOMPARE(outcomes, std::string("fffrrss"));
    QCOMPARE(made, 11);
}

void TestClientRealGate::repetitionDegradesAndOnlyReadsGoOn()
{
    Guard guard(options());
    for (int n = 0; n < 2; ++n)
        (void)guard.call("get_quote", R"({"a": 1, "b": [true, null, "Zo\u00eb"]})");
    try {
        (void)guard.call("get_quote", R"({"b": [true, null, "Zoë"], "a": 1.0})");
        QFAIL("not refused");
    } catch (const Denied &refusal) {
        QCOMPARE(refusal.decision().source, std::string("repetition"));
        QVERIFY(refusal.decision().rung == Rung::Degraded);
        QVERIFY(refusal.decision().retry.kind == Retry::Kind::AfterHuman);
        QVERIFY(!refusal.decision().trip.empty());
    }
    QVERIFY_THROWS_EXCEPTION(Denied, (void)guard.call("send_mail"));
    QVERIFY(guard.call("list_rooms").decision().allowed);
    QCOMPARE(guard.step().model(), std::string("small-model"));
    QVERIFY(guard.rung() == Rung::Degraded);
}

void TestClientRealGate::whatIsWrongIsSaid()
{
    const auto statusOf = [](Options options, const StepAsk &ask = {}) {
        try {
            (void)Guard(std::move(options)).step(ask);
        } catch (const WrongRequest &wrong) {
            return wrong.status();
        }
        return 0;
    };
    auto wrong = options();
    wrong.token = "nobody";
    QCOMPARE(statusOf(wrong), 401);
    wrong = options();
    wrong.agent = "another";
    QCOMPARE(statusOf(wrong), 403);
    const int malformed = statusOf(options(), {"", "", "five"});
    QVERIFY(malformed == 400 || malformed == 422);
}

void TestClientRealGate::aLookMovesNothing()
{
    Guard guard(options());
    QVERIFY(guard.look().find("\"rung\":") != std::string::npos);
}

void TestClientRealGate::amountsAreNumbers()
{
    Guard guard(options());
    for (const auto *arguments : {R"({"amount": 12.50})", R"({"amount": 500.00})"})
        QVERIFY(guard.call("send_pix", arguments).decision().rung == Rung::Closed);
}

void TestClientRealGate::aTaskThatTheGateDoesNotKnow()
{
    Guard guard(options());
    QVERIFY(!guard.note("x"));
    QVERIFY(!guard.end("failure"));
    QCOMPARE(guard.unsent(), std::size_t(0));
}

QTEST_GUILESS_MAIN(TestClientRealGate)
#include "tst_client_real_gate.moc"

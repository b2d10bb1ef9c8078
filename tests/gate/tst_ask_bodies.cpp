// The bodies of asks and reports (spec 5): what is taken, and of the rest which field, or which byte, is wrong.
#include "model/gate/ask_bodies.h"

#include <QTest>

using namespace handreset;
using gate::AskBodies;
using gate::Fault;
using gate::Read;

class TestAskBodies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wholeBodiesAreTaken();
    void amountsComeInSeveralForms();
    void argumentsKeepTheirSpelling();
    void faultsNameTheField_data();
    void faultsNameTheField();
    void brokenJsonNamesTheByte_data();
    void brokenJsonNamesTheByte();
};

namespace {

template <class T>
const T &taken(const Read<T> &read)
{
    if (const auto *fault = std::get_if<Fault>(&read))
        qFatal("refused: %s: %s", fault->field.c_str(), fault->message.c_str());
    return std::get<T>(read);
}

Fault faultIn(const QString &call, const std::string &body)
{
    AskBodies bodies;
    const auto faultOf = [](const auto &read) {
        const auto *fault = std::get_if<Fault>(&read);
        return fault != nullptr ? *fault : Fault{200, {}, {}, {}, {}};
    };
    if (call == QStringLiteral("step"))
        return faultOf(bodies.step(body));
    if (call == QStringLiteral("call"))
        return faultOf(bodies.call(body));
    if (call == QStringLiteral("step result"))
        return faultOf(bodies.stepResult(body));
    if (call == QStringLiteral("call result"))
        return faultOf(bodies.callResult(body));
    return faultOf(bodies.note(body));
}

} // namespace

void TestAskBodies::wholeBodiesAreTaken()
{
    AskBodies bodies;
    const std::string text = R"({"agent":"billing","task":"t","session":"s","parent":"p","endpoint":"e","model":"m",)"
                             R"("estimated_cost":"0.05 USD","id":"one"})";
    const auto step = taken(bodies.step(text));
    QCOMPARE(step.agent, std::string("billing"));
    QCOMPARE(step.parent, std::string("p"));
    QCOMPARE(step.endpoint, std::string("e"));
    QCOMPARE(step.estimate->currency, std::string("USD"));
    QCOMPARE(step.client->id, std::string("one"));
    QVERIFY(step.client->body == rules::bodyDigestOf(text));
    const auto result
        = taken(bodies.stepResult(R"({"ok":false,"status":429,"error":"slow down","model":"m",)"
                                  R"("cost":0.5,"currency":"USD","tokens_in":3,"tokens_out":0,"retry_after":7})"));
    QCOMPARE(result.report.ok, false);
    QCOMPARE(result.report.status, 429);
    QCOMPARE(*result.report.tokensOut, 0);
    QCOMPARE(result.report.retryAfterSeconds, 7);
    QCOMPARE(taken(bodies.callResult(R"({"outcome":"neutral","changed":true})")).outcome, rules::CallOutcome::Neutral);
    QCOMPARE(taken(bodies.note(R"({"agent":"a","text":"it loops"})")).text, std::string("it loops"));
    QCOMPARE(taken(bodies.end(R"({"agent":"a","outcome":"done"})")).outcome, std::string("done"));
    QVERIFY(!taken(bodies.step(R"({"agent":"a","task":"t","session":null})")).client);
}

void TestAskBodies::amountsComeInSeveralForms()
{
    AskBodies bodies;
    for (const std::string cost : {R"("0.05 USD")", R"("0.05")", "0.05", "5e-2"}) {
        const auto step = taken(bodies.step(R"({"agent":"a","task":"t","estimated_cost":)" + cost + '}'));
        QCOMPARE(step.estimate->amount, *rules::Decimal::parse("0.05"));
        QCOMPARE(step.estimate->currency.empty(), cost.find("USD") == std::string::npos);
    }
}

void TestAskBodies::argumentsKeepTheirSpelling()
{
    AskBodies bodies;
    const auto call = taken(bodies.call(
        R"({"agent":"a","task":"t","tool":"x","arguments": {"b" : [1.50, 1e400, null, true], "a":"é\n\u0001"} })"));
    QCOMPARE(call.arguments, std::string("{\"b\":[1.50,1e400,null,true],\"a\":\"\xc3\xa9\\n\\u0001\"}"));
    QCOMPARE(taken(bodies.call(R"({"agent":"a","task":"t","tool":"x","arguments":"not {json"})")).arguments,
             std::string("\"not {json\""));
    QCOMPARE(taken(bodies.call(R"({"agent":"a","task":"t","tool":"x","arguments":null})")).arguments,
             std::string("null"));
}

void TestAskBodies::faultsNameTheField_data()
{
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("field");
    const auto row = [](const char *name, const char *call, const char *body, const char *field) {
        QTest::newRow(name) << QString::fromLatin1(call) << QString::fromUtf8(body) << QString::fromLatin1(field);
    };
    row("no agent", "step", R"({"task":"t"})", "agent");
    row("empty agent", "step", R"({"agent":"","task":"t"})", "agent");
    row("agent is a number", "step", R"({"agent":7,"task":"t"})", "agent");
    row("NUL in a name", "step", R"({"agent":"a\u0000b","task":"t"})", "agent");
    row("no task", "step", R"({"agent":"a"})", "task");
    row("unknown field", "step", R"({"agent":"a","task":"t","key":"k"})", "key");
    row("negative cost", "step", R"({"agent":"a","task":"t","estimated_cost":-1})", "estimated_cost");
    row("endless cost", "step", R"({"agent":"a","task":"t","estimated_cost":1e400})", "estimated_cost");
    row("cost without sense", "step", R"({"agent":"a","task":"t","estimated_cost":"much"})", "estimated_cost");
    row("cost in no currency", "step", R"({"agent":"a","task":"t","estimated_cost":"1 GOLD"})", "estimated_cost");
    row("cost is a list", "step", R"({"agent":"a","task":"t","estimated_cost":[1]})", "estimated_cost");
    row("the gate's own id", "step", R"({"agent":"a","task":"t","id":"ask-1"})", "id");
    row("id with a blank", "step", R"({"agent":"a","task":"t","id":"a b"})", "id");
    row("no tool", "call", R"({"agent":"a","task":"t","arguments":{}})", "tool");
    row("no arguments", "call", R"({"agent":"a","task":"t","tool":"x"})", "arguments");
    row("no ok", "step result", R"({})", "ok");
    row("ok is a word", "step result", R"({"ok":"yes"})", "ok");
    row("status beyond", "step result", R"({"ok":true,"status":1000})", "status");
    row("tokens below 0", "step result", R"({"ok":true,"tokens_in":-1})", "tokens_in");
    row("tokens in parts", "step result", R"({"ok":true,"tokens_in":1.5})", "tokens_in");
    row("tokens 2^63", "step result", R"({"ok":true,"tokens_in":9223372036854775808})", "tokens_in");
    row("currency without sense", "step result", R"({"ok":true,"cost":1,"currency":"usd"})", "currency");
    row("two currencies", "step result", R"({"ok":true,"cost":"1 USD","currency":"EUR"})", "cost");
    row("no outcome", "call result", R"({})", "outcome");
    row("outcome unknown", "call result", R"({"outcome":"fine"})", "outcome");
    row("changed is a number", "call result", R"({"outcome":"success","changed":1})", "changed");
    row("no text", "note", R"({"agent":"a"})", "text");
}

void TestAskBodies::faultsNameTheField()
{
    QFETCH(QString, call);
    QFETCH(QString, body);
    QFETCH(QString, field);
    const auto fault = faultIn(call, body.toStdString());
    QCOMPARE(fault.status, 422);
    QCOMPARE(QString::fromStdString(fault.field), field);
    QVERIFY(!fault.message.empty());
}

void TestAskBodies::brokenJsonNamesTheByte_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::newRow("nothing") << QByteArray() << 400;
    QTest::newRow("cut off") << QByteArray(R"({"agent":"a)") << 400;
    QTest::newRow("bytes behind it") << QByteArray(R"({"agent":"a","task":"t"} x)") << 400;
    QTest::newRow("a name twice") << QByteArray(R"({"agent":"a","agent":"b","task":"t"})") << 400;
    QTest::newRow("bad UTF-8") << QByteArray("{\"agent\":\"\xff\",\"task\":\"t\"}") << 400;
    QTest::newRow("a lone surrogate") << QByteArray(R"({"agent":"\ud800","task":"t"})") << 400;
    QTest::newRow("too deep") << QByteArray(R"({"agent":)") + QByteArray(33, '[') + QByteArray(33, ']') + '}' << 400;
    QTest::newRow("a list") << QByteArray("[]") << 422;
    QTest::newRow("a word") << QByteArray("\"agent\"") << 422;
}

void TestAskBodies::brokenJsonNamesTheByte()
{
    QFETCH(QByteArray, body);
    QFETCH(int, status);
    const auto fault = faultIn(QStringLiteral("step"), body.toStdString());
    QCOMPARE(fault.status, status);
    QVERIFY2(fault.offset.has_value(), fault.message.c_str());
}

QTEST_APPLESS_MAIN(TestAskBodies)
#include "tst_ask_bodies.moc"

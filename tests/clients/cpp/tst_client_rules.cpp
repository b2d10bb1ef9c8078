// The parts of the C++ client that need no socket: JSON, decisions, the offline rules, HTTP answers, addresses, pauses.
#include "handreset_guard.h"
#include "handreset_http.h"
#include "handreset_json.h"
#include "handreset_outbox.h"
#include "handreset_reach.h"
#include "handreset_token.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <stdexcept>

#include <sys/stat.h>

using namespace handreset::client;
using namespace std::chrono_literals;

namespace {

const Subject kStep{true, "", "large"};
const Subject kRead{false, "look_up", ""};
const Subject kWrite{false, "send", ""};

Decision said(bool allowed = true, Rung rung = Rung::Closed, bool probe = false)
{
    Decision decision;
    decision.allowed = allowed;
    decision.rung = rung;
    decision.probe = probe;
    decision.model = "small";
    return decision;
}

OfflineRules rulesWith(Offline offline)
{
    return {offline, 30s, {{"look_up", Access::Read}, {"send", Access::Write}}};
}

bool isAllowed(const OfflineRules &rules, const Subject &subject, OfflineRules::Time now)
{
    return rules.decide(subject, "x", now, "no answer").allowed;
}

std::string nested(int levels)
{
    return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
}

AnswerReader::State readAll(std::string_view data, std::size_t step, AnswerReader &reader)
{
    auto state = AnswerReader::State::Unfinished;
    for (std::size_t at = 0; at < data.size() && state == AnswerReader::State::Unfinished; at += step)
        state = reader.feed(data.substr(at, step));
    return state;
}

} // namespace

class TestClientRules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void jsonIsReadStrictly_data();
    void jsonIsReadStrictly();
    void jsonTextsAreDecoded();
    void textsAreQuoted();
    void aDecisionIsRead();
    void whatIsNotExactlyADecisionIsNone_data();
    void whatIsNotExactlyADecisionIsNone();
    void neverContactedIsRefused();
    void writesAreRefused();
    void withoutALeaseEverythingIsRefused();
    void aLeaseRunsFromWhenItWasAskedFor();
    void theLastWordCounts();
    void openIsRefusedForAsLongAsTheGateIsAway();
    void anAnswerThatWasOvertakenGivesNothing();
    void aProbeIsOneCall();
    void troubleEndsEveryLease();
    void aLookCanOnlyBringBadNews();
    void theMemoryIsBounded();
    void answersAreReadSplitAnywhere();
    void hostileAnswersAreMalformed_data();
    void hostileAnswersAreMalformed();
    void addresses();
    void pauses();
    void theOutboxIsBounded();
    void whatIsPushedOutIsCounted();
    void aRefusalOfTheWholeTaskEndsEveryLease();
    void aGateThatWasMissedIsLeftAlone();
    void missesTogetherAreOne();
    void aSourceIsSaidOnce();
    void aTokenFile();
};

void TestClientRules::jsonIsReadStrictly_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isJson");
    const auto row = [](const QByteArray &text, bool isJson) {
        QTest::newRow(text.left(40).toPercentEncoding().constData()) << text << isJson;
    };
    for (const auto *text : {"{}", "[]", " null ", "true", "-0", "0.5e+10", "1E5", R"("a\"\\\/\b\f\n\r\t\u0041")",
                             R"({"a":[1,{"b":null}],"c":"\ud83d\ude00"})", "[1 , 2]\n"})
        row(text, true);
    for (const auto *text : {"",
                             " ",
                             "{",
                             "}",
                             "[1,]",
                             "{,}",
                             R"({"a":1,})",
                             R"({"a" 1})",
                             "{a:1}",
                             R"({"a":1,"a":2})",
                             R"({"a":1,"\u0061":2})",
                             "01",
                             "+1",
                             ".5",
                             "1.",
                             "1e",
                             "--1",
                             "NaN",
                             "Infinity",
                             "nul",
                             "truefalse",
                             "'a'",
                             R"("\x")",
                             R"("\u12")",
                             R"("\ud800")",
                             R"("\udc00")",
                             R"("\ud800\u0041")",
                             "\"\t\"",
                             "\"a",
                             "1 2",
                             "// x",
                             "\"\xff\"",
                             "\"\xc0\xaf\"",
                             "\"\xed\xa0\x80\"",
                             "\"\xf4\x90\x80\x80\"",
                             "\"\xe2\x82\"",
                             "\xef\xbb\xbf{}"})
        row(text, false);
    row(QByteArray::fromStdString(nested(32)), true);
    row(QByteArray::fromStdString(nested(33)), false);
    row(QByteArray::fromStdString(nested(100000)), false);
    row(QByteArray("\"\0\"", 3), false);
}

void TestClientRules::jsonIsReadStrictly()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isJson);
    QCOMPARE(readJson({text.constData(), static_cast<std::size_t>(text.size())}).has_value(), isJson);
}

void TestClientRules::jsonTextsAreDecoded()
{
    const auto value = readJson(R"({"a":"\ud83d\ude00\u00e9\n","n":1.50,"z":null})");
    QVERIFY(value.has_value());
    QCOMPARE(value->field("a")->text, std::string("\xf0\x9f\x98\x80\xc3\xa9\n"));
    QCOMPARE(value->field("n")->text, std::string("1.50"));
    QVERIFY(value->field("z") == nullptr);
    QVERIFY(value->field("absent") == nullptr);
}

void TestClientRules::textsAreQuoted()
{
    QCOMPARE(quotedJson("a\"b\\c\n\x01\xc3\xa9"), std::string("\"a\\\"b\\\\c\\u000a\\u0001\xc3\xa9\""));
    QCOMPARE(quotedJson("\xff\xc3"), std::string("\"\xef\xbf\xbd\xef\xbf\xbd\""));
    QVERIFY(readJson(quotedJson(std::string(3, '\0'))).has_value());
}

void TestClientRules::aDecisionIsRead()
{
    const auto allowed = readDecision(R"({"id":"a","decision":"allow","rung":"degraded","writes":true,"model":"m",)"
                                      R"("probe":true,"later":[1]})",
                                      "a");
    QVERIFY(allowed && allowed->allowed && allowed->writes && allowed->probe);
    QVERIFY(allowed->rung == Rung::Degraded);
    QCOMPARE(allowed->model, std::string("m"));
    const auto denied = readDecision(R"({"id":null,"decision":"deny","rung":"open","writes":false,"reason":{"source":)"
                                     R"("breaker","trip":7,"breaker":"send","text":"OPEN","retry":{"after_calls":2}}})",
                                     "a");
    QVERIFY(denied && !denied->allowed);
    QCOMPARE(denied->trip, std::string("7"));
    QCOMPARE(denied->breaker, std::string("send"));
    QVERIFY(denied->retry.kind == Retry::Kind::AfterCalls);
    QCOMPARE(inWords(*denied), std::string("breaker: OPEN (the breaker turns 2 more calls away first)"));
}

void TestClientRules::whatIsNotExactlyADecisionIsNone_data()
{
    QTest::addColumn<QByteArray>("body");
    for (const auto *body :
         {"", "null", "[]", "{}", "\"allow\"", R"({"id":"a","decision":"Allow","rung":"closed"})",
          R"({"id":"a","decision":"allow","rung":"CLOSED"})", R"({"id":"a","decision":true,"rung":"closed"})",
          R"({"id":"a","decision":"allow"})", R"({"id":"b","decision":"allow","rung":"closed"})",
          R"({"decision":"allow","rung":"closed"})", R"({"id":"b","decision":"deny","rung":"closed"})",
          R"({"id":"a","decision":"deny","decision":"allow","rung":"closed"})",
          R"({"id":"a","decision":"allow","rung":"closed","writes":1})",
          R"({"id":"a","decision":"allow","rung":"closed","model":3})",
          R"({"id":"a","decision":"deny","rung":"open","reason":"no"})",
          R"({"id":"a","decision":"deny","rung":"open","reason":{"retry":"soon"}})",
          R"({"id":"a","decision":"deny","rung":"open","reason":{"retry":{"after_seconds":-1}}})",
          R"({"id":"a","decision":"deny","rung":"open","reason":{"retry":{"after_seconds":1e99}}})"})
        QTest::newRow(*body != 0 ? body : "nothing") << QByteArray(body);
}

void TestClientRules::whatIsNotExactlyADecisionIsNone()
{
    QFETCH(QByteArray, body);
    QVERIFY(!readDecision(body.toStdString(), "a"));
}

void TestClientRules::neverContactedIsRefused()
{
    const auto rules = rulesWith(Offline::Lease);
    for (const auto &subject : {kStep, kRead, kWrite}) {
        const auto decision = rules.decide(subject, "x", 1s, "connection refused");
        QVERIFY(!decision.allowed && decision.offline);
        QCOMPARE(decision.source, std::string("offline"));
        QVERIFY(decision.text.find("connection refused") != std::string::npos);
    }
}

void TestClientRules::writesAreRefused()
{
    auto rules = rulesWith(Offline::Lease);
    for (const auto &subject : {kWrite, Subject{false, "undeclared", ""}}) {
        rules.heard(subject, said(), 10s, 11s);
        QVERIFY(!isAllowed(rules, subject, 12s));
    }
}

void TestClientRules::withoutALeaseEverythingIsRefused()
{
    auto rules = rulesWith(Offline::Refuse);
    rules.heard(kRead, said(), 10s, 11s);
    QVERIFY(!isAllowed(rules, kRead, 12s));
}

void TestClientRules::aLeaseRunsFromWhenItWasAskedFor()
{
    auto rules = rulesWith(Offline::Lease);
    rules.heard(kRead, said(), 10s, 12s);
    QCOMPARE(rules.decide(kRead, "x", 20s, "").model, std::string("small"));
    QVERIFY(isAllowed(rules, kRead, 40s));
    QVERIFY(!isAllowed(rules, kRead, 40001ms));
    QVERIFY(!isAllowed(rules, kRead, 9s));
    QVERIFY(!isAllowed(rules, kStep, 20s)); // it speaks only of what was asked
}

void TestClientRules::theLastWordCounts()
{
    auto rules = rulesWith(Offline::Lease);
    rules.heard(kRead, said(), 10s, 11s);
    rules.heard(kStep, said(), 12s, 13s);
    rules.heard({true, "", "small"}, said(false), 14s, 15s); // a refused step speaks of every step, but not of tools
    QVERIFY(!isAllowed(rules, kStep, 16s));
    QVERIFY(isAllowed(rules, kRead, 16s));
    rules.heard(kRead, said(false), 17s, 18s);
    QVERIFY(!isAllowed(rules, kRead, 19s));
}

void TestClientRules::openIsRefusedForAsLongAsTheGateIsAway()
{
    auto rules = rulesWith(Offline::Lease);
    rules.heard(kRead, said(), 10s, 11s);
    rules.heard(kStep, said(false, Rung::Open), 12s, 13s);
    for (const auto at : {OfflineRules::Time(14s), OfflineRules::Time(9999s)})
        QVERIFY(!isAllowed(rules, kRead, at));
    rules.heard(kRead, said(), 20s, 21s); // only the gate ends it
    QVERIFY(isAllowed(rules, kRead, 22s));
    rules.heard(kStep, said(true, Rung::Degraded), 23s, 24s); // a change of rung ends every lease
    QVERIFY(!isAllowed(rules, kRead, 25s));
}

void TestClientRules::anAnswerThatWasOvertakenGivesNothing()
{
    auto rules = rulesWith(Offline::Lease);
    rules.heard(kStep, said(false, Rung::Open), 11s, 15s);
    rules.heard(kRead, said(), 12s, 16s); // asked before the bad news was heard
    QVERIFY(rules.rung() == Rung::Open);
    QVERIFY(!isAllowed(rules, kRead, 17s));
}

void TestClientRules::aProbeIsOneCall()
{
    auto rules = rulesWith(Offline::Lease);
    rules.heard(kRead, said(true, Rung::Closed, true), 10s, 11s);
    QVERIFY(!isAllowed(rules, kRead, 12s));
}

void TestClientRules::troubleEndsEveryLease()
{
    auto rules = rulesWith(Offline::Lease);
    rules.heard(kRead, said(), 10s, 11s);
    rules.heardTrouble(12s);
    QVERIFY(!isAllowed(rules, kRead, 13s));
}

void TestClientRules::aLookCanOnlyBringBadNews()
{
    auto rules = rulesWith(Offline::Lease);
    rules.heardRung(Rung::Closed, 9s);
    QVERIFY(!rules.rung());
    rules.heard(kRead, said(true, Rung::Degraded), 10s, 11s);
    rules.heardRung(Rung::Closed, 12s);
    QVERIFY(isAllowed(rules, kRead, 13s));
    rules.heardRung(Rung::Open, 14s);
    QVERIFY(!isAllowed(rules, kRead, 15s));
}

void TestClientRules::theMemoryIsBounded()
{
    std::map<std::string, Access> tools;
    for (int n = 0; n < 3000; ++n)
        tools[std::to_string(n)] = Access::Read;
    OfflineRules rules(Offline::Lease, 1h, tools);
    for (int n = 0; n < 3000; ++n)
        rules.heard({false, std::to_string(n), ""}, said(), std::chrono::milliseconds(n), std::chrono::milliseconds(n));
    QVERIFY(!isAllowed(rules, {false, "1", ""}, 4s));
    QVERIFY(isAllowed(rules, {false, "2999", ""}, 4s));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, OfflineRules(Offline::Lease, 0s, {}));
}

void TestClientRules::answersAreReadSplitAnywhere()
{
    const std::string data
        = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\nRetry-After: 7\r\ncontent-length:2\r\n\r\n{}";
    for (std::size_t step = 1; step <= data.size(); ++step) {
        AnswerReader reader;
        QVERIFY(readAll(data, step, reader) == AnswerReader::State::Whole);
        QCOMPARE(reader.answer().status, 503);
        QCOMPARE(reader.answer().body, std::string("{}"));
        QCOMPARE(reader.answer().retryAfter.value_or(0), 7.0);
        QVERIFY(reader.isKept());
    }
    for (const auto *data2 : {"HTTP/1.1 204 No Content\r\nConnection: Close\r\n\r\n", "HTTP/1.0 204\r\n\r\n"}) {
        AnswerReader reader;
        QVERIFY(readAll(data2, 1000, reader) == AnswerReader::State::Whole);
        QVERIFY(!reader.isKept());
    }
}

void TestClientRules::hostileAnswersAreMalformed_data()
{
    QTest::addColumn<QByteArray>("data");
    for (const auto *data :
         {"HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 999 OK\r\n\r\n", "HTTP/1.1 20x OK\r\n\r\n", "ICY 200 OK\r\n\r\n",
          "\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 262145\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}",
          "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\n{}",
          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n", "HTTP/1.1 101 Switching\r\n\r\n"})
        QTest::newRow(data) << QByteArray(data);
    QTest::newRow("an endless head") << QByteArray("HTTP/1.1 200 OK\r\nX: ") + QByteArray(20000, 'a');
    QTest::newRow("no head") << QByteArray(20000, 'a');
}

void TestClientRules::hostileAnswersAreMalformed()
{
    QFETCH(QByteArray, data);
    AnswerReader reader;
    QVERIFY(readAll(data.toStdString(), 100000, reader) == AnswerReader::State::Malformed);
}

void TestClientRules::addresses()
{
    QCOMPARE(Address::parse("unix:/run/a b.sock").path, std::string("/run/a b.sock"));
    QCOMPARE(Address::parse("http://localhost:1/").host, std::string("127.0.0.1"));
    QCOMPARE(Address::parse("http://[::1]:8480").host, std::string("::1"));
    QCOMPARE(Address::parse("http://127.0.0.1:8480").name, std::string("127.0.0.1:8480"));
    for (const auto *bad :
         {"", "unix:", "unix:a.sock", "http://10.0.0.1:80", "http://0.0.0.0:80", "http://gate.example:80",
          "https://127.0.0.1:1", "http://127.0.0.1", "http://127.0.0.1:0", "http://127.0.0.1:70000",
          "http://u@127.0.0.1:80", "http://127.0.0.1:80/v1", "http://127.0.0.1:80\r\nX: y"})
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Address::parse(bad));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Address::parse("unix:/" + std::string(200, 'a')));
}

void TestClientRules::pauses()
{
    RetryPlan plan;
    plan.tries = 5;
    const std::runtime_error failed("x");
    QVERIFY(plan.pauseAfter(1, failed) == 100ms);
    QVERIFY(plan.pauseAfter(2, failed) == 200ms);
    QVERIFY(plan.pauseAfter(4, failed) == 400ms);
    QVERIFY(!plan.pauseAfter(5, failed));
    plan.isWorthATry = [](const std::exception &) { return false; };
    QVERIFY(!plan.pauseAfter(1, failed));
    plan.isWorthATry = nullptr;
    plan.isOurMistake = [](const std::exception &) { return true; };
    QVERIFY(!plan.pauseAfter(1, failed));
    RetryPlan bare;
    bare.backoff.clear();
    QVERIFY(bare.pauseAfter(1, failed) == 0ms);
}

void TestClientRules::theOutboxIsBounded()
{
    Outbox outbox;
    for (std::size_t n = 0; n < Outbox::kMostWaiting + 5; ++n)
        QCOMPARE(outbox.add({"/" + std::to_string(n), "{}"}).has_value(), n >= Outbox::kMostWaiting);
    QCOMPARE(outbox.size(), Outbox::kMostWaiting);
    QCOMPARE(outbox.lost(), std::size_t(5));
    QCOMPARE(outbox.first()->path, std::string("/5"));
    // One is told while so many come that it is given up meanwhile: the next one must not go in its place.
    QVERIFY(outbox.takeTurn());
    QVERIFY(!outbox.takeTurn());
    outbox.add({"/last", "{}"});
    outbox.dropFirst();
    QCOMPARE(outbox.first()->path, std::string("/6"));
    outbox.endTurn();
    QVERIFY(outbox.takeTurn());
}

void TestClientRules::whatIsPushedOutIsCounted()
{
    Outbox outbox;
    const auto late = std::make_shared<const LateAsk>(LateAsk{"id", kRead, "/v1/calls", "{}"});
    outbox.add({"/first", "{}", false, late});
    outbox.add({"/second", "{}", false, late});
    outbox.firstIsCounted();
    for (std::size_t n = 0; n < Outbox::kMostWaiting; ++n)
        outbox.add({"/", "{}"});
    QCOMPARE(outbox.lost(), std::size_t(1)); // the gate has counted the call; only its result is lost
    QCOMPARE(outbox.uncounted(), std::size_t(1));
}

void TestClientRules::aRefusalOfTheWholeTaskEndsEveryLease()
{
    for (const auto *source : {"rung", "queue", "task_ended", "breaker"}) {
        auto rules = rulesWith(Offline::Lease);
        rules.heard(kStep, said(), 10s, 11s);
        rules.heard(kRead, said(), 10s, 11s);
        auto refusal = said(false);
        refusal.source = source;
        rules.heard(kWrite, refusal, 12s, 13s);
        const bool isOfTheCall = refusal.source == "breaker";
        QCOMPARE(isAllowed(rules, kStep, 14s), isOfTheCall);
        QCOMPARE(isAllowed(rules, kRead, 14s), isOfTheCall);
    }
}

void TestClientRules::aGateThatWasMissedIsLeftAlone()
{
    Reach reach(2, 250ms);
    QCOMPARE(reach.tries(10s), 2);
    Reach::Time at = 10s;
    for (const auto pause : {250ms, 500ms, 1000ms, 2000ms, 2000ms}) {
        reach.missed("no answer", at, at + 500ms);
        at += 500ms + pause;
        QCOMPARE(reach.tries(at - 10ms), 0);
        QCOMPARE(reach.tries(at), 1);         // one looks
        QCOMPARE(reach.tries(at + 100ms), 0); // the others do not wait with it
    }
    QVERIFY(reach.isAway());
    QCOMPARE(reach.why(), std::string("no answer"));
    reach.answered();
    QCOMPARE(reach.tries(at), 2);
    QVERIFY(!reach.isAway());
    reach.missed("nobody listens", 20s, 20010ms); // at once: asking costs nothing
    QCOMPARE(reach.tries(20010ms), 2);
    reach.missed("no answer", 21s, 21500ms);
    QCOMPARE(reach.tries(21600ms), 0);
    reach.missed("nobody listens", 21750ms, 21760ms); // the one that hung is gone
    QCOMPARE(reach.tries(21760ms), 2);
}

void TestClientRules::missesTogetherAreOne()
{
    Reach reach(2, 250ms);
    for (int n = 0; n < 8; ++n)
        reach.missed("no answer", 10s + std::chrono::milliseconds(n), 10500ms + std::chrono::milliseconds(n));
    QCOMPARE(reach.tries(10750ms), 0);
    QCOMPARE(reach.tries(10760ms), 1);
}

void TestClientRules::aSourceIsSaidOnce()
{
    const auto words = [](const char *source, const char *text) {
        Decision refusal;
        refusal.source = source;
        refusal.text = text;
        return inWords(refusal);
    };
    QCOMPARE(words("steps", "steps: step 26 of 25"), std::string("steps: step 26 of 25"));
    QCOMPARE(words("rung", "rung open"), std::string("rung open"));
    QCOMPARE(words("step", "steps: x"), std::string("step: steps: x"));
    QCOMPARE(words("breaker", "OPEN"), std::string("breaker: OPEN"));
    QCOMPARE(words("steps", ""), std::string("steps: refused"));
    QCOMPARE(words("steps", "steps"), std::string("steps"));
}

void TestClientRules::aTokenFile()
{
    const QTemporaryDir folder;
    const auto path = folder.filePath(QStringLiteral("token")).toStdString();
    const auto write = [&](const QByteArray &text) {
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
    };
    const auto whyNot = [](const std::string &given, const std::string &file) -> std::string {
        try {
            (void)findToken(given, file);
        } catch (const std::invalid_argument &error) {
            return error.what();
        }
        return {};
    };
    for (const auto *good : {"secret", "secret\n", "secret\r\n"}) {
        write(good);
        QCOMPARE(findToken({}, path), std::string("secret"));
    }
    write(QByteArray(4096, 's') + '\n');
    QCOMPARE(findToken({}, path).size(), std::size_t(4096));
    for (const auto &bad : {QByteArray(), QByteArray("\n"), QByteArray("a b"), QByteArray("hush\nsecond"),
                            QByteArray("\xc3\xa9"), QByteArray(4097, 's')}) {
        write(bad);
        QCOMPARE(whyNot({}, path),
                 "the token file, " + path + ": it holds no token: one line of visible ASCII, without spaces");
    }
    const auto pipe = folder.filePath(QStringLiteral("pipe")).toStdString();
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    for (const auto &other : {folder.path().toStdString(), pipe, std::string("/dev/null")})
        QCOMPARE(whyNot({}, other), "the token file, " + other + ": not a plain file");
    QVERIFY(whyNot({}, "/no/such").find("/no/such: cannot be read: No such file") != std::string::npos);
    QVERIFY(!whyNot("t", path).empty());
    QVERIFY(whyNot({}, {}).find("HANDRESET_TOKEN_FILE or HANDRESET_TOKEN") != std::string::npos);
    write("secret");
    qputenv("HANDRESET_TOKEN_FILE", QByteArray::fromStdString(path));
    qputenv("HANDRESET_TOKEN", "other");
    QCOMPARE(findToken({}, {}), std::string("secret"));
    QCOMPARE(findToken("t", {}), std::string("t"));
    qputenv("HANDRESET_TOKEN_FILE", "/no/such");
    QVERIFY(whyNot({}, {}).find("HANDRESET_TOKEN_FILE, /no/such: ") == 0);
    qunsetenv("HANDRESET_TOKEN_FILE");
    QCOMPARE(findToken({}, {}), std::string("other"));
    qunsetenv("HANDRESET_TOKEN");
}

QTEST_APPLESS_MAIN(TestClientRules)
#include "tst_client_rules.moc"

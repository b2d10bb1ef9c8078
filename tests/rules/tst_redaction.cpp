// No secret that a policy names reaches what is written (cases.md 64).
#include "model/rules/redaction.h"
#include "model/rules/utf8.h"

#include <QTest>

#include <string>
#include <vector>

using namespace handreset::rules;

namespace {

constexpr std::size_t kPlenty = 2048;

std::vector<Pointer> pointers(std::initializer_list<const char *> texts)
{
    std::vector<Pointer> result;
    for (const char *text : texts)
        result.push_back(*Pointer::parse(text));
    return result;
}

RedactedArguments redacted(std::string_view text, std::initializer_list<const char *> redact, std::size_t max = kPlenty)
{
    return redactArguments(text, pointers(redact), max);
}

} // namespace

class TestRedaction : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void replacesValues();
    void withoutPointersNothingIsReplaced();
    void secretsInOtherShapesNeverPass_data();
    void secretsInOtherShapesNeverPass();
    void secretsInBrokenTextNeverPass_data();
    void secretsInBrokenTextNeverPass();
    void longTextsAreCut();
    void cutNeverBreaksASequence();
};

void TestRedaction::replacesValues()
{
    QVERIFY(redacted(R"({ "pix_key":"joao@x", "amount":5.0 })", {"/pix_key"})
            == (RedactedArguments{R"({"amount":5,"pix_key":"[redacted]"})", true, true, false}));
    QCOMPARE(redacted(R"({"cards":[{"no":1,"cvv":"123"},{"no":2,"cvv":456}]})", {"/cards/*/cvv"}).text,
             std::string(R"({"cards":[{"cvv":"[redacted]","no":1},{"cvv":"[redacted]","no":2}]})"));
    QCOMPARE(redacted(R"({"who":{"name":"x","deep":["y"]}})", {"/who", "/who/name"}).text,
             std::string(R"({"who":"[redacted]"})"));
    QCOMPARE(redacted(R"([1,{"\u0070in":"s"}])", {"/1/pin"}).text, std::string(R"([1,{"pin":"[redacted]"}])"));
    QCOMPARE(redacted(R"("secret")", {""}).text, std::string("\"[redacted]\""));
    const RedactedArguments absent = redacted(R"({"b":1,"a":2})", {"/pin"});
    QVERIFY(absent == (RedactedArguments{R"({"a":2,"b":1})", true, false, false}));
}

void TestRedaction::withoutPointersNothingIsReplaced()
{
    QVERIFY(redacted(R"({"b":1, "a":2})", {}) == (RedactedArguments{R"({"a":2,"b":1})", true, false, false}));
    QVERIFY(redacted("not JSON \xFF", {}) == (RedactedArguments{"not JSON \xFF", false, false, false}));
    QVERIFY(redacted("", {}) == (RedactedArguments{"", false, false, false}));
}

void TestRedaction::secretsInOtherShapesNeverPass_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("pointer");
    QTest::addColumn<QByteArray>("kept");
    const QByteArray all = "\"[redacted]\"";
    QTest::newRow("JSON as a text") << QByteArray(R"("{\"note\":\"canary\"}")") << QByteArray("/note") << all;
    QTest::newRow("a plain text") << QByteArray(R"("canary")") << QByteArray("/note") << all;
    QTest::newRow("a list") << QByteArray(R"([{"note":"canary"}])") << QByteArray("/note") << all;
    QTest::newRow("a list of names") << QByteArray(R"(["note","canary"])") << QByteArray("/note") << all;
    QTest::newRow("a number") << QByteArray("4711") << QByteArray("/pin") << all;
    QTest::newRow("a text further in") << QByteArray(R"({"args":"{\"note\":\"canary\"}","b":1})")
                                       << QByteArray("/args/note") << QByteArray(R"({"args":"[redacted]","b":1})");
    QTest::newRow("a list further in") << QByteArray(R"({"args":[{"note":"canary"}],"b":1})")
                                       << QByteArray("/args/note") << QByteArray(R"({"args":"[redacted]","b":1})");
    QTest::newRow("an object for a list") << QByteArray(R"({"cards":{"0":{"cvv":"canary"}}})")
                                          << QByteArray("/cards/*/cvv") << QByteArray(R"({"cards":"[redacted]"})");
    QTest::newRow("one of several") << QByteArray(R"({"cards":[{"cvv":"canary"},"{\"cvv\":\"canary\"}"]})")
                                    << QByteArray("/cards/*/cvv")
                                    << QByteArray(R"({"cards":[{"cvv":"[redacted]"},"[redacted]"]})");
    QTest::newRow("nothing there") << QByteArray("null") << QByteArray("/note") << QByteArray("null");
    QTest::newRow("another member") << QByteArray(R"({"b":{}})") << QByteArray("/note/x") << QByteArray(R"({"b":{}})");
    QTest::newRow("a list that is too short") << QByteArray("[1]") << QByteArray("/1/pin") << QByteArray("[1]");
}

void TestRedaction::secretsInOtherShapesNeverPass()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, pointer);
    QFETCH(QByteArray, kept);
    const auto got = redacted(text.toStdString(), {pointer.constData()});
    QCOMPARE(QByteArray::fromStdString(got.text), kept);
    QVERIFY(got.isJson);
    QCOMPARE(got.isRedacted, kept.contains("[redacted]"));
}

void TestRedaction::secretsInBrokenTextNeverPass_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("truncated") << QByteArray(R"({"pin":"canary")");
    QTest::newRow("name twice") << QByteArray(R"({"pin":"canary","pin":"canary"})");
    QTest::newRow("not UTF-8") << QByteArray("{\"pin\":\"canary\",\"x\":\"\xFF\"}");
    QTest::newRow("too deep") << QByteArray("{\"pin\":\"canary\",\"x\":" + QByteArray("[").repeated(40)
                                            + QByteArray("]").repeated(40) + "}");
    QTest::newRow("plain text") << QByteArray("canary");
}

void TestRedaction::secretsInBrokenTextNeverPass()
{
    QFETCH(QByteArray, text);
    QVERIFY(redacted(text.toStdString(), {"/pin"}) == (RedactedArguments{"[redacted]", false, true, false}));
}

void TestRedaction::longTextsAreCut()
{
    const std::string text = "{\"a\":\"" + std::string(5000, 'x') + "\"}";
    const RedactedArguments cut = redacted(text, {});
    QCOMPARE(cut.text.size(), kPlenty);
    QVERIFY(cut.isCut && !cut.isJson);
    QVERIFY(text.starts_with(cut.text));
    QVERIFY(!redacted(text, {}, text.size()).isCut);
    QCOMPARE(redacted(text, {"/a"}).text, std::string(R"({"a":"[redacted]"})"));
    QCOMPARE(redacted("abcdef", {}, 0).text, std::string());
}

void TestRedaction::cutNeverBreaksASequence()
{
    const std::string text = "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x82z\"";
    for (std::size_t max = 0; max <= text.size(); ++max) {
        const RedactedArguments cut = redacted(text, {}, max);
        QVERIFY(isUtf8(cut.text));
        QVERIFY(cut.text.size() <= max && cut.text.size() + 4 > max);
        QVERIFY(text.starts_with(cut.text));
    }
    QCOMPARE(redacted(std::string(100, '\xFF'), {}, 10).text.size(), std::size_t{10});
}

QTEST_APPLESS_MAIN(TestRedaction)
#include "tst_redaction.moc"

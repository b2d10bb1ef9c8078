// RFC 8785 against its own vectors (appendix B, sections 3.2.2 and 3.2.3), and exact numbers beyond it.
#include "model/rules/canonical.h"
#include "model/rules/json_text.h"

#include <QTest>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

using namespace handreset::rules;

namespace {

std::string canonical(std::string_view text, CanonicalNumbers numbers = CanonicalNumbers::Rfc8785)
{
    auto result = canonicalJson(text, numbers);
    return result ? *result : "error: " + result.error().message;
}

std::string exact(std::string_view text)
{
    return canonical(text, CanonicalNumbers::Exact);
}

/// The same value through the tree.
std::string byTree(std::string_view text)
{
    JsonDocument document;
    std::string out;
    if (document.parse(text))
        appendCanonicalJson(out, document.root());
    return out;
}

} // namespace

class TestCanonical : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersOfTheRfc_data();
    void numbersOfTheRfc();
    void notANumber();
    void vectorsOfTheRfc_data();
    void vectorsOfTheRfc();
    void numberSpellings_data();
    void numberSpellings();
    void exactNumbers_data();
    void exactNumbers();
    void tooLargeForTheRfc();
    void orderOfNames();
    void strings_data();
    void strings();
    void refusesAsTheReader();
    void hiddenValues();
    void treeAndTextAgree();
    void canonicalIsStable();
    void randomDoublesReadBack();
    void speed();
};

void TestCanonical::numbersOfTheRfc_data()
{
    QTest::addColumn<quint64>("bits");
    QTest::addColumn<QByteArray>("spelling");
    const auto row
        = [](quint64 bits, const char *spelling) { QTest::addRow("%016llx", bits) << bits << QByteArray(spelling); };
    row(0x0000000000000000, "0");
    row(0x8000000000000000, "0");
    row(0x0000000000000001, "5e-324");
    row(0x8000000000000001, "-5e-324");
    row(0x7fefffffffffffff, "1.7976931348623157e+308");
    row(0xffefffffffffffff, "-1.7976931348623157e+308");
    row(0x4340000000000000, "9007199254740992");
    row(0xc340000000000000, "-9007199254740992");
    row(0x4430000000000000, "295147905179352830000");
    row(0x44b52d02c7e14af5, "9.999999999999997e+22");
    row(0x44b52d02c7e14af6, "1e+23");
    row(0x44b52d02c7e14af7, "1.0000000000000001e+23");
    row(0x444b1ae4d6e2ef4e, "999999999999999700000");
    row(0x444b1ae4d6e2ef4f, "999999999999999900000");
    row(0x444b1ae4d6e2ef50, "1e+21");
    row(0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7");
    row(0x3eb0c6f7a0b5ed8d, "0.000001");
    row(0x41b3de4355555553, "333333333.3333332");
    row(0x41b3de4355555554, "333333333.33333325");
    row(0x41b3de4355555555, "333333333.3333333");
    row(0x41b3de4355555556, "333333333.3333334");
    row(0x41b3de4355555557, "333333333.33333343");
    row(0xbecbf647612f3696, "-0.0000033333333333333333");
    row(0x43143ff3c1cb0959, "1424953923781206.2");
}

void TestCanonical::numbersOfTheRfc()
{
    QFETCH(quint64, bits);
    QFETCH(QByteArray, spelling);
    std::string out;
    QVERIFY(appendJsonNumber(out, std::bit_cast<double>(bits)));
    QCOMPARE(QByteArray::fromStdString(out), spelling);
    QCOMPARE(QByteArray::fromStdString(canonical(out)), spelling);
    QCOMPARE(QByteArray::fromStdString(exact(out)), spelling); // what ECMAScript spells is its own exact value
}

void TestCanonical::notANumber()
{
    std::string out = "x";
    QVERIFY(!appendJsonNumber(out, std::bit_cast<double>(0x7fffffffffffffffULL)));
    QVERIFY(!appendJsonNumber(out, std::bit_cast<double>(0x7ff0000000000000ULL)));
    QVERIFY(!appendJsonNumber(out, std::bit_cast<double>(0xfff0000000000000ULL)));
    QCOMPARE(out, std::string("x"));
}

void TestCanonical::vectorsOfTheRfc_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("output");
    QTest::newRow("section 3.2.2")
        << QByteArray(R"({
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
})")
        << QByteArray("{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                      "\"string\":\"\xE2\x82\xAC$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    QTest::newRow("section 3.2.3")
        << QByteArray(R"({
  "\u20ac": "Euro Sign",
  "\r": "Carriage Return",
  "\ufb33": "Hebrew Letter Dalet With Dagesh",
  "1": "One",
  "\ud83d\ude00": "Emoji: Grinning Face",
  "\u0080": "Control",
  "\u00f6": "Latin Small Letter O With Diaeresis"
})")
        << QByteArray("{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xC2\x80\":\"Control\","
                      "\"\xC3\xB6\":\"Latin Small Letter O With Diaeresis\",\"\xE2\x82\xAC\":\"Euro Sign\","
                      "\"\xF0\x9F\x98\x80\":\"Emoji: Grinning Face\","
                      "\"\xEF\xAC\xB3\":\"Hebrew Letter Dalet With Dagesh\"}");
    QTest::newRow("weird") << QByteArray(R"({"\u20ac":"Euro Sign","1":"One","\u0080":"Control\u007f",
  "\ud83d\ude02":"Smiley","\u00f6":"o","\ufb33":"Dalet","</script>":"Browser Challenge"})")
                           << QByteArray("{\"1\":\"One\",\"</script>\":\"Browser Challenge\",\"\xC2\x80\":"
                                         "\"Control\x7F\",\"\xC3\xB6\":\"o\",\"\xE2\x82\xAC\":\"Euro Sign\","
                                         "\"\xF0\x9F\x98\x82\":\"Smiley\",\"\xEF\xAC\xB3\":\"Dalet\"}");
    QTest::newRow("structures")
        << QByteArray(R"({"1": {"f": {"f": "hi","F": 5} ,"\n": 56.0}, "10": { }, "": "empty",
  "a": { }, "111": [ { } ], "A": { }})")
        << QByteArray(R"({"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{}],"A":{},"a":{}})");
    QTest::newRow("arrays") << QByteArray("[\n  56,\n  {\n    \"d\": true,\n    \"10\": null,\n    \"1\": [ ]\n  }\n]")
                            << QByteArray(R"([56,{"1":[],"10":null,"d":true}])");
    QTest::newRow("not normalised") << QByteArray(R"({"Unnormalized Unicode":"A\u030a"})")
                                    << QByteArray("{\"Unnormalized Unicode\":\"A\xCC\x8A\"}");
}

void TestCanonical::vectorsOfTheRfc()
{
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, output);
    QCOMPARE(QByteArray::fromStdString(canonical(input.toStdString())), output);
    QCOMPARE(byTree(input.toStdString()), exact(input.toStdString()));
}

void TestCanonical::numberSpellings_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("spelling");
    const auto row = [](const char *text, const char *spelling) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(spelling);
    };
    for (const char *one : {"1", "1.0", "1.000", "1e0", "10e-1", "0.1e1", "0.1E+1", "100E-2", "0.001e3"})
        row(one, "1");
    for (const char *zero : {"0", "-0", "0.0", "-0.0", "0e5", "0E-5", "-0e999", "0.000e400"})
        row(zero, "0");
    row("500.00", "500");
    row("-12.50", "-12.5");
    row("-0.5", "-0.5");
    row("1e20", "100000000000000000000");
    row("1e21", "1e+21");
    row("123456789012345", "123456789012345");
    row("1234567890123456", "1234567890123456");
    row("0.000001", "0.000001");
    row("0.0000010", "0.000001");
    row("0.0000001", "1e-7");
    row("0.00000123", "0.00000123");
    row("0.000000123", "1.23e-7");
    row("123456.789012345", "123456.789012345");
    row("0.1", "0.1");
    row("0.30000000000000004", "0.30000000000000004");
    row("1e-7", "1e-7");
    row("100", "100");
    row("1E400000e", "error: A value is neither a number nor a string, true, false, null, array or object.");
}

void TestCanonical::numberSpellings()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, spelling);
    QCOMPARE(QByteArray::fromStdString(canonical(text.toStdString())), spelling);
    QCOMPARE(QByteArray::fromStdString(exact(text.toStdString())), spelling);
}

void TestCanonical::exactNumbers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("rfc");
    QTest::addColumn<QByteArray>("exactly");
    const auto row = [](const char *text, const char *rfc, const char *exactly) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(rfc) << QByteArray(exactly);
    };
    row("9007199254740992", "9007199254740992", "9007199254740992");
    row("9007199254740993", "9007199254740992", "9.007199254740993e+15");
    row("9007199254740993.0", "9007199254740992", "9.007199254740993e+15");
    row("90071992547409930e-1", "9007199254740992", "9.007199254740993e+15");
    row("-9007199254740993", "-9007199254740992", "-9.007199254740993e+15");
    row("0.1000000000000000055511151231257827", "0.1", "1.000000000000000055511151231257827e-1");
    row("18446744073709551616", "18446744073709552000", "1.8446744073709551616e+19");
    row("1e-400", "0", "1e-400");
    row("-10e-401", "0", "-1e-400");
    row("0.00001e-395", "0", "1e-400");
    row("5e-324", "5e-324", "5e-324");
    row("4e-324", "5e-324", "4e-324");
}

void TestCanonical::exactNumbers()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, rfc);
    QFETCH(QByteArray, exactly);
    QCOMPARE(QByteArray::fromStdString(canonical(text.toStdString())), rfc);
    QCOMPARE(QByteArray::fromStdString(exact(text.toStdString())), exactly);
    QCOMPARE(QByteArray::fromStdString(exact(exactly.toStdString())), exactly);
}

void TestCanonical::tooLargeForTheRfc()
{
    std::string out = "kept";
    QVERIFY(!appendCanonicalJson(out, R"({"a":[1,1e400]})").ok());
    QCOMPARE(out, std::string("kept"));
    QCOMPARE(exact("1e400"), std::string("1e+400"));
    QCOMPARE(exact("10e399"), std::string("1e+400"));
    QCOMPARE(exact("-12.5e999"), std::string("-1.25e+1000"));
    QCOMPARE(exact("1e99999999999999999999"), std::string("1e99999999999999999999"));
    QVERIFY(exact("1e99999999999999999999") != exact("1e99999999999999999998"));
    QCOMPARE(exact("0e99999999999999999999"), std::string("0"));
    const std::string digits(100'000, '7');
    QCOMPARE(exact(digits).size(), digits.size() + 1 + std::string("e+99999").size());
}

void TestCanonical::orderOfNames()
{
    QVERIFY(compareUtf16("", "a") < 0 && compareUtf16("a", "") > 0 && compareUtf16("a", "a") == 0);
    QVERIFY(compareUtf16("a", "aa") < 0 && compareUtf16("B", "a") < 0 && compareUtf16("10", "9") < 0);
    const std::string smiley = "\xF0\x9F\x98\x82";     // D83D DE02
    QVERIFY(compareUtf16(smiley, "\xEF\xAC\xB3") < 0); // FB33
    QVERIFY(compareUtf16("\xEE\x80\x80", smiley) > 0); // E000
    QVERIFY(compareUtf16("\xED\x9F\xBF", smiley) < 0); // D7FF
    QVERIFY(compareUtf16("\xF0\x90\x80\x80", smiley) < 0);
    QVERIFY(compareUtf16("\xEE\x80\x80", "\xEF\xBF\xBD") < 0);
    QVERIFY(compareUtf16("x" + smiley + "b", "x" + smiley + "a") > 0);
    QCOMPARE(canonical(R"({"b":1,"a":{"d":[{"z":1,"y":2}],"c":3},"A":0})"),
             std::string(R"({"A":0,"a":{"c":3,"d":[{"y":2,"z":1}]},"b":1})"));
}

void TestCanonical::strings_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("spelling");
    const auto row = [](const char *name, const char *text, const char *spelling) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(spelling);
    };
    row("plain", R"("abc")", R"("abc")");
    row("slash", R"("a\/b")", R"("a/b")");
    row("short escapes", R"("\u0008\u0009\u000a\u000c\u000d\u0022\u005c")", R"("\b\t\n\f\r\"\\")");
    row("other controls", R"("\u0000\u0001\u001F\u000B")", R"("\u0000\u0001\u001f\u000b")");
    row("not escaped", R"("\u007f\u0080\u2028\ufeff")", "\"\x7F\xC2\x80\xE2\x80\xA8\xEF\xBB\xBF\"");
    row("pair", R"("\uD83D\uDE02")", "\"\xF0\x9F\x98\x82\"");
    row("escaped name", R"({"\u0061\n":1})", R"({"a\n":1})");
}

void TestCanonical::strings()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, spelling);
    QCOMPARE(QByteArray::fromStdString(canonical(text.toStdString())), spelling);
    QCOMPARE(QByteArray::fromStdString(byTree(text.toStdString())), spelling);
}

void TestCanonical::refusesAsTheReader()
{
    for (const char *text : {"", "{", "{\"a\":1,\"a\":1}", "{\"b\":1,\"a\":1,\"b\":2}", "{\"a\":1,\"\\u0061\":1}",
                             "\"\xFF\"", "\"\\ud800\"", "{\"\\udc00\":1}", "[1,]", "01", "{} {}", "nul"}) {
        std::string out = "kept";
        QVERIFY2(!appendCanonicalJson(out, text).ok(), text);
        QCOMPARE(out, std::string("kept"));
    }
    std::string deep = "1";
    for (int i = 0; i < 32; ++i)
        deep = "[" + deep + "]";
    QCOMPARE(canonical(deep), deep);
    QVERIFY(!canonicalJson("[" + deep + "]").ok());
    QCOMPARE(canonical("[1]"), std::string("[1]")); // nothing is left over from the failures
}

void TestCanonical::hiddenValues()
{
    JsonDocument document;
    QVERIFY(document.parse(R"({"b":[1,{"x":2},3],"a":"secret","c":{"d":4}})").ok());
    const JsonValue root = document.root();
    const auto with = [&](std::vector<JsonValue> hidden, Hidden how) {
        std::string out;
        appendCanonicalJson(out, root, hidden, how);
        return out;
    };
    const JsonValue b = *root.member("b");
    const JsonValue a = *root.member("a");
    QCOMPARE(with({}, Hidden::LeftOut), std::string(R"({"a":"secret","b":[1,{"x":2},3],"c":{"d":4}})"));
    QCOMPARE(with({b, a}, Hidden::LeftOut), std::string(R"({"c":{"d":4}})"));
    QCOMPARE(with({*b.element(0), *b.element(1), a}, Hidden::LeftOut), std::string(R"({"b":[3],"c":{"d":4}})"));
    QCOMPARE(with({b, a}, Hidden::Redacted), std::string(R"({"a":"[redacted]","b":"[redacted]","c":{"d":4}})"));
    QCOMPARE(with({*root.member("c")->member("d")}, Hidden::LeftOut),
             std::string(R"({"a":"secret","b":[1,{"x":2},3],"c":{}})"));
    QCOMPARE(with({root}, Hidden::LeftOut), std::string("null"));
    QCOMPARE(with({root}, Hidden::Redacted), std::string("\"[redacted]\""));
}

void TestCanonical::treeAndTextAgree()
{
    std::mt19937_64 random(9);
    const auto word = [&] { return std::string(1 + random() % 3, static_cast<char>('a' + random() % 26)); };
    for (int i = 0; i < 2000; ++i) {
        std::string text = "{";
        for (int member = 0; member < 6; ++member) {
            text += (member == 0 ? "" : ", ") + std::string("\"") + word() + std::to_string(member) + "\" :";
            switch (random() % 4) {
            case 0:
                text += std::to_string(random()) + "." + std::to_string(random() % 1000);
                break;
            case 1:
                text += "\"\\u00" + std::to_string(10 + random() % 90) + word() + "\"";
                break;
            case 2:
                text += "[ {\"z\":1e" + std::to_string(random() % 500) + ",\"\\u0061\":-0.0} ,null]";
                break;
            default:
                text += std::to_string(static_cast<std::int64_t>(random()) >> (random() % 60));
            }
        }
        text += "}";
        const std::string direct = exact(text);
        QVERIFY2(!direct.starts_with("error"), text.c_str());
        QCOMPARE(byTree(text), direct);
        QCOMPARE(exact(direct), direct);
    }
}

void TestCanonical::canonicalIsStable()
{
    const std::string text = canonical(R"({"z":[1e3,"\u00e9"],"a":{"y":null,"x":0.10}})");
    QCOMPARE(text, std::string("{\"a\":{\"x\":0.1,\"y\":null},\"z\":[1000,\"\xC3\xA9\"]}"));
    QCOMPARE(canonical(text), text);
}

void TestCanonical::randomDoublesReadBack()
{
    std::mt19937_64 random(5);
    for (int i = 0; i < 200'000; ++i) {
        const auto value = std::bit_cast<double>(random());
        std::string out;
        if (!appendJsonNumber(out, value))
            continue;
        QCOMPARE(std::strtod(out.c_str(), nullptr), value);
        if (i % 10 == 0)
            QCOMPARE(canonical(out), out);
    }
}

void TestCanonical::speed()
{
    std::string text
        = R"({"booking_reference":"BK-2026-001943","amount":"199.90","currency":"BRL","guest":{"name":"Ana Souza","email":"ana@example.com","loyalty":true},"nights":3,)";
    for (int i = 0; i < 8; ++i)
        text += "\"note_" + std::to_string(9 - i) + "\":\"the guest asked for a quiet room, away from lifts\",";
    text += R"("items":[{"sku":"room","price":149.9,"qty":1},{"sku":"tax","price":12.5,"qty":4}]})";
    std::string out;
    QBENCHMARK
    {
        for (int i = 0; i < 1000; ++i) {
            out.clear();
            if (!appendCanonicalJson(out, text, CanonicalNumbers::Exact))
                QFAIL("not JSON");
        }
    }
    QVERIFY(out.size() > 600);
}

QTEST_APPLESS_MAIN(TestCanonical)
#include "tst_canonical.moc"

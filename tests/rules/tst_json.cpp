// Untrusted JSON: what is read, and that everything else is refused without harm.
#include "model/rules/json.h"

#include <QTest>

#include <random>
#include <string>

using namespace handreset::rules;

namespace {

std::string nested(int depth, const std::string &inside = "1")
{
    std::string text = inside;
    for (int i = 0; i < depth; ++i)
        text = i % 2 == 0 ? "[" + text + "]" : R"({"a":)" + text + "}";
    return text;
}

/// The tree as text, to compare shape and content at once.
std::string shape(JsonValue value)
{
    std::string out;
    switch (value.kind()) {
    case JsonKind::Null:
        return "null";
    case JsonKind::Bool:
        return value.boolean() ? "true" : "false";
    case JsonKind::Number:
        return "#" + std::string(value.text());
    case JsonKind::String:
        return "'" + std::string(value.text()) + "'";
    case JsonKind::Array:
        for (const JsonValue element : value.children())
            out += shape(element) + " ";
        return "[ " + out + "]" + std::to_string(value.size());
    case JsonKind::Object:
        for (const JsonValue member : value.children())
            out += std::string(member.name()) + "=" + shape(member) + " ";
        return "{ " + out + "}" + std::to_string(value.size());
    }
    return "?";
}

} // namespace

class TestJson : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void depth();
    void faultsNameThePlace_data();
    void faultsNameThePlace();
    void lookUp();
    void numbersAreExact();
    void manyMembers();
    void documentIsReused();
    void movedDocumentKeepsItsValues();
    void mutationsNeverCrash();
};

void TestJson::reads_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *text, const char *expected) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
    };
    row("object", R"({"b":1,"a":[true,false,null,"x"]})", "{ b=#1 a=[ true false null 'x' ]4 }2");
    row("empty object", "{}", "{ }0");
    row("empty array", " [ ] ", "[ ]0");
    row("blanks", " \t\r\n{ \"a\" : [ 1 , 2 ] }\n", "{ a=[ #1 #2 ]2 }1");
    row("number", "12", "#12");
    row("number in blanks", " -0 \n", "#-0");
    row("exact text", "[1.50,1E+2,9007199254740993,1e400]", "[ #1.50 #1E+2 #9007199254740993 #1e400 ]4");
    row("string", R"("x")", "'x'");
    row("empty string", R"("")", "''");
    row("true", "true", "true");
    row("null", " null", "null");
    row("escapes", R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC")", "'\"\\/\b\f\n\r\tA\xC3\xA9\xE2\x82\xAC'");
    row("surrogate pair", R"(["\ud83d\ude02","\uDBFF\uDFFF"])", "[ '\xF0\x9F\x98\x82' '\xF4\x8F\xBF\xBF' ]2");
    row("raw UTF-8", "\"\xF0\x9F\x98\x82\"", "'\xF0\x9F\x98\x82'");
    row("escaped name", R"({"\u0061b":1})", "{ ab=#1 }1");
    row("empty name", R"({"":1})", "{ =#1 }1");
    row("names of another object", R"({"a":{"a":1},"b":{"a":2}})", "{ a={ a=#1 }1 b={ a=#2 }1 }2");
    row("names by case", R"({"a":1,"A":2})", "{ a=#1 A=#2 }2");
    row("brackets in strings", R"({"]}":"[{\"","x":"},"})", "{ ]}='[{\"' x='},' }2");
    row("backslashes before the quote", R"(["\\","\\\\\"","a\\"])", R"([ '\' '\\"' 'a\' ]3)");
    row("DEL is no control", "\"\x7F\"", "'\x7F'");
}

void TestJson::reads()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    JsonDocument document;
    const auto result = document.parse(text.toStdString());
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
    QCOMPARE(QByteArray::fromStdString(shape(document.root())), expected);
}

void TestJson::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    const char *const texts[] = {"",
                                 " ",
                                 "\n",
                                 "{",
                                 "}",
                                 "[",
                                 "]",
                                 "[1",
                                 "[1,",
                                 "[1,]",
                                 "[,1]",
                                 "[1 2]",
                                 "[1,,2]",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{\"a\":1,}",
                                 "{,\"a\":1}",
                                 "{\"a\" 1}",
                                 "{\"a\":1 \"b\":2}",
                                 "{a:1}",
                                 "{'a':1}",
                                 "{1:1}",
                                 "{null:1}",
                                 "{\"a\":1]",
                                 "[1}",
                                 "[1]]",
                                 "{}{}",
                                 "{} x",
                                 "[1] 2",
                                 "1 2",
                                 "\"a\" \"b\"",
                                 "\"a\"b",
                                 "tru",
                                 "truex",
                                 "True",
                                 "nul",
                                 "nullx",
                                 "NaN",
                                 "Infinity",
                                 "-Infinity",
                                 "undefined",
                                 "01",
                                 "-",
                                 "+1",
                                 ".5",
                                 "5.",
                                 "1e",
                                 "1e+",
                                 "1.e5",
                                 "0x10",
                                 "1_000",
                                 "--1",
                                 "-01",
                                 "[01]",
                                 "[1.]",
                                 "[-]",
                                 "[+1]",
                                 "[.5]",
                                 "[NaN]",
                                 "[tru]",
                                 "[truefalse]",
                                 "[nulll]",
                                 "\"",
                                 "\"abc",
                                 "[\"abc]",
                                 "\"\\\"",
                                 "\"\\x41\"",
                                 "\"\\u12\"",
                                 "\"\\u12G4\"",
                                 "\"\\uD800\"",
                                 "\"\\uDC00\"",
                                 "\"\\uD800x\"",
                                 "\"\\uD800\\n\"",
                                 "\"\\uD800\\u0041\"",
                                 "\"\\uD800\\uD800\"",
                                 "\"\\uDC00\\uD800\"",
                                 "{\"\\uD800\":1}",
                                 "\"a\nb\"",
                                 "\"\t\"",
                                 "[\"\x01\"]",
                                 "/*c*/1",
                                 "1//c",
                                 "[1]#",
                                 "'a'",
                                 "{\"a\":1,\"a\":1}",
                                 "{\"a\":1,\"b\":2,\"a\":3}",
                                 "{\"a\":1,\"\\u0061\":2}",
                                 "{\"\":1,\"\":2}",
                                 "[{\"x\":{\"a\":1,\"a\":2}}]",
                                 "\xEF\xBB\xBF{}",
                                 "\"\xFF\"",
                                 "\"\xC0\x80\"",
                                 "\"\xED\xA0\x80\"",
                                 "\"\xF4\x90\x80\x80\"",
                                 "\"\xE2\x82\"",
                                 "[\xC2\xA0]",
                                 "\x0B{}",
                                 "{\"a\":1}\x0C",
                                 "[1,2",
                                 "[[1]",
                                 "{\"a\":[1}",
                                 "{\"a\":{\"b\":1]}",
                                 ",",
                                 ":",
                                 "[:]",
                                 "[1:2]",
                                 "{\"a\"::1}",
                                 "{\"a\",1}",
                                 "{\"a\":1,,\"b\":2}",
                                 "\\",
                                 "[\\]"};
    for (const char *text : texts)
        QTest::newRow(text[0] == '\0' ? "nothing" : QByteArray(text).toPercentEncoding(" {}[],:\"'\\").constData())
            << QByteArray(text);
    QTest::newRow("NUL after it") << QByteArray("{}\0", 3);
    QTest::newRow("NUL in a string") << QByteArray("\"a\0b\"", 5);
    QTest::newRow("NUL alone") << QByteArray("\0", 1);
    QTest::newRow("only openers") << QByteArray(100'000, '[');
    QTest::newRow("only objects") << QByteArray("{\"a\":").repeated(100'000);
}

void TestJson::refuses()
{
    QFETCH(QByteArray, text);
    JsonDocument document;
    const auto result = document.parse(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    QVERIFY(!result.ok());
    QCOMPARE(result.error().code, ErrorCode::BadInput);
    QVERIFY(!result.error().message.empty());
    QVERIFY(result.error().context.starts_with("byte "));
    QVERIFY(document.root().is(JsonKind::Null));
}

void TestJson::depth()
{
    JsonDocument document;
    QVERIFY(document.parse(nested(32)).ok());
    QVERIFY(!document.parse(nested(33)).ok());
    QVERIFY(document.parse(nested(31, "[]")).ok());
    QVERIFY(!document.parse(nested(32, "{}")).ok());
    QVERIFY(!document.parse(nested(5000)).ok());
}

void TestJson::faultsNameThePlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("context");
    QTest::newRow("number") << QByteArray(R"({"a":[1,{"b":0x1}]})") << QByteArray("byte 13 at /a/1/b");
    QTest::newRow("surrogate") << QByteArray(R"({"a":"\ud800"})") << QByteArray("byte 5 at /a");
    QTest::newRow("root") << QByteArray("  x") << QByteArray("byte 2");
    QTest::newRow("after it") << QByteArray("{} {}") << QByteArray("byte 3");
    QTest::newRow("name twice") << QByteArray(R"({"n":{"a":1,"a":2}})") << QByteArray("byte 18 at /n");
}

void TestJson::faultsNameThePlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, context);
    JsonDocument document;
    const auto result = document.parse(text.toStdString());
    QVERIFY(!result.ok());
    QCOMPARE(QByteArray::fromStdString(result.error().context), context);
}

void TestJson::lookUp()
{
    JsonDocument document;
    QVERIFY(document.parse(R"({"a":{"x":[1,2]},"b":[{"c":"d"},3],"e":"f"})").ok());
    const JsonValue root = document.root();
    QCOMPARE(root.size(), std::size_t{3});
    QVERIFY(root.member("b")->element(0)->member("c")->asString() == "d");
    QCOMPARE(root.member("b")->element(1)->text(), std::string_view("3"));
    QVERIFY(!root.member("b")->element(2));
    QVERIFY(!root.member("x"));
    QVERIFY(!root.element(0));
    QVERIFY(!root.member("e")->member("e"));
    QVERIFY(!root.member("e")->element(0));
    QVERIFY(!root.member("a")->asString());
    QCOMPARE(root.member("e")->children().begin() == root.member("e")->children().end(), true);
}

void TestJson::numbersAreExact()
{
    JsonDocument document;
    QVERIFY(document.parse(R"([9007199254740993,1e400,0.05,3.0,3e0,3.5,9223372036854775808,-9223372036854775808,"3"])")
                .ok());
    const auto at = [&](std::size_t place) { return *document.root().element(place); };
    QCOMPARE(at(0).asDecimal()->toString(), std::string("9007199254740993"));
    QVERIFY(!at(1).asDecimal());
    QCOMPARE(at(2).asDecimal()->toString(), std::string("0.05"));
    QVERIFY(at(3).asInteger() == 3 && at(4).asInteger() == 3);
    QVERIFY(!at(5).asInteger() && !at(6).asInteger());
    QVERIFY(at(7).asInteger() == std::numeric_limits<std::int64_t>::min());
    QVERIFY(!at(8).asInteger() && !at(8).asDecimal());
}

void TestJson::manyMembers()
{
    std::string text = "{";
    for (int i = 0; i < 5000; ++i)
        text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
    JsonDocument document;
    QVERIFY(document.parse(text + "\"last\":0}").ok());
    QVERIFY(document.root().member("k4999")->asInteger() == 4999);
    QVERIFY(!document.parse(text + "\"k77\":0}").ok());
}

void TestJson::documentIsReused()
{
    JsonDocument document;
    QVERIFY(document.root().is(JsonKind::Null));
    QVERIFY(document.parse(R"({"long":"\u0041 text with an escape"})").ok());
    QVERIFY(document.parse("[1]").ok());
    QCOMPARE(shape(document.root()), std::string("[ #1 ]1"));
    QVERIFY(!document.parse("[").ok());
    QVERIFY(document.root().is(JsonKind::Null));
    QVERIFY(document.parse("\"again\"").ok());
    QCOMPARE(shape(document.root()), std::string("'again'"));
}

void TestJson::movedDocumentKeepsItsValues()
{
    JsonDocument first;
    QVERIFY(first.parse(R"({"a":"\u0041","b":"short"})").ok());
    const JsonDocument second = std::move(first);
    QCOMPARE(shape(second.root()), std::string("{ a='A' b='short' }2"));
}

void TestJson::mutationsNeverCrash()
{
    const std::string seed
        = R"({"a":[1,-2.5e3,"x\u00e9\ud83d\ude02",{"b":null,"c":[true,false,[]]}],"d":{},"e":"\\\""})";
    std::mt19937_64 random(3);
    const std::string bytes = "{}[],:\"\\0123456789.eE+-truefalsn ud8\x01\x80\xFF\n";
    JsonDocument document;
    int good = 0;
    for (int i = 0; i < 100'000; ++i) {
        std::string text = seed;
        for (auto n = random() % 4; n > 0; --n) {
            const std::size_t at = random() % text.size();
            switch (random() % 3) {
            case 0:
                text[at] = bytes[random() % bytes.size()];
                break;
            case 1:
                text.erase(at, 1 + random() % 3);
                break;
            default:
                text.insert(at, 1, bytes[random() % bytes.size()]);
            }
        }
        if (document.parse(text).ok())
            good += shape(document.root()).empty() ? 0 : 1;
    }
    QVERIFY(good > 10'000 && good < 90'000);
}

QTEST_APPLESS_MAIN(TestJson)
#include "tst_json.moc"

// Equal calls are one call in whatever disguise; different calls never are. cases.md 18 and 19, threats.md
// "repetition in disguise".
#include "model/rules/call_identity.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace handreset::rules;

namespace {

using Random = std::mt19937_64;

Digest of(std::string_view arguments, std::span<const Pointer> ignore = {})
{
    return identify("lookup", arguments, ignore).digest;
}

Pointer pointer(const char *text)
{
    auto result = Pointer::parse(text);
    if (!result)
        qFatal("not a pointer: %s", text);
    return *result;
}

std::string blanks(Random &random)
{
    std::string text;
    for (auto n = random() % 3; n > 0; --n)
        text += " \t\n\r"[random() % 4];
    return text;
}

/// One of the ways to write this ASCII text.
std::string disguised(std::string_view text, Random &random)
{
    std::string out = "\"";
    for (const char c : text) {
        const unsigned code = static_cast<unsigned char>(c);
        if (random() % 4 == 0) {
            const char *const digits = random() % 2 == 0 ? "0123456789abcdef" : "0123456789ABCDEF";
            out += "\\u00";
            out += digits[code >> 4];
            out += digits[code & 0xF];
        } else if (c == '/') {
            out += random() % 2 == 0 ? "/" : "\\/";
        } else {
            out += c;
        }
    }
    return out + "\"";
}

std::string number(Random &random)
{
    const char *const spellings[] = {"1250",     "1250.0",  "1250.000", "1.25e3",   "1.25E+3",
                                     "12500e-1", "0.125e4", "125E1",    "1250.0e0", "0.00125e+06"};
    return spellings[random() % std::size(spellings)];
}

std::string object(std::vector<std::pair<std::string, std::string>> members, Random &random)
{
    std::shuffle(members.begin(), members.end(), random);
    std::string out = "{";
    for (std::size_t i = 0; i < members.size(); ++i) {
        out += (i == 0 ? "" : ",") + blanks(random) + disguised(members[i].first, random) + blanks(random) + ":"
            + blanks(random) + members[i].second;
    }
    return out + blanks(random) + "}";
}

/// One call in one of its many spellings.
std::string variant(Random &random)
{
    const std::string inner = object({{"city", disguised("Porto/Gaia", random)},
                                      {"nights", number(random)},
                                      {"zero", random() % 2 == 0 ? "-0" : "0.0e7"}},
                                     random);
    const std::string list = "[" + blanks(random) + "null" + blanks(random) + "," + number(random) + ",true]";
    return blanks(random) + object({{"query", inner}, {"list", list}, {"Query", disguised("x", random)}}, random)
        + blanks(random);
}

} // namespace

class TestCallIdentity : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void variantsHaveOneIdentity();
    void equal_data();
    void equal();
    void different_data();
    void different();
    void notJsonIsComparedByBytes_data();
    void notJsonIsComparedByBytes();
    void truncatedEverywhere();
    void toolCounts();
    void ignoredFields_data();
    void ignoredFields();
    void canonicalArgumentsAreTheSameCall();
    void harmlessCallsAllDiffer();
    void speed();
};

void TestCallIdentity::variantsHaveOneIdentity()
{
    Random random(42);
    const Digest first = of(variant(random));
    std::set<std::string> spellings;
    for (int i = 0; i < 2000; ++i) {
        const std::string text = variant(random);
        spellings.insert(text);
        QVERIFY2(of(text) == first, text.c_str());
    }
    QVERIFY(spellings.size() > 1900);
}

void TestCallIdentity::equal_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    const auto row
        = [](const char *name, const char *a, const char *b) { QTest::newRow(name) << QByteArray(a) << QByteArray(b); };
    row("order of names", R"({"a":1,"b":2})", R"({"b":2,"a":1})");
    row("blanks", R"({"a":[1,2]})", " {\n\"a\" : [ 1,\t2 ] } ");
    row("1.0 and 1", R"({"a":1.0})", R"({"a":1})");
    row("exponent", "[1e2]", "[100]");
    row("minus zero", "-0", "0");
    row("escapes", R"("\u0061\/")", R"("a/")");
    row("beyond doubles", "9007199254740993", "9007199254740993.000");
    row("1e400 in two ways", "1e400", "10.0E399");
    row("tiny", "1e-400", "0.1e-399");
    row("null", "null", " null ");
}

void TestCallIdentity::equal()
{
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QVERIFY(identify("t", a.toStdString()).isJson);
    QVERIFY(of(a.toStdString()) == of(b.toStdString()));
}

void TestCallIdentity::different_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    const auto row
        = [](const char *name, const char *a, const char *b) { QTest::newRow(name) << QByteArray(a) << QByteArray(b); };
    row("order of elements", "[1,2]", "[2,1]");
    row("2^53 + 1", "9007199254740993", "9007199254740992");
    row("2^53 + 1, with point", "9007199254740993.0", "9007199254740992.0");
    row("1e400 and 1e401", "1e400", "1e401");
    row("1e400 and its negative", "1e400", "-1e400");
    row("1e-400 and zero", "1e-400", "0");
    row("a digit past doubles", "0.1", "0.10000000000000000001");
    row("number and text", "1", R"("1")");
    row("null and nothing", R"({"a":null})", "{}");
    row("empty array and object", "[]", "{}");
    row("false and null", "false", "null");
    row("case", R"({"A":1})", R"({"a":1})");
    row("composed and not", "\"\xC3\xA9\"", "\"e\xCC\x81\"");
    row("blanks in text", R"("a b")", R"("a  b")");
    row("name moved into value", R"({"a":"b,c"})", R"({"a":"b","c":""})");
}

void TestCallIdentity::different()
{
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QVERIFY(of(a.toStdString()) != of(b.toStdString()));
    QVERIFY(of(a.toStdString()) == of(a.toStdString()));
}

void TestCallIdentity::notJsonIsComparedByBytes_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text :
         {"", "{", R"({"a":1)", R"({"a":1,"a":1})", "\"\xFF\"", R"("\ud800")", "NaN", "hello", "[1,]"})
        QTest::newRow(text) << QByteArray(text);
    QTest::newRow("NUL") << QByteArray("\0{}", 3);
    QTest::newRow("too deep") << QByteArray(QByteArray("[").repeated(33) + QByteArray("]").repeated(33));
    QTest::newRow("far too deep") << QByteArray(200'000, '[');
}

void TestCallIdentity::notJsonIsComparedByBytes()
{
    QFETCH(QByteArray, text);
    const std::string bytes = text.toStdString();
    QVERIFY(!identify("lookup", bytes).isJson);
    QVERIFY(of(bytes) == of(bytes));
    QVERIFY(of(bytes) != of(bytes + " "));
    const Pointer ignored[] = {pointer("/a")};
    QVERIFY(of(bytes, ignored) == of(bytes));
    const CanonicalArguments kept = canonicalArguments(bytes);
    QVERIFY(!kept.isJson);
    QCOMPARE(kept.text, bytes);
    QVERIFY(identify("lookup", kept).digest == of(bytes));
    // The same bytes as JSON's canonical text would be another call: the kinds are told apart.
    QVERIFY(identify("lookup", CanonicalArguments{"[1]", false}).digest != of("[1]"));
}

void TestCallIdentity::truncatedEverywhere()
{
    Random random(1);
    const std::string whole = variant(random);
    std::set<Digest> seen;
    for (std::size_t length = 0; length <= whole.size(); ++length)
        seen.insert(of(std::string_view(whole).substr(0, length)));
    // Only those that differ in blanks after the end are the same call.
    const std::size_t end = whole.find_last_of('}') + 1;
    QCOMPARE(seen.size(), end + 1);
}

void TestCallIdentity::toolCounts()
{
    QVERIFY(identify("a", "{}").digest != identify("b", "{}").digest);
    QVERIFY(identify("a", "1").digest != identify("a1", "").digest);
    QVERIFY(identify("a1:J", "1").digest != identify("a", "1:J1").digest);
    QVERIFY(identify("", "{}").digest != identify("{}", "").digest);
    QVERIFY(identify("a", "{}") == identify("a", " { } "));
}

void TestCallIdentity::ignoredFields_data()
{
    QTest::addColumn<QByteArrayList>("ignore");
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<bool>("isSame");
    const auto row = [](const char *name, QByteArrayList ignore, const char *a, const char *b, bool isSame) {
        QTest::newRow(name) << std::move(ignore) << QByteArray(a) << QByteArray(b) << isSame;
    };
    row("a field", {"/at"}, R"({"q":1,"at":"10:00"})", R"({"at":"10:01","q":1})", true);
    row("only that field", {"/at"}, R"({"q":1,"at":1})", R"({"q":2,"at":1})", false);
    row("absent in one", {"/at"}, R"({"q":1,"at":1})", R"({"q":1})", true);
    row("of another name", {"/at"}, R"({"q":1,"At":1})", R"({"q":1,"At":2})", false);
    row("nested", {"/meta/trace"}, R"({"meta":{"trace":1,"x":2}})", R"({"meta":{"x":2,"trace":9}})", true);
    row("the rest of nested", {"/meta/trace"}, R"({"meta":{"trace":1,"x":2}})", R"({"meta":{"trace":1,"x":3}})", false);
    row("every element", {"/items/*/id"}, R"({"items":[{"id":1,"n":1},{"id":2,"n":2}]})",
        R"({"items":[{"n":1,"id":8},{"n":2}]})", true);
    row("elements keep order", {"/items/*/id"}, R"({"items":[{"id":1,"n":1},{"id":2,"n":2}]})",
        R"({"items":[{"id":1,"n":2},{"id":2,"n":1}]})", false);
    row("two fields", {"/a", "/b"}, R"({"a":1,"b":2,"c":3})", R"({"a":7,"b":8,"c":3})", true);
    row("one within the other", {"/a", "/a/b"}, R"({"a":{"b":1},"c":3})", R"({"a":{"b":2},"c":3})", true);
    row("everything", {""}, R"({"a":1})", "[2]", true);
    row("numbers still exact", {"/at"}, R"({"q":9007199254740993,"at":1})", R"({"q":9007199254740992,"at":2})", false);
    row("spelling still free", {"/at"}, R"({"q":1.0,"at":1})", R"({"at":2,"q":10e-1})", true);
}

void TestCallIdentity::ignoredFields()
{
    QFETCH(QByteArrayList, ignore);
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QFETCH(bool, isSame);
    std::vector<Pointer> pointers;
    for (const QByteArray &text : ignore)
        pointers.push_back(pointer(text.constData()));
    QCOMPARE(of(a.toStdString(), pointers) == of(b.toStdString(), pointers), isSame);
    QVERIFY(identify("lookup", canonicalArguments(a.toStdString()), pointers).digest == of(a.toStdString(), pointers));
}

void TestCallIdentity::canonicalArgumentsAreTheSameCall()
{
    Random random(8);
    for (int i = 0; i < 200; ++i) {
        const std::string text = variant(random);
        const CanonicalArguments kept = canonicalArguments(text);
        QVERIFY(kept.isJson);
        QVERIFY(identify("lookup", kept).digest == of(text));
        QVERIFY(of(kept.text) == of(text));
        QVERIFY(canonicalArguments(kept.text) == kept);
    }
    QCOMPARE(canonicalArguments(R"({ "b":500.00,"a":9007199254740993 })").text,
             std::string(R"({"a":9.007199254740993e+15,"b":500})"));
}

void TestCallIdentity::harmlessCallsAllDiffer()
{
    std::set<Digest> seen;
    for (int i = 0; i < 500; ++i)
        seen.insert(of(R"({"page":)" + std::to_string(i) + "}"));
    QCOMPARE(seen.size(), std::size_t{500});
}

void TestCallIdentity::speed()
{
    std::string text = "{";
    for (int i = 0; i < 12; ++i)
        text += (i == 0 ? "\"" : ",\"") + std::string("field_") + std::to_string(i)
            + R"(":"a value of about thirty letters")";
    text += R"(,"amount":199.90})";
    Digest digest{};
    QBENCHMARK
    {
        for (int i = 0; i < 1000; ++i)
            digest = of(text);
    }
    QVERIFY(digest == of(text));
}

QTEST_APPLESS_MAIN(TestCallIdentity)
#include "tst_call_identity.moc"

// JSON pointers by RFC 6901's own example, and `*`.
#include "model/rules/pointer.h"

#include <QTest>

#include <string>
#include <vector>

using namespace handreset::rules;

namespace {

/// The values' texts joined by ",", with "!" at the end where a place was missing.
std::string resolved(const char *pointerText, const char *json)
{
    const auto pointer = Pointer::parse(pointerText);
    JsonDocument document;
    if (!pointer || !document.parse(json))
        return "not parsed";
    std::vector<JsonValue> values;
    const bool isComplete = pointer->resolve(document.root(), values);
    std::string out;
    for (const JsonValue value : values) {
        if (!out.empty())
            out += ",";
        out += value.is(JsonKind::Array) ? "array" : value.is(JsonKind::Object) ? "object" : std::string(value.text());
    }
    return out + (isComplete ? "" : "!");
}

// Not a raw string: Qt 6.4's moc loses its way in one that holds \\ and \".
constexpr const char *kRfcDocument = "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,\"g|h\":4,"
                                     "\"i\\\\j\":5,\"k\\\"l\":6,\" \":7,\"m~n\":8}";
constexpr const char *kOrder
    = R"({"items":[{"amount":1,"tags":["a","b"]},{"amount":2,"tags":[]},{"amount":3,"tags":["c"]}],"*":"star","01":"x","none":[]})";

} // namespace

class TestPointer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void resolves_data();
    void resolves();
    void refuses_data();
    void refuses();
    void keepsItsText();
};

void TestPointer::resolves_data()
{
    QTest::addColumn<QByteArray>("pointer");
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *pointer, const char *json, const char *expected) {
        QTest::addRow("%s in %.12s", pointer, json) << QByteArray(pointer) << QByteArray(json) << QByteArray(expected);
    };
    row("", kRfcDocument, "object");
    row("/foo", kRfcDocument, "array");
    row("/foo/0", kRfcDocument, "bar");
    row("/", kRfcDocument, "0");
    row("/a~1b", kRfcDocument, "1");
    row("/c%d", kRfcDocument, "2");
    row("/e^f", kRfcDocument, "3");
    row("/g|h", kRfcDocument, "4");
    row("/i\\j", kRfcDocument, "5");
    row("/k\"l", kRfcDocument, "6");
    row("/ ", kRfcDocument, "7");
    row("/m~0n", kRfcDocument, "8");
    row("/foo/2", kRfcDocument, "!");
    row("/foo/-", kRfcDocument, "!");
    row("/foo/00", kRfcDocument, "!");
    row("/foo/01", kRfcDocument, "!");
    row("/foo/+1", kRfcDocument, "!");
    row("/foo/99999999999999999999999", kRfcDocument, "!");
    row("/foo/bar", kRfcDocument, "!");
    row("/foo/0/x", kRfcDocument, "!");
    row("/nothing", kRfcDocument, "!");
    row("/Foo", kRfcDocument, "!");
    row("/~01", R"({"~1":"tilde one","/":"slash"})", "tilde one");

    row("/items/*/amount", kOrder, "1,2,3");
    row("/items/*/tags/*", kOrder, "a,b,c");
    row("/items/*", kOrder, "object,object,object");
    row("/items/1/amount", kOrder, "2");
    row("/*", kOrder, "!");
    row("/01", kOrder, "x");
    row("/none/*", kOrder, "");
    row("/none/*/amount", kOrder, "");
    row("/items/*/price", kOrder, "!");
    row("/items/*/tags/0", kOrder, "a,c!");
    row("/items/0/amount/*", kOrder, "!");
    row("/*/*", "[[1,2],[3]]", "1,2,3");
    row("/*/x", R"([{"x":1},{"y":2},{"x":3}])", "1,3!");
    row("/x", "5", "!");
    row("", "5", "5");
    row("/0", R"({"0":"member"})", "member");
    row("/\xC3\xA9", "{\"\\u00e9\":\"accent\"}", "accent");
}

void TestPointer::resolves()
{
    QFETCH(QByteArray, pointer);
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(resolved(pointer.constData(), json.constData())), expected);
}

void TestPointer::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"a", "a/b", " /a", "#/a", "*", "~", "/~", "/a~", "/~2", "/a~b", "/a/~/b"})
        QTest::newRow(text) << QByteArray(text);
    QTest::newRow("not UTF-8") << QByteArray("/\xFF");
    QTest::newRow("33 steps") << QByteArray("/a").repeated(33);
}

void TestPointer::refuses()
{
    QFETCH(QByteArray, text);
    const auto pointer = Pointer::parse(text.toStdString());
    QVERIFY(!pointer.ok());
    QCOMPARE(pointer.error().code, ErrorCode::BadInput);
    QVERIFY(pointer.error().message.starts_with("Not a JSON pointer: "));
}

void TestPointer::keepsItsText()
{
    QCOMPARE(Pointer::parse("/a~1b/*")->text(), std::string("/a~1b/*"));
    QVERIFY(*Pointer::parse("/a") == *Pointer::parse("/a"));
    QVERIFY(!(*Pointer::parse("/a") == *Pointer::parse("/b")));
    QVERIFY(*Pointer::parse("") == Pointer());
    QVERIFY(Pointer::parse(std::string(64, '/').substr(0, 32)).ok());
}

QTEST_APPLESS_MAIN(TestPointer)
#include "tst_pointer.moc"

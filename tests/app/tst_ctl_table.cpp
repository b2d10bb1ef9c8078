// Text for a terminal: nothing that comes from outside can move the cursor, turn the line around, or run over it.
#include "app/ctl/json_writer.h"
#include "app/ctl/table.h"
#include "model/rules/utf8.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <set>
#include <string>
#include <vector>

using namespace handreset;
using namespace handreset::ctl;

class TestTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hostileTextIsMadeVisible_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("shown");
        QTest::newRow("plain") << QByteArray("billing") << "billing";
        QTest::newRow("accents") << QByteArray("S\xC3\xA3o Paulo") << QString::fromUtf8("S\xC3\xA3o Paulo");
        QTest::newRow("escape") << QByteArray("\x1B[2Jgone") << QString::fromUtf8("\xE2\x90\x9B[2Jgone");
        QTest::newRow("line feed") << QByteArray("a\nb")
                                   << QString::fromUtf8("a\xE2\x90\x8A"
                                                        "b");
        QTest::newRow("zero byte") << QByteArray("a\0b", 3)
                                   << QString::fromUtf8("a\xE2\x90\x80"
                                                        "b");
        QTest::newRow("delete") << QByteArray("a\x7F") << QString::fromUtf8("a\xE2\x90\xA1");
        QTest::newRow("one-byte CSI") << QByteArray("\xC2\x9B"
                                                    "2J")
                                      << QString::fromUtf8("\xE2\x9F\xA8U+009B\xE2\x9F\xA9"
                                                           "2J");
        QTest::newRow("right to left override") << QByteArray("\xE2\x80\xAE"
                                                              "lla")
                                                << QString::fromUtf8("\xE2\x9F\xA8U+202E\xE2\x9F\xA9lla");
        QTest::newRow("isolate") << QByteArray("\xE2\x81\xA7x") << QString::fromUtf8("\xE2\x9F\xA8U+2067\xE2\x9F\xA9x");
        QTest::newRow("zero width") << QByteArray("a\xE2\x80\x8B"
                                                  "b")
                                    << QString::fromUtf8("a\xE2\x9F\xA8U+200B\xE2\x9F\xA9"
                                                         "b");
        QTest::newRow("tag") << QByteArray("\xF3\xA0\x81\x81") << QString::fromUtf8("\xE2\x9F\xA8U+E0041\xE2\x9F\xA9");
        QTest::newRow("not UTF-8") << QByteArray("a\xFF") << QString::fromUtf8("a\xEF\xBF\xBD");
        QTest::newRow("half a sequence") << QByteArray("\xE2\x80") << QString::fromUtf8("\xEF\xBF\xBD\xEF\xBF\xBD");
    }
    void hostileTextIsMadeVisible()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, shown);
        QCOMPARE(QString::fromStdString(visible(text.toStdString())), shown);
    }
    void longTextIsCutAtItsColumns()
    {
        QCOMPARE(visible("0123456789", 10), std::string("0123456789"));
        QCOMPARE(visible("0123456789a", 10), std::string("012345678\xE2\x80\xA6"));
        const auto wide = visible("\xE6\xBC\xA2\xE6\xBC\xA2\xE6\xBC\xA2\xE6\xBC\xA2\xE6\xBC\xA2\xE6\xBC\xA2", 10);
        QVERIFY(columnsOf(wide) <= 10);
        QVERIFY(QByteArray::fromStdString(wide).endsWith("\xE2\x80\xA6"));
        for (std::size_t columns = 1; columns < 30; ++columns) {
            const auto cut = visible("a\xE2\x80\xAE\xE6\xBC\xA2"
                                     "b\xCC\x81"
                                     "cdefghij\x1Bklm",
                                     columns);
            QVERIFY(columnsOf(cut) <= columns);
            QVERIFY(rules::isUtf8(cut));
        }
    }
    void piledUpMarksAreBounded()
    {
        std::string pile = "a";
        for (int i = 0; i < 1000; ++i)
            pile += "\xCC\x81";
        QVERIFY(columnsOf(visible(pile)) <= kWidestText);
        QVERIFY(visible(pile).find("\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81") == std::string::npos);
    }
    void namesThatLookTheSameAreToldApart()
    {
        const std::vector<std::string> names{"billing",
                                             "billing ",
                                             "billing  ",
                                             "billing\xC2\xA0", // U+00A0
                                             "\xCC\x81"
                                             "billing", // a mark on nothing
                                             "bil\xCD\x8F"
                                             "ling",                // U+034F
                                             "bil\xE2\xA0\x80ling", // U+2800
                                             "bil ling",
                                             "bil\xC2\xA0ling",
                                             "bil\xE2\x80\x89ling",     // U+2009
                                             "bil\xE3\x80\x80ling",     // U+3000
                                             "bil\xF0\x9D\x85\xB3ling", // U+1D173
                                             "a\xCC\x81\xCC\x81\xCC\x81\xCC\x81",
                                             "a\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81",
                                             "a\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81"};
        std::set<std::string> shown;
        for (const auto &name : names) {
            const auto form = visible(name);
            QVERIFY2(!form.ends_with(' '), form.c_str());
            QVERIFY2(form.find("\xC2\xA0") == std::string::npos, form.c_str());
            shown.insert(form);
            QCOMPARE(visible(form), form);
        }
        QCOMPARE(shown.size(), names.size());
        QCOMPARE(visible("billing "), std::string("billing\xE2\x90\xA0"));
        QVERIFY(visible("\xCC\x81"
                        "billing")
                    .starts_with("\xE2\x9F\xA8U+0301"));
    }
    void jsonHidesNothing()
    {
        JsonWriter json;
        const std::string name = "a\xC2\x9B\x7F\xE2\x80\xAE\xE2\x80\xA8\xE2\x80\x8B\xF3\xA0\x81\x81\xC3\xA9";
        json.text("name", name);
        const auto text = json.finish();
        QCOMPARE(text, std::string("{\"name\":\"a\\u009b\\u007f\\u202e\\u2028\\u200b\\udb40\\udc41\xC3\xA9\"}\n"));
        const auto object = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        QCOMPARE(object.value(u"name").toString().toStdString(), name);
    }
    void columnsAreAligned()
    {
        Table table({{"NAME"}, {"STEPS", Align::Right}, {"LAST"}});
        QVERIFY(table.isEmpty());
        table.add({"a", "1", "x"});
        table.add({"\xE6\xBC\xA2\xE5\xAD\x97", "12345678", ""});
        table.add({"long name"});
        QCOMPARE(QString::fromStdString(table.toString()),
                 QString::fromUtf8("NAME          STEPS  LAST\n"
                                   "a                 1  x\n"
                                   "\xE6\xBC\xA2\xE5\xAD\x97       12345678\n"
                                   "long name\n"));
    }
    void jsonIsOneObject()
    {
        JsonWriter json;
        json.text("name", "a\"\x1B\xFF");
        json.beginArray("list");
        json.element("x");
        json.beginObject();
        json.number("n", std::uint64_t(18446744073709551615ULL));
        json.end();
        json.end();
        json.beginObject("empty");
        json.end();
        json.instant("at", rules::Instant{1'796'004'847'418'000});
        json.instant("never", std::nullopt);
        json.flag("ok", true);
        const auto text = json.finish();
        QVERIFY(text.ends_with("}\n"));
        QVERIFY(text.find("18446744073709551615") != std::string::npos);
        const auto object = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        QCOMPARE(object.size(), 6);
        QCOMPARE(object.value(u"list").toArray().size(), 2);
        QCOMPARE(object.value(u"at").toString(), QStringLiteral("2026-11-30T02:14:07.418000Z"));
        QVERIFY(object.value(u"never").isNull());
        QVERIFY(object.value(u"ok").toBool());
    }
};

QTEST_APPLESS_MAIN(TestTable)
#include "tst_ctl_table.moc"

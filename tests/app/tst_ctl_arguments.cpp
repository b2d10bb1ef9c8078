// The command line taken apart: verbs, arguments, options in any place, and what is said of bad use.
#include "app/ctl/arguments.h"
#include "app/ctl/time_argument.h"

#include <QtTest>

#include <array>

using namespace handreset;
using namespace handreset::ctl;

namespace {

constexpr std::array kOptions{Option{"reason", "R", ""}, Option{"active", "", ""}, Option{"kind", "K", "", true}};
constexpr Usage kUsage{"policy apply", "FILE", 1, 1, kOptions};

std::string faultOf(const std::vector<std::string> &words)
{
    const auto parsed = parseArguments(words, kUsage);
    return parsed ? std::string() : parsed.error().message;
}

} // namespace

class TestArguments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void optionsMayStandAnywhere()
    {
        const std::vector<std::vector<std::string>> lines{{"--reason", "why", "--active", "a.toml"},
                                                          {"a.toml", "--reason", "why", "--active"},
                                                          {"--active", "a.toml", "--reason=why"}};
        for (const auto &line : lines) {
            const auto parsed = parseArguments(line, kUsage);
            QVERIFY(parsed.ok());
            QCOMPARE(parsed->positional(), std::vector<std::string>{"a.toml"});
            QCOMPARE(parsed->valueOr("reason", ""), std::string("why"));
            QVERIFY(parsed->has("active"));
            QVERIFY(!parsed->wantsJson());
        }
    }
    void valuesMayBeNearlyAnything()
    {
        const auto parsed = parseArguments({"--reason=--really", "--kind", "a", "--kind=b", "--", "--active"}, kUsage);
        QVERIFY(parsed.ok());
        QCOMPARE(parsed->valueOr("reason", ""), std::string("--really"));
        QCOMPARE(parsed->values("kind"), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(parsed->positional(), std::vector<std::string>{"--active"});
        QVERIFY(!parsed->has("active"));
    }
    void badUseNamesTheOption()
    {
        QVERIFY(faultOf({"a", "--resaon", "x"}).find("--resaon, did you mean --reason?") != std::string::npos);
        QVERIFY(faultOf({"a", "--reason"}).find("--reason needs a value: --reason R") != std::string::npos);
        QVERIFY(faultOf({"a", "--reason", "--active"}).find("--reason needs a value") != std::string::npos);
        QVERIFY(faultOf({"a", "--active=yes"}).find("--active takes no value") != std::string::npos);
        QVERIFY(faultOf({"a", "--reason", "x", "--reason", "y"}).find("--reason was given twice") != std::string::npos);
        QVERIFY(faultOf({"a", "b"}).find("one argument too many: b") != std::string::npos);
        QVERIFY(faultOf({}).find("an argument is missing") != std::string::npos);
        QVERIFY(faultOf({"a", "-x"}).find("unknown option -x") != std::string::npos);
        QVERIFY(faultOf({"a"}).empty());
    }
    void numbersAreWhole()
    {
        constexpr std::array options{Option{"last", "N", ""}};
        for (const std::string bad : {"", "0", "11", "1.5", "1e1", " 2", "+2", "0x2", "99999999999999999999"}) {
            const auto parsed = parseArguments({"--last=" + bad}, {"events", "", 0, 0, options});
            QVERIFY(parsed.ok());
            const auto number = parsed->number("last", 1, 10);
            QVERIFY2(!number.ok(), bad.c_str());
            QVERIFY(number.error().message.find("--last is a whole number from 1 to 10") != std::string::npos);
        }
        const auto parsed = parseArguments({"--last", "10"}, {"events", "", 0, 0, options});
        QCOMPARE(*parsed->number("last", 1, 10), std::optional<std::int64_t>(10));
    }
    void verbsOfTwoWordsAreFoundBehindOptions()
    {
        const std::array<std::string_view, 4> verbs{"policy check", "queue", "queue take", "status"};
        const std::array options{Option{"store", "S", ""}, Option{"json", "", ""}};
        auto found = findVerb({"--store", "status", "policy", "--json", "check", "f"}, verbs, options);
        QCOMPARE(found.verb, std::string("policy check"));
        QCOMPARE(found.rest, (std::vector<std::string>{"--store", "status", "--json", "f"}));
        found = findVerb({"queue", "give", "t"}, verbs, options);
        QCOMPARE(found.verb, std::string("queue"));
        QCOMPARE(found.rest, (std::vector<std::string>{"give", "t"}));
        QVERIFY(findVerb({"--json"}, verbs, options).verb.empty());
    }
    void pointsOfTheLog_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("micros"); // -1: refused; -2: a sequence number
        QTest::newRow("number") << "4711" << qint64(-2);
        QTest::newRow("utc") << "2026-11-30T02:14:07Z" << qint64(1'796'004'847'000'000);
        QTest::newRow("as tables print it") << "2026-11-30 02:14:07.418 UTC" << qint64(1'796'004'847'418'000);
        QTest::newRow("east") << "2026-11-30T03:14:07+01:00" << qint64(1'796'004'847'000'000);
        QTest::newRow("no zone") << "2026-11-30T02:14:07" << qint64(-1);
        QTest::newRow("no time") << "2026-11-30" << qint64(-1);
        QTest::newRow("negative") << "-1" << qint64(-1);
        QTest::newRow("words") << "yesterday" << qint64(-1);
    }
    void pointsOfTheLog()
    {
        QFETCH(QString, text);
        QFETCH(qint64, micros);
        const auto point = parsePoint(text.toStdString());
        QCOMPARE(point.ok(), micros != -1);
        if (micros == -1)
            return;
        const auto *time = std::get_if<rules::Instant>(&*point);
        QCOMPARE(time == nullptr, micros == -2);
        if (time != nullptr)
            QCOMPARE(qint64(time->micros), micros);
    }
};

QTEST_APPLESS_MAIN(TestArguments)
#include "tst_ctl_arguments.moc"

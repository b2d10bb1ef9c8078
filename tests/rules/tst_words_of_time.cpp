// Every stamp carries its zone, and an age is never negative (cases 58).
#include "model/rules/words_of_time.h"

#include <QTest>

using namespace handreset::rules;

class TestWordsOfTime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStampNamesItsZone();
    void datesAreGivenForOtherDays();
    void lengths_data();
    void lengths();
};

namespace {

constexpr Instant kAt{1'796'040'123'456'789}; // 2026-11-30T12:02:03.456789Z

}

void TestWordsOfTime::everyStampNamesItsZone()
{
    QCOMPARE(utcClock(kAt), std::string("12:02:03 UTC"));
    QCOMPARE(utcClockMillis(kAt), std::string("12:02:03.456 UTC"));
    QCOMPARE(utcStamp(kAt), std::string("2026-11-30 12:02:03.456 UTC"));
    for (const auto other : {kAt, kAt + hours(20), Instant{kAt.micros - hours(20).micros}})
        QVERIFY(utcNear(kAt, other).ends_with(" UTC"));
}

void TestWordsOfTime::datesAreGivenForOtherDays()
{
    QCOMPARE(utcNear(kAt, kAt + hours(11)), std::string("12:02:03 UTC"));
    QCOMPARE(utcNear(kAt, kAt + hours(12)), std::string("2026-11-30 12:02 UTC")); // the next day, though within 24 h
}

void TestWordsOfTime::lengths_data()
{
    QTest::addColumn<qlonglong>("micros");
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<QByteArray>("brief");
    const auto row = [](Duration length, const char *words, const char *brief) {
        QTest::newRow(words) << static_cast<qlonglong>(length.micros) << QByteArray(words) << QByteArray(brief);
    };
    row(milliseconds(-5'000), "0 s", "0 s");
    row(milliseconds(310), "0.3 s", "0.3 s");
    row(seconds(41), "41 s", "41 s");
    row(seconds(135), "2 min 15 s", "2 min");
    row(minutes(125), "2 h 5 min", "2 h");
    row(hours(76), "3 d 4 h", "3 d");
}

void TestWordsOfTime::lengths()
{
    QFETCH(qlonglong, micros);
    QFETCH(QByteArray, words);
    QFETCH(QByteArray, brief);
    QCOMPARE(QByteArray::fromStdString(lengthWords(Duration{micros})), words);
    QCOMPARE(QByteArray::fromStdString(shortLength(Duration{micros})), brief);
}

QTEST_GUILESS_MAIN(TestWordsOfTime)
#include "tst_words_of_time.moc"

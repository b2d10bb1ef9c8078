// Exact decimals: what parses, what does not, and that no sum is ever rounded or wraps.
#include "model/rules/decimal.h"

#include <QTest>

#include <limits>
#include <random>
#include <string>

using namespace handreset::rules;

namespace {

Decimal number(const char *text)
{
    const auto value = Decimal::parse(text);
    if (!value)
        qFatal("not a decimal: %s", text);
    return *value;
}

} // namespace

class TestDecimal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void parses_data();
    void parses();
    void parsesOutward_data();
    void parsesOutward();
    void refuses_data();
    void refuses();
    void manyDigits();
    void places();
    void comparesExactly();
    void sums();
    void sumsStopAtTheEnds();
    void timesOver_data();
    void timesOver();
    void randomSpellingsRoundTrip();
};

void TestDecimal::parses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shortest");
    const auto row = [](const char *text, const char *shortest) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(shortest);
    };
    row("0", "0");
    row("-0", "0");
    row("-0.0", "0");
    row("0e999999999999999999999", "0");
    row("500", "500");
    row("500.00", "500");
    row("5e2", "500");
    row("5E+2", "500");
    row("50000e-2", "500");
    row("0.05", "0.05");
    row("-1235.60", "-1235.6");
    row("0.000000001", "0.000000001");
    row("1e-9", "0.000000001");
    row("-0.000000001", "-0.000000001");
    row("1.0000000000000", "1");
    row("10000000000e-19", "0.000000001");
    row("9223372036854775808", "9223372036854775808"); // 2^63
    row("18446744073709551616", "18446744073709551616");
    row("9007199254740993", "9007199254740993"); // no double
    row("999999999999999999999999999", "999999999999999999999999999");
    row("999999999999999999999999999.999999999", "999999999999999999999999999.999999999");
    row("-999999999999999999999999999.999999999", "-999999999999999999999999999.999999999");
    row("0.000001e27", "1000000000000000000000");
    row("0.0000000000000000000000000001e27", "0.1");
}

void TestDecimal::parsesOutward_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("value"); // empty: nothing
    const auto row = [](const char *text, const char *value) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(value);
    };
    row("500.00", "500");
    row("500.0000000001", "500.000000001");
    row("499.9999999999999", "500");
    row("4104.909999999999", "4104.91");
    row("-0.0000000001", "-0.000000001");
    row("-1.5000000001", "-1.500000001");
    row("1e-400", "0.000000001");
    row("0e-400", "0");
    row("12345678901234567890.12345678905", "12345678901234567890.12345679");
    row("1e27", "999999999999999999999999999.999999999");
    row("-1e999999999999999999999", "-999999999999999999999999999.999999999");
    row("999999999999999999999999999.9999999999", "999999999999999999999999999.999999999");
    row("1.", "");
    row("", "");
}

void TestDecimal::parsesOutward()
{
    QFETCH(QString, text);
    QFETCH(QString, value);
    const auto read = Decimal::parseOutward(text.toStdString());
    QCOMPARE(read ? QString::fromStdString(read->toString()) : QString(), value);
}

void TestDecimal::parses()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shortest);
    const auto value = Decimal::parse(text.toStdString());
    QVERIFY(value.has_value());
    QCOMPARE(QByteArray::fromStdString(value->toString()), shortest);
    QVERIFY(Decimal::parse(shortest.toStdString()) == value);
}

void TestDecimal::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"",
                             " ",
                             "-",
                             "+1",
                             "--1",
                             "01",
                             "-01",
                             ".5",
                             "5.",
                             "1e",
                             "1e+",
                             "e5",
                             "1.e5",
                             "1,5",
                             " 1",
                             "1 ",
                             "0x10",
                             "NaN",
                             "nan",
                             "inf",
                             "Infinity",
                             "-Infinity",
                             "null",
                             "\"1\"",
                             "1_000",
                             "1.5.2",
                             "1e5.0",
                             "1e400",
                             "-1e400",
                             "1e27",
                             "1000000000000000000000000000",
                             "1e-10",
                             "0.0000000001",
                             "1.0000000001",
                             "1e-400",
                             "1e99999999999999999999",
                             "1e-99999999999999999999",
                             "\xD9\xA1",
                             "1\xC2\xA0"})
        QTest::newRow(text) << QByteArray(text);
    QTest::newRow("a NUL after it") << QByteArray("1\0", 2);
}

void TestDecimal::refuses()
{
    QFETCH(QByteArray, text);
    QVERIFY(!Decimal::parse(text.toStdString()).has_value());
}

void TestDecimal::manyDigits()
{
    const std::string zeros(100'000, '0');
    QVERIFY(Decimal::parse("1." + zeros) == Decimal(1));
    QVERIFY(Decimal::parse("0." + zeros + "1e100001") == Decimal(1));
    QVERIFY(Decimal::parse("1" + zeros + "e-100000") == Decimal(1));
    QVERIFY(!Decimal::parse("1" + zeros).has_value());
    QVERIFY(!Decimal::parse("0." + zeros + "1").has_value());
    QVERIFY(!Decimal::parse("0.1" + zeros + "1").has_value());
    QVERIFY(!Decimal::parse("1e" + zeros + "400").has_value());
    QVERIFY(Decimal::parse("1e" + zeros + "2") == Decimal(100));
}

void TestDecimal::places()
{
    QCOMPARE(number("500").toString(2), std::string("500.00"));
    QCOMPARE(number("-0.5").toString(2), std::string("-0.50"));
    QCOMPARE(number("0").toString(2), std::string("0.00"));
    QCOMPARE(number("1.234").toString(2), std::string("1.234"));
    QCOMPARE(number("1").toString(0), std::string("1"));
    QCOMPARE(number("1").toString(9), std::string("1.000000000"));
    QCOMPARE(number("1").toString(11), std::string("1.00000000000"));
    QCOMPARE(number("0.000000001").toString(2), std::string("0.000000001"));
    QCOMPARE(number("100").toString(), std::string("100"));
}

void TestDecimal::comparesExactly()
{
    QVERIFY(number("500.00") == Decimal(500));
    QVERIFY(number("500.000000001") > Decimal(500));
    QVERIFY(number("-1") < number("-0.999999999"));
    QVERIFY(number("9007199254740993") > number("9007199254740992"));
    QVERIFY(number("-0").isZero() && !number("-0").isNegative());
    QVERIFY(number("-0.1").isNegative());
}

void TestDecimal::sums()
{
    QVERIFY(number("0.1") + number("0.2") == number("0.3"));
    Decimal sum;
    for (int i = 0; i < 1000; ++i)
        sum += number("0.01");
    QVERIFY(sum == Decimal(10));
    sum -= number("10.000000001");
    QCOMPARE(sum.toString(), std::string("-0.000000001"));
}

void TestDecimal::sumsStopAtTheEnds()
{
    const Decimal most = Decimal::max();
    const Decimal least = Decimal() - most;
    QVERIFY(most + most == most);
    QVERIFY(most + number("0.000000001") == most);
    QVERIFY(least - most == least);
    QVERIFY(most - most == Decimal());
    QVERIFY(most + least == Decimal());
}

void TestDecimal::timesOver_data()
{
    QTest::addColumn<QByteArray>("amount");
    QTest::addColumn<qint64>("count");
    QTest::addColumn<qint64>("per");
    QTest::addColumn<QByteArray>("product");
    const auto row = [](const char *amount, qint64 count, qint64 per, const char *product) {
        QTest::addRow("%s x %lld / %lld", amount, count, per)
            << QByteArray(amount) << count << per << QByteArray(product);
    };
    const qint64 most = std::numeric_limits<qint64>::max();
    row("3", 1'000'000, 1'000'000, "3");
    row("0.15", 1234, 1'000'000, "0.0001851");
    row("0.15", 1, 1'000'000, "0.00000015");
    row("0.0001", 1, 1'000'000, "0.000000001"); // a tenth of a billionth, rounded up
    row("0.001", 2, 1'000'000, "0.000000002");
    row("1", 1, 3, "0.333333334");
    row("-1", 1, 3, "-0.333333333");
    row("1", -1, 3, "-0.333333333");
    row("0", 5, 7, "0");
    row("5", 0, 7, "0");
    row("999999999999999999999999999.999999999", 1, 1, "999999999999999999999999999.999999999");
    row("999999999999999999999999999.999999999", 2, 1, "999999999999999999999999999.999999999");
    row("-999999999999999999999999999.999999999", most, 1, "-999999999999999999999999999.999999999");
    row("999999999999999999999999999.999999999", most, most, "999999999999999999999999999.999999999");
}

void TestDecimal::timesOver()
{
    QFETCH(QByteArray, amount);
    QFETCH(qint64, count);
    QFETCH(qint64, per);
    QFETCH(QByteArray, product);
    QCOMPARE(QByteArray::fromStdString(number(amount.constData()).timesOver(count, per).toString()), product);
}

void TestDecimal::randomSpellingsRoundTrip()
{
    std::mt19937_64 random(7);
    for (int i = 0; i < 20000; ++i) {
        const Int128 billionths = static_cast<Int128>(static_cast<std::int64_t>(random()) >> (random() % 64))
            * static_cast<std::int64_t>(random() % 1'000'000'000);
        const auto value = Decimal::fromBillionths(billionths);
        const auto places = static_cast<int>(random() % 12);
        QVERIFY(Decimal::parse(value.toString(places)) == value);
        QVERIFY(Decimal::parse(value.toString() + "e0") == value);
    }
}

QTEST_APPLESS_MAIN(TestDecimal)
#include "tst_decimal.moc"

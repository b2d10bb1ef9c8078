// Windows tile local time, whatever daylight saving removes or repeats.
#include "model/rules/calendar.h"
#include "model/rules/window.h"

#include <QTest>

#include <random>
#include <string>

using namespace handreset::rules;

namespace {

Instant utc(const char *text)
{
    const auto at = fromIso8601(text);
    if (!at)
        qFatal("not a time: %s", text);
    return *at;
}

Zone zoneOf(const char *name, std::int32_t first, std::initializer_list<std::pair<const char *, std::int32_t>> changes)
{
    Zone zone{name, first, {}};
    for (const auto &[at, offset] : changes)
        zone.transitions.push_back({utc(at), offset});
    return zone;
}

constexpr std::int32_t kHour = 3600;

Zone newYork()
{
    return zoneOf("America/New_York", -5 * kHour,
                  {{"2026-03-08T07:00:00Z", -4 * kHour}, {"2026-11-01T06:00:00Z", -5 * kHour}});
}
Zone berlin()
{
    return zoneOf("Europe/Berlin", kHour, {{"2026-03-29T01:00:00Z", 2 * kHour}, {"2026-10-25T01:00:00Z", kHour}});
}
/// Summer time began at midnight: 2018-11-04 had no 00:00, and 2018-02-17 read 23:00 to 24:00 twice.
Zone saoPaulo()
{
    return zoneOf("America/Sao_Paulo", -2 * kHour,
                  {{"2018-02-18T02:00:00Z", -3 * kHour}, {"2018-11-04T03:00:00Z", -2 * kHour}});
}
Zone kathmandu()
{
    return zoneOf("Asia/Kathmandu", 5 * kHour + 1800, {{"1985-12-31T18:30:00Z", 5 * kHour + 2700}});
}
/// Set back at 01:00 local: midnight of 2026-10-25 is read twice.
Zone azores()
{
    return zoneOf("Atlantic/Azores", -kHour, {{"2026-03-29T01:00:00Z", 0}, {"2026-10-25T01:00:00Z", -kHour}});
}
/// Half an hour of daylight saving.
Zone lordHowe()
{
    return zoneOf("Australia/Lord_Howe", 11 * kHour,
                  {{"2026-04-04T15:00:00Z", 10 * kHour + 1800}, {"2026-10-03T15:30:00Z", 11 * kHour}});
}
/// 2011-12-30 does not exist.
Zone apia()
{
    return zoneOf("Pacific/Apia", -10 * kHour, {{"2011-12-30T10:00:00Z", 14 * kHour}});
}
/// A whole day is read twice, as where the date line moves west.
Zone dayTwice()
{
    return zoneOf("Test/DayTwice", 14 * kHour, {{"2011-12-30T10:00:00Z", -10 * kHour}});
}
Zone anyZone(std::mt19937_64 &random)
{
    Zone zone{"Test/Random", 0, {}};
    Instant at = utc("2026-01-01T00:00:00Z");
    for (int i = 0; i < 20; ++i) {
        at = at + seconds(static_cast<std::int64_t>(random() % (40 * 86400)) + 1);
        zone.transitions.push_back({at, static_cast<std::int32_t>(random() % (28 * kHour)) - 14 * kHour});
    }
    return zone;
}

const std::initializer_list<std::int32_t> kAllHours{1, 2, 3, 4, 6, 8, 12, 24, 168, 720};

} // namespace

class TestWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void kinds();
    void offsets();
    void spans_data();
    void spans();
    void weeksByFirstDay_data();
    void weeksByFirstDay();
    void windowsTile_data();
    void windowsTile();
};

void TestWindow::kinds()
{
    for (const std::int32_t hours : kAllHours) {
        QVERIFY(WindowKind::isValid(hours));
        QVERIFY(WindowKind::parse(WindowKind{hours}.toString()) == WindowKind{hours});
    }
    QCOMPARE(WindowKind{}.toString(), std::string("24h"));
    QCOMPARE(WindowKind{168}.toString(), std::string("7d"));
    QCOMPARE(WindowKind{720}.toString(), std::string("30d"));
    for (const char *text : {"", "h", "0h", "5h", "7h", "9h", "16h", "48h", "168h", "720h", "-1h", "01h", "1d", "1H",
                             "1 h", "30d ", "60m", "24", "1h30m"})
        QVERIFY2(!WindowKind::parse(text), text);
    for (const std::int64_t hours : {0, -1, 5, 7, 48, 167})
        QVERIFY(!WindowKind::isValid(hours));
}

void TestWindow::offsets()
{
    const Zone zone = newYork();
    QCOMPARE(zone.offsetAt(utc("2026-03-08T06:59:59.999999Z")), -5 * kHour);
    QCOMPARE(zone.offsetAt(utc("2026-03-08T07:00:00Z")), -4 * kHour);
    QCOMPARE(zone.offsetAt(utc("2026-11-01T05:59:59.999999Z")), -4 * kHour);
    QCOMPARE(zone.offsetAt(utc("2026-11-01T06:00:00Z")), -5 * kHour);
    QCOMPARE(zone.offsetAt(utc("2126-07-01T00:00:00Z")), -5 * kHour);
    QCOMPARE(Zone{}.offsetAt(utc("2026-07-01T00:00:00Z")), 0);
}

void TestWindow::spans_data()
{
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<int>("hours");
    QTest::addColumn<QByteArray>("at");
    QTest::addColumn<QByteArray>("start");
    QTest::addColumn<QByteArray>("end");
    const auto row = [](const char *title, const char *zone, int hours, const char *at, const char *start,
                        const char *end) {
        QTest::newRow(title) << QByteArray(zone) << hours << QByteArray(at) << QByteArray(start) << QByteArray(end);
    };
    row("UTC hour", "UTC", 1, "2026-05-05T13:45:00Z", "2026-05-05T13:00:00Z", "2026-05-05T14:00:00Z");
    row("its first instant", "UTC", 1, "2026-05-05T13:00:00Z", "2026-05-05T13:00:00Z", "2026-05-05T14:00:00Z");
    row("the last before", "UTC", 1, "2026-05-05T12:59:59.999999Z", "2026-05-05T12:00:00Z", "2026-05-05T13:00:00Z");
    row("six hours", "UTC", 6, "2026-05-05T13:45:00Z", "2026-05-05T12:00:00Z", "2026-05-05T18:00:00Z");
    row("before 1970", "UTC", 24, "1969-12-31T13:45:00Z", "1969-12-31T00:00:00Z", "1970-01-01T00:00:00Z");
    row("February", "UTC", 720, "2024-02-29T12:00:00Z", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z");
    row("December", "UTC", 720, "2026-12-31T23:59:59Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z");
    row("week", "UTC", 168, "2026-11-30T12:00:00Z", "2026-11-29T00:00:00Z", "2026-12-06T00:00:00Z");

    row("a quarter off", "kathmandu", 24, "2026-05-05T18:20:00Z", "2026-05-05T18:15:00Z", "2026-05-06T18:15:00Z");
    row("hour, a quarter off", "kathmandu", 1, "2026-05-05T18:20:00Z", "2026-05-05T18:15:00Z", "2026-05-05T19:15:00Z");

    row("day of 23 hours", "newYork", 24, "2026-03-08T12:00:00Z", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z");
    row("day of 25 hours", "newYork", 24, "2026-11-01T12:00:00Z", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z");
    row("before the lost hour", "newYork", 1, "2026-03-08T06:30:00Z", "2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z");
    row("after the lost hour", "newYork", 1, "2026-03-08T07:30:00Z", "2026-03-08T07:00:00Z", "2026-03-08T08:00:00Z");
    row("two hours, lost start", "newYork", 2, "2026-03-08T07:30:00Z", "2026-03-08T07:00:00Z", "2026-03-08T08:00:00Z");
    row("01:30 first", "newYork", 1, "2026-11-01T05:30:00Z", "2026-11-01T05:00:00Z", "2026-11-01T07:00:00Z");
    row("01:30 again", "newYork", 1, "2026-11-01T06:30:00Z", "2026-11-01T05:00:00Z", "2026-11-01T07:00:00Z");
    row("02:30 after it", "newYork", 1, "2026-11-01T07:30:00Z", "2026-11-01T07:00:00Z", "2026-11-01T08:00:00Z");
    row("March in New York", "newYork", 720, "2026-03-20T00:00:00Z", "2026-03-01T05:00:00Z", "2026-04-01T04:00:00Z");
    row("week with a change", "newYork", 168, "2026-03-10T00:00:00Z", "2026-03-08T05:00:00Z", "2026-03-15T04:00:00Z");

    row("Berlin, three hours lost", "berlin", 3, "2026-03-29T01:30:00Z", "2026-03-29T01:00:00Z",
        "2026-03-29T04:00:00Z");
    row("Berlin, autumn day", "berlin", 24, "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z");
    row("Berlin, 02:30 twice", "berlin", 1, "2026-10-25T01:30:00Z", "2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z");

    row("no midnight", "saoPaulo", 24, "2018-11-04T12:00:00Z", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z");
    row("the day before", "saoPaulo", 24, "2018-11-04T02:59:59Z", "2018-11-03T03:00:00Z", "2018-11-04T03:00:00Z");
    row("23:30 twice", "saoPaulo", 24, "2018-02-18T02:30:00Z", "2018-02-17T02:00:00Z", "2018-02-18T03:00:00Z");
    row("hour without midnight", "saoPaulo", 1, "2018-11-04T03:10:00Z", "2018-11-04T03:00:00Z", "2018-11-04T04:00:00Z");

    row("midnight twice", "azores", 24, "2026-10-25T12:00:00Z", "2026-10-25T00:00:00Z", "2026-10-26T01:00:00Z");
    row("between the midnights", "azores", 24, "2026-10-25T00:30:00Z", "2026-10-25T00:00:00Z", "2026-10-26T01:00:00Z");
    row("before the midnights", "azores", 24, "2026-10-24T23:59:59Z", "2026-10-24T00:00:00Z", "2026-10-25T00:00:00Z");
    row("half an hour twice", "lordHowe", 1, "2026-04-04T15:10:00Z", "2026-04-04T14:00:00Z", "2026-04-04T15:30:00Z");
    row("half an hour lost", "lordHowe", 1, "2026-10-03T15:40:00Z", "2026-10-03T15:30:00Z", "2026-10-03T16:00:00Z");
    row("no 30 December", "apia", 24, "2011-12-30T11:00:00Z", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z");
    row("before no 30 December", "apia", 24, "2011-12-30T09:00:00Z", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z");
}

void TestWindow::spans()
{
    QFETCH(QByteArray, zone);
    QFETCH(int, hours);
    QFETCH(QByteArray, at);
    QFETCH(QByteArray, start);
    QFETCH(QByteArray, end);
    const Zone used = zone == "newYork" ? newYork()
        : zone == "berlin"              ? berlin()
        : zone == "saoPaulo"            ? saoPaulo()
        : zone == "kathmandu"           ? kathmandu()
        : zone == "azores"              ? azores()
        : zone == "lordHowe"            ? lordHowe()
        : zone == "apia"                ? apia()
                                        : Zone{};
    const WindowSpan span = windowSpan(WindowKind{hours}, utc(at.constData()), used, WeekDay::Sunday);
    QCOMPARE(toIso8601(span.start), toIso8601(utc(start.constData())));
    QCOMPARE(toIso8601(span.end), toIso8601(utc(end.constData())));
}

void TestWindow::weeksByFirstDay_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<QByteArray>("start");
    // 2026-12-02 is a Wednesday
    QTest::newRow("Sunday") << 0 << QByteArray("2026-11-29T00:00:00Z");
    QTest::newRow("Monday") << 1 << QByteArray("2026-11-30T00:00:00Z");
    QTest::newRow("Tuesday") << 2 << QByteArray("2026-12-01T00:00:00Z");
    QTest::newRow("Wednesday") << 3 << QByteArray("2026-12-02T00:00:00Z");
    QTest::newRow("Thursday") << 4 << QByteArray("2026-11-26T00:00:00Z");
    QTest::newRow("Friday") << 5 << QByteArray("2026-11-27T00:00:00Z");
    QTest::newRow("Saturday") << 6 << QByteArray("2026-11-28T00:00:00Z");
}

void TestWindow::weeksByFirstDay()
{
    QFETCH(int, first);
    QFETCH(QByteArray, start);
    const WindowSpan span
        = windowSpan(WindowKind{168}, utc("2026-12-02T13:00:00Z"), Zone{}, static_cast<WeekDay>(first));
    QCOMPARE(toIso8601(span.start), toIso8601(utc(start.constData())));
    QVERIFY(span.end == span.start + hours(168));
}

void TestWindow::windowsTile_data()
{
    QTest::addColumn<int>("zone");
    for (const auto &[name, number] : {std::pair{"New York", 0},
                                       {"Berlin", 1},
                                       {"Sao Paulo", 2},
                                       {"Kathmandu", 3},
                                       {"Azores", 4},
                                       {"Lord Howe", 5},
                                       {"Apia", 6},
                                       {"a day twice", 7},
                                       {"random", 8}})
        QTest::newRow(name) << number;
}

void TestWindow::windowsTile()
{
    QFETCH(int, zone);
    std::mt19937_64 random(11);
    const std::array zones{newYork(), berlin(), saoPaulo(), kathmandu(), azores(), lordHowe(), apia(), dayTwice()};
    for (int i = 0; i < 20000; ++i) {
        const Zone used = zone < 8 ? zones[static_cast<std::size_t>(zone)] : anyZone(random);
        const Instant change = used.transitions[random() % used.transitions.size()].at;
        const std::int64_t reach = i % 2 == 0 ? 2 * 86400 : 400 * 86400; // half of them close to a change
        const Instant at = change
            + microseconds(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2'000'000 * reach))
                           - 1'000'000 * reach);
        const WindowKind kind{*(kAllHours.begin() + random() % kAllHours.size())};
        const auto first = static_cast<WeekDay>(random() % 7);
        const WindowSpan span = windowSpan(kind, at, used, first);
        QVERIFY(span.start <= at && at < span.end);
        QVERIFY(windowSpan(kind, span.start, used, first) == span);
        QVERIFY(windowSpan(kind, span.end - microseconds(1), used, first) == span);
        QCOMPARE(windowSpan(kind, span.end, used, first).start.micros, span.end.micros);
        QCOMPARE(windowSpan(kind, span.start - microseconds(1), used, first).end.micros, span.start.micros);
    }
}

QTEST_APPLESS_MAIN(TestWindow)
#include "tst_window.moc"

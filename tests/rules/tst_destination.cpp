// Destinations: exact values, full-match patterns, and the bounds that keep matching cheap.
#include "model/rules/destination.h"

#include <QElapsedTimer>
#include <QTest>

using namespace handreset::rules;

class TestDestination : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void exactValues();
    void patternsMatchInFull_data();
    void patternsMatchInFull();
    void longDestinations();
    void faults_data();
    void faults();
    void hostilePatternsStayCheap_data();
    void hostilePatternsStayCheap();
    void aPatternThatCannotBeCompiledAllowsNothing();
};

void TestDestination::exactValues()
{
    const DestinationMatcher matcher({"/to", {"b@example.com", "a@example.com", "ção"}, {}});
    QVERIFY(matcher.allows("a@example.com"));
    QVERIFY(matcher.allows("b@example.com"));
    QVERIFY(matcher.allows("ção"));
    QVERIFY(!matcher.allows("A@example.com"));
    QVERIFY(!matcher.allows("a@example.com "));
    QVERIFY(!matcher.allows("a@example"));
    QVERIFY(!matcher.allows(""));
    QVERIFY(!DestinationMatcher({"/to", {}, {}}).allows("a@example.com"));
}

void TestDestination::patternsMatchInFull_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("destination");
    QTest::addColumn<bool>("allowed");
    int count = 0;
    const auto row = [&](const char *pattern, const char *destination, bool allowed) {
        QTest::addRow("%d %s", ++count, pattern)
            << QString::fromUtf8(pattern) << QString::fromUtf8(destination) << allowed;
    };
    row("[0-9]{11}", "12345678901", true);
    row("[0-9]{11}", "123456789012", false);
    row("[0-9]{11}", "x12345678901", false);
    row("[0-9]{11}", "12345678901\n", false);
    row("[a-z]+(\\.[a-z]+)*@acme\\.com", "ana.maria@acme.com", true);
    row("[a-z]+(\\.[a-z]+)*@acme\\.com", "ana.maria@acme.com.evil.example", false);
    row("[a-z]+(\\.[a-z]+)*@acme\\.com", "ana@acmexcom", false);
    row("acme|umbrella", "umbrella", true);
    row("acme|umbrella", "acme|umbrella", false);
    row("^acme$", "acme", true);
    row("(?:ab){2,3}", "ababab", true);
    row("(?:ab){2,3}", "ab", false);
    row("\\w+", "h_9", true);
    row("\\w+", "é", false);
    row(".*", "anything at all", true);
    row("a.c", "a\nc", false);
}

void TestDestination::patternsMatchInFull()
{
    QFETCH(QString, pattern);
    QFETCH(QString, destination);
    QFETCH(bool, allowed);
    QVERIFY(!patternFault(pattern.toStdString()));
    const DestinationMatcher matcher({"/to", {}, {"never", pattern.toStdString()}});
    QCOMPARE(matcher.allows(destination.toStdString()), allowed);
}

void TestDestination::longDestinations()
{
    const std::string longest(kMostDestinationBytes, 'a');
    const DestinationMatcher exact({"/to", {longest, longest + "a"}, {}});
    QVERIFY(exact.allows(longest));
    QVERIFY(!exact.allows(longest + "a"));
    const DestinationMatcher pattern({"/to", {}, {"a*"}});
    QVERIFY(pattern.allows(std::string(kMostMatchedBytes, 'a')));
    QVERIFY(!pattern.allows(std::string(kMostMatchedBytes + 1, 'a')));
}

void TestDestination::faults_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("word"); // empty: no fault
    int count = 0;
    const auto row = [&](const QString &pattern, const char *word) {
        QTest::addRow("%d %s", ++count, word) << pattern << QString::fromLatin1(word);
    };
    row(QStringLiteral("(a|b)\\1"), "back-reference");
    row(QStringLiteral("\\\\1"), "");
    row(QStringLiteral("(?=a)b"), "ahead");
    row(QStringLiteral("a(?!b)"), "ahead");
    row(QStringLiteral("[(]?=x"), "");
    row(QStringLiteral("(a"), "no regular expression");
    row(QStringLiteral("a)"), "no regular expression");
    row(QStringLiteral("[z-a]"), "no regular expression");
    row(QStringLiteral("a{3,2}"), "no regular expression");
    row(QStringLiteral("*a"), "no regular expression");
    row(QStringLiteral("a{1000}"), "");
    row(QStringLiteral("a{1001}"), "counts");
    row(QStringLiteral("(ab){499,500}c"), "counts");
    row(QStringLiteral("a{99999999999999999999}"), "counts");
    row(QStringLiteral("((a{9}){9}){9}"), "");
    row(QStringLiteral("((a{10}){10}){10}"), "counts");
    row(QString(256, u'a'), "");
    row(QString(257, u'a'), "longer");
    row(QStringLiteral("é"), "ASCII");
    row(QStringLiteral("a\tb"), "ASCII");
    row(QString(), "empty");
}

void TestDestination::faults()
{
    QFETCH(QString, pattern);
    QFETCH(QString, word);
    const auto fault = patternFault(pattern.toStdString());
    QCOMPARE(fault.has_value(), !word.isEmpty());
    if (fault)
        QVERIFY2(QString::fromStdString(*fault).contains(word), fault->c_str());
}

void TestDestination::hostilePatternsStayCheap_data()
{
    QTest::addColumn<QString>("pattern");
    for (const char *pattern : {"(a|a)*b", "(a*)*b", "(a|aa)+b", "([a-z]+)*b", "(a+a+)+b", "(.*a){30}b", "(a?){300}b"})
        QTest::newRow(pattern) << QString::fromLatin1(pattern);
}

/// A depth-first executor would need longer than the universe is old for each of these.
void TestDestination::hostilePatternsStayCheap()
{
    QFETCH(QString, pattern);
    const DestinationMatcher matcher({"/to", {}, {pattern.toStdString()}});
    QElapsedTimer timer;
    timer.start();
    QVERIFY(!matcher.allows(std::string(kMostMatchedBytes, 'a')));
    QVERIFY2(timer.elapsed() < 5'000, std::to_string(timer.elapsed()).c_str());
}

void TestDestination::aPatternThatCannotBeCompiledAllowsNothing()
{
    const DestinationMatcher matcher({"/to", {"exact"}, {"(", "(a)\\1"}});
    QVERIFY(matcher.allows("exact"));
    QVERIFY(!matcher.allows("("));
    QVERIFY(!matcher.allows("aa"));
}

QTEST_APPLESS_MAIN(TestDestination)
#include "tst_destination.moc"

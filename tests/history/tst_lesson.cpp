// The reference run and the strict run of spec 2, fact by fact, through the real table.
#include "model/history/lesson.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace handreset;
using history::Lesson;
using history::RunOutcome;
using rules::BreakerState;

class TestLesson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theReferenceRun_data();
    void theReferenceRun();
    void theReferenceRunAsAWhole();
    void theStrictRun_data();
    void theStrictRun();
    void theJsonHoldsEveryFact();
    void theTextSaysWhatMatters();

private:
    static void columns()
    {
        QTest::addColumn<int>("run");
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        QTest::addColumn<int>("failures");
        QTest::addColumn<int>("outcome");
        QTest::addColumn<int>("realCalls");
        QTest::addColumn<bool>("probe");
    }
    static void row(int run, BreakerState before, BreakerState after, int failures, RunOutcome outcome, int realCalls,
                    bool probe)
    {
        QTest::addRow("run %d", run) << run << int(before) << int(after) << failures << int(outcome) << realCalls << probe;
    }
    static void compare(const history::LessonStory &story)
    {
        QFETCH(int, run);
        QFETCH(int, before);
        QFETCH(int, after);
        QFETCH(int, failures);
        QFETCH(int, outcome);
        QFETCH(int, realCalls);
        QFETCH(bool, probe);
        const auto &told = story.runs.at(std::size_t(run - 1));
        QCOMPARE(told.run, run);
        QCOMPARE(int(told.before), before);
        QCOMPARE(int(told.after), after);
        QCOMPARE(told.failureCount, failures);
        QCOMPARE(int(told.outcome), outcome);
        QCOMPARE(told.realCalls, realCalls);
        QCOMPARE(told.probe, probe);
    }
};

void TestLesson::theReferenceRun_data()
{
    using S = BreakerState;
    using O = RunOutcome;
    columns();
    row(1, S::Closed, S::Closed, 1, O::Failed, 3, false);
    row(2, S::Closed, S::Closed, 2, O::Failed, 3, false);
    row(3, S::Closed, S::Open, 3, O::Failed, 3, false);
    row(4, S::Open, S::Open, 3, O::Rejected, 0, false);
    row(5, S::Open, S::Open, 3, O::Rejected, 0, false);
    row(6, S::Open, S::Closed, 0, O::Ok, 1, true);
    row(7, S::Closed, S::Closed, 0, O::Ok, 1, false);
}

void TestLesson::theReferenceRun()
{
    compare(history::teachLesson().reference);
}

void TestLesson::theReferenceRunAsAWhole()
{
    const auto story = history::teachLesson().reference;
    QCOMPARE(story.runs.size(), 7U);
    QCOMPARE(story.realCalls, 11);
    QCOMPARE(story.withoutBreaker, 21);
    QCOMPARE(story.callsBeforeOpen, 9);
    QCOMPARE(story.others.size(), 2U);
    QCOMPARE(story.others[0].name, std::string("get_quote"));
    QCOMPARE(story.others[1].name, std::string("list_rooms"));
    for (const auto &other : story.others) {
        QVERIFY(other.stayedClosed);
        QVERIFY(other.state == BreakerState::Closed);
        QCOMPARE(other.failureCount, 0);
        QCOMPARE(other.realCalls, 7);
    }
    QCOMPARE(story.runs[0].backoffMilliseconds, 700);
    QCOMPARE(story.runs[3].backoffMilliseconds, 0);
    QVERIFY(!story.runs[3].rejection.empty());
}

void TestLesson::theStrictRun_data()
{
    using S = BreakerState;
    using O = RunOutcome;
    columns();
    row(1, S::Closed, S::Open, 1, O::Failed, 3, false);
    row(2, S::Open, S::Open, 1, O::Rejected, 0, false);
    row(3, S::Open, S::Open, 1, O::Failed, 3, true);
    row(4, S::Open, S::Open, 1, O::Rejected, 0, false);
}

void TestLesson::theStrictRun()
{
    const auto story = history::teachLesson().strict;
    QCOMPARE(story.runs.size(), 4U);
    QCOMPARE(story.realCalls, 6);
    compare(story);
}

void TestLesson::theJsonHoldsEveryFact()
{
    const auto lesson = history::teachLesson();
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(history::lessonJson(lesson))).object();
    QCOMPARE(json[QStringLiteral("reference")][QStringLiteral("real_calls")].toInt(), 11);
    const std::pair<QString, const history::LessonStory *> stories[]{{QStringLiteral("reference"), &lesson.reference},
                                                                     {QStringLiteral("strict"), &lesson.strict}};
    for (const auto &[name, story] : stories) {
        const auto runs = json[name][QStringLiteral("runs")].toArray();
        QCOMPARE(std::size_t(runs.size()), story->runs.size());
        for (int i = 0; i < runs.size(); ++i) {
            const auto &run = story->runs[std::size_t(i)];
            const auto word = [&](const char *field) { return runs[i][QLatin1String(field)].toString().toStdString(); };
            QCOMPARE(runs[i][QStringLiteral("run")].toInt(), run.run);
            QCOMPARE(word("before"), std::string(rules::toWord(run.before)));
            QCOMPARE(word("after"), std::string(rules::toWord(run.after)));
            QCOMPARE(word("outcome"), std::string(rules::toWord(run.outcome)));
            QCOMPARE(runs[i][QStringLiteral("failure_count")].toInt(), int(run.failureCount));
            QCOMPARE(runs[i][QStringLiteral("real_calls")].toInt(), run.realCalls);
        }
    }
}

void TestLesson::theTextSaysWhatMatters()
{
    const auto text = history::lessonText(history::teachLesson());
    for (const auto *words : {"11 real calls in all, not 21", "3 × 3 = 9 real calls before it first opens",
                              "get_quote stayed CLOSED throughout", "list_rooms stayed CLOSED throughout",
                              "run 6  OPEN to CLOSED", "rejected at once, the tool is not touched"})
        QVERIFY2(text.find(words) != std::string::npos, words);
}

QTEST_APPLESS_MAIN(TestLesson)
#include "tst_lesson.moc"

#include "model/engine/refusal_coalescer.h"

#include <QtTest>

using namespace handreset;
using engine::RefusalCoalescer;

namespace {

rules::UncountedRefusal refusal(std::uint32_t agent = 1, std::uint32_t tool = 0, std::uint64_t trip = 7,
                                std::string text = "open")
{
    rules::UncountedRefusal one;
    one.agent = rules::AgentId{agent};
    one.task = rules::TaskId{agent};
    one.tool = rules::ToolId{tool};
    one.refusal.source = rules::RefusalSource::Rung;
    one.refusal.trip = rules::TripId{trip};
    one.refusal.text = std::move(text);
    return one;
}

constexpr rules::Instant at(std::int64_t milliseconds)
{
    return {milliseconds * 1'000};
}

} // namespace

class TestCoalescer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneEventASubjectReasonAndSecond()
    {
        RefusalCoalescer coalescer;
        for (int i = 0; i < 1'000; ++i)
            coalescer.add(refusal(), at(5'000 + i % 999));
        const auto due = coalescer.due(at(6'000));
        QCOMPARE(due.size(), 1UL);
        QCOMPARE(due[0].counted.count, 1'000);
        QCOMPARE(due[0].counted.second, at(5'000));
        QCOMPARE(due[0].agent, rules::AgentId{1});
        QCOMPARE(due[0].counted.refusal.trip, rules::TripId{7});
    }
    void nothingIsDueWithinItsSecond()
    {
        RefusalCoalescer coalescer;
        coalescer.add(refusal(), at(5'100));
        QVERIFY(coalescer.due(at(5'999)).empty());
        QVERIFY(!coalescer.isDue(at(5'999)));
        QVERIFY(coalescer.isDue(at(6'000)));
        QCOMPARE(coalescer.due(at(6'000)).size(), 1UL);
        QCOMPARE(coalescer.all().size(), 1UL);
    }
    void eachDifferenceIsItsOwnCount()
    {
        RefusalCoalescer coalescer;
        coalescer.add(refusal(), at(5'000));
        coalescer.add(refusal(2), at(5'000));
        coalescer.add(refusal(1, 3), at(5'000));
        coalescer.add(refusal(1, 0, 8), at(5'000));
        coalescer.add(refusal(1, 0, 7, "degraded"), at(5'000));
        coalescer.add(refusal(), at(6'000));
        const auto due = coalescer.due(at(7'000));
        QCOMPARE(due.size(), 6UL);
        QCOMPARE(due.back().counted.second, at(6'000)); // oldest first
    }
    void whatIsNotWrittenIsNotLost()
    {
        RefusalCoalescer coalescer;
        coalescer.add(refusal(), at(5'000));
        const auto due = coalescer.due(at(6'000)); // the write of these fails
        coalescer.add(refusal(), at(5'000));       // and one more comes
        QCOMPARE(coalescer.due(at(6'000)).front().counted.count, 2);
        coalescer.written(due);
        QCOMPARE(coalescer.due(at(6'000)).front().counted.count, 1);
        coalescer.written(coalescer.due(at(6'000)));
        QVERIFY(coalescer.empty());
    }
    void aClockThatWentBackHoldsNothingUp()
    {
        RefusalCoalescer coalescer;
        coalescer.add(refusal(), at(3'600'000));
        QCOMPARE(coalescer.due(at(5'000)).size(), 1UL);
        QVERIFY(coalescer.isDue(at(5'000)));
        coalescer.add(refusal(), at(5'000));
        QVERIFY(coalescer.isDue(at(5'000)));
    }
    void timesBeforeTheEpochHaveTheirSecondToo()
    {
        RefusalCoalescer coalescer;
        coalescer.add(refusal(), at(-1));
        QCOMPARE(coalescer.all().front().counted.second, at(-1'000));
    }
};

QTEST_APPLESS_MAIN(TestCoalescer)
#include "tst_coalescer.moc"

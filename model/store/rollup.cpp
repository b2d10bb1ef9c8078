#include "model/store/rollup.h"

#include <variant>

namespace handreset::store {

using rules::Answer;
using rules::Event;

namespace {

void count(RollupCounts &counts, const Event &, const rules::StepAsked &asked)
{
    const bool isAllowed = asked.answer == Answer::Allow;
    counts.allowed += isAllowed ? 1 : 0;
    counts.steps += isAllowed ? 1 : 0;
    counts.refused += isAllowed ? 0 : 1;
    if (isAllowed && asked.outcome) {
        counts.failures += asked.outcome->ok ? 0 : 1;
        counts.cost += asked.outcome->cost;
    }
}

void count(RollupCounts &counts, const Event &, const rules::CallAsked &asked)
{
    ++(asked.answer == Answer::Allow ? counts.allowed : counts.refused);
}

void count(RollupCounts &counts, const Event &, const rules::StepFinished &finished)
{
    if (finished.late)
        return;
    counts.failures += finished.outcome.ok ? 0 : 1;
    counts.cost += finished.outcome.cost;
}

void count(RollupCounts &counts, const Event &event, const rules::CallFinished &finished)
{
    const bool isCounted = finished.outcome == rules::CallOutcome::Failure && event.row != rules::kLateRow;
    counts.failures += isCounted ? 1 : 0;
}

void count(RollupCounts &counts, const Event &, const rules::RefusalsCounted &counted)
{
    counts.refused += counted.count;
}

void count(RollupCounts &counts, const Event &, const rules::TripFired &)
{
    ++counts.trips;
}

template <class Other>
void count(RollupCounts &, const Event &, const Other &)
{}

std::int64_t minuteOf(rules::Instant time)
{
    constexpr std::int64_t length = rules::minutes(1).micros;
    const std::int64_t past = time.micros % length;
    return time.micros - (past < 0 ? past + length : past);
}

} // namespace

Rollups rollupsOf(std::span<const Event> events)
{
    Rollups rollups;
    for (const auto &event : events) {
        RollupCounts counts;
        std::visit([&](const auto &payload) { count(counts, event, payload); }, event.payload);
        if (counts.empty())
            continue;
        auto &sum = rollups[{minuteOf(event.ruleTime), event.agent}];
        sum.allowed += counts.allowed;
        sum.refused += counts.refused;
        sum.steps += counts.steps;
        sum.failures += counts.failures;
        sum.trips += counts.trips;
        sum.cost += counts.cost;
    }
    return rollups;
}

} // namespace handreset::store

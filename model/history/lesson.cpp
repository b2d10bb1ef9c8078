#include "model/history/lesson.h"

#include "model/history/table_text.h"
#include "model/rules/json_text.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace handreset::history {

using rules::AskId;
using rules::Breaker;
using rules::BreakerChange;
using rules::BreakerEffect;
using rules::BreakerEvent;
using rules::BreakerInput;
using rules::BreakerPolicy;
using rules::BreakerState;

namespace {

constexpr int kTries = 3;
constexpr std::array<std::int64_t, kTries> kBackoffMilliseconds{100, 200, 400}; // after each failed try
constexpr int kAlwaysDown = std::numeric_limits<int>::max();

/// A tool that fails its first so many real calls.
class FlakyTool {
public:
    explicit FlakyTool(int failsFirst) : m_failsFirst(failsFirst) {}
    [[nodiscard]] bool call() { return ++m_calls > m_failsFirst; }
    [[nodiscard]] int calls() const noexcept { return m_calls; }

private:
    int m_failsFirst;
    int m_calls = 0;
};

/// The tries of one run: the caller's own retries happen inside one call through the breaker (spec 2).
bool tryTool(FlakyTool &tool, LessonRun &run)
{
    for (int attempt = 0; attempt < kTries; ++attempt) {
        ++run.realCalls;
        if (tool.call())
            return true;
        run.backoffMilliseconds += kBackoffMilliseconds[static_cast<std::size_t>(attempt)];
    }
    return false;
}

/// Calls one tool through its breaker, run after run, on a modelled clock.
class Caller {
public:
    Caller(BreakerPolicy policy, int failsFirst) : m_policy(policy), m_tool(failsFirst) {}

    LessonRun run()
    {
        LessonRun run;
        run.run = ++m_runs;
        run.before = m_breaker.state;
        const AskId call{static_cast<std::uint64_t>(m_runs)};
        const auto &answer = move({BreakerEvent::Ask, call, 0});
        run.probe = answer.effect == BreakerEffect::TakeProbe;
        if (answer.answer == "reject") {
            run.outcome = RunOutcome::Rejected;
            run.rejection = "OPEN, calls refused: " + rules::whatEndsIt(m_breaker, m_policy, m_now.steady);
        } else {
            const auto generation = m_breaker.generation;
            const bool succeeded = tryTool(m_tool, run);
            wait(run.backoffMilliseconds);
            move({succeeded ? BreakerEvent::Success : BreakerEvent::Failure, call, generation});
            run.outcome = succeeded ? RunOutcome::Ok : RunOutcome::Failed;
        }
        wait(1000); // the agent thinks
        run.after = m_breaker.state;
        run.failureCount = m_breaker.failureCount;
        return run;
    }
    [[nodiscard]] int realCalls() const noexcept { return m_tool.calls(); }
    [[nodiscard]] const Breaker &breaker() const noexcept { return m_breaker; }

private:
    const rules::BreakerRow &move(const BreakerInput &input)
    {
        const auto &row = rules::decideBreaker(m_breaker, input, m_policy, m_now.steady);
        BreakerChange change;
        change.now = m_now;
        change.call = input.call;
        change.cooldownCalls = m_policy.cooldownCalls.value_or(0);
        rules::applyBreaker(m_breaker, row, change);
        return row;
    }
    void wait(std::int64_t milliseconds)
    {
        m_now.wall = m_now.wall + rules::milliseconds(milliseconds);
        m_now.steady = m_now.steady + rules::milliseconds(milliseconds);
    }

    BreakerPolicy m_policy;
    FlakyTool m_tool;
    Breaker m_breaker;
    rules::Now m_now;
    int m_runs = 0;
};

LessonStory tell(std::string tool, BreakerPolicy policy, int failsFirst, int runs,
                 const std::vector<std::string> &others)
{
    LessonStory story;
    story.tool = std::move(tool);
    story.policy = policy;
    story.triesPerRun = kTries;
    story.failsFirst = failsFirst;
    Caller caller(policy, failsFirst);
    std::vector<Caller> otherCallers(others.size(), Caller(policy, 0));
    for (const auto &name : others)
        story.others.push_back({.name = name});
    bool hasOpened = false;
    for (int i = 0; i < runs; ++i) {
        for (std::size_t other = 0; other < others.size(); ++other) { // a run asks the healthy tools first
            const auto done = otherCallers[other].run();
            auto &told = story.others[other];
            told.stayedClosed = told.stayedClosed && done.before == BreakerState::Closed && done.after == BreakerState::Closed;
            told.realCalls += done.realCalls;
            told.state = done.after;
            told.failureCount = done.failureCount;
        }
        story.runs.push_back(caller.run());
        if (!hasOpened && story.runs.back().after == BreakerState::Open) {
            hasOpened = true;
            story.callsBeforeOpen = caller.realCalls();
        }
    }
    story.realCalls = caller.realCalls();
    story.withoutBreaker = runs * kTries;
    return story;
}

} // namespace

Lesson teachLesson()
{
    Lesson lesson;
    BreakerPolicy policy;
    policy.failureThreshold = 3;
    policy.cooldownCalls = 2;
    lesson.reference = tell("book_room", policy, 9, 7, {"get_quote", "list_rooms"});
    policy.failureThreshold = 1;
    policy.cooldownCalls = 1;
    lesson.strict = tell("book_room", policy, kAlwaysDown, 4, {});
    return lesson;
}

namespace {

void appendRun(std::string &out, const LessonRun &run)
{
    out += "{\"run\": " + std::to_string(run.run) + ", \"before\": ";
    rules::appendJsonString(out, rules::toWord(run.before));
    out += ", \"after\": ";
    rules::appendJsonString(out, rules::toWord(run.after));
    out += ", \"failure_count\": " + std::to_string(run.failureCount) + ", \"outcome\": ";
    rules::appendJsonString(out, rules::toWord(run.outcome));
    out += ", \"real_calls\": " + std::to_string(run.realCalls) + ", \"probe\": " + (run.probe ? "true" : "false")
        + ", \"backoff_ms\": " + std::to_string(run.backoffMilliseconds) + "}";
}

void appendStory(std::string &out, const LessonStory &story)
{
    out += "{\"real_calls\": " + std::to_string(story.realCalls)
        + ", \"without_breaker\": " + std::to_string(story.withoutBreaker)
        + ", \"detection_toll\": " + std::to_string(story.callsBeforeOpen)
        + ", \"failure_threshold\": " + std::to_string(story.policy.failureThreshold)
        + ", \"cooldown_calls\": " + std::to_string(story.policy.cooldownCalls.value_or(0)) + ", \"tool\": ";
    rules::appendJsonString(out, story.tool);
    out += ", \"runs\": [";
    for (const auto &run : story.runs) {
        out += run.run == 1 ? "\n  " : ",\n  ";
        appendRun(out, run);
    }
    out += "], \"others\": [";
    for (std::size_t i = 0; i < story.others.size(); ++i) {
        const auto &other = story.others[i];
        out += i == 0 ? "{\"tool\": " : ", {\"tool\": ";
        rules::appendJsonString(out, other.name);
        out += ", \"state\": ";
        rules::appendJsonString(out, rules::toWord(other.state));
        out += std::string(", \"stayed_closed\": ") + (other.stayedClosed ? "true" : "false")
            + ", \"real_calls\": " + std::to_string(other.realCalls) + "}";
    }
    out += "]}";
}

/// What happened in one run, in a sentence.
std::string wordsOf(const LessonRun &run)
{
    const auto tries = std::to_string(run.realCalls) + (run.realCalls == 1 ? " real call" : " real calls");
    if (run.outcome == RunOutcome::Rejected)
        return "rejected at once, the tool is not touched (" + run.rejection + ")";
    const std::string who = run.probe ? "let through as the probe: " : "";
    if (run.outcome == RunOutcome::Ok)
        return who + tries + (run.realCalls == 1 ? ", answered" : ", the last one answered");
    return who + tries + ", all failed (" + std::to_string(run.backoffMilliseconds) + " ms of backoff): one failure heard";
}

void appendStoryText(std::string &out, const LessonStory &story)
{
    for (const auto &run : story.runs) {
        const auto states = std::string(rules::toWord(run.before)) + " to " + std::string(rules::toWord(run.after));
        out += "  run " + std::to_string(run.run) + "  " + padRight(states, 20) + padRight("count " + std::to_string(run.failureCount), 9)
            + wordsOf(run) + "\n";
    }
    out += "\n  " + std::to_string(story.realCalls) + " real calls in all, not " + std::to_string(story.withoutBreaker)
        + ". Detection toll: threshold × tries = " + std::to_string(story.policy.failureThreshold) + " × "
        + std::to_string(story.triesPerRun) + " = " + std::to_string(story.callsBeforeOpen)
        + " real calls before it first opens.\n";
    for (const auto &other : story.others) {
        out += "  " + other.name + (other.stayedClosed ? " stayed CLOSED throughout (calls pass)" : " did not stay CLOSED")
            + ": one tool's trouble is not another's.\n";
    }
}

} // namespace

std::string lessonJson(const Lesson &lesson)
{
    std::string out = "{\"reference\": ";
    appendStory(out, lesson.reference);
    out += ",\n\"strict\": ";
    appendStory(out, lesson.strict);
    return out + "}\n";
}

std::string lessonText(const Lesson &lesson)
{
    std::string out = "The breaker of book_room: CLOSED means calls pass, OPEN calls refused, HALF_OPEN one probe.\n\n"
                      "The reference run: 3 failures open it, 2 rejected calls cool it down. Each run tries at most 3 real\n"
                      "calls with backoff of 100, 200, 400 ms (modelled, not slept); the tool fails its first 9 real calls.\n\n";
    appendStoryText(out, lesson.reference);
    out += "\nThe strict breaker: 1 failure opens it, 1 rejected call cools it down; the tool stays down.\n\n";
    appendStoryText(out, lesson.strict);
    out += "\nA rejected call is never a failure: it does not touch the tool and does not extend the cooldown.\n";
    return out;
}

} // namespace handreset::history

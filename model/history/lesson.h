// The reference run and the strict run of spec 2, driven through the real breaker's table: seven runs that show why a
// breaker saves calls, and what a strict one costs. Backoff is modelled, never slept.
// Pure; any thread.
#pragma once

#include "model/rules/breaker.h"
#include "model/rules/words.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::history {

enum class RunOutcome : std::uint8_t { Failed, Rejected, Ok };

/// One run-level call through the breaker.
struct LessonRun {
    int run = 0; ///< from 1
    rules::BreakerState before = rules::BreakerState::Closed;
    rules::BreakerState after = rules::BreakerState::Closed;
    std::int64_t failureCount = 0; ///< afterwards
    RunOutcome outcome = RunOutcome::Ok;
    int realCalls = 0;     ///< that touched the tool in this run
    bool probe = false;
    std::int64_t backoffMilliseconds = 0; ///< modelled waiting after its failed tries
    std::string rejection; ///< what the caller was told; empty unless rejected
    bool operator==(const LessonRun &) const = default;
};

/// The other tools of the reference run: what became of their breakers.
struct LessonTool {
    std::string name;
    rules::BreakerState state = rules::BreakerState::Closed;
    std::int64_t failureCount = 0;
    int realCalls = 0;
    bool stayedClosed = true; ///< throughout
    bool operator==(const LessonTool &) const = default;
};

struct LessonStory {
    std::string tool;
    rules::BreakerPolicy policy;
    int triesPerRun = 3;
    int failsFirst = 0; ///< the tool fails its first so many real calls
    std::vector<LessonRun> runs;
    std::vector<LessonTool> others;
    int realCalls = 0;        ///< of the tool in all
    int withoutBreaker = 0;   ///< that the same runs would have made without one
    int callsBeforeOpen = 0;  ///< real calls before it first opens: the detection toll
    bool operator==(const LessonStory &) const = default;
};

struct Lesson {
    LessonStory reference;
    LessonStory strict;
    bool operator==(const Lesson &) const = default;
};

[[nodiscard]] Lesson teachLesson();
/// `{"reference": {"real_calls", "runs": [{"run", "before", "after", "failure_count", "outcome", "real_calls"}…], …},
/// "strict": {…}}`.
[[nodiscard]] std::string lessonJson(const Lesson &lesson);
/// For a reader: each run in words, and what follows.
[[nodiscard]] std::string lessonText(const Lesson &lesson);

} // namespace handreset::history

template <>
struct handreset::rules::Words<handreset::history::RunOutcome> {
    static constexpr std::array<std::string_view, 3> list{"failed", "rejected", "ok"};
};

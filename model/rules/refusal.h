// What an ask is answered, and why it was refused (spec 5). Pure values; any thread.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/words.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace handreset::rules {

enum class Answer : std::uint8_t { Allow, Deny };
template <>
struct Words<Answer> {
    static constexpr std::array<std::string_view, 2> list{"allow", "deny"};
};

/// Which rule refused an ask (spec 5, "reason").
enum class RefusalSource : std::uint8_t {
    None,
    Rung,
    Queue,
    Undeclared,
    Models,
    Envelope,
    Repetition,
    Steps,
    Spend,
    Provider,
    Breaker,
    TaskEnded,
};
template <>
struct Words<RefusalSource> {
    static constexpr std::array<std::string_view, 12> list{"",           "rung",  "queue", "undeclared", "models",  "envelope",
                                                           "repetition", "steps", "spend", "provider",   "breaker", "task_ended"};
};

enum class RetryKind : std::uint8_t { Never, AfterHuman, AfterSeconds, AfterCalls };
template <>
struct Words<RetryKind> {
    static constexpr std::array<std::string_view, 4> list{"never", "after_human", "after_seconds", "after_calls"};
};

/// Why an ask was refused, and what would end it.
struct Refusal {
    RefusalSource source = RefusalSource::None;
    TripId trip;   ///< the active trip behind it, if one is
    ToolId breaker; ///< the breaker behind it, if one is
    RetryKind retry = RetryKind::Never;
    std::int64_t retryAfter = 0; ///< seconds or calls, as `retry` says
    std::string text;            ///< one sentence for the agent and the person

    bool operator==(const Refusal &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "source", self.source);
        v(2, "trip", self.trip);
        v(3, "breaker", self.breaker);
        v(4, "retry", self.retry);
        v(5, "retry_after", self.retryAfter);
        v(6, "text", self.text);
    }
};

} // namespace handreset::rules

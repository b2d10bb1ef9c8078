// The five signals: what fires, judged from counters and policy, and how the counters count. The same functions serve
// the gate, replay and what-if (spec 3.3). Judging never changes anything; counting never judges.
// Pure; any thread.
#pragma once

#include "model/rules/compiled_tool.h"
#include "model/rules/counters.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/policy.h"
#include "model/rules/trip.h"
#include "model/rules/window.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace handreset::rules {

/// A signal that holds for this ask or result. Whether it latches a trip or adds evidence is decided elsewhere.
struct Firing {
    Signal signal = Signal::Steps;
    Cap cap = Cap::None;
    Rung action = Rung::Open;
    Reach reach = Reach::Task;
    Decimal measured; ///< steps, calls in a row, money, failures: as the signal counts
    Decimal limit;
    std::string why; ///< what could not be evaluated, the destination, the status: one sentence; often empty
    std::int32_t windowHours = 0; ///< spend, and per-agent steps: which window
    std::int32_t period = 1;      ///< repetition: the length of the repeated block
};

/// Everything that a judgement adds: signals that fired, and limits' `watch` values that were reached.
struct Judgement {
    std::vector<Firing> fired;
    std::vector<Firing> watched; ///< measured against `watch` in `limit`
    void clear()
    {
        fired.clear();
        watched.clear();
    }
};

/// How times become windows.
struct Calendar {
    const Zone *zone = nullptr; ///< null: UTC
    WeekDay weekStarts = WeekDay::Sunday;
    [[nodiscard]] WindowSpan span(WindowKind kind, Instant at) const;
};

/// Whether counters may forget what ended: a live clock never goes back, the times of recorded runs do.
enum class Past : std::uint8_t { Ended, Returns };

/// Who asks for a model call.
struct StepSubject {
    AgentId agent;
    TaskId root;
    SessionId session;
    KeyId key;
    EndpointId endpoint;
};

// ---- Steps -------------------------------------------------------------------------------------------------

/// Judges one ask for a model call by the root task's limit and by the agent's further limits (per session, per
/// agent and window). `at` none: no windows ("no data").
void judgeSteps(const Counters &counters, const StepsPolicy &ofRoot, const StepsPolicy &ofAgent,
                const StepSubject &subject, std::optional<Instant> at, const Calendar &calendar, Judgement &out);
/// Counts one allowed model call.
void countStep(Counters &counters, const StepsPolicy &ofAgent, const StepSubject &subject, std::optional<Instant> at,
               const Calendar &calendar, Past past);

// ---- Repetition --------------------------------------------------------------------------------------------

/// Judges one ask for a tool call: the Nth equal one in a row fires, also as a block of up to `maxPeriod` calls.
void judgeRepetition(const RowOfCalls &row, const Digest &identity, const RepetitionPolicy &policy,
                     const ToolPolicy &tool, Judgement &out);
/// Counts an ask that reached repetition (not one that a rung or a breaker refused).
void countCall(RowOfCalls &row, const Digest &identity);
/// Notes whether a result differed from that of the same call before.
void countResult(RowOfCalls &row, const Digest &identity, std::optional<bool> changed);
/// A new baseline after a re-arm.
void restartRow(RowOfCalls &row);

// ---- Spend -------------------------------------------------------------------------------------------------

/// What an ask may reserve, or why not.
struct SpendVerdict {
    enum class Kind : std::uint8_t {
        Fits,        ///< reserve the estimate
        WaitForOthers, ///< reservations are out: refused without a trip
        AskTooLarge, ///< the ask's own estimate does not fit, the policy's would: refused without a trip
        Full,        ///< not even the policy's estimate fits, or the limit is reached: the window trips
    } kind = Kind::Fits;
    const SpendWindow *window = nullptr; ///< the first that does not fit
    SpendSum sum;
    Decimal cap; ///< limit + grant (+ overdraft while its degraded trip is active)
};

/// The sum of one window at a time; an empty one where nothing was spent.
[[nodiscard]] SpendSum spendAt(const Counters &counters, KeyId key, WindowKind kind, Instant at,
                               const Calendar &calendar);
/// Judges one window for an ask of `estimate`. `onOverdraft`: its degraded trip is active.
[[nodiscard]] SpendVerdict judgeSpendAsk(const Counters &counters, KeyId key, const SpendWindow &window,
                                         bool onOverdraft, Decimal estimate, Decimal policyEstimate, Instant at,
                                         const Calendar &calendar);
/// Fires for each window whose settled sum has reached its limit, after `cost` was counted.
void judgeSpendSettled(const Counters &counters, KeyId key, const KeyPolicy &policy, Decimal cost, Instant at,
                       const Calendar &calendar, Judgement &out);
void reserveSpend(Counters &counters, KeyId key, const KeyPolicy &policy, Decimal amount, Instant at,
                  const Calendar &calendar);
/// Settles a cost in the windows of `at` (the time of the ask); `reserved` is given back (zero: nothing was).
void settleSpend(Counters &counters, KeyId key, const KeyPolicy &policy, Decimal cost, std::optional<Decimal> reserved,
                 Instant at, const Calendar &calendar);
/// After a policy: the sums of its windows anew from the slots of 15 minutes. Reservations are zeroed: the caller
/// reserves again for each ask in flight.
void recountSpend(Counters &counters, KeyId key, const KeyPolicy &policy, Instant now, const Calendar &calendar);

/// What a model call cost: the greater of what is reported and what the price table says of its tokens; the
/// policy's estimate where there is no price (spec 3.3).
struct Cost {
    Decimal amount;
    bool reported = false; ///< a cost in the key's currency was stated
    bool priced = false;   ///< the table knew the model
    bool unpriced = false; ///< tokens or a foreign currency, and no price: the estimate
    bool stated = false;   ///< anything at all was stated: 0 is not missing
};
[[nodiscard]] Cost costOf(const std::optional<Money> &reported, std::optional<std::int64_t> tokensIn,
                          std::optional<std::int64_t> tokensOut, std::string_view model, const Policy &policy,
                          const std::string &currency, Decimal estimate);

// ---- Provider ----------------------------------------------------------------------------------------------

/// How a model call's result counts for its endpoint.
enum class ProviderResult : std::uint8_t { Success, Ignored, Failure, TripsAtOnce };
/// 429, 401, 404 and 408 trip at once; connection failures, timeouts and 5xx count; other 4xx do not.
[[nodiscard]] ProviderResult classify(bool ok, std::int32_t status);
/// Judges one result, which is not yet counted.
void judgeProvider(const EndpointCounters &endpoint, ProviderResult result, std::int32_t status,
                   const ProviderPolicy &policy, Steady at, Judgement &out);
/// Where the past returns, the endpoint's last `kRecordedCallsKept` calls are kept, in the order they were told.
void countProvider(EndpointCounters &endpoint, ProviderResult result, Steady at, Past past);
inline constexpr std::size_t kRecordedCallsKept = 10'000;

// ---- Envelope ----------------------------------------------------------------------------------------------

/// Judges a call's arguments by its tool's caps. `volume` is the one it would count in.
void judgeEnvelope(const CompiledTool &tool, const CallReading &reading, const Volume &volume,
                   const EnvelopePolicy &policy, Judgement &out);
/// The volume of this tool: of the root task, or of the agent and window at `at`.
[[nodiscard]] Volume volumeAt(const Counters &counters, const VolumeCap &cap, AgentId agent, TaskId root, ToolId tool,
                              std::optional<Instant> at, const Calendar &calendar);
/// Counts one call; an amount that cannot be evaluated, or is negative, adds nothing to the value.
void countVolume(Counters &counters, std::int32_t windowHours, AgentId agent, TaskId root, ToolId tool,
                 std::optional<Decimal> value, std::optional<Instant> at, const Calendar &calendar);

} // namespace handreset::rules

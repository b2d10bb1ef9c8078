// What agents asked in the past, ready to be judged again: the one form to which lines of recorded runs and events of
// a log are brought, so that what-if has one judge for both (spec 7).
// Pure values; one thread at a time.
#pragma once

#include "model/rules/call_pairing.h"
#include "model/rules/decimal.h"
#include "model/rules/event.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/name_numbers.h"
#include "model/rules/recorded_line.h"
#include "model/rules/sha256.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace handreset::history {

/// The names of one recording, as dense numbers. A task or session belongs to its agent.
struct RunNames {
    rules::NameNumbers agents;
    rules::NameNumbers tasks;
    rules::NameNumbers sessions;
    rules::NameNumbers tools;
    rules::NameNumbers models;
    rules::NameNumbers endpoints;

    [[nodiscard]] rules::AgentId ownerOf(rules::TaskId task) const { return {tasks.owner(task.value)}; }
    /// The task's name; its agent's name and a blank before it where several agents have a task of this name.
    [[nodiscard]] std::vector<std::string> taskTitles() const;
};

/// What a recorded ask or result is about.
enum class AskKind : std::uint8_t {
    Step,       ///< an ask for a model call, with its result where the source gives both in one line
    StepResult, ///< the result of an earlier step
    Call,
    CallResult,
    End,
    Other, ///< a line or event that asks nothing; counted only
};

/// One ask or result. Views are into the line or the recording that it came with.
struct RecordedAsk {
    std::uint64_t index = 0; ///< line of the files, or the event's sequence number
    AskKind kind = AskKind::Other;
    bool hasOutcome = false; ///< Step: the result came in the same line
    bool ok = true;
    bool isNeutral = false; ///< CallResult: neither a success nor a failure
    bool measured = false; ///< `at` was stated, not taken from an earlier line
    rules::AgentId agent;
    rules::TaskId task;
    rules::TaskId root; ///< itself where there is no parent
    rules::SessionId session;
    rules::ToolId tool;
    rules::ModelId model;
    rules::EndpointId endpoint;
    std::int32_t status = 0; ///< HTTP status of a step's result; 0: not stated
    std::optional<rules::Instant> at;      ///< none: no data for windows
    std::optional<rules::Instant> askedAt; ///< StepResult: when its step was asked; its cost belongs there
    std::optional<rules::Decimal> cost;    ///< as reported
    std::string_view currency = "USD";     ///< of `cost`
    std::optional<std::int64_t> tokensIn;
    std::optional<std::int64_t> tokensOut;
    std::string_view arguments;
    bool isEvaluable = true; ///< Call: false where a field that the policy's caps look at was redacted
    std::optional<rules::Digest> identity; ///< a log's; set where the policy ignores the same fields
    std::optional<std::uint64_t> ofCall;   ///< CallResult, StepResult: the index of its ask
};

/// Brings lines to asks: numbers for names, times for lines without one, results to their calls.
class LineReader {
public:
    /// The line's ask; its texts last as long as the line's.
    [[nodiscard]] RecordedAsk read(const rules::RecordedLine &line);
    [[nodiscard]] const RunNames &names() const noexcept { return m_names; }
    /// Keeps the labels of each task, for groups; off by default.
    void keepLabels() { m_keepsLabels = true; }
    /// By task number - 1; shorter where the last tasks have none.
    [[nodiscard]] const std::vector<std::vector<std::string>> &labels() const noexcept { return m_labels; }

private:
    RunNames m_names;
    rules::TaskTimes m_times;
    rules::CallPairing m_pairing;
    std::vector<std::vector<std::string>> m_labels;
    bool m_keepsLabels = false;
};

/// Asks that are kept: to be judged under several policies, or in another order. Owns its texts.
class Recording {
public:
    void add(const RecordedAsk &ask);
    [[nodiscard]] const std::vector<RecordedAsk> &asks() const noexcept { return m_asks; }
    [[nodiscard]] std::vector<RecordedAsk> &asks() noexcept { return m_asks; }
    [[nodiscard]] std::string_view keep(std::string_view text);

private:
    std::vector<RecordedAsk> m_asks;
    std::deque<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_left = 0;
    char *m_place = nullptr;
};

} // namespace handreset::history

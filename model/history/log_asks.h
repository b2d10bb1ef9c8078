// Reads a log's rows as recorded asks (recording.h). What cannot be replayed is counted. Only what an ask needs is
// decoded: millions of events a second go by.
// One thread at a time. Rows must come from the log's first on, in order: names and policies stand in them.
#pragma once

#include "model/history/recording.h"
#include "model/rules/event.h"
#include "model/rules/policy.h"
#include "model/rules/result.h"
#include "model/store/log_rows.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace handreset::history {

class LogAsks {
public:
    /// What the asks are read for: less is decoded for less.
    struct Needs {
        bool results = false; ///< of tool calls, and all arguments: without observe
        bool labels = false;
    };
    /// `tried` is the policy that the asks will be judged by.
    LogAsks(std::shared_ptr<const rules::Policy> tried, Needs needs);

    /// The row's ask into `ask`; kind Other for events that ask nothing. Its texts last until the next call.
    /// `arguments` is asked where they are looked at. Unavailable for a damaged row.
    [[nodiscard]] rules::Result<void> read(const store::LogRow &row, store::LogArguments &arguments, RecordedAsk &ask);
    /// What was counted so far is of no period: it begins here.
    void beginPeriod();
    /// The kinds of events that it looks at; others may be left out.
    [[nodiscard]] store::KindSet kinds() const;

    [[nodiscard]] const RunNames &names() const noexcept { return m_names; }
    [[nodiscard]] const std::vector<std::vector<std::string>> &labels() const noexcept { return m_labels; }
    /// What could not be replayed, in words.
    [[nodiscard]] const std::map<std::string, std::uint64_t> &notReplayed() const noexcept { return m_notReplayed; }
    /// Trips that fired when the log was written, by signal and cap.
    [[nodiscard]] std::map<std::string, std::uint64_t> recordedTrips() const;

private:
    /// A step whose result has not come.
    struct OpenStep {
        rules::TaskId task;
        rules::EndpointId endpoint;
        rules::ModelId model;
        rules::KeyId key;
        rules::Decimal reserved;
        std::optional<rules::Instant> at;
    };
    /// How the recorded and the tried policy of one agent's tool differ, as far as replay goes.
    struct ToolDifference {
        bool sameIdentity = true; ///< the recorded identity can be used
        bool isRedacted = false;  ///< the recorded policy redacts something
        bool hasCap = false;      ///< the tried policy caps the tool
        bool capsReadable = true; ///< nothing that the tried caps look at was redacted
    };
    void name(const rules::Named &named);
    void takePolicy(const rules::PolicyApplied &applied);
    [[nodiscard]] rules::Result<void> takeRare(const store::LogRow &row, RecordedAsk &ask);
    void takeStep(RecordedAsk &ask, const rules::StepAsked &asked);
    void takeOutcome(RecordedAsk &ask, const rules::StepOutcome &outcome, rules::KeyId key);
    [[nodiscard]] rules::Result<void> takeCall(RecordedAsk &ask, const rules::CallAsked &asked,
                                               store::LogArguments &arguments);
    void takeResult(RecordedAsk &ask, const rules::StepFinished &finished);
    void takeMissing(RecordedAsk &ask, const rules::ResultMissing &missing);
    void takeLabels(const RecordedAsk &ask, const std::string &labels);
    void takeTrip(const rules::TripSubject &subject);
    void settleRoot(RecordedAsk &ask, rules::TaskId parent);
    [[nodiscard]] const ToolDifference &differenceOf(rules::AgentId agent, rules::ToolId tool);
    [[nodiscard]] std::string_view currencyOf(rules::KeyId key) const;

    std::shared_ptr<const rules::Policy> m_tried;
    rules::Policy m_recorded; ///< in force at this place of the log
    RunNames m_names;
    std::vector<std::string> m_keys;    ///< by number - 1
    std::vector<std::uint32_t> m_roots; ///< by task number - 1; 0: not asked yet
    Needs m_needs;
    std::string m_arguments; ///< of the present call
    std::vector<std::vector<std::string>> m_labels;
    std::unordered_map<std::uint64_t, OpenStep> m_open;
    std::vector<std::vector<std::optional<ToolDifference>>> m_differences; ///< by agent number - 1, tool number - 1
    std::map<std::string, std::uint64_t> m_notReplayed;
    std::map<std::string, std::uint64_t> m_trips;
};

} // namespace handreset::history

// What-if (spec 7): the asks of recorded runs against another policy. With observe every recorded ask counts as
// allowed and the first event of each signal is kept; without it the rules refuse as they would have, and what a
// stopped task did afterwards counts as prevented.
// Pure; one thread at a time. Nothing is written; the policy under test is in force nowhere.
#pragma once

#include "model/history/label_groups.h"
#include "model/history/recording.h"
#include "model/history/what_if_report.h"
#include "model/rules/policy.h"
#include "model/rules/recorded_line.h"
#include "model/rules/result.h"
#include "model/rules/zone.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace handreset::history {

/// The policy that is tried, as `rules::readPolicy` gave it.
struct TriedPolicy {
    std::shared_ptr<const rules::Policy> policy;
    std::string text; ///< it was read from; used without observe only
    std::string file; ///< for messages
    rules::Zone zone; ///< of policy->timezone
};

struct WhatIfOptions {
    bool observe = true;
    std::vector<LabelGroup> groups; ///< counted apart by the tasks' labels; empty: none
};

/// Lines go in, in order, from any number of files whose indexes run on; one report comes out.
class WhatIf {
public:
    WhatIf(TriedPolicy tried, WhatIfOptions options);
    ~WhatIf();
    WhatIf(const WhatIf &) = delete;
    WhatIf &operator=(const WhatIf &) = delete;

    void take(const rules::RecordedLine &line);
    /// The report. Without observe the rules run only now, for asks are judged in the order of their times.
    [[nodiscard]] rules::Result<WhatIfReport> finish();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// One row of a sweep: how many tasks would trip on repetition under this limit.
struct SweepRow {
    std::int64_t limit = 0;
    std::uint64_t tasks = 0;
    std::vector<std::uint64_t> groups; ///< in the order of the options
};

/// The same lines under several repetition limits (the policy's own default limit is replaced; tools that name a
/// limit of their own keep it). Observes.
class RepetitionSweep {
public:
    RepetitionSweep(TriedPolicy tried, std::vector<std::int64_t> limits, std::vector<LabelGroup> groups);
    ~RepetitionSweep();
    RepetitionSweep(const RepetitionSweep &) = delete;
    RepetitionSweep &operator=(const RepetitionSweep &) = delete;

    void take(const rules::RecordedLine &line);
    [[nodiscard]] std::vector<SweepRow> finish();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// `{"sweep": [{"limit", "tasks", "groups": {NAME: tasks}}…]}`.
[[nodiscard]] std::string sweepJson(const std::vector<SweepRow> &rows, const std::vector<LabelGroup> &groups);
/// The same as a table for a reader.
[[nodiscard]] std::string sweepText(const std::vector<SweepRow> &rows, const std::vector<LabelGroup> &groups);

} // namespace handreset::history

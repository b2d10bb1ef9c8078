#include "model/history/what_if_log.h"

#include "model/history/enforced_run.h"
#include "model/history/log_asks.h"
#include "model/history/observed_judge.h"
#include "model/history/report_parts.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace handreset::history {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

/// One pass over the log.
class Pass {
public:
    Pass(const TriedPolicy &tried, const WhatIfOptions &options)
        : m_asks(tried.policy, {.results = !options.observe, .labels = !options.groups.empty()}),
          m_judge(tried.policy, tried.zone, m_asks.names()),
          m_observe(options.observe)
    {}

    /// From the first event on, for names and policies stand there; asks before the period are not judged.
    Result<void> read(store::Store &store, rules::Seq first, rules::Seq last,
                      const std::function<bool(double)> &progress)
    {
        std::uint64_t rows = 0;
        RecordedAsk ask;
        return store.eachRow(rules::Seq{1}, last, m_asks.kinds(),
                             [&](const store::LogRow &row, store::LogArguments &arguments) -> Result<bool> {
                                 if (auto read = m_asks.read(row, arguments, ask); !read)
                                     return read.error();
                                 if (row.seq >= first)
                                     take(ask);
                                 const bool tells = progress && ++rows % 65'536 == 0;
                                 if (!tells
                                     || progress(static_cast<double>(row.seq.value) / static_cast<double>(last.value)))
                                     return true;
                                 return Error{ErrorCode::Cancelled, "cancelled; nothing was changed", "what-if"};
                             });
    }
    Result<WhatIfReport> report(const TriedPolicy &tried, const WhatIfOptions &options)
    {
        WhatIfReport report;
        report.observed = m_observe;
        report.notReplayed = m_asks.notReplayed();
        report.recorded = m_asks.recordedTrips();
        if (m_observe) {
            report.tasks = tasksOf(m_asks.names(), m_judge.firstTrips());
        } else {
            auto run = runEnforced(tried, m_asks.names(), m_recording.asks());
            if (!run)
                return run.error();
            takeEnforced(report, m_asks.names(), std::move(*run));
        }
        report.groups = groupsOf(options.groups, m_asks.labels(), report.tasks);
        return report;
    }

private:
    void take(const RecordedAsk &ask)
    {
        if (m_observe)
            m_judge.judge(ask);
        else if (ask.kind != AskKind::Other)
            m_recording.add(ask);
    }

    LogAsks m_asks;
    ObservedJudge m_judge;
    Recording m_recording; ///< without observe
    const bool m_observe;
};

} // namespace

Result<WhatIfReport> whatIfOfLog(store::Store &store, LogPeriod period, const TriedPolicy &tried,
                                 const WhatIfOptions &options, const std::function<bool(double)> &progress)
{
    const auto last = std::min(period.last, store.lastSeq());
    Pass pass(tried, options);
    if (auto read = pass.read(store, period.first, last, progress); !read)
        return read.error();
    auto report = pass.report(tried, options);
    if (report) // the log is dense: every number of the period is an event
        report->events = last < period.first ? 0 : last.value - period.first.value + 1;
    return report;
}

} // namespace handreset::history

#include "model/history/what_if_log.h"

#include "model/history/enforced_run.h"
#include "model/history/log_asks.h"
#include "model/history/observed_judge.h"
#include "model/history/report_parts.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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
                                 if (row.seq >= first && !m_isInPeriod) {
                                     m_isInPeriod = true;
                                     m_asks.beginPeriod();
                                 }
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
        auto labels = m_asks.labels();
        keepAsked(report.tasks, labels);
        report.groups = groupsOf(options.groups, labels, report.tasks);
        return report;
    }

private:
    /// Tasks of other times are no part of the period's report.
    void keepAsked(std::vector<WhatIfTask> &tasks, TaskLabels &labels) const
    {
        std::vector<WhatIfTask> kept;
        TaskLabels keptLabels;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            if (i >= m_asked.size() || !m_asked[i])
                continue;
            kept.push_back(std::move(tasks[i]));
            keptLabels.push_back(i < labels.size() ? std::move(labels[i]) : std::vector<std::string>());
        }
        tasks = std::move(kept);
        labels = std::move(keptLabels);
    }
    void take(const RecordedAsk &ask)
    {
        if (ask.kind != AskKind::Other && ask.task.isSet()) {
            if (m_asked.size() < ask.task.value)
                m_asked.resize(ask.task.value);
            m_asked[ask.task.value - 1] = true;
        }
        if (m_observe)
            m_judge.judge(ask);
        else if (ask.kind != AskKind::Other)
            m_recording.add(ask);
    }

    LogAsks m_asks;
    ObservedJudge m_judge;
    Recording m_recording; ///< without observe
    std::vector<bool> m_asked; ///< by task number - 1: it asked within the period
    bool m_isInPeriod = false;
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

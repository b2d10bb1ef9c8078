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
    Pass(const TriedPolicy &tried, bool observe)
        : m_asks(tried.policy),
          m_judge(tried.policy, tried.zone, m_asks.names()),
          m_observe(observe)
    {}

    /// From the first event on, for names and policies stand there; asks before the period are not judged. False where
    /// the log must be read again with arguments.
    Result<bool> read(store::Store &store, LogPeriod period, bool withArguments,
                      const std::function<bool(double)> &progress)
    {
        const auto last = std::min(period.last, store.lastSeq());
        bool isCancelled = false;
        const auto done = store.read(rules::Seq{1}, last, withArguments, [&](const rules::Event &event) {
            const auto ask = m_asks.read(event);
            if (!withArguments && m_asks.wantedArguments())
                return false;
            if (event.seq >= period.first)
                take(ask);
            if (progress && event.seq.value % 65'536 == 0)
                isCancelled = !progress(static_cast<double>(event.seq.value) / static_cast<double>(last.value));
            return !isCancelled;
        });
        if (!done)
            return done.error();
        if (isCancelled)
            return Error{ErrorCode::Cancelled, "cancelled; nothing was changed", "what-if"};
        return withArguments || !m_asks.wantedArguments();
    }
    Result<WhatIfReport> report(const TriedPolicy &tried, const WhatIfOptions &options)
    {
        WhatIfReport report;
        report.observed = m_observe;
        report.events = m_events;
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
        ++m_events;
        if (m_observe)
            m_judge.judge(ask);
        else if (ask.kind != AskKind::Other)
            m_recording.add(ask);
    }

    LogAsks m_asks;
    ObservedJudge m_judge;
    Recording m_recording; ///< without observe
    std::uint64_t m_events = 0;
    const bool m_observe;
};

} // namespace

Result<WhatIfReport> whatIfOfLog(store::Store &store, LogPeriod period, const TriedPolicy &tried,
                                 const WhatIfOptions &options, const std::function<bool(double)> &progress)
{
    for (const bool withArguments : {!options.observe, true}) {
        Pass pass(tried, options.observe);
        const auto isWhole = pass.read(store, period, withArguments, progress);
        if (!isWhole)
            return isWhole.error();
        if (isWhole.value())
            return pass.report(tried, options);
    }
    return Error{ErrorCode::Unavailable, "the log could not be read; run verify", "what-if"}; // never: the second pass is whole
}

} // namespace handreset::history

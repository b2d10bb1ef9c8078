#include "model/history/what_if.h"

#include "model/history/enforced_run.h"
#include "model/history/observed_judge.h"
#include "model/history/report_parts.h"

#include <utility>

namespace handreset::history {

using rules::RecordedLine;
using rules::Result;

struct WhatIf::Parts {
    Parts(TriedPolicy triedPolicy, WhatIfOptions chosen)
        : tried(std::move(triedPolicy)),
          options(std::move(chosen)),
          judge(tried.policy, tried.zone, reader.names())
    {
        if (!options.groups.empty())
            reader.keepLabels();
    }

    TriedPolicy tried;
    WhatIfOptions options;
    LineReader reader;
    ObservedJudge judge;
    Recording recording; ///< without observe: asks wait for the order of their times
    std::uint64_t events = 0;
};

WhatIf::WhatIf(TriedPolicy tried, WhatIfOptions options)
    : m_parts(std::make_unique<Parts>(std::move(tried), std::move(options)))
{}

WhatIf::~WhatIf() = default;

void WhatIf::take(const RecordedLine &line)
{
    auto &parts = *m_parts;
    const auto ask = parts.reader.read(line);
    ++parts.events;
    if (parts.options.observe)
        parts.judge.judge(ask);
    else if (ask.kind != AskKind::Other)
        parts.recording.add(ask);
}

Result<WhatIfReport> WhatIf::finish()
{
    auto &parts = *m_parts;
    WhatIfReport report;
    report.observed = parts.options.observe;
    report.events = parts.events;
    const auto &names = parts.reader.names();
    if (parts.options.observe) {
        report.tasks = tasksOf(names, parts.judge.firstTrips());
    } else {
        auto run = runEnforced(parts.tried, names, parts.recording.asks());
        if (!run)
            return run.error();
        takeEnforced(report, names, std::move(*run));
    }
    report.groups = groupsOf(parts.options.groups, parts.reader.labels(), report.tasks);
    return report;
}

// ---- Sweep -------------------------------------------------------------------------------------------------

struct RepetitionSweep::Parts {
    Parts(TriedPolicy tried, std::vector<std::int64_t> chosen, std::vector<LabelGroup> named)
        : limits(std::move(chosen)),
          groups(std::move(named))
    {
        reader.keepLabels();
        for (const auto limit : limits) {
            auto policy = std::make_shared<rules::Policy>(*tried.policy);
            policy->defaults.repetition.limit = limit;
            for (auto &[name, agent] : policy->agents)
                agent.repetition.limit = limit;
            judges.push_back(std::make_unique<ObservedJudge>(std::move(policy), tried.zone, reader.names()));
        }
    }

    std::vector<std::int64_t> limits;
    std::vector<LabelGroup> groups;
    LineReader reader;
    std::vector<std::unique_ptr<ObservedJudge>> judges;
};

RepetitionSweep::RepetitionSweep(TriedPolicy tried, std::vector<std::int64_t> limits, std::vector<LabelGroup> groups)
    : m_parts(std::make_unique<Parts>(std::move(tried), std::move(limits), std::move(groups)))
{}

RepetitionSweep::~RepetitionSweep() = default;

void RepetitionSweep::take(const RecordedLine &line)
{
    const auto ask = m_parts->reader.read(line);
    if (ask.kind != AskKind::Call)
        return;
    for (const auto &judge : m_parts->judges)
        judge->judge(ask);
}

std::vector<SweepRow> RepetitionSweep::finish()
{
    const auto &parts = *m_parts;
    constexpr auto kKind = static_cast<std::size_t>(TripKind::Repetition);
    std::vector<SweepRow> rows;
    for (std::size_t i = 0; i < parts.limits.size(); ++i) {
        const auto tasks = tasksOf(parts.reader.names(), parts.judges[i]->firstTrips());
        SweepRow row;
        row.limit = parts.limits[i];
        for (const auto &task : tasks)
            row.tasks += task.first[kKind] != kNever ? 1 : 0;
        for (const auto &group : groupsOf(parts.groups, parts.reader.labels(), tasks))
            row.groups.push_back(group.counts[kKind]);
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace handreset::history

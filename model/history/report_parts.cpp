#include "model/history/report_parts.h"

#include <cstddef>
#include <utility>

namespace handreset::history {

std::vector<WhatIfTask> tasksOf(const RunNames &names, const std::vector<FirstTrips> &first)
{
    auto titles = names.taskTitles();
    std::vector<WhatIfTask> tasks(titles.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        tasks[i].name = std::move(titles[i]);
        if (i < first.size())
            tasks[i].first = first[i];
    }
    return tasks;
}

std::vector<WhatIfGroup> groupsOf(const std::vector<LabelGroup> &groups, const TaskLabels &labels,
                                  const std::vector<WhatIfTask> &tasks)
{
    static const std::vector<std::string> none;
    std::vector<WhatIfGroup> counted;
    for (const auto &group : groups) {
        WhatIfGroup one{group.name, 0, {}};
        for (std::size_t task = 0; task < tasks.size(); ++task) {
            if (!belongsTo(group, task < labels.size() ? labels[task] : none))
                continue;
            ++one.tasks;
            for (std::size_t kind = 0; kind < kTripKinds; ++kind)
                one.counts[kind] += tasks[task].first[kind] != kNever ? 1 : 0;
        }
        counted.push_back(std::move(one));
    }
    return counted;
}

void takeEnforced(WhatIfReport &report, const RunNames &names, EnforcedTasks run)
{
    report.tasks = tasksOf(names, run.first);
    for (std::size_t i = 0; i < report.tasks.size(); ++i) {
        report.tasks[i].refused = run.refused[i];
        report.tasks[i].prevented = run.prevented[i];
    }
    for (const auto &[what, count] : run.notReplayed)
        report.notReplayed[what] += count;
}

} // namespace handreset::history

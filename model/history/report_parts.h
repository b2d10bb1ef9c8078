// What every what-if's report is put together from. Internal to model/history. Pure; any thread.
#pragma once

#include "model/history/enforced_run.h"
#include "model/history/label_groups.h"
#include "model/history/recording.h"
#include "model/history/what_if_report.h"

#include <string>
#include <vector>

namespace handreset::history {

/// Each task's label objects, by task number - 1; may be shorter than the tasks.
using TaskLabels = std::vector<std::vector<std::string>>;

/// All tasks with their titles and first trips; `first` may be shorter.
[[nodiscard]] std::vector<WhatIfTask> tasksOf(const RunNames &names, const std::vector<FirstTrips> &first);
[[nodiscard]] std::vector<WhatIfGroup> groupsOf(const std::vector<LabelGroup> &groups, const TaskLabels &labels,
                                                const std::vector<WhatIfTask> &tasks);
/// Puts the outcome of an enforced run into the report.
void takeEnforced(WhatIfReport &report, const RunNames &names, EnforcedTasks run);

} // namespace handreset::history

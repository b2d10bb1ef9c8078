#include "model/rules/draft.h"

namespace handreset::rules {

void run(Fleet &fleet, const Command &command, const Moment &moment, Step &step, Touched *touched)
{
    step.events.clear();
    step.outcome = std::monostate{};
    step.uncounted.reset();
    step.mustSync = false;
    Draft draft(fleet, moment, step, touched);
    if (!fleet.recorded && fleet.seq.isSet() && !std::holds_alternative<StartHost>(command))
        decideDue(draft);
    if (!draft.failed())
        std::visit([&draft](const auto &one) { decide(draft, one); }, command);
}

} // namespace handreset::rules

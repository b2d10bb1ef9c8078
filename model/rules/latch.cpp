#include "model/rules/latch.h"

namespace handreset::rules {

namespace {

bool holds(LatchGuard guard, const LatchInput &input)
{
    switch (guard) {
    case LatchGuard::Else:
        return true;
    case LatchGuard::HumansSignal:
        return input.humansSignal;
    case LatchGuard::ClocksSignal:
        return !input.humansSignal;
    case LatchGuard::ClockTrusted:
        return input.clockTrusted;
    case LatchGuard::Permitted:
        return input.permitted;
    }
    return false;
}

} // namespace

const LatchRow &decideLatch(LatchState state, const LatchInput &input)
{
    for (const auto &row : kLatchTable) {
        if (row.from.has(state) && row.events.has(input.event) && holds(row.guard, input))
            return row;
    }
    return kLatchTable.back(); // the compiler has checked that every group is closed
}

} // namespace handreset::rules
